//! Asking the service to charge what the buyer authenticated: once, however often the return page is loaded.

use std::time::Duration;

use domain::ids::OrderId;
use domain::order::Order;
use domain::payment::{Payment, PaymentCommand, PaymentStage};
use event_store::StreamId;
use serde_json::json;
use tokio::time::{Instant, sleep};

use super::attempts::Attempt;
use super::{record, resolve, transaction};
use crate::app::AppState;
use crate::executor::{AppendBatch, decide};
use crate::http::{ApiError, ApiResult, Code};
use crate::integrations::payment::{
    Authenticated, Outcome, ReturnError, ReturnForm, Status, VirtualAccount,
};

/// How long a second completion waits for the first.
const PATIENCE: Duration = Duration::from_secs(20);
/// How often it looks.
const LOOK: Duration = Duration::from_millis(50);
/// Code of a charge that was never asked for because the service could not be reached.
const NOT_SENT: &str = "NOT_SENT";

/// Charges what the return page brought; answers the order it paid. Every completion of one payment gets the same answer.
///
/// # Errors
/// `not_found` for an attempt we never began, `payment_refused`, `not_allowed_now` if the order needs no money any more.
pub(crate) async fn complete(app: &AppState, form: &ReturnForm) -> ApiResult<OrderId> {
    let attempt = Attempt::by_gateway_id(app, &form.order_id).await?;
    let permission = app
        .gateway
        .read_return(form, &attempt.gateway_order_id(), attempt.started.amount)
        .map_err(|error| not_permitted(&error))?;
    // the form's signature does not cover it
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

fn not_permitted(error: &ReturnError) -> ApiError {
    let refused = ApiError::new(Code::PaymentRefused);
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

/// Records that the service is about to be asked. Only one request can: all others are refused here.
async fn intend(app: &AppState, attempt: &Attempt, permission: &Authenticated) -> ApiResult<()> {
    let id = attempt.id;
    let act = PaymentCommand::RequestApproval {
        tid: permission.tid.clone(),
        amount: permission.amount,
    };
    let command = record::answer_to(app, "request-approval", id).await?;
    app.executor
        .transact(&command, |context| {
            let act = act.clone();
            async move {
                let payment = app.store.load::<Payment>(&id.to_string()).await?;
                let order = app
                    .store
                    .load::<Order>(&attempt.started.order.to_string())
                    .await?;
                if order.state.canceled.is_some() || order.state.paid.is_some() {
                    return Err(ApiError::new(Code::NotAllowedNow)
                        .with_details(json!({ "reason": "order_closed" })));
                }
                Ok(AppendBatch::of([decide(id, &payment, act, &context)?])
                    .require(StreamId::of::<Order>(attempt.started.order), order.version))
            }
        })
        .await?;
    Ok(())
}

/// The call and what came of it.
async fn charge(app: &AppState, attempt: &Attempt, permission: &Authenticated) -> ApiResult<()> {
    let gateway_order_id = attempt.gateway_order_id();
    let outcome = app
        .gateway
        .approve(&permission.tid, permission.amount, &gateway_order_id)
        .await;
    let command = record::answer_to(app, "record-approval", attempt.id).await?;
    let act = match outcome {
        Outcome::Done(answer) if answer.status == Status::Paid => {
            record::paid(app, &command, attempt.id, &answer).await?;
            return Ok(());
        }
        Outcome::Done(answer)
            if answer.status == Status::Ready
                && answer
                    .virtual_account
                    .as_ref()
                    .and_then(VirtualAccount::to_keep)
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
    let is_unknown = matches!(act, PaymentCommand::RecordUnknown { .. });
    // A notice may have been faster: then the money is on record, and this refusal is not.
    match app
        .executor
        .execute::<Payment>(&command, attempt.id, act)
        .await
    {
        Err(refused) if refused.code() == Code::NotAllowedNow => return Ok(()),
        other => other?,
    };
    if is_unknown {
        // What cannot be found out now is found out by the deadline.
        if let Err(error) = resolve::attempt(app, attempt.id).await {
            tracing::warn!(payment = %attempt.id, ?error, "the end of an approval is not known yet");
        }
    }
    Ok(())
}

/// What became of the attempt, waiting for whoever is charging it.
async fn settled(app: &AppState, attempt: &Attempt) -> ApiResult<OrderId> {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let now = Attempt::load(app, attempt.id).await?;
        match now.payment.state.stage {
            PaymentStage::Approved => return paid_or_given_back(app, &now).await,
            PaymentStage::AccountIssued => return Ok(now.started.order),
            PaymentStage::AccountClosing | PaymentStage::AccountClosed => {
                return Err(closed(app, &now).await?);
            }
            PaymentStage::Requested if Instant::now() < deadline => sleep(LOOK).await,
            PaymentStage::Requested | PaymentStage::Unknown => {
                return Err(
                    ApiError::new(Code::Unavailable).saying("결제 결과를 확인하고 있습니다.")
                );
            }
            PaymentStage::Ready => return Err(closed(app, &now).await?),
            PaymentStage::None
            | PaymentStage::Refused
            | PaymentStage::NetCanceled
            | PaymentStage::Abandoned => {
                return Err(ApiError::new(Code::PaymentRefused)
                    .with_details(json!({ "stage": now.payment.state.stage })));
            }
        }
    }
}

async fn paid_or_given_back(app: &AppState, attempt: &Attempt) -> ApiResult<OrderId> {
    let order = app
        .store
        .load::<Order>(&attempt.started.order.to_string())
        .await?
        .state;
    match order.paid {
        Some(paid) if paid.payment == Some(attempt.id) => Ok(attempt.started.order),
        _ => Err(closed(app, attempt).await?),
    }
}

/// The order needs no money: it is canceled, or another attempt paid it.
async fn closed(app: &AppState, attempt: &Attempt) -> ApiResult<ApiError> {
    let order = app
        .store
        .load::<Order>(&attempt.started.order.to_string())
        .await?
        .state;
    let reason = if order.canceled.is_some() {
        "order_canceled"
    } else {
        "already_paid"
    };
    Ok(ApiError::new(Code::NotAllowedNow).with_details(json!({ "reason": reason })))
}
