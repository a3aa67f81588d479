//! Days after which a purchase changes its status automatically, from the site setting.

use domain::record::Record;
use domain::site::{AUTO_DELIVER_DAYS, SiteSetting};

use crate::app::App;
use crate::error::AppResult;

/// Days after delivery until a purchase is confirmed automatically; without a site setting, the program's default.
///
/// # Errors
/// Database errors.
pub async fn auto_confirm_days(app: &App) -> AppResult<u32> {
    let without = app.settings.orders.auto_confirm_days;
    Ok(setting(app)
        .await?
        .map_or(without, |setting| setting.auto_confirm_days))
}

/// Days after shipping until a purchase counts as delivered.
///
/// # Errors
/// Database errors.
pub async fn auto_deliver_days(app: &App) -> AppResult<u32> {
    let setting = setting(app).await?;
    Ok(setting.map_or(AUTO_DELIVER_DAYS, |setting| setting.auto_deliver_days))
}

async fn setting(app: &App) -> AppResult<Option<SiteSetting>> {
    let record = app.store.load::<Record<SiteSetting>>("main").await?.state;
    Ok(record.data().ok())
}
