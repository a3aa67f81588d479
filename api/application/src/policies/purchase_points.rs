//! Grants buyers the points of their membership level for confirmed purchases, by [`domain::policies::purchase_points`].

use domain::Amount;
use domain::ids::MemberId;
use domain::member::Member;
use domain::order::{Buyer, Order};
use domain::points::{self, Points, PointsCommand};
use domain::policies::purchase_points::{PointsRate, confirmed_purchase, grant};
use event_store::{StoredEvent, async_trait};

use super::Policy;
use crate::app::App;
use crate::error::{AppError, AppResult};
use crate::executor::CommandContext;

/// Grants points for confirmed purchases.
pub struct PurchasePoints;

#[async_trait]
impl Policy for PurchasePoints {
    fn name(&self) -> &'static str {
        "policy_earning"
    }

    fn create_sql(&self) -> &'static str {
        event_store::refusals_table!("policy_earning")
    }

    fn kinds(&self) -> &'static [&'static str] {
        &["order"]
    }

    async fn react(&self, app: &App, event: &StoredEvent) -> AppResult<()> {
        let happened = event.event::<Order>()?;
        let Some(purchase_no) = confirmed_purchase(&happened) else {
            return Ok(());
        };
        let id = event.stream.id.parse().map_err(AppError::internal)?;
        let order = app.store.load::<Order>(&event.stream.id).await?.state;
        let Some(Buyer::Member { id: member }) = order.buyer() else {
            return Ok(());
        };
        let rate = rate_of(app, *member).await?;
        let confirmed_at = event.metadata.occurred_at;
        match grant((id, &order), purchase_no, rate, confirmed_at)? {
            Some(grant) => give(app, event, ("earning", "grant-points"), *member, grant).await,
            None => Ok(()),
        }
    }
}

/// Grants points for an event: once, however often the event is processed.
pub(super) async fn give(
    app: &App,
    event: &StoredEvent,
    (policy, command): (&'static str, &'static str),
    member: MemberId,
    grant: PointsCommand,
) -> AppResult<()> {
    let id = points::stream_id(member);
    let command = CommandContext::for_policy(command, policy, event);
    app.executor.execute::<Points>(&command, id, grant).await?;
    Ok(())
}

/// The points that purchases would earn a member if they were confirmed now; of them these amounts were paid.
///
/// # Errors
/// Database errors.
pub async fn expected(app: &App, member: MemberId, paid: &[Amount]) -> AppResult<Amount> {
    Ok(rate_of(app, member).await?.points(paid)?)
}

async fn rate_of(app: &App, member: MemberId) -> AppResult<PointsRate> {
    let member = app.store.load::<Member>(&member.to_string()).await?.state;
    let rules = app.pricing_rules.rules(&app.store, &[]).await?;
    Ok(PointsRate {
        percent: rules
            .level_of(&member)
            .map_or(0, |(_, level)| level.data.points_percent),
        step: rules.step(),
    })
}
