//! Inquires: what shoppers ask about a product, and what the seller or staff answer.
//!
//! The question is the asker's own: it is sealed with their key, so a secret one stays secret in the log, too, and goes with
//! them when they leave. The answer is the shop's.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::forms::SUBJECT;
use crate::ids::{MemberId, ProductId};
use crate::personal::Sealed;
use crate::record::{FieldError, Resource};
use crate::resource_names;
use crate::validation::RecordErrors;

/// Whether an inquiry was answered (spec section 4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum AnswerState {
    /// Not yet.
    #[default]
    AnswerAwaiting,
    /// It was.
    AnswerComplete,
}

impl AnswerState {
    /// The state of what has this answer.
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

/// What is asked; always carried as `Sealed<Question>`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// In a line (spec V139).
    pub subject: String,
    /// In full (spec V140).
    pub content: String,
}

crate::personal::seal_label!(Question = "Question");

impl Question {
    /// Passes if it can be asked like this.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub fn validate(&self) -> Result<(), Vec<FieldError>> {
        let mut complaints = RecordErrors::default();
        complaints.words(
            (&self.subject, SUBJECT.message),
            (&self.content, "문의 내용을 두 글자 이상 입력해 주세요."),
        );
        complaints.finish()
    }
}

/// An inquiry about a product (kind `inquire`, as the specification spells it).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Inquire {
    /// Who asks.
    #[serde(rename = "_user")]
    pub user: MemberId,
    /// Who sells it.
    #[serde(rename = "_seller")]
    pub seller: MemberId,
    /// What it is about.
    #[serde(rename = "_product")]
    pub product: ProductId,
    /// The product's name when it was asked.
    pub name: String,
    /// What is asked.
    #[schema(ignore)]
    pub question: Sealed<Question>,
    /// Only the asker, the seller and staff may read it.
    #[serde(default)]
    pub secret: bool,
    /// What was answered; empty: nothing yet.
    #[serde(default)]
    pub reply: String,
    /// Whether it was answered: whether `reply` says something.
    #[serde(default)]
    pub state: AnswerState,
}

impl Inquire {
    /// Whether a reader may see what is in it: anybody, unless it is secret; then who asked and who sells.
    pub fn readable_by(&self, reader: Option<MemberId>) -> bool {
        !self.secret || reader.is_some_and(|who| who == self.user || who == self.seller)
    }
}

impl Resource for Inquire {
    resource_names!("inquire", "Inquire");
    type Data = Self;

    fn validate(data: &Self) -> Result<(), Vec<FieldError>> {
        let mut complaints = RecordErrors::default();
        complaints.answer(&data.reply);
        complaints.require(
            data.state == AnswerState::of(&data.reply),
            "state",
            "differs",
            "답변을 입력해야 답변 완료로 바뀝니다.",
        );
        complaints.finish()
    }
}
