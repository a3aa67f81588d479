//! Who left is let go of, even if the program died while they left; and their orders' records when the law is done with them.

use domain::Ledger;
use domain::ids::{MemberId, OrderId};
use domain::member::{Member, MemberAct, MemberEvent};
use domain::order::{Order, OrderAct, OrderEvent};
use domain::payment::Payment;
use event_store::{Expected, Recorded, StreamAppend, StreamId, async_trait};
use projections::deadlines::{DeadlineKind, DeadlineRow};
use time::OffsetDateTime;

use super::Policy;
use super::deadlines::{Deadline, set_by};
use crate::app::AppState;
use crate::commands::{Change, Command};
use crate::forgetting;
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

    async fn react(&self, app: &AppState, event: &Recorded) -> ApiResult<()> {
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

/// The deadline of a member's records.
pub struct StatutoryPeriod;

#[async_trait]
impl Deadline for StatutoryPeriod {
    fn kind(&self) -> DeadlineKind {
        DeadlineKind::StatutoryPeriod
    }

    async fn fire(&self, app: &AppState, due: &DeadlineRow) -> ApiResult<()> {
        let command = Command::once("erase-statutory-data", "statutory-period", due.id.clone())
            .following(&set_by(app, due).await?);
        app.commander
            .run(&command, |context| async move {
                let loaded = app.store.load::<Member>(&due.stream).await?;
                let events = loaded
                    .state
                    .decide(MemberAct::EraseStatutoryData, &context)?;
                Ok(Change::of([StreamAppend::new::<Member>(
                    &due.stream,
                    Expected::Exact(loaded.version),
                    &events,
                )?]))
            })
            .await?;
        let member: MemberId = due.stream.parse().map_err(ApiError::internal)?;
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
        let command = Command::once(name, "guest-statutory-period", due.id.clone())
            .following(&set_by(app, due).await?);
        app.commander
            .run(&command, |context| async move {
                let loaded = app.store.load::<Order>(&due.stream).await?;
                let dealings = dealings(app, order).await?;
                let act = OrderAct::EraseGuestRecords {
                    last: dealings.last.unwrap_or(context.now),
                };
                let events = loaded.state.decide(act, &context)?;
                let mut change = Change::of([StreamAppend::new::<Order>(
                    order,
                    Expected::Exact(loaded.version),
                    &events,
                )?]);
                for (payment, version) in dealings.payments {
                    change = change.provided(payment, version);
                }
                Ok(change)
            })
            .await?;
        forgetting::erase_guest(app, order).await
    }
}

/// What an order's erasure is decided on: all that happened to it, and that nothing more does while it is decided.
struct OrderDealings {
    last: Option<OffsetDateTime>,
    /// Its payments and where they end, and the next one, which has not begun.
    payments: Vec<(StreamId, u64)>,
}

async fn dealings(app: &AppState, order: OrderId) -> ApiResult<OrderDealings> {
    let told = app.store.read_stream(&StreamId::of::<Order>(order)).await?;
    let mut dealings = OrderDealings {
        last: told.iter().map(|event| event.metadata.occurred_at).max(),
        payments: Vec::new(),
    };
    for attempt in 1.. {
        let payment = StreamId::of::<Payment>(payment_id(order, attempt));
        let told = app.store.read_stream(&payment).await?;
        let version = told.last().map_or(0, |event| event.version);
        dealings.payments.push((payment, version));
        if told.is_empty() {
            break;
        }
        let latest = told.iter().map(|event| event.metadata.occurred_at).max();
        dealings.last = dealings.last.max(latest);
    }
    Ok(dealings)
}
