//! The variables of the environment that are settings: `CAIRN_SECTION_KEY` for every `section.key` there is.

use std::{collections::BTreeMap, path::PathBuf};

use serde_json::{Map, Value};

use super::{Config, ConfigError};

const PREFIX: &str = "CAIRN_";

/// What other tools set, below our own variables.
const OTHERS: [(&str, &str); 3] =
    [("LEPTOS_SITE_ADDR", "server.addr"), ("LEPTOS_SITE_ROOT", "site.root"), ("ORT_DYLIB_PATH", "model.runtime")];

/// Where `scripts/model.sh` puts the model, below the cache folder.
const MODEL_IN_CACHE: &str = "cairn/model/all-minilm-l6-v2-int8";

pub(super) struct Setting {
    pub variable: String,
    pub key: String,
    pub value: String,
}

/// The settings among the variables. Empty ones are as good as unset.
///
/// # Errors
/// A variable that begins like a setting and is none: a typing error must not vanish.
pub(super) fn settings(variables: &BTreeMap<String, String>) -> Result<Vec<Setting>, ConfigError> {
    let known = known_variables();
    let mut settings: Vec<Setting> = Vec::new();
    for (variable, key) in OTHERS {
        let Some(value) = variables.get(variable).filter(|value| !value.is_empty()) else { continue };
        settings.push(Setting { variable: variable.to_owned(), key: key.to_owned(), value: value.clone() });
    }
    for (variable, value) in variables {
        if let Some(key) = known.get(variable) {
            if !value.is_empty() {
                settings.retain(|setting| setting.key != *key);
                settings.push(Setting { variable: variable.clone(), key: key.clone(), value: value.clone() });
            }
        } else if let Some(section) = section_of(variable) {
            let of_section: Vec<&str> =
                known.keys().filter(|name| section_of(name) == Some(section)).map(String::as_str).collect();
            let hint = format!("There are {}.", of_section.join(", "));
            return Err(ConfigError::UnknownVariable { variable: variable.clone(), hint });
        }
    }
    Ok(settings)
}

/// The folder of the model when none is set.
pub fn default_model_dir(variables: &BTreeMap<String, String>) -> Option<PathBuf> {
    let set = |name: &str| variables.get(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let cache = set("XDG_CACHE_HOME").or_else(|| Some(set("HOME")?.join(".cache")))?;
    Some(cache.join(MODEL_IN_CACHE))
}

/// Variable to `section.key`, read off the defaults so that no list can be forgotten.
fn known_variables() -> BTreeMap<String, String> {
    let mut known = BTreeMap::new();
    if let Ok(Value::Object(sections)) = serde_json::to_value(Config::default()) {
        add_keys("", &sections, &mut known);
    }
    known
}

fn add_keys(prefix: &str, fields: &Map<String, Value>, known: &mut BTreeMap<String, String>) {
    for (key, value) in fields {
        let key = format!("{prefix}{key}");
        match value {
            Value::Object(fields) => add_keys(&format!("{key}."), fields, known),
            _ => {
                known.insert(format!("{PREFIX}{key}").replace('.', "_").to_uppercase(), key);
            }
        }
    }
}

/// `DATA` of `CAIRN_DATA_…`; none for variables that are no settings, such as `CAIRN_CACHE` of the scripts.
fn section_of(variable: &str) -> Option<&str> {
    let (section, _) = variable.strip_prefix(PREFIX)?.split_once('_')?;
    matches!(section, "DATA" | "SERVER" | "SITE" | "MODEL" | "LANGUAGE" | "ASK" | "MAP" | "LOG").then_some(section)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_setting_has_a_variable_of_its_section() {
        let known = known_variables();
        assert_eq!(known.get("CAIRN_SERVER_REQUEST_TIMEOUT_SECONDS").map(String::as_str), Some("server.request_timeout_seconds"));
        assert_eq!(known.get("CAIRN_MODEL_DIR").map(String::as_str), Some("model.dir"));
        for variable in known.keys() {
            assert!(section_of(variable).is_some(), "{variable} would not be looked at");
        }
    }
}
