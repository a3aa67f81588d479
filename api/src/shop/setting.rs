//! GET /api/v1/setting: what the site says about itself.

use axum::extract::State;
use domain::site::SiteSetting;
use projections::orders::{COURIERS, Courier};
use projections::records;
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::AppState;
use crate::http::{Answer, ApiResult, Wait};

/// The site.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SettingAnswer {
    /// Its setting; none before it is set up.
    setting: Option<SiteSetting>,
    /// Accounts to try the shop with, in a demonstration only.
    demo_accounts: Vec<DemoAccount>,
    /// Couriers a parcel can go with.
    couriers: Vec<Courier>,
}

/// An account to try the shop with.
#[derive(Serialize, ToSchema)]
pub struct DemoAccount {
    /// Sign-in name.
    username: String,
    /// Password.
    password: String,
    /// What it may do.
    role: String,
}

/// The site.
#[utoipa::path(get, path = "/api/v1/setting", tag = "shop", operation_id = "showSetting", responses((status = OK, body = SettingAnswer)))]
pub async fn show(State(app): State<AppState>, wait: Wait) -> ApiResult<Answer<SettingAnswer>> {
    let fresh = wait.until(&app, &[records::NAME]).await?;
    let setting = records::site_setting(app.pool()).await?.map(|found| found.data);
    Ok(fresh.answer(SettingAnswer { setting, demo_accounts: Vec::new(), couriers: COURIERS.to_vec() }))
}
