//! Breakdown of the amounts of an order: any amount on its page as the sum of its contributions.
//!
//! The amounts are the frozen ones. Their contributions are computed by running the pricing again on its original inputs
//! ([`crate::pricing::explained`]). Where those inputs are not available any more, a frozen amount is its own contribution.

mod names;

pub use names::*;

use super::error::OrderError;
use super::terms::{CouponUse, FareTerms, OrderTerms, PurchaseTerms};
use crate::coupon::Stage;
use crate::ids::{IssuedCouponId, LotId, ProductId};
use crate::money::Amount;
use crate::price_trace::{PriceRule, PriceTrace, TraceStep};

/// A contribution to an amount.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contribution {
    /// Reason of the contribution.
    pub why: ContributionReason,
    /// Hundredths; negative for deductions.
    pub amount: Amount,
    /// The event it originates from.
    pub made: ContributionOrigin,
    /// The record it originates from, if any.
    pub source: Option<ContributionSource>,
}

/// Reason of a contribution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ContributionReason {
    /// Another amount of the order, which has a breakdown of its own.
    Amount(OrderAmount),
    /// A rule of pricing.
    Rule(PriceRule),
    /// The share of a coupon, by a rule of pricing.
    OfCoupon(IssuedCouponId, PriceRule),
    /// Points of one lot.
    Lot(LotId),
    /// The amount as frozen; its calculation is not available.
    Frozen,
    /// What exchanges for options of another price changed of the price of goods.
    Exchange,
}

/// The event a contribution originates from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContributionOrigin {
    /// The order was placed.
    Placed,
    /// A coupon was used on it.
    CouponUsed(IssuedCouponId),
    /// Points were spent on the order.
    PointsSpent,
    /// The difference of an exchange was given back.
    Exchanged,
}

/// The record a contribution originates from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContributionSource {
    /// A product at a given version.
    Product(ProductId, u64),
    /// The buyer's level.
    Level,
    /// The shipping group of a purchase, by index.
    Shipping(usize),
    /// A coupon's terms.
    Coupon(IssuedCouponId),
    /// A lot of points.
    Lot(LotId),
}

/// An amount of an order with its contributions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AmountBreakdown {
    /// The frozen amount, hundredths.
    pub amount: Amount,
    /// The contributions; they sum to `amount`.
    pub contributions: Vec<Contribution>,
}

/// Reasons why an amount has no breakdown.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BreakdownError {
    /// The order has no such amount.
    #[error("the order has no such amount")]
    Unknown,
    /// The contributions do not sum to the amount: a defect of the program.
    #[error("{amount} is {stated}, but its contributions sum to {summed}")]
    DoesNotAddUp {
        /// Name of the amount.
        amount: String,
        /// The frozen amount.
        stated: Amount,
        /// The sum of the contributions.
        summed: Amount,
    },
    /// An amount overflows.
    #[error(transparent)]
    Order(#[from] OrderError),
}

impl From<crate::money::MoneyError> for BreakdownError {
    fn from(error: crate::money::MoneyError) -> Self {
        Self::Order(error.into())
    }
}

impl OrderTerms {
    /// All amounts of the order.
    pub fn amounts(&self) -> Vec<OrderAmount> {
        let totals = TotalAmount::ALL.iter().copied().map(OrderAmount::Total);
        let purchases = self.purchases.iter().flat_map(|line| {
            let of =
                |amount: &PurchaseAmount| OrderAmount::Purchase(line.purchase_no.clone(), *amount);
            PurchaseAmount::ALL.iter().map(of)
        });
        let fares = (0..self.fares.len()).flat_map(|place| {
            let of = move |amount: &FareAmount| OrderAmount::Fare(place, *amount);
            FareAmount::ALL.iter().map(of)
        });
        let coupons = self.coupons.iter().flat_map(|used| {
            let of = |amount: &CouponAmount| OrderAmount::Coupon(used.issued, *amount);
            CouponAmount::ALL.iter().map(of)
        });
        totals
            .chain(purchases)
            .chain(fares)
            .chain(coupons)
            .collect()
    }

    /// Breaks an amount down; `trace` is that of the pricing that produced these terms, if available.
    ///
    /// # Errors
    /// [`BreakdownError`].
    pub fn explain(
        &self,
        amount: &OrderAmount,
        trace: Option<&PriceTrace>,
    ) -> Result<AmountBreakdown, BreakdownError> {
        let telling = BreakdownBuilder { terms: self, trace };
        let (stated, contributions) = match amount {
            OrderAmount::Total(total) => telling.total(*total)?,
            OrderAmount::Purchase(no, of) => {
                let place = self
                    .purchases
                    .iter()
                    .position(|line| line.purchase_no == *no);
                telling.purchase(place.ok_or(BreakdownError::Unknown)?, *of)?
            }
            OrderAmount::Fare(place, of) => telling.fare(*place, *of)?,
            OrderAmount::Coupon(issued, of) => telling.coupon(*issued, *of)?,
        };
        let summed = Amount::total(contributions.iter().map(|one| one.amount))?;
        if summed != stated {
            return Err(BreakdownError::DoesNotAddUp {
                amount: amount.to_string(),
                stated,
                summed,
            });
        }
        Ok(AmountBreakdown {
            amount: stated,
            contributions,
        })
    }
}

type BreakdownResult = Result<(Amount, Vec<Contribution>), BreakdownError>;

struct BreakdownBuilder<'a> {
    terms: &'a OrderTerms,
    trace: Option<&'a PriceTrace>,
}

/// Another amount of the order as a contribution; none if it is zero.
fn other(of: OrderAmount, amount: Amount, made: ContributionOrigin) -> Option<Contribution> {
    (!amount.is_zero()).then_some(Contribution {
        why: ContributionReason::Amount(of),
        amount,
        made,
        source: None,
    })
}

fn ruled(
    parts: &[TraceStep],
    made: ContributionOrigin,
    source: Option<ContributionSource>,
) -> Vec<Contribution> {
    let contribution = |part: &TraceStep| Contribution {
        why: ContributionReason::Rule(part.rule),
        amount: part.amount,
        made,
        source,
    };
    parts.iter().map(contribution).collect()
}

fn frozen(amount: Amount, made: ContributionOrigin) -> Vec<Contribution> {
    let why = ContributionReason::Frozen;
    match amount.is_zero() {
        true => Vec::new(),
        false => vec![Contribution {
            why,
            amount,
            made,
            source: None,
        }],
    }
}

fn exchanged(amount: Amount) -> Option<Contribution> {
    (!amount.is_zero()).then_some(Contribution {
        why: ContributionReason::Exchange,
        amount,
        made: ContributionOrigin::Exchanged,
        source: None,
    })
}

impl BreakdownBuilder<'_> {
    fn total(&self, total: TotalAmount) -> BreakdownResult {
        let totals = &self.terms.totals;
        Ok(match total {
            TotalAmount::Payable => (totals.payable, self.payable()?),
            TotalAmount::Goods => (totals.goods, self.goods()?),
            TotalAmount::ProductDiscount => (
                totals.product_discount,
                self.of_lines(PurchaseAmount::ProductDiscount, |line| {
                    Ok(line.product_discount)
                })?,
            ),
            TotalAmount::LevelDiscount => (
                totals.level_discount,
                self.of_lines(
                    PurchaseAmount::LevelDiscount,
                    |line| Ok(line.level_discount),
                )?,
            ),
            TotalAmount::Fares => (
                totals.fares,
                self.of_fares(FareAmount::Gross, |fare| Ok(fare.gross()?))?,
            ),
            TotalAmount::ProductCoupon => (totals.product_coupon, self.of_coupons(Stage::Product)),
            TotalAmount::FareCoupon => (totals.fare_coupon, self.of_coupons(Stage::Fare)),
            TotalAmount::TotalCoupon => (totals.total_coupon, self.of_coupons(Stage::Total)),
            TotalAmount::Points => (totals.points, self.lots()),
        })
    }

    /// The goods of the lines as they are, and what exchanges took off them since.
    fn goods(&self) -> Result<Vec<Contribution>, BreakdownError> {
        let lines = self.terms.purchases.iter();
        let off = Amount::total(lines.map(|line| line.difference))?;
        let mut all = self.of_lines(PurchaseAmount::Goods, |line| Ok(line.goods()?))?;
        all.extend(exchanged(off.negated()?));
        Ok(all)
    }

    /// In the order of deduction (spec V285).
    fn payable(&self) -> Result<Vec<Contribution>, BreakdownError> {
        let totals = &self.terms.totals;
        let total = |of, amount, made| other(OrderAmount::Total(of), amount, made).into_iter();
        let mut all: Vec<Contribution> = Vec::new();
        all.extend(total(
            TotalAmount::Goods,
            totals.goods,
            ContributionOrigin::Placed,
        ));
        for (of, amount) in [
            (TotalAmount::ProductDiscount, totals.product_discount),
            (TotalAmount::LevelDiscount, totals.level_discount),
        ] {
            all.extend(total(of, amount.negated()?, ContributionOrigin::Placed));
        }
        all.extend(less(self.of_coupons(Stage::Product))?);
        all.extend(total(
            TotalAmount::Fares,
            totals.fares,
            ContributionOrigin::Placed,
        ));
        all.extend(less(self.of_coupons(Stage::Fare))?);
        all.extend(less(self.of_coupons(Stage::Total))?);
        all.extend(total(
            TotalAmount::Points,
            totals.points.negated()?,
            ContributionOrigin::PointsSpent,
        ));
        Ok(all)
    }

    fn of_lines(
        &self,
        of: PurchaseAmount,
        amount: impl Fn(&PurchaseTerms) -> Result<Amount, BreakdownError>,
    ) -> Result<Vec<Contribution>, BreakdownError> {
        let mut all = Vec::new();
        for line in &self.terms.purchases {
            let of = OrderAmount::Purchase(line.purchase_no.clone(), of);
            all.extend(other(of, amount(line)?, ContributionOrigin::Placed));
        }
        Ok(all)
    }

    fn of_fares(
        &self,
        of: FareAmount,
        amount: impl Fn(&FareTerms) -> Result<Amount, BreakdownError>,
    ) -> Result<Vec<Contribution>, BreakdownError> {
        let mut all = Vec::new();
        for (place, fare) in self.terms.fares.iter().enumerate() {
            let of = OrderAmount::Fare(place, of);
            all.extend(other(of, amount(fare)?, ContributionOrigin::Placed));
        }
        Ok(all)
    }

    fn of_coupons(&self, stage: Stage) -> Vec<Contribution> {
        let used = self.terms.coupons.iter().filter(|used| used.stage == stage);
        used.filter_map(|used| {
            let of = OrderAmount::Coupon(used.issued, CouponAmount::Amount);
            other(of, used.amount, ContributionOrigin::CouponUsed(used.issued))
        })
        .collect()
    }

    fn lots(&self) -> Vec<Contribution> {
        let lot = |part: &super::terms::LotPart| Contribution {
            why: ContributionReason::Lot(part.lot),
            amount: part.amount,
            made: ContributionOrigin::PointsSpent,
            source: Some(ContributionSource::Lot(part.lot)),
        };
        self.terms.points.iter().map(lot).collect()
    }

    fn purchase(&self, place: usize, of: PurchaseAmount) -> BreakdownResult {
        let line = self
            .terms
            .purchases
            .get(place)
            .ok_or(BreakdownError::Unknown)?;
        let how = self.trace.and_then(|all| all.lines.get(place));
        let product = Some(ContributionSource::Product(
            line.product,
            line.product_version,
        ));
        let by_rule = |amount, parts: Option<&Vec<TraceStep>>, source| match parts {
            Some(parts) => (amount, ruled(parts, ContributionOrigin::Placed, source)),
            None => (amount, frozen(amount, ContributionOrigin::Placed)),
        };
        Ok(match of {
            PurchaseAmount::UnitPrice => {
                let each = how.map(|how| how.goods.iter().map(of_one_piece).collect());
                by_rule(line.unit_price, each.as_ref(), product)
            }
            PurchaseAmount::Goods if !line.difference.is_zero() => {
                let ordered = line.goods()?.minus(line.difference)?;
                let mut all = frozen(ordered, ContributionOrigin::Placed);
                all.extend(exchanged(line.difference));
                (line.goods()?, all)
            }
            PurchaseAmount::Goods => by_rule(line.goods()?, how.map(|how| &how.goods), product),
            PurchaseAmount::ProductDiscount => by_rule(
                line.product_discount,
                how.map(|how| &how.product_discount),
                product,
            ),
            PurchaseAmount::LevelDiscount => by_rule(
                line.level_discount,
                how.map(|how| &how.level_discount),
                Some(ContributionSource::Level),
            ),
            PurchaseAmount::Points => {
                let amount = line.points;
                let made = ContributionOrigin::PointsSpent;
                match how {
                    Some(how) => (amount, ruled(&how.points, made, None)),
                    None => (amount, frozen(amount, made)),
                }
            }
            PurchaseAmount::ProductCoupon => (
                line.product_coupon,
                self.shares(
                    line.product_coupon,
                    Stage::Product,
                    how.map(|how| &how.coupons),
                ),
            ),
            PurchaseAmount::TotalCoupon => (
                line.total_coupon,
                self.shares(line.total_coupon, Stage::Total, how.map(|how| &how.coupons)),
            ),
            PurchaseAmount::Paid => {
                let of = |of| OrderAmount::Purchase(line.purchase_no.clone(), of);
                let mut all = Vec::new();
                for (part, amount) in [
                    (PurchaseAmount::Goods, line.goods()?),
                    (
                        PurchaseAmount::ProductDiscount,
                        line.product_discount.negated()?,
                    ),
                    (
                        PurchaseAmount::LevelDiscount,
                        line.level_discount.negated()?,
                    ),
                    (
                        PurchaseAmount::ProductCoupon,
                        line.product_coupon.negated()?,
                    ),
                    (PurchaseAmount::TotalCoupon, line.total_coupon.negated()?),
                    (PurchaseAmount::Points, line.points.negated()?),
                ] {
                    all.extend(other(of(part), amount, ContributionOrigin::Placed));
                }
                (line.paid, all)
            }
        })
    }

    fn fare(&self, place: usize, of: FareAmount) -> BreakdownResult {
        let fare = self.terms.fares.get(place).ok_or(BreakdownError::Unknown)?;
        let how = self.trace.and_then(|all| all.fares.get(place));
        let first = |no: &String| {
            let mut lines = self.terms.purchases.iter();
            lines.position(|line| line.purchase_no == *no)
        };
        let group = fare.purchase_nos.first().and_then(first);
        let by_rule = |amount, parts: Option<&Vec<TraceStep>>| match parts {
            Some(parts) => (
                amount,
                ruled(
                    parts,
                    ContributionOrigin::Placed,
                    group.map(ContributionSource::Shipping),
                ),
            ),
            None => (amount, frozen(amount, ContributionOrigin::Placed)),
        };
        let sum = |of: &[(FareAmount, Amount)]| -> Vec<Contribution> {
            of.iter()
                .filter_map(|(of, amount)| {
                    other(
                        OrderAmount::Fare(place, *of),
                        *amount,
                        ContributionOrigin::Placed,
                    )
                })
                .collect()
        };
        Ok(match of {
            FareAmount::Fare => by_rule(fare.fare, how.map(|how| &how.fare)),
            FareAmount::IslandFee => by_rule(fare.island_fee, how.map(|how| &how.island_fee)),
            FareAmount::ServiceFee => by_rule(fare.service_fee, how.map(|how| &how.service_fee)),
            FareAmount::FareCoupon => (
                fare.fare_coupon,
                self.shares(fare.fare_coupon, Stage::Fare, how.map(|how| &how.coupons)),
            ),
            FareAmount::TotalCoupon => (
                fare.total_coupon,
                self.shares(fare.total_coupon, Stage::Total, how.map(|how| &how.coupons)),
            ),
            FareAmount::Points => match how {
                Some(how) => (
                    fare.points,
                    ruled(&how.points, ContributionOrigin::PointsSpent, None),
                ),
                None => (
                    fare.points,
                    frozen(fare.points, ContributionOrigin::PointsSpent),
                ),
            },
            FareAmount::Gross => (
                fare.gross()?,
                // A zero fare keeps its contribution, to show why it is free.
                match (how, fare.gross()?.is_zero()) {
                    (Some(how), true) => ruled(
                        &how.fare,
                        ContributionOrigin::Placed,
                        group.map(ContributionSource::Shipping),
                    ),
                    _ => sum(&[
                        (FareAmount::Fare, fare.fare),
                        (FareAmount::IslandFee, fare.island_fee),
                        (FareAmount::ServiceFee, fare.service_fee),
                    ]),
                },
            ),
            FareAmount::Paid => (
                fare.paid,
                sum(&[
                    (FareAmount::Gross, fare.gross()?),
                    (FareAmount::FareCoupon, fare.fare_coupon.negated()?),
                    (FareAmount::TotalCoupon, fare.total_coupon.negated()?),
                    (FareAmount::Points, fare.points.negated()?),
                ]),
            ),
        })
    }

    /// Shares of the coupons of one stage.
    fn shares(
        &self,
        amount: Amount,
        stage: Stage,
        how: Option<&Vec<Vec<TraceStep>>>,
    ) -> Vec<Contribution> {
        let Some(how) = how else {
            return frozen(amount, ContributionOrigin::Placed);
        };
        let used = self.terms.coupons.iter().zip(how);
        used.filter(|(used, _)| used.stage == stage)
            .flat_map(|(used, parts)| parts.iter().map(|part| share_of(used, part)))
            .collect()
    }

    fn coupon(&self, issued: IssuedCouponId, of: CouponAmount) -> BreakdownResult {
        let place = self
            .terms
            .coupons
            .iter()
            .position(|used| used.issued == issued)
            .ok_or(BreakdownError::Unknown)?;
        let used = self
            .terms
            .coupons
            .get(place)
            .ok_or(BreakdownError::Unknown)?;
        let how = self.trace.and_then(|all| all.coupons.get(place));
        let made = ContributionOrigin::CouponUsed(issued);
        let (amount, parts) = match of {
            CouponAmount::Amount => (used.amount, how.map(|how| &how.amount)),
            CouponAmount::SellerShare => (used.seller_share, how.map(|how| &how.seller_share)),
        };
        Ok((
            amount,
            match parts {
                Some(parts) => ruled(parts, made, Some(ContributionSource::Coupon(issued))),
                None => frozen(amount, made),
            },
        ))
    }
}

fn share_of(used: &CouponUse, part: &TraceStep) -> Contribution {
    Contribution {
        why: ContributionReason::OfCoupon(used.issued, part.rule),
        amount: part.amount,
        made: ContributionOrigin::CouponUsed(used.issued),
        source: Some(ContributionSource::Coupon(used.issued)),
    }
}

/// The contributions with opposite sign.
fn less(contributions: Vec<Contribution>) -> Result<Vec<Contribution>, BreakdownError> {
    contributions
        .into_iter()
        .map(|one| {
            Ok(Contribution {
                amount: one.amount.negated()?,
                ..one
            })
        })
        .collect()
}

fn of_one_piece(part: &TraceStep) -> TraceStep {
    match part.rule {
        PriceRule::Price { each, .. } => TraceStep::new(PriceRule::Price { each, pieces: 1 }, each),
        PriceRule::OptionPrice { each, .. } => {
            TraceStep::new(PriceRule::OptionPrice { each, pieces: 1 }, each)
        }
        _ => *part,
    }
}
