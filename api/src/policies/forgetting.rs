//! Who left is let go of, even if the program died while they left; and their orders' records when the law is done with them.

use domain::Ledger;
use domain::ids::MemberId;
use domain::member::{Member, MemberAct, MemberEvent};
use domain::order::{Order, OrderAct, OrderEvent};
use event_store::{Expected, Recorded, StreamAppend, async_trait};
use projections::deadlines::{DeadlineKind, DeadlineRow};

use super::Policy;
use super::deadlines::{Deadline, set_by};
use crate::app::AppState;
use crate::commands::{Change, Command};
use crate::forgetting;
use crate::http::{ApiError, ApiResult};

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

/// The deadline of a guest's: five years after the last thing that happened to their order.
pub struct GuestStatutoryPeriod;

#[async_trait]
impl Deadline for GuestStatutoryPeriod {
    fn kind(&self) -> DeadlineKind {
        DeadlineKind::GuestStatutoryPeriod
    }

    async fn fire(&self, app: &AppState, due: &DeadlineRow) -> ApiResult<()> {
        let set_by = set_by(app, due).await?;
        let last = set_by.metadata.occurred_at;
        let name = "erase-guest-records";
        let command =
            Command::once(name, "guest-statutory-period", due.id.clone()).following(&set_by);
        app.commander
            .run(&command, |context| async move {
                let loaded = app.store.load::<Order>(&due.stream).await?;
                let act = OrderAct::EraseGuestRecords { last };
                let events = loaded.state.decide(act, &context)?;
                Ok(Change::of([StreamAppend::new::<Order>(
                    &due.stream,
                    Expected::Exact(loaded.version),
                    &events,
                )?]))
            })
            .await?;
        let order = due.stream.parse().map_err(ApiError::internal)?;
        forgetting::erase_guest(app, order).await
    }
}
