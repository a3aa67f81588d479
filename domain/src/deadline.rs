//! A deadline the shop was refused to settle by itself, and that somebody had tried again.
//!
//! When something is due follows from other ledgers, and what came of it is in theirs. Here is only what somebody decided: that a
//! refused one is asked once more. Its stream is called `kind:id`, as the deadline is.

use serde::{Deserialize, Serialize};
use time::OffsetDateTime;

use crate::decider;
use crate::domain_event;
use crate::event::{Context, Decider};

/// What was refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Refusal {
    /// What was due, e.g. `confirm-purchase`.
    pub kind: String,
    /// The order, purchaseNo, payment, refund or member.
    pub id: String,
    /// Id of the stream that was asked.
    pub stream: String,
    /// Position of the event that set the deadline.
    pub set_by: i64,
    /// The refusal's code.
    pub code: String,
    /// Its words.
    pub message: String,
    /// When it was refused.
    #[serde(with = "time::serde::rfc3339")]
    pub refused_at: OffsetDateTime,
}

/// What happened to a refused deadline.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all_fields = "camelCase")]
pub enum DeadlineEvent {
    /// Somebody had it tried again.
    DeadlineRetried(Refusal),
}

domain_event!(DeadlineEvent {
    DeadlineRetried "1.0" "거절된 자동 처리를 다시 시도했습니다",
});

/// A deadline as far as somebody decided about it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Deadline {
    /// The newest refusal it was tried again after.
    pub retried: Option<Refusal>,
}

/// What can be asked of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeadlineCommand {
    /// Try it again after this refusal.
    Retry(Refusal),
}

/// Why it refuses.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DeadlineError {
    /// Somebody had it tried again after this refusal.
    #[error("the deadline is tried again already")]
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

/// Its stream.
pub fn stream_id(kind: &str, id: &str) -> String {
    format!("{kind}:{id}")
}

impl Decider for Deadline {
    type Input = DeadlineCommand;

    fn decide(
        &self,
        act: DeadlineCommand,
        _context: &Context,
    ) -> Result<Vec<DeadlineEvent>, DeadlineError> {
        let DeadlineCommand::Retry(refusal) = act;
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
    /// What `event` makes of it.
    pub fn evolve(&mut self, event: DeadlineEvent) {
        let DeadlineEvent::DeadlineRetried(refusal) = event;
        self.retried = Some(refusal);
    }
}
