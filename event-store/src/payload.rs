//! What an event says, as the text it is stored as.

use serde::Deserialize;
use serde_json::Value;

/// The JSON of an event. Whoever needs it reads it as what they know; whoever only passes events on pays for nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Payload(Box<str>);

impl Payload {
    /// The text as Postgres keeps it, which is valid JSON.
    pub(crate) fn stored(text: String) -> Self {
        Self(text.into_boxed_str())
    }

    /// Read as an `E`: an event, or the part of one somebody looks for.
    ///
    /// # Errors
    /// It says something else.
    pub fn read<'a, E: Deserialize<'a>>(&'a self) -> Result<E, serde_json::Error> {
        serde_json::from_str(&self.0)
    }

    /// Whatever it says.
    ///
    /// # Errors
    /// What JSON may say and no text or number here can hold: half a surrogate pair, `1e999`.
    pub fn value(&self) -> Result<Value, serde_json::Error> {
        self.read()
    }

    /// The text itself.
    pub fn text(&self) -> &str {
        &self.0
    }
}

impl From<Value> for Payload {
    fn from(value: Value) -> Self {
        Self::stored(value.to_string())
    }
}
