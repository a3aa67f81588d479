//! Showrooms: products shown together.

use domain::storefront::Showroom;

use super::super::schema::{Field, Filter, ResourceSchema};
use super::super::{AdminResource, ConsoleRecord, admin_resource};

impl ConsoleRecord for Showroom {
    const RESOURCE: AdminResource = AdminResource {
        schema: ResourceSchema {
            search: &["name", "code"],
            sorts: &["index", "name", "code", "createdAt", "updatedAt"],
            default_sort: "-index",
            filters: &[
                Filter::boolean("shows"),
                Filter::reference("_products", "product"),
                Filter::period("createdAt"),
            ],
            ..ResourceSchema::of(&[
                Field::text("code", "쇼룸 코드").required().letters(50),
                Field::text("name", "쇼룸명").required(),
                Field::longtext("desc", "설명"),
                Field::image("image", "이미지").required(),
                Field::references("_products", "상품", "product"),
                Field::boolean("shows", "노출"),
                Field::integer("index", "노출 순서"),
            ])
        },
        ..admin_resource!(Showroom: "showroom" at "/api/console/shop/showrooms", "showroom", "showrooms")
    };
}
