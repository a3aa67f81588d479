//! Completes erasures after an account was closed, even if the process crashed meanwhile; erases order records when their retention
//! period ends.

use domain::ids::{MemberId, OrderId};
use domain::member::{Member, MemberCommand, MemberEvent};
use domain::order::{Order, OrderCommand, OrderEvent};
use domain::payment::Payment;
use event_store::{StoredEvent, StreamId, async_trait};
use projections::deadlines::{DeadlineKind, DeadlineRow};
use projections::orders;
use projections::state::erasure;
use time::OffsetDateTime;

use super::Policy;
use super::deadlines::{Deadline, set_by};
use crate::app::AppState;
use crate::http::{AppError, AppResult};
use application::executor::{AppendBatch, CommandContext, decide};
use application::members::closing;
use domain::checkout::payments::payment_id;

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
        &["member", "order"]
    }

    async fn react(&self, app: &AppState, event: &StoredEvent) -> AppResult<()> {
        if event.stream.kind == "order" {
            return match event.event::<Order>()? {
                OrderEvent::GuestRecordsErased {} => {
                    let order = event.stream.id.parse().map_err(AppError::internal)?;
                    closing::erase_guest_records(app, order).await
                }
                _ => Ok(()),
            };
        }
        let member: MemberId = event.stream.id.parse().map_err(AppError::internal)?;
        match event.event::<Member>()? {
            MemberEvent::MemberLeft { .. } => closing::complete(app, member).await,
            MemberEvent::StatutoryDataErased {} => closing::erase_records(app, member).await,
            _ => Ok(()),
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

    async fn fire(&self, app: &AppState, due: &DeadlineRow) -> AppResult<()> {
        let member: MemberId = due.stream.parse().map_err(AppError::internal)?;
        let command =
            CommandContext::once("erase-statutory-data", "statutory-period", due.id.clone())
                .caused_by(&set_by(app, due).await?);
        // A closed account places no more orders, so once these are in the read model they are complete.
        app.wait_until_current(&[orders::NAME]).await?;
        let theirs = &erasure::orders_of(app.pool(), member).await?;
        app.executor
            .transact(&command, |context| async move {
                let loaded = app.store.load::<Member>(&due.stream).await?;
                let dealings = dealings(app, theirs).await?;
                let input = MemberCommand::EraseStatutoryData {
                    last: dealings.last,
                };
                let batch = AppendBatch::of([decide(&due.stream, &loaded, input, &context)?]);
                Ok(dealings.while_nothing_happens(batch))
            })
            .await?;
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

    async fn fire(&self, app: &AppState, due: &DeadlineRow) -> AppResult<()> {
        let order: OrderId = due.stream.parse().map_err(AppError::internal)?;
        let name = "erase-guest-records";
        let command = CommandContext::once(name, "guest-statutory-period", due.id.clone())
            .caused_by(&set_by(app, due).await?);
        app.executor
            .transact(&command, |context| async move {
                let loaded = app.store.load::<Order>(&due.stream).await?;
                let mut dealings = dealings(app, &[order]).await?;
                // This append expects that version of the stream anyway.
                dealings.ends.retain(|(stream, _)| stream.id != due.stream);
                let input = OrderCommand::EraseGuestRecords {
                    last: dealings.last.unwrap_or(context.now),
                };
                let batch = AppendBatch::of([decide(order, &loaded, input, &context)?]);
                Ok(dealings.while_nothing_happens(batch))
            })
            .await?;
        closing::erase_guest_records(app, order).await
    }
}

/// The basis of an erasure: all events of the orders and payments, with conditions that exclude concurrent ones.
#[derive(Default)]
struct Dealings {
    last: Option<OffsetDateTime>,
    /// The orders, their payments, and for each order the next payment, which does not exist; with their versions.
    ends: Vec<(StreamId, u64)>,
}

impl Dealings {
    fn while_nothing_happens(self, batch: AppendBatch) -> AppendBatch {
        let ends = self.ends.into_iter();
        ends.fold(batch, |batch, (stream, version)| {
            batch.require(stream, version)
        })
    }

    /// Adds a stream; returns whether it has events.
    async fn with(&mut self, app: &AppState, stream: StreamId) -> AppResult<bool> {
        let events = app.store.read_stream(&stream).await?;
        let latest = events.iter().map(|event| event.metadata.occurred_at).max();
        self.last = self.last.max(latest);
        let version = events.last().map_or(0, |event| event.version);
        self.ends.push((stream, version));
        Ok(version > 0)
    }
}

async fn dealings(app: &AppState, orders: &[OrderId]) -> AppResult<Dealings> {
    let mut dealings = Dealings::default();
    for order in orders {
        dealings.with(app, StreamId::of::<Order>(order)).await?;
        for attempt in 1.. {
            let payment = StreamId::of::<Payment>(payment_id(*order, attempt));
            if !dealings.with(app, payment).await? {
                break;
            }
        }
    }
    Ok(dealings)
}
