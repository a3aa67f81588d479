//! Manual retries of deadlines whose command was rejected.
//!
//! Due times follow from other aggregates, and outcomes are recorded in theirs. This aggregate only records the decision to run a
//! rejected deadline again. Its stream id is `kind:id`, the deadline's key.

use serde::{Deserialize, Serialize};
use time::OffsetDateTime;

use crate::decider;
use crate::domain_event;
use crate::event::{Context, Decider};

/// A rejected deadline command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Refusal {
    /// Kind of deadline, e.g. `confirm-purchase`.
    pub kind: String,
    /// Id of the order, purchase (its number), payment, refund or member.
    pub id: String,
    /// Id of the stream the command was for.
    pub stream: String,
    /// Position of the event that set the deadline.
    pub set_by: i64,
    /// Error code of the rejection.
    pub code: String,
    /// Message of the rejection.
    pub message: String,
    /// Time of the rejection.
    #[serde(with = "time::serde::rfc3339")]
    pub refused_at: OffsetDateTime,
}

/// Events of a retried deadline.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all_fields = "camelCase")]
pub enum DeadlineEvent {
    /// A retry was requested.
    DeadlineRetried(Refusal),
}

domain_event!(DeadlineEvent {
    DeadlineRetried "1.0" "거절된 자동 처리를 다시 시도했습니다",
});

/// Retry state of one deadline.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Deadline {
    /// The newest rejection that was retried.
    pub retried: Option<Refusal>,
}

/// Commands accepted by a deadline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeadlineCommand {
    /// Retry after this rejection.
    Retry(Refusal),
}

/// Reasons why a deadline rejects a command.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DeadlineError {
    /// A retry after this rejection was requested before.
    #[error("the deadline is being retried already")]
    RetriedAlready,
}

impl DeadlineError {
    /// Stable code for the wire.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::RetriedAlready => "retried_already",
        }
    }
}

decider!(
    Deadline,
    "deadline",
    DeadlineCommand,
    DeadlineEvent,
    DeadlineError
);

/// Id of its stream.
pub fn stream_id(kind: &str, id: &str) -> String {
    format!("{kind}:{id}")
}

impl Decider for Deadline {
    type Input = DeadlineCommand;

    fn decide(
        &self,
        command: DeadlineCommand,
        _context: &Context,
    ) -> Result<Vec<DeadlineEvent>, DeadlineError> {
        let DeadlineCommand::Retry(refusal) = command;
        let is_newer = self
            .retried
            .as_ref()
            .is_none_or(|retried| refusal.refused_at > retried.refused_at);
        if is_newer {
            Ok(vec![DeadlineEvent::DeadlineRetried(refusal)])
        } else {
            Err(DeadlineError::RetriedAlready)
        }
    }
}

impl Deadline {
    /// Applies `event` to the state.
    pub fn evolve(&mut self, event: DeadlineEvent) {
        let DeadlineEvent::DeadlineRetried(refusal) = event;
        self.retried = Some(refusal);
    }
}
