//! Displays: products shown at one place.

use domain::storefront::ProductDisplay;

use super::super::schema::{Field, FieldChoice, Filter, ResourceSchema, choice};
use super::super::{AdminResource, ConsoleRecord, admin_resource};

/// Places where the shop displays products.
pub(crate) const PLACES: &[FieldChoice] = &[
    choice("MAIN_FEATURED", "메인 추천"),
    choice("NEW_ARRIVAL", "신상품"),
    choice("BEST_SELLER", "베스트셀러"),
    choice("POPULAR", "인기 상품"),
    choice("BEST_REVIEW", "후기 좋은 상품"),
    choice("RECOMMENDATION", "추천 상품"),
    choice("MERIT", "장점"),
];

const ITEM: &[Field] = &[
    Field::text("title", "제목").required().letters(1_000),
    Field::longtext("content", "내용"),
    Field::image("image", "이미지"),
];

impl ConsoleRecord for ProductDisplay {
    const RESOURCE: AdminResource = AdminResource {
        schema: ResourceSchema {
            sorts: &["index", "name", "code", "createdAt", "updatedAt"],
            default_sort: "-index",
            filters: &[
                Filter::one_of("code", PLACES),
                Filter::boolean("shows"),
                Filter::reference("_products", "product"),
                Filter::period("createdAt"),
            ],
            ..ResourceSchema::of(&[
                Field::one_of("code", "진열 위치", PLACES).required(),
                Field::text("name", "진열명").required(),
                Field::references("_products", "상품", "product"),
                Field::list("items", "항목", ITEM),
                Field::boolean("shows", "노출"),
                Field::integer("index", "노출 순서"),
            ])
        },
        ..admin_resource!(ProductDisplay: "display" at "/api/console/shop/displays", "display", "displays")
    };
}
