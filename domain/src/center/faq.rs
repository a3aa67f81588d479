//! Frequently asked questions.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::record::Resource;
use crate::resource_names;
use crate::storefront::{LINE_MOST, PAGE_MOST};
use crate::validation::{FieldError, RecordErrors};

/// What a question of the customer centre is about.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Topic {
    /// Orders and payment.
    Order,
    /// Parcels.
    Delivery,
    /// Cancellations, returns and exchanges.
    Claim,
    /// Coupons and points.
    Benefit,
    /// Accounts.
    Member,
    /// Anything else.
    #[default]
    Other,
}

/// A frequently asked question with its answer (kind `faq`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Faq {
    /// What it is about.
    #[serde(default)]
    pub category: Topic,
    /// The question.
    pub name: String,
    /// The answer, as HTML.
    pub reply: String,
    /// Order within the list, highest first.
    #[serde(default)]
    pub index: i32,
    /// Whether the shop shows it.
    #[serde(default)]
    pub shows: bool,
}

impl Resource for Faq {
    resource_names!("faq", "Faq", "자주 묻는 질문");
    type Data = Self;

    fn validate(data: &Self) -> Result<(), Vec<FieldError>> {
        let mut errors = RecordErrors::default();
        errors.name("name", &data.name, "질문을 두 글자 이상 입력해 주세요.");
        errors.at_most("name", &data.name, LINE_MOST);
        errors.present("reply", &data.reply, "답변을 입력해 주세요.");
        errors.at_most("reply", &data.reply, PAGE_MOST);
        errors.finish()
    }
}
