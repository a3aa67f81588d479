//! The outcome of a command.

use event_store::StoredCommand;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::error::AppResult;

/// Outcome of a command.
#[derive(Clone, Debug)]
pub struct CommandOutcome {
    /// Position of its last event; `None` if nothing was appended.
    pub position: Option<i64>,
    /// Whether an earlier execution's result is returned.
    pub replayed: bool,
    result: Value,
}

impl CommandOutcome {
    pub(super) fn of(position: i64, result: Value, replayed: bool) -> Self {
        Self {
            position: (position > 0).then_some(position),
            replayed,
            result,
        }
    }

    pub(super) fn again(stored: StoredCommand) -> Self {
        Self::of(stored.last_position, stored.result, true)
    }

    /// Deserialises the value of [`super::AppendBatch::with_result`].
    ///
    /// # Errors
    /// The stored value has another type.
    pub fn result<T: DeserializeOwned>(&self) -> AppResult<T> {
        Ok(serde_json::from_value(self.result.clone())?)
    }
}
