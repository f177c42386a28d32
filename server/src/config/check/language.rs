//! Faults in what is set of the language model.

use axum::http::Uri;
use pipeline::ports::language_model::Task;
use secrecy::ExposeSecret;

use super::Fault;
use crate::config::{Language, TaskOverrides};

/// Shorter replies hold no sentence.
const FEWEST_COMPLETION_TOKENS: usize = 16;
/// Shorter prompts hold no instruction and evidence.
const FEWEST_PROMPT_TOKENS: usize = 512;

pub(super) fn faults(language: &Language) -> Vec<Fault> {
    let mut faults = Vec::new();
    let mut fault = |key: &str, message: String| faults.push(Fault { key: format!("language.{key}"), message });
    if let Some(Err(message)) = language.base_url.as_deref().map(check_base_url) {
        fault("base_url", message);
    }
    if language.api_key.as_ref().is_some_and(|key| !key.value().expose_secret().bytes().all(|byte| byte.is_ascii_graphic())) {
        fault("api_key", "a key holds letters, digits and signs only; look for a space or a line break".to_owned());
    }
    if language.idle_timeout_seconds == 0 {
        fault("idle_timeout_seconds", "no model writes within 0 seconds; give 1 or more".to_owned());
    }
    let general = TaskOverrides {
        base_url: None,
        model: language.model.clone(),
        temperature: Some(language.temperature),
        prompt_tokens: Some(language.prompt_tokens),
        completion_tokens: Some(language.completion_tokens),
        timeout_seconds: Some(language.timeout_seconds),
    };
    check_numbers("", &general, &mut fault);
    for task in Task::ALL {
        let own = language.tasks.get(task);
        let name = task.name();
        let prefix = format!("tasks.{name}.");
        if language.base_url.is_none() && *own != TaskOverrides::default() {
            fault(
                &format!("tasks.{name}"),
                "there is no language.base_url, so that this would change nothing; set it".to_owned(),
            );
        }
        if let Some(Err(message)) = own.base_url.as_deref().map(check_base_url) {
            fault(&format!("{prefix}base_url"), message);
        }
        check_numbers(&prefix, own, &mut fault);
    }
    let nameless: Vec<&str> = Task::ALL.into_iter().filter(|task| language.task(*task).is_none()).map(Task::name).collect();
    if language.base_url.is_some() && !nameless.is_empty() {
        let message = format!("the model server needs the name of a model for {}; set CAIRN_LANGUAGE_MODEL", nameless.join(", "));
        fault("model", message);
    }
    faults
}

fn check_numbers(prefix: &str, own: &TaskOverrides, fault: &mut impl FnMut(&str, String)) {
    if own.model.as_ref().is_some_and(|model| model.trim().is_empty()) {
        fault(&format!("{prefix}model"), "a name of a model is not empty".to_owned());
    }
    if let Some(temperature) = own.temperature
        && !(0.0..=2.0).contains(&temperature)
    {
        fault(&format!("{prefix}temperature"), format!("{temperature} is not from 0 to 2"));
    }
    if let Some(tokens) = own.prompt_tokens
        && tokens < FEWEST_PROMPT_TOKENS
    {
        fault(
            &format!("{prefix}prompt_tokens"),
            format!("{tokens} hold no instructions and evidence; give {FEWEST_PROMPT_TOKENS} or more"),
        );
    }
    if let Some(tokens) = own.completion_tokens
        && tokens < FEWEST_COMPLETION_TOKENS
    {
        fault(
            &format!("{prefix}completion_tokens"),
            format!("{tokens} hold no sentence; give {FEWEST_COMPLETION_TOKENS} or more"),
        );
    }
    if own.timeout_seconds == Some(0) {
        fault(&format!("{prefix}timeout_seconds"), "no model answers in 0 seconds; give 1 or more".to_owned());
    }
}

/// The address is not repeated: it may hold a password.
fn check_base_url(url: &str) -> Result<(), String> {
    let example = "give one such as http://127.0.0.1:8000/v1";
    let uri: Uri = url.parse().map_err(|error| format!("this is no address ({error}); {example}"))?;
    let authority = uri.authority().map_or("", |authority| authority.as_str());
    if !matches!(uri.scheme_str(), Some("http" | "https")) || authority.is_empty() {
        return Err(format!("an address of a model server begins with http:// or https://; {example}"));
    }
    if authority.contains('@') {
        return Err("a name and password do not belong in the address; set CAIRN_LANGUAGE_API_KEY".to_owned());
    }
    if uri.query().is_some() {
        return Err(format!("an address of a model server has no query; {example}"));
    }
    Ok(())
}
