//! Popups.

use domain::storefront::Popup;

use super::super::schema::{Field, FieldType, ResourceSchema};
use super::super::{AdminResource, ConsoleRecord, admin_resource};
use super::{ENABLED, ENDED_AT, HAS_PERIOD, SHOWN, STARTED_AT};

impl ConsoleRecord for Popup {
    const RESOURCE: AdminResource = AdminResource {
        schema: ResourceSchema {
            filters: SHOWN,
            ..ResourceSchema::of(&[
                Field::text("name", "팝업명").required(),
                Field::html("content", "내용"),
                Field::image("image", "이미지"),
                Field::of("url", "연결 주소", FieldType::Url),
                Field::integer("left", "왼쪽 위치(px)").least(0).most(4_000),
                Field::integer("top", "위쪽 위치(px)").least(0).most(4_000),
                Field::integer("width", "너비(px)")
                    .required()
                    .least(1)
                    .most(4_000),
                Field::integer("height", "높이(px)")
                    .required()
                    .least(1)
                    .most(4_000),
                ENABLED,
                HAS_PERIOD,
                STARTED_AT,
                ENDED_AT,
            ])
        },
        ..admin_resource!(Popup: "popup" at "/api/console/popups", "popup", "popups")
    };
}
