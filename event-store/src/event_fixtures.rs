//! Event fixtures: one stored sample per event type and version, kept forever.
//!
//! Every event ever written must stay readable. A folder holds one JSON file per type and version, `<Type>.<version>.json`
//! (`OrderPlaced.1.0.json`), with the payload exactly as stored. The check fails when a sample is missing, when one no longer
//! decodes (a missing upcaster), or when it does not survive a round trip (a field was renamed or lost).

use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::error::StoreError;
use crate::upcast::{UpcastEvent, Upcasters};

/// Defects of a folder of samples.
#[derive(Debug, thiserror::Error)]
pub enum FixtureError {
    /// The sample of a type and version is missing or unreadable.
    #[error("{path}: {source}")]
    Missing {
        /// Expected path.
        path: PathBuf,
        /// The I/O error.
        #[source]
        source: std::io::Error,
    },
    /// The sample is not JSON, or not such an event.
    #[error("{path} does not decode: {source}")]
    Decode {
        /// Path of the sample.
        path: PathBuf,
        /// The error of serde.
        #[source]
        source: serde_json::Error,
    },
    /// The sample changes in a round trip: a field was lost, renamed or added.
    #[error("{path} does not survive a round trip: {back}")]
    Differs {
        /// Path of the sample.
        path: PathBuf,
        /// The sample after decoding and encoding.
        back: Value,
    },
    /// The type and version of a sample is unknown and no upcaster reads it.
    #[error("{path} is a sample of an unknown event")]
    Unknown {
        /// Path of the sample.
        path: PathBuf,
    },
    /// The upcasters failed on a sample.
    #[error("{path}: {source}")]
    Upcast {
        /// Path of the sample.
        path: PathBuf,
        /// The error of the upcasters.
        #[source]
        source: StoreError,
    },
}

/// Checks the samples of one event enum; `names` is its `EventNames::NAMES`.
///
/// Every name needs a sample that survives a round trip. Further files in the folder are older versions: upcasters must convert
/// them to events of `names`.
///
/// # Errors
/// The first defect.
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
        let stored = UpcastEvent::new(event_type, version, read(&path)?);
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

/// The samples of a folder, with type and version.
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
