//! Forms: questions that staff put together and that guests and members answer ([`Inquiry`](super::Inquiry)).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::business_day;
use crate::forms::{EMAIL, NAME_MOST, PHONE, phone_digits};
use crate::record::{Resource, UniqueCode};
use crate::resource_names;
use crate::storefront::{Display, LINE_MOST, PAGE_MOST};
use crate::validation::{FieldError, RecordErrors};

/// Maximum number of fields of a form.
pub const FORM_FIELDS_MOST: usize = 50;
/// Maximum number of options of a field.
const OPTIONS_MOST: usize = 50;
/// Maximum number of files in one answer.
pub const ANSWER_FILES_MOST: usize = 5;
/// Maximum length of a one-line answer.
const TEXT_MOST: u32 = 200;
/// Maximum length of an answer of several lines.
const LONGTEXT_MOST: u32 = 2_000;

/// What a field of a form takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum FormFieldType {
    /// One line of text.
    #[default]
    Text,
    /// Several lines of text.
    Longtext,
    /// A whole number.
    Number,
    /// A day.
    Date,
    /// A mail address.
    Email,
    /// A phone number.
    Phone,
    /// One of the options.
    Choice,
    /// Some of the options.
    Choices,
    /// Private files of a member.
    File,
    /// Consent to the text of the field.
    Consent,
}

impl FormFieldType {
    /// Whether its answers are options of the field.
    pub const fn has_options(self) -> bool {
        matches!(self, Self::Choice | Self::Choices)
    }

    const fn length_most(self) -> Option<u32> {
        match self {
            Self::Text => Some(TEXT_MOST),
            Self::Longtext => Some(LONGTEXT_MOST),
            _ => None,
        }
    }
}

/// A field of a form.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FormField {
    /// Its id within the form; answers are stored under it.
    #[serde(rename = "_id", default)]
    pub id: String,
    /// What it takes.
    #[serde(rename = "type")]
    pub takes: FormFieldType,
    /// The question.
    pub name: String,
    /// Help below the question; the text to consent to.
    #[serde(default)]
    pub desc: String,
    /// Whether it has to be answered.
    #[serde(default)]
    pub required: bool,
    /// The options to choose from.
    #[serde(default)]
    pub options: Vec<String>,
    /// Least number.
    #[serde(default)]
    pub min: Option<i64>,
    /// Greatest number.
    #[serde(default)]
    pub max: Option<i64>,
    /// Maximum length of a text; none for that of its type.
    #[serde(default)]
    pub max_length: Option<u32>,
}

/// A form (kind `form`). Its code is unique: it is the last part of its address in the shop.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InquiryForm {
    /// Its code.
    pub code: String,
    /// Its title.
    pub name: String,
    /// What is shown above the fields, as HTML.
    #[serde(default)]
    pub content: String,
    /// What is said once it was sent; none for the usual text.
    #[serde(default)]
    pub done_text: String,
    /// Whether only members may send it.
    #[serde(default)]
    pub members_only: bool,
    /// Its fields, in order.
    #[serde(default)]
    pub fields: Vec<FormField>,
    /// When it can be sent.
    #[serde(default)]
    pub display: Display,
}

impl Resource for InquiryForm {
    resource_names!("form", "Form", "양식");
    const UNIQUE: Option<UniqueCode> = Some(UniqueCode {
        scope: "form",
        fields: &["code"],
        taken: "이미 사용 중인 코드입니다.",
    });
    type Data = Self;

    fn validate(data: &Self) -> Result<(), Vec<FieldError>> {
        let mut errors = RecordErrors::default();
        errors.code("code", &data.code);
        errors.title(
            "name",
            &data.name,
            "양식 제목을 두 글자 이상 입력해 주세요.",
        );
        errors.at_most("content", &data.content, PAGE_MOST);
        errors.at_most("doneText", &data.done_text, LINE_MOST);
        errors.require(
            !data.fields.is_empty(),
            "fields",
            "required",
            "항목을 하나 이상 추가해 주세요.",
        );
        errors.no_more_than("fields", data.fields.len(), FORM_FIELDS_MOST);
        for (place, field) in data.fields.iter().enumerate() {
            field.check(&format!("fields.{place}"), data.members_only, &mut errors);
        }
        let ids = data.fields.iter().map(|field| field.id.as_str());
        let ids = ids.filter(|id| !id.is_empty());
        errors.unique("fields", "_id", ids, "같은 항목이 중복되었습니다.");
        let names = data.fields.iter().map(|field| field.name.trim());
        errors.unique("fields", "name", names, "같은 항목명이 이미 있습니다.");
        data.display.check(&mut errors);
        errors.finish()
    }
}

impl FormField {
    fn check(&self, at: &str, members_only: bool, errors: &mut RecordErrors) {
        let path = |field: &str| format!("{at}.{field}");
        errors.present(path("name"), &self.name, "항목명을 입력해 주세요.");
        errors.at_most(path("name"), &self.name, NAME_MOST);
        errors.at_most(path("desc"), &self.desc, LINE_MOST);
        let filled = self.options.iter().all(|option| !option.trim().is_empty());
        let options = self
            .options
            .iter()
            .collect::<std::collections::BTreeSet<_>>();
        let choosable = self.options.len() >= 2 && filled && options.len() == self.options.len();
        errors.require(
            !self.takes.has_options() || choosable,
            path("options"),
            "too_few",
            "서로 다른 선택지를 두 개 이상 입력해 주세요.",
        );
        errors.no_more_than(&path("options"), self.options.len(), OPTIONS_MOST);
        for (place, option) in self.options.iter().enumerate() {
            errors.at_most(path(&format!("options.{place}")), option, NAME_MOST);
        }
        errors.require(
            self.min.zip(self.max).is_none_or(|(min, max)| min <= max),
            path("max"),
            "out_of_order",
            "최댓값을 최솟값 이상으로 입력해 주세요.",
        );
        let most = self.takes.length_most().unwrap_or(LONGTEXT_MOST);
        errors.require(
            self.max_length
                .is_none_or(|length| (1..=most).contains(&length)),
            path("maxLength"),
            "out_of_range",
            match self.takes {
                FormFieldType::Text => "최대 글자 수를 1~200으로 입력해 주세요.",
                _ => "최대 글자 수를 1~2,000으로 입력해 주세요.",
            },
        );
        errors.require(
            self.takes != FormFieldType::File || members_only,
            path("type"),
            "members_only",
            "파일은 회원만 올릴 수 있습니다. 회원 전용 양식으로 바꿔 주세요.",
        );
    }

    /// The answer as it is stored; none if there is none.
    ///
    /// # Errors
    /// Code and Korean prompt.
    fn answer(&self, given: Option<&Value>) -> Result<Option<Value>, (&'static str, String)> {
        let value = match given {
            None | Some(Value::Null) => None,
            Some(value) => self.typed(value)?,
        };
        if value.is_none() && self.required {
            let message = match self.takes {
                FormFieldType::Consent => "동의해 주세요.",
                FormFieldType::Choice | FormFieldType::Choices => "선택해 주세요.",
                FormFieldType::File => "파일을 첨부해 주세요.",
                _ => "입력해 주세요.",
            };
            return Err(("required", format!("{}: {message}", self.name)));
        }
        Ok(value)
    }

    /// A value of the field's type; none for an empty one.
    fn typed(&self, value: &Value) -> Result<Option<Value>, (&'static str, String)> {
        use FormFieldType as T;
        let wrong = || ("invalid_body", "입력값의 형식을 확인해 주세요.".to_owned());
        let told = |code, message: &str| (code, message.to_owned());
        match self.takes {
            T::Number => {
                let number = value.as_i64().ok_or_else(wrong)?;
                if self.min.is_some_and(|min| number < min) {
                    let min = self.min.unwrap_or_default();
                    return Err(("too_small", format!("{min} 이상으로 입력해 주세요.")));
                }
                if self.max.is_some_and(|max| number > max) {
                    let max = self.max.unwrap_or_default();
                    return Err(("too_large", format!("{max} 이하로 입력해 주세요.")));
                }
                Ok(Some(number.into()))
            }
            T::Consent => Ok(value.as_bool().ok_or_else(wrong)?.then_some(true.into())),
            T::Choices | T::File => {
                let texts = value.as_array().ok_or_else(wrong)?;
                let texts: Option<Vec<&str>> = texts.iter().map(Value::as_str).collect();
                let texts = texts.ok_or_else(wrong)?;
                let most = match self.takes {
                    T::File => ANSWER_FILES_MOST,
                    _ => self.options.len(),
                };
                if texts.len() > most {
                    return Err(("too_many", format!("{most}개까지 선택할 수 있습니다.")));
                }
                let known = texts.iter().enumerate().all(|(place, text)| {
                    let first = !texts.iter().take(place).any(|other| other == text);
                    let offered = match self.takes {
                        T::File => text.parse::<Uuid>().is_ok(),
                        _ => self.options.iter().any(|option| option == text),
                    };
                    first && offered
                });
                if !known {
                    return Err(told("unknown", "다시 선택해 주세요."));
                }
                Ok((!texts.is_empty()).then(|| texts.into()))
            }
            T::Text | T::Longtext | T::Date | T::Email | T::Phone | T::Choice => {
                let text = value.as_str().ok_or_else(wrong)?.trim();
                if text.is_empty() {
                    return Ok(None);
                }
                self.text(text).map(|text| Some(text.into()))
            }
        }
    }

    /// A text that is not empty, as it is stored.
    fn text(&self, text: &str) -> Result<String, (&'static str, String)> {
        use FormFieldType as T;
        let rule = match self.takes {
            T::Email => Some(EMAIL),
            T::Phone => Some(PHONE),
            _ => None,
        };
        if let Some(rule) = rule.filter(|rule| !rule.holds(text)) {
            return Err((rule.code, rule.message.to_owned()));
        }
        if self.takes == T::Date && business_day::parse(text).is_none() {
            return Err(("date", "날짜를 2026-12-31처럼 입력해 주세요.".to_owned()));
        }
        if self.takes == T::Choice && !self.options.iter().any(|option| option == text) {
            return Err(("unknown", "다시 선택해 주세요.".to_owned()));
        }
        let most = self.takes.length_most();
        let most = most.map(|most| self.max_length.unwrap_or(most).min(most));
        let length = u32::try_from(text.chars().count()).unwrap_or(u32::MAX);
        if let Some(most) = most.filter(|most| length > *most) {
            return Err(("too_long", format!("{most}자 이내로 입력해 주세요.")));
        }
        if self.takes == T::Text && text.contains(['\n', '\r']) {
            return Err(("invalid_body", "한 줄로 입력해 주세요.".to_owned()));
        }
        Ok(match self.takes {
            T::Phone => phone_digits(text),
            _ => text.to_owned(),
        })
    }
}

/// Answers by the id of their field, as they are stored: only those that were given.
pub type FormAnswers = BTreeMap<String, Value>;

/// The answers to these fields.
///
/// # Errors
/// All field errors, at `answers.{id}`.
pub fn checked_answers(
    fields: &[FormField],
    given: &FormAnswers,
) -> Result<FormAnswers, Vec<FieldError>> {
    if given.len() > FORM_FIELDS_MOST {
        let message = "항목이 너무 많습니다.";
        return Err(vec![FieldError::new("answers", "too_many", message)]);
    }
    let mut errors = Vec::new();
    for id in given.keys() {
        if !fields.iter().any(|field| field.id == *id) {
            let message = "양식에 없는 항목입니다. 페이지를 새로 고쳐 주세요.";
            errors.push(FieldError::new(format!("answers.{id}"), "unknown", message));
        }
    }
    let mut answers = FormAnswers::new();
    for field in fields {
        match field.answer(given.get(&field.id)) {
            Ok(Some(value)) => {
                answers.insert(field.id.clone(), value);
            }
            Ok(None) => {}
            Err((code, message)) => {
                let at = format!("answers.{}", field.id);
                errors.push(FieldError::new(at, code, &message));
            }
        }
    }
    match errors.is_empty() {
        true => Ok(answers),
        false => Err(errors),
    }
}

/// An answer as text.
pub fn answer_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Bool(_) => "동의함".to_owned(),
        Value::Array(texts) => {
            let texts: Vec<&str> = texts.iter().filter_map(Value::as_str).collect();
            texts.join(", ")
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn field(id: &str, takes: FormFieldType) -> FormField {
        FormField {
            id: id.to_owned(),
            takes,
            name: format!("항목 {id}"),
            ..FormField::default()
        }
    }

    fn form(fields: Vec<FormField>) -> InquiryForm {
        InquiryForm {
            code: "inquiry-partner".to_owned(),
            name: "입점 문의".to_owned(),
            content: String::new(),
            done_text: String::new(),
            members_only: false,
            fields,
            display: Display::always(),
        }
    }

    fn chosen(id: &str, takes: FormFieldType) -> FormField {
        FormField {
            options: vec!["가".to_owned(), "나".to_owned()],
            ..field(id, takes)
        }
    }

    fn faults(errors: Result<impl Sized, Vec<FieldError>>) -> Vec<(String, String)> {
        let errors = errors.err().unwrap_or_default();
        let named = errors.into_iter().map(|error| (error.field, error.code));
        named.collect()
    }

    fn fault(field: &str, code: &str) -> Vec<(String, String)> {
        vec![(field.to_owned(), code.to_owned())]
    }

    #[test]
    fn a_form_has_fields_that_can_be_answered() {
        use FormFieldType as T;
        assert_eq!(
            InquiryForm::validate(&form(vec![field("a", T::Text)])),
            Ok(())
        );
        let none = form(Vec::new());
        assert_eq!(
            faults(InquiryForm::validate(&none)),
            fault("fields", "required")
        );
        let wrong = |changed: FormField| faults(InquiryForm::validate(&form(vec![changed])));
        let bare = field("a", T::Choice);
        assert_eq!(wrong(bare), fault("fields.0.options", "too_few"));
        let twice = FormField {
            options: vec!["가".to_owned(), "가".to_owned()],
            ..field("a", T::Choices)
        };
        assert_eq!(wrong(twice), fault("fields.0.options", "too_few"));
        let file = field("a", T::File);
        assert_eq!(wrong(file.clone()), fault("fields.0.type", "members_only"));
        let members = InquiryForm {
            members_only: true,
            ..form(vec![file])
        };
        assert_eq!(InquiryForm::validate(&members), Ok(()));
        let range = FormField {
            min: Some(2),
            max: Some(1),
            ..field("a", T::Number)
        };
        assert_eq!(wrong(range), fault("fields.0.max", "out_of_order"));
        let long = FormField {
            max_length: Some(201),
            ..field("a", T::Text)
        };
        assert_eq!(wrong(long), fault("fields.0.maxLength", "out_of_range"));
        let same = form(vec![field("a", T::Text), field("a", T::Text)]);
        let both = [
            fault("fields.1._id", "duplicate"),
            fault("fields.1.name", "duplicate"),
        ];
        assert_eq!(faults(InquiryForm::validate(&same)), both.concat());
        let many = (0..=FORM_FIELDS_MOST).map(|n| field(&n.to_string(), T::Text));
        let many = form(many.collect());
        assert_eq!(
            faults(InquiryForm::validate(&many)),
            fault("fields", "too_many")
        );
    }

    #[test]
    fn an_answer_has_the_type_and_the_limits_of_its_field() {
        use FormFieldType as T;
        let number = FormField {
            min: Some(1),
            max: Some(9),
            ..field("a", T::Number)
        };
        let short = FormField {
            max_length: Some(3),
            ..field("a", T::Text)
        };
        let file = json!("0192f000-0000-7000-8000-000000000001");
        let good = [
            (&number, json!(9), Some(json!(9))),
            (&short, json!(" 가나다 "), Some(json!("가나다"))),
            (&short, json!("  "), None),
            (&short, Value::Null, None),
            (
                &field("a", T::Date),
                json!("2026-12-31"),
                Some(json!("2026-12-31")),
            ),
            (
                &field("a", T::Phone),
                json!("010-1234-5678"),
                Some(json!("01012345678")),
            ),
            (&chosen("a", T::Choice), json!("나"), Some(json!("나"))),
            (
                &chosen("a", T::Choices),
                json!(["나", "가"]),
                Some(json!(["나", "가"])),
            ),
            (&chosen("a", T::Choices), json!([]), None),
            (&field("a", T::File), json!([file]), Some(json!([file]))),
            (&field("a", T::Consent), json!(true), Some(json!(true))),
            (&field("a", T::Consent), json!(false), None),
            (
                &field("a", T::Text),
                json!("<b>굵게</b>"),
                Some(json!("<b>굵게</b>")),
            ),
        ];
        for (field, given, stored) in good {
            let given = FormAnswers::from([("a".to_owned(), given)]);
            let expected = stored.map(|value| ("a".to_owned(), value)).into_iter();
            let expected: FormAnswers = expected.collect();
            assert_eq!(
                checked_answers(std::slice::from_ref(field), &given),
                Ok(expected)
            );
        }
        let many: Vec<&str> = vec!["0192f000-0000-7000-8000-000000000001"; 6];
        let bad = [
            (&number, json!(0), "too_small"),
            (&number, json!(10), "too_large"),
            (&number, json!(1.5), "invalid_body"),
            (&number, json!("3"), "invalid_body"),
            (&short, json!("가나다라"), "too_long"),
            (&short, json!("가\n나"), "invalid_body"),
            (&short, json!(3), "invalid_body"),
            (
                &field("a", T::Longtext),
                json!("가".repeat(2_001)),
                "too_long",
            ),
            (&field("a", T::Date), json!("2026-02-30"), "date"),
            (&field("a", T::Email), json!("a@b"), "email"),
            (&field("a", T::Phone), json!("123"), "phone"),
            (&chosen("a", T::Choice), json!("다"), "unknown"),
            (&chosen("a", T::Choices), json!(["가", "가"]), "unknown"),
            (
                &chosen("a", T::Choices),
                json!(["가", "나", "다"]),
                "too_many",
            ),
            (&chosen("a", T::Choices), json!("가"), "invalid_body"),
            (&field("a", T::File), json!(["x"]), "unknown"),
            (&field("a", T::File), json!(many), "too_many"),
            (&field("a", T::Consent), json!("yes"), "invalid_body"),
        ];
        for (field, given, code) in bad {
            let given = FormAnswers::from([("a".to_owned(), given)]);
            let said = checked_answers(std::slice::from_ref(field), &given);
            assert_eq!(faults(said), fault("answers.a", code), "{given:?}");
        }
    }

    #[test]
    fn what_is_missing_unknown_or_too_much_is_refused() {
        use FormFieldType as T;
        for takes in [T::Text, T::Choices, T::Consent, T::File, T::Number] {
            let needed = FormField {
                required: true,
                ..chosen("a", takes)
            };
            let said = checked_answers(&[needed], &FormAnswers::new());
            assert_eq!(faults(said), fault("answers.a", "required"));
        }
        let other = FormAnswers::from([("b".to_owned(), json!("x"))]);
        let said = checked_answers(&[field("a", T::Text)], &other);
        assert_eq!(faults(said), fault("answers.b", "unknown"));
        let many = (0..10_000).map(|n| (n.to_string(), json!("x"))).collect();
        let said = checked_answers(&[field("a", T::Text)], &many);
        assert_eq!(faults(said), fault("answers", "too_many"));
    }
}
