//! Delivery: shipping groups with their fare options, warehouses, and islands by postcode.

use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use utoipa::ToSchema;

use crate::ids::{MemberId, ProductId};
use crate::money::Amount;
use crate::record::Resource;
use crate::resource_names;
use crate::validation::FieldError;
use crate::validation::RecordErrors;

mod parts;
mod target;

pub use parts::{MethodTerms, ShippingRegion};
pub use target::ShippingTarget;

/// Surcharge area of an address (spec V291, V292).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Area {
    /// The mainland: no surcharge.
    #[default]
    None,
    /// An ordinary island: `amount__base`.
    Island,
    /// Jeju: `amount__jeju` only.
    Jeju,
}

/// Shipping method (spec section 4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ShippingMethod {
    /// Courier.
    #[default]
    General,
    /// Quick service.
    Express,
    /// Picked up by the buyer.
    PickUp,
    /// Delivered by the seller.
    Company,
}

impl ShippingMethod {
    /// Code on the wire.
    pub const fn code(self) -> &'static str {
        match self {
            Self::General => "GENERAL",
            Self::Express => "EXPRESS",
            Self::PickUp => "PICK_UP",
            Self::Company => "COMPANY",
        }
    }

    /// Name shown to people.
    pub const fn title(self) -> &'static str {
        match self {
            Self::General => "택배",
            Self::Express => "퀵",
            Self::PickUp => "방문 수령",
            Self::Company => "직접 배송",
        }
    }
}

/// Whether fares of one seller are bundled (largest) or summed per purchase (spec V289, V290).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum BundleType {
    /// Each purchase pays its own fare.
    Piece,
    /// One parcel: the largest fare is paid once.
    #[default]
    Bundle,
}

/// How a fare is computed (spec V286-V288; reading 5: pay on delivery charges 0 with the order).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ChargeType {
    /// `fixedAmount`.
    #[default]
    Fixed,
    /// Collected on delivery; the order charges nothing.
    PayOnDelivery,
    /// The largest `pricesRange` threshold not above the sale price.
    PriceRange,
    /// The largest `travelRange` threshold not above the distance to the warehouse.
    TravelRange,
}

/// Row of a fare table by price: goods from `price` hundredths on cost `amount` hundredths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PriceStep {
    /// Threshold, hundredths.
    pub price: Amount,
    /// Fare, hundredths.
    pub amount: Amount,
}

/// Row of a fare table by distance: from `distance` kilometres on, the fare is `amount` hundredths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TravelStep {
    /// Threshold, whole kilometres.
    pub distance: u32,
    /// Fare, hundredths.
    pub amount: Amount,
}

/// Surcharges for islands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct IslandFee {
    /// Whether surcharges apply.
    pub is_active: bool,
    /// Ordinary islands, hundredths.
    #[serde(rename = "amount__base")]
    pub amount_base: Amount,
    /// Jeju, hundredths.
    #[serde(rename = "amount__jeju")]
    pub amount_jeju: Amount,
}

/// A fee per item for a service (assembly, carrying upstairs) (spec V293).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ServiceFee {
    /// Whether the fee applies.
    pub is_active: bool,
    /// Fee per item, hundredths.
    pub amount: Amount,
}

/// One delivery option of a shipping group.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ShippingOption {
    /// Its id within the group. Options stored without one have their place, counted from 1.
    #[serde(rename = "_id")]
    pub id: String,
    /// Name of the region it delivers to, one of the group's; none for all of them.
    pub region: Option<String>,
    /// Shown to the buyer.
    pub name: String,
    /// Shipping method.
    pub method: ShippingMethod,
    /// Bundled or per purchase.
    pub bundle_type: BundleType,
    /// How the fare is computed.
    pub charge_type: ChargeType,
    /// For `fixed`, hundredths.
    pub fixed_amount: Amount,
    /// For `price-range`.
    pub prices_range: Vec<PriceStep>,
    /// For `travel-range`.
    pub travel_range: Vec<TravelStep>,
    /// Island surcharge.
    pub island: IslandFee,
    /// Service fee.
    pub service: ServiceFee,
    /// Areas it delivers to; empty for all.
    #[serde(rename = "areas__available", skip_serializing_if = "Vec::is_empty")]
    pub areas_available: Vec<Area>,
    /// Fare of the way back of returned goods, hundredths; none: the fare of the smallest amount of goods.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub return_amount: Option<Amount>,
}

impl ShippingOption {
    /// Whether it delivers to addresses in this area.
    pub fn delivers_to(&self, area: Area) -> bool {
        self.areas_available.is_empty() || self.areas_available.contains(&area)
    }

    /// The row of the fare table by price that applies to goods that cost `goods`: the one with the largest threshold reached, else
    /// the one with the smallest threshold (reading 6). Of equal thresholds the last row applies.
    pub fn price_row(&self, goods: Amount) -> Option<&PriceStep> {
        let rows = self.prices_range.iter();
        rows.clone()
            .filter(|row| row.price <= goods)
            .max_by_key(|row| row.price)
            .or_else(|| rows.min_by_key(|row| row.price))
    }
}

/// A shipping group record (kind `shipping`): delivery options of some goods.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ShippingGroup {
    /// Name in the console.
    pub name: String,
    /// The seller of the goods.
    #[serde(rename = "_seller")]
    pub seller: MemberId,
    /// Whether it applies to products that set no group.
    #[serde(default)]
    pub is_default: bool,
    /// Whether it is in use.
    pub is_active: bool,
    /// Start of its period (inclusive).
    #[serde(default, with = "time::serde::rfc3339::option")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub starts_at: Option<OffsetDateTime>,
    /// End of its period (exclusive).
    #[serde(default, with = "time::serde::rfc3339::option")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub ends_at: Option<OffsetDateTime>,
    /// Which of its lists says what it applies to; none for each of them that is not empty.
    #[serde(default)]
    pub target_type: Option<ShippingTarget>,
    /// Products it applies to; empty for all of the seller's.
    #[serde(default)]
    pub products: Vec<ProductId>,
    /// Category codes it applies to.
    #[serde(default)]
    pub categories: Vec<String>,
    /// Brand codes it applies to.
    #[serde(default)]
    pub brands: Vec<String>,
    /// The delivery options ([`ShippingGroup::ways`] determines the one charged).
    #[serde(deserialize_with = "parts::with_ids")]
    pub options: Vec<ShippingOption>,
    /// What buyers read of the methods; the options use no others if there are some.
    #[serde(default)]
    pub methods: Vec<MethodTerms>,
    /// The regions that options name.
    #[serde(default)]
    pub regions: Vec<ShippingRegion>,
    /// Origin of the goods, for `travel-range`.
    #[serde(default)]
    pub warehouse: Option<Warehouse>,
}

impl ShippingGroup {
    /// Whether goods bought at `now` may use this group: in use, within its period, and with at least one option.
    pub fn is_used_at(&self, now: OffsetDateTime) -> bool {
        self.is_active
            && !self.options.is_empty()
            && self.starts_at.is_none_or(|start| now >= start)
            && self.ends_at.is_none_or(|end| now < end)
    }

    /// The delivery options, those that need no position of the receiver first. The first is displayed and charged.
    pub fn ways(&self) -> Vec<&ShippingOption> {
        let mut ways: Vec<&ShippingOption> = self.options.iter().collect();
        ways.sort_by_key(|option| option.charge_type == ChargeType::TravelRange);
        ways
    }
}

/// A geographic position.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Geolocation {
    /// Degrees east.
    pub longitude: f64,
    /// Degrees north.
    pub latitude: f64,
}

impl Geolocation {
    /// Whether the coordinates are valid.
    pub fn is_on_earth(self) -> bool {
        (-180.0..=180.0).contains(&self.longitude) && (-90.0..=90.0).contains(&self.latitude)
    }
}

/// Coordinates are entered, never computed, so they are compared for exact equality.
impl Eq for Geolocation {}

/// A warehouse goods are sent from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Warehouse {
    /// Name.
    pub name: String,
    /// Code.
    pub code: String,
    /// Five digits.
    #[serde(default)]
    pub postcode: Option<String>,
    /// Address.
    #[serde(default)]
    pub address1: Option<String>,
    /// The rest of the address.
    #[serde(default)]
    pub address2: Option<String>,
    /// Position.
    #[serde(default)]
    pub geolocation: Option<Geolocation>,
}

/// An island record (kind `island`): a range of postcodes and its surcharge area.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Island {
    /// Display name.
    pub name: String,
    /// First postcode, five digits.
    pub starts: String,
    /// Last postcode, five digits.
    pub ends: String,
    /// Ordinary island or Jeju.
    pub area: Area,
}

impl Resource for ShippingGroup {
    resource_names!("shipping", "Shipping", "배송 그룹");
    type Data = Self;

    fn validate(data: &Self) -> Result<(), Vec<FieldError>> {
        let mut errors = RecordErrors::default();
        errors.name(
            "name",
            &data.name,
            "배송 그룹명을 두 글자 이상 입력해 주세요.",
        );
        errors.require(
            !data.options.is_empty(),
            "options",
            "required",
            "배송 방법을 하나 이상 입력해 주세요.",
        );
        errors.between(("startsAt", data.starts_at), ("endsAt", data.ends_at));
        for (index, option) in data.options.iter().enumerate() {
            check_option(&mut errors, &format!("options.{index}"), option);
        }
        parts::check(&mut errors, data);
        target::check(&mut errors, data);
        let by_distance = data
            .options
            .iter()
            .any(|option| option.charge_type == ChargeType::TravelRange);
        let located = data
            .warehouse
            .as_ref()
            .is_some_and(|warehouse| warehouse.geolocation.is_some());
        errors.require(
            !by_distance || located,
            "warehouse.geolocation",
            "required",
            "거리별 배송비에는 창고 위치를 입력해 주세요.",
        );
        if let Some(warehouse) = &data.warehouse {
            errors.name(
                "warehouse.name",
                &warehouse.name,
                "창고명을 두 글자 이상 입력해 주세요.",
            );
            errors.require(
                warehouse.postcode.as_deref().is_none_or(is_postcode),
                "warehouse.postcode",
                "not_a_postcode",
                POSTCODE_PROMPT,
            );
        }
        errors.finish()
    }

    fn amounts(data: &Self) -> Vec<(String, Amount)> {
        let options = data.options.iter().enumerate();
        options
            .flat_map(|(index, option)| amounts_of(&format!("options.{index}"), option))
            .collect()
    }
}

const POSTCODE_PROMPT: &str = "우편번호 다섯 자리를 입력해 주세요.";

/// All amounts of one delivery option, by field.
fn amounts_of(at: &str, option: &ShippingOption) -> Vec<(String, Amount)> {
    let prices = option.prices_range.iter().enumerate();
    let distances = option.travel_range.iter().enumerate();
    [
        ("fixedAmount", option.fixed_amount),
        ("island.amount__base", option.island.amount_base),
        ("island.amount__jeju", option.island.amount_jeju),
        ("service.amount", option.service.amount),
        ("returnAmount", option.return_amount.unwrap_or_default()),
    ]
    .into_iter()
    .map(|(field, amount)| (format!("{at}.{field}"), amount))
    .chain(prices.flat_map(|(index, step)| {
        [
            (format!("{at}.pricesRange.{index}.price"), step.price),
            (format!("{at}.pricesRange.{index}.amount"), step.amount),
        ]
    }))
    .chain(distances.map(|(index, step)| (format!("{at}.travelRange.{index}.amount"), step.amount)))
    .collect()
}

fn check_option(errors: &mut RecordErrors, at: &str, option: &ShippingOption) {
    errors.present(
        format!("{at}.name"),
        &option.name,
        "배송 방법의 이름을 입력해 주세요.",
    );
    for (field, amount) in amounts_of(at, option) {
        errors.amount(field, amount);
    }
    let message = "같은 구간이 중복되었습니다.";
    errors.unique(
        &format!("{at}.pricesRange"),
        "price",
        option.prices_range.iter().map(|step| step.price),
        message,
    );
    errors.unique(
        &format!("{at}.travelRange"),
        "distance",
        option.travel_range.iter().map(|step| step.distance),
        message,
    );
    let (field, given) = match option.charge_type {
        ChargeType::Fixed | ChargeType::PayOnDelivery => return,
        ChargeType::PriceRange => ("pricesRange", !option.prices_range.is_empty()),
        ChargeType::TravelRange => ("travelRange", !option.travel_range.is_empty()),
    };
    errors.require(
        given,
        format!("{at}.{field}"),
        "required",
        "배송비 구간을 하나 이상 입력해 주세요.",
    );
}

impl Resource for Island {
    resource_names!("island", "Island", "도서산간 지역");
    type Data = Self;

    fn validate(data: &Self) -> Result<(), Vec<FieldError>> {
        let mut errors = RecordErrors::default();
        errors.name("name", &data.name, "지역명을 두 글자 이상 입력해 주세요.");
        for (field, postcode) in [("starts", &data.starts), ("ends", &data.ends)] {
            errors.require(
                is_postcode(postcode),
                field,
                "not_a_postcode",
                POSTCODE_PROMPT,
            );
        }
        errors.require(
            data.starts <= data.ends,
            "ends",
            "out_of_order",
            "끝 우편번호는 시작 우편번호보다 크게 입력해 주세요.",
        );
        errors.require(
            data.area != Area::None,
            "area",
            "required",
            "도서 지역 또는 제주를 선택해 주세요.",
        );
        errors.finish()
    }
}

/// Whether this is a Korean postcode: five digits.
pub fn is_postcode(text: &str) -> bool {
    text.len() == 5 && text.chars().all(|digit| digit.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use time::Duration;
    use time::macros::datetime;
    use uuid::Uuid;

    use super::*;

    const START: OffsetDateTime = datetime!(2026-11-01 00:00 +9);
    const END: OffsetDateTime = datetime!(2026-12-01 00:00 +9);

    fn group(starts_at: Option<OffsetDateTime>, ends_at: Option<OffsetDateTime>) -> ShippingGroup {
        ShippingGroup {
            name: "김장철 배송".to_owned(),
            seller: MemberId(Uuid::nil()),
            is_default: false,
            is_active: true,
            starts_at,
            ends_at,
            products: vec![],
            categories: vec![],
            brands: vec![],
            target_type: None,
            options: vec![ShippingOption {
                name: "택배".to_owned(),
                ..ShippingOption::default()
            }],
            methods: vec![],
            regions: vec![],
            warehouse: None,
        }
    }

    #[test]
    fn a_group_is_used_from_its_start_until_its_end() {
        let before = START - Duration::MICROSECOND;
        let last = END - Duration::MICROSECOND;
        for (starts_at, ends_at, used) in [
            (Some(START), Some(END), [false, true, true, false]),
            (Some(START), None, [false, true, true, true]),
            (None, Some(END), [true, true, true, false]),
            (None, None, [true, true, true, true]),
        ] {
            let group = group(starts_at, ends_at);
            assert_eq!(
                [before, START, last, END].map(|now| group.is_used_at(now)),
                used
            );
            let off = ShippingGroup {
                is_active: false,
                ..group.clone()
            };
            assert!(!off.is_used_at(START));
            let without_ways = ShippingGroup {
                options: vec![],
                ..group
            };
            assert!(!without_ways.is_used_at(START));
        }
    }

    #[test]
    fn a_period_ends_after_it_starts() {
        let wrong = |starts_at, ends_at| {
            let errors = ShippingGroup::validate(&group(Some(starts_at), Some(ends_at)));
            let errors = errors.err().unwrap_or_default().into_iter();
            errors.map(|one| one.field).collect::<Vec<_>>()
        };
        assert_eq!(wrong(START, END), Vec::<String>::new());
        assert_eq!(wrong(START, START), ["endsAt"]);
        assert_eq!(wrong(START, datetime!(3000-01-01 00:00 +9)), ["endsAt"]);
    }
}
