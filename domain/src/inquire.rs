//! Inquiries: questions of shoppers about a product, with answers of the seller or staff.
//!
//! The question is personal data of the member: it is sealed with the member's key, so a secret question stays secret in the log,
//! too, and becomes unreadable when the account is closed. The answer belongs to the shop.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::forms::SUBJECT;
use crate::ids::{MemberId, ProductId};
use crate::member_record::{AnswerState, MemberRecord};
use crate::personal::Sealed;
use crate::record::Resource;
use crate::resource_names;
use crate::validation::{FieldError, RecordErrors};

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

impl MemberRecord for Inquire {
    fn author(&self) -> Option<MemberId> {
        Some(self.user)
    }

    fn is_changeable(&self) -> bool {
        self.state == AnswerState::AnswerAwaiting
    }
}

impl Resource for Inquire {
    resource_names!("inquire", "Inquire", "상품 문의");
    type Data = Self;

    fn validate(data: &Self) -> Result<(), Vec<FieldError>> {
        let mut errors = RecordErrors::default();
        errors.reply(&data.reply);
        errors.state_of_reply(data.state, &data.reply);
        errors.finish()
    }
}
