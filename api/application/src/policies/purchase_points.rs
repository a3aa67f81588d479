//! Grants buyers the points of the membership level they ordered with for confirmed purchases, by
//! [`domain::policies::purchase_points`].

use std::collections::BTreeMap;

use domain::Amount;
use domain::ids::MemberId;
use domain::order::{Buyer, Order, RuleVersion};
use domain::points::{self, Points, PointsCommand};
use domain::policies::purchase_points::{PointsRate, confirmed_purchase, grant, level_of};
use domain::record::{Record, RecordError};
use domain::rounding::RoundingStep;
use domain::site::{PointsRules, SiteSetting};
use event_store::{At, Store, StoreError, StoredEvent, async_trait};
use projections::orders::ComingPurchase;

use super::Policy;
use crate::app::App;
use crate::error::{AppError, AppResult};
use crate::executor::CommandContext;
use crate::pricing_rules::level_at;

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

    fn wants(&self, event: &StoredEvent) -> Result<bool, StoreError> {
        Ok(confirmed_purchase(&event.event::<Order>()?).is_some())
    }

    async fn react(&self, app: &App, event: &StoredEvent) -> AppResult<()> {
        let happened = event.event::<Order>()?;
        let Some(purchase_no) = confirmed_purchase(&happened) else {
            return Ok(());
        };
        let id = event.stream.id.parse().map_err(AppError::internal)?;
        // as the event left it: what happens later changes nothing in what it earns
        let at = At::Version(event.version);
        let order = app
            .store
            .load_at::<Order>(&event.stream.id, at)
            .await?
            .state;
        let Some(Buyer::Member { id: member }) = order.buyer() else {
            return Ok(());
        };
        let terms = order.terms().map_err(AppError::internal)?;
        let rate = rate_of(&app.store, level_of(terms), terms.step).await?;
        let confirmed = (
            points_rules_at(app, event).await?,
            event.metadata.occurred_at,
        );
        match grant((id, &order), purchase_no, rate, confirmed)? {
            Some(grant) => give(app, event, ("earning", "grant-points"), *member, grant).await,
            None => Ok(()),
        }
    }
}

/// The rules of points when an event happened.
pub(super) async fn points_rules_at(app: &App, event: &StoredEvent) -> AppResult<PointsRules> {
    Ok(setting_at(app, event)
        .await?
        .map_or_else(PointsRules::default, |setting| setting.points))
}

/// The site setting when an event happened; none if it was not written or is removed.
pub(super) async fn setting_at(app: &App, event: &StoredEvent) -> AppResult<Option<SiteSetting>> {
    let at = At::Position(event.position);
    let setting = app.store.load_at::<Record<SiteSetting>>("main", at).await?;
    match setting.state.data() {
        Ok(setting) => Ok(Some(setting)),
        Err(RecordError::NotFound) => Ok(None),
        Err(error) => Err(error.into()),
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

/// The points that purchases earn once they are confirmed.
///
/// # Errors
/// Database errors.
pub async fn expected(store: &Store, coming: &[ComingPurchase]) -> AppResult<Amount> {
    let mut levels: BTreeMap<(&str, u64), PointsRate> = BTreeMap::new();
    let mut expected = Amount::ZERO;
    for purchase in coming {
        let Some(level) = &purchase.level else {
            continue;
        };
        let key = (level.id.as_str(), level.version);
        let rate = match levels.get(&key) {
            Some(rate) => *rate,
            None => rate_of(store, Some(level), purchase.step).await?,
        };
        levels.insert(key, rate);
        let rate = PointsRate {
            step: purchase.step,
            ..rate
        };
        expected = expected.plus(rate.points(&[purchase.paid])?)?;
    }
    Ok(expected)
}

/// What an order earns that was placed with this level.
async fn rate_of(
    store: &Store,
    level: Option<&RuleVersion>,
    step: RoundingStep,
) -> AppResult<PointsRate> {
    let level = match level {
        Some(level) => level_at(store, level).await?,
        None => None,
    };
    Ok(PointsRate {
        percent: level.map_or(0, |level| level.points_percent),
        step,
    })
}
