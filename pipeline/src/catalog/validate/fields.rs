//! Reading the fields of a JSON object one by one, so that every fault is found and named with its path.

use serde_json::{Map, Value};

use crate::catalog::fault::{Fault, FaultKind};

/// What was found while reading. Errors refuse the record; warnings do not.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    pub errors: Vec<Fault>,
    pub warnings: Vec<Fault>,
}

impl Findings {
    pub fn error(&mut self, kind: FaultKind, field: &str, message: impl Into<String>) {
        self.errors.push(Fault::new(kind, field, message));
    }

    pub fn warn(&mut self, kind: FaultKind, field: &str, message: impl Into<String>) {
        self.warnings.push(Fault::new(kind, field, message));
    }

    fn wrong_type(&mut self, field: &str, expected: &str, value: &Value) {
        self.error(FaultKind::WrongType, field, format!("give {expected}, not {}", type_name(value)));
    }

    /// Text without control characters and without space around it; `None` when nothing is left.
    pub fn text(&mut self, field: &str, value: Value, max_bytes: usize) -> Option<String> {
        let Value::String(text) = value else {
            self.wrong_type(field, "a text", &value);
            return None;
        };
        let text = self.without_control_characters(field, text);
        let trimmed = text.trim();
        if trimmed.len() > max_bytes {
            self.error(FaultKind::TooLong, field, format!("this is {} bytes long; at most {max_bytes} are kept", trimmed.len()));
            return None;
        }
        (!trimmed.is_empty()).then(|| trimmed.to_owned())
    }

    /// As [`Self::text`], with every run of white space made one space.
    pub fn line(&mut self, field: &str, value: Value, max_bytes: usize) -> Option<String> {
        let text = self.text(field, value, max_bytes)?;
        Some(text.split_whitespace().collect::<Vec<_>>().join(" "))
    }

    fn without_control_characters(&mut self, field: &str, text: String) -> String {
        let unwanted = |letter: char| letter.is_control() && !matches!(letter, '\n' | '\t');
        if !text.contains(unwanted) {
            return text;
        }
        // Windows line ends are no fault
        let mut text = text.replace("\r\n", "\n").replace('\r', "\n");
        if let Some(restored) = decoded_once_more(&text) {
            self.warn(FaultKind::EncodedTwice, field, "letters that had been encoded twice were restored");
            text = restored;
        }
        let cleaned: String = text.chars().filter(|letter| !unwanted(*letter)).collect();
        if cleaned.len() < text.len() {
            self.warn(FaultKind::ControlCharacters, field, "control characters such as NUL were removed");
        }
        cleaned
    }

    /// The entries of a list, each read with its own path; those that cannot be read are left out, with their errors.
    pub fn list<T>(
        &mut self,
        field: &str,
        value: Option<Value>,
        max_items: usize,
        mut read: impl FnMut(&mut Self, &str, Value) -> Option<T>,
    ) -> Vec<T> {
        match value {
            None => Vec::new(),
            Some(Value::Array(items)) if items.len() > max_items => {
                self.error(FaultKind::TooLong, field, format!("this has {} entries; at most {max_items} are kept", items.len()));
                Vec::new()
            }
            Some(Value::Array(items)) => {
                let numbered = items.into_iter().enumerate();
                numbered.filter_map(|(at, item)| read(self, &format!("{field}[{at}]"), item)).collect()
            }
            Some(other) => {
                self.wrong_type(field, "a list", &other);
                Vec::new()
            }
        }
    }

    /// A list of one-line texts without repetitions.
    pub fn lines(&mut self, field: &str, value: Option<Value>, max_items: usize, max_bytes: usize) -> Vec<String> {
        let mut kept: Vec<String> = Vec::new();
        for line in self.list(field, value, max_items, |findings, path, item| findings.line(path, item, max_bytes)) {
            if !kept.contains(&line) {
                kept.push(line);
            }
        }
        kept
    }

    pub fn object(&mut self, path: &str, value: Value) -> Option<Fields> {
        match value {
            Value::Object(map) => Some(Fields { map, path: path.to_owned() }),
            other => {
                self.wrong_type(path, "an object", &other);
                None
            }
        }
    }

    pub fn whole_number<T: TryFrom<i64>>(&mut self, field: &str, value: Value) -> Option<T> {
        let number = value.as_i64().and_then(|number| T::try_from(number).ok());
        if number.is_none() {
            self.wrong_type(field, "a whole number within the range of the field", &value);
        }
        number
    }
}

/// UTF-8 that was taken for Latin-1 and encoded again, such as `â\u{80}\u{93}` for an en dash. The control characters among it make
/// sure of it: no text has them. `None` where there is nothing to restore.
fn decoded_once_more(text: &str) -> Option<String> {
    let is_byte = |letter: char| ('\u{80}'..='\u{ff}').contains(&letter);
    let is_c1 = |letter: char| ('\u{80}'..='\u{9f}').contains(&letter);
    let mut restored = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(is_byte) {
        let (before, from) = rest.split_at(start);
        let (run, after) = from.split_at(from.find(|letter| !is_byte(letter)).unwrap_or(from.len()));
        let bytes: Vec<u8> = run.chars().filter_map(|letter| u8::try_from(u32::from(letter)).ok()).collect();
        restored.push_str(before);
        match String::from_utf8(bytes) {
            Ok(decoded) if run.contains(is_c1) => restored.push_str(&decoded),
            _ => restored.push_str(run),
        }
        rest = after;
    }
    restored.push_str(rest);
    (restored != text).then_some(restored)
}

/// An object whose fields are taken one by one; what remains is unknown.
pub(crate) struct Fields {
    map: Map<String, Value>,
    path: String,
}

impl Fields {
    /// `null` is as good as absent.
    pub fn take(&mut self, name: &str) -> Option<Value> {
        self.map.shift_remove(name).filter(|value| !value.is_null())
    }

    pub fn path_of(&self, name: &str) -> String {
        if self.path.is_empty() { name.to_owned() } else { format!("{}.{name}", self.path) }
    }

    pub fn line(&mut self, findings: &mut Findings, name: &str, max_bytes: usize) -> Option<String> {
        let value = self.take(name)?;
        findings.line(&self.path_of(name), value, max_bytes)
    }

    pub fn lines(&mut self, findings: &mut Findings, name: &str, max_items: usize, max_bytes: usize) -> Vec<String> {
        let value = self.take(name);
        findings.lines(&self.path_of(name), value, max_items, max_bytes)
    }

    pub fn refuse_the_rest(self, findings: &mut Findings) {
        for name in self.map.keys() {
            let shown: String = name.chars().take(60).collect();
            let hint = if self.path.is_empty() { "; what has no field of its own goes under `extra`" } else { "" };
            findings.error(FaultKind::UnknownField, &self.path_of(&shown), format!("`{shown}` is not a field here{hint}"));
        }
    }
}

pub(crate) fn type_name(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}
