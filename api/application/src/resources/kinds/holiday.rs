//! Public holidays, latest day first.

use domain::holiday::Holiday;

use super::super::schema::{Field, Filter, ResourceSchema};
use super::super::{AdminResource, ConsoleRecord, admin_resource};

impl ConsoleRecord for Holiday {
    const RESOURCE: AdminResource = AdminResource {
        schema: ResourceSchema {
            sorts: &["date", "name", "createdAt", "updatedAt"],
            default_sort: "-date",
            filters: &[Filter::period("date"), Filter::period("createdAt")],
            ..ResourceSchema::of(&[
                Field::date("date", "날짜").required(),
                Field::text("name", "공휴일 이름").required(),
            ])
        },
        ..admin_resource!(Holiday: "holiday" at "/api/console/shop/holidays", "holiday", "holidays")
    };
}
