//! The identity of a command across retries, and what is kept of its execution.

use serde_json::Value;
use time::OffsetDateTime;

/// Identifies a command across retries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandKey {
    /// Scope of the key: actor and route, or the policy's name.
    pub scope: String,
    /// The `Idempotency-Key`, or the id of the event a policy reacts to.
    pub key: String,
    /// Hash of the request body: the same key with another body is rejected.
    pub body_hash: [u8; 32],
    /// Time from which the key may be deleted; `None` (policies) for never.
    pub expires_at: Option<OffsetDateTime>,
}

/// The stored result of an earlier execution of a command.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredCommand {
    /// Position of the first event; 0 without events.
    pub first_position: i64,
    /// Position of the last event; 0 without events.
    pub last_position: i64,
    /// The value of [`crate::Append::command_result`]; `Null` if there was none.
    pub result: Value,
}
