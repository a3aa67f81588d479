//! Sets or corrects the refund account of virtual-account payments, and of exchange fees that were paid by bank transfer.

use domain::Purpose;
use domain::checkout::payments;
use domain::ids::OrderId;
use domain::order::Order;
use domain::personal::BankAccount;
use domain::unit_of_work::UnitOfWork;
use serde_json::json;

use crate::app::App;
use crate::error::{AppError, AppResult, Code};
use crate::executor::{CommandContext, CommandOutcome};
use crate::orders::form::tidy_account;

/// Records it for every virtual account of the order that has or may get money and for fees that staff send back, and retries the refunds
/// that were refused.
///
/// # Errors
/// `not_allowed_now` for an order without such an account.
pub async fn give(
    app: &App,
    command: &CommandContext,
    order: OrderId,
    account: &BankAccount,
) -> AppResult<CommandOutcome> {
    let state = app.store.load::<Order>(&order.to_string()).await?.state;
    let subject = state.terms()?.sender.subject;
    let account = tidy_account(account);
    let sealed = app.keys.seal(subject, Purpose::Statutory, &account).await?;
    let give = |work: &mut UnitOfWork| match payments::give_refund_account(work, order, &sealed)? {
        true => Ok(()),
        false => Err(AppError::new(Code::NotAllowedNow)
            .with_details(json!({ "reason": "no_virtual_account" }))),
    };
    app.executor.commit(command, give).await
}
