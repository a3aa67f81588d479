//! The language of message texts: plain lines with `{{variables}}`.
//!
//! A line is a paragraph. A line of which a variable has no value is left out, so one text serves cases that know more or less. A line that
//! is only `label: {{variable}}` is a row of a table, and a line that ends with the variable of a link is a link with the rest as its title.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::events::Template;
use super::phone_text;
use crate::validation::{FieldError, RecordErrors};

/// Maximum length of a subject, in characters.
pub const SUBJECT_MOST: usize = 100;
/// Maximum length of a text, in characters.
pub const CONTENT_MOST: usize = 5_000;

/// What a variable stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum VariableKind {
    /// A value within a line.
    Text,
    /// Several paragraphs, alone on its line.
    Lines,
    /// An address to open, at the end of its line.
    Link,
}

/// A variable of a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct TemplateVariable {
    /// Its name between the braces.
    pub name: &'static str,
    /// Its Korean label.
    pub label: &'static str,
    /// What it stands for.
    pub kind: VariableKind,
    /// Whether every text of the template has to have it.
    pub required: bool,
    /// A value for previews.
    pub sample: &'static str,
}

impl TemplateVariable {
    /// A value within a line.
    pub(super) const fn text(
        name: &'static str,
        label: &'static str,
        sample: &'static str,
    ) -> Self {
        let (kind, required) = (VariableKind::Text, false);
        Self {
            name,
            label,
            kind,
            required,
            sample,
        }
    }

    /// Several paragraphs.
    pub(super) const fn lines(
        name: &'static str,
        label: &'static str,
        sample: &'static str,
    ) -> Self {
        let mut variable = Self::text(name, label, sample);
        variable.kind = VariableKind::Lines;
        variable
    }

    /// An address to open.
    pub(super) const fn link(
        name: &'static str,
        label: &'static str,
        sample: &'static str,
    ) -> Self {
        let mut variable = Self::text(name, label, sample);
        variable.kind = VariableKind::Link;
        variable
    }

    /// Makes it required.
    pub(super) const fn required(mut self) -> Self {
        self.required = true;
        self
    }
}

/// Subject and content of a template.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TemplateText {
    /// Subject of a mail.
    pub subject: String,
    /// The lines.
    pub content: String,
}

/// A part of a written message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MessagePart {
    /// A paragraph.
    Text(String),
    /// Names and values.
    Facts(Vec<(String, String)>),
    /// An address to open, with its title.
    Link(String, String),
}

/// A piece of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Piece<'a> {
    Words(&'a str),
    Variable(&'a str),
}

/// The pieces of a line; none if its braces do not match.
fn pieces(line: &str) -> Option<Vec<Piece<'_>>> {
    let (mut found, mut rest) = (Vec::new(), line);
    while let Some((words, after)) = rest.split_once("{{") {
        let (name, left) = after.split_once("}}")?;
        if words.contains("}}") || name.contains("{{") {
            return None;
        }
        found.push(Piece::Words(words));
        found.push(Piece::Variable(name.trim()));
        rest = left;
    }
    if rest.contains("}}") {
        return None;
    }
    found.push(Piece::Words(rest));
    found.retain(|piece| *piece != Piece::Words(""));
    Some(found)
}

impl Template {
    fn variable(self, name: &str) -> Option<&'static TemplateVariable> {
        self.variables().iter().find(|one| one.name == name)
    }
}

impl TemplateText {
    /// Checks a text of a template; errors are reported at `subject` and `content`.
    ///
    /// # Errors
    /// All field errors.
    pub fn check(&self, template: Template) -> Result<(), Vec<FieldError>> {
        let mut errors = RecordErrors::default();
        self.check_subject(template, &mut errors);
        self.check_content(template, &mut errors);
        if template.is_sms() {
            self.check_sms(&mut errors);
        }
        errors.finish()
    }

    /// What phones cannot show, or is too long for an LMS even without the values of its variables.
    fn check_sms(&self, errors: &mut RecordErrors) {
        for (field, text) in [("subject", &self.subject), ("content", &self.content)] {
            let strange: String = text
                .chars()
                .filter(|letter| *letter != '\n' && !phone_text::is_encodable(*letter))
                .collect();
            errors.require(
                strange.is_empty(),
                field,
                "not_encodable",
                &format!("문자로 보낼 수 없는 글자가 있습니다: {strange}"),
            );
        }
        errors.require(
            phone_text::bytes(&self.content) <= phone_text::LONG_MOST,
            "content",
            "too_long",
            "문자는 2,000바이트까지 보낼 수 있습니다.",
        );
    }

    fn check_subject(&self, template: Template, errors: &mut RecordErrors) {
        let field = "subject";
        errors.name(field, &self.subject, "제목을 두 글자 이상 입력해 주세요.");
        errors.at_most(field, &self.subject, SUBJECT_MOST);
        errors.require(
            !self.subject.chars().any(is_break),
            field,
            "line_break",
            "제목에는 줄바꿈이나 제어 문자를 넣을 수 없습니다.",
        );
        check_variables(template, field, &self.subject, errors);
        let is_line = |piece: &Piece<'_>| match piece {
            Piece::Words(_) => true,
            Piece::Variable(name) => template
                .variable(name)
                .is_none_or(|known| known.kind == VariableKind::Text),
        };
        errors.require(
            pieces(&self.subject).is_none_or(|found| found.iter().all(is_line)),
            field,
            "not_in_subject",
            "제목에는 주소나 여러 줄인 변수를 넣을 수 없습니다.",
        );
    }

    fn check_content(&self, template: Template, errors: &mut RecordErrors) {
        let field = "content";
        errors.name(field, &self.content, "내용을 두 글자 이상 입력해 주세요.");
        errors.at_most(field, &self.content, CONTENT_MOST);
        errors.require(
            !self.content.lines().any(|line| line.chars().any(is_break)),
            field,
            "control_character",
            "내용에는 제어 문자를 넣을 수 없습니다.",
        );
        check_variables(template, field, &self.content, errors);
        let used: Vec<Piece<'_>> = self.content.lines().filter_map(pieces).flatten().collect();
        for variable in template.variables().iter().filter(|one| one.required) {
            errors.require(
                used.contains(&Piece::Variable(variable.name)),
                field,
                "missing_variable",
                &format!(
                    "{} 변수가 있어야 합니다: {{{{{}}}}}",
                    variable.label, variable.name
                ),
            );
        }
        for line in self.content.lines() {
            let found = pieces(line.trim()).unwrap_or_default();
            let is_alone = found.len() == 1;
            let last = found.last().copied();
            for piece in &found {
                let Piece::Variable(name) = piece else {
                    continue;
                };
                let fits = match template.variable(name).map(|known| known.kind) {
                    Some(VariableKind::Lines) => is_alone,
                    Some(VariableKind::Link) => {
                        last == Some(*piece)
                            && found.iter().filter(|other| *other == piece).count() == 1
                    }
                    Some(VariableKind::Text) | None => true,
                };
                errors.require(
                    fits,
                    field,
                    "variable_place",
                    &format!(
                        "주소는 줄의 끝에, 여러 줄인 변수는 혼자 한 줄에 넣어 주세요: {{{{{name}}}}}"
                    ),
                );
            }
        }
    }

    /// Writes the message: its subject, on one line, and its parts.
    pub fn written(
        &self,
        template: Template,
        values: &BTreeMap<String, String>,
    ) -> (String, Vec<MessagePart>) {
        let found = pieces(&self.subject).unwrap_or_default();
        let subject = filled(&found, values).unwrap_or_default();
        let mut parts: Vec<MessagePart> = Vec::new();
        for line in self.content.lines().map(str::trim) {
            for part in line_parts(template, line, values) {
                match (parts.last_mut(), part) {
                    (Some(MessagePart::Facts(facts)), MessagePart::Facts(more)) => {
                        facts.extend(more);
                    }
                    (_, part) => parts.push(part),
                }
            }
        }
        (one_line(&subject), parts)
    }
}

fn is_break(letter: char) -> bool {
    letter.is_control() || matches!(letter, '\u{2028}' | '\u{2029}')
}

/// A text without line breaks: names of people and goods make no new lines.
pub fn one_line(text: &str) -> String {
    let spaced = |letter: char| if is_break(letter) { ' ' } else { letter };
    text.chars().map(spaced).collect()
}

fn check_variables(template: Template, field: &str, text: &str, errors: &mut RecordErrors) {
    for line in text.lines() {
        let Some(found) = pieces(line) else {
            errors.require(
                false,
                field,
                "broken_variable",
                "변수의 중괄호가 맞지 않습니다. {{변수}}처럼 입력해 주세요.",
            );
            continue;
        };
        for piece in found {
            if let Piece::Variable(name) = piece {
                errors.require(
                    template.variable(name).is_some(),
                    field,
                    "unknown_variable",
                    &format!("이 메일에서 사용할 수 없는 변수입니다: {{{{{name}}}}}"),
                );
            }
        }
    }
}

/// The value of a variable; none if it is empty.
fn value<'a>(values: &'a BTreeMap<String, String>, name: &str) -> Option<&'a str> {
    let value = values.get(name).map(|value| value.trim());
    value.filter(|value| !value.is_empty())
}

/// The text of pieces; none if one of their variables has no value.
fn filled(pieces: &[Piece<'_>], values: &BTreeMap<String, String>) -> Option<String> {
    let texts = pieces.iter().map(|piece| match piece {
        Piece::Words(words) => Some(*words),
        Piece::Variable(name) => value(values, name),
    });
    let texts: Option<Vec<&str>> = texts.collect();
    Some(texts?.concat())
}

/// What a line becomes.
fn line_parts(
    template: Template,
    line: &str,
    values: &BTreeMap<String, String>,
) -> Vec<MessagePart> {
    let found = pieces(line).unwrap_or_else(|| vec![Piece::Words(line)]);
    if found.is_empty() {
        return Vec::new();
    }
    let Some(whole) = filled(&found, values) else {
        return Vec::new();
    };
    let last = match found.last() {
        Some(Piece::Variable(name)) => template.variable(name),
        _ => None,
    };
    let before = found.split_last().map_or(&[][..], |(_, before)| before);
    let kind = last.map(|variable| variable.kind);
    match (last, kind, before) {
        (Some(variable), Some(VariableKind::Link), before) => {
            let label = filled(before, values).unwrap_or_default();
            let label = label.trim().trim_end_matches(':').trim_end();
            let label = Some(label).filter(|label| !label.is_empty());
            let url = value(values, variable.name).unwrap_or_default();
            let label = label.unwrap_or(variable.label);
            vec![MessagePart::Link(one_line(label), url.to_owned())]
        }
        (Some(variable), Some(VariableKind::Lines), []) => {
            let text = value(values, variable.name).unwrap_or_default();
            let lines = text.lines().filter(|line| !line.trim().is_empty());
            lines
                .map(|line| MessagePart::Text(one_line(line)))
                .collect()
        }
        (Some(variable), Some(VariableKind::Text), [Piece::Words(words)])
            if words.trim_end().ends_with(':') =>
        {
            let name = words.trim().trim_end_matches(':').trim_end();
            let text = value(values, variable.name).unwrap_or_default();
            vec![MessagePart::Facts(vec![(one_line(name), one_line(text))])]
        }
        _ => vec![MessagePart::Text(one_line(&whole))],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(subject: &str, content: &str) -> TemplateText {
        TemplateText {
            subject: subject.to_owned(),
            content: content.to_owned(),
        }
    }

    fn codes(template: Template, text: &TemplateText) -> Vec<String> {
        let errors = text.check(template).err().unwrap_or_default();
        let code = |error: FieldError| format!("{} {}", error.field, error.code);
        errors.into_iter().map(code).collect()
    }

    #[test]
    fn every_built_in_text_passes_its_own_check() {
        for template in Template::ALL {
            let built_in = template.built_in();
            assert_eq!(built_in.check(template), Ok(()), "{template:?}");
        }
    }

    #[test]
    fn what_cannot_be_sent_is_refused_at_its_field() {
        let of = Template::OrderPlaced;
        for (subject, content, expected) in [
            ("주문 {{orderNo}}", "주문번호: {{orderNo}}", None),
            ("주문", "안녕하세요", Some("content missing_variable")),
            (
                "주문",
                "{{orderNo}} {{invoice}}",
                Some("content unknown_variable"),
            ),
            (
                "주문 {{secret}}",
                "{{orderNo}}",
                Some("subject unknown_variable"),
            ),
            (
                "주문\r\nBcc: a@b.c",
                "{{orderNo}}",
                Some("subject line_break"),
            ),
            ("주문\u{2028}Bcc", "{{orderNo}}", Some("subject line_break")),
            (
                "주문 {{orderLink}}",
                "{{orderNo}}",
                Some("subject not_in_subject"),
            ),
            (
                "주문",
                "{{orderNo}\n{{orderNo}}",
                Some("content broken_variable"),
            ),
            (
                "주문",
                "{{orderNo}}\u{0}",
                Some("content control_character"),
            ),
            (
                "주문",
                "{{orderLink}} 에서 {{orderNo}}",
                Some("content variable_place"),
            ),
            ("주", "{{orderNo}}", Some("subject too_short")),
        ] {
            let found = codes(of, &text(subject, content));
            let expected: Vec<String> = expected.into_iter().map(str::to_owned).collect();
            assert_eq!(found, expected, "{subject:?} {content:?}");
        }
        let long = text(
            &"가".repeat(SUBJECT_MOST + 1),
            &"가".repeat(CONTENT_MOST + 1),
        );
        let expected = [
            "subject too_long",
            "content too_long",
            "content missing_variable",
        ];
        assert_eq!(codes(of, &long), expected);
        assert_eq!(
            codes(Template::Notice, &text("공지", "소식 {{content}}")),
            ["content variable_place"]
        );
    }

    #[test]
    fn lines_without_their_values_are_left_out() {
        let values = BTreeMap::from(
            [
                ("orderNo", "2611210001"),
                ("items", "사과\r\nBcc: a@b.c"),
                ("orderLink", "https://shop/mypage"),
            ]
            .map(|(name, value)| (name.to_owned(), value.to_owned())),
        );
        let content = "감사합니다.\n\n주문번호: {{orderNo}}\n상품: {{items}}\n결제 금액: {{amount}}\n주문 보기: {{orderLink}}\n{{lookupLink}}";
        let (subject, parts) =
            text("주문 {{orderNo}}", content).written(Template::OrderPlaced, &values);
        assert_eq!(subject, "주문 2611210001");
        let fact = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(
            parts,
            [
                MessagePart::Text("감사합니다.".to_owned()),
                MessagePart::Facts(vec![
                    fact("주문번호", "2611210001"),
                    fact("상품", "사과  Bcc: a@b.c"),
                ]),
                MessagePart::Link("주문 보기".to_owned(), "https://shop/mypage".to_owned()),
            ]
        );
    }
}
