//! Brands.

use domain::storefront::Brand;

use super::super::schema::{Field, Filter, ResourceSchema};
use super::super::{AdminResource, ConsoleRecord, admin_resource};

impl ConsoleRecord for Brand {
    const RESOURCE: AdminResource = AdminResource {
        readable_by_sellers: true,
        named_by_code: true,
        schema: ResourceSchema {
            search: &["name", "nameEn", "code"],
            sorts: &["index", "name", "code", "createdAt", "updatedAt"],
            default_sort: "-index",
            filters: &[
                Filter::boolean("shows"),
                Filter::reference("categories", "category"),
                Filter::period("createdAt"),
            ],
            ..ResourceSchema::of(&[
                Field::text("code", "브랜드 코드").required().letters(50),
                Field::text("name", "브랜드명").required(),
                Field::text("nameEn", "영문명"),
                Field::text("initial", "초성").letters(1),
                Field::image("label", "로고"),
                Field::longtext("desc", "소개"),
                Field::references("categories", "카테고리", "category"),
                Field::integer("index", "노출 순서"),
                Field::boolean("shows", "노출"),
            ])
        },
        ..admin_resource!(Brand: "brand" at "/api/console/shop/brands", "brand", "brands")
    };
}
