//! Allocates coupon discounts and points to lines and fares, stage by stage. Amounts only; eligibility is decided elsewhere.
//!
//! Each coupon applies to the remainder left by the previous ones. Stages follow the specification (V285): product lines, the
//! delivery fare, the total; then points. Within a stage coupons apply in the given order.

use crate::allocation::{Share, SplitError, Weights, split_by};
use crate::catalogue::Discount;
use crate::coupon::Stage;
use crate::money::{Amount, MoneyError};
use crate::price_trace::{PriceRule, TraceStep};
use crate::pricing::discount::{DiscountAmount, DiscountError, discount_amount_by};
use crate::rounding::RoundingStep;

/// One delivery fare before coupons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FarePortions {
    /// The fare without fees: the base of fare coupons.
    pub fare: Amount,
    /// Island and service fees: reached only by total coupons and points.
    pub fees: Amount,
}

/// The base of a coupon, as indexes of lines and fares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AllocationTarget {
    /// One line.
    Line(usize),
    /// The fares without fees of some parcels, as one amount.
    Fares(Vec<usize>),
    /// The remainder of some lines, fares and fees, as one amount.
    Total {
        /// The lines.
        lines: Vec<usize>,
        /// The fares.
        fares: Vec<usize>,
    },
}

impl AllocationTarget {
    /// The stage of the target.
    pub const fn stage(&self) -> Stage {
        match self {
            Self::Line(_) => Stage::Product,
            Self::Fares(_) => Stage::Fare,
            Self::Total { .. } => Stage::Total,
        }
    }
}

/// One coupon to apply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AllocationStep {
    /// What it applies to.
    pub target: AllocationTarget,
    /// Its discount.
    pub discount: Discount,
}

/// An allocated discount, with the share of each line and fare.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AllocatedDiscount {
    /// The whole discount.
    pub amount: Amount,
    /// Shares of the lines, in order.
    pub lines: Vec<Amount>,
    /// Shares of the fares, in order.
    pub fares: Vec<Amount>,
    /// Contributions of the discount's rules; none for points.
    pub by: Option<DiscountAmount>,
    /// Calculation of the shares: lines, then fares.
    shares: Vec<(Amount, Share)>,
}

impl AllocatedDiscount {
    /// Contributions to a line's share; they sum to it.
    ///
    /// # Errors
    /// An overflow.
    pub fn parts_of_line(&self, line: usize) -> Result<Vec<TraceStep>, MoneyError> {
        self.parts_at(line)
    }

    /// Contributions to a fare's share; they sum to it.
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
        // Lines and fares outside the target have no share.
        parts.retain(|part| !part.amount.is_zero());
        Ok(parts)
    }
}

/// All allocated discounts, and the remainder to pay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Allocation {
    /// The discount of each step, in the given order.
    pub steps: Vec<AllocatedDiscount>,
    /// The allocated points.
    pub points: AllocatedDiscount,
    /// Remainder of each line.
    pub lines: Vec<Amount>,
    /// Remainder of each fare with its fees.
    pub fares: Vec<Amount>,
}

/// Reasons why an allocation fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AllocationError {
    /// The discount of a step is invalid.
    #[error("step {step}: {error}")]
    Discount {
        /// Index of the step.
        step: usize,
        /// The reason.
        error: DiscountError,
    },
    /// The points are negative.
    #[error("points are negative")]
    PointsNegative,
    /// The points exceed the remainder to pay.
    #[error("more points than is left to pay ({most})")]
    PointsExceed {
        /// The remainder to pay.
        most: Amount,
    },
    /// An amount overflows, or a line or fare is negative.
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

/// Applies `steps`, in the order of their stages, and then `points` to `lines` and `fares`.
///
/// Points and coupons over several lines or fares are shared by largest remainder in proportion to their remainders, in multiples
/// of `rounding`.
///
/// # Errors
/// [`AllocationError`].
pub fn allocate(
    lines: &[Amount],
    fares: &[FarePortions],
    steps: &[AllocationStep],
    points: Amount,
    rounding: RoundingStep,
) -> Result<Allocation, AllocationError> {
    let mut left = Remainders::of(lines, fares, rounding)?;
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

/// The remainders during an allocation.
struct Remainders {
    lines: Vec<Amount>,
    /// Remaining fares with their fees.
    fares: Vec<Amount>,
    /// Remaining fares without fees: the base of the stages before the total.
    fares_proper: Vec<Amount>,
    rounding: RoundingStep,
}

/// The part of the remainders that a step applies to.
struct Reach {
    lines: Vec<Amount>,
    fares: Vec<Amount>,
}

impl Reach {
    fn sum(&self) -> Result<Amount, MoneyError> {
        Amount::total(self.lines.iter().chain(&self.fares).copied())
    }
}

impl Remainders {
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

    /// Deducts `off`, shared by the weights in `reach`.
    fn take(&mut self, off: Amount, reach: &Reach) -> Result<AllocatedDiscount, AllocationError> {
        let weights: Vec<Amount> = reach.lines.iter().chain(&reach.fares).copied().collect();
        let shares = split_by(off, Weights::Amounts(&weights), self.rounding)?;
        let mut lines: Vec<Amount> = shares.iter().map(|share| share.amount).collect();
        let fares = lines.split_off(self.lines.len());
        subtract(&mut self.lines, &lines)?;
        subtract(&mut self.fares, &fares)?;
        // Not read after the fare stage: total coupons and points use `fares`.
        subtract(&mut self.fares_proper, &fares)?;
        Ok(AllocatedDiscount {
            amount: off,
            lines,
            fares,
            by: None,
            shares: weights.into_iter().zip(shares).collect(),
        })
    }
}

/// The amounts at `places`, zero elsewhere.
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
