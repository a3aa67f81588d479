//! Inquiries: questions of shoppers about a product, with answers of the seller or staff.
//!
//! The question is personal data of the member: it is sealed with the member's key, so a secret question stays secret in the log,
//! too, and becomes unreadable when the account is closed. The answer belongs to the shop.

use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use utoipa::ToSchema;

use crate::forms::SUBJECT;
use crate::ids::{MemberId, ProductId};
use crate::personal::Sealed;
use crate::record::Resource;
use crate::resource_names;
use crate::validation::{FieldError, RecordErrors};

/// Whether an inquiry was answered (spec section 4).
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

impl RecordErrors {
    /// Requires the state and the time of a sealed answer to be those of one that is there, or is not.
    pub(crate) fn answered(
        &mut self,
        state: AnswerState,
        has_answer: bool,
        replied_at: Option<OffsetDateTime>,
    ) {
        let is_answered = state == AnswerState::AnswerComplete;
        self.require(
            has_answer == is_answered && replied_at.is_some() == is_answered,
            "state",
            "differs",
            "답변을 입력해야 답변 완료로 바뀝니다.",
        );
    }
}

/// Text of a question; always stored as `Sealed<Question>`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// Subject line (spec V139).
    pub subject: String,
    /// Full text (spec V140).
    pub content: String,
}

crate::personal::seal_label!(Question = "Question");

impl Question {
    /// Checks the question.
    ///
    /// # Errors
    /// All field errors.
    pub fn validate(&self) -> Result<(), Vec<FieldError>> {
        let mut errors = RecordErrors::default();
        errors.words(
            (&self.subject, SUBJECT.message),
            (&self.content, "문의 내용을 두 글자 이상 입력해 주세요."),
        );
        errors.finish()
    }
}

/// An inquiry about a product (kind `inquire`, as the specification spells it).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Inquire {
    /// The requesting member.
    #[serde(rename = "_user")]
    pub user: MemberId,
    /// The seller of the product.
    #[serde(rename = "_seller")]
    pub seller: MemberId,
    /// The product.
    #[serde(rename = "_product")]
    pub product: ProductId,
    /// The product's name at the time of the question.
    pub name: String,
    /// The question.
    #[schema(ignore)]
    pub question: Sealed<Question>,
    /// Whether only the member, the seller and staff may read it.
    #[serde(default)]
    pub secret: bool,
    /// The answer; empty while there is none.
    #[serde(default)]
    pub reply: String,
    /// Whether it was answered; follows from `reply`.
    #[serde(default)]
    pub state: AnswerState,
}

impl Inquire {
    /// Whether a reader may read it: all readers, or only its author and the seller if it is secret.
    pub fn readable_by(&self, reader: Option<MemberId>) -> bool {
        !self.secret || reader.is_some_and(|who| who == self.user || who == self.seller)
    }
}

impl Resource for Inquire {
    resource_names!("inquire", "Inquire", "상품 문의");
    type Data = Self;

    fn validate(data: &Self) -> Result<(), Vec<FieldError>> {
        let mut errors = RecordErrors::default();
        errors.answer(&data.reply);
        errors.require(
            data.state == AnswerState::of(&data.reply),
            "state",
            "differs",
            "답변을 입력해야 답변 완료로 바뀝니다.",
        );
        errors.finish()
    }
}
