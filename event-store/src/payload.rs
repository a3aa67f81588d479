//! Payload of an event as stored text, deserialised on demand.

use serde::Deserialize;
use serde_json::Value;

/// The JSON of an event. Deserialised only by readers that need it, into the type they need.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Payload(Box<str>);

impl Payload {
    /// The text as stored by Postgres, which is valid JSON.
    pub(crate) fn stored(text: String) -> Self {
        Self(text.into_boxed_str())
    }

    /// Deserialises an `E`: an event, or the parts of one that are needed.
    ///
    /// # Errors
    /// The payload is not an `E`.
    pub fn read<'a, E: Deserialize<'a>>(&'a self) -> Result<E, serde_json::Error> {
        serde_json::from_str(&self.0)
    }

    /// Deserialises any JSON.
    ///
    /// # Errors
    /// JSON that no string or number here can represent: half a surrogate pair, `1e999`.
    pub fn value(&self) -> Result<Value, serde_json::Error> {
        self.read()
    }

    /// The JSON text.
    pub fn text(&self) -> &str {
        &self.0
    }
}

impl From<Value> for Payload {
    fn from(value: Value) -> Self {
        Self::stored(value.to_string())
    }
}
