//! All printing: results on the standard output, everything else on the standard error.

use std::{
    fmt::Display,
    io::{self, IsTerminal, StdoutLock, Write},
    process::ExitCode,
};

use serde::Serialize;

use super::failure::Failure;

pub struct Output {
    is_terminal: bool,
    is_styled: bool,
    notes_are_styled: bool,
}

impl Output {
    pub fn new() -> Self {
        let is_terminal = io::stdout().is_terminal();
        let wants_style = std::env::var_os("NO_COLOR").is_none();
        Self { is_terminal, is_styled: is_terminal && wants_style, notes_are_styled: io::stderr().is_terminal() && wants_style }
    }

    /// Whether a person sees the results as they come.
    pub fn is_terminal(&self) -> bool {
        self.is_terminal
    }

    /// # Errors
    /// The reader has gone away, or the disk is full.
    pub fn line(&mut self, text: impl Display) -> io::Result<()> {
        writeln!(io::stdout().lock(), "{text}")
    }

    /// A part of a line, seen at once.
    ///
    /// # Errors
    /// As [`Self::line`].
    pub fn piece(&mut self, text: impl Display) -> io::Result<()> {
        let mut out = io::stdout().lock();
        write!(out, "{text}")?;
        out.flush()
    }

    /// One object on one line.
    ///
    /// # Errors
    /// As [`Self::line`].
    pub fn json(&mut self, value: &impl Serialize) -> io::Result<()> {
        let mut out = io::stdout().lock();
        serde_json::to_writer(&mut out, value)?;
        out.write_all(b"\n")?;
        out.flush()
    }

    /// For what writes a lot by itself.
    pub fn raw(&mut self) -> StdoutLock<'static> {
        io::stdout().lock()
    }

    /// Something for the person, not for what reads the results.
    pub fn note(&mut self, text: impl Display) {
        // there is nowhere to say that it could not be said
        let _ = writeln!(io::stderr().lock(), "{text}");
    }

    pub fn fail(&mut self, failure: &Failure) -> ExitCode {
        if failure.silent {
            return ExitCode::SUCCESS;
        }
        self.note(&failure.sentence);
        if let Some(cause) = &failure.cause {
            self.note(format_args!("  cause: {cause}"));
        }
        failure.exit_code()
    }

    pub fn strong(&self, text: impl Display) -> String {
        styled(self.is_styled, "1", text)
    }

    pub fn faint(&self, text: impl Display) -> String {
        styled(self.is_styled, "2", text)
    }

    /// As [`Self::faint`], for [`Self::note`].
    pub fn faint_note(&self, text: impl Display) -> String {
        styled(self.notes_are_styled, "2", text)
    }
}

fn styled(is_styled: bool, code: &str, text: impl Display) -> String {
    if is_styled { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_string() }
}

/// Text that others wrote, without control characters: a title must not move the cursor.
pub fn plain(text: &str) -> String {
    text.chars().map(|character| if character.is_control() { ' ' } else { character }).collect()
}

/// The same, with line ends.
pub fn plain_lines(text: &str) -> String {
    text.chars().map(|character| if character.is_control() && character != '\n' { ' ' } else { character }).collect()
}

/// At most `width` characters, cut at a word.
pub fn shortened(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    let cut: String = text.chars().take(width.saturating_sub(1)).collect();
    let end = cut.rfind(char::is_whitespace).unwrap_or(cut.len());
    format!("{}…", cut.get(..end).unwrap_or(&cut).trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_others_is_tamed() {
        assert_eq!(plain("a\u{1b}[2Jb\nc"), "a [2Jb c");
        assert_eq!(plain_lines("a\u{1b}[2Jb\r\nc"), "a [2Jb \nc");
        assert_eq!(shortened("sea ice around Svalbard", 12), "sea ice…");
        assert_eq!(shortened("Ørsted", 6), "Ørsted");
        assert_eq!(shortened("冰川冰川冰川", 4), "冰川冰…");
    }
}
