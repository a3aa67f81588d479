//! Records responses of the gateway, by the decisions of [`domain::checkout::payments`].

use domain::checkout::payments::{self, ReceivedPayment};
use domain::ids::PaymentId;
use domain::payment::{Payment, PaymentCommand, PaymentError};
use domain::unit_of_work::UnitOfWork;
use event_store::StreamId;
use integrations::payment::{Answer, VirtualAccount};
use time::Duration;

use super::service;
use super::transaction::hash;
use crate::app::App;
use crate::error::{AppError, AppResult};
use crate::executor::{CommandContext, CommandOutcome};
use crate::reservations::TRANSACTION;

/// The command context of a gateway response, caused by the payment's newest event: the shop's request.
///
/// # Errors
/// Database errors.
pub async fn answer_to(app: &App, name: &'static str, id: PaymentId) -> AppResult<CommandContext> {
    let events = app.store.read_stream(&StreamId::of::<Payment>(id)).await?;
    let command = CommandContext::for_actor(name, service());
    Ok(match events.last() {
        Some(newest) => command.caused_by(newest),
        None => command,
    })
}

/// Records that the gateway charged a payment, see [`payments::record_charge`].
///
/// # Errors
/// Contradictions to the log: another order's transaction, another amount.
pub async fn paid(
    app: &App,
    command: &CommandContext,
    id: PaymentId,
    answer: &Answer,
) -> AppResult<CommandOutcome> {
    let tid = hash(app, &answer.tid);
    let record = |work: &mut UnitOfWork| {
        is_about(work, id, answer)?;
        if payments::record_charge(work, id, &received(answer))? {
            work.reserve(TRANSACTION, tid, id);
        }
        Ok(())
    };
    app.executor.commit(command, record).await
}

/// Records that the gateway issued a virtual account, see [`payments::record_account`].
///
/// # Errors
/// Contradictions to the log; malformed account data.
pub async fn issued(
    app: &App,
    command: &CommandContext,
    id: PaymentId,
    answer: &Answer,
) -> AppResult<CommandOutcome> {
    let tid = hash(app, &answer.tid);
    let account = account(answer).ok_or_else(|| {
        AppError::unavailable(anyhow::anyhow!("the service's account cannot be read"))
    })?;
    let longest = Duration::hours(app.settings.orders.deposit_hours.into());
    let record = |work: &mut UnitOfWork| {
        is_about(work, id, answer)?;
        let longest = work.context().now + longest;
        if payments::record_account(work, id, &received(answer), account.clone(), longest)? {
            work.reserve(TRANSACTION, tid, id);
        }
        Ok(())
    };
    app.executor.commit(command, record).await
}

/// Records a deposit, see [`payments::record_deposit`].
///
/// # Errors
/// Another transaction.
pub async fn deposited(
    app: &App,
    command: &CommandContext,
    id: PaymentId,
    answer: &Answer,
) -> AppResult<CommandOutcome> {
    let tid = hash(app, &answer.tid);
    let account = account(answer);
    let record = |work: &mut UnitOfWork| {
        is_about(work, id, answer)?;
        if payments::record_deposit(work, id, &received(answer), account.clone())? {
            work.reserve(TRANSACTION, tid, id);
        }
        Ok(())
    };
    app.executor.commit(command, record).await
}

/// Closes an account, see [`payments::close_account`].
///
/// # Errors
/// The rule violated.
pub async fn close_account(
    app: &App,
    command: &CommandContext,
    id: PaymentId,
    input: &PaymentCommand,
) -> AppResult<CommandOutcome> {
    let close = |work: &mut UnitOfWork| Ok(payments::close_account(work, id, input.clone())?);
    app.executor.commit(command, close).await
}

/// Checks that a response, however it arrived, belongs to the payment it names.
fn is_about(work: &mut UnitOfWork, id: PaymentId, answer: &Answer) -> AppResult<()> {
    let payment = work.state::<Payment>(id);
    let started = payment.started.as_ref().ok_or_else(AppError::not_found)?;
    match answer.order_id == started.gateway_order_id() {
        true => Ok(()),
        false => Err(PaymentError::OtherTransaction.into()),
    }
}

fn received(answer: &Answer) -> ReceivedPayment {
    ReceivedPayment {
        tid: answer.tid.clone(),
        amount: answer.amount,
        approve_no: answer.approve_no.clone(),
        receipt_url: answer.receipt_url.clone(),
    }
}

fn account(answer: &Answer) -> Option<domain::payment::VirtualAccount> {
    answer
        .virtual_account
        .as_ref()
        .and_then(VirtualAccount::to_domain)
}
