//! The directory of the indexes: one folder `index-<n>` for each, and a lock so that only one process uses it.

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::index::Volume;
use super::writer::Writing;
use crate::Error;

/// Prefix of index folders, followed by a number.
const PREFIX: &str = "index-";

/// Location of the indexes.
pub enum Home {
    /// In memory, for tests.
    Memory,
    /// In a folder.
    Folder {
        /// The folder.
        root: PathBuf,
        /// The lock, held as long as this value lives; the system releases it when the process ends.
        _lock: File,
    },
}

impl Home {
    /// Locks `root`, which is created if it does not exist.
    pub fn open(root: &Path) -> Result<Self, Error> {
        fs::create_dir_all(root).map_err(Error::unavailable)?;
        let lock = File::create(root.join("lock")).map_err(Error::unavailable)?;
        match lock.try_lock() {
            Ok(()) => Ok(Self::Folder {
                root: root.to_owned(),
                _lock: lock,
            }),
            Err(TryLockError::WouldBlock) => Err(Error::InUse(root.display().to_string())),
            Err(TryLockError::Error(error)) => Err(Error::unavailable(error)),
        }
    }

    /// The intact index with the highest number, or else a new, empty one. All others are deleted: they were replaced, interrupted or
    /// damaged, and can be fed again.
    pub fn live(&self) -> Result<Arc<Volume>, Error> {
        let mut live = None;
        for (_, folder) in self.folders()?.into_iter().rev() {
            if live.is_none() {
                live = whole(&folder);
            }
            let kept = live
                .as_ref()
                .is_some_and(|live| live.folder.as_ref() == Some(&folder));
            if !kept {
                delete(&folder);
            }
        }
        match live {
            Some(live) => Ok(Arc::new(live)),
            None => {
                let mut writing = Writing::new(Arc::new(self.create()?), true);
                writing.commit(0).map_err(Error::unavailable)?;
                Ok(writing.end())
            }
        }
    }

    /// A new, empty index with the next number.
    pub fn create(&self) -> Result<Volume, Error> {
        let last = self.folders()?.last().map_or(0, |(number, _)| *number);
        let folder = match self {
            Self::Memory => None,
            Self::Folder { root, .. } => {
                Some(root.join(format!("{PREFIX}{}", last.saturating_add(1))))
            }
        };
        Volume::create(folder).map_err(Error::unavailable)
    }

    /// The index folders by number, lowest first.
    fn folders(&self) -> Result<Vec<(u64, PathBuf)>, Error> {
        let Self::Folder { root, .. } = self else {
            return Ok(Vec::new());
        };
        let mut folders = Vec::new();
        for entry in fs::read_dir(root).map_err(Error::unavailable)? {
            let entry = entry.map_err(Error::unavailable)?;
            let name = entry.file_name();
            let number = name
                .to_str()
                .and_then(|name| name.strip_prefix(PREFIX)?.parse().ok());
            folders.extend(number.map(|number| (number, entry.path())));
        }
        folders.sort();
        Ok(folders)
    }
}

/// The index in `folder`; none, with a log line, if it cannot be used.
fn whole(folder: &Path) -> Option<Volume> {
    let opened = Volume::open(folder);
    match &opened {
        Ok(Some(_)) => {}
        Ok(None) => {
            tracing::warn!(folder = %folder.display(), "a search index is unfinished, damaged or of another format")
        }
        Err(error) => {
            tracing::warn!(folder = %folder.display(), %error, "a search index cannot be opened")
        }
    }
    opened.ok().flatten()
}

/// Deletes an index folder. If that fails, it is deleted at the next start.
pub fn delete(folder: &Path) {
    if let Err(error) = fs::remove_dir_all(folder) {
        tracing::warn!(folder = %folder.display(), %error, "an old search index could not be deleted");
    }
}
