//! The site setting record, with facts about the shop that staff may change, and membership levels.

use serde::{Deserialize, Serialize};
use time::{Duration, OffsetDateTime};
use utoipa::ToSchema;

use crate::catalogue::Discount;
use crate::member::MemberType;
use crate::money::Amount;
use crate::record::{Resource, UniqueCode};
use crate::resource_names;
use crate::review::ReviewPoints;
use crate::rounding::RoundingStep;
use crate::validation::FieldError;
use crate::validation::RecordErrors;

/// The site's currency, its rounding and its representation at gateways.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Currency {
    /// ISO 4217.
    pub code: String,
    /// Decimals a gateway expects: 2 for USD, 0 for KRW.
    pub exponent: u8,
    /// Rounding step in hundredths: 1 for USD, 100 for KRW.
    pub step: i64,
}

impl Default for Currency {
    fn default() -> Self {
        Self {
            code: "USD".to_owned(),
            exponent: 2,
            step: 1,
        }
    }
}

impl Currency {
    /// The rounding step.
    pub fn rounding(&self) -> RoundingStep {
        RoundingStep::try_from(self.step).unwrap_or_default()
    }

    /// Hundredths per smallest unit of the gateway: 1 for USD, 100 for KRW.
    fn unit(&self) -> i64 {
        10_i64.pow(u32::from(2_u8.saturating_sub(self.exponent)))
    }
}

/// The site setting (kind `site-setting`, one record `main`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SiteSetting {
    /// Name of the shop.
    pub name: String,
    /// Currency.
    #[serde(default)]
    pub currency: Currency,
    /// Minutes until an unpaid order is canceled and its stock, coupons and points are given back.
    pub unpaid_deadline_minutes: u32,
    /// Days after delivery until a purchase is confirmed automatically.
    pub auto_confirm_days: u32,
    /// Days after shipping until a purchase counts as delivered if its delivery is not reported.
    #[serde(default = "auto_deliver_days")]
    pub auto_deliver_days: u32,
    /// Whether a cancellation is charged the difference to the fare of the remaining goods if their price no longer reaches the threshold
    /// of a cheaper fare. Returns always are.
    #[serde(default = "yes")]
    pub recharges_fares: bool,
    /// Points for writing a review.
    #[serde(default)]
    pub review_points: ReviewPoints,
    /// Rules of points.
    #[serde(default)]
    pub points: PointsRules,
    /// Company details for the footer.
    #[serde(default)]
    pub company: Company,
}

impl SiteSetting {
    /// Id of the only record.
    pub const ID: &str = "main";
}

/// Days after shipping until a purchase counts as delivered, unless the setting differs.
pub const AUTO_DELIVER_DAYS: u32 = 7;

const fn auto_deliver_days() -> u32 {
    AUTO_DELIVER_DAYS
}

const fn yes() -> bool {
    true
}

/// Rules of points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct PointsRules {
    /// Days after which granted points expire; does not change the expiry of those granted before.
    pub life_days: u32,
    /// Least points an order may use, hundredths; 0: any.
    pub least: Amount,
    /// Points are used in multiples of this, hundredths; 0: of the rounding step.
    pub unit: Amount,
    /// Most of what an order costs that points may pay, whole percent.
    pub share: u8,
    /// Least an order has to cost for points to be used, hundredths.
    pub least_order: Amount,
}

impl Default for PointsRules {
    fn default() -> Self {
        Self {
            life_days: 365,
            least: Amount::ZERO,
            unit: Amount::ZERO,
            share: 100,
            least_order: Amount::ZERO,
        }
    }
}

impl PointsRules {
    /// Expiry of points granted at this time.
    pub fn expiry(&self, granted_at: OffsetDateTime) -> OffsetDateTime {
        granted_at.saturating_add(Duration::days(self.life_days.into()))
    }
}

/// The footer's company details (spec V032).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Company {
    /// Company name.
    pub name: String,
    /// Chief executive.
    pub ceo_name: String,
    /// Business registration number.
    pub registration: String,
    /// Mail-order license number.
    pub license_code: String,
    /// Address.
    pub address: String,
    /// Telephone.
    pub tel: String,
    /// E-mail.
    pub email: String,
    /// Bank account to which buyers transfer fees of exchanges, as text: bank, number, holder.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub bank_account: String,
}

/// A membership level record (kind `level`) with its benefits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Level {
    /// Code, e.g. `gold`.
    pub code: String,
    /// Display name.
    pub name: String,
    /// Rank, lowest first.
    pub index: i32,
    /// Whether it is in use.
    pub is_active: bool,
    /// Whether new members start in it.
    #[serde(default)]
    pub is_welcome: bool,
    /// Types of the members who can be in it; empty for all.
    #[serde(default)]
    pub scope: Vec<MemberType>,
    /// What a member has to buy to be in it.
    #[serde(default)]
    pub criteria: LevelCriteria,
    /// Discount per item, after the product discount and before product coupons.
    #[serde(default)]
    pub discount: Option<Discount>,
    /// Whole percent of the amount paid that is granted as points on confirmation.
    #[serde(default)]
    pub points_percent: u8,
}

impl Level {
    /// Whether members of this type can be in it.
    pub fn is_for(&self, member_type: MemberType) -> bool {
        self.scope.is_empty() || self.scope.contains(&member_type)
    }
}

/// What a member has to buy to be in a level: purchases that were confirmed within a number of months.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct LevelCriteria {
    /// Number of months that count; none for all time.
    pub months: Option<u32>,
    /// Least amount paid, hundredths; none for any.
    pub amount: Option<Amount>,
    /// Least number of orders; none for any.
    pub orders: Option<u32>,
}

/// Maximum number of months of [`LevelCriteria`].
const MONTHS_MOST: u32 = 120;

impl Resource for SiteSetting {
    resource_names!("site-setting", "SiteSetting", "사이트 설정");
    type Data = Self;

    fn validate(data: &Self) -> Result<(), Vec<FieldError>> {
        let mut errors = RecordErrors::default();
        errors.name("name", &data.name, "사이트명을 두 글자 이상 입력해 주세요.");
        let currency = &data.currency;
        errors.require(
            currency.code.len() == 3
                && currency
                    .code
                    .chars()
                    .all(|letter| letter.is_ascii_uppercase()),
            "currency.code",
            "not_a_currency",
            "통화 코드를 영문 대문자 세 글자로 입력해 주세요.",
        );
        errors.require(
            currency.exponent <= 2,
            "currency.exponent",
            "out_of_range",
            "소수 자릿수는 0에서 2 사이로 입력해 주세요.",
        );
        errors.require(
            currency.step >= 1,
            "currency.step",
            "too_small",
            "반올림 단위를 1 이상 입력해 주세요.",
        );
        errors.require(
            currency.step % currency.unit() == 0,
            "currency.step",
            "not_whole_units",
            "반올림 단위를 통화의 최소 단위의 배수로 입력해 주세요. (원화: 1원)",
        );
        errors.require(
            data.unpaid_deadline_minutes >= 1,
            "unpaidDeadlineMinutes",
            "too_small",
            "입금 기한을 1분 이상 입력해 주세요.",
        );
        errors.require(
            (1..=30).contains(&data.auto_confirm_days),
            "autoConfirmDays",
            "out_of_range",
            "자동 구매확정 기간을 1일에서 30일 사이로 입력해 주세요.",
        );
        errors.require(
            (1..=60).contains(&data.auto_deliver_days),
            "autoDeliverDays",
            "out_of_range",
            "자동 배송완료 기간을 1일에서 60일 사이로 입력해 주세요.",
        );
        errors.require(
            (1..=3_650).contains(&data.points.life_days),
            "points.lifeDays",
            "out_of_range",
            "적립금 유효기간을 1일에서 3,650일 사이로 입력해 주세요.",
        );
        errors.percent("points.share", data.points.share);
        errors.require(
            currency.rounding().divides(data.points.unit),
            "points.unit",
            "not_whole_units",
            "적립금 사용 단위를 반올림 단위의 배수로 입력해 주세요.",
        );
        for (field, amount) in Self::amounts(data) {
            errors.amount(field, amount);
        }
        errors.finish()
    }

    fn amounts(data: &Self) -> Vec<(String, Amount)> {
        let ReviewPoints { text, photo } = data.review_points;
        let rules = data.points;
        vec![
            ("points.least".to_owned(), rules.least),
            ("points.unit".to_owned(), rules.unit),
            ("points.leastOrder".to_owned(), rules.least_order),
            ("reviewPoints.text".to_owned(), text),
            ("reviewPoints.photo".to_owned(), photo),
        ]
    }
}

impl Resource for Level {
    resource_names!("level", "Level", "회원 등급");
    const UNIQUE: Option<UniqueCode> = Some(UniqueCode {
        scope: "level-code",
        fields: &["code"],
        taken: "이미 사용 중인 코드입니다.",
    });
    type Data = Self;

    fn validate(data: &Self) -> Result<(), Vec<FieldError>> {
        let mut errors = RecordErrors::default();
        errors.present("code", &data.code, "등급 코드를 입력해 주세요.");
        errors.name("name", &data.name, "등급명을 두 글자 이상 입력해 주세요.");
        errors.discount("discount", data.discount.as_ref());
        errors.percent("pointsPercent", data.points_percent);
        errors.amount("criteria.amount", data.criteria.amount);
        errors.require(
            data.criteria
                .months
                .is_none_or(|months| (1..=MONTHS_MOST).contains(&months)),
            "criteria.months",
            "out_of_range",
            "기간을 1개월에서 120개월 사이로 입력해 주세요.",
        );
        errors.require(
            !data.scope.contains(&MemberType::Operator),
            "scope",
            "unknown",
            "개인 회원과 기업 회원 가운데 선택해 주세요.",
        );
        errors.finish()
    }

    fn amounts(data: &Self) -> Vec<(String, Amount)> {
        let amount = data.criteria.amount;
        let discount = data.discount.iter();
        discount
            .flat_map(|discount| discount.amounts("discount"))
            .chain(amount.map(|amount| ("criteria.amount".to_owned(), amount)))
            .collect()
    }
}
