//! The shop's own keys: configured by the owner, or generated once and stored in the data folder.

use std::fmt;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use embedded_postgres::private_file;
use event_store::MasterKey;
use rand::TryRng;
use rand::rngs::SysRng;
use serde::{Deserialize, Serialize};

use super::SettingsError;
use super::draft::key_of_base64;

/// The file of generated keys in the data folder.
const FILE: &str = "secrets.toml";
/// The file of the new keys, while the master key is changed.
const NEXT_FILE: &str = "secrets.next.toml";

/// The keys a shop needs. Never printed.
#[derive(Clone, PartialEq, Eq)]
pub struct Keys {
    /// Wraps the keys that encrypt personal data. Without it, all of that data is lost.
    pub master_key: [u8; 32],
    /// Signs sign-in tokens.
    pub token_key: [u8; 32],
    /// Signs the chain over the log. Access to it and to the database allows rewriting the log.
    pub chain_key: [u8; 32],
}

/// Keys from the settings.
#[derive(Clone, Copy, Default)]
pub(super) struct ConfiguredKeys {
    pub master_key: Option<[u8; 32]>,
    pub token_key: Option<[u8; 32]>,
    pub chain_key: Option<[u8; 32]>,
}

impl fmt::Debug for Keys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Keys(..)")
    }
}

/// Content of the key file.
#[derive(Serialize, Deserialize)]
struct KeyFile {
    master_key: String,
    token_key: String,
    /// Missing in files from before the chain was introduced.
    chain_key: Option<String>,
}

impl Keys {
    /// The same keys with another master key. The key of the chain stays, even if it was derived from the old master key.
    #[must_use]
    pub fn with_master(&self, master_key: [u8; 32]) -> Self {
        Self {
            master_key,
            ..self.clone()
        }
    }

    /// The file of generated keys in a data folder, and the file of the new keys while the master key is changed.
    pub fn files(data_folder: &Path) -> (PathBuf, PathBuf) {
        (data_folder.join(FILE), data_folder.join(NEXT_FILE))
    }

    /// Reads keys from a file.
    ///
    /// # Errors
    /// I/O errors; the file is not a key file.
    pub fn read(file: &Path) -> io::Result<Self> {
        let unusable = |why: &str| io::Error::new(ErrorKind::InvalidData, why.to_owned());
        let stored: KeyFile = toml::from_str(&fs::read_to_string(file)?)
            .map_err(|_| unusable("is not a file of keys; restore it from a backup"))?;
        let key = |text: &str| {
            key_of_base64(text)
                .ok_or_else(|| unusable("holds a key that is not 32 bytes in base64"))
        };
        let master_key = key(&stored.master_key)?;
        Ok(Self {
            master_key,
            token_key: key(&stored.token_key)?,
            chain_key: match &stored.chain_key {
                Some(text) => key(text)?,
                None => chain_key(master_key),
            },
        })
    }

    /// The content of the key file.
    ///
    /// # Errors
    /// Never: keys are always text.
    pub fn to_text(&self) -> io::Result<String> {
        text(&KeyFile {
            master_key: STANDARD.encode(self.master_key),
            token_key: STANDARD.encode(self.token_key),
            chain_key: Some(STANDARD.encode(self.chain_key)),
        })
    }

    /// The configured keys, and generated ones for the rest.
    pub(super) fn of(given: ConfiguredKeys, data_folder: &Path) -> Result<Self, SettingsError> {
        if let (Some(master_key), Some(token_key)) = (given.master_key, given.token_key) {
            return Ok(Self {
                master_key,
                token_key,
                chain_key: given.chain_key.unwrap_or_else(|| chain_key(master_key)),
            });
        }
        let file = data_folder.join(FILE);
        let made = kept_or_made(&file).map_err(|error| SettingsError::Keys {
            file: file.display().to_string(),
            why: error.to_string(),
        })?;
        Ok(Self {
            master_key: given.master_key.unwrap_or(made.master_key),
            token_key: given.token_key.unwrap_or(made.token_key),
            chain_key: given.chain_key.unwrap_or(made.chain_key),
        })
    }
}

/// The default key of the chain, derived so that every machine of the shop has the same one.
fn chain_key(master_key: [u8; 32]) -> [u8; 32] {
    MasterKey::from_bytes(master_key).chain_secret()
}

/// Reads the file, or creates it: complete, private, on disk before it is used, and only once even if two processes start together.
fn kept_or_made(file: &Path) -> io::Result<Keys> {
    if !file.exists() {
        let stored = KeyFile {
            master_key: fresh_key()?,
            token_key: fresh_key()?,
            chain_key: Some(fresh_key()?),
        };
        private_file::make_once(file, &text(&stored)?)?;
    }
    Keys::read(file)
}

fn text(stored: &KeyFile) -> io::Result<String> {
    let text = toml::to_string(stored).map_err(io::Error::other)?;
    let introduction = "# Made by Jangbu. Back it up apart from the data: without master_key no personal data can be read again.\n";
    Ok(format!("{introduction}{text}"))
}

fn fresh_key() -> io::Result<String> {
    let mut bytes = [0_u8; 32];
    SysRng
        .try_fill_bytes(&mut bytes)
        .map_err(io::Error::other)?;
    Ok(STANDARD.encode(bytes))
}
