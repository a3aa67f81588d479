//! Events of the shop: a page with products and coupons for a while, and a raffle at its end if there is one.

use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use utoipa::ToSchema;

use super::promotion::{self, PromotionState};
use crate::catalogue::Picture;
use crate::ids::{CouponId, ProductId};
use crate::record::Resource;
use crate::resource_names;
use crate::schema::{Field, ResourceSchema};
use crate::validation::{FieldError, RecordErrors};

/// Maximum number of coupons of an event.
const COUPONS_MOST: usize = 20;

/// Maximum number of winners of a raffle.
pub const WINNERS_MOST: u32 = 1_000;

/// The raffle of an event, if it has winners.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RaffleOffer {
    /// Number of winners; none for no raffle.
    #[serde(default)]
    pub winners: Option<u32>,
    /// The coupon that winners get, if any.
    #[serde(rename = "_coupon", default)]
    pub coupon: Option<CouponId>,
}

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
    /// Its raffle: members enter once, and winners are drawn when it ends.
    #[serde(default)]
    pub raffle: RaffleOffer,
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
        data.raffle.check(&mut errors, data.ends_at.is_some());
        errors.finish()
    }
}

impl RaffleOffer {
    fn check(&self, errors: &mut RecordErrors, has_end: bool) {
        let Some(winners) = self.winners else {
            errors.require(
                self.coupon.is_none(),
                "raffle.winners",
                "required",
                "당첨 쿠폰을 주려면 당첨자 수를 입력해 주세요.",
            );
            return;
        };
        errors.require(
            (1..=WINNERS_MOST).contains(&winners),
            "raffle.winners",
            "out_of_range",
            "당첨자 수를 1 이상 1,000 이하로 입력해 주세요.",
        );
        errors.require(
            has_end,
            "endsAt",
            "raffle_needs_end",
            "추첨하는 이벤트는 종료 일시를 입력해 주세요.",
        );
    }
}

impl ShopEvent {
    /// Its fields, filters and sorts in the console.
    pub const SCHEMA: ResourceSchema = ResourceSchema {
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
            Field::integer("raffle.winners", "당첨자 수"),
            Field::reference("raffle._coupon", "당첨 쿠폰", "coupon"),
            Field::integer("raffleEntries", "응모 수").read_only(),
            Field::text("raffleNumbers", "당첨 번호").read_only(),
            Field::boolean("shows", "노출"),
            Field::integer("index", "노출 순서"),
        ])
    };
}
