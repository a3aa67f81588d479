//! PUT /api/v1/me: the member's notification settings (spec V207).

use axum::extract::State;
use domain::forms::{FormErrors, Validate};
use domain::policies::notifications::AlarmCategory;
use projections::state::notifications::{self, AlarmSettings};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::app::AppState;
use crate::http::{ApiResult, CurrentMember, Json, ValidJson};
use crate::me::info::MeAnswer;

/// Changes of the notification settings.
#[derive(Deserialize, ToSchema)]
pub struct MySettings {
    /// The notification settings.
    noti: MyNoti,
}

/// The settings to change; missing ones stay unchanged.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MyNoti {
    /// Whether notifications are shown at all.
    is_show: Option<bool>,
    /// Categories that are switched off.
    disabled_categories: Option<Vec<AlarmCategory>>,
}

impl Validate for MySettings {
    fn check(&self, checks: &mut FormErrors) {
        let disabled = self.noti.disabled_categories.as_ref();
        checks.when(
            disabled.is_none_or(|disabled| disabled.len() <= AlarmCategory::ALL.len()),
            "noti.disabledCategories",
            "too_many",
            "알림 종류를 다시 선택해 주세요.",
        );
    }
}

/// Change the notification settings.
#[utoipa::path(
    put, path = "/api/v1/me", tag = "me", operation_id = "setMyNoti", security(("access" = [])), request_body = MySettings,
    responses((status = OK, body = MeAnswer))
)]
pub(crate) async fn set(
    State(app): State<AppState>,
    who: CurrentMember,
    ValidJson { body, .. }: ValidJson<MySettings>,
) -> ApiResult<Json<MeAnswer>> {
    let before = notifications::settings(app.pool(), who.member()).await?;
    let settings = AlarmSettings {
        is_show: body.noti.is_show.unwrap_or(before.is_show),
        disabled_categories: body
            .noti
            .disabled_categories
            .unwrap_or(before.disabled_categories),
    };
    notifications::set(app.pool(), who.member(), &settings).await?;
    Ok(Json(MeAnswer::of(&app, who.member()).await?))
}
