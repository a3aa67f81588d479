//! Review displays: reviews chosen for a place of the shop.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::PRODUCTS_MOST;
use crate::record::{DeclaredRecord, Resource, UniqueCode, WireNames};
use crate::resource_names;
use crate::schema::{Field, FieldChoice, Filter, ResourceSchema, choice};
use crate::validation::{FieldError, RecordErrors};

const PLACES: &[FieldChoice] = &[
    choice("MAIN", "메인"),
    choice("BEST", "베스트"),
    choice("EVENT", "이벤트"),
];

/// Places where reviews are displayed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ReviewPlace {
    /// The home page.
    Main,
    /// The page of the best products.
    Best,
    /// The event pages.
    Event,
}

/// A review display record (kind `review-display`). Its code is unique.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReviewDisplay {
    /// Code of the place.
    pub code: ReviewPlace,
    /// Its headline.
    pub name: String,
    /// The reviews, in order.
    #[serde(rename = "_reviews", default)]
    pub reviews: Vec<Uuid>,
    /// Whether shoppers see it.
    #[serde(default)]
    pub shows: bool,
    /// Sort index, higher first.
    #[serde(default)]
    pub index: i32,
}

impl Resource for ReviewDisplay {
    resource_names!("review-display", "ReviewDisplay", "후기 진열");
    const UNIQUE: Option<UniqueCode> = Some(UniqueCode {
        scope: "review-display-code",
        fields: &["code"],
        taken: "이 위치에는 이미 진열이 있습니다.",
    });
    type Data = Self;

    fn validate(data: &Self) -> Result<(), Vec<FieldError>> {
        let mut errors = RecordErrors::default();
        errors.title("name", &data.name, "진열명을 두 글자 이상 입력해 주세요.");
        errors.no_more_than("_reviews", data.reviews.len(), PRODUCTS_MOST);
        errors.finish()
    }
}

impl DeclaredRecord for ReviewDisplay {
    const WIRE: WireNames = WireNames {
        path: "/api/console/main/reviews",
        one: "reviewDisplay",
        many: "reviewDisplays",
    };
    const SCHEMA: ResourceSchema = ResourceSchema {
        sorts: &["index", "name", "code", "createdAt", "updatedAt"],
        default_sort: "-index",
        filters: &[
            Filter::one_of("code", PLACES),
            Filter::boolean("shows"),
            Filter::period("createdAt"),
        ],
        ..ResourceSchema::of(&[
            Field::one_of("code", "진열 위치", PLACES).required(),
            Field::text("name", "진열명").required(),
            Field::references("_reviews", "후기", "review"),
            Field::boolean("shows", "노출"),
            Field::integer("index", "노출 순서"),
        ])
    };
}
