//! The set of coupons that takes off most.

use std::cmp::Reverse;

use pathfinding::kuhn_munkres::kuhn_munkres;
use pathfinding::matrix::Matrix;

use super::BeforeCoupons;
use crate::catalogue::ValueUnit;
use crate::coupon::{CouponTerms, Stage};
use crate::ids::IssuedCouponId;
use crate::money::Amount;
use crate::pricing::coupon::{self, CouponRefusal};
use crate::pricing::discount_allocation::{AllocationStep, AllocationTarget};

/// A coupon of a buyer, tried alone in every place of an order.
#[derive(Clone, Debug)]
pub struct CouponTrial<'t> {
    /// The issued coupon.
    pub issued: IssuedCouponId,
    /// Its frozen terms.
    pub terms: &'t CouponTerms,
    /// What [`BeforeCoupons::discount_of`] says: product coupons on each line; total coupons without a line; fare coupons both ways.
    pub discounts: Vec<(Option<usize>, Result<Amount, CouponRefusal>)>,
}

/// Coupons that can be used together, and their discount.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BestCoupons {
    /// Each coupon once, with the index of the line it names.
    pub coupons: Vec<(IssuedCouponId, Option<usize>)>,
    /// Their discount together, hundredths.
    pub discount: Amount,
}

impl CouponTrial<'_> {
    /// The discount on a line, or without one; zero where it does not apply.
    fn discount(&self, line: Option<usize>) -> Amount {
        let on_line = self.discounts.iter().find(|(on, _)| *on == line);
        on_line
            .and_then(|(_, discount)| discount.ok())
            .unwrap_or_default()
    }

    /// The place in which it takes off most; the first of equal ones.
    fn best(&self) -> Option<(Option<usize>, Amount)> {
        let applies = self.discounts.iter().filter_map(|(line, discount)| {
            let discount = discount.ok()?;
            Some((*line, discount))
        });
        applies.rev().max_by_key(|(_, discount)| *discount)
    }
}

/// A coupon and the line it names.
type Placement<'s, 't> = (&'s CouponTrial<'t>, Option<usize>);

impl BeforeCoupons<'_> {
    /// Tries a coupon as the only one in every place.
    pub fn tried<'t>(&self, issued: IssuedCouponId, terms: &'t CouponTerms) -> CouponTrial<'t> {
        let lines = (0..self.priced.len()).map(Some);
        let places: Vec<Option<usize>> = match terms.stage {
            Stage::Product => lines.collect(),
            // Alone it applies to every eligible parcel.
            Stage::Fare => lines.chain([None]).collect(),
            Stage::Total => vec![None],
        };
        let discounts = places.into_iter();
        CouponTrial {
            issued,
            terms,
            discounts: discounts
                .map(|line| (line, self.discount_of(terms, line)))
                .collect(),
        }
    }

    /// The set of these coupons that takes off most, the smallest of equal ones; none if no coupon applies.
    ///
    /// The set holds at most one product coupon a line, one total coupon, and either one fare coupon that names no line, or one
    /// for each of some parcels. Conditions of coupons refer to prices before coupons, so product and fare coupons take off
    /// together what each takes off alone. A total coupon applies to what these leave: the less they take off its lines, the more
    /// it takes off. So each total coupon is tried on the largest sum of the others, and on the largest where what it would have
    /// taken off the same lines anyway does not count; in rare cases between the two, a set of a few more hundredths is missed.
    pub fn best_of(&self, trials: &[CouponTrial<'_>]) -> Option<BestCoupons> {
        let combinable = |stage| {
            let of_stage = move |trial: &&CouponTrial<'_>| {
                trial.terms.stage == stage && trial.terms.combinable
            };
            trials.iter().filter(of_stage).collect::<Vec<_>>()
        };
        let (products, fares) = (combinable(Stage::Product), combinable(Stage::Fare));
        let all = self.before_total(&products, &fares, None);
        let mut sets: Vec<BestCoupons> = all.iter().filter_map(|set| self.set(set)).collect();
        let alone = trials.iter().filter_map(|trial| {
            let (line, _) = trial.best()?;
            self.set(&[(trial, line)])
        });
        sets.extend(alone);
        for total in combinable(Stage::Total) {
            let with_total = self.before_total(&products, &fares, Some(total.terms));
            let with_total = all.iter().cloned().chain(with_total);
            sets.extend(with_total.filter_map(|mut set| {
                set.push((total, None));
                self.set(&set)
            }));
        }
        // The first of equal ones.
        let sets = sets.into_iter().filter(|set| !set.discount.is_zero());
        sets.min_by_key(|set| (Reverse(set.discount), set.coupons.len()))
    }

    /// Product and fare coupons that take off most together, before a total coupon; none of its own where it applies to all lines
    /// and parcels alike.
    fn before_total<'s, 't>(
        &self,
        products: &[&'s CouponTrial<'t>],
        fares: &[&'s CouponTrial<'t>],
        total: Option<&CouponTerms>,
    ) -> Vec<Vec<Placement<'s, 't>>> {
        let all_lines: Vec<usize> = (0..self.priced.len()).collect();
        let parcels = self.parcels.iter();
        let first_lines: Vec<usize> = parcels
            .filter_map(|parcel| parcel.carries.first().copied())
            .collect();
        let worth = match total {
            None => [vec![100; all_lines.len()], vec![100; all_lines.len()]],
            Some(terms) => match self.worth_before(terms) {
                Some(worth) => worth,
                None => return Vec::new(),
            },
        };
        let [on_lines, on_fares] = worth;
        let products = assignment(products, &all_lines, &on_lines);
        let several = assignment(fares, &first_lines, &on_fares);
        let one = fares
            .iter()
            .max_by_key(|trial| trial.discount(None))
            .filter(|trial| !trial.discount(None).is_zero());
        let with_fares = [one.map(|trial| vec![(*trial, None)]), Some(several)];
        let sets = with_fares.into_iter().flatten();
        sets.map(|fares| products.iter().copied().chain(fares).collect())
            .collect()
    }

    /// What a discount on each line, and on each line's fare, is worth before a total coupon that applies to some of them, in percent;
    /// none where it is worth the same everywhere.
    fn worth_before(&self, total: &CouponTerms) -> Option<[Vec<i64>; 2]> {
        let AllocationTarget::Total { lines, fares } = self.target(total, None).ok()? else {
            return None;
        };
        let is_everywhere = lines.len() == self.priced.len() && fares.len() == self.parcels.len();
        if is_everywhere {
            return None;
        }
        let left = match total.unit {
            ValueUnit::Percent => 100_i64.saturating_sub(total.value),
            // It may take all that is left of them.
            ValueUnit::Amount => 0,
        };
        let worth = |reached: bool| if reached { left } else { 100 };
        let places = 0..self.priced.len();
        let on_lines = places.clone().map(|line| worth(lines.contains(&line)));
        let on_fares = places.map(|line| {
            let mut reached = fares.iter().filter_map(|place| self.parcels.get(*place));
            worth(reached.any(|parcel| parcel.carries.contains(&line)))
        });
        Some([on_lines.collect(), on_fares.collect()])
    }

    /// A set with its discount; none if its coupons cannot be used together.
    fn set(&self, placed: &[Placement<'_, '_>]) -> Option<BestCoupons> {
        let steps = placed.iter().map(|(trial, line)| {
            let target = self.target(trial.terms, *line).ok()?;
            Some(AllocationStep {
                target,
                discount: coupon::discount(trial.terms),
            })
        });
        let steps = steps.collect::<Option<Vec<_>>>()?;
        let outcome = self.allocate(&steps, Amount::ZERO).ok()?;
        let coupons = placed.iter().map(|(trial, line)| (trial.issued, *line));
        Some(BestCoupons {
            coupons: coupons
                .zip(&outcome.steps)
                .filter(|(_, step)| !step.amount.is_zero())
                .map(|(coupon, _)| coupon)
                .collect(),
            discount: Amount::total(outcome.steps.iter().map(|step| step.amount)).ok()?,
        })
    }
}

/// The assignment of coupons to lines, each at most once, with the largest sum of discounts; `worth` is what one percent of a discount
/// counts on each line of the order.
fn assignment<'s, 't>(
    trials: &[&'s CouponTrial<'t>],
    lines: &[usize],
    worth: &[i64],
) -> Vec<Placement<'s, 't>> {
    let discounts = trials.iter().flat_map(|trial| {
        let on_line = |line: &usize| {
            let worth = worth.get(*line).copied().unwrap_or_default();
            trial
                .discount(Some(*line))
                .hundredths()
                .saturating_mul(worth)
        };
        lines.iter().map(on_line)
    });
    let discounts = Matrix::from_vec(trials.len(), lines.len(), discounts.collect());
    let Ok(discounts) = discounts else {
        return Vec::new();
    };
    // The method assigns a column to every row: there must be as many.
    let pairs: Vec<(usize, usize)> = if trials.len() <= lines.len() {
        let (_, line_of) = kuhn_munkres(&discounts);
        line_of.into_iter().enumerate().collect()
    } else {
        let (_, trial_of) = kuhn_munkres(&discounts.transposed());
        let lines = trial_of.into_iter().enumerate();
        lines.map(|(line, trial)| (trial, line)).collect()
    };
    let placed = pairs.into_iter().filter_map(|(trial, line)| {
        let (trial, line) = (*trials.get(trial)?, *lines.get(line)?);
        let applies = !trial.discount(Some(line)).is_zero();
        applies.then_some((trial, Some(line)))
    });
    placed.collect()
}
