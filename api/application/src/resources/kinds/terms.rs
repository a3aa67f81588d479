//! Terms; each edition is a record.

use domain::storefront::Terms;

use super::super::schema::{Field, Filter, ResourceSchema};
use super::super::{AdminResource, ConsoleRecord, admin_resource};

impl ConsoleRecord for Terms {
    const RESOURCE: AdminResource = AdminResource {
        schema: ResourceSchema {
            search: &["name", "code"],
            sorts: &[
                "code",
                "name",
                "edition",
                "startsAt",
                "createdAt",
                "updatedAt",
            ],
            filters: &[
                Filter::boolean("required"),
                Filter::range("edition"),
                Filter::period("startsAt"),
                Filter::period("createdAt"),
            ],
            ..ResourceSchema::of(&[
                Field::text("code", "약관 코드").required().letters(50),
                Field::text("name", "약관명").required(),
                Field::html("content", "내용").required(),
                Field::boolean("required", "필수 동의"),
                Field::integer("edition", "차수").required().least(1),
                Field::datetime("startsAt", "시행일").required(),
            ])
        },
        ..admin_resource!(Terms: "terms" at "/api/console/terms", "terms", "terms")
    };
}
