//! What the commands staff and sellers have for a purchase need to know.

use domain::ids::ClaimId;
use domain::order::{ClaimState, Order};
use domain::record::Record;
use domain::site::SiteSetting;

use crate::app::AppState;
use crate::http::{AppError, AppResult};

/// The claim on a purchase that waits for an answer, or was answered last.
///
/// # Errors
/// `not_found` if nobody claimed anything.
pub(crate) fn claim_on(order: &Order, purchase_no: &str) -> AppResult<ClaimId> {
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
        .ok_or_else(AppError::not_found)
}

/// Days after delivery until a purchase confirms itself: the site setting's, else the program's.
///
/// # Errors
/// The database's.
pub(crate) async fn auto_confirm_days(app: &AppState) -> AppResult<u32> {
    let setting = app.store.load::<Record<SiteSetting>>("main").await?.state;
    Ok(setting
        .data()
        .map_or(app.settings.orders.auto_confirm_days, |setting| {
            setting.auto_confirm_days
        }))
}
