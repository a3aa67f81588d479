//! Events of coupon campaigns and of issued coupons.

use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use utoipa::ToSchema;

use crate::catalogue::ValueUnit;
use crate::domain_event;
use crate::ids::{BulkGrantId, CouponId, IssuedCouponId, MemberId, OrderId, ProductId};
use crate::money::Amount;

/// Stage of the price calculation a coupon applies to; stages are applied in this order (spec V285).
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Stage {
    /// The price of one product line.
    Product,
    /// The delivery fare.
    Fare,
    /// The remainder of lines and fares.
    Total,
}

/// Price that a coupon's limits on the goods are compared with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum PriceBasis {
    /// After product and level discounts, before any coupon.
    #[default]
    Sale,
    /// Before any discount.
    List,
}

/// The terms of a coupon, frozen when it is issued.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CouponTerms {
    /// Name.
    pub name: String,
    /// Stage of the price calculation.
    pub stage: Stage,
    /// Amount or percent.
    pub unit: ValueUnit,
    /// Hundredths, or percent 0-100.
    pub value: i64,
    /// Maximum discount, hundredths.
    pub limit: Option<Amount>,
    /// The seller who funds the seller's part.
    #[serde(rename = "_seller")]
    pub seller: Option<MemberId>,
    /// Percent the seller bears: 100 for a seller's coupon, else 0, unless configured otherwise (spec V096).
    pub share: u8,
    /// Eligible products; empty for all (of the seller, if there is one).
    #[serde(rename = "_products")]
    pub products: Vec<ProductId>,
    /// Eligible category codes; empty for all.
    pub categories: Vec<String>,
    /// Codes of the displays, or ids of the exhibitions, with the eligible products; empty for all. No display has the id of an exhibition.
    pub displays: Vec<String>,
    /// It was issued for goods that do not exist (exhibitions before there were any, a target without any): it works on nothing.
    pub for_nothing: bool,
    /// Price that `price__min` and `price__max` are compared with.
    pub price_basis: PriceBasis,
    /// Minimum price of the eligible lines, hundredths.
    #[serde(rename = "price__min")]
    pub price_min: Option<Amount>,
    /// Maximum price of the eligible lines, hundredths.
    #[serde(rename = "price__max")]
    pub price_max: Option<Amount>,
    /// Start of validity (inclusive).
    #[serde(with = "time::serde::rfc3339::option")]
    pub starts_at: Option<OffsetDateTime>,
    /// End of validity (exclusive).
    #[serde(with = "time::serde::rfc3339::option")]
    pub ends_at: Option<OffsetDateTime>,
    /// Whether it may be combined with other coupons in one order.
    pub combinable: bool,
    /// Whether the campaign counts its uses.
    pub counted: bool,
    /// Whether a cancellation or return of all it was used on gives it back; yes where it is not said.
    #[serde(default = "returnable", skip_serializing_if = "is_returnable")]
    pub returnable: bool,
}

/// Coupons go back unless their terms say otherwise.
pub(crate) const fn returnable() -> bool {
    true
}

/// Whether `returnable` needs not be written: its default applies.
pub(crate) const fn is_returnable(returnable: &bool) -> bool {
    *returnable
}

/// Events of a limited coupon's campaign (stream id = coupon id).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all_fields = "camelCase")]
pub enum CampaignEvent {
    /// Limits were set (or changed).
    CampaignLimited {
        /// Maximum number of draws; none for no limit.
        draws: Option<u32>,
        /// Maximum number of uses; none for no limit.
        uses: Option<u32>,
        /// Maximum total discount of all uses, hundredths; none for no limit.
        #[serde(default)]
        amount: Option<Amount>,
        /// Maximum total face value of all draws, hundredths; none for no limit, as in 1.0.
        face_value: Option<Amount>,
    },
    /// A coupon was drawn.
    CouponDrawn {
        /// The issued coupon.
        issued: IssuedCouponId,
        /// The member who drew it.
        member: MemberId,
        /// Sequence number among this member's draws, from 1; determines the id of the issued coupon's stream. None in 1.0, where
        /// draws were not numbered.
        #[serde(default)]
        number: Option<u32>,
        /// Its face value, hundredths: the most it takes off. None for a percentage without a limit, and before 3.0.
        face_value: Option<Amount>,
    },
    /// A use was counted.
    CouponUseCounted {
        /// The issued coupon.
        issued: IssuedCouponId,
        /// The member who used it. None in 1.0, which did not record it.
        #[serde(default)]
        member: Option<MemberId>,
        /// The order.
        order: OrderId,
        /// The discount, hundredths.
        #[serde(default)]
        amount: Amount,
    },
    /// A use was returned.
    CouponUseReturned {
        /// The issued coupon.
        issued: IssuedCouponId,
        /// The order.
        order: OrderId,
        /// The discount given back, hundredths. None in 1.0, which did not record it: the counted use has it.
        #[serde(default)]
        amount: Option<Amount>,
    },
}

domain_event!(CampaignEvent {
    CampaignLimited "2.0" "쿠폰 한도가 정해졌습니다",
    CouponDrawn "3.0" "쿠폰을 받았습니다",
    CouponUseCounted "2.0" "쿠폰 사용이 집계되었습니다",
    CouponUseReturned "2.0" "쿠폰 사용 집계가 취소되었습니다",
});

/// Events of one coupon in a member's coupon box.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all_fields = "camelCase")]
pub enum IssuedCouponEvent {
    /// It was issued to a member.
    CouponIssued {
        /// Its definition.
        coupon: CouponId,
        /// The owner.
        member: MemberId,
        /// Frozen terms.
        terms: Box<CouponTerms>,
        /// The member's round of the issue rule, from 1. None before 2.0.
        round: Option<u32>,
        /// What it is issued for, at most once: the year of a special date, or a day of the shop. None for other coupons.
        occasion: Option<String>,
        /// The reason given by staff; none for coupons not given by staff, and before 3.0.
        memo: Option<String>,
        /// The bulk grant it belongs to, if any. None before 4.0.
        grant: Option<BulkGrantId>,
    },
    /// A round of the member passed in which the rule issues nothing; the next one may issue this coupon.
    CouponRoundPassed {
        /// Its definition.
        coupon: CouponId,
        /// The member.
        member: MemberId,
        /// The round, from 1.
        round: u32,
        /// The occasion it was the round of, as in `CouponIssued`. None before 2.0.
        occasion: Option<String>,
    },
    /// It was used on an order.
    CouponUsed {
        /// The order.
        order: OrderId,
        /// The discount, hundredths.
        amount: Amount,
    },
    /// It was returned to the coupon box.
    CouponReturned {
        /// The order.
        order: OrderId,
    },
    /// Staff took it back; its owner cannot use it.
    CouponTaken {
        /// What staff said, for the member to read.
        memo: String,
    },
    /// Staff brought back a coupon that was taken.
    CouponBroughtBack {
        /// What staff said, for the member to read.
        memo: String,
    },
    /// Staff set another end of its validity.
    CouponPeriodChanged {
        /// The new end (exclusive).
        #[serde(with = "time::serde::rfc3339")]
        ends_at: OffsetDateTime,
        /// What staff said, for the member to read.
        memo: String,
    },
}

domain_event!(IssuedCouponEvent {
    CouponIssued "4.0" "쿠폰이 발급되었습니다",
    CouponRoundPassed "2.0" "쿠폰 없이 지나간 회차입니다",
    CouponUsed "1.0" "쿠폰을 사용했습니다",
    CouponReturned "1.0" "쿠폰이 복원되었습니다",
    CouponTaken "1.0" "쿠폰을 회수했습니다",
    CouponBroughtBack "1.0" "회수한 쿠폰을 되돌렸습니다",
    CouponPeriodChanged "1.0" "쿠폰 사용 기한이 변경되었습니다",
});
