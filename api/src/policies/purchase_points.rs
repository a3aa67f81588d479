//! Grants buyers the points of their membership level for confirmed purchases.

use domain::Amount;
use domain::ids::{LotId, MemberId};
use domain::member::Member;
use domain::order::{Buyer, Order, OrderEvent};
use domain::points::{self, Points, PointsCommand};
use event_store::{StoredEvent, async_trait};
use time::Duration;

use super::Policy;
use crate::app::AppState;
use crate::http::{AppError, AppResult};
use application::executor::CommandContext;
use domain::ids::derived_id;

/// Lifetime of granted points.
pub(super) const POINTS_LIFE: Duration = Duration::days(365);

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

    async fn react(&self, app: &AppState, event: &StoredEvent) -> AppResult<()> {
        let OrderEvent::PurchaseCompleted { purchase_no, .. } = event.event::<Order>()? else {
            return Ok(());
        };
        let order = app.store.load::<Order>(&event.stream.id).await?.state;
        let (Some(Buyer::Member { id: member }), Some(terms)) =
            (order.buyer(), order.purchase_terms(&purchase_no))
        else {
            return Ok(());
        };
        let amount = earned(app, *member, &[terms.paid]).await?;
        if amount <= Amount::ZERO {
            return Ok(());
        }
        let grant = PointsCommand::Grant {
            member: *member,
            lot: lot_of("earned", &purchase_no),
            amount,
            reason: "구매확정 적립".to_owned(),
            order: event.stream.id.parse().ok(),
            expires_at: event.metadata.occurred_at + POINTS_LIFE,
        };
        give(app, event, ("earning", "grant-points"), *member, grant).await
    }
}

/// Grants points for an event: once, however often the event is processed.
pub(super) async fn give(
    app: &AppState,
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

/// The level's whole percent of the amount paid for each purchase, rounded down to a step, so that points never exceed the
/// percentage.
///
/// # Errors
/// Database errors.
pub(crate) async fn earned(app: &AppState, member: MemberId, paid: &[Amount]) -> AppResult<Amount> {
    let member = app.store.load::<Member>(&member.to_string()).await?.state;
    let rules = app.pricing_rules.rules(&app.store, &[]).await?;
    let percent = rules
        .level_of(&member)
        .map_or(0, |(_, level)| level.data.points_percent);
    let each = paid
        .iter()
        .map(|paid| rules.step().percent_down(*paid, percent))
        .collect::<Result<Vec<_>, _>>();
    each.and_then(Amount::total).map_err(AppError::internal)
}

/// The lot id of a purchase and reason, which makes grants idempotent.
pub(super) fn lot_of(why: &str, purchase_no: &str) -> LotId {
    LotId(derived_id(&format!("{why} {purchase_no}")))
}
