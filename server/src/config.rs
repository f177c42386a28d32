//! What an operator can set, and where it is read from: defaults, then `cairn.toml`, then the environment, then flags.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use config::{Config as Layers, File, FileFormat};
use serde::{Deserialize, Serialize};

mod check;
mod environment;
mod language;
mod secret;
mod sections;

pub use check::Fault;
pub use environment::default_model_dir;
pub use language::{Language, TaskLanguage, TaskOverrides};
pub use secret::Secret;
pub use sections::{Ask, Data, Log, LogFormat, Map, Model, Server, Site};

/// Read when no `--config` is given and it is there.
const DEFAULT_FILE: &str = "cairn.toml";

/// Every setting. An unknown key is an error. The variable of `[section] key` is `CAIRN_SECTION_KEY`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    pub data: Data,
    pub server: Server,
    pub site: Site,
    pub model: Model,
    pub language: Language,
    pub ask: Ask,
    pub map: Map,
    pub log: Log,
}

#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    #[error("There is no configuration file {}. Give the path of one, or leave --config away.", .0.display())]
    NoFile(PathBuf),
    #[error("The configuration cannot be read: {0}")]
    Unreadable(String),
    #[error("The environment variable {variable} is not a setting. {hint}")]
    UnknownVariable { variable: String, hint: String },
    #[error("The configuration has faults:\n{}", .0.iter().map(|fault| format!("  {fault}")).collect::<Vec<_>>().join("\n"))]
    Faulty(Vec<Fault>),
}

/// Where the settings came from.
#[derive(Clone, Debug, PartialEq)]
pub struct Loaded {
    pub config: Config,
    pub file: Option<PathBuf>,
    /// Variables that were taken.
    pub variables: Vec<String>,
}

/// Reads and checks the settings. `flags` are `section.key` and value of what the command line says.
///
/// # Errors
/// No such file, an unknown key or variable, a value of the wrong kind, or settings that cannot work.
pub fn load(file: Option<&Path>, variables: &BTreeMap<String, String>, flags: &[(&str, String)]) -> Result<Loaded, ConfigError> {
    let file = match file {
        Some(file) if !file.is_file() => return Err(ConfigError::NoFile(file.to_owned())),
        Some(file) => Some(file.to_owned()),
        None => Some(PathBuf::from(DEFAULT_FILE)).filter(|file| file.is_file()),
    };
    let settings = environment::settings(variables)?;
    let mut layers = Layers::builder();
    if let Some(file) = &file {
        layers = layers.add_source(File::from(file.as_path()).format(FileFormat::Toml));
    }
    let unreadable = |error: config::ConfigError| ConfigError::Unreadable(error.to_string());
    for setting in &settings {
        layers = layers.set_override(&setting.key, setting.value.clone()).map_err(unreadable)?;
    }
    for (key, value) in flags {
        layers = layers.set_override(*key, value.clone()).map_err(unreadable)?;
    }
    let config: Config = layers.build().and_then(Layers::try_deserialize).map_err(unreadable)?;
    let faults = check::faults(&config);
    if !faults.is_empty() {
        return Err(ConfigError::Faulty(faults));
    }
    let variables = settings.into_iter().map(|setting| setting.variable).collect();
    Ok(Loaded { config, file, variables })
}

#[cfg(test)]
mod tests {
    use pipeline::ports::language_model::Task;

    use super::*;

    fn load_from(toml: &str, variables: &[(&str, &str)], flags: &[(&str, &str)]) -> Result<Config, String> {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("cairn.toml");
        std::fs::write(&file, toml).unwrap();
        let variables = variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let flags: Vec<_> = flags.iter().map(|(key, value)| (*key, (*value).to_owned())).collect();
        load(Some(&file), &variables, &flags).map(|loaded| loaded.config).map_err(|error| error.to_string())
    }

    #[test]
    fn nothing_set_is_the_default() {
        assert_eq!(load_from("", &[], &[]), Ok(Config::default()));
    }

    #[test]
    fn flags_go_before_variables_before_the_file() {
        let toml = "[data]\ndir = \"from-file\"\n[server]\naddr = \"127.0.0.1:1\"\nbody_limit_bytes = 5000\n";
        let variables = [("CAIRN_DATA_DIR", "from-variable"), ("CAIRN_SERVER_ADDR", "127.0.0.1:2")];
        let config = load_from(toml, &variables, &[("data.dir", "from-flag")]).unwrap();
        assert_eq!(config.data.dir, PathBuf::from("from-flag"));
        assert_eq!(config.server.addr.port(), 2);
        assert_eq!(config.server.body_limit_bytes, 5000);
    }

    #[test]
    fn variables_of_cargo_leptos_count_least() {
        let config = load_from("", &[("LEPTOS_SITE_ROOT", "elsewhere"), ("LEPTOS_SITE_ADDR", "127.0.0.1:9")], &[]).unwrap();
        assert_eq!((config.site.root, config.server.addr.port()), (PathBuf::from("elsewhere"), 9));
        let both = [("LEPTOS_SITE_ROOT", "elsewhere"), ("CAIRN_SITE_ROOT", "here")];
        assert_eq!(load_from("", &both, &[]).unwrap().site.root, PathBuf::from("here"));
    }

    #[test]
    fn variables_of_other_things_are_left_alone() {
        let others = [("CAIRN_CACHE", "x"), ("CAIRN_SHARED_DATA", "x"), ("CAIRN_PROGRAM", "x"), ("PATH", "x")];
        assert_eq!(load_from("", &others, &[]), Ok(Config::default()));
    }

    #[rstest::rstest]
    #[case("[server]\nadress = \"x\"", &[], "adress")]
    #[case("[serve]\naddr = \"127.0.0.1:1\"", &[], "serve")]
    #[case("[server]\naddr = \"somewhere\"", &[], "address")]
    #[case("[server]\nbody_limit_bytes = \"lots\"", &[], "body_limit_bytes")]
    #[case("", &[("CAIRN_SERVER_ADR", "127.0.0.1:1")], "CAIRN_SERVER_ADDR")]
    #[case("", &[("CAIRN_DATA_DEMO", "perhaps")], "data.demo")]
    #[case("[map]\ntiles = \"https://tiles.example/map.png\"", &[], "{z}")]
    #[case("[map]\ntiles = \"javascript:{z}{x}{y}\"", &[], "https://")]
    #[case("[server]\nrequest_timeout_seconds = 0", &[], "request_timeout_seconds")]
    #[case("[ask]\ndeadline_seconds = 1", &[], "ask.deadline_seconds")]
    #[case("[server]\npublic_url = \"cairn.example\"", &[], "public_url")]
    #[case("[log]\nfilter = \"=,=\"", &[], "log.filter")]
    #[case("not toml", &[], "cannot be read")]
    #[case("[language]\nbase_url = \"localhost:8000/v1\"\nmodel = \"m\"", &[], "http://")]
    #[case("[language]\nbase_url = \"http://me:word@host/v1\"\nmodel = \"m\"", &[], "CAIRN_LANGUAGE_API_KEY")]
    #[case("[language]\nbase_url = \"http://host/v1\"", &[], "CAIRN_LANGUAGE_MODEL")]
    #[case("[language]\ntemperature = 3.0", &[], "language.temperature")]
    #[case("[language]\nidle_timeout_seconds = 0", &[], "language.idle_timeout_seconds")]
    #[case("[language.tasks.write]\nmodel = \"m\"", &[], "language.tasks.write")]
    #[case("[language.tasks.answer]\nmodel = \"m\"", &[], "answer")]
    #[case("", &[("CAIRN_LANGUAGE_TASKS_PLAN_TIMEOUT_SECONDS", "0")], "language.tasks.plan.timeout_seconds")]
    #[case("", &[("CAIRN_LANGUAGE_TASK_PLAN_MODEL", "m")], "CAIRN_LANGUAGE_TASKS_PLAN_MODEL")]
    fn a_fault_is_named(#[case] toml: &str, #[case] variables: &[(&str, &str)], #[case] named: &str) {
        let message = load_from(toml, variables, &[]).unwrap_err();
        assert!(message.contains(named), "{message}");
    }

    #[test]
    fn a_task_of_the_language_model_may_differ() {
        let toml = "[language]\nbase_url = \"http://127.0.0.1:8000/v1\"\nmodel = \"large\"\ntimeout_seconds = 40\n\
            [language.tasks.grade]\nmodel = \"small\"\ncompletion_tokens = 32\n";
        let variables =
            [("CAIRN_LANGUAGE_TASKS_GRADE_TEMPERATURE", "0.5"), ("CAIRN_LANGUAGE_TASKS_WRITE_BASE_URL", "http://other:1/v1")];
        let language = load_from(toml, &variables, &[]).unwrap().language;
        let grade = language.task(Task::Grade).unwrap();
        assert_eq!((grade.model, grade.completion_tokens, grade.temperature, grade.timeout_seconds), ("small", 32, 0.5, 40));
        let write = language.task(Task::Write).unwrap();
        assert_eq!((write.base_url, write.model, write.completion_tokens), ("http://other:1/v1", "large", 800));
        assert_eq!(Config::default().language.task(Task::Write), None, "no model unless one is set");
    }

    #[test]
    fn a_key_is_shown_nowhere() {
        let variables = [
            ("CAIRN_LANGUAGE_BASE_URL", "http://h:1/v1"),
            ("CAIRN_LANGUAGE_MODEL", "m"),
            ("CAIRN_LANGUAGE_API_KEY", "sk-very-secret"),
        ];
        let config = load_from("", &variables, &[]).unwrap();
        assert_eq!(config.language.api_key, Some(Secret::new("sk-very-secret")));
        let shown = format!("{config:?} {}", serde_json::to_string(&config).unwrap());
        assert!(!shown.contains("very-secret") && shown.contains("(set)"), "{shown}");
        let broken = load_from("", &[("CAIRN_LANGUAGE_API_KEY", "sk-very secret")], &[]).unwrap_err();
        assert!(broken.contains("language.api_key") && !broken.contains("very"), "{broken}");
    }

    #[test]
    fn a_missing_file_is_named() {
        let error = load(Some(Path::new("nowhere.toml")), &BTreeMap::new(), &[]).unwrap_err();
        assert!(error.to_string().contains("nowhere.toml"));
    }
}
