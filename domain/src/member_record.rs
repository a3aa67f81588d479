//! Records that members and guests write: reviews, questions, inquiries and contacts.
//!
//! They share an author, the answer of the shop, until when they may be changed, and what removing does.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use utoipa::ToSchema;

use crate::forms::{CONTENT, SUBJECT};
use crate::ids::MemberId;
use crate::personal::Sealed;
use crate::record::Resource;
use crate::validation::RecordErrors;

/// Maximum length of a text or a reply.
const TEXT_MOST: usize = 2_000;

/// A kind of record that members write.
pub trait MemberRecord: Resource<Data = Self> + Serialize + DeserializeOwned {
    /// Whether removing destroys its key, so that it cannot be restored.
    const ERASED_WHEN_REMOVED: bool = false;

    /// Its author; none for a guest.
    fn author(&self) -> Option<MemberId>;

    /// Whether its author may change it: as a rule until it is answered.
    fn is_changeable(&self) -> bool;
}

/// Whether a record was answered (spec section 4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum AnswerState {
    /// Not answered yet.
    #[default]
    AnswerAwaiting,
    /// Answered.
    AnswerComplete,
}

impl AnswerState {
    /// The state that follows from a reply text.
    pub fn of(reply: &str) -> Self {
        if reply.trim().is_empty() {
            Self::AnswerAwaiting
        } else {
            Self::AnswerComplete
        }
    }

    /// As stored.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::AnswerAwaiting => "ANSWER_AWAITING",
            Self::AnswerComplete => "ANSWER_COMPLETE",
        }
    }
}

/// The answer of the shop to a record whose text is sealed; fields of the record on the wire and in the log.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SealedAnswer {
    /// The answer, sealed with the key of the record's text; none while there is none.
    #[serde(default)]
    #[schema(ignore)]
    pub answer: Option<Sealed<String>>,
    /// Whether it was answered; follows from `answer`.
    #[serde(default)]
    pub state: AnswerState,
    /// When the answer that stands was given.
    #[serde(default, with = "time::serde::rfc3339::option")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub replied_at: Option<OffsetDateTime>,
}

/// Checks of records that members write.
impl RecordErrors {
    /// A subject and a text within their length limits (spec V139, V140), each with its form's prompt for text that is too short.
    pub(crate) fn words(&mut self, subject: (&str, &str), content: (&str, &str)) {
        self.require(SUBJECT.holds(subject.0), "subject", SUBJECT.code, subject.1);
        self.require(CONTENT.holds(content.0), "content", CONTENT.code, content.1);
        self.short_enough("content", content.0);
    }

    /// A reply that is not sealed.
    pub(crate) fn reply(&mut self, reply: &str) {
        self.short_enough("reply", reply);
    }

    /// Requires the state and the time of an answer to be those of one that is there, or is not.
    pub(crate) fn answered(&mut self, stored: &SealedAnswer) {
        let has_answer = stored.answer.is_some();
        self.answer_state(
            stored.state,
            has_answer && stored.replied_at.is_some(),
            !has_answer && stored.replied_at.is_none(),
        );
    }

    /// Requires the state to follow from the reply.
    pub(crate) fn state_of_reply(&mut self, state: AnswerState, reply: &str) {
        let is_answered = AnswerState::of(reply) == AnswerState::AnswerComplete;
        self.answer_state(state, is_answered, !is_answered);
    }

    fn answer_state(&mut self, state: AnswerState, is_answered: bool, is_open: bool) {
        let follows = match state {
            AnswerState::AnswerComplete => is_answered,
            AnswerState::AnswerAwaiting => is_open,
        };
        self.require(
            follows,
            "state",
            "differs",
            "답변을 입력해야 답변 완료로 바뀝니다.",
        );
    }

    fn short_enough(&mut self, field: &str, text: &str) {
        self.require(
            text.chars().count() <= TEXT_MOST,
            field,
            "too_long",
            "2,000자 이내로 입력해 주세요.",
        );
    }
}
