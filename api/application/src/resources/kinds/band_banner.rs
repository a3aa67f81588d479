//! Band banners.

use domain::storefront::BandBanner;

use super::super::schema::{Field, FieldType, ResourceSchema};
use super::super::{AdminResource, ConsoleRecord, admin_resource};
use super::{ENABLED, ENDED_AT, HAS_PERIOD, SHOWN, STARTED_AT};

impl ConsoleRecord for BandBanner {
    const RESOURCE: AdminResource = AdminResource {
        schema: ResourceSchema {
            search: &["name", "code", "content"],
            filters: SHOWN,
            ..ResourceSchema::of(&[
                Field::text("code", "띠배너 위치").required().letters(50),
                Field::text("name", "띠배너명").required(),
                Field::longtext("content", "내용").required(),
                Field::of("url", "연결 주소", FieldType::Url),
                Field::of("color", "배경색", FieldType::Color),
                ENABLED,
                HAS_PERIOD,
                STARTED_AT,
                ENDED_AT,
            ])
        },
        ..admin_resource!(BandBanner: "band-banner" at "/api/console/bandBanners", "bandBanner", "bandBanners")
    };
}
