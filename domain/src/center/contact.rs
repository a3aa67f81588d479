//! Contacts: what guests and members write to the shop about cooperation, without an account being needed.
//!
//! Who wrote, how they are reached, what they wrote and the answer are sealed with a key of the contact itself. The key is destroyed when
//! the contact is removed (by staff, or when its legal period is over) and when its member closes the account.

use serde::{Deserialize, Serialize};
use time::{Duration, OffsetDateTime};
use utoipa::ToSchema;

use crate::forms::{
    COMPANY_NAME, CONTENT, EMAIL, FormErrors, NAME, PHONE, SUBJECT, TERMS_MESSAGE, Validate,
};
use crate::ids::MemberId;
use crate::member_record::{AnswerState, MemberRecord, SealedAnswer};
use crate::personal::Sealed;
use crate::record::Resource;
use crate::resource_names;
use crate::validation::{FieldError, RecordErrors};

/// Maximum length of the text of a contact.
pub const CONTACT_CONTENT_MOST: usize = 2_000;

/// How long a contact is kept: records of consumers' complaints for three years (e-commerce law, decree art. 6).
const KEPT: Duration = Duration::days(3 * 365 + 1);

/// Until when a contact made at this time is kept.
pub fn contact_kept_until(at: OffsetDateTime) -> OffsetDateTime {
    at + KEPT
}

/// What a contact is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ContactTopic {
    /// Cooperation and advertisement.
    Partnership,
    /// Selling in the shop.
    Selling,
    /// Buying in bulk.
    Bulk,
    /// Anything else.
    Other,
}

/// Who wrote a contact and what; always stored as `Sealed<ContactDetails>`.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ContactDetails {
    /// Name of the writer (spec V135).
    pub name: String,
    /// The writer's company; empty without one.
    pub company: String,
    /// Mail address that the answer is sent to; empty without one.
    pub email: String,
    /// Digits of the phone number; empty without one.
    pub phone: String,
    /// One-line summary (spec V139).
    pub subject: String,
    /// Full text (spec V140).
    pub content: String,
}

crate::personal::seal_label!(ContactDetails = "ContactDetails");

impl std::fmt::Debug for ContactDetails {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("ContactDetails(..)")
    }
}

/// What a contact form has: its details and the consent to keep them.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ContactForm {
    /// What it is about.
    pub category: ContactTopic,
    /// Who wrote it and what.
    #[serde(flatten)]
    pub details: ContactDetails,
    /// Consent to the collection of personal data.
    #[serde(default)]
    pub agreed: bool,
    /// Pass of `POST /api/plugins/recaptcha`, if the shop asks for one.
    #[serde(default)]
    pub recaptcha: String,
}

impl Validate for ContactForm {
    fn check(&self, errors: &mut FormErrors) {
        let ContactDetails {
            name,
            company,
            email,
            phone,
            subject,
            content,
        } = &self.details;
        let given = |text: &str| !text.trim().is_empty();
        errors
            .text("name", name, NAME)
            .text("subject", subject, SUBJECT)
            .text("content", content, CONTENT)
            .when(
                content.chars().count() <= CONTACT_CONTENT_MOST,
                "content",
                "too_long",
                "내용을 2,000자 이내로 입력해 주세요.",
            )
            .when(self.agreed, "agreed", "required", TERMS_MESSAGE)
            .when(
                given(email) || given(phone),
                "email",
                "required",
                "답변을 받을 이메일이나 휴대폰 번호를 입력해 주세요.",
            );
        if given(company) {
            errors.text("company", company, COMPANY_NAME);
        }
        if given(email) {
            errors.text("email", email.trim(), EMAIL);
        }
        if given(phone) {
            errors.text("phone", phone, PHONE);
        }
    }
}

/// A contact (kind `contact`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Contact {
    /// The member who wrote it; none for a guest.
    #[serde(rename = "_user", default)]
    pub user: Option<MemberId>,
    /// What it is about.
    pub category: ContactTopic,
    /// Who wrote it and what, sealed with the contact's own key.
    #[schema(ignore)]
    pub details: Sealed<ContactDetails>,
    /// The answer.
    #[serde(flatten)]
    pub answered: SealedAnswer,
}

impl MemberRecord for Contact {
    const ERASED_WHEN_REMOVED: bool = true;

    fn author(&self) -> Option<MemberId> {
        self.user
    }

    fn is_changeable(&self) -> bool {
        self.answered.state == AnswerState::AnswerAwaiting
    }
}

impl Resource for Contact {
    resource_names!("contact", "Contact", "제휴·문의");
    type Data = Self;

    fn validate(data: &Self) -> Result<(), Vec<FieldError>> {
        let mut errors = RecordErrors::default();
        errors.answered(&data.answered);
        errors.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(email: &str, phone: &str) -> ContactForm {
        ContactForm {
            category: ContactTopic::Selling,
            details: ContactDetails {
                name: "김입점".to_owned(),
                email: email.to_owned(),
                phone: phone.to_owned(),
                subject: "입점 문의".to_owned(),
                content: "입점하고 싶습니다.".to_owned(),
                ..ContactDetails::default()
            },
            agreed: true,
            recaptcha: String::new(),
        }
    }

    fn faults(form: &ContactForm) -> Vec<(String, String)> {
        let faults = form.errors();
        let named = faults.into_iter().map(|fault| (fault.field, fault.code));
        named.collect()
    }

    #[test]
    fn one_way_to_answer_is_enough_and_needed() {
        assert_eq!(faults(&form("kim@example.com", "")), []);
        assert_eq!(faults(&form("", "010-1234-5678")), []);
        let named = |field: &str, code: &str| vec![(field.to_owned(), code.to_owned())];
        assert_eq!(faults(&form(" ", "")), named("email", "required"));
        assert_eq!(faults(&form("kim", "")), named("email", "email"));
        assert_eq!(faults(&form("", "0101")), named("phone", "phone"));
        let mut silent = form("kim@example.com", "");
        silent.agreed = false;
        assert_eq!(faults(&silent), named("agreed", "required"));
        let mut long = form("kim@example.com", "");
        long.details.content = "가".repeat(CONTACT_CONTENT_MOST + 1);
        assert_eq!(faults(&long), named("content", "too_long"));
    }
}
