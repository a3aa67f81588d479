//! Records responses of the gateway. Money received for an order that cannot use it is refunded in the same append.

use domain::ids::{OrderId, PaymentId, RefundId};
use domain::order::{Order, OrderCommand, OrderError, OrderEvent};
use domain::payment::{
    Payment, PaymentCommand, PaymentError, PaymentEvent, PaymentStage, Started, gateway_order_id,
};
use domain::{Context, Decider};
use event_store::{Expected, StreamAppend, StreamId, Versioned};
use integrations::payment::{Answer, VirtualAccount};
use time::Duration;

use super::attempts::Attempt;
use super::transaction::hash;
use super::{TRANSACTION, service};
use crate::app::AppState;
use crate::http::{AppError, AppResult};
use application::executor::{AppendBatch, CommandContext, CommandOutcome, decide};

/// Refund reason for an order that cannot be paid any more.
const TOO_LATE: &str = "이미 취소되었거나 결제된 주문";
/// Refund reason for a deposit that differs from the order's amount.
const OTHER_AMOUNT: &str = "주문 금액과 다른 입금";
/// Reason for closing an account.
const PAID_OTHERWISE: &str = "다른 방법으로 결제됨";

/// The command context of a gateway response, caused by the payment's newest event: the shop's request.
///
/// # Errors
/// Database errors.
pub(crate) async fn answer_to(
    app: &AppState,
    name: &'static str,
    id: PaymentId,
) -> AppResult<CommandContext> {
    let events = app.store.read_stream(&StreamId::of::<Payment>(id)).await?;
    let command = CommandContext::for_actor(name, service());
    Ok(match events.last() {
        Some(newest) => command.caused_by(newest),
        None => command,
    })
}

/// Records that the gateway charged a payment: the payment and the paid order in one append. If the order was canceled or paid by
/// another payment meanwhile, that append requests a refund instead.
///
/// Repeating it changes nothing.
///
/// # Errors
/// Contradictions to the log: another order's transaction, another amount.
pub async fn paid(
    app: &AppState,
    command: &CommandContext,
    id: PaymentId,
    answer: &Answer,
) -> AppResult<CommandOutcome> {
    app.executor
        .transact(command, |context| async move {
            paying(app, id, answer, &context).await
        })
        .await
}

async fn paying(
    app: &AppState,
    id: PaymentId,
    answer: &Answer,
    context: &Context,
) -> AppResult<AppendBatch> {
    let payment = app.store.load::<Payment>(&id.to_string()).await?;
    own(&payment, answer)?;
    let events = payment.state.decide(
        PaymentCommand::RecordApproval {
            tid: answer.tid.clone(),
            amount: answer.amount,
            approve_no: answer.approve_no.clone(),
            receipt_url: answer.receipt_url.clone(),
        },
        context,
    )?;
    came(app, id, &payment, events, answer, context).await
}

/// Checks that a response, however it arrived, belongs to the payment it names.
fn own(payment: &Versioned<Payment>, answer: &Answer) -> AppResult<()> {
    let started = started(payment)?;
    match answer.order_id == gateway_order_id(&started.order_no, started.attempt) {
        true => Ok(()),
        false => Err(PaymentError::OtherTransaction.into()),
    }
}

/// Records that the gateway issued a virtual account: the order may stay unpaid until it expires, but not beyond the shop's own
/// limit. An order that is closed by now needs no account.
///
/// # Errors
/// Contradictions to the log; malformed account data.
pub(crate) async fn issued(
    app: &AppState,
    command: &CommandContext,
    id: PaymentId,
    answer: &Answer,
) -> AppResult<CommandOutcome> {
    app.executor
        .transact(command, |context| async move {
            let payment = app.store.load::<Payment>(&id.to_string()).await?;
            own(&payment, answer)?;
            let mut events = payment.state.decide(issue(answer)?, &context)?;
            if events.is_empty() {
                return Ok(AppendBatch::of([]));
            }
            let started = started(&payment)?;
            let order = app.store.load::<Order>(&started.order.to_string()).await?;
            let after = folded(&payment.state, &events);
            let hours = i64::from(app.settings.orders.deposit_hours);
            let longest = context.now + Duration::hours(hours);
            let until = after
                .account
                .as_ref()
                .map_or(longest, |account| account.expires_at.min(longest));
            let of_order = match order
                .state
                .decide(OrderCommand::AwaitDeposit { payment: id, until }, &context)
            {
                Ok(of_order) => of_order,
                Err(OrderError::OrderCanceled | OrderError::AlreadyPaid) => {
                    events.extend(after.decide(
                        PaymentCommand::CloseAccount {
                            reason: TOO_LATE.to_owned(),
                        },
                        &context,
                    )?);
                    Vec::new()
                }
                Err(refusal) => return Err(refusal.into()),
            };
            let batch = together((id, &payment, &events), (&started, &order, &of_order))?;
            Ok(batch.reserve(TRANSACTION, hash(app, &answer.tid), id))
        })
        .await
}

fn issue(answer: &Answer) -> AppResult<PaymentCommand> {
    let account = answer.virtual_account.as_ref();
    let account = account.and_then(VirtualAccount::to_domain).ok_or_else(|| {
        AppError::unavailable(anyhow::anyhow!("the service's account cannot be read"))
    })?;
    Ok(PaymentCommand::IssueAccount {
        tid: answer.tid.clone(),
        amount: answer.amount,
        account,
    })
}

/// Records a deposit as [`paid`] records a charge: if the order is canceled, paid otherwise, or has another amount, the deposit is
/// refunded.
///
/// Repeating it changes nothing.
///
/// # Errors
/// Another transaction.
pub(crate) async fn deposited(
    app: &AppState,
    command: &CommandContext,
    id: PaymentId,
    answer: &Answer,
) -> AppResult<CommandOutcome> {
    app.executor
        .transact(command, |context| async move {
            let payment = app.store.load::<Payment>(&id.to_string()).await?;
            own(&payment, answer)?;
            let mut events = Vec::new();
            if payment.state.account.is_none() && is_open(&payment.state) {
                // Reported before the response that issued the account: refunds need the account.
                let mut made = answer.clone();
                made.amount = started(&payment)?.amount;
                events.extend(payment.state.decide(issue(&made)?, &context)?);
            }
            let deposit = PaymentCommand::RecordDeposit {
                tid: answer.tid.clone(),
                amount: answer.amount,
            };
            events.extend(folded(&payment.state, &events).decide(deposit, &context)?);
            came(app, id, &payment, events, answer, &context).await
        })
        .await
}

fn started(payment: &Versioned<Payment>) -> AppResult<Started> {
    payment
        .state
        .started
        .clone()
        .ok_or_else(AppError::not_found)
}

fn folded(payment: &Payment, events: &[PaymentEvent]) -> Payment {
    let mut after = payment.clone();
    events.iter().cloned().for_each(|event| after.evolve(event));
    after
}

/// The money of these events pays the order or is refunded; the transaction is reserved for this payment.
async fn came(
    app: &AppState,
    id: PaymentId,
    payment: &Versioned<Payment>,
    mut events: Vec<PaymentEvent>,
    answer: &Answer,
    context: &Context,
) -> AppResult<AppendBatch> {
    if events.is_empty() {
        return Ok(AppendBatch::of([]));
    }
    let amount = answer.amount;
    let started = started(payment)?;
    let order = app.store.load::<Order>(&started.order.to_string()).await?;
    let pay = OrderCommand::Pay {
        payment: Some(id),
        amount,
    };
    let (of_order, useless) = match order.state.decide(pay, context) {
        Ok(of_order) => (of_order, None),
        Err(OrderError::OrderCanceled | OrderError::AlreadyPaid) => (Vec::new(), Some(TOO_LATE)),
        // An account takes one deposit, so no other is to be awaited.
        Err(OrderError::AmountMismatch { .. }) => (
            wait_ended(id, &payment.state, &order.state, context)?,
            Some(OTHER_AMOUNT),
        ),
        Err(refusal) => return Err(refusal.into()),
    };
    let mut useless_accounts = Vec::new();
    if let Some(reason) = useless {
        let back = PaymentCommand::RequestRefund {
            refund: RefundId(id.0),
            amount,
            reason: reason.to_owned(),
        };
        events.extend(folded(&payment.state, &events).decide(back, context)?);
    } else {
        for other in Attempt::of_order(app, started.order).await? {
            if other.id != id && other.payment.state.awaited().is_some() {
                useless_accounts.push(closing(&other, PAID_OTHERWISE, context)?);
            }
        }
    }
    let mut batch = together((id, payment, &events), (&started, &order, &of_order))?;
    useless_accounts
        .into_iter()
        .for_each(|account| batch.append(account));
    Ok(batch.reserve(TRANSACTION, hash(app, &answer.tid), id))
}

/// The request to close an account that is not needed any more.
///
/// # Errors
/// The rule violated.
pub fn closing(attempt: &Attempt, reason: &str, context: &Context) -> AppResult<StreamAppend> {
    let input = PaymentCommand::CloseAccount {
        reason: reason.to_owned(),
    };
    decide(attempt.id, &attempt.payment, input, context)
}

/// Closes an account, be it the request or the gateway's response. An order that awaited its deposit awaits it no longer.
///
/// Repeating it changes nothing.
///
/// # Errors
/// The rule violated.
pub(crate) async fn close_account(
    app: &AppState,
    command: &CommandContext,
    id: PaymentId,
    input: &PaymentCommand,
) -> AppResult<CommandOutcome> {
    app.executor
        .transact(command, |context| async move {
            let payment = app.store.load::<Payment>(&id.to_string()).await?;
            let events = payment.state.decide(input.clone(), &context)?;
            if events.is_empty() {
                return Ok(AppendBatch::of([]));
            }
            let started = started(&payment)?;
            let order = app.store.load::<Order>(&started.order.to_string()).await?;
            let of_order = wait_ended(id, &payment.state, &order.state, &context)?;
            together((id, &payment, &events), (&started, &order, &of_order))
        })
        .await
}

/// Ends the order's wait for the deposit of a payment whose account is given up, closed or used up by the decision at hand. The
/// order awaits one account at a time, the open one: one whose closing was requested before is not awaited.
///
/// # Errors
/// The rule violated.
pub fn wait_ended(
    id: PaymentId,
    payment: &Payment,
    order: &Order,
    context: &Context,
) -> AppResult<Vec<OrderEvent>> {
    match payment.awaited() {
        Some(_) => Ok(order.decide(OrderCommand::EndDepositWait { payment: id }, context)?),
        None => Ok(Vec::new()),
    }
}

/// Appends to a payment and its order together; an order without events must be unchanged.
fn together(
    (id, payment, events): (PaymentId, &Versioned<Payment>, &[PaymentEvent]),
    (started, order, of_order): (&Started, &Versioned<Order>, &[OrderEvent]),
) -> AppResult<AppendBatch> {
    let batch = AppendBatch::of([StreamAppend::new::<Payment>(
        id,
        Expected::Exact(payment.version),
        events,
    )?]);
    with_order(batch, started.order, order, of_order)
}

/// Adds the events of an order; without events it must be unchanged.
///
/// # Errors
/// The events cannot be serialised.
pub fn with_order(
    mut batch: AppendBatch,
    id: OrderId,
    order: &Versioned<Order>,
    events: &[OrderEvent],
) -> AppResult<AppendBatch> {
    if events.is_empty() {
        return Ok(batch.require(StreamId::of::<Order>(id), order.version));
    }
    let expected = Expected::Exact(order.version);
    batch.append(StreamAppend::new::<Order>(id, expected, events)?);
    Ok(batch)
}

/// Whether the outcome of a requested approval is unknown.
pub fn is_open(payment: &Payment) -> bool {
    matches!(
        payment.stage,
        PaymentStage::Requested | PaymentStage::Unknown
    )
}
