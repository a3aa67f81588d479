//! Completes erasures after an account was closed, even if the process crashed meanwhile; erases order records when their retention
//! period ends. The decisions are in [`domain::policies::erasure`].

use domain::center::{Contact, Inquiry};
use domain::checkout::payments::payment_id;
use domain::checkout::user_payments;
use domain::ids::{MemberId, OrderId, PaymentId};
use domain::member::Member;
use domain::order::Order;
use domain::payment::Payment;
use domain::policies::erasure::{self as rules, Erasure as Due, OrderHistory};
use domain::record::Record;
use domain::unit_of_work::UnitOfWork;
use event_store::{StoreError, StoredEvent, StreamId, async_trait};
use projections::deadlines::{DeadlineKind, DeadlineRow};
use projections::orders;
use projections::state::erasure;

use super::Policy;
use super::deadlines::{Deadline, set_by};
use crate::app::App;
use crate::error::{AppError, AppResult};
use crate::executor::CommandContext;
use crate::member_records;
use crate::members::closing;

/// Completes erasures of closed accounts.
pub struct Erasure;

#[async_trait]
impl Policy for Erasure {
    fn name(&self) -> &'static str {
        "policy_forgetting"
    }

    fn create_sql(&self) -> &'static str {
        event_store::refusals_table!("policy_forgetting")
    }

    fn kinds(&self) -> &'static [&'static str] {
        &["member", "order", "contact", "inquiry"]
    }

    fn wants(&self, event: &StoredEvent) -> Result<bool, StoreError> {
        Ok(due_after(event)?.is_some())
    }

    async fn react(&self, app: &App, event: &StoredEvent) -> AppResult<()> {
        let due = due_after(event)?;
        let subject = event.stream.id.parse().map_err(AppError::internal)?;
        match due {
            Some(Due::Account) => {
                closing::complete(app, MemberId(subject)).await?;
                member_records::forget_member::<Contact>(app, MemberId(subject)).await?;
                member_records::forget_member::<Inquiry>(app, MemberId(subject)).await
            }
            Some(Due::MemberRecords) => closing::erase_records(app, MemberId(subject)).await,
            Some(Due::GuestRecords) => closing::erase_guest_records(app, OrderId(subject)).await,
            Some(Due::Contact | Due::Inquiry) => member_records::forget(app, subject).await,
            None => Ok(()),
        }
    }
}

/// Deadline of a member's order records: five years after the last event of their orders or payments, before or after leaving.
pub struct StatutoryPeriod;

#[async_trait]
impl Deadline for StatutoryPeriod {
    fn kind(&self) -> DeadlineKind {
        DeadlineKind::StatutoryPeriod
    }

    async fn fire(&self, app: &App, due: &DeadlineRow) -> AppResult<()> {
        let member: MemberId = due.stream.parse().map_err(AppError::internal)?;
        let command =
            CommandContext::once("erase-statutory-data", "statutory-period", due.id.clone())
                .caused_by(&set_by(app, due).await?);
        // A closed account places no more orders, so once these are in the read model they are complete.
        app.wait_until_current(&[orders::NAME]).await?;
        let orders = erasure::orders_of(app.pool(), member).await?;
        let history = history(app, &orders).await?;
        let erase =
            |work: &mut UnitOfWork| Ok(rules::erase_member_records(work, member, &history)?);
        app.executor.commit(&command, erase).await?;
        closing::erase_records(app, member).await
    }
}

/// Deadline of a guest's order records: five years after the last event of the order or its payments.
pub struct GuestStatutoryPeriod;

#[async_trait]
impl Deadline for GuestStatutoryPeriod {
    fn kind(&self) -> DeadlineKind {
        DeadlineKind::GuestStatutoryPeriod
    }

    async fn fire(&self, app: &App, due: &DeadlineRow) -> AppResult<()> {
        let order: OrderId = due.stream.parse().map_err(AppError::internal)?;
        let name = "erase-guest-records";
        let command = CommandContext::once(name, "guest-statutory-period", due.id.clone())
            .caused_by(&set_by(app, due).await?);
        let history = history(app, &[order]).await?;
        let erase = |work: &mut UnitOfWork| Ok(rules::erase_guest_records(work, order, &history)?);
        app.executor.commit(&command, erase).await?;
        closing::erase_guest_records(app, order).await
    }
}

/// Deadline of a contact: three years after it was made it is removed, and its key destroyed.
pub struct ContactPeriod;

#[async_trait]
impl Deadline for ContactPeriod {
    fn kind(&self) -> DeadlineKind {
        DeadlineKind::ContactPeriod
    }

    async fn fire(&self, app: &App, due: &DeadlineRow) -> AppResult<()> {
        let contact = due.stream.parse().map_err(AppError::internal)?;
        let command = CommandContext::once("expire-contact", "contact-period", due.id.clone())
            .caused_by(&set_by(app, due).await?);
        member_records::expire::<Contact>(app, &command, contact).await
    }
}

/// Deadline of an inquiry: as of a contact.
pub struct InquiryPeriod;

#[async_trait]
impl Deadline for InquiryPeriod {
    fn kind(&self) -> DeadlineKind {
        DeadlineKind::InquiryPeriod
    }

    async fn fire(&self, app: &App, due: &DeadlineRow) -> AppResult<()> {
        let inquiry = due.stream.parse().map_err(AppError::internal)?;
        let command = CommandContext::once("expire-inquiry", "inquiry-period", due.id.clone())
            .caused_by(&set_by(app, due).await?);
        member_records::expire::<Inquiry>(app, &command, inquiry).await
    }
}

/// All events of orders and their payments, read for their times.
async fn history(app: &App, orders: &[OrderId]) -> AppResult<OrderHistory> {
    let mut history = OrderHistory::default();
    for order in orders {
        let version = read(app, StreamId::of::<Order>(order), &mut history).await?;
        history.orders.push((*order, version));
        read_attempts(app, |attempt| payment_id(*order, attempt), &mut history).await?;
        let state = app.store.load::<Order>(&order.to_string()).await?.state;
        for asked in user_payments::of_order(&state) {
            let payment = |attempt| user_payments::payment_id(asked, attempt);
            read_attempts(app, payment, &mut history).await?;
        }
    }
    Ok(history)
}

/// Reads payments up to the first that was not started.
async fn read_attempts(
    app: &App,
    id: impl Fn(u32) -> PaymentId,
    history: &mut OrderHistory,
) -> AppResult<()> {
    for attempt in 1.. {
        let payment = id(attempt);
        let version = read(app, StreamId::of::<Payment>(payment), history).await?;
        history.payments.push((payment, version));
        if version == 0 {
            break;
        }
    }
    Ok(())
}

/// Reads a stream and returns its version.
async fn read(app: &App, stream: StreamId, history: &mut OrderHistory) -> AppResult<u64> {
    let events = app.store.read_stream(&stream).await?;
    let latest = events.iter().map(|event| event.metadata.occurred_at).max();
    history.last = history.last.max(latest);
    Ok(events.last().map_or(0, |event| event.version))
}

/// What has to be erased after an event.
fn due_after(event: &StoredEvent) -> Result<Option<Due>, StoreError> {
    Ok(match event.stream.kind.as_str() {
        "order" => rules::after_order_event(&event.event::<Order>()?),
        "contact" => rules::after_record_event(&event.event::<Record<Contact>>()?, Due::Contact),
        "inquiry" => rules::after_record_event(&event.event::<Record<Inquiry>>()?, Due::Inquiry),
        _ => rules::after_member_event(&event.event::<Member>()?),
    })
}
