//! What a command says when it cannot go on: a sentence with what to do, the cause, an exit code.

use std::{error::Error, io, process::ExitCode};

use pipeline::{
    model::problem::FieldError,
    ports::{ErrorKind, PortError},
    search::SearchError,
};

use crate::{config::ConfigError, data_folder::FolderError, http::serve::ListenError, wiring::OpenError};

pub const USAGE: u8 = 2;

#[derive(Debug)]
pub struct Failure {
    pub sentence: String,
    pub cause: Option<String>,
    pub code: u8,
    /// Who reads the output has gone away: nothing is left to be said.
    pub silent: bool,
}

impl Failure {
    pub fn new(sentence: impl Into<String>) -> Self {
        Self { sentence: sentence.into(), cause: None, code: 1, silent: false }
    }

    pub fn usage(sentence: impl Into<String>) -> Self {
        Self { code: USAGE, ..Self::new(sentence) }
    }

    /// Faults of what was given, by field.
    pub fn invalid(errors: &[FieldError]) -> Self {
        let faults: Vec<String> = errors.iter().map(ToString::to_string).collect();
        Self::usage(faults.join("\n"))
    }

    pub fn because(self, cause: impl Error) -> Self {
        self.because_of(&cause)
    }

    /// With all the causes of the cause.
    pub fn because_of(mut self, cause: &dyn Error) -> Self {
        let mut text = cause.to_string();
        let mut source = cause.source();
        while let Some(error) = source {
            text = format!("{text}: {error}");
            source = error.source();
        }
        self.cause = Some(text);
        self
    }

    pub fn exit_code(&self) -> ExitCode {
        ExitCode::from(self.code)
    }
}

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Self {
        Self::usage(error.to_string())
    }
}

impl From<FolderError> for Failure {
    fn from(error: FolderError) -> Self {
        let sentence = error.to_string();
        match error {
            FolderError::Unusable { source, .. } => Self::new(sentence).because(source),
            FolderError::Held { .. } | FolderError::Secret { .. } => Self::new(sentence),
        }
    }
}

impl From<OpenError> for Failure {
    fn from(error: OpenError) -> Self {
        match error {
            OpenError::Folder(error) => error.into(),
            OpenError::Engine(error) => error.into(),
        }
    }
}

impl From<PortError> for Failure {
    fn from(error: PortError) -> Self {
        let sentence = match error.kind {
            ErrorKind::Invalid => "This cannot be done as asked.",
            ErrorKind::NotFound => "There is no such thing.",
            ErrorKind::Unavailable | ErrorKind::TimedOut => "The catalogue does not answer at the moment. Try again.",
            ErrorKind::Incompatible => {
                "What is in the data folder does not fit this program or its model. `cairn reindex` builds everything but the records anew."
            }
            ErrorKind::Internal => "Something went wrong in the catalogue.",
        };
        Self::new(sentence).because(error)
    }
}

impl From<SearchError> for Failure {
    fn from(error: SearchError) -> Self {
        match error {
            SearchError::Invalid(errors) => Self::invalid(&errors),
            SearchError::Failed(error) => error.into(),
        }
    }
}

impl From<ListenError> for Failure {
    fn from(error: ListenError) -> Self {
        let sentence = error.to_string();
        let cause = std::error::Error::source(&error).map(ToString::to_string);
        Self { cause, ..Self::new(sentence) }
    }
}

/// Of writing the output.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        let silent = error.kind() == io::ErrorKind::BrokenPipe;
        Self { silent, ..Self::new("The output could not be written.").because(error) }
    }
}
