//! Sets or corrects the refund account of virtual-account payments after the order was placed.

use domain::Decider;
use domain::forms::{FormErrors, Validate};
use domain::ids::OrderId;
use domain::order::{Order, PaymentMethod};
use domain::payment::{PaymentCommand, PaymentStage, RefundStage};
use domain::personal::{BankAccount, Purpose};
use event_store::{Expected, StreamAppend};
use serde::Deserialize;
use serde_json::json;
use utoipa::ToSchema;

use super::form::{account, tidy_account};
use crate::app::AppState;
use crate::http::{AppError, AppResult, Code};
use crate::plugins::pay::attempts::Attempt;
use application::executor::{AppendBatch, CommandContext, CommandOutcome};

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
    app.executor
        .transact(command, |context| {
            let sealed = sealed.clone();
            async move {
                let mut batch = AppendBatch::of([]);
                let mut found = false;
                for attempt in Attempt::of_order(app, order).await? {
                    let stage = attempt.payment.state.stage;
                    let may = matches!(
                        stage,
                        PaymentStage::Approved
                            | PaymentStage::AccountIssued
                            | PaymentStage::AccountClosing
                    );
                    if attempt.started.method != PaymentMethod::Vbank || !may {
                        continue;
                    }
                    found = true;
                    let payment = &attempt.payment.state;
                    let mut inputs = vec![PaymentCommand::GiveRefundAccount(sealed.clone())];
                    inputs.extend(
                        payment
                            .refunds
                            .iter()
                            .filter(|refund| refund.stage == RefundStage::Refused)
                            .map(|refund| PaymentCommand::RequestRefund {
                                refund: refund.id,
                                amount: refund.amount,
                                reason: "환불 계좌 변경".to_owned(),
                            }),
                    );
                    let events = payment.decide_all(inputs, &context)?;
                    batch.append(StreamAppend::new::<domain::payment::Payment>(
                        attempt.id,
                        Expected::Exact(attempt.payment.version),
                        &events,
                    )?);
                }
                if !found {
                    return Err(AppError::new(Code::NotAllowedNow)
                        .with_details(json!({ "reason": "no_virtual_account" })));
                }
                Ok(batch)
            }
        })
        .await
}
