//! What can happen to a coupon campaign and to one issued coupon.

use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use utoipa::ToSchema;

use crate::catalogue::ValueUnit;
use crate::domain_event;
use crate::ids::{CouponId, IssuedCouponId, MemberId, OrderId, ProductId};
use crate::money::Amount;

/// Where a coupon takes off; applied in this order (spec V285).
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Stage {
    /// The price of one product line.
    Product,
    /// The delivery fare.
    Fare,
    /// What is left of lines and fares.
    Total,
}

/// The terms of a coupon, frozen when it is issued.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CouponTerms {
    /// Name.
    pub name: String,
    /// Where it takes off.
    pub stage: Stage,
    /// Amount or percent.
    pub unit: ValueUnit,
    /// Hundredths, or percent 0-100.
    pub value: i64,
    /// The most it takes off, hundredths.
    pub limit: Option<Amount>,
    /// Who funds the seller's part.
    #[serde(rename = "_seller")]
    pub seller: Option<MemberId>,
    /// Percent the seller bears: 100 for a seller's coupon, else 0, unless said otherwise (spec V096).
    pub share: u8,
    /// Products it is for; empty = all (of the seller, if there is one).
    #[serde(rename = "_products")]
    pub products: Vec<ProductId>,
    /// Category codes it is for; empty = all.
    pub categories: Vec<String>,
    /// The least the lines it is for must cost, hundredths.
    #[serde(rename = "price__min")]
    pub price_min: Option<Amount>,
    /// The most they may cost, hundredths.
    #[serde(rename = "price__max")]
    pub price_max: Option<Amount>,
    /// Not before.
    #[serde(with = "time::serde::rfc3339::option")]
    pub starts_at: Option<OffsetDateTime>,
    /// Not at or after.
    #[serde(with = "time::serde::rfc3339::option")]
    pub ends_at: Option<OffsetDateTime>,
    /// May stand beside other coupons of the same order.
    pub combinable: bool,
    /// Its uses are counted by the campaign.
    pub counted: bool,
}

/// What happened to a limited coupon's campaign (stream id = coupon id).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all_fields = "camelCase")]
pub enum CampaignEvent {
    /// Limits were set (or changed).
    CampaignLimited {
        /// How many may be drawn; none = any number.
        draws: Option<u32>,
        /// How many may be used; none = any number.
        uses: Option<u32>,
        /// How much all uses together may take off, hundredths; none = any amount.
        #[serde(default)]
        amount: Option<Amount>,
    },
    /// One was drawn.
    CouponDrawn {
        /// The issued coupon.
        issued: IssuedCouponId,
        /// Who drew it.
        member: MemberId,
        /// How many-th of this member's, from 1: its stream's id follows from it. None (1.0): draws were not numbered.
        #[serde(default)]
        number: Option<u32>,
    },
    /// One use was counted.
    CouponUseCounted {
        /// The issued coupon.
        issued: IssuedCouponId,
        /// Who used it. None (1.0): it was not said.
        #[serde(default)]
        member: Option<MemberId>,
        /// On which order.
        order: OrderId,
        /// What it took off.
        #[serde(default)]
        amount: Amount,
    },
    /// One use was given back.
    CouponUseReturned {
        /// The issued coupon.
        issued: IssuedCouponId,
        /// From which order.
        order: OrderId,
        /// What it took off and does not any more. None (1.0): it was not said, the count of the use has it.
        #[serde(default)]
        amount: Option<Amount>,
    },
}

domain_event!(CampaignEvent {
    CampaignLimited "1.0" "쿠폰 한도가 정해졌습니다",
    CouponDrawn "2.0" "쿠폰을 받았습니다",
    CouponUseCounted "2.0" "쿠폰 사용이 집계되었습니다",
    CouponUseReturned "2.0" "쿠폰 사용 집계가 취소되었습니다",
});

/// What happened to one coupon in a member's box.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all_fields = "camelCase")]
pub enum IssuedCouponEvent {
    /// It came into the box.
    CouponIssued {
        /// Its definition.
        coupon: CouponId,
        /// Whose box.
        member: MemberId,
        /// Frozen terms.
        terms: CouponTerms,
    },
    /// It was used on an order.
    CouponUsed {
        /// The order.
        order: OrderId,
        /// What it took off.
        amount: Amount,
    },
    /// It went back to the box.
    CouponReturned {
        /// The order.
        order: OrderId,
    },
}

domain_event!(IssuedCouponEvent {
    CouponIssued "1.0" "쿠폰이 발급되었습니다",
    CouponUsed "1.0" "쿠폰을 사용했습니다",
    CouponReturned "1.0" "쿠폰이 복원되었습니다",
});
