//! Stores of sellers.

use domain::storefront::Store;

use super::super::schema::{Field, FieldType, Filter, ResourceSchema};
use super::super::{AdminResource, ConsoleRecord, admin_resource};

/// Fields a seller may change; the order of the stores is set by staff.
const OF_SELLERS: &[&str] = &[
    "name",
    "companyName",
    "desc",
    "address1",
    "address2",
    "tel",
    "thumb",
    "mainBanner",
    "banner",
    "geolocation",
    "mini",
    "shows",
];

impl ConsoleRecord for Store {
    const RESOURCE: AdminResource = AdminResource {
        for_sellers: true,
        changeable: |rows| rows.seller().map(|_| OF_SELLERS),
        schema: ResourceSchema {
            search: &["name", "address1", "tel"],
            sorts: &["index", "name", "createdAt", "updatedAt"],
            default_sort: "-index",
            filters: &[
                Filter::boolean("shows"),
                Filter::boolean("isRecommended"),
                Filter::period("createdAt"),
            ],
            ..ResourceSchema::of(&[
                Field::text("name", "매장명").required(),
                Field::reference("_seller", "판매자", "seller").required(),
                Field::text("companyName", "상호"),
                Field::longtext("desc", "소개"),
                Field::text("address1", "주소").required(),
                Field::text("address2", "상세 주소"),
                Field::text("tel", "전화번호"),
                Field::of("geolocation", "위치", FieldType::Point),
                Field::image("thumb", "대표 이미지").required(),
                Field::image("mainBanner", "미니샵 대표 배너"),
                Field::image("banner", "미니샵 배너"),
                Field::tags("mini.tag", "태그"),
                Field::boolean("isRecommended", "추천 상점"),
                Field::boolean("shows", "노출"),
                Field::integer("index", "노출 순서"),
            ])
        },
        ..admin_resource!(Store: "store" at "/api/console/shop/stores", "store", "stores")
    };
}
