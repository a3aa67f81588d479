//! Banners.

use domain::record::Document;
use domain::storefront::{Banner, LinkTarget};
use serde_json::{Value, json};
use uuid::Uuid;

use super::super::schema::{Field, FieldChoice, FieldType, Filter, ResourceSchema, choice};
use super::super::{AdminResource, ConsoleRecord, admin_resource};
use super::{ENABLED, ENDED_AT, HAS_PERIOD, STARTED_AT};

const DEVICES: &[FieldChoice] = &[choice("PC", "PC"), choice("MOBILE", "모바일")];

/// Places where the shop shows banners.
const BANNER_PLACES: &[FieldChoice] = &[
    choice("MAIN_1", "메인 1"),
    choice("MAIN_2", "메인 2"),
    choice("RECIPE", "레시피"),
];

const SLIDE: &[Field] = &[
    Field::text("_id", "슬라이드 번호").read_only(),
    Field::image("image", "이미지").required(),
    Field::of("url", "연결 주소", FieldType::Url),
    Field::boolean("isOuterLink", "외부 링크"),
    Field::one_of("target", "열리는 곳", LinkTarget::CHOICES),
    Field::text("meta.title", "제목"),
    Field::text("meta.description", "설명").letters(1_000),
    Field::text("meta.tag", "태그"),
];

impl ConsoleRecord for Banner {
    const RESOURCE: AdminResource = AdminResource {
        normalize: |_, _, fields| {
            number_slides(fields);
            Ok(Vec::new())
        },
        schema: ResourceSchema {
            search: &["name", "code"],
            sorts: &["createdAt", "updatedAt", "name", "code"],
            filters: &[
                Filter::one_of("device", DEVICES),
                Filter::boolean("display.enabled"),
                Filter::period("display.startedAt"),
                Filter::period("display.endedAt"),
                Filter::period("createdAt"),
            ],
            ..ResourceSchema::of(&[
                Field::text("code", "배너 위치")
                    .required()
                    .letters(50)
                    .named(BANNER_PLACES),
                Field::text("name", "배너명").required(),
                Field::one_of("device", "기기", DEVICES),
                Field::of("url", "연결 주소", FieldType::Url),
                ENABLED,
                HAS_PERIOD,
                STARTED_AT,
                ENDED_AT,
                Field::list("slides", "슬라이드", SLIDE),
            ])
        },
        ..admin_resource!(Banner: "banner" at "/api/console/banners", "banner", "banners")
    };
}

/// Assigns ids to new slides.
fn number_slides(fields: &mut Document) {
    let slides = fields.get_mut("slides").and_then(Value::as_array_mut);
    for slide in slides
        .into_iter()
        .flatten()
        .filter_map(Value::as_object_mut)
    {
        if slide.get("_id").is_none_or(Value::is_null) {
            slide.insert("_id".to_owned(), json!(Uuid::now_v7()));
        }
    }
}
