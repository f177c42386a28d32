//! The data folder is held by one process at a time.

use std::{
    fs::{File, OpenOptions, TryLockError},
    io::{self, Read, Seek, Write},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

/// Locked as long as the folder is held; the operating system lets go of it however the process ends.
const LOCK_FILE: &str = "cairn.lock";

/// A data folder this process holds.
#[derive(Debug)]
pub struct DataFolder {
    path: PathBuf,
    lock: File,
}

/// Who holds a folder, as its lock file says.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Holder {
    pub process: u32,
    pub command: String,
    /// Where it can be reached, when it serves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
}

#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    #[error("The data folder {} is in use by {}. {}", .folder.display(), describe(.holder), what_to_do(.holder))]
    Held { folder: PathBuf, holder: Option<Holder> },
    #[error("The data folder {} cannot be used. Make it writable, or give another one with --data.", .folder.display())]
    Unusable { folder: PathBuf, source: io::Error },
    #[error("The secret in {} is damaged. Put it back from a copy, or delete it: visitors then lose their history, and shared links no longer open.", .file.display())]
    Secret { file: PathBuf },
}

fn describe(holder: &Option<Holder>) -> String {
    match holder {
        Some(Holder { process, command, url: Some(url) }) => format!("`cairn {command}` (process {process}, {url})"),
        Some(Holder { process, command, url: None }) => format!("`cairn {command}` (process {process})"),
        None => "another cairn process".to_owned(),
    }
}

fn what_to_do(holder: &Option<Holder>) -> String {
    match holder.as_ref().and_then(|holder| holder.url.as_ref()) {
        Some(url) => format!("Stop it first, give another folder with --data, or use its pages and API at {url}/api/v1."),
        None => "Wait until it has ended, or give another folder with --data.".to_owned(),
    }
}

impl DataFolder {
    /// Makes the folder if need be and holds it until dropped.
    ///
    /// # Errors
    /// Another process holds it, or it cannot be written.
    pub fn hold(path: &Path, command: &str) -> Result<Self, FolderError> {
        let unusable = |source| FolderError::Unusable { folder: path.to_owned(), source };
        std::fs::create_dir_all(path).map_err(unusable)?;
        let file = path.join(LOCK_FILE);
        let lock = OpenOptions::new().create(true).truncate(false).read(true).write(true).open(file).map_err(unusable)?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(FolderError::Held { folder: path.to_owned(), holder: read_holder(lock) });
            }
            Err(TryLockError::Error(source)) => return Err(unusable(source)),
        }
        let mut folder = Self { path: path.to_owned(), lock };
        folder.write_holder(command, None).map_err(unusable)?;
        Ok(folder)
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Notes where this process can be reached, for those who find the folder held.
    ///
    /// # Errors
    /// The lock file cannot be written.
    pub fn announce(&mut self, command: &str, url: &str) -> io::Result<()> {
        self.write_holder(command, Some(url.to_owned()))
    }

    fn write_holder(&mut self, command: &str, url: Option<String>) -> io::Result<()> {
        let holder = Holder { process: std::process::id(), command: command.to_owned(), url };
        self.lock.set_len(0)?;
        self.lock.rewind()?;
        self.lock.write_all(serde_json::to_string(&holder)?.as_bytes())?;
        self.lock.flush()
    }
}

fn read_holder(mut lock: File) -> Option<Holder> {
    let mut text = String::new();
    lock.read_to_string(&mut text).ok()?;
    serde_json::from_str(&text).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_held_folder_is_refused_with_its_holder_and_free_again_after() {
        let folder = tempfile::tempdir().unwrap();
        let mut first = DataFolder::hold(folder.path(), "serve").unwrap();
        first.announce("serve", "http://127.0.0.1:3000").unwrap();
        let refused = DataFolder::hold(folder.path(), "import").unwrap_err().to_string();
        assert!(refused.contains("cairn serve") && refused.contains("http://127.0.0.1:3000"), "{refused}");
        drop(first);
        DataFolder::hold(folder.path(), "import").unwrap();
    }

    #[test]
    fn a_folder_that_cannot_be_made_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        std::fs::write(&file, "").unwrap();
        let refused = DataFolder::hold(&file.join("below"), "serve").unwrap_err().to_string();
        assert!(refused.contains("--data"), "{refused}");
    }
}
