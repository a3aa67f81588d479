//! What the commands staff and sellers have for a purchase need to know.

use domain::record::Record;
use domain::site::SiteSetting;

use crate::app::AppState;
use crate::http::AppResult;

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
