//! Tag events: products and reviews gathered under a hashtag for a while.

use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use utoipa::ToSchema;

use super::promotion::{self, PromotionState};
use crate::catalogue::Picture;
use crate::ids::ProductId;
use crate::record::{DeclaredRecord, Resource, UniqueCode, WireNames};
use crate::resource_names;
use crate::schema::{Field, ResourceSchema};
use crate::validation::{FieldError, RecordErrors};

/// Maximum length of a tag.
const TAG_MOST: usize = 30;

/// A tag event record (kind `tag-event`). Its tag is unique.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TagEvent {
    /// Its name.
    pub name: String,
    /// The hashtag, without `#`.
    pub tag: String,
    /// Short description, shown in lists.
    #[serde(default)]
    pub desc: String,
    /// Text of its page (HTML).
    #[serde(default)]
    pub content: String,
    /// Picture in lists.
    pub thumb: Picture,
    /// Wide picture of its page; the one in lists without it.
    #[serde(default)]
    pub banner: Option<Picture>,
    /// The products, in order.
    #[serde(rename = "_products", default)]
    pub products: Vec<ProductId>,
    /// Start (inclusive); none for no start.
    #[serde(with = "time::serde::rfc3339::option", default)]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub starts_at: Option<OffsetDateTime>,
    /// End (exclusive); none for no end.
    #[serde(with = "time::serde::rfc3339::option", default)]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub ends_at: Option<OffsetDateTime>,
    /// Whether shoppers see it.
    #[serde(default)]
    pub shows: bool,
    /// Sort index, higher first.
    #[serde(default)]
    pub index: i32,
}

impl TagEvent {
    /// Its state at `now`.
    pub fn state(&self, now: OffsetDateTime) -> PromotionState {
        PromotionState::at(now, self.starts_at, self.ends_at)
    }
}

impl Resource for TagEvent {
    resource_names!("tag-event", "TagEvent", "태그 이벤트");
    const UNIQUE: Option<UniqueCode> = Some(UniqueCode {
        scope: "tag-event-tag",
        fields: &["tag"],
        taken: "이 태그에는 이미 이벤트가 있습니다.",
    });
    type Data = Self;

    fn validate(data: &Self) -> Result<(), Vec<FieldError>> {
        let mut errors = RecordErrors::default();
        errors.title(
            "name",
            &data.name,
            "태그 이벤트 이름을 두 글자 이상 입력해 주세요.",
        );
        errors.present("tag", &data.tag, "태그를 입력해 주세요.");
        errors.require(
            data.tag
                .chars()
                .all(|letter| letter.is_alphanumeric() || letter == '_'),
            "tag",
            "not_a_tag",
            "태그는 # 없이 한글, 영문, 숫자, _로 입력해 주세요.",
        );
        errors.require(
            data.tag.chars().count() <= TAG_MOST,
            "tag",
            "too_long",
            "태그를 30자 이하로 입력해 주세요.",
        );
        promotion::check(
            &mut errors,
            (&data.desc, &data.content),
            (&data.thumb, data.banner.as_ref()),
            data.products.len(),
            (data.starts_at, data.ends_at),
        );
        errors.finish()
    }
}

impl DeclaredRecord for TagEvent {
    const WIRE: WireNames = WireNames {
        path: "/api/console/shop/tag-events",
        one: "tagEvent",
        many: "tagEvents",
    };
    const SCHEMA: ResourceSchema = ResourceSchema {
        search: &["name", "tag"],
        sorts: promotion::SORTS,
        default_sort: "-index",
        filters: promotion::FILTERS,
        ..ResourceSchema::of(&[
            Field::text("name", "태그 이벤트명").required(),
            Field::text("tag", "태그").required().letters(30),
            Field::longtext("desc", "소개"),
            Field::html("content", "내용"),
            Field::image("thumb", "목록 이미지").required(),
            Field::image("banner", "배너"),
            Field::references("_products", "상품", "product"),
            Field::datetime("startsAt", "시작"),
            Field::datetime("endsAt", "종료"),
            Field::boolean("shows", "노출"),
            Field::integer("index", "노출 순서"),
        ])
    };
}
