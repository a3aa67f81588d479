//! Questions of members to the shop, which only their author and staff read.
//!
//! Question and answer are personal data of the member: both are sealed with the member's key from the first event, and become unreadable
//! when the account is closed.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::Topic;
use crate::ids::MemberId;
use crate::inquire::Question;
use crate::member_record::{AnswerState, MemberRecord, SealedAnswer};
use crate::personal::Sealed;
use crate::record::Resource;
use crate::resource_names;
use crate::validation::{FieldError, RecordErrors};

/// Maximum number of files of a question.
pub const QUESTION_FILES_MOST: usize = 5;

/// A question of a member to the shop (kind `question`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CenterQuestion {
    /// Its author.
    #[serde(rename = "_user")]
    pub user: MemberId,
    /// What it is about.
    pub category: Topic,
    /// The question, sealed with its author's key.
    #[schema(ignore)]
    pub question: Sealed<Question>,
    /// Private files of its author.
    #[serde(default)]
    #[schema(ignore)]
    pub file_ids: Vec<Uuid>,
    /// The answer.
    #[serde(flatten)]
    pub answered: SealedAnswer,
}

impl MemberRecord for CenterQuestion {
    fn author(&self) -> Option<MemberId> {
        Some(self.user)
    }

    fn is_changeable(&self) -> bool {
        self.answered.state == AnswerState::AnswerAwaiting
    }
}

impl Resource for CenterQuestion {
    resource_names!("question", "Question", "1:1 문의");
    type Data = Self;

    fn validate(data: &Self) -> Result<(), Vec<FieldError>> {
        let mut errors = RecordErrors::default();
        errors.no_more_than("files", data.file_ids.len(), QUESTION_FILES_MOST);
        errors.answered(&data.answered);
        errors.finish()
    }
}
