//! Texts of messages that staff write: each replaces the built-in text of its template while it is in use.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::events::Template;
use super::text::TemplateText;
use crate::record::{DeclaredRecord, Resource, UniqueCode, WireNames};
use crate::resource_names;
use crate::schema::{Field, FieldChoice, Filter, ResourceSchema, choice};
use crate::validation::{FieldError, RecordErrors};

/// The templates whose text can be replaced.
const TEMPLATES: &[FieldChoice] = &[
    choice("FIND_ID", "아이디 찾기"),
    choice("FIND_PASSWORD", "비밀번호 찾기"),
    choice("PASSWORD_CHANGED", "비밀번호 변경 안내"),
    choice("ORDER_PLACED", "주문 완료"),
    choice("DEPOSIT_AWAITED", "입금 안내"),
    choice("PURCHASE_SHIPPED", "발송 안내"),
    choice("REFUND_COMPLETED", "환불 완료"),
    choice("ORDER_UPDATED", "비회원 주문 진행 안내"),
    choice("NOTICE", "공지 메일"),
    choice("ADVERTISING", "광고 메일"),
    choice("CONTACT_ANSWERED", "문의 답변"),
    choice("NEW_DEVICE", "새 기기 로그인 안내"),
    choice("EMAIL_CHANGED", "이메일 변경 안내"),
    choice("CONFIRM_EMAIL", "이메일 확인"),
    choice("ORDER_PLACED_SMS", "주문 완료 문자"),
    choice("DEPOSIT_AWAITED_SMS", "입금 안내 문자"),
    choice("PURCHASE_SHIPPED_SMS", "발송 안내 문자"),
    choice("REFUND_COMPLETED_SMS", "환불 완료 문자"),
    choice("NOTICE_SMS", "공지 문자"),
    choice("ADVERTISING_SMS", "광고 문자"),
];

/// Longest id of a talk template.
const TALK_TEMPLATE_MOST: usize = 100;

/// A message template record (kind `message-template`). Each template has at most one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MessageTemplate {
    /// Name for staff.
    pub name: String,
    /// The template whose text it replaces.
    pub template: Template,
    /// Subject, with variables.
    pub subject: String,
    /// Lines, with variables.
    pub content: String,
    /// Id of the AlimTalk template that the gateway has for a message to a phone; without one an SMS is sent.
    #[serde(default)]
    pub talk_template: String,
    /// Whether it is in use; otherwise the built-in text is.
    #[serde(default)]
    pub enabled: bool,
}

impl MessageTemplate {
    /// Its text.
    pub fn text(&self) -> TemplateText {
        TemplateText {
            subject: self.subject.clone(),
            content: self.content.clone(),
        }
    }
}

impl Resource for MessageTemplate {
    resource_names!("message-template", "MessageTemplate", "메시지 템플릿");
    const UNIQUE: Option<UniqueCode> = Some(UniqueCode {
        scope: "message-template",
        fields: &["template"],
        taken: "이 메시지에는 이미 문안이 있습니다.",
    });
    type Data = Self;

    fn validate(data: &Self) -> Result<(), Vec<FieldError>> {
        let mut errors = RecordErrors::default();
        errors.title(
            "name",
            &data.name,
            "관리용 이름을 두 글자 이상 입력해 주세요.",
        );
        errors.require(
            data.template.is_replaceable(),
            "template",
            "not_replaceable",
            "문구를 바꿀 수 없는 메시지입니다.",
        );
        let talk = data.talk_template.as_str();
        let is_id = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_');
        errors.require(
            talk.is_empty() || data.template.is_sms(),
            "talkTemplate",
            "not_sms",
            "알림톡 템플릿은 문자에만 연결할 수 있습니다.",
        );
        errors.require(
            talk.len() <= TALK_TEMPLATE_MOST && talk.chars().all(is_id),
            "talkTemplate",
            "talk_template",
            "문자 서비스에 등록된 알림톡 템플릿 ID를 입력해 주세요.",
        );
        errors.finish()?;
        data.text().check(data.template)
    }
}

impl DeclaredRecord for MessageTemplate {
    const WIRE: WireNames = WireNames {
        path: "/api/console/message-templates",
        one: "template",
        many: "templates",
    };
    const SCHEMA: ResourceSchema = ResourceSchema {
        search: &["name", "subject"],
        sorts: &["template", "name", "createdAt", "updatedAt"],
        default_sort: "template",
        filters: &[
            Filter::one_of("template", TEMPLATES),
            Filter::boolean("enabled"),
        ],
        ..ResourceSchema::of(&[
            Field::text("name", "이름").required(),
            Field::one_of("template", "메시지", TEMPLATES).required(),
            Field::text("subject", "제목").required(),
            Field::longtext("content", "내용")
                .required()
                .letters(CONTENT_LETTERS),
            Field::text("talkTemplate", "알림톡 템플릿 ID"),
            Field::boolean("enabled", "사용"),
        ])
    };
}

/// [`CONTENT_MOST`] as schemas count.
const CONTENT_LETTERS: u32 = 5_000;

#[cfg(test)]
mod tests {
    use super::super::text::CONTENT_MOST;
    use super::*;

    #[test]
    fn the_choices_are_the_templates_whose_text_can_be_replaced() {
        let all = Template::ALL.into_iter().filter(|one| one.is_replaceable());
        let expected: Vec<FieldChoice> = all.map(|one| choice(one.code(), one.title())).collect();
        assert_eq!(TEMPLATES, expected);
        assert_eq!(usize::try_from(CONTENT_LETTERS), Ok(CONTENT_MOST));
        for one in Template::ALL {
            assert_eq!(
                serde_json::to_value(one).ok(),
                Some(one.code().into()),
                "{one:?}"
            );
        }
    }
}
