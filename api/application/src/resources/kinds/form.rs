//! Forms that guests and members answer.

use domain::center::InquiryForm;
use futures::FutureExt;
use futures::future::ready;

use super::super::element_ids::{assign_ids, keep_ids};
use super::super::schema::{Field, FieldChoice, Filter, ResourceSchema, choice};
use super::super::{AdminResource, ConsoleRecord, admin_resource};
use super::{ENABLED, ENDED_AT, HAS_PERIOD, STARTED_AT};

/// What a field takes, as in `domain::center::FormFieldType`.
pub(super) const FIELD_TYPES: &[FieldChoice] = &[
    choice("TEXT", "한 줄 글"),
    choice("LONGTEXT", "여러 줄 글"),
    choice("NUMBER", "숫자"),
    choice("DATE", "날짜"),
    choice("EMAIL", "이메일"),
    choice("PHONE", "휴대폰 번호"),
    choice("CHOICE", "하나 선택"),
    choice("CHOICES", "여러 개 선택"),
    choice("FILE", "파일"),
    choice("CONSENT", "동의"),
];

const FIELD: &[Field] = &[
    Field::text("_id", "항목 번호").read_only(),
    Field::one_of("type", "종류", FIELD_TYPES).required(),
    Field::text("name", "항목명").required(),
    Field::longtext("desc", "도움말"),
    Field::boolean("required", "필수"),
    Field::tags("options", "선택지"),
    Field::integer("min", "최솟값"),
    Field::integer("max", "최댓값"),
    Field::integer("maxLength", "최대 글자 수")
        .least(1)
        .most(2_000),
];

impl ConsoleRecord for InquiryForm {
    const RESOURCE: AdminResource = AdminResource {
        seal_input: |_, before, fields| {
            keep_ids("fields", before, fields);
            ready(Ok(())).boxed()
        },
        normalize: |_, _, fields| {
            assign_ids("fields", fields);
            Ok(Vec::new())
        },
        schema: ResourceSchema {
            search: &["name", "code"],
            sorts: &["createdAt", "updatedAt", "name", "code"],
            filters: &[
                Filter::boolean("membersOnly"),
                Filter::boolean("display.enabled"),
                Filter::period("createdAt"),
            ],
            ..ResourceSchema::of(&[
                Field::text("code", "코드").required().letters(50),
                Field::text("name", "양식 제목").required(),
                Field::html("content", "안내"),
                Field::longtext("doneText", "보낸 뒤 안내"),
                Field::boolean("membersOnly", "회원 전용"),
                Field::list("fields", "항목", FIELD).required(),
                ENABLED,
                HAS_PERIOD,
                STARTED_AT,
                ENDED_AT,
            ])
        },
        ..admin_resource!(InquiryForm: "form" at "/api/console/forms", "form", "forms")
    };
}
