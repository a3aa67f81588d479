//! The coupon record, as edited by staff or a seller. Its terms are frozen into each coupon issued.

use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use utoipa::ToSchema;

use super::events::{CouponTerms, PriceBasis, Stage};
use crate::business_day;
use crate::catalogue::ValueUnit;
use crate::ids::{MemberId, ProductId};
use crate::member::MemberType;
use crate::money::Amount;
use crate::record::Resource;
use crate::resource_names;
use crate::validation::FieldError;
use crate::validation::RecordErrors;

/// A coupon record (kind `coupon`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Coupon {
    /// The member who created it.
    #[serde(rename = "_issuer", default)]
    pub issuer: Option<MemberId>,
    /// The seller it belongs to; none = the platform's.
    #[serde(rename = "_seller", default)]
    pub seller: Option<MemberId>,
    /// Name, more than one character (spec V135).
    pub name: String,
    /// Unit of `value`.
    pub unit: ValueUnit,
    /// Hundredths, or percent 0-100 (spec V150).
    pub value: i64,
    /// Maximum discount, hundredths (spec V283).
    #[serde(default)]
    pub limit: Option<Amount>,
    /// Percent the seller bears; defaults to 100 with a seller, else 0 (spec V096, V197).
    #[serde(default)]
    pub share: Option<u8>,
    /// How many are issued at a time.
    #[serde(default = "one")]
    pub count: u32,
    /// When and to whom it is issued.
    pub issue: IssueRule,
    /// Where and when it can be used.
    pub usage: UsageRule,
    /// Whether it is listed in the console.
    #[serde(default)]
    pub on_console: bool,
    /// Whether it is listed for shoppers.
    #[serde(default)]
    pub on_display: bool,
}

const fn one() -> u32 {
    1
}

/// How a coupon gets into a member's coupon box.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum IssueType {
    /// The member downloads it.
    #[default]
    Request,
    /// An event issues it.
    Instant,
}

/// Event that issues an `instant` coupon.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum IssueEventType {
    /// A member joins.
    UserJoin,
    /// A member reaches a higher level.
    LevelUp,
    /// A member's special date; `code` selects it.
    SpecialDate,
    /// A day of the shop.
    ShopSpecificDay,
    /// A purchase is confirmed.
    PurchaseComplete,
    /// A review in words.
    TextReview,
    /// A review with a photo.
    PhotoReview,
}

/// The triggering event of an issue rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct IssueEvent {
    /// Type of event.
    #[serde(rename = "type")]
    pub kind: IssueEventType,
    /// Parameter of the event: the special date, the level code, ...
    #[serde(default)]
    pub code: Option<String>,
}

/// How often one member may receive it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum RoundType {
    /// Once.
    #[default]
    Single,
    /// In the listed rounds.
    Bounded,
    /// Any number of times.
    Infinite,
}

/// The rounds of an issue rule.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Round {
    /// Type of the rule.
    #[serde(rename = "type")]
    pub kind: RoundType,
    /// Rounds in which it is issued.
    pub includeds: Vec<u32>,
    /// Rounds in which it is not issued.
    pub excludeds: Vec<u32>,
}

/// Which members an issue rule applies to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum IssueTargetType {
    /// All members.
    #[default]
    All,
    /// The listed members.
    Users,
    /// Members of the listed types.
    UserTypes,
    /// Members of the listed levels.
    UserLevels,
}

/// The members an issue rule applies to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct IssueTarget {
    /// Which of the lists applies.
    #[serde(rename = "type")]
    pub kind: IssueTargetType,
    /// Members.
    #[serde(rename = "_users")]
    pub users: Vec<MemberId>,
    /// Codes of membership levels.
    #[serde(rename = "_levels")]
    pub levels: Vec<String>,
    /// Member types.
    pub user_types: Vec<MemberType>,
}

/// Limits over the whole shop.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct ShopLimit {
    /// Maximum number of times; none for no limit.
    #[serde(rename = "count__sum")]
    pub count_sum: Option<u32>,
    /// Maximum total amount, hundredths; none for no limit.
    #[serde(rename = "price__sum")]
    pub price_sum: Option<Amount>,
}

/// Limits on the goods a coupon is used on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct TargetLimit {
    /// Minimum price of the eligible lines, hundredths.
    #[serde(rename = "price__min")]
    pub price_min: Option<Amount>,
    /// Maximum price of the eligible lines, hundredths.
    #[serde(rename = "price__max")]
    pub price_max: Option<Amount>,
}

/// Limits of an issue rule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct IssueLimit {
    /// Over the whole shop: `count__sum` draws.
    pub shop: ShopLimit,
}

/// Limits of a usage rule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct UsageLimit {
    /// Over the whole shop: at most `count__sum` uses with a total discount of `price__sum`.
    pub shop: ShopLimit,
    /// On the goods it is used on.
    pub target: TargetLimit,
}

/// When and to whom a coupon is issued.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct IssueRule {
    /// Downloaded, or issued by an event.
    #[serde(rename = "type")]
    pub kind: IssueType,
    /// The event that issues it.
    pub event: Option<IssueEvent>,
    /// How often one member receives it.
    pub round: Round,
    /// The members who receive it.
    pub target: IssueTarget,
    /// Limits on the number issued.
    pub limit: IssueLimit,
    /// Start of the issue period (inclusive).
    #[serde(with = "time::serde::rfc3339::option")]
    pub starts_at: Option<OffsetDateTime>,
    /// End of the issue period (exclusive).
    #[serde(with = "time::serde::rfc3339::option")]
    pub ends_at: Option<OffsetDateTime>,
    /// The Seoul day on which it is issued, if it is issued on one day only.
    #[serde(with = "time::serde::rfc3339::option")]
    pub issues_at: Option<OffsetDateTime>,
    /// Whether the rule is switched on.
    pub is_active: bool,
}

/// What a usage rule applies to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum UsageTargetType {
    /// Everything.
    #[default]
    All,
    /// The listed products.
    Products,
    /// The listed categories.
    Categories,
    /// The listed exhibitions.
    Exhibitions,
    /// The listed displays.
    Displays,
}

/// What a coupon can be used on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct UsageTarget {
    /// Which of the lists applies.
    #[serde(rename = "type")]
    pub kind: UsageTargetType,
    /// The price the limits are compared with: `SALE` (default) or `LIST`. What else was stored before it was checked means `SALE`.
    pub price_basis: Option<String>,
    /// Products.
    #[serde(rename = "_products")]
    pub products: Vec<ProductId>,
    /// Category codes.
    #[serde(rename = "_categories")]
    pub categories: Vec<String>,
    /// Exhibitions, by their ids.
    #[serde(rename = "_exhibitions")]
    pub exhibitions: Vec<String>,
    /// Display codes.
    pub display_codes: Vec<String>,
}

/// Where and when a coupon can be used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UsageRule {
    /// Stage of the price calculation it applies to (spec V285).
    #[serde(rename = "type")]
    pub stage: Stage,
    /// The goods it can be used on.
    #[serde(default)]
    pub target: UsageTarget,
    /// Limits on its use.
    #[serde(default)]
    pub limit: UsageLimit,
    /// Start of the usage period (inclusive).
    #[serde(with = "time::serde::rfc3339::option", default)]
    pub starts_at: Option<OffsetDateTime>,
    /// End of the usage period (exclusive).
    #[serde(with = "time::serde::rfc3339::option", default)]
    pub ends_at: Option<OffsetDateTime>,
    /// Whether the rule is switched on.
    #[serde(default)]
    pub is_active: bool,
    /// Whether it may be combined with other coupons in one order.
    #[serde(default)]
    pub combinable: bool,
    /// Whether a cancellation or return of all it was used on gives it back.
    #[serde(
        default = "super::events::returnable",
        skip_serializing_if = "super::events::is_returnable"
    )]
    pub returnable: bool,
}

impl Round {
    /// Whether the rule issues it in a member's round (from 1): single in the first, bounded in those included, infinite in all; in
    /// no case in one that is excluded.
    pub fn takes(&self, round: u32) -> bool {
        let is_included = match self.kind {
            RoundType::Single => round == 1,
            RoundType::Bounded => self.includeds.contains(&round),
            RoundType::Infinite => true,
        };
        is_included && !self.excludeds.contains(&round)
    }
}

impl UsageTarget {
    /// The price the limits are compared with; none for words that mean nothing.
    pub fn basis(&self) -> Option<PriceBasis> {
        match self.price_basis.as_deref() {
            None | Some("" | "SALE") => Some(PriceBasis::Sale),
            Some("LIST") => Some(PriceBasis::List),
            Some(_) => None,
        }
    }

    /// Whether there are goods it is for.
    pub fn has_goods(&self) -> bool {
        match self.kind {
            UsageTargetType::All => true,
            UsageTargetType::Products => !self.products.is_empty(),
            UsageTargetType::Categories => !self.categories.is_empty(),
            UsageTargetType::Displays => !self.display_codes.is_empty(),
            UsageTargetType::Exhibitions => !self.exhibitions.is_empty(),
        }
    }
}

impl Coupon {
    /// Percent the seller bears: as configured, else 100 with a seller and 0 without (spec V096).
    pub fn share(&self) -> u8 {
        match (self.share, self.seller) {
            (Some(share), Some(_)) => share,
            (None, Some(_)) => 100,
            (_, None) => 0,
        }
    }

    /// Whether its campaign counts uses.
    pub fn counts_uses(&self) -> bool {
        let limit = self.usage.limit.shop;
        limit.count_sum.is_some() || limit.price_sum.is_some()
    }

    /// Whether it can be issued at `now` (state `issuable`): in the period of the issue rule and on its day, if it has one, while
    /// both rules are switched on. A coupon that cannot be used is not issued.
    pub fn is_issuable(&self, now: OffsetDateTime) -> bool {
        let on_its_day = |day| business_day::day(day) == business_day::day(now);
        self.issue.is_active
            && self.usage.is_active
            && self.issue.issues_at.is_none_or(on_its_day)
            && self.issue.starts_at.is_none_or(|start| now >= start)
            && self.issue.ends_at.is_none_or(|end| now < end)
    }

    /// Whether a coupon issued at `now` can be used then or later.
    pub fn is_usable_from(&self, now: OffsetDateTime) -> bool {
        self.usage.is_active && self.usage.ends_at.is_none_or(|end| now < end)
    }

    /// The most a coupon takes off, hundredths: its amount, or the limit of a percentage.
    pub fn face_value(&self) -> Option<Amount> {
        match self.unit {
            ValueUnit::Amount => Some(Amount::new(self.value)),
            ValueUnit::Percent => self.limit,
        }
    }

    /// The terms frozen into a coupon issued now.
    pub fn terms(&self) -> CouponTerms {
        let target = &self.usage.target;
        let of = |kind, list: &[String]| match target.kind == kind {
            true => list.to_vec(),
            false => Vec::new(),
        };
        CouponTerms {
            name: self.name.clone(),
            stage: self.usage.stage,
            unit: self.unit,
            value: self.value,
            limit: self.limit,
            seller: self.seller,
            share: self.share(),
            products: match target.kind {
                UsageTargetType::Products => target.products.clone(),
                _ => Vec::new(),
            },
            categories: of(UsageTargetType::Categories, &target.categories),
            displays: match target.kind {
                UsageTargetType::Exhibitions => target.exhibitions.clone(),
                _ => of(UsageTargetType::Displays, &target.display_codes),
            },
            for_nothing: !target.has_goods(),
            price_basis: target.basis().unwrap_or_default(),
            price_min: self.usage.limit.target.price_min,
            price_max: self.usage.limit.target.price_max,
            starts_at: self.usage.starts_at,
            ends_at: self.usage.ends_at,
            combinable: self.usage.combinable,
            counted: self.counts_uses(),
            returnable: self.usage.returnable,
        }
    }
}

impl Resource for Coupon {
    resource_names!("coupon", "Coupon", "쿠폰");
    type Data = Self;

    fn validate(data: &Self) -> Result<(), Vec<FieldError>> {
        let mut errors = RecordErrors::default();
        errors.name("name", &data.name, "쿠폰명을 두 글자 이상 입력해 주세요.");
        errors.value("value", data.unit, data.value);
        errors.amount("limit", data.limit);
        errors.percent("share", data.share.unwrap_or(0));
        super::rules::check(data, &mut errors);
        let limit = data.usage.limit;
        errors.amount(
            "issue.limit.shop.price__sum",
            data.issue.limit.shop.price_sum,
        );
        errors.amount("usage.limit.shop.price__sum", limit.shop.price_sum);
        errors.amount("usage.limit.target.price__min", limit.target.price_min);
        errors.amount("usage.limit.target.price__max", limit.target.price_max);
        if let (Some(least), Some(most)) = (limit.target.price_min, limit.target.price_max) {
            errors.require(
                least <= most,
                "usage.limit.target.price__max",
                "out_of_order",
                "최대 금액은 최소 금액보다 크게 입력해 주세요.",
            );
        }
        errors.finish()
    }

    fn amounts(data: &Self) -> Vec<(String, Amount)> {
        let (shop, target) = (data.usage.limit.shop, data.usage.limit.target);
        let value = (data.unit == ValueUnit::Amount).then(|| Amount::new(data.value));
        [
            ("value", value),
            ("limit", data.limit),
            (
                "issue.limit.shop.price__sum",
                data.issue.limit.shop.price_sum,
            ),
            ("usage.limit.shop.price__sum", shop.price_sum),
            ("usage.limit.target.price__min", target.price_min),
            ("usage.limit.target.price__max", target.price_max),
        ]
        .into_iter()
        .filter_map(|(field, amount)| Some((field.to_owned(), amount?)))
        .collect()
    }
}
