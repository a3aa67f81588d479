//! The price of an order: every purchase, fare and coupon with its exact share. Shown by the preview, frozen when the order is
//! placed.

mod before_coupons;
mod best_coupons;
mod terms;

use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use utoipa::ToSchema;

use crate::catalogue::{BundledPart, Discount, Product, ProductOption};
use crate::coupon::CouponTerms;
use crate::distance::Kilometres;
use crate::ids::{CouponId, IssuedCouponId, OptionId, ProductId, ShippingId};
use crate::money::{Amount, MoneyError};
use crate::order::{CouponUse, FareTerms, PurchaseTerms, StockTaken, Totals};
use crate::price_trace::{CouponTrace, FareTrace, LineTrace, PriceRule, PriceTrace, TraceStep};
use crate::pricing::coupon::{self, CouponRefusal, Goods};
use crate::pricing::discount::{DiscountAmount, sale_price_by};
use crate::pricing::discount_allocation::{
    Allocation, AllocationError, AllocationStep, AllocationTarget,
};
use crate::pricing::error::PricingError;
use crate::pricing::shipments::Shipment;
use crate::rounding::RoundingStep;
use crate::shipping::{Area, ShippingOption};

pub use before_coupons::BeforeCoupons;
pub use best_coupons::{BestCoupons, CouponTrial};

/// Maximum quantity of one line; larger quantities are input errors, or need an individual offer.
pub const QUANTITY_MAX: u32 = 9_999;

/// One line of a request.
#[derive(Clone, Debug)]
pub struct Line<'a> {
    /// Purchase number, `orderNo-1`; coupons refer to it.
    pub purchase_no: String,
    /// The product.
    pub product_id: ProductId,
    /// The product record.
    pub product: &'a Product,
    /// Version of the product record.
    pub product_version: u64,
    /// The option. Where options are off: none, or the product's own id.
    pub option: Option<OptionId>,
    /// Quantity.
    pub quantity: u32,
    /// Category codes of the product with all their ancestors.
    pub categories: Vec<String>,
    /// Codes of the displays, and ids of the exhibitions, the product is in.
    pub displays: Vec<String>,
    /// The shipping option.
    pub shipping: &'a ShippingOption,
    /// The shipping group of that option.
    pub shipping_id: ShippingId,
    /// Distance from the warehouse to the receiver, where the fare depends on it.
    pub distance: Option<Kilometres>,
    /// For sets: the stock the whole line takes (see [`Line::parts_of`]); empty for products with their own stock.
    pub parts: Vec<StockTaken>,
    /// For sets with a choice: display name of the chosen part.
    pub choice: Option<String>,
}

/// A coupon to apply.
#[derive(Clone, Debug)]
pub struct CouponToUse {
    /// The issued coupon.
    pub issued: IssuedCouponId,
    /// Its definition.
    pub coupon: CouponId,
    /// Its frozen terms.
    pub terms: CouponTerms,
    /// The purchase it applies to: required for product coupons, optional for fare coupons (selects the purchase's fare), rejected
    /// for total coupons.
    pub purchase_no: Option<String>,
}

/// All inputs of a price.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    /// The lines.
    pub lines: Vec<Line<'a>>,
    /// Surcharge area of the receiver.
    pub area: Area,
    /// The buyer's level discount: per unit, after the product discount and before product coupons.
    pub level_discount: Option<Discount>,
    /// Coupons; within a stage they apply in the given order.
    pub coupons: Vec<CouponToUse>,
    /// Points to spend.
    pub points: Amount,
    /// The rounding step, determined by the site's currency.
    pub step: RoundingStep,
    /// Time of the quote.
    pub now: OffsetDateTime,
}

/// The price of an order. The identities documented on its parts hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Quote {
    /// The purchases, in line order.
    pub purchases: Vec<PurchaseTerms>,
    /// The fares, in the order of their first purchases.
    pub fares: Vec<FareTerms>,
    /// The coupons, in the order of application.
    pub coupons: Vec<CouponUse>,
    /// The sums.
    pub totals: Totals,
}

/// Prices an order.
///
/// - Product and level discounts apply per unit, each capped by the unit's remainder; coupons apply per line, fare or order.
/// - A product coupon applies to one eligible purchase, and a purchase takes at most one.
/// - A fare coupon applies to the fares (without island and service fees) of the parcels with eligible goods: the seller's where it
///   has a seller, the parcel of the named purchase where one is named, else all of them as one amount. A fare takes at most one.
/// - A total coupon applies to the remainder of the eligible lines and of fares, with their fees, that carry only such lines.
/// - A coupon that is not combinable must be the only one; one without effect is rejected, so that it is not used up.
/// - A fare by price depends on the price of the parcel's goods after product and level discounts and before coupons.
///
/// # Errors
/// [`PricingError`]: the first rule violated.
pub fn quote(request: &Request<'_>) -> Result<Quote, PricingError> {
    worked(request).map(|(quote, _)| quote)
}

/// [`quote`], with the contributions to each amount.
///
/// # Errors
/// As [`quote`]; [`PricingError::Overflow`] also where a contribution overflows.
pub fn explained(request: &Request<'_>) -> Result<(Quote, PriceTrace), PricingError> {
    let (quote, worked) = worked(request)?;
    let workings = workings(request, &quote, &worked)?;
    Ok((quote, workings))
}

/// Intermediate results of a quote.
struct TracedQuote<'a> {
    priced: Vec<PricedLine<'a>>,
    parcels: Vec<Shipment<'a>>,
    outcome: Allocation,
}

fn worked<'a>(request: &'a Request<'a>) -> Result<(Quote, TracedQuote<'a>), PricingError> {
    if !request.step.divides(request.points) {
        return Err(PricingError::PointsUneven {
            step: request.step.hundredths(),
        });
    }
    let before = BeforeCoupons::of(request)?;
    let steps = steps(request, &before)?;
    let outcome = before
        .allocate(&steps, request.points)
        .map_err(|error| stage_error(request, error))?;
    let BeforeCoupons {
        priced, parcels, ..
    } = before;
    let purchases = terms::purchases(request, &priced, &steps, &outcome)?;
    let fares = terms::fare_terms(request, &parcels, &steps, &outcome)?;
    let coupons = terms::coupon_uses(request, &outcome)?;
    let totals = terms::totals(&purchases, &fares)?;
    let quote = Quote {
        purchases,
        fares,
        coupons,
        totals,
    };
    let worked = TracedQuote {
        priced,
        parcels,
        outcome,
    };
    Ok((quote, worked))
}

fn workings(
    request: &Request<'_>,
    quote: &Quote,
    worked: &TracedQuote<'_>,
) -> Result<PriceTrace, PricingError> {
    // The coupons of the quote are in order of application, those of the allocation in the given order.
    let taken = quote
        .coupons
        .iter()
        .filter_map(|used| {
            let place = request
                .coupons
                .iter()
                .position(|given| given.issued == used.issued)?;
            Some((
                used,
                request.coupons.get(place)?,
                worked.outcome.steps.get(place)?,
            ))
        })
        .collect::<Vec<_>>();
    let lines = request
        .lines
        .iter()
        .zip(&worked.priced)
        .enumerate()
        .map(|(place, (line, priced))| {
            Ok(LineTrace {
                goods: priced.goods(line)?,
                product_discount: off_pieces(priced.product_off, line.quantity)?,
                level_discount: off_pieces(priced.level_off, line.quantity)?,
                coupons: taken
                    .iter()
                    .map(|(_, _, taken)| taken.parts_of_line(place))
                    .collect::<Result<_, _>>()?,
                points: worked.outcome.points.parts_of_line(place)?,
            })
        })
        .collect::<Result<_, MoneyError>>()?;
    let fares = worked
        .parcels
        .iter()
        .enumerate()
        .map(|(place, parcel)| {
            Ok(FareTrace {
                fare: parcel.by.fare.clone(),
                island_fee: parcel.by.island_fee.clone(),
                service_fee: parcel.by.service_fee.clone(),
                coupons: taken
                    .iter()
                    .map(|(_, _, taken)| taken.parts_of_fare(place))
                    .collect::<Result<_, _>>()?,
                points: worked.outcome.points.parts_of_fare(place)?,
            })
        })
        .collect::<Result<_, MoneyError>>()?;
    let coupons = taken
        .iter()
        .map(|(used, given, taken)| {
            let rule = PriceRule::SellerBears {
                percent: given.terms.share,
                of: used.amount,
            };
            Ok(CouponTrace {
                amount: off_pieces(taken.by, 1)?,
                seller_share: vec![TraceStep::new(rule, used.seller_share)],
            })
        })
        .collect::<Result<_, MoneyError>>()?;
    Ok(PriceTrace {
        lines,
        fares,
        coupons,
    })
}

fn off_pieces(taken: Option<DiscountAmount>, pieces: u32) -> Result<Vec<TraceStep>, MoneyError> {
    taken.map_or(Ok(Vec::new()), |taken| taken.parts(pieces))
}

impl Line<'_> {
    /// Stock taken by `quantity` sets of these parts, for [`Line::parts`].
    ///
    /// # Errors
    /// [`PricingError::Overflow`].
    pub fn parts_of(parts: &[BundledPart], quantity: u32) -> Result<Vec<StockTaken>, PricingError> {
        parts
            .iter()
            .map(|part| {
                Ok(StockTaken {
                    stock: part.ledger(),
                    quantity: part
                        .quantity
                        .checked_mul(quantity)
                        .ok_or(PricingError::Overflow)?,
                })
            })
            .collect()
    }

    /// The selected option; none where the product has no options.
    fn chosen(&self) -> Result<Option<&ProductOption>, PricingError> {
        let purchase_no = || self.purchase_no.clone();
        let unknown = || PricingError::OptionUnknown {
            purchase_no: purchase_no(),
        };
        if self.product.is_choice() {
            return match self.product.parts_sold(self.option) {
                [] if self.option.is_none() => Err(PricingError::OptionRequired {
                    purchase_no: purchase_no(),
                }),
                [] => Err(unknown()),
                _ => Ok(None),
            };
        }
        match (self.product.options_conf.enabled, self.option) {
            (true, None) => Err(PricingError::OptionRequired {
                purchase_no: purchase_no(),
            }),
            (true, Some(id)) => self.product.option(id).map(Some).ok_or_else(unknown),
            (false, None) => Ok(None),
            // Without options the product's own id denotes its only variant.
            (false, Some(id)) if id.0 == self.product_id.0 => Ok(None),
            (false, Some(_)) => Err(unknown()),
        }
    }

    fn goods(&self) -> Goods<'_> {
        Goods {
            product: self.product_id,
            seller: self.product.seller,
            categories: &self.categories,
            displays: &self.displays,
        }
    }
}

/// A line with its prices before coupons.
struct PricedLine<'a> {
    option: Option<&'a ProductOption>,
    unit_price: Amount,
    product_discount: Amount,
    level_discount: Amount,
    /// Price of the whole line before coupons.
    sale_price: Amount,
    /// The product discount per unit, with its calculation.
    product_off: Option<DiscountAmount>,
    /// The level discount per unit, with its calculation.
    level_off: Option<DiscountAmount>,
}

impl PricedLine<'_> {
    /// Contributions to the list price of the whole line.
    fn goods(&self, line: &Line<'_>) -> Result<Vec<TraceStep>, MoneyError> {
        let pieces = line.quantity;
        let list = PriceRule::Price {
            each: line.product.price,
            pieces,
        };
        let mut parts = vec![TraceStep::new(list, line.product.price.times(pieces)?)];
        if let Some(option) = self.option.filter(|option| !option.price.is_zero()) {
            let rule = PriceRule::OptionPrice {
                each: option.price,
                pieces,
            };
            parts.push(TraceStep::new(rule, option.price.times(pieces)?));
        }
        Ok(parts)
    }
}

fn priced_lines<'r>(request: &'r Request<'_>) -> Result<Vec<PricedLine<'r>>, PricingError> {
    if request.lines.is_empty() {
        return Err(PricingError::EmptyOrder);
    }
    let mut seen = Vec::with_capacity(request.lines.len());
    request
        .lines
        .iter()
        .map(|line| {
            if seen.contains(&line.purchase_no.as_str()) {
                return Err(PricingError::PurchaseTwice {
                    purchase_no: line.purchase_no.clone(),
                });
            }
            seen.push(line.purchase_no.as_str());
            priced_line(line, request.level_discount.as_ref(), request.step)
        })
        .collect()
}

fn priced_line<'l>(
    line: &'l Line<'_>,
    level: Option<&Discount>,
    step: RoundingStep,
) -> Result<PricedLine<'l>, PricingError> {
    let purchase_no = || line.purchase_no.clone();
    if line.quantity == 0 {
        return Err(PricingError::QuantityZero {
            purchase_no: purchase_no(),
        });
    }
    if line.quantity > QUANTITY_MAX {
        return Err(PricingError::QuantityTooLarge {
            purchase_no: purchase_no(),
            most: QUANTITY_MAX,
        });
    }
    let option = line.chosen()?;
    let unit_price = line
        .product
        .price
        .plus(option.map_or(Amount::ZERO, |option| option.price))?;
    if unit_price.is_negative() {
        return Err(PricingError::PriceNegative {
            purchase_no: purchase_no(),
        });
    }
    let invalid = |_| PricingError::DiscountInvalid {
        purchase_no: purchase_no(),
    };
    let (product, product_off) =
        sale_price_by(unit_price, line.product.discount.as_ref(), step).map_err(invalid)?;
    let (piece, level_off) = sale_price_by(product.sale_price, level, step).map_err(invalid)?;
    // The list price of the whole line must not overflow either: it is summed in the totals.
    unit_price.times(line.quantity)?;
    Ok(PricedLine {
        option,
        unit_price,
        product_discount: product.discount_price.times(line.quantity)?,
        level_discount: piece.discount_price.times(line.quantity)?,
        sale_price: piece.sale_price.times(line.quantity)?,
        product_off,
        level_off,
    })
}

/// The target of each coupon, in the given order, or the reason why one does not apply.
fn steps(
    request: &Request<'_>,
    before: &BeforeCoupons<'_>,
) -> Result<Vec<AllocationStep>, PricingError> {
    let mut steps: Vec<AllocationStep> = Vec::with_capacity(request.coupons.len());
    for (place, used) in request.coupons.iter().enumerate() {
        let issued = used.issued;
        if request
            .coupons
            .iter()
            .take(place)
            .any(|earlier| earlier.issued == issued)
        {
            return Err(PricingError::CouponTwice { issued });
        }
        let refused = |why| PricingError::CouponNotApplicable { issued, why };
        before.is_usable(&used.terms).map_err(refused)?;
        if !used.terms.combinable && request.coupons.len() > 1 {
            return Err(refused(CouponRefusal::NotCombinable));
        }
        let named = match &used.purchase_no {
            None => None,
            Some(purchase_no) => Some(
                request
                    .lines
                    .iter()
                    .position(|line| line.purchase_no == *purchase_no)
                    .ok_or_else(|| refused(CouponRefusal::PurchaseUnknown))?,
            ),
        };
        let target = before.target(&used.terms, named).map_err(refused)?;
        if let Some(why) = taken_by_another(&target, &steps) {
            return Err(refused(why));
        }
        steps.push(AllocationStep {
            target,
            discount: coupon::discount(&used.terms),
        });
    }
    Ok(steps)
}

/// The refusal of a second product coupon on a purchase, or a second fare coupon on a fare.
fn taken_by_another(target: &AllocationTarget, before: &[AllocationStep]) -> Option<CouponRefusal> {
    let is_taken = |step: &AllocationStep| match (&step.target, target) {
        (AllocationTarget::Line(taken), AllocationTarget::Line(line)) => taken == line,
        (AllocationTarget::Fares(taken), AllocationTarget::Fares(fares)) => {
            taken.iter().any(|fare| fares.contains(fare))
        }
        _ => false,
    };
    let why = match target {
        AllocationTarget::Line(_) => CouponRefusal::PurchaseHasCoupon,
        AllocationTarget::Fares(_) => CouponRefusal::FareHasCoupon,
        AllocationTarget::Total { .. } => return None,
    };
    before.iter().any(is_taken).then_some(why)
}

fn stage_error(request: &Request<'_>, error: AllocationError) -> PricingError {
    match error {
        AllocationError::Discount { step, .. } => match request.coupons.get(step) {
            Some(used) => PricingError::CouponNotApplicable {
                issued: used.issued,
                why: CouponRefusal::TermsInvalid,
            },
            None => PricingError::Overflow,
        },
        AllocationError::PointsNegative => PricingError::PointsNegative,
        AllocationError::PointsExceed { most } => PricingError::PointsExceed { most },
        AllocationError::Overflow => PricingError::Overflow,
    }
}
