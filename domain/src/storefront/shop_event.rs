//! Events of the shop: a page with products and coupons for a while.

use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use utoipa::ToSchema;

use super::promotion::{self, PromotionState};
use crate::catalogue::Picture;
use crate::ids::{CouponId, ProductId};
use crate::record::{DeclaredRecord, Resource, WireNames};
use crate::resource_names;
use crate::schema::{Field, ResourceSchema};
use crate::validation::{FieldError, RecordErrors};

/// Maximum number of coupons of an event.
const COUPONS_MOST: usize = 20;

/// An event record (kind `shop-event`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ShopEvent {
    /// Its name.
    pub name: String,
    /// The coupons offered on its page, in order.
    #[serde(rename = "_coupons", default)]
    pub coupons: Vec<CouponId>,
    /// Short description, shown in lists.
    #[serde(default)]
    pub desc: String,
    /// Text of its page (HTML).
    #[serde(default)]
    pub content: String,
    /// Picture in lists.
    pub thumb: Picture,
    /// Wide picture of its page; the one in lists without it.
    #[serde(default)]
    pub banner: Option<Picture>,
    /// The products, in order.
    #[serde(rename = "_products", default)]
    pub products: Vec<ProductId>,
    /// Start (inclusive); none for no start.
    #[serde(with = "time::serde::rfc3339::option", default)]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub starts_at: Option<OffsetDateTime>,
    /// End (exclusive); none for no end.
    #[serde(with = "time::serde::rfc3339::option", default)]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub ends_at: Option<OffsetDateTime>,
    /// Whether shoppers see it.
    #[serde(default)]
    pub shows: bool,
    /// Sort index, higher first.
    #[serde(default)]
    pub index: i32,
}

impl ShopEvent {
    /// Its state at `now`.
    pub fn state(&self, now: OffsetDateTime) -> PromotionState {
        PromotionState::at(now, self.starts_at, self.ends_at)
    }
}

impl Resource for ShopEvent {
    resource_names!("shop-event", "ShopEvent", "이벤트");
    type Data = Self;

    fn validate(data: &Self) -> Result<(), Vec<FieldError>> {
        let mut errors = RecordErrors::default();
        errors.title(
            "name",
            &data.name,
            "이벤트 이름을 두 글자 이상 입력해 주세요.",
        );
        errors.no_more_than("_coupons", data.coupons.len(), COUPONS_MOST);
        promotion::check(
            &mut errors,
            (&data.desc, &data.content),
            (&data.thumb, data.banner.as_ref()),
            data.products.len(),
            (data.starts_at, data.ends_at),
        );
        errors.finish()
    }
}

impl DeclaredRecord for ShopEvent {
    const WIRE: WireNames = WireNames {
        path: "/api/console/shop/events",
        one: "event",
        many: "events",
    };
    const SCHEMA: ResourceSchema = ResourceSchema {
        search: &["name"],
        sorts: promotion::SORTS,
        default_sort: "-index",
        filters: promotion::FILTERS,
        ..ResourceSchema::of(&[
            Field::text("name", "이벤트명").required(),
            Field::references("_coupons", "쿠폰", "coupon"),
            Field::longtext("desc", "소개"),
            Field::html("content", "내용"),
            Field::image("thumb", "목록 이미지").required(),
            Field::image("banner", "배너"),
            Field::references("_products", "상품", "product"),
            Field::datetime("startsAt", "시작"),
            Field::datetime("endsAt", "종료"),
            Field::boolean("shows", "노출"),
            Field::integer("index", "노출 순서"),
        ])
    };
}
