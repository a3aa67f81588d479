//! Requests approval of an authenticated payment: once, however often the return page is loaded.

use std::time::Duration;

use domain::checkout::payments;
use domain::ids::{ClaimId, OrderId};
use domain::order::{Claim, Order};
use domain::payment::{Payment, PaymentCommand, PaymentStage};
use domain::unit_of_work::UnitOfWork;
use domain::user_payment::{UserPayment, UserPaymentPurpose};
use integrations::payment::{
    AuthenticatedPayment, Outcome, ReturnError, ReturnForm, Status, VirtualAccount,
};
use serde_json::json;
use tokio::time::{Instant, sleep};

use super::attempts::Attempt;
use super::{record, resolve, transaction};
use crate::app::App;
use crate::error::{AppError, AppResult, Code};

/// Maximum wait of a second completion for the first.
const PATIENCE: Duration = Duration::from_secs(20);
/// Polling interval.
const LOOK: Duration = Duration::from_millis(50);
/// Error code of a charge that was never requested because the gateway could not be reached.
const NOT_SENT: &str = "NOT_SENT";

/// What a payment was for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PaymentSubject {
    /// The order.
    pub order: OrderId,
    /// The exchange whose fee it paid; none for the order itself.
    pub claim: Option<ClaimId>,
}

/// Charges the payment of a return form; returns what it paid. Every completion of one payment returns the same result.
///
/// # Errors
/// `not_found` for an unknown payment, `payment_refused`, `not_allowed_now` if the order or fee needs no payment any more.
pub async fn complete(app: &App, form: &ReturnForm) -> AppResult<PaymentSubject> {
    let attempt = Attempt::by_gateway_id(app, &form.order_id).await?;
    let permission = app
        .gateway
        .read_return(form, &attempt.gateway_order_id(), attempt.started.amount)
        .map_err(|error| not_permitted(&error))?;
    // The form's signature does not cover the transaction id.
    if transaction::is_anothers(app, attempt.id, &permission.tid).await? {
        return Err(not_permitted(&ReturnError::Differs("tid")));
    }
    match intend(app, &attempt, &permission).await {
        Ok(()) => charge(app, &attempt, &permission).await?,
        Err(lost) if lost.code() == Code::NotAllowedNow => {}
        Err(failure) => return Err(failure),
    }
    settled(app, &attempt).await
}

fn not_permitted(error: &ReturnError) -> AppError {
    let refused = AppError::new(Code::PaymentRefused);
    match error {
        ReturnError::NotAuthenticated { code, message } => {
            refused.with_details(json!({ "resultCode": code, "resultMsg": message }))
        }
        ReturnError::Signature => refused.with_details(json!({ "reason": "signature" })),
        ReturnError::Differs(field) => {
            refused.with_details(json!({ "reason": "differs", "field": field }))
        }
    }
}

/// Records the intention to request approval. Only one request succeeds; all others are rejected here.
async fn intend(app: &App, attempt: &Attempt, permission: &AuthenticatedPayment) -> AppResult<()> {
    let id = attempt.id;
    let command = record::answer_to(app, "request-approval", id).await?;
    let request = |work: &mut UnitOfWork| {
        let tid = permission.tid.clone();
        Ok(payments::request_approval(
            work,
            id,
            tid,
            permission.amount,
        )?)
    };
    app.executor.commit(&command, request).await?;
    Ok(())
}

/// Requests approval and records the outcome.
async fn charge(app: &App, attempt: &Attempt, permission: &AuthenticatedPayment) -> AppResult<()> {
    let gateway_order_id = attempt.gateway_order_id();
    let outcome = app
        .gateway
        .approve(&permission.tid, permission.amount, &gateway_order_id)
        .await;
    let command = record::answer_to(app, "record-approval", attempt.id).await?;
    let input = match outcome {
        Outcome::Done(answer) if answer.status == Status::Paid => {
            record::paid(app, &command, attempt.id, &answer).await?;
            return Ok(());
        }
        Outcome::Done(answer)
            if answer.status == Status::Ready
                && answer
                    .virtual_account
                    .as_ref()
                    .and_then(VirtualAccount::to_domain)
                    .is_some() =>
        {
            record::issued(app, &command, attempt.id, &answer).await?;
            return Ok(());
        }
        Outcome::Done(answer) => {
            let why = format!("the service answered {:?}", answer.status);
            PaymentCommand::RecordUnknown {
                tid: permission.tid.clone(),
                why,
            }
        }
        Outcome::Refused { code, message } => PaymentCommand::RecordRefusal { code, message },
        Outcome::NotSent { why } => PaymentCommand::RecordRefusal {
            code: NOT_SENT.to_owned(),
            message: why,
        },
        Outcome::Unknown { why } => PaymentCommand::RecordUnknown {
            tid: permission.tid.clone(),
            why: why.to_string(),
        },
    };
    let is_unknown = matches!(input, PaymentCommand::RecordUnknown { .. });
    // A notice may have recorded the approval already: then the refusal does not apply.
    match app
        .executor
        .execute::<Payment>(&command, attempt.id, input)
        .await
    {
        Err(refused) if refused.code() == Code::NotAllowedNow => return Ok(()),
        other => other?,
    };
    if is_unknown {
        // An unknown outcome is resolved by the deadline.
        if let Err(error) = resolve::attempt(app, attempt.id).await {
            tracing::warn!(payment = %attempt.id, ?error, "the end of an approval is not known yet");
        }
    }
    Ok(())
}

/// The outcome of the payment, after waiting for a concurrent completion.
async fn settled(app: &App, attempt: &Attempt) -> AppResult<PaymentSubject> {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let now = Attempt::load(app, attempt.id).await?;
        match now.payment.state.stage {
            PaymentStage::Approved => return paid_or_given_back(app, &now).await,
            PaymentStage::AccountIssued => {
                return Ok(PaymentSubject {
                    order: now.started.order,
                    claim: None,
                });
            }
            PaymentStage::AccountClosing | PaymentStage::AccountClosed => {
                return Err(closed(app, &now).await?);
            }
            PaymentStage::Requested if Instant::now() < deadline => sleep(LOOK).await,
            PaymentStage::Requested | PaymentStage::Unknown => {
                return Err(
                    AppError::new(Code::Unavailable).saying("결제 결과를 확인하고 있습니다.")
                );
            }
            PaymentStage::Ready => return Err(closed(app, &now).await?),
            PaymentStage::None
            | PaymentStage::Refused
            | PaymentStage::NetCanceled
            | PaymentStage::Abandoned => {
                return Err(AppError::new(Code::PaymentRefused)
                    .with_details(json!({ "stage": now.payment.state.stage })));
            }
        }
    }
}

async fn paid_or_given_back(app: &App, attempt: &Attempt) -> AppResult<PaymentSubject> {
    let order = attempt.started.order;
    let state = app.store.load::<Order>(&order.to_string()).await?.state;
    let claim = fee_of(app, attempt).await?;
    let payment = match claim {
        Some(claim) => state
            .claim(claim)
            .and_then(Claim::received_fee)
            .and_then(|(_, payment)| payment),
        None => state.paid.and_then(|paid| paid.payment),
    };
    match payment == Some(attempt.id) {
        true => Ok(PaymentSubject { order, claim }),
        false => Err(closed(app, attempt).await?),
    }
}

/// The exchange whose fee a payment is for; none if it is for the order.
///
/// # Errors
/// Database errors.
pub async fn fee_of(app: &App, attempt: &Attempt) -> AppResult<Option<ClaimId>> {
    let Some(of) = &attempt.started.user_payment else {
        return Ok(None);
    };
    let asked = app.store.load::<UserPayment>(&of.id.to_string()).await?;
    let purpose = asked.state.terms.map(|terms| terms.purpose);
    Ok(purpose.map(|UserPaymentPurpose::ExchangeFee { claim, .. }| claim))
}

/// The order or fee needs no payment: it is canceled, or another payment paid it.
async fn closed(app: &App, attempt: &Attempt) -> AppResult<AppError> {
    let order = app
        .store
        .load::<Order>(&attempt.started.order.to_string())
        .await?
        .state;
    let reason = match fee_of(app, attempt).await? {
        Some(claim) => match order.payable_fee(claim) {
            Err(refusal) => refusal.code(),
            // The payment window was left open, so another attempt may follow.
            Ok(_) => "fee_due",
        },
        None if order.canceled.is_some() => "order_canceled",
        None => "already_paid",
    };
    Ok(AppError::new(Code::NotAllowedNow).with_details(json!({ "reason": reason })))
}
