//! Islands: postcode ranges with a delivery surcharge.

use domain::shipping::Island;

use super::super::schema::{Field, FieldChoice, Filter, ResourceSchema, choice};
use super::super::{AdminResource, ConsoleRecord, admin_resource};

const AREAS: &[FieldChoice] = &[
    choice("none", "내륙"),
    choice("island", "도서산간"),
    choice("jeju", "제주"),
];

impl ConsoleRecord for Island {
    const RESOURCE: AdminResource = AdminResource {
        schema: ResourceSchema {
            search: &["name", "starts", "ends"],
            sorts: &["createdAt", "updatedAt", "name", "starts", "ends"],
            filters: &[Filter::one_of("area", AREAS), Filter::period("createdAt")],
            ..ResourceSchema::of(&[
                Field::text("name", "지역명").required(),
                Field::text("starts", "시작 우편번호").required().letters(5),
                Field::text("ends", "끝 우편번호").required().letters(5),
                Field::one_of("area", "구분", AREAS).required(),
            ])
        },
        ..admin_resource!(Island: "island" at "/api/console/shop/islands", "island", "islands")
    };
}
