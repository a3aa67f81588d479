//! GET /api/v1/setting: the public site setting.

use axum::extract::State;
use demo::people::{ACCOUNTS, DemoAccount};
use domain::site::SiteSetting;
use projections::orders::{COURIERS, Courier};
use projections::{records, state};
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::AppState;
use crate::http::{ApiResponse, ApiResult, ConsistencyToken};

/// The site setting.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SettingAnswer {
    /// The setting; null before it is set up.
    setting: Option<SiteSetting>,
    /// Demo accounts, in a demonstration only.
    demo_accounts: Vec<DemoAccount>,
    /// Couriers supported by the shop.
    couriers: Vec<Courier>,
}

/// The site setting.
#[utoipa::path(get, path = "/api/v1/setting", tag = "shop", operation_id = "showSetting", responses((status = OK, body = SettingAnswer)))]
pub(crate) async fn show(
    State(app): State<AppState>,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<SettingAnswer>> {
    let fresh = wait.until(&app, &[records::NAME]).await?;
    let setting = records::site_setting(app.pool())
        .await?
        .map(|found| found.data);
    let demo_accounts = if state::demo::is_one(app.pool()).await? {
        ACCOUNTS.to_vec()
    } else {
        Vec::new()
    };
    Ok(fresh.answer(SettingAnswer {
        setting,
        demo_accounts,
        couriers: COURIERS.to_vec(),
    }))
}
