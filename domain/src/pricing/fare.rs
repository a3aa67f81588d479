//! Delivery fares (spec V286-V293), and which postcodes are islands.

use crate::distance::Kilometres;
use crate::money::{Amount, MoneyError};
use crate::price_trace::{PriceRule, TraceStep};
use crate::shipping::{Area, ChargeType, Island, IslandFee, ServiceFee, ShippingOption};

/// Reasons why a fare cannot be computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FareError {
    /// The fare depends on distance and the distance is unknown (spec V168: both coordinates are needed).
    #[error("the distance is unknown")]
    DistanceUnknown,
    /// The fare table is empty, or an amount in it is negative.
    #[error("the fare is not defined")]
    Undefined,
    /// An amount overflows.
    #[error("a fare overflows")]
    Overflow,
}

impl From<MoneyError> for FareError {
    fn from(_: MoneyError) -> Self {
        Self::Overflow
    }
}

/// The fare of `option` for goods that cost `goods` at distance `distance`, without surcharges.
///
/// Pay on delivery charges nothing with the order (reading 5). By price and by distance (reading 6) the row with the largest threshold not
/// above the value applies; below every threshold, the row with the smallest one (a table starting at 30 000 also applies to smaller
/// values; a free fare would be unintended). The order of the rows is irrelevant.
///
/// # Errors
/// [`FareError`].
pub fn fare(
    option: &ShippingOption,
    goods: Amount,
    distance: Option<Kilometres>,
) -> Result<Amount, FareError> {
    fare_by(option, goods, distance).map(|part| part.amount)
}

/// [`fare`], with the rule that determined it.
///
/// # Errors
/// [`FareError`].
pub fn fare_by(
    option: &ShippingOption,
    goods: Amount,
    distance: Option<Kilometres>,
) -> Result<TraceStep, FareError> {
    let (rule, amount) = match option.charge_type {
        ChargeType::Fixed => (PriceRule::FixedFare, option.fixed_amount),
        ChargeType::PayOnDelivery => (PriceRule::PaidOnDelivery, Amount::ZERO),
        ChargeType::PriceRange => {
            let row = option.price_row(goods).ok_or(FareError::Undefined)?;
            let from = row.price;
            (PriceRule::FareByPrice { goods, from }, row.amount)
        }
        ChargeType::TravelRange => {
            let distance = distance.ok_or(FareError::DistanceUnknown)?;
            let (from, amount) = step(
                option
                    .travel_range
                    .iter()
                    .map(|row| (row.distance, row.amount)),
                |threshold| distance.reaches(threshold),
            )?;
            (PriceRule::FareByDistance { from }, amount)
        }
    };
    not_negative(amount).map(|amount| TraceStep::new(rule, amount))
}

/// The row with the largest threshold reached, else the row with the smallest threshold. Of equal thresholds the last row applies.
fn step<T: Ord + Copy>(
    rows: impl Iterator<Item = (T, Amount)> + Clone,
    reached: impl Fn(T) -> bool,
) -> Result<(T, Amount), FareError> {
    rows.clone()
        .filter(|(threshold, _)| reached(*threshold))
        .max_by_key(|(threshold, _)| *threshold)
        .or_else(|| rows.min_by_key(|(threshold, _)| *threshold))
        .ok_or(FareError::Undefined)
}

/// The surcharge of an address in `area`: ordinary islands `amount__base` (spec V291), Jeju only `amount__jeju` (spec V292).
///
/// Added to every kind of fare, including free fares and those collected on delivery.
///
/// # Errors
/// [`FareError::Undefined`] for a negative amount.
pub fn island_fee(island: &IslandFee, area: Area) -> Result<Amount, FareError> {
    not_negative(match area {
        _ if !island.is_active => Amount::ZERO,
        Area::None => Amount::ZERO,
        Area::Island => island.amount_base,
        Area::Jeju => island.amount_jeju,
    })
}

/// The service fee of `quantity` items (spec V293).
///
/// # Errors
/// [`FareError::Undefined`] for a negative amount, [`FareError::Overflow`].
pub fn service_fee(service: &ServiceFee, quantity: u32) -> Result<Amount, FareError> {
    if !service.is_active {
        return Ok(Amount::ZERO);
    }
    Ok(not_negative(service.amount)?.times(quantity)?)
}

/// The fare of goods sent in one parcel: the largest (spec V289); zero without goods.
pub fn bundled(fares: impl IntoIterator<Item = Amount>) -> Amount {
    fares.into_iter().max().unwrap_or(Amount::ZERO)
}

/// The fare of goods sent separately: the sum (spec V290).
///
/// # Errors
/// [`FareError::Overflow`].
pub fn by_piece(fares: impl IntoIterator<Item = Amount>) -> Result<Amount, FareError> {
    Ok(Amount::total(fares)?)
}

fn not_negative(amount: Amount) -> Result<Amount, FareError> {
    if amount.is_negative() {
        Err(FareError::Undefined)
    } else {
        Ok(amount)
    }
}

/// The surcharge area of a postcode, and whether the postcode is unknown or malformed: then there is no surcharge, and the order is
/// flagged for staff.
///
/// Of several matching islands the narrowest range applies, so that an island inside Jeju's range can be configured separately.
/// Five digits from 01000 to 63644 are valid postcodes, others only if an island record covers them.
pub fn area_of(postcode: &str, islands: &[Island]) -> (Area, bool) {
    const KNOWN: std::ops::RangeInclusive<u32> = 1_000..=63_644;
    let Some(code) = five_digits(postcode) else {
        return (Area::None, true);
    };
    let narrowest = islands
        .iter()
        .filter_map(|island| {
            Some((
                five_digits(&island.starts)?,
                five_digits(&island.ends)?,
                island,
            ))
        })
        .filter(|(starts, ends, _)| (*starts..=*ends).contains(&code))
        .min_by_key(|(starts, ends, _)| ends - starts);
    match narrowest {
        Some((_, _, island)) => (island.area, false),
        None => (Area::None, !KNOWN.contains(&code)),
    }
}

/// A postcode as a number: exactly five ASCII digits, surrounding blanks allowed.
fn five_digits(postcode: &str) -> Option<u32> {
    let digits = postcode.trim();
    (digits.len() == 5 && digits.bytes().all(|byte| byte.is_ascii_digit()))
        .then(|| digits.parse().ok())
        .flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shipping::{PriceStep, TravelStep};

    fn prices(rows: &[(i64, i64)]) -> ShippingOption {
        ShippingOption {
            charge_type: ChargeType::PriceRange,
            prices_range: rows
                .iter()
                .map(|(price, amount)| PriceStep {
                    price: Amount::new(*price),
                    amount: Amount::new(*amount),
                })
                .collect(),
            ..ShippingOption::default()
        }
    }

    fn by_price(rows: &[(i64, i64)], goods: i64) -> Result<i64, FareError> {
        fare(&prices(rows), Amount::new(goods), None).map(Amount::hundredths)
    }

    /// O6, and S1 in our form (the threshold is where a fare starts to apply).
    #[test]
    fn the_largest_threshold_not_above_counts() {
        let o6 = [(0, 3000), (30000, 2000), (50000, 0)];
        assert_eq!(by_price(&o6, 49999), Ok(2000));
        assert_eq!(by_price(&o6, 50000), Ok(0));
        let s1 = [(0, 4000), (20000, 3000), (30000, 2000), (40000, 0)];
        for (goods, expected) in [(19999, 4000), (20000, 3000), (30000, 2000), (40000, 0)] {
            assert_eq!(by_price(&s1, goods), Ok(expected), "{goods}");
        }
    }

    #[test]
    fn tables_may_be_unsorted_start_late_or_be_missing() {
        let unsorted = [(50000, 0), (10000, 3000), (30000, 2000)];
        assert_eq!(by_price(&unsorted, 30001), Ok(2000));
        assert_eq!(by_price(&unsorted, 9999), Ok(3000));
        assert_eq!(by_price(&[], 1), Err(FareError::Undefined));
        assert_eq!(by_price(&[(0, -1)], 1), Err(FareError::Undefined));
        assert_eq!(by_price(&[(0, 1), (0, 2)], 1), Ok(2));
    }

    #[test]
    fn by_distance_needs_a_distance() {
        let option = ShippingOption {
            charge_type: ChargeType::TravelRange,
            travel_range: [(5, 300), (10, 500)]
                .map(|(distance, amount)| TravelStep {
                    distance,
                    amount: Amount::new(amount),
                })
                .to_vec(),
            ..ShippingOption::default()
        };
        let at = |km| fare(&option, Amount::ZERO, Kilometres::new(km)).map(Amount::hundredths);
        assert_eq!(at(9.999), Ok(300));
        assert_eq!(at(10.0), Ok(500));
        assert_eq!(at(0.1), Ok(300));
        assert_eq!(at(f64::NAN), Err(FareError::DistanceUnknown));
    }

    #[test]
    fn pay_on_delivery_charges_nothing_with_the_order() {
        let option = ShippingOption {
            charge_type: ChargeType::PayOnDelivery,
            fixed_amount: Amount::new(3000),
            ..ShippingOption::default()
        };
        assert_eq!(fare(&option, Amount::ZERO, None), Ok(Amount::ZERO));
    }

    #[test]
    fn o5_bundle_and_pieces() {
        let amounts = |all: [i64; 2]| all.map(Amount::new);
        let together = by_piece(amounts([2000, 2000]))
            .and_then(|pieces| Ok(bundled(amounts([2500, 3000])).plus(pieces)?));
        assert_eq!(together, Ok(Amount::new(7000)));
        assert_eq!(bundled([]), Amount::ZERO);
    }

    #[test]
    fn postcodes_find_their_area() {
        let island = |starts: &str, ends: &str, area| Island {
            name: String::new(),
            starts: starts.to_owned(),
            ends: ends.to_owned(),
            area,
        };
        let islands = [
            island("63000", "63644", Area::Jeju),
            island("63365", "63365", Area::Island),
            island("40200", "40240", Area::Island),
            island("typo", "99999", Area::Island),
            island("90000", "90001", Area::Island),
        ];
        let rows = [
            ("63000", Area::Jeju, false),
            ("63644", Area::Jeju, false),
            ("63365", Area::Island, false),
            (" 40240 ", Area::Island, false),
            ("40241", Area::None, false),
            ("06236", Area::None, false),
            ("00999", Area::None, true),
            ("63645", Area::None, true),
            ("90001", Area::Island, false),
            ("", Area::None, true),
            ("135-080", Area::None, true),
            ("6300", Area::None, true),
            ("+6300", Area::None, true),
            ("６３０００", Area::None, true),
        ];
        for (postcode, area, unknown) in rows {
            assert_eq!(area_of(postcode, &islands), (area, unknown), "{postcode:?}");
        }
    }
}
