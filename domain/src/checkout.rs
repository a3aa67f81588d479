//! Decisions over several streams: placing an order, paying it, and canceling it with everything it took.
//!
//! Each is a function of a [`crate::unit_of_work::UnitOfWork`]: either the order and its stock, coupons, points and
//! payments all change, or nothing does.
//!
//! | topic | module |
//! |---|---|
//! | placing an order | `place` |
//! | canceling it unpaid | `cancel` |
//! | claims on its purchases once paid | `claims` |
//! | what is given back besides money | `give_back` |
//! | its payments: charges, virtual accounts, refunds | [`payments`] |
//! | the fees of its exchanges, and their payments | [`user_payments`] |
//! | what a cancellation would give back | `preview` |
//! | why it is refused | `error` |

mod cancel;
mod claims;
mod error;
mod give_back;
pub mod payments;
mod place;
mod preview;
pub mod user_payments;

use std::collections::{BTreeMap, BTreeSet};

use crate::coupon::{Campaign, IssuedCoupon};
use crate::ids::{CouponId, IssuedCouponId, MemberId, StockId};
use crate::order::{Buyer, CouponUse, OrderTerms, PurchaseTerms};
use crate::points::{self, Points};
use crate::stock::{Stock, StockError};
use crate::unit_of_work::UnitOfWork;

pub use cancel::*;
pub use claims::*;
pub use error::*;
pub use place::*;
pub use preview::*;

/// Streams that an order touches besides its own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Footprint {
    /// Stock aggregates.
    pub stock: BTreeSet<StockId>,
    /// Coupons in the buyer's box.
    pub issued: BTreeSet<IssuedCouponId>,
    /// Campaigns that count coupon uses.
    pub campaigns: BTreeSet<CouponId>,
    /// The member whose points are spent or restored.
    pub points: Option<MemberId>,
}

/// The streams that placing or canceling an order with these terms touches.
pub fn footprint_of(terms: &OrderTerms) -> Footprint {
    let counted = terms.coupons.iter().filter(|used| used.counted);
    Footprint {
        stock: terms
            .purchases
            .iter()
            .flat_map(|line| &line.stock)
            .map(|taken| taken.stock)
            .collect(),
        issued: terms.coupons.iter().map(|used| used.issued).collect(),
        campaigns: counted.map(|used| used.coupon).collect(),
        points: match terms.buyer {
            Buyer::Member { id } if !terms.totals.points.is_zero() => Some(id),
            Buyer::Member { .. } | Buyer::Guest { .. } => None,
        },
    }
}

impl Footprint {
    fn plan(&self, work: &mut UnitOfWork) {
        for stock in &self.stock {
            work.plan_write::<Stock>(stock);
        }
        for issued in &self.issued {
            work.plan_write::<IssuedCoupon>(issued);
        }
        for campaign in &self.campaigns {
            work.plan_write::<Campaign>(campaign);
        }
        if let Some(member) = self.points {
            work.plan_write::<Points>(points::stream_id(member));
        }
    }
}

/// Quantities by stock aggregate, with the names of the products that need them: purchases sharing an aggregate are summed.
fn pieces<'a>(
    lines: impl IntoIterator<Item = &'a PurchaseTerms>,
) -> Result<BTreeMap<StockId, (u32, Vec<String>)>, CheckoutError> {
    let mut pieces: BTreeMap<StockId, (u32, Vec<String>)> = BTreeMap::new();
    for line in lines {
        for taken in &line.stock {
            let (quantity, names) = pieces.entry(taken.stock).or_default();
            *quantity = quantity
                .checked_add(taken.quantity)
                .ok_or(StockError::TooMany)?;
            if !names.contains(&line.name) {
                names.push(line.name.clone());
            }
        }
    }
    Ok(pieces)
}

fn refused(used: &CouponUse, why: crate::coupon::IssuedCouponError) -> CheckoutError {
    CheckoutError::Coupon {
        issued: used.issued,
        name: used.name.clone(),
        why,
    }
}
