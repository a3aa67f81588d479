//! Texts of answers that staff and sellers keep, to choose from where they answer.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::ids::MemberId;
use crate::record::{DeclaredRecord, Resource, SellerAccess, WireNames};
use crate::resource_names;
use crate::schema::{Field, FieldChoice, Filter, ResourceSchema, choice};
use crate::validation::{FieldError, RecordErrors};

/// Maximum length of a text: that of the shortest answer.
const TEXT_MOST: u32 = 2_000;

/// What a template answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum AnswerTarget {
    /// Everything.
    #[default]
    All,
    /// Questions of members to the shop.
    Question,
    /// Contacts.
    Contact,
    /// Product inquiries.
    Inquire,
    /// What is sent with forms.
    Inquiry,
}

const TARGETS: &[FieldChoice] = &[
    choice("ALL", "모두"),
    choice("QUESTION", "1:1 문의"),
    choice("CONTACT", "제휴·문의"),
    choice("INQUIRE", "상품 문의"),
    choice("INQUIRY", "양식 문의"),
];

/// An answer template record (kind `answer-template`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AnswerTemplate {
    /// Its name.
    pub name: String,
    /// The seller it belongs to; none for the shop.
    #[serde(rename = "_seller", default)]
    pub seller: Option<MemberId>,
    /// What it answers.
    #[serde(default)]
    pub target: AnswerTarget,
    /// The text.
    pub content: String,
    /// Sort index, higher first.
    #[serde(default)]
    pub index: i32,
}

impl Resource for AnswerTemplate {
    resource_names!("answer-template", "AnswerTemplate", "답변 템플릿");
    type Data = Self;

    fn validate(data: &Self) -> Result<(), Vec<FieldError>> {
        let mut errors = RecordErrors::default();
        errors.title(
            "name",
            &data.name,
            "템플릿 이름을 두 글자 이상 입력해 주세요.",
        );
        errors.present("content", &data.content, "답변 내용을 입력해 주세요.");
        errors.finish()
    }
}

impl DeclaredRecord for AnswerTemplate {
    const WIRE: WireNames = WireNames {
        path: "/api/console/center/answerTemplates",
        one: "answerTemplate",
        many: "answerTemplates",
    };
    const SELLERS: SellerAccess = SellerAccess::Own;
    const SCHEMA: ResourceSchema = ResourceSchema {
        search: &["name", "content"],
        sorts: &["index", "name", "createdAt", "updatedAt"],
        default_sort: "-index",
        filters: &[
            Filter::one_of("target", TARGETS),
            Filter::reference("_seller", "seller"),
        ],
        ..ResourceSchema::of(&[
            Field::text("name", "템플릿 이름").required(),
            Field::reference("_seller", "판매자", "seller"),
            Field::one_of("target", "쓰이는 곳", TARGETS),
            Field::longtext("content", "답변 내용")
                .required()
                .letters(TEXT_MOST),
            Field::integer("index", "순서"),
        ])
    };
}
