//! Who left is let go of, even if the program died while they left; and their orders' records when the law is done with them.

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
use crate::executor::{AppendBatch, CommandContext, decide};
use crate::forgetting;
use crate::http::consistency::know_by_now;
use crate::http::{ApiError, ApiResult};
use crate::plugins::pay::attempts::payment_id;

/// The policy.
pub struct Forgetting;

#[async_trait]
impl Policy for Forgetting {
    fn name(&self) -> &'static str {
        "policy_forgetting"
    }

    fn create_sql(&self) -> &'static str {
        event_store::refusals_table!("policy_forgetting")
    }

    fn kinds(&self) -> &'static [&'static str] {
        &["member", "order"]
    }

    async fn react(&self, app: &AppState, event: &StoredEvent) -> ApiResult<()> {
        if event.stream.kind == "order" {
            return match event.event::<Order>()? {
                OrderEvent::GuestRecordsErased {} => {
                    let order = event.stream.id.parse().map_err(ApiError::internal)?;
                    forgetting::erase_guest(app, order).await
                }
                _ => Ok(()),
            };
        }
        let member: MemberId = event.stream.id.parse().map_err(ApiError::internal)?;
        match event.event::<Member>()? {
            MemberEvent::MemberLeft { .. } => forgetting::let_go(app, member).await,
            MemberEvent::StatutoryDataErased {} => forgetting::erase(app, member).await,
            _ => Ok(()),
        }
    }
}

/// The deadline of a member's records: five years after the last thing that happened to an order of theirs or its payments, before
/// they left or after.
pub struct StatutoryPeriod;

#[async_trait]
impl Deadline for StatutoryPeriod {
    fn kind(&self) -> DeadlineKind {
        DeadlineKind::StatutoryPeriod
    }

    async fn fire(&self, app: &AppState, due: &DeadlineRow) -> ApiResult<()> {
        let member: MemberId = due.stream.parse().map_err(ApiError::internal)?;
        let command =
            CommandContext::once("erase-statutory-data", "statutory-period", due.id.clone())
                .caused_by(&set_by(app, due).await?);
        // who left orders nothing more, so once these are there they are all
        know_by_now(app, &[orders::NAME]).await?;
        let theirs = &erasure::orders_of(app.pool(), member).await?;
        app.executor
            .transact(&command, |context| async move {
                let loaded = app.store.load::<Member>(&due.stream).await?;
                let dealings = dealings(app, theirs).await?;
                let act = MemberCommand::EraseStatutoryData {
                    last: dealings.last,
                };
                let change = AppendBatch::of([decide(&due.stream, &loaded, act, &context)?]);
                Ok(dealings.while_nothing_happens(change))
            })
            .await?;
        forgetting::erase(app, member).await
    }
}

/// The deadline of a guest's: five years after the last thing that happened to their order or its payments.
pub struct GuestStatutoryPeriod;

#[async_trait]
impl Deadline for GuestStatutoryPeriod {
    fn kind(&self) -> DeadlineKind {
        DeadlineKind::GuestStatutoryPeriod
    }

    async fn fire(&self, app: &AppState, due: &DeadlineRow) -> ApiResult<()> {
        let order: OrderId = due.stream.parse().map_err(ApiError::internal)?;
        let name = "erase-guest-records";
        let command = CommandContext::once(name, "guest-statutory-period", due.id.clone())
            .caused_by(&set_by(app, due).await?);
        app.executor
            .transact(&command, |context| async move {
                let loaded = app.store.load::<Order>(&due.stream).await?;
                let mut dealings = dealings(app, &[order]).await?;
                // the version this append expects of it anyway
                dealings.ends.retain(|(ledger, _)| ledger.id != due.stream);
                let act = OrderCommand::EraseGuestRecords {
                    last: dealings.last.unwrap_or(context.now),
                };
                let change = AppendBatch::of([decide(order, &loaded, act, &context)?]);
                Ok(dealings.while_nothing_happens(change))
            })
            .await?;
        forgetting::erase_guest(app, order).await
    }
}

/// What an erasure is decided on: all that happened to somebody's orders, and that nothing more does while it is decided.
#[derive(Default)]
struct Dealings {
    last: Option<OffsetDateTime>,
    /// The orders, their payments, and of each the next one, which has not begun; and where they end.
    ends: Vec<(StreamId, u64)>,
}

impl Dealings {
    fn while_nothing_happens(self, change: AppendBatch) -> AppendBatch {
        let ends = self.ends.into_iter();
        ends.fold(change, |change, (ledger, version)| {
            change.require(ledger, version)
        })
    }

    /// Answers whether anything ever happened to it.
    async fn with(&mut self, app: &AppState, ledger: StreamId) -> ApiResult<bool> {
        let told = app.store.read_stream(&ledger).await?;
        let latest = told.iter().map(|event| event.metadata.occurred_at).max();
        self.last = self.last.max(latest);
        let version = told.last().map_or(0, |event| event.version);
        self.ends.push((ledger, version));
        Ok(version > 0)
    }
}

async fn dealings(app: &AppState, orders: &[OrderId]) -> ApiResult<Dealings> {
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
