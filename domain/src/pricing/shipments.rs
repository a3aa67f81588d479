//! Groups purchases into parcels and computes the delivery fare of each.

use crate::ids::{MemberId, ShippingId};
use crate::money::Amount;
use crate::price_trace::{PriceRule, TraceStep};
use crate::pricing::error::PricingError;
use crate::pricing::fare::{FareError, bundled, fare_by, island_fee, service_fee};
use crate::pricing::quote::{Line, Request};
use crate::shipping::{BundleType, ChargeType, ShippingMethod, ShippingOption};

/// Purchases with one delivery fare.
pub(super) struct Shipment<'a> {
    pub seller: MemberId,
    /// Indexes of its lines.
    pub carries: Vec<usize>,
    /// The shipping option with the largest fare (the first of equals), which determines the parcel's fare.
    pub option: &'a ShippingOption,
    pub fare: Amount,
    pub island_fee: Amount,
    pub service_fee: Amount,
    /// Contributions to fare and fees.
    pub by: FareParts,
}

/// Contributions to a parcel's fare and fees; each list sums to its amount.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct FareParts {
    pub fare: Vec<TraceStep>,
    pub island_fee: Vec<TraceStep>,
    pub service_fee: Vec<TraceStep>,
}

/// Key of lines bundled into one parcel: seller, shipping group and method.
type Together = (MemberId, ShippingId, ShippingMethod);

/// The parcels of an order, in the order of their first lines. `sale_prices` are the lines' amounts before coupons.
///
/// Bundled lines of one seller, shipping group and method share the largest fare and the largest island fee; a fare by price
/// depends on the price of all goods in the parcel. Lines sent separately pay their own fare. Service fees are always summed.
pub(super) fn parcels<'a>(
    request: &Request<'a>,
    sale_prices: &[Amount],
) -> Result<Vec<Shipment<'a>>, PricingError> {
    all_placed(request)?;
    let mut groups: Vec<(Option<Together>, Vec<GroupLine<'_, 'a>>)> = Vec::new();
    for (place, (line, sale_price)) in request.lines.iter().zip(sale_prices).enumerate() {
        let carried = GroupLine {
            place,
            line,
            sale_price: *sale_price,
        };
        let together = match line.shipping.bundle_type {
            BundleType::Piece => None,
            BundleType::Bundle => {
                Some((line.product.seller, line.shipping_id, line.shipping.method))
            }
        };
        match groups
            .iter_mut()
            .find(|(known, _)| known.is_some() && *known == together)
        {
            Some((_, lines)) => lines.push(carried),
            None => groups.push((together, vec![carried])),
        }
    }
    groups
        .iter()
        .filter_map(|(_, lines)| lines.first().map(|first| parcel(request, first, lines)))
        .collect()
}

/// Checks that the distance is known for every line whose fare depends on it; reports all lines without.
fn all_placed(request: &Request<'_>) -> Result<(), PricingError> {
    let unplaced = request.lines.iter().filter(|line| {
        line.shipping.charge_type == ChargeType::TravelRange && line.distance.is_none()
    });
    let purchase_nos: Vec<String> = unplaced.map(|line| line.purchase_no.clone()).collect();
    if purchase_nos.is_empty() {
        return Ok(());
    }
    Err(PricingError::DistanceUnknown { purchase_nos })
}

/// A line in its group.
struct GroupLine<'r, 'a> {
    place: usize,
    line: &'r Line<'a>,
    sale_price: Amount,
}

fn parcel<'a>(
    request: &Request<'a>,
    first: &GroupLine<'_, 'a>,
    lines: &[GroupLine<'_, 'a>],
) -> Result<Shipment<'a>, PricingError> {
    let goods = Amount::total(lines.iter().map(|carried| carried.sale_price))?;
    let mut parcel = Shipment {
        seller: first.line.product.seller,
        carries: Vec::with_capacity(lines.len()),
        option: first.line.shipping,
        fare: Amount::ZERO,
        island_fee: Amount::ZERO,
        service_fee: Amount::ZERO,
        by: FareParts::default(),
    };
    for GroupLine { place, line, .. } in lines {
        let failed = |error| at(line, error);
        let found = fare_by(line.shipping, goods, line.distance).map_err(failed)?;
        let fare = found.amount;
        let island = island_fee(&line.shipping.island, request.area).map_err(failed)?;
        let service = service_fee(&line.shipping.service, line.quantity).map_err(failed)?;
        if fare > parcel.fare {
            parcel.option = line.shipping;
        }
        // Only the excess over the previous goods adds to the parcel's fare (spec V289).
        let dearest = bundled([parcel.fare, fare]);
        let dearest_island = bundled([parcel.island_fee, island]);
        if parcel.carries.is_empty() {
            parcel.by.fare.push(found);
        } else if dearest > parcel.fare {
            let rule = PriceRule::DearerInParcel { fare };
            let more = dearest.minus(parcel.fare)?;
            parcel.by.fare.push(TraceStep::new(rule, more));
        }
        if dearest_island > parcel.island_fee {
            let rule = PriceRule::Island { area: request.area };
            let more = dearest_island.minus(parcel.island_fee)?;
            parcel.by.island_fee.push(TraceStep::new(rule, more));
        }
        if !service.is_zero() {
            let rule = PriceRule::Service {
                each: line.shipping.service.amount,
                pieces: line.quantity,
            };
            parcel.by.service_fee.push(TraceStep::new(rule, service));
        }
        parcel.fare = dearest;
        parcel.island_fee = dearest_island;
        parcel.service_fee = parcel.service_fee.plus(service)?;
        parcel.carries.push(*place);
    }
    Ok(parcel)
}

fn at(line: &Line<'_>, error: FareError) -> PricingError {
    let purchase_no = line.purchase_no.clone();
    match error {
        FareError::DistanceUnknown => PricingError::DistanceUnknown {
            purchase_nos: vec![purchase_no],
        },
        FareError::Undefined => PricingError::FareUndefined { purchase_no },
        FareError::Overflow => PricingError::Overflow,
    }
}
