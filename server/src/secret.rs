//! What signs visitors' cookies and the keys of rounds: made at the first start, kept beside the catalogue.

use std::{
    fs::{self, OpenOptions},
    io::{self, Write},
    path::Path,
};

use crate::data_folder::FolderError;

const FILE: &str = "secret.key";
const BYTES: usize = 32;

/// Reads the secret of a data folder that this process holds, or makes it. Only the owner of the file may read it.
///
/// # Errors
/// The folder cannot be written, or the file holds something else.
pub fn load(folder: &Path) -> Result<[u8; BYTES], FolderError> {
    let file = folder.join(FILE);
    let unusable = |source| FolderError::Unusable { folder: folder.to_owned(), source };
    match fs::read(&file) {
        Ok(content) => content.try_into().map_err(|_| FolderError::Secret { file }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => make(folder, &file).map_err(unusable),
        Err(error) => Err(unusable(error)),
    }
}

fn make(folder: &Path, file: &Path) -> io::Result<[u8; BYTES]> {
    let mut secret = [0; BYTES];
    getrandom::fill(&mut secret).map_err(io::Error::other)?;
    // under its name once it is whole: a start that is cut off here leaves no half of it
    let unfinished = folder.join(format!("{FILE}.new"));
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut writing = options.open(&unfinished)?;
    writing.write_all(&secret)?;
    writing.sync_all()?;
    fs::rename(unfinished, file)?;
    Ok(secret)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_made_once_and_read_by_its_owner_alone() {
        let (folder, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let secret = load(folder.path()).unwrap();
        assert_eq!(load(folder.path()).unwrap(), secret);
        assert_ne!(load(other.path()).unwrap(), secret);
        #[cfg(unix)]
        {
            let mode = fs::metadata(folder.path().join(FILE)).unwrap();
            assert_eq!(std::os::unix::fs::PermissionsExt::mode(&mode.permissions()) & 0o777, 0o600);
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_damaged_one_is_named() {
        let folder = tempfile::tempdir().unwrap();
        for content in ["", "short"] {
            fs::write(folder.path().join(FILE), content).unwrap();
            let refused = load(folder.path()).unwrap_err().to_string();
            assert!(refused.contains(FILE) && refused.contains("delete it"), "{refused}");
        }
    }
}
