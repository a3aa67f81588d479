//! Executes refunds. The refund's own id is the gateway's id of the cancel request, so repeating it never refunds twice.

use domain::Amount;
use domain::checkout::payments;
use domain::ids::{PaymentId, RefundId};
use domain::order::Order;
use domain::payment::PaymentMethod;
use domain::payment::{Payment, PaymentCommand, PaymentEvent, RefundStage};
use domain::personal::{BankAccount, DepositTerms};
use domain::unit_of_work::UnitOfWork;
use event_store::StreamId;
use integrations::payment::codes::is_request_fault;
use integrations::payment::{Answer, CancelRequest, Outcome, RefundAccount};

use super::attempts::Attempt;
use super::{record, transaction};
use crate::app::App;
use crate::error::{AppError, AppResult};

/// Executes a requested refund, or determines its outcome.
///
/// # Errors
/// `unavailable` if the gateway gives no definite response; retry.
pub async fn drive(app: &App, id: PaymentId, refund: RefundId) -> AppResult<()> {
    let found = Attempt::load(app, id).await?;
    match found.payment.state.refund(refund)?.stage {
        RefundStage::Completed | RefundStage::Refused => Ok(()),
        RefundStage::Requested => ask(app, &found, refund).await,
        RefundStage::Unknown => {
            if find_out(app, &found, refund).await? {
                return Ok(());
            }
            let made = *found.payment.state.refund(refund)?;
            let again = PaymentCommand::RequestRefund {
                refund,
                amount: made.amount,
                reason: "다시 요청".to_owned(),
            };
            note(app, id, again).await?;
            ask(app, &Attempt::load(app, id).await?, refund).await
        }
    }
}

async fn ask(app: &App, found: &Attempt, refund: RefundId) -> AppResult<()> {
    let made = *found.payment.state.refund(refund)?;
    let tid = found
        .payment
        .state
        .tid
        .clone()
        .ok_or_else(AppError::not_found)?;
    if transaction::is_anothers(app, found.id, &tid).await? {
        tracing::error!(payment = %found.id, %refund, "a refund would take another payment's money");
        let refusal = PaymentCommand::RecordRefundRefusal {
            refund,
            code: "OTHER_TRANSACTION".to_owned(),
            message: "다른 결제의 거래입니다.".to_owned(),
        };
        return note(app, found.id, refusal).await;
    }
    let refund_account = match found.started.method {
        PaymentMethod::Vbank => match account_of(app, found).await? {
            Some(account) => Some(account),
            None => return no_account(app, found, refund).await,
        },
        _ => None,
    };
    let request = CancelRequest {
        tid,
        order_id: refund.to_string(),
        amount: canceled_amount(&found.payment.state, found.started.method, made.amount),
        reason: reason(refund),
        refund_account,
    };
    match app.gateway.cancel(&request).await {
        Outcome::Done(answer) => match canceled_tid(&answer, refund, made.amount, &[]) {
            Some(canceled_tid) => completed(app, found, refund, &canceled_tid).await,
            None => Err(AppError::internal(anyhow::anyhow!(
                "the service's cancel has no id"
            ))),
        },
        Outcome::Refused { code, message } if is_request_fault(&code) => {
            tracing::error!(payment = %found.id, %refund, code, message, "the service does not take the shop's requests");
            Err(AppError::unavailable(anyhow::anyhow!(
                "the service does not take the request: {code}"
            )))
        }
        Outcome::Refused { code, message } => {
            tracing::error!(payment = %found.id, %refund, code, "the service refuses a refund; staff must act");
            note(
                app,
                found.id,
                PaymentCommand::RecordRefundRefusal {
                    refund,
                    code,
                    message,
                },
            )
            .await
        }
        Outcome::NotSent { why } => Err(AppError::unavailable(anyhow::anyhow!(why))),
        Outcome::Unknown { why } => {
            note(
                app,
                found.id,
                PaymentCommand::RecordRefundUnknown {
                    refund,
                    why: why.to_string(),
                },
            )
            .await?;
            if find_out(app, found, refund).await? {
                return Ok(());
            }
            Err(AppError::unavailable(why))
        }
    }
}

/// The amount to cancel; none cancels the full amount. The gateway treats a request with an amount as a partial cancel, and a phone bill
/// can only be cancelled as a whole.
fn canceled_amount(payment: &Payment, method: PaymentMethod, amount: Amount) -> Option<Amount> {
    let is_all = amount == payment.approved;
    (method != PaymentMethod::Cellphone || !is_all).then_some(amount)
}

/// The refund account of a virtual-account payment: the one given for this payment, else the order's. None if none was given or the
/// buyer's data is erased.
async fn account_of(app: &App, found: &Attempt) -> AppResult<Option<RefundAccount>> {
    let said = match &found.payment.state.refund_account {
        Some(account) => app.open::<BankAccount>(account).await?,
        None => {
            let order = found.started.order.to_string();
            let order = app.store.load::<Order>(&order).await?.state;
            match &order.terms()?.deposit {
                Some(deposit) => app
                    .open::<DepositTerms>(deposit)
                    .await?
                    .map(|deposit| deposit.account),
                None => None,
            }
        }
    };
    Ok(said.map(|account| RefundAccount {
        bank_code: account.code,
        number: account.account_number,
        holder: account.account_holder,
    }))
}

/// Records that there is no account to refund to: staff or the buyer have to enter one.
async fn no_account(app: &App, found: &Attempt, refund: RefundId) -> AppResult<()> {
    tracing::error!(payment = %found.id, %refund, "a refund has no account to go to");
    let refusal = PaymentCommand::RecordRefundRefusal {
        refund,
        code: "NO_ACCOUNT".to_owned(),
        message: "환불 계좌가 없습니다.".to_owned(),
    };
    note(app, found.id, refusal).await
}

/// Looks for the refund among the gateway's cancels; true if it is found and recorded.
async fn find_out(app: &App, found: &Attempt, refund: RefundId) -> AppResult<bool> {
    let made = *found.payment.state.refund(refund)?;
    let tid = found
        .payment
        .state
        .tid
        .clone()
        .ok_or_else(AppError::not_found)?;
    match app.gateway.query(&tid).await {
        Outcome::Done(answer) => {
            let recorded = recorded(app, found.id).await?;
            match canceled_tid(&answer, refund, made.amount, &recorded) {
                Some(canceled_tid) => completed(app, found, refund, &canceled_tid)
                    .await
                    .map(|()| true),
                None => Ok(false),
            }
        }
        Outcome::Refused { code, .. } => Err(AppError::unavailable(anyhow::anyhow!(
            "the service refuses to say: {code}"
        ))),
        Outcome::Unknown { why } => Err(AppError::unavailable(why)),
        Outcome::NotSent { why } => Err(AppError::unavailable(anyhow::anyhow!(why))),
    }
}

/// Reason sent to the gateway, by which the refund is found among the payment's cancels.
fn reason(refund: RefundId) -> String {
    format!("환불 {refund}")
}

/// The gateway's transaction id of this refund: by its reason, else by the response to this very call, else the first unrecorded
/// one with that amount.
fn canceled_tid(
    answer: &Answer,
    refund: RefundId,
    amount: domain::Amount,
    recorded: &[String],
) -> Option<String> {
    let reason = reason(refund);
    let named = answer.cancels.iter().find(|cancel| cancel.reason == reason);
    let alike = || {
        answer
            .unrecorded_cancels(recorded)
            .find(|cancel| cancel.amount == amount && !cancel.reason.starts_with("환불 "))
    };
    named
        .map(|cancel| cancel.tid.clone())
        .or_else(|| {
            answer
                .cancelled_tid
                .clone()
                .filter(|_| recorded.is_empty() && answer.cancels.is_empty())
        })
        .or_else(|| alike().map(|cancel| cancel.tid.clone()))
}

/// Transaction ids of the recorded refunds.
async fn recorded(app: &App, id: PaymentId) -> AppResult<Vec<String>> {
    let events = app.store.read_stream(&StreamId::of::<Payment>(id)).await?;
    let mut recorded = Vec::new();
    for event in events {
        if let PaymentEvent::RefundCompleted { canceled_tid, .. } = event.event::<Payment>()? {
            recorded.push(canceled_tid);
        }
    }
    Ok(recorded)
}

/// Records a completed refund and the completion of its claim, in one append.
async fn completed(
    app: &App,
    found: &Attempt,
    refund: RefundId,
    canceled_tid: &str,
) -> AppResult<()> {
    let id = found.id;
    let command = record::answer_to(app, "complete-refund", id).await?;
    let complete = |work: &mut UnitOfWork| {
        Ok(payments::record_refund(
            work,
            id,
            refund,
            canceled_tid.to_owned(),
        )?)
    };
    app.executor.commit(&command, complete).await?;
    Ok(())
}

async fn note(app: &App, id: PaymentId, input: PaymentCommand) -> AppResult<()> {
    let command = record::answer_to(app, "record-refund", id).await?;
    app.executor.execute::<Payment>(&command, id, input).await?;
    Ok(())
}

/// Completes unknown refunds that a notice reports.
///
/// # Errors
/// Database errors.
pub async fn complete_reported(app: &App, found: &Attempt, answer: &Answer) -> AppResult<()> {
    for refund in &found.payment.state.refunds {
        let open = matches!(refund.stage, RefundStage::Requested | RefundStage::Unknown);
        let named = answer
            .cancels
            .iter()
            .find(|cancel| cancel.reason == reason(refund.id));
        if let Some(cancel) = named.filter(|_| open) {
            completed(app, found, refund.id, &cancel.tid).await?;
        }
    }
    Ok(())
}
