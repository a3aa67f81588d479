//! The terms of an order as placed: amounts are hundredths and frozen here; nothing is recomputed later. Their invariants, and the
//! sellers' part of its coupons.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use utoipa::ToSchema;

use super::error::OrderError;
use crate::allocation::{Weights, split};
use crate::catalogue::ProductType;
use crate::coupon::Stage;
use crate::ids::{CouponId, IssuedCouponId, LotId, MemberId, OptionId, ProductId, StockId};
use crate::money::Amount;
use crate::payment::PaymentMethod;
use crate::personal::{DepositTerms, Party, Sealed};
use crate::rounding::RoundingStep;
use crate::shipping::{Area, BundleType, ChargeType, ShippingMethod};
use crate::storefront::AgreedTerm;

/// The party that placed an order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum Buyer {
    /// A member.
    #[serde(rename_all = "camelCase")]
    Member {
        /// Id of the member.
        id: MemberId,
    },
    /// A guest without an account, identified by `orderNo` and phone.
    #[serde(rename_all = "camelCase")]
    Guest {
        /// Keyed hash of the phone number, hex.
        contact_hash: String,
    },
}

/// One purchase: a product option of one seller, with its frozen prices and its share of every discount.
///
/// `unit_price * quantity + difference - product_discount - level_discount - product_coupon - total_coupon - points = paid`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PurchaseTerms {
    /// Number shown to people: `orderNo-1`, `orderNo-2`, ...
    pub purchase_no: String,
    /// The product.
    #[serde(rename = "_product")]
    pub product: ProductId,
    /// Type of the product.
    pub product_type: ProductType,
    /// The option; none where options are off.
    #[serde(rename = "_option")]
    pub option: Option<OptionId>,
    /// The seller.
    #[serde(rename = "_seller")]
    pub seller: MemberId,
    /// Product code.
    pub code: String,
    /// Product name when ordered.
    pub name: String,
    /// Option value when ordered.
    pub option_name: Option<String>,
    /// Picture when ordered.
    pub thumb: Option<String>,
    /// Quantity.
    pub quantity: u32,
    /// Stock taken for this purchase, by stock aggregate; several for sets.
    pub stock: Vec<StockTaken>,
    /// List price plus option price, per unit, when ordered.
    pub unit_price: Amount,
    /// What exchanges for options of another price changed of the price of the whole line; zero when ordered, below zero for a cheaper
    /// option.
    #[serde(default, skip_serializing_if = "super::difference::is_none")]
    pub difference: Amount,
    /// Product discount of the whole line.
    pub product_discount: Amount,
    /// Level discount of the whole line.
    pub level_discount: Amount,
    /// Discount of product coupons.
    pub product_coupon: Amount,
    /// This line's share of total coupons.
    pub total_coupon: Amount,
    /// This line's share of the points used.
    pub points: Amount,
    /// Amount the buyer pays for this line, without fares.
    pub paid: Amount,
    /// Version of the product record the price came from.
    pub product_version: u64,
}

/// Quantity taken from one stock aggregate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StockTaken {
    /// The stock aggregate.
    #[serde(rename = "_stock")]
    pub stock: StockId,
    /// Quantity.
    pub quantity: u32,
}

/// The goods of a purchase: an option of its product, and the stock taken for all its pieces.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Goods {
    /// The option; none where options are off.
    #[serde(rename = "_option")]
    pub option: Option<OptionId>,
    /// Option value.
    pub option_name: Option<String>,
    /// Stock by stock aggregate; several for sets.
    pub stock: Vec<StockTaken>,
}

/// One delivery fare: of a parcel of one seller, or of one purchase shipped separately.
///
/// `fare + island_fee + service_fee - fare_coupon - total_coupon - points = paid`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FareTerms {
    /// The seller who ships it.
    #[serde(rename = "_seller")]
    pub seller: MemberId,
    /// The purchases it carries.
    pub purchase_nos: Vec<String>,
    /// Name of the shipping option.
    pub name: String,
    /// Shipping method.
    pub method: ShippingMethod,
    /// Bundled or by the piece.
    pub bundle_type: BundleType,
    /// How the fare is computed; pay on delivery is 0 here.
    pub charge_type: ChargeType,
    /// The fare without fees.
    pub fare: Amount,
    /// Island surcharge.
    pub island_fee: Amount,
    /// Service fee.
    pub service_fee: Amount,
    /// Discount of fare coupons.
    pub fare_coupon: Amount,
    /// Share of total coupons.
    pub total_coupon: Amount,
    /// Share of the points used.
    pub points: Amount,
    /// Amount the buyer pays for delivery.
    pub paid: Amount,
}

/// A coupon used on this order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CouponUse {
    /// The issued coupon.
    #[serde(rename = "_issued")]
    pub issued: IssuedCouponId,
    /// Its definition.
    #[serde(rename = "_coupon")]
    pub coupon: CouponId,
    /// Name when used.
    pub name: String,
    /// Stage of the price calculation.
    pub stage: Stage,
    /// The purchase, for product coupons.
    pub purchase_no: Option<String>,
    /// The seller who funds the seller's part.
    #[serde(rename = "_seller")]
    pub seller: Option<MemberId>,
    /// The discount.
    pub amount: Amount,
    /// The part of `amount` the seller bears (share percent, floored); the platform bears the rest.
    pub seller_share: Amount,
    /// Whether it counts against a campaign's limits.
    pub counted: bool,
    /// Whether a claim on all it was used on gives it back.
    #[serde(
        default = "crate::coupon::returnable",
        skip_serializing_if = "crate::coupon::is_returnable"
    )]
    pub returnable: bool,
}

/// Points taken from one lot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LotPart {
    /// The lot.
    #[serde(rename = "_lot")]
    pub lot: LotId,
    /// Amount of points.
    pub amount: Amount,
}

/// Sums of the order.
///
/// `goods - product_discount - level_discount - coupon_discount - points + fares = payable`, `fares` before fare coupons
/// and `coupon_discount` over all stages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Totals {
    /// Sum of unit price times quantity.
    pub goods: Amount,
    /// Product discounts.
    pub product_discount: Amount,
    /// Level discounts.
    pub level_discount: Amount,
    /// Product coupons.
    pub product_coupon: Amount,
    /// Fares, island and service fees before coupons.
    pub fares: Amount,
    /// Fare coupons.
    pub fare_coupon: Amount,
    /// Total coupons.
    pub total_coupon: Amount,
    /// Points used.
    pub points: Amount,
    /// Amount to pay.
    pub payable: Amount,
}

/// An order as placed: everything that later events may need is frozen in here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OrderTerms {
    /// Order number, e.g. `20261121-7KD2M9QX`.
    pub order_no: String,
    /// The buyer.
    pub buyer: Buyer,
    /// Sender, key of the buyer (or of the order for guests), purpose statutory.
    pub sender: Sealed<Party>,
    /// Receiver, the same key.
    pub receiver: Sealed<Party>,
    /// Delivery instructions for the courier.
    pub request_message: Option<Sealed<String>>,
    /// Phone number for a cash receipt, if requested.
    pub cash_receipt: Option<Sealed<String>>,
    /// Surcharge area of the receiver's postcode.
    pub area: Area,
    /// Whether the postcode was unknown or malformed; flagged for staff.
    pub area_unknown: bool,
    /// The purchases.
    pub purchases: Vec<PurchaseTerms>,
    /// The fares.
    pub fares: Vec<FareTerms>,
    /// Coupons used.
    pub coupons: Vec<CouponUse>,
    /// Points used, by lot.
    pub points: Vec<LotPart>,
    /// The sums.
    pub totals: Totals,
    /// Payment method.
    pub payment_method: PaymentMethod,
    /// Consents to terms.
    pub terms: Vec<AgreedTerm>,
    /// Payment deadline.
    #[serde(with = "time::serde::rfc3339")]
    pub pay_by: OffsetDateTime,
    /// Version of the category tree, shipping group and level records used: (kind, id, version).
    pub rules: Vec<RuleVersion>,
    /// Depositor and refund account of a virtual-account payment; sealed with the sender's key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deposit: Option<Sealed<DepositTerms>>,
    /// Rounding step of the amounts; one hundredth for orders that did not record it.
    #[serde(default, skip_serializing_if = "RoundingStep::is_hundredth")]
    pub step: RoundingStep,
}

/// Version of a record used for pricing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RuleVersion {
    /// Stream kind.
    pub kind: String,
    /// Stream id.
    pub id: String,
    /// Version.
    pub version: u64,
}

impl OrderTerms {
    /// The seller's part of this line's coupons (spec V096): of their own product coupons the stored share, of the seller's total
    /// coupons its share of their discount, by largest remainder.
    ///
    /// # Errors
    /// [`OrderError::TermsDoNotAddUp`] where the sellers' part exceeds the discount.
    pub fn borne_by_seller_of_line(&self, line: &PurchaseTerms) -> Result<Amount, OrderError> {
        let own = self.coupons.iter().filter(|used| {
            used.stage == Stage::Product && used.purchase_no.as_ref() == Some(&line.purchase_no)
        });
        let own = Amount::total(own.map(|used| used.seller_share))?;
        let of_total = self.total_shares(line.seller)?;
        let place = self
            .purchases
            .iter()
            .filter(|other| other.seller == line.seller)
            .position(|other| other.purchase_no == line.purchase_no);
        Ok(own.plus(at(&of_total, place))?)
    }

    /// The seller's part of this fare's coupons.
    ///
    /// # Errors
    /// [`OrderError::TermsDoNotAddUp`] where the sellers' part exceeds the discount.
    pub fn borne_by_seller_of_fare(&self, fare: &FareTerms) -> Result<Amount, OrderError> {
        let of_seller = || {
            self.fares
                .iter()
                .filter(|other| other.seller == fare.seller)
        };
        let weights: Vec<Amount> = of_seller().map(|other| other.fare_coupon).collect();
        let of_fares = share(self.borne(Stage::Fare, fare.seller)?, &weights, self.step)?;
        let of_total = self.total_shares(fare.seller)?;
        let place = of_seller().position(|other| other == fare);
        let lines = self
            .purchases
            .iter()
            .filter(|line| line.seller == fare.seller)
            .count();
        let total_place = place.map(|place| place.saturating_add(lines));
        Ok(at(&of_fares, place).plus(at(&of_total, total_place))?)
    }

    /// The seller's part of their coupons of one stage.
    fn borne(&self, stage: Stage, seller: MemberId) -> Result<Amount, OrderError> {
        let used = self
            .coupons
            .iter()
            .filter(|used| used.stage == stage && used.seller == Some(seller));
        Ok(Amount::total(used.map(|used| used.seller_share))?)
    }

    /// The seller's part of total coupons, by line and then by fare.
    fn total_shares(&self, seller: MemberId) -> Result<Vec<Amount>, OrderError> {
        let lines = self.purchases.iter().filter(|line| line.seller == seller);
        let fares = self.fares.iter().filter(|fare| fare.seller == seller);
        let weights: Vec<Amount> = lines
            .map(|line| line.total_coupon)
            .chain(fares.map(|fare| fare.total_coupon))
            .collect();
        share(self.borne(Stage::Total, seller)?, &weights, self.step)
    }
}

/// Splits `total` by `weights`; no share exceeds its weight.
fn share(total: Amount, weights: &[Amount], step: RoundingStep) -> Result<Vec<Amount>, OrderError> {
    let more_than_taken =
        || OrderError::TermsDoNotAddUp("a seller bears more than was taken off".to_owned());
    if total > Amount::total(weights.iter().copied())? {
        return Err(more_than_taken());
    }
    split(total, Weights::Amounts(weights), step).map_err(|_| more_than_taken())
}

fn at(shares: &[Amount], place: Option<usize>) -> Amount {
    place
        .and_then(|place| shares.get(place))
        .copied()
        .unwrap_or_default()
}

impl PurchaseTerms {
    /// Price of the goods: unit price times quantity, with what exchanges changed of it.
    ///
    /// # Errors
    /// An overflow.
    pub fn goods(&self) -> Result<Amount, OrderError> {
        let ordered = self.unit_price.times(self.quantity)?;
        Ok(ordered.plus(self.difference)?)
    }

    /// Price of one piece, hundredths; rounded down where an exchange gave back less than its difference.
    pub fn price_each(&self) -> Amount {
        let goods = self.goods().map_or(0, Amount::hundredths);
        let each = goods.checked_div(i64::from(self.quantity));
        Amount::new(each.unwrap_or_default())
    }

    /// Price of the goods before coupons, by which fares are computed.
    ///
    /// # Errors
    /// An overflow.
    pub(super) fn sale_price(&self) -> Result<Amount, OrderError> {
        let goods = self.goods()?;
        Ok(goods
            .minus(self.product_discount)?
            .minus(self.level_discount)?)
    }
}

impl FareTerms {
    /// Fare, island and service fee before coupons.
    ///
    /// # Errors
    /// An overflow.
    pub fn gross(&self) -> Result<Amount, OrderError> {
        Ok(Amount::total([
            self.fare,
            self.island_fee,
            self.service_fee,
        ])?)
    }
}

/// Checks the invariants of the frozen terms, on which accounting relies.
pub(super) fn check(terms: &OrderTerms) -> Result<(), OrderError> {
    let numbers: BTreeSet<&str> = terms
        .purchases
        .iter()
        .map(|purchase| purchase.purchase_no.as_str())
        .collect();
    ensure(!terms.purchases.is_empty(), || "no purchases".to_owned())?;
    ensure(numbers.len() == terms.purchases.len(), || {
        "a purchase number comes twice".to_owned()
    })?;
    for purchase in &terms.purchases {
        check_purchase(purchase)?;
    }
    for fare in &terms.fares {
        check_fare(fare)?;
        ensure(
            fare.purchase_nos
                .iter()
                .all(|no| numbers.contains(no.as_str())),
            || format!("fare {} carries an unknown purchase", fare.name),
        )?;
    }
    check_totals(terms)?;
    check_coupons(terms)
}

fn ensure(holds: bool, message: impl FnOnce() -> String) -> Result<(), OrderError> {
    if holds {
        Ok(())
    } else {
        Err(OrderError::TermsDoNotAddUp(message()))
    }
}

fn check_purchase(purchase: &PurchaseTerms) -> Result<(), OrderError> {
    let no = &purchase.purchase_no;
    let parts = [
        purchase.product_discount,
        purchase.level_discount,
        purchase.product_coupon,
        purchase.total_coupon,
        purchase.points,
        purchase.paid,
    ];
    ensure(purchase.quantity > 0, || format!("{no}: no pieces"))?;
    ensure(purchase.difference.is_zero(), || {
        format!("{no}: exchanged before it is ordered")
    })?;
    ensure(parts.iter().all(|part| !part.is_negative()), || {
        format!("{no}: a negative amount")
    })?;
    ensure(purchase.goods()? == Amount::total(parts)?, || {
        format!("{no}: goods are not discounts plus paid")
    })
}

fn check_fare(fare: &FareTerms) -> Result<(), OrderError> {
    let parts = [fare.fare_coupon, fare.total_coupon, fare.points, fare.paid];
    let fees = [fare.fare, fare.island_fee, fare.service_fee];
    let name = &fare.name;
    ensure(!fare.purchase_nos.is_empty(), || {
        format!("fare {name} carries nothing")
    })?;
    ensure(
        parts.iter().chain(&fees).all(|part| !part.is_negative()),
        || format!("fare {name}: a negative amount"),
    )?;
    ensure(fare.gross()? == Amount::total(parts)?, || {
        format!("fare {name}: fees are not discounts plus paid")
    })
}

fn check_totals(terms: &OrderTerms) -> Result<(), OrderError> {
    let of_lines = |amount: fn(&PurchaseTerms) -> Amount| -> Result<Amount, OrderError> {
        Ok(Amount::total(terms.purchases.iter().map(amount))?)
    };
    let of_fares = |amount: fn(&FareTerms) -> Amount| -> Result<Amount, OrderError> {
        Ok(Amount::total(terms.fares.iter().map(amount))?)
    };
    let mut goods = Amount::ZERO;
    for purchase in &terms.purchases {
        goods = goods.plus(purchase.goods()?)?;
    }
    let mut fares = Amount::ZERO;
    for fare in &terms.fares {
        fares = fares.plus(fare.gross()?)?;
    }
    let total = &terms.totals;
    let lots = Amount::total(terms.points.iter().map(|part| part.amount))?;
    for (name, stated, summed) in [
        ("goods", total.goods, goods),
        (
            "product discount",
            total.product_discount,
            of_lines(|line| line.product_discount)?,
        ),
        (
            "level discount",
            total.level_discount,
            of_lines(|line| line.level_discount)?,
        ),
        (
            "product coupons",
            total.product_coupon,
            of_lines(|line| line.product_coupon)?,
        ),
        ("fares", total.fares, fares),
        (
            "fare coupons",
            total.fare_coupon,
            of_fares(|fare| fare.fare_coupon)?,
        ),
        (
            "total coupons",
            total.total_coupon,
            of_lines(|line| line.total_coupon)?.plus(of_fares(|fare| fare.total_coupon)?)?,
        ),
        (
            "points",
            total.points,
            of_lines(|line| line.points)?.plus(of_fares(|fare| fare.points)?)?,
        ),
        ("points by lot", total.points, lots),
        (
            "payable",
            total.payable,
            of_lines(|line| line.paid)?.plus(of_fares(|fare| fare.paid)?)?,
        ),
    ] {
        ensure(stated == summed, || {
            format!("{name}: {stated} stated, {summed} summed")
        })?;
    }
    Ok(())
}

fn check_coupons(terms: &OrderTerms) -> Result<(), OrderError> {
    for (stage, stated) in [
        (Stage::Product, terms.totals.product_coupon),
        (Stage::Fare, terms.totals.fare_coupon),
        (Stage::Total, terms.totals.total_coupon),
    ] {
        let used = terms.coupons.iter().filter(|used| used.stage == stage);
        let summed = Amount::total(used.map(|used| used.amount))?;
        ensure(stated == summed, || {
            format!("{stage:?} coupons: {stated} stated, {summed} used")
        })?;
    }
    for used in &terms.coupons {
        ensure(
            !used.seller_share.is_negative() && used.seller_share <= used.amount,
            || format!("coupon {}: the seller bears more than all of it", used.name),
        )?;
        ensure(used.seller.is_some() || used.seller_share.is_zero(), || {
            format!("coupon {}: a seller's share without a seller", used.name)
        })?;
    }
    for fare in &terms.fares {
        terms.borne_by_seller_of_fare(fare)?;
    }
    for purchase in &terms.purchases {
        terms.borne_by_seller_of_line(purchase)?;
        let used = terms
            .coupons
            .iter()
            .filter(|used| used.stage == Stage::Product)
            .filter(|used| used.purchase_no.as_ref() == Some(&purchase.purchase_no));
        let summed = Amount::total(used.map(|used| used.amount))?;
        ensure(purchase.product_coupon == summed, || {
            format!(
                "{}: product coupons are {summed}, not {}",
                purchase.purchase_no, purchase.product_coupon
            )
        })?;
    }
    Ok(())
}
