//! Inquiries: what guests and members send with a form ([`InquiryForm`](super::InquiryForm)), and the answer of staff.
//!
//! An inquiry keeps the fields of its form as they were, so a form that is edited changes no old answer. Who wrote, the answers and the
//! reply are sealed with a key of the inquiry itself, which is destroyed when the inquiry is removed (by its author, by staff, or when its
//! legal period is over) and when its member closes the account.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::form::{FormAnswers, FormField, FormFieldType};
use crate::forms::{EMAIL, FormErrors, NAME, PHONE, TERMS_MESSAGE, Validate};
use crate::ids::MemberId;
use crate::member_record::{AnswerState, MemberRecord, SealedAnswer};
use crate::personal::Sealed;
use crate::record::Resource;
use crate::resource_names;
use crate::validation::{FieldError, RecordErrors};

/// Maximum length of the line that stands for an inquiry in lists.
const SUBJECT_MOST: usize = 60;

/// Who wrote an inquiry and what; always stored as `Sealed<InquiryDetails>`.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct InquiryDetails {
    /// Name of the guest; empty for a member.
    pub name: String,
    /// Mail address of the guest, which the reply is sent to; empty without one.
    pub email: String,
    /// Digits of the guest's phone number; empty without one.
    pub phone: String,
    /// The answers by the id of their field.
    pub answers: FormAnswers,
}

crate::personal::seal_label!(InquiryDetails = "InquiryDetails");

impl std::fmt::Debug for InquiryDetails {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("InquiryDetails(..)")
    }
}

impl InquiryDetails {
    /// The line that stands for it in lists: the first text that was written, else the form's title.
    pub fn subject(&self, fields: &[FormField], form: &str) -> String {
        let texts = fields
            .iter()
            .filter(|field| matches!(field.takes, FormFieldType::Text | FormFieldType::Longtext));
        let mut written = texts.filter_map(|field| self.answers.get(&field.id)?.as_str());
        let line = written.next().and_then(|text| text.lines().next());
        line.unwrap_or(form).chars().take(SUBJECT_MOST).collect()
    }
}

/// What is sent with a form.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InquirySubmission {
    /// Id of the form.
    #[serde(rename = "_form")]
    pub form: String,
    /// The version of the form that was filled in.
    pub version: u64,
    /// Name of a guest.
    #[serde(default)]
    pub name: String,
    /// Mail address of a guest, which the reply is sent to.
    #[serde(default)]
    pub email: String,
    /// Phone number of a guest.
    #[serde(default)]
    pub phone: String,
    /// The answers by the id of their field: a text, a number, a list of texts, or true.
    #[schema(value_type = std::collections::BTreeMap<String, serde_json::Value>)]
    #[serde(default)]
    pub answers: FormAnswers,
    /// Consent to the collection of personal data.
    #[serde(default)]
    pub agreed: bool,
    /// Pass of `POST /api/plugins/recaptcha`, if the shop asks guests for one.
    #[serde(default)]
    pub recaptcha: String,
}

impl Validate for InquirySubmission {
    fn check(&self, errors: &mut FormErrors) {
        errors.when(self.agreed, "agreed", "required", TERMS_MESSAGE);
    }
}

impl InquirySubmission {
    /// Checks how a guest is reached: a name (spec V135), and a mail address (V136) or a phone number (V137).
    ///
    /// # Errors
    /// All field errors.
    pub fn check_guest(&self) -> Result<(), Vec<FieldError>> {
        struct Guest<'a>(&'a InquirySubmission);
        impl Validate for Guest<'_> {
            fn check(&self, errors: &mut FormErrors) {
                let InquirySubmission {
                    name, email, phone, ..
                } = self.0;
                let given = |text: &str| !text.trim().is_empty();
                errors.text("name", name, NAME).when(
                    given(email) || given(phone),
                    "email",
                    "required",
                    "답변을 받을 이메일이나 휴대폰 번호를 입력해 주세요.",
                );
                if given(email) {
                    errors.text("email", email.trim(), EMAIL);
                }
                if given(phone) {
                    errors.text("phone", phone, PHONE);
                }
            }
        }
        let errors = Guest(self).errors();
        match errors.is_empty() {
            true => Ok(()),
            false => Err(errors),
        }
    }
}

/// An inquiry (kind `inquiry`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Inquiry {
    /// The member who wrote it; none for a guest.
    #[serde(rename = "_user", default)]
    pub user: Option<MemberId>,
    /// The form it was sent with.
    #[serde(rename = "_form")]
    pub form: String,
    /// The version of the form.
    pub form_version: u64,
    /// Title of the form.
    pub form_name: String,
    /// The fields of the form.
    #[schema(ignore)]
    pub fields: Vec<FormField>,
    /// Who wrote it and what, sealed with the inquiry's own key.
    #[schema(ignore)]
    pub details: Sealed<InquiryDetails>,
    /// The answer.
    #[serde(flatten)]
    pub answered: SealedAnswer,
}

impl MemberRecord for Inquiry {
    const ERASED_WHEN_REMOVED: bool = true;

    fn author(&self) -> Option<MemberId> {
        self.user
    }

    fn is_changeable(&self) -> bool {
        self.answered.state == AnswerState::AnswerAwaiting
    }
}

impl Resource for Inquiry {
    resource_names!("inquiry", "Inquiry", "양식 문의");
    type Data = Self;

    fn validate(data: &Self) -> Result<(), Vec<FieldError>> {
        let mut errors = RecordErrors::default();
        errors.answered(&data.answered);
        errors.finish()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn submission(name: &str, email: &str, phone: &str) -> InquirySubmission {
        InquirySubmission {
            form: "f".to_owned(),
            version: 1,
            name: name.to_owned(),
            email: email.to_owned(),
            phone: phone.to_owned(),
            answers: FormAnswers::new(),
            agreed: true,
            recaptcha: String::new(),
        }
    }

    #[test]
    fn a_guest_needs_a_name_and_one_way_to_be_answered() {
        let faults = |one: InquirySubmission| {
            let errors = one.check_guest().err().unwrap_or_default();
            let named = errors.into_iter().map(|error| (error.field, error.code));
            named.collect::<Vec<_>>()
        };
        let named = |field: &str, code: &str| vec![(field.to_owned(), code.to_owned())];
        assert_eq!(faults(submission("김입점", "kim@example.com", "")), []);
        assert_eq!(faults(submission("김입점", "", "010-1234-5678")), []);
        assert_eq!(
            faults(submission("김입점", " ", "")),
            named("email", "required")
        );
        assert_eq!(
            faults(submission("김입점", "kim", "")),
            named("email", "email")
        );
        assert_eq!(
            faults(submission("김", "kim@example.com", "")),
            named("name", "name")
        );
        let mut silent = submission("김입점", "kim@example.com", "");
        silent.agreed = false;
        let errors = silent.errors().into_iter().map(|error| error.field);
        assert_eq!(errors.collect::<Vec<_>>(), ["agreed"]);
    }

    #[test]
    fn the_first_text_stands_for_an_inquiry() {
        let field = |id: &str, takes| FormField {
            id: id.to_owned(),
            takes,
            ..FormField::default()
        };
        let fields = [
            field("n", FormFieldType::Number),
            field("t", FormFieldType::Text),
            field("l", FormFieldType::Longtext),
        ];
        let mut details = InquiryDetails::default();
        assert_eq!(details.subject(&fields, "입점 문의"), "입점 문의");
        details.answers.insert("n".to_owned(), json!(3));
        details
            .answers
            .insert("l".to_owned(), json!("첫 줄\n둘째 줄"));
        assert_eq!(details.subject(&fields, "입점 문의"), "첫 줄");
        details.answers.insert("t".to_owned(), json!("상호"));
        assert_eq!(details.subject(&fields, "입점 문의"), "상호");
    }
}
