//! Advertisements.

use domain::storefront::{BannerAdvertisement, LinkTarget};

use super::super::schema::{Field, FieldType, ResourceSchema};
use super::super::{AdminResource, ConsoleRecord, admin_resource};
use super::{ENABLED, ENDED_AT, HAS_PERIOD, SHOWN, STARTED_AT};

impl ConsoleRecord for BannerAdvertisement {
    const RESOURCE: AdminResource = AdminResource {
        schema: ResourceSchema {
            sorts: &["index", "name", "createdAt", "updatedAt"],
            default_sort: "-index",
            filters: SHOWN,
            ..ResourceSchema::of(&[
                Field::text("name", "광고명").required(),
                Field::image("image", "이미지").required(),
                Field::of("url", "연결 주소", FieldType::Url),
                Field::one_of("target", "열리는 곳", LinkTarget::CHOICES),
                Field::integer("index", "노출 순서"),
                ENABLED,
                HAS_PERIOD,
                STARTED_AT,
                ENDED_AT,
            ])
        },
        ..admin_resource!(BannerAdvertisement: "banner-advertisement" at "/api/console/bannerAdvertisements", "bannerAdvertisement", "bannerAdvertisements")
    };
}
