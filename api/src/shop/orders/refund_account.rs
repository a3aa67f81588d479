//! Sets or corrects the refund account of virtual-account payments after the order was placed.

use domain::checkout::payments;
use domain::forms::{FormErrors, Validate};
use domain::ids::OrderId;
use domain::order::Order;
use domain::personal::{BankAccount, Purpose};
use domain::unit_of_work::UnitOfWork;
use serde::Deserialize;
use serde_json::json;
use utoipa::ToSchema;

use super::form::{account, tidy_account};
use crate::app::AppState;
use crate::http::{AppError, AppResult, Code};
use application::executor::{CommandContext, CommandOutcome};

/// The refund account.
#[derive(Clone, Deserialize, ToSchema)]
pub struct RefundAccountForm {
    /// The bank account.
    account: BankAccount,
}

impl Validate for RefundAccountForm {
    fn check(&self, errors: &mut FormErrors) {
        account(errors, "account", Some(&self.account));
    }
}

/// Records it for every virtual account of the order that has or may get money, and retries the refunds that were refused.
///
/// # Errors
/// `not_allowed_now` for an order without such an account.
pub(crate) async fn give(
    app: &AppState,
    command: &CommandContext,
    order: OrderId,
    form: &RefundAccountForm,
) -> AppResult<CommandOutcome> {
    let state = app.store.load::<Order>(&order.to_string()).await?.state;
    let subject = state.terms()?.sender.subject;
    let sealed = app
        .keys
        .seal(subject, Purpose::Statutory, &tidy_account(&form.account))
        .await?;
    let give = |work: &mut UnitOfWork| match payments::give_refund_account(work, order, &sealed)? {
        true => Ok(()),
        false => Err(AppError::new(Code::NotAllowedNow)
            .with_details(json!({ "reason": "no_virtual_account" }))),
    };
    app.executor.commit(command, give).await
}
