//! An order before its coupons: what each coupon applies to, and what it takes off alone.

use super::{PricedLine, Request, priced_lines};
use crate::coupon::{CouponTerms, PriceBasis, Stage};
use crate::money::{Amount, MoneyError};
use crate::pricing::coupon::{self, CouponRefusal};
use crate::pricing::discount_allocation::{
    Allocation, AllocationError, AllocationStep, AllocationTarget, FarePortions, allocate,
};
use crate::pricing::error::PricingError;
use crate::pricing::shipments::{Shipment, parcels};

/// The lines and parcels of an order, priced without coupons and points. They are priced once, however many coupons are tried on them.
pub struct BeforeCoupons<'r> {
    request: &'r Request<'r>,
    pub(super) priced: Vec<PricedLine<'r>>,
    /// Price of each line.
    sale_prices: Vec<Amount>,
    pub(super) parcels: Vec<Shipment<'r>>,
}

impl<'r> BeforeCoupons<'r> {
    /// Prices the lines and parcels of a request; its coupons and points are ignored.
    ///
    /// # Errors
    /// [`PricingError`]: the first rule that the goods or their parcels violate.
    pub fn of(request: &'r Request<'r>) -> Result<Self, PricingError> {
        let priced = priced_lines(request)?;
        let sale_prices: Vec<Amount> = priced.iter().map(|line| line.sale_price).collect();
        let parcels = parcels(request, &sale_prices)?;
        Ok(Self {
            request,
            priced,
            sale_prices,
            parcels,
        })
    }

    /// The discount of a coupon as the only one of the order, hundredths: on the line at this place or its parcel; without one, on
    /// all eligible parts. It is what a quote with this coupon alone shows.
    ///
    /// # Errors
    /// [`CouponRefusal`]: why it does not apply.
    pub fn discount_of(
        &self,
        terms: &CouponTerms,
        line: Option<usize>,
    ) -> Result<Amount, CouponRefusal> {
        self.is_usable(terms)?;
        let target = self.target(terms, line)?;
        let base = self.base(&target);
        let base = base.map_err(|_| CouponRefusal::TakesNothing)?;
        let off = coupon::off(terms, base, self.request.step);
        match off.map_err(|_| CouponRefusal::TermsInvalid)? {
            Amount::ZERO => Err(CouponRefusal::TakesNothing),
            off => Ok(off),
        }
    }

    /// Takes discounts and points off these lines and parcels.
    pub(super) fn allocate(
        &self,
        steps: &[AllocationStep],
        points: Amount,
    ) -> Result<Allocation, AllocationError> {
        let fares = self.parcels.iter().map(|parcel| {
            Ok(FarePortions {
                fare: parcel.fare,
                fees: parcel.island_fee.plus(parcel.service_fee)?,
            })
        });
        let fares = fares.collect::<Result<Vec<_>, MoneyError>>()?;
        allocate(&self.sale_prices, &fares, steps, points, self.request.step)
    }

    /// Checks the terms and the period of a coupon.
    pub(super) fn is_usable(&self, terms: &CouponTerms) -> Result<(), CouponRefusal> {
        coupon::sound(terms)?;
        coupon::in_period(terms, self.request.now)
    }

    /// What a coupon applies to, if it names the line at this place, or none.
    pub(super) fn target(
        &self,
        terms: &CouponTerms,
        named: Option<usize>,
    ) -> Result<AllocationTarget, CouponRefusal> {
        let candidates: Vec<usize> = match (terms.stage, named) {
            (Stage::Product, None) => return Err(CouponRefusal::PurchaseRequired),
            (Stage::Total, Some(_)) => return Err(CouponRefusal::WholeOrderOnly),
            (Stage::Product, Some(line)) => vec![line],
            (Stage::Fare, Some(line)) => {
                let carriers = self.parcels.iter();
                let carriers = carriers.filter(|parcel| parcel.carries.contains(&line));
                carriers.flat_map(|parcel| parcel.carries.clone()).collect()
            }
            (Stage::Fare | Stage::Total, None) => (0..self.priced.len()).collect(),
        };
        let (lines, price) = self.eligible(terms, candidates)?;
        coupon::price_fits(terms, price)?;
        Ok(match terms.stage {
            Stage::Product => AllocationTarget::Line(named.ok_or(CouponRefusal::PurchaseRequired)?),
            Stage::Fare => AllocationTarget::Fares(
                self.parcels_where(|parcel| parcel.carries.iter().any(|line| lines.contains(line))),
            ),
            Stage::Total => AllocationTarget::Total {
                fares: self
                    .parcels_where(|parcel| parcel.carries.iter().all(|line| lines.contains(line))),
                lines,
            },
        })
    }

    /// The eligible candidates and their price before coupons, by the coupon's price basis; if there are none, the reason for the
    /// first candidate.
    fn eligible(
        &self,
        terms: &CouponTerms,
        candidates: Vec<usize>,
    ) -> Result<(Vec<usize>, Amount), CouponRefusal> {
        let mut eligible = Vec::with_capacity(candidates.len());
        let mut price = Amount::ZERO;
        let mut why = None;
        for place in candidates {
            let line = self.request.lines.get(place).zip(self.priced.get(place));
            let (line, priced) = line.ok_or(CouponRefusal::PurchaseUnknown)?;
            match coupon::is_for(terms, line.goods()) {
                Ok(()) => {
                    eligible.push(place);
                    // A sum that overflows exceeds every bound of a coupon.
                    let of_line = match terms.price_basis {
                        PriceBasis::Sale => Ok(priced.sale_price),
                        PriceBasis::List => priced.unit_price.times(line.quantity),
                    };
                    let sum = of_line.and_then(|of_line| price.plus(of_line));
                    price = sum.unwrap_or(Amount::new(i64::MAX));
                }
                Err(reason) => why = why.or(Some(reason)),
            }
        }
        match why {
            Some(why) if eligible.is_empty() => Err(why),
            _ => Ok((eligible, price)),
        }
    }

    fn parcels_where(&self, wanted: impl Fn(&Shipment<'_>) -> bool) -> Vec<usize> {
        let parcels = self.parcels.iter().enumerate();
        parcels
            .filter(|(_, parcel)| wanted(parcel))
            .map(|(place, _)| place)
            .collect()
    }

    /// The amount that a coupon without others is taken off.
    fn base(&self, target: &AllocationTarget) -> Result<Amount, MoneyError> {
        let price = |line: &usize| self.sale_prices.get(*line).copied();
        match target {
            AllocationTarget::Line(line) => Ok(price(line).unwrap_or_default()),
            AllocationTarget::Fares(fares) => {
                let parcels = fares.iter().filter_map(|place| self.parcels.get(*place));
                Amount::total(parcels.map(|parcel| parcel.fare))
            }
            AllocationTarget::Total { lines, fares } => {
                let parcels = fares.iter().filter_map(|place| self.parcels.get(*place));
                let fees =
                    parcels.flat_map(|parcel| [parcel.fare, parcel.island_fee, parcel.service_fee]);
                Amount::total(lines.iter().filter_map(price).chain(fees))
            }
        }
    }
}
