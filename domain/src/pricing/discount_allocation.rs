//! Coupons and points taken off lines and fares, stage by stage: only amounts, no rules about who may use what.
//!
//! Each coupon works on what the ones before it left. Stages follow each other as the specification says (V285):
//! product lines, the delivery fare, the total; then points. Within a stage coupons work in the order given.

use crate::allocation::{Share, SplitError, split_by};
use crate::catalogue::Discount;
use crate::coupon::Stage;
use crate::money::{Amount, MoneyError};
use crate::pricing::discount::{DiscountAmount, DiscountError, discount_amount_by};
use crate::pricing::trace::{PriceRule, TraceStep};
use crate::rounding::RoundingStep;

/// One delivery fare before coupons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FarePortions {
    /// The fare itself: what fare coupons work on.
    pub fare: Amount,
    /// Island and service fees: only total coupons and points reach them.
    pub fees: Amount,
}

/// What a coupon works on, as places in the lists of lines and fares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AllocationTarget {
    /// One line.
    Line(usize),
    /// The fares proper (no island or service fees) of some parcels, as one amount.
    Fares(Vec<usize>),
    /// What is left of some lines, fares and fees, as one amount.
    Total {
        /// The lines.
        lines: Vec<usize>,
        /// The fares.
        fares: Vec<usize>,
    },
}

impl AllocationTarget {
    /// The stage it belongs to.
    pub const fn stage(&self) -> Stage {
        match self {
            Self::Line(_) => Stage::Product,
            Self::Fares(_) => Stage::Fare,
            Self::Total { .. } => Stage::Total,
        }
    }
}

/// One coupon at work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AllocationStep {
    /// On what.
    pub target: AllocationTarget,
    /// How much.
    pub discount: Discount,
}

/// What was taken, and each line's and fare's share of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AllocatedDiscount {
    /// All of it.
    pub amount: Amount,
    /// Shares of the lines, in their order.
    pub lines: Vec<Amount>,
    /// Shares of the fares, in their order.
    pub fares: Vec<Amount>,
    /// What each rule of the discount made; none of points.
    pub by: Option<DiscountAmount>,
    /// How the shares came about: lines, then fares.
    shares: Vec<(Amount, Share)>,
}

impl AllocatedDiscount {
    /// How a line's share came about; the parts add up to it.
    ///
    /// # Errors
    /// An overflow.
    pub fn parts_of_line(&self, line: usize) -> Result<Vec<TraceStep>, MoneyError> {
        self.parts_at(line)
    }

    /// How a fare's share came about; the parts add up to it.
    ///
    /// # Errors
    /// An overflow.
    pub fn parts_of_fare(&self, fare: usize) -> Result<Vec<TraceStep>, MoneyError> {
        self.parts_at(self.lines.len().saturating_add(fare))
    }

    fn parts_at(&self, place: usize) -> Result<Vec<TraceStep>, MoneyError> {
        let Some((weight, share)) = self.shares.get(place) else {
            return Ok(Vec::new());
        };
        let sum = Amount::total(self.shares.iter().map(|(weight, _)| *weight))?;
        let rule = PriceRule::Share {
            of: self.amount,
            weight: *weight,
            sum,
        };
        let mut parts = vec![TraceStep::new(rule, share.amount.minus(share.left_over)?)];
        if !share.left_over.is_zero() {
            parts.push(TraceStep::new(PriceRule::LargestRemainder, share.left_over));
        }
        // what it does not reach, it has no share of
        parts.retain(|part| !part.amount.is_zero());
        Ok(parts)
    }
}

/// What everything took and what is left to pay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Allocation {
    /// What each step took, in the order the steps were given.
    pub steps: Vec<AllocatedDiscount>,
    /// What the points took.
    pub points: AllocatedDiscount,
    /// Left to pay of each line.
    pub lines: Vec<Amount>,
    /// Left to pay of each fare with its fees.
    pub fares: Vec<Amount>,
}

/// Why nothing could be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AllocationError {
    /// A step's discount makes no sense.
    #[error("step {step}: {error}")]
    Discount {
        /// Its place in the steps given.
        step: usize,
        /// What is wrong with it.
        error: DiscountError,
    },
    /// Points below zero.
    #[error("points are negative")]
    PointsNegative,
    /// More points than is left to pay.
    #[error("more points than is left to pay ({most})")]
    PointsExceed {
        /// What is left to pay.
        most: Amount,
    },
    /// An amount does not fit, or a line or fare was negative.
    #[error("an amount overflows")]
    Overflow,
}

impl From<MoneyError> for AllocationError {
    fn from(_: MoneyError) -> Self {
        Self::Overflow
    }
}

impl From<SplitError> for AllocationError {
    fn from(_: SplitError) -> Self {
        Self::Overflow
    }
}

/// Takes `steps`, in the order of their stages, and then `points` off `lines` and `fares`.
///
/// Points and coupons over several lines or fares are shared by largest remainder of what is left of each; every rounding goes to `rounding`.
///
/// # Errors
/// [`StageError`].
pub fn allocate(
    lines: &[Amount],
    fares: &[FarePortions],
    steps: &[AllocationStep],
    points: Amount,
    rounding: RoundingStep,
) -> Result<Allocation, AllocationError> {
    let mut left = Left::of(lines, fares, rounding)?;
    let mut ordered: Vec<(usize, &AllocationStep)> = steps.iter().enumerate().collect();
    ordered.sort_by_key(|(_, step)| step.target.stage());
    let mut taken = Vec::with_capacity(ordered.len());
    for (place, step) in ordered {
        let weights = left.reached_by(&step.target);
        let off = discount_amount_by(&step.discount, weights.sum()?, rounding)
            .map_err(|error| AllocationError::Discount { step: place, error })?;
        let mut off_here = left.take(off.amount, &weights)?;
        off_here.by = Some(off);
        taken.push((place, off_here));
    }
    taken.sort_by_key(|(place, _)| *place);
    if points.is_negative() {
        return Err(AllocationError::PointsNegative);
    }
    let rest = left.all();
    let most = rest.sum()?;
    if points > most {
        return Err(AllocationError::PointsExceed { most });
    }
    Ok(Allocation {
        steps: taken.into_iter().map(|(_, taken)| taken).collect(),
        points: left.take(points, &rest)?,
        lines: left.lines,
        fares: left.fares,
    })
}

/// What is left of everything.
struct Left {
    lines: Vec<Amount>,
    /// Fares with their fees.
    fares: Vec<Amount>,
    /// The fare in each of `fares`: the stages before the total reach no further.
    fares_proper: Vec<Amount>,
    rounding: RoundingStep,
}

/// The part of what is left that something works on.
struct Reach {
    lines: Vec<Amount>,
    fares: Vec<Amount>,
}

impl Reach {
    fn sum(&self) -> Result<Amount, MoneyError> {
        Amount::total(self.lines.iter().chain(&self.fares).copied())
    }
}

impl Left {
    fn of(
        lines: &[Amount],
        fares: &[FarePortions],
        rounding: RoundingStep,
    ) -> Result<Self, MoneyError> {
        Ok(Self {
            lines: lines.to_vec(),
            fares: fares
                .iter()
                .map(|parts| parts.fare.plus(parts.fees))
                .collect::<Result<_, _>>()?,
            fares_proper: fares.iter().map(|parts| parts.fare).collect(),
            rounding,
        })
    }

    fn all(&self) -> Reach {
        Reach {
            lines: self.lines.clone(),
            fares: self.fares.clone(),
        }
    }

    fn reached_by(&self, target: &AllocationTarget) -> Reach {
        let nothing = |of: &[Amount]| vec![Amount::ZERO; of.len()];
        match target {
            AllocationTarget::Line(line) => Reach {
                lines: only(&self.lines, &[*line]),
                fares: nothing(&self.fares),
            },
            AllocationTarget::Fares(fares) => Reach {
                lines: nothing(&self.lines),
                fares: only(&self.fares_proper, fares),
            },
            AllocationTarget::Total { lines, fares } => Reach {
                lines: only(&self.lines, lines),
                fares: only(&self.fares, fares),
            },
        }
    }

    /// Takes `off` away, shared by the weights in `reach`.
    fn take(&mut self, off: Amount, reach: &Reach) -> Result<AllocatedDiscount, AllocationError> {
        let weights: Vec<i64> = reach
            .lines
            .iter()
            .chain(&reach.fares)
            .map(|amount| amount.hundredths())
            .collect();
        let shares = split_by(off, &weights, self.rounding)?;
        let mut lines: Vec<Amount> = shares.iter().map(|share| share.amount).collect();
        let fares = lines.split_off(self.lines.len());
        subtract(&mut self.lines, &lines)?;
        subtract(&mut self.fares, &fares)?;
        // after the fare stage nothing reads this again: total coupons and points go by `fares`
        subtract(&mut self.fares_proper, &fares)?;
        Ok(AllocatedDiscount {
            amount: off,
            lines,
            fares,
            by: None,
            shares: weights.into_iter().map(Amount::new).zip(shares).collect(),
        })
    }
}

/// The amounts at `places`, nothing elsewhere.
fn only(amounts: &[Amount], places: &[usize]) -> Vec<Amount> {
    amounts
        .iter()
        .enumerate()
        .map(|(place, amount)| {
            if places.contains(&place) {
                *amount
            } else {
                Amount::ZERO
            }
        })
        .collect()
}

fn subtract(left: &mut [Amount], shares: &[Amount]) -> Result<(), MoneyError> {
    for (amount, share) in left.iter_mut().zip(shares) {
        *amount = amount.minus(*share)?;
    }
    Ok(())
}
