//! Settings being read: every value with its origin, so that errors can name it.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use toml::{Table, Value};

use super::SettingsError;

/// Environment variables with common names for settings.
const USUAL_NAMES: [(&str, &str); 4] = [
    ("DATABASE_URL", "database.url"),
    ("PG_BIN_DIR", "database.bin_dir"),
    ("MEILISEARCH_URL", "search.meilisearch_url"),
    ("MEILISEARCH_KEY", "search.meilisearch_key"),
];

/// A value and its origin.
struct Entry {
    value: Value,
    origin: String,
    read: bool,
    /// Whether it was emptied by an environment variable: then it is absent, if the setting is optional.
    emptied: bool,
}

/// The merged values, by `section.key`.
pub(super) struct Draft {
    entries: BTreeMap<String, Entry>,
}

impl Draft {
    /// The defaults; they also define the existing settings and their types.
    pub(super) fn of_defaults(text: &str) -> Result<Self, SettingsError> {
        let origin = "jangbu.default.toml";
        let entries = leaves(parse(text, origin)?)
            .map(|(key, value)| {
                let entry = Entry {
                    value,
                    origin: origin.to_owned(),
                    read: false,
                    emptied: false,
                };
                (key, entry)
            })
            .collect();
        Ok(Self { entries })
    }

    /// Overrides the values with a settings file.
    pub(super) fn lay_file(&mut self, file: &Path) -> Result<(), SettingsError> {
        let origin = file.display().to_string();
        let text = std::fs::read_to_string(file).map_err(|error| SettingsError::Unreadable {
            file: origin.clone(),
            why: error.to_string(),
        })?;
        leaves(parse(&text, &origin)?).try_for_each(|(key, value)| self.lay(key, value, &origin))
    }

    /// Overrides the values with the environment. An empty `JANGBU_` variable clears an optional setting; any other empty variable is
    /// ignored.
    pub(super) fn lay_environment(
        &mut self,
        environment: &[(String, String)],
    ) -> Result<(), SettingsError> {
        for (name, text) in environment {
            if text.is_empty() {
                self.empty(name);
            } else if let Some(key) = self.key_of_variable(name)? {
                let value = match self.entries.get(&key).map(|entry| &entry.value) {
                    Some(Value::Integer(_)) => text.parse().map(Value::Integer).ok(),
                    Some(Value::Boolean(_)) => text.parse().map(Value::Boolean).ok(),
                    _ => None,
                };
                let value = value.unwrap_or_else(|| Value::String(text.clone()));
                self.lay(key, value, &format!("environment variable {name}"))?;
            }
        }
        Ok(())
    }

    fn empty(&mut self, name: &str) {
        let is_ours = name.starts_with("JANGBU_");
        if let Ok(Some(key)) = self.key_of_variable(name)
            && is_ours
            && let Some(entry) = self.entries.get_mut(&key)
        {
            entry.emptied = true;
        }
    }

    /// The setting of a variable. A misspelt key in a known section is an error.
    fn key_of_variable(&self, name: &str) -> Result<Option<String>, SettingsError> {
        if let Some((_, key)) = USUAL_NAMES.iter().find(|(usual, _)| *usual == name) {
            return Ok(Some((*key).to_owned()));
        }
        let Some((section, key)) = name
            .strip_prefix("JANGBU_")
            .and_then(|rest| rest.split_once('_'))
        else {
            return Ok(None);
        };
        let (section, key) = (section.to_lowercase(), key.to_lowercase());
        let ours = self
            .entries
            .keys()
            .any(|known| known.split('.').next() == Some(section.as_str()));
        let key = format!("{section}.{key}");
        match (ours, self.entries.contains_key(&key)) {
            (false, _) => Ok(None),
            (true, true) => Ok(Some(key)),
            (true, false) => Err(SettingsError::Unknown {
                origin: format!("environment variable {name}"),
                key,
            }),
        }
    }

    fn lay(&mut self, key: String, value: Value, origin: &str) -> Result<(), SettingsError> {
        let Some(entry) = self.entries.get_mut(&key) else {
            return Err(SettingsError::Unknown {
                origin: origin.to_owned(),
                key,
            });
        };
        if entry.value.type_str() != value.type_str() {
            return Err(SettingsError::Bad {
                origin: origin.to_owned(),
                key,
                why: format!("must be {}, not {value}", kind(&entry.value)),
            });
        }
        entry.value = value;
        entry.origin = origin.to_owned();
        Ok(())
    }

    /// An error about a setting, with its origin.
    pub(super) fn bad(&self, key: &str, why: &str) -> SettingsError {
        let origin = self.entries.get(key).map(|entry| entry.origin.clone());
        SettingsError::Bad {
            origin: origin.unwrap_or_else(|| "jangbu.default.toml".to_owned()),
            key: key.to_owned(),
            why: why.to_owned(),
        }
    }

    /// Fails if a setting exists but is not read.
    pub(super) fn finish(&self) -> Result<(), SettingsError> {
        match self.entries.iter().find(|(_, entry)| !entry.read) {
            Some((key, _)) => Err(self.bad(key, "is explained but nothing reads it")),
            None => Ok(()),
        }
    }

    fn value(&mut self, key: &str) -> Result<Value, SettingsError> {
        match self.entries.get_mut(key) {
            Some(entry) => {
                entry.read = true;
                Ok(entry.value.clone())
            }
            None => Err(self.bad(key, "is read but not explained")),
        }
    }

    fn string(&mut self, key: &str) -> Result<Option<String>, SettingsError> {
        match self.value(key)? {
            Value::String(text) => Ok((!text.is_empty()).then_some(text)),
            _ => Err(self.bad(key, "must be a string")),
        }
    }

    /// An optional text; `None` if it is empty.
    pub(super) fn optional(&mut self, key: &str) -> Result<Option<String>, SettingsError> {
        let text = self.string(key)?;
        let is_emptied = self.entries.get(key).is_some_and(|entry| entry.emptied);
        Ok(text.filter(|_| !is_emptied))
    }

    /// A required text.
    pub(super) fn text(&mut self, key: &str) -> Result<String, SettingsError> {
        self.string(key)?
            .ok_or_else(|| self.bad(key, "must not be empty"))
    }

    /// A path.
    pub(super) fn path(&mut self, key: &str) -> Result<PathBuf, SettingsError> {
        self.text(key).map(PathBuf::from)
    }

    /// A text that is parsed as a type.
    pub(super) fn parsed<T: FromStr>(&mut self, key: &str, like: &str) -> Result<T, SettingsError> {
        let text = self.text(key)?;
        text.parse()
            .map_err(|_| self.bad(key, &format!("must be {like}, not \"{text}\"")))
    }

    /// An optional listen address.
    pub(super) fn optional_address(
        &mut self,
        key: &str,
    ) -> Result<Option<SocketAddr>, SettingsError> {
        match self.optional(key)? {
            None => Ok(None),
            Some(text) => text.parse().map(Some).map_err(|_| {
                self.bad(
                    key,
                    &format!("must be an address like 127.0.0.1:4090 or empty, not \"{text}\""),
                )
            }),
        }
    }

    /// An optional URL, without a trailing slash.
    pub(super) fn optional_url(&mut self, key: &str) -> Result<Option<String>, SettingsError> {
        let Some(text) = self.optional(key)? else {
            return Ok(None);
        };
        let rest = text
            .strip_prefix("http://")
            .or_else(|| text.strip_prefix("https://"));
        match rest {
            Some(rest) if !rest.is_empty() && !rest.contains(char::is_whitespace) => {
                Ok(Some(text.trim_end_matches('/').to_owned()))
            }
            _ => Err(self.bad(key, &format!("must be a web address, not \"{text}\""))),
        }
    }

    /// A URL.
    pub(super) fn url(&mut self, key: &str) -> Result<String, SettingsError> {
        self.optional_url(key)?
            .ok_or_else(|| self.bad(key, "must not be empty"))
    }

    /// A whole number within bounds.
    pub(super) fn number<T: TryFrom<i64>>(
        &mut self,
        key: &str,
        bounds: RangeInclusive<i64>,
    ) -> Result<T, SettingsError> {
        let number = match self.value(key)? {
            Value::Integer(number) if bounds.contains(&number) => T::try_from(number).ok(),
            _ => None,
        };
        let (least, most) = bounds.into_inner();
        number.ok_or_else(|| {
            self.bad(
                key,
                &format!("must be a whole number from {least} to {most}"),
            )
        })
    }

    /// true or false.
    pub(super) fn truth(&mut self, key: &str) -> Result<bool, SettingsError> {
        match self.value(key)? {
            Value::Boolean(truth) => Ok(truth),
            _ => Err(self.bad(key, "must be true or false")),
        }
    }

    /// An optional key of 32 bytes in base64.
    pub(super) fn optional_key(&mut self, key: &str) -> Result<Option<[u8; 32]>, SettingsError> {
        let Some(text) = self.optional(key)? else {
            return Ok(None);
        };
        key_of_base64(&text)
            .map(Some)
            .ok_or_else(|| self.bad(key, "must be 32 bytes in base64"))
    }
}

/// Decodes 32 bytes from base64.
pub(super) fn key_of_base64(text: &str) -> Option<[u8; 32]> {
    STANDARD.decode(text.trim()).ok()?.try_into().ok()
}

/// Name of the type of a value, for error messages.
fn kind(value: &Value) -> &'static str {
    match value {
        Value::Integer(_) => "a whole number",
        Value::Boolean(_) => "true or false",
        _ => "a text in quotes",
    }
}

fn parse(text: &str, file: &str) -> Result<Table, SettingsError> {
    text.parse()
        .map_err(|error: toml::de::Error| SettingsError::Syntax {
            file: file.to_owned(),
            why: error.to_string(),
        })
}

/// `section.key` and value of all settings in a file; a key outside a section keeps its bare name.
fn leaves(table: Table) -> impl Iterator<Item = (String, Value)> {
    table.into_iter().flat_map(|(section, value)| match value {
        Value::Table(keys) => keys
            .into_iter()
            .map(|(key, value)| (format!("{section}.{key}"), value))
            .collect::<Vec<_>>(),
        other => vec![(section, other)],
    })
}
