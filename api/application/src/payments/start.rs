//! Starts payments of orders and of the fees of their exchanges.

use domain::Purpose;
use domain::checkout::{payments, user_payments};
use domain::ids::{ClaimId, OrderId};
use domain::order::Order;
use domain::payment::PaymentMethod;
use domain::personal::BankAccount;
use domain::unit_of_work::UnitOfWork;

use crate::app::App;
use crate::error::{AppError, AppResult};
use crate::executor::{CommandContext, CommandOutcome};
use crate::orders::find::FoundOrder;
use crate::orders::form::tidy_account;
use crate::payment_methods;

/// Starts the next payment of an order, or reuses the one whose window is open; the result is its id. The method is the order's by default;
/// `account` is the refund account of this payment, unless the order has one.
///
/// # Errors
/// `not_allowed_now`, `too_many_requests`; an invalid `method` or missing `account`.
pub async fn start(
    app: &App,
    command: &CommandContext,
    found: &FoundOrder,
    method: Option<PaymentMethod>,
    account: Option<&BankAccount>,
) -> AppResult<CommandOutcome> {
    let id: OrderId = found.id;
    let account = match account {
        Some(account) => {
            let subject = found.order.state.terms()?.sender.subject;
            let account = tidy_account(account);
            let sealed = app.keys.seal(subject, Purpose::Statutory, &account);
            Some(sealed.await?)
        }
        None => None,
    };
    let start = |work: &mut UnitOfWork| {
        let order = work.state::<Order>(id);
        let method = method.unwrap_or(order.terms()?.payment_method);
        if !payment_methods::is_offered(method) {
            let message = payment_methods::NOT_OFFERED;
            return Err(AppError::invalid_field("method", "method", message));
        }
        Ok(payments::start(work, id, method, account.clone())?)
    };
    app.executor.commit(command, start).await
}

/// Starts the next payment of the fee of an exchange, or reuses the one whose window is open; the result is its id. The method is the
/// order's by default, or card if that does not charge at once.
///
/// # Errors
/// `not_found` for a claim of another order; `not_allowed_now` if no fee is due; an invalid `method`.
pub async fn start_fee(
    app: &App,
    command: &CommandContext,
    found: &FoundOrder,
    claim: ClaimId,
    method: Option<PaymentMethod>,
) -> AppResult<CommandOutcome> {
    let id: OrderId = found.id;
    let start = |work: &mut UnitOfWork| {
        let order = work.state::<Order>(id);
        let usual = order.terms()?.payment_method;
        let method = method.unwrap_or(match usual.charges_at_once() {
            true => usual,
            false => PaymentMethod::Card,
        });
        Ok(user_payments::start(work, id, claim, method)?)
    };
    app.executor.commit(command, start).await
}
