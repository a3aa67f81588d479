//! Displays: products shown at one place.

use domain::storefront::{DisplayCode, ProductDisplay, SHOW_ITEM};

use super::super::schema::{Field, FieldChoice, Filter, ResourceSchema, choice};
use super::super::{AdminResource, ConsoleRecord, admin_resource};

/// Places where the shop displays products.
const PLACES: &[FieldChoice] = &[
    place(DisplayCode::MainFeatured),
    place(DisplayCode::NewArrival),
    place(DisplayCode::BestSeller),
    place(DisplayCode::Popular),
    place(DisplayCode::BestReview),
    place(DisplayCode::Recommendation),
    place(DisplayCode::Merit),
];

const fn place(code: DisplayCode) -> FieldChoice {
    choice(code.as_str(), code.title())
}

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
                Field::list("items", "항목", SHOW_ITEM),
                Field::boolean("shows", "노출"),
                Field::integer("index", "노출 순서"),
            ])
        },
        ..admin_resource!(ProductDisplay: "display" at "/api/console/shop/displays", "display", "displays")
    };
}
