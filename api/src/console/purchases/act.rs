//! The named commands staff and sellers have for a purchase.

use domain::event::Ledger;
use domain::ids::{ClaimId, OrderId};
use domain::order::{ClaimState, Order, OrderAct};
use domain::record::Record;
use domain::site::SiteSetting;
use event_store::{Expected, StreamAppend};

use crate::app::AppState;
use crate::commands::{Change, Command, Done};
use crate::http::{ApiError, ApiResult};

/// Asks one thing of an order and appends what it answers.
///
/// # Errors
/// The rule that refused.
pub(crate) async fn act(
    app: &AppState,
    command: &Command,
    order: OrderId,
    act: OrderAct,
) -> ApiResult<Done> {
    app.commander
        .run(command, |context| {
            let act = act.clone();
            async move {
                let loaded = app.store.load::<Order>(&order.to_string()).await?;
                let events = loaded.state.decide(act, &context)?;
                let stream = (!events.is_empty())
                    .then(|| {
                        StreamAppend::new::<Order>(order, Expected::Exact(loaded.version), &events)
                    })
                    .transpose()?;
                Ok(Change::of(stream))
            }
        })
        .await
}

/// The claim on a purchase that waits for an answer, or was answered last.
///
/// # Errors
/// `not_found` if nobody claimed anything.
pub(crate) fn claim_on(order: &Order, purchase_no: &str) -> ApiResult<ClaimId> {
    let on_it = || {
        order
            .claims
            .iter()
            .rev()
            .filter(|claim| claim.purchase_nos.iter().any(|no| no == purchase_no))
    };
    let waiting = on_it().find(|claim| claim.state == ClaimState::Requested);
    waiting
        .or_else(|| on_it().next())
        .map(|claim| claim.id)
        .ok_or_else(ApiError::not_found)
}

/// Days after delivery until a purchase confirms itself: the site setting's, else the program's.
///
/// # Errors
/// The database's.
pub(crate) async fn auto_confirm_days(app: &AppState) -> ApiResult<u32> {
    let setting = app.store.load::<Record<SiteSetting>>("main").await?.state;
    Ok(setting
        .data()
        .map_or(app.settings.orders.auto_confirm_days, |setting| {
            setting.auto_confirm_days
        }))
}
