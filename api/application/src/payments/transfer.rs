//! Records that staff sent the money of a refused refund, or of an exchange fee that was paid by bank transfer, to the buyer by bank
//! transfer.

use domain::checkout::payments::{all_attempts, record_transfer, transfer_fee};
use domain::ids::{OrderId, RefundId};
use domain::payment::Payment;
use domain::unit_of_work::UnitOfWork;

use crate::app::App;
use crate::error::{AppError, AppResult};
use crate::executor::{CommandContext, CommandOutcome};

/// Records the transfer, and completes the claims the refund was made for.
///
/// # Errors
/// `not_found` for a refund of another order; `not_allowed_now` for one the gateway did not refuse.
pub async fn record(
    app: &App,
    command: &CommandContext,
    order: OrderId,
    refund: RefundId,
    reference: &str,
) -> AppResult<CommandOutcome> {
    let record = |work: &mut UnitOfWork| {
        let mut of_order = all_attempts(work, order).into_iter();
        let made = of_order.find(|id| work.state::<Payment>(*id).refund(refund).is_ok());
        match made {
            Some(payment) => {
                record_transfer(work, payment, refund, reference.to_owned())?;
                Ok(())
            }
            None if transfer_fee(work, order, (refund, reference))? => Ok(()),
            // not loaded yet, or of another order
            None if !work.is_loaded() => Ok(()),
            None => Err(AppError::not_found()),
        }
    };
    app.executor.commit(command, record).await
}
