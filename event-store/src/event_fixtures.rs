//! Stored samples of events: one per type and version, kept for ever.
//!
//! What was written once has to be readable always. A folder holds one JSON file per type and version,
//! `<Type>.<version>.json` (`OrderPlaced.1.0.json`), each being the event's payload exactly as it is stored. The
//! check fails when a sample is missing, when one no longer decodes (an upcaster is missing), or when it decodes to
//! something else than it says (a field was renamed or got lost).

use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::error::StoreError;
use crate::upcast::{UpcastRule, Upcasters};

/// What is wrong with a folder of samples.
#[derive(Debug, thiserror::Error)]
pub enum FixtureError {
    /// There is no sample of this type and version, or it cannot be read.
    #[error("{path}: {source}")]
    Missing {
        /// Where it should be.
        path: PathBuf,
        /// Why not.
        #[source]
        source: std::io::Error,
    },
    /// It is not JSON, or not such an event.
    #[error("{path} does not decode: {source}")]
    Decode {
        /// Which file.
        path: PathBuf,
        /// What serde found.
        #[source]
        source: serde_json::Error,
    },
    /// It decodes, but what was decoded reads differently: a field got lost, renamed or invented.
    #[error("{path} comes back as {back}")]
    Differs {
        /// Which file.
        path: PathBuf,
        /// How it was written again.
        back: Value,
    },
    /// A file of a type and version nobody knows and no upcaster reads.
    #[error("{path} is a sample of an event nobody knows")]
    Unknown {
        /// Which file.
        path: PathBuf,
    },
    /// The upcasters failed on it.
    #[error("{path}: {source}")]
    Upcast {
        /// Which file.
        path: PathBuf,
        /// Why.
        #[source]
        source: StoreError,
    },
}

/// Checks the samples of one event enum; `names` is its `EventNames::NAMES`.
///
/// Every name needs a sample that decodes to an event and encodes to the same JSON again. Further files in the
/// folder are older versions: they have to become events of `names` through `upcasters`.
///
/// # Errors
/// The first sample that is wrong.
pub fn check<E: Serialize + DeserializeOwned>(
    names: &[(&str, &str)],
    folder: &Path,
    upcasters: &Upcasters,
) -> Result<(), FixtureError> {
    for (event_type, version) in names {
        let path = folder.join(format!("{event_type}.{version}.json"));
        let sample = read(&path)?;
        same::<E>(&path, sample)?;
    }
    for (path, event_type, version) in files(folder)? {
        if names.contains(&(event_type.as_str(), version.as_str())) {
            continue;
        }
        let stored = UpcastRule::new(event_type, version, read(&path)?);
        let newest = upcasters
            .apply(stored)
            .map_err(|source| FixtureError::Upcast {
                path: path.clone(),
                source,
            })?;
        for event in newest {
            let known = (event.event_type.as_str(), event.event_version.as_str());
            if !names.contains(&known) {
                return Err(FixtureError::Unknown { path });
            }
            decode::<E>(&path, event.payload)?;
        }
    }
    Ok(())
}

fn same<E: Serialize + DeserializeOwned>(path: &Path, sample: Value) -> Result<(), FixtureError> {
    let event = decode::<E>(path, sample.clone())?;
    let back = serde_json::to_value(event).map_err(|source| FixtureError::Decode {
        path: path.to_owned(),
        source,
    })?;
    if back == sample {
        Ok(())
    } else {
        let path = path.to_owned();
        Err(FixtureError::Differs { path, back })
    }
}

fn decode<E: DeserializeOwned>(path: &Path, payload: Value) -> Result<E, FixtureError> {
    serde_json::from_value(payload).map_err(|source| FixtureError::Decode {
        path: path.to_owned(),
        source,
    })
}

fn read(path: &Path) -> Result<Value, FixtureError> {
    let text = std::fs::read_to_string(path).map_err(|source| FixtureError::Missing {
        path: path.to_owned(),
        source,
    })?;
    serde_json::from_str(&text).map_err(|source| FixtureError::Decode {
        path: path.to_owned(),
        source,
    })
}

/// The samples of a folder with their type and version.
fn files(folder: &Path) -> Result<Vec<(PathBuf, String, String)>, FixtureError> {
    let missing = |source| FixtureError::Missing {
        path: folder.to_owned(),
        source,
    };
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(missing)? {
        let path = entry.map_err(missing)?.path();
        let name = path.file_name().and_then(|name| name.to_str());
        let Some(name) = name.and_then(|name| name.strip_suffix(".json")) else {
            continue;
        };
        match name.split_once('.') {
            Some((event_type, version)) => {
                let (event_type, version) = (event_type.to_owned(), version.to_owned());
                files.push((path, event_type, version));
            }
            None => return Err(FixtureError::Unknown { path }),
        }
    }
    files.sort();
    Ok(files)
}
