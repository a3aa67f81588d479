//! Splitting one amount over lines: largest remainder, ties to the earlier line, sums exact.
//!
//! Every share of a coupon, of points or of a refund is computed here, so that parts always add up.

use crate::money::Amount;
use crate::rounding::RoundingStep;

/// Reasons why an amount cannot be split.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SplitError {
    /// The amount is not zero and all weights are: a split would lose it.
    #[error("cannot split an amount over weights that are all zero")]
    NoWeight,
    /// A weight, floor or amount that must not be negative is negative.
    #[error("a weight is negative")]
    Negative,
    /// The numbers of floors and prices differ.
    #[error("the numbers of floors and prices differ")]
    Uneven,
    /// A share does not fit an `i64`.
    #[error("a share overflows")]
    Overflow,
}

/// The weights of the lines an amount is split over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weights<'a> {
    /// Amounts. Where the total is at most their sum, no part exceeds its amount.
    Amounts(&'a [Amount]),
    /// Quantities. They do not bound the parts.
    Quantities(&'a [u32]),
}

impl Weights<'_> {
    fn numbers(self) -> Vec<i64> {
        match self {
            Self::Amounts(amounts) => amounts.iter().map(|amount| amount.hundredths()).collect(),
            Self::Quantities(pieces) => pieces.iter().map(|count| i64::from(*count)).collect(),
        }
    }

    /// Whether parts in whole steps can stay within the weights.
    fn allow(self, step: RoundingStep) -> bool {
        match self {
            Self::Amounts(amounts) => amounts.iter().all(|amount| step.divides(*amount)),
            Self::Quantities(_) => true,
        }
    }
}

/// Splits `total` (which may be negative) over `weights` by largest remainder; ties go to the earlier line.
///
/// The parts add up to `total`, have its sign and stay within [`Weights::Amounts`]. They are whole multiples of `step`, unless the
/// total or an amount among the weights is not (amounts from before a change of the shop's currency): then parts are exact to the
/// hundredth, because adding up and staying within the weights take precedence.
///
/// # Errors
/// [`SplitError::NoWeight`] for a non-zero `total` over zero weights; [`SplitError::Negative`] for a negative weight;
/// [`SplitError::Overflow`].
pub fn split(
    total: Amount,
    weights: Weights<'_>,
    step: RoundingStep,
) -> Result<Vec<Amount>, SplitError> {
    let shares = split_by(total, weights, step)?;
    Ok(shares.into_iter().map(|share| share.amount).collect())
}

/// One line's share of a split amount.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share {
    /// The whole share.
    pub amount: Amount,
    /// The part of `amount` added by the largest-remainder step; zero for most lines.
    pub left_over: Amount,
}

/// [`split`], with the lines that received the remaining steps.
///
/// # Errors
/// As [`split`].
pub fn split_by(
    total: Amount,
    weights: Weights<'_>,
    step: RoundingStep,
) -> Result<Vec<Share>, SplitError> {
    let whole_steps = step.divides(total) && weights.allow(step);
    let weights = weights.numbers();
    if weights.iter().any(|weight| *weight < 0) {
        return Err(SplitError::Negative);
    }
    let whole = i128::from(total.hundredths());
    let sum: i128 = weights.iter().map(|weight| i128::from(*weight)).sum();
    if sum == 0 {
        return if whole == 0 {
            Ok(vec![Share::default(); weights.len()])
        } else {
            Err(SplitError::NoWeight)
        };
    }
    let unit = match whole_steps {
        true => i128::from(step.hundredths()),
        false => 1,
    };
    let (sign, size) = (whole.signum(), whole.abs() / unit);
    let mut shares = Vec::with_capacity(weights.len());
    for (line, weight) in weights.iter().enumerate() {
        let exact = size
            .checked_mul(i128::from(*weight))
            .ok_or(SplitError::Overflow)?;
        shares.push((line, exact / sum, exact % sum, 0_i128));
    }
    // Remaining whole steps go to the largest remainders; the sort is stable, so ties keep the earlier line.
    let mut missing = size - shares.iter().map(|(_, floor, _, _)| floor).sum::<i128>();
    shares.sort_by_key(|(_, _, remainder, _)| std::cmp::Reverse(*remainder));
    for (_, _, _, left_over) in &mut shares {
        if missing > 0 {
            *left_over = 1;
            missing -= 1;
        }
    }
    shares.sort_by_key(|(line, _, _, _)| *line);
    let amount = |steps: i128| {
        i64::try_from(steps * sign * unit)
            .map(Amount::new)
            .map_err(|_| SplitError::Overflow)
    };
    shares
        .into_iter()
        .map(|(_, floor, _, left_over)| {
            Ok(Share {
                amount: amount(floor + left_over)?,
                left_over: amount(left_over)?,
            })
        })
        .collect()
}

/// A discount spread over lines that may not fall below a floor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlooredDiscount {
    /// Discount of each line, zero or more.
    pub parts: Vec<Amount>,
    /// The part of the discount that no line could take; `parts` plus this is the discount.
    pub unplaced: Amount,
}

/// Spreads `discount` over lines by their `prices`; no line falls below its floor.
///
/// The excess of a line is spread over the others; what no line can take is returned in [`FlooredDiscount::unplaced`].
///
/// # Errors
/// [`SplitError::Negative`] for a negative discount, price or floor; [`SplitError::Uneven`]; [`SplitError::Overflow`].
pub fn split_with_floors(
    discount: Amount,
    prices: &[Amount],
    floors: &[Amount],
    step: RoundingStep,
) -> Result<FlooredDiscount, SplitError> {
    let negative = |amounts: &[Amount]| amounts.iter().any(|amount| amount.is_negative());
    if discount.is_negative() || negative(prices) || negative(floors) {
        return Err(SplitError::Negative);
    }
    if prices.len() != floors.len() {
        return Err(SplitError::Uneven);
    }
    let mut lines: Vec<FlooredLine> = prices
        .iter()
        .zip(floors)
        .map(|(price, floor)| FlooredLine {
            weight: *price,
            room: price.hundredths().saturating_sub(floor.hundredths()).max(0),
            full: false,
        })
        .collect();
    loop {
        let borne: i64 = lines
            .iter()
            .filter(|line| line.full)
            .try_fold(0_i64, |sum, line| sum.checked_add(line.room))
            .ok_or(SplitError::Overflow)?;
        let rest = Amount::new(discount.hundredths() - borne);
        let weights: Vec<Amount> = lines
            .iter()
            .map(|line| match line.full {
                true => Amount::ZERO,
                false => line.weight,
            })
            .collect();
        let (shares, unplaced) = match split(rest, Weights::Amounts(&weights), step) {
            Ok(shares) => (shares, Amount::ZERO),
            Err(SplitError::NoWeight) => (vec![Amount::ZERO; lines.len()], rest),
            Err(error) => return Err(error),
        };
        let mut overflowing = false;
        for (line, share) in lines.iter_mut().zip(&shares) {
            if !line.full && share.hundredths() > line.room {
                line.full = true;
                overflowing = true;
            }
        }
        if !overflowing {
            let parts = lines
                .iter()
                .zip(shares)
                .map(|(line, share)| {
                    if line.full {
                        Amount::new(line.room)
                    } else {
                        share
                    }
                })
                .collect();
            return Ok(FlooredDiscount { parts, unplaced });
        }
    }
}

/// State of one line while the discount is spread.
struct FlooredLine {
    weight: Amount,
    room: i64,
    full: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    const CENT: RoundingStep = RoundingStep::HUNDREDTH;

    fn amounts(hundredths: &[i64]) -> Vec<Amount> {
        hundredths.iter().copied().map(Amount::new).collect()
    }

    /// Peer scenarios, section 1, and the zero cases.
    #[test]
    fn splits_like_the_peers() {
        let rows: &[(&str, &[i64], i64, &[i64])] = &[
            ("D1", &[4000, 2000, 2000], 300, &[150, 75, 75]),
            ("D2", &[4000, 2000, 2000], -300, &[-150, -75, -75]),
            ("D3", &[4300, 1400, 2300], 299, &[161, 52, 86]),
            ("D3 negative", &[4300, 1400, 2300], -299, &[-161, -52, -86]),
            ("D5", &[1000, 1000, 1000], 299, &[100, 100, 99]),
            (
                "D6",
                &[10, 20, 10, 30, 50, 20, 10, 40],
                95,
                &[5, 10, 5, 15, 25, 10, 5, 20],
            ),
            ("D8", &[10, 0], 40, &[40, 0]),
            ("nothing over nothing", &[0, 0], 0, &[0, 0]),
            ("no lines", &[], 0, &[]),
            (
                "the largest amounts",
                &[i64::MAX, i64::MAX],
                i64::MAX,
                &[4_611_686_018_427_387_904, 4_611_686_018_427_387_903],
            ),
        ];
        for (name, weights, total, expected) in rows {
            assert_eq!(
                split(
                    Amount::new(*total),
                    Weights::Amounts(&amounts(weights)),
                    CENT
                ),
                Ok(amounts(expected)),
                "{name}"
            );
        }
    }

    /// In won every part is a whole won, the parts still add up, and the largest remainders receive the rest.
    #[test]
    fn a_shop_in_won_splits_whole_won() {
        let rows: &[(&str, &[i64], i64, &[i64])] = &[
            (
                "₩3,000 in three",
                &[1_000_000, 1_000_000, 1_000_000],
                300_000,
                &[100_000; 3],
            ),
            (
                "₩1,000 in three",
                &[1_000_000, 1_000_000, 1_000_000],
                100_000,
                &[33_400, 33_300, 33_300],
            ),
            (
                "₩299 over ₩4,300, ₩1,400 and ₩2,300",
                &[430_000, 140_000, 230_000],
                29_900,
                &[16_100, 5_200, 8_600],
            ),
            (
                "back again",
                &[430_000, 140_000, 230_000],
                -29_900,
                &[-16_100, -5_200, -8_600],
            ),
            ("all of it", &[100, 200], 300, &[100, 200]),
            (
                "half a won from before the currency changed",
                &[150, 150],
                299,
                &[150, 149],
            ),
        ];
        for (name, weights, total, expected) in rows {
            assert_eq!(
                split(
                    Amount::new(*total),
                    Weights::Amounts(&amounts(weights)),
                    RoundingStep::WON
                ),
                Ok(amounts(expected)),
                "{name}"
            );
        }
        let floored = split_with_floors(
            Amount::new(100_000),
            &amounts(&[100_000, 100_000, 100_000]),
            &amounts(&[90_000, 0, 0]),
            RoundingStep::WON,
        );
        assert_eq!(
            floored.map(|floored| floored.parts),
            Ok(amounts(&[10_000, 45_000, 45_000]))
        );
    }

    #[test]
    fn d9_refuses_to_lose_an_amount_over_zero_weights() {
        let rows: &[(i64, &[i64], SplitError)] = &[
            (10, &[0, 0], SplitError::NoWeight),
            (-299, &[], SplitError::NoWeight),
            (1, &[1, -1], SplitError::Negative),
        ];
        for (total, weights, error) in rows {
            let weights = amounts(weights);
            assert_eq!(
                split(Amount::new(*total), Weights::Amounts(&weights), CENT),
                Err(*error)
            );
        }
    }

    /// D10, D12, D13 and D15: prices, floors, discount, parts, unplaced.
    #[test]
    fn floors_hold_and_the_excess_is_spread_again() {
        type Row<'a> = (&'a str, &'a [i64], &'a [i64], i64, &'a [i64], i64);
        let rows: &[Row] = &[
            (
                "D10",
                &[1000, 2000, 5000, 3000],
                &[0, 1900, 5000, 2600],
                1200,
                &[700, 100, 0, 400],
                0,
            ),
            ("D12", &[2000, 3000], &[1500, 1500], 2500, &[500, 1500], 500),
            ("D13", &[5000, 6000], &[4500, 0], 2500, &[500, 2000], 0),
            (
                "D15",
                &[10000, 4000, 4000],
                &[9000, 0, 0],
                2700,
                &[1000, 850, 850],
                0,
            ),
            ("floor above the price", &[100], &[200], 50, &[0], 50),
            ("nothing to spread over", &[], &[], 50, &[], 50),
        ];
        for (name, prices, floors, discount, parts, unplaced) in rows {
            assert_eq!(
                split_with_floors(
                    Amount::new(*discount),
                    &amounts(prices),
                    &amounts(floors),
                    CENT
                ),
                Ok(FlooredDiscount {
                    parts: amounts(parts),
                    unplaced: Amount::new(*unplaced)
                }),
                "{name}"
            );
        }
        assert_eq!(
            split_with_floors(Amount::new(1), &amounts(&[1]), &[], CENT),
            Err(SplitError::Uneven)
        );
    }

    /// The per-unit rows of D13 and D15: a line's share per unit is the same split with equal weights.
    #[test]
    fn a_share_over_pieces_is_the_same_split() {
        let won = RoundingStep::WON;
        let rows: &[(RoundingStep, i64, &[u32], &[i64])] = &[
            (CENT, -2000, &[1, 1, 1], &[-667, -667, -666]),
            (CENT, -1000, &[1, 1], &[-500, -500]),
            (CENT, -850, &[1, 1], &[-425, -425]),
            // three units for ₩2,000, two of them returned
            (won, 200_000, &[2, 1], &[133_300, 66_700]),
            (won, -200_000, &[1, 1, 1], &[-66_700, -66_700, -66_600]),
            // less than a won per unit
            (won, 100, &[50, 50], &[100, 0]),
            // half a won from before the currency changed
            (won, 250, &[1, 1], &[125, 125]),
        ];
        for (step, total, pieces, expected) in rows {
            assert_eq!(
                split(Amount::new(*total), Weights::Quantities(pieces), *step),
                Ok(amounts(expected)),
                "{total} over {pieces:?}"
            );
        }
    }
}
