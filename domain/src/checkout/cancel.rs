//! Canceling an unpaid order: stock, coupons and points are given back in the same decision.

use super::CheckoutError;
use super::give_back::{GivenLine, Reversal, give_back, plan};
use super::payments::{self, CANCELED};
use crate::ids::OrderId;
use crate::order::{CancelReason, CanceledBy, Order, OrderCommand};
use crate::payment::Payment;
use crate::unit_of_work::UnitOfWork;

/// Cancels an unpaid order: gives back its stock, coupons and points, and closes the virtual accounts that await its money.
///
/// # Errors
/// [`CheckoutError`].
pub fn cancel_unpaid(
    work: &mut UnitOfWork,
    id: OrderId,
    by: CanceledBy,
    reason: Option<CancelReason>,
) -> Result<(), CheckoutError> {
    let attempts = payments::attempts(work, id);
    if !plan(work, id)? {
        return Ok(());
    }
    if work
        .decide::<Order>(id, OrderCommand::CancelUnpaid { by, reason })?
        .is_empty()
    {
        return Ok(());
    }
    let order = work.state::<Order>(id);
    let terms = order.terms()?;
    let back = Reversal {
        lines: terms.purchases.iter().map(GivenLine::whole).collect(),
        coupons: terms.coupons.iter().map(|used| used.issued).collect(),
        points: terms.points.clone(),
    };
    give_back(work, id, terms, &back)?;
    for payment in attempts {
        if work.state::<Payment>(payment).awaited().is_some() {
            payments::close(work, payment, CANCELED)?;
        }
    }
    Ok(())
}
