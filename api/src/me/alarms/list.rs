//! GET /api/v1/me/alarms: the member's notifications, newest first.

use axum::extract::State;
use domain::policies::notifications::{AlarmCategory, is_alarm_kind};
use domain::validation::FieldError;
use projections::state::notifications::{self, Alarm, AlarmFilter};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::app::AppState;
use crate::http::{ApiResult, AppError, Code, CurrentMember, Json, Page, Query};

/// Filters of the notification list.
#[derive(Deserialize, IntoParams)]
pub struct AlarmListQuery {
    /// Only this type, e.g. `ORDER_PAID`.
    #[serde(rename = "type")]
    kind: Option<String>,
    /// Only this category.
    #[param(inline)]
    category: Option<AlarmCategory>,
}

/// Summary of the notifications.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AlarmSummary {
    /// Number of all matching notifications, not only of this page.
    total_count: i64,
    /// Number of all unread notifications.
    unread_count: i64,
}

/// A notification.
#[derive(Serialize, ToSchema)]
pub struct AlarmView {
    /// Korean name of its type.
    name: &'static str,
    /// The notification.
    #[serde(flatten)]
    alarm: Alarm,
}

impl From<Alarm> for AlarmView {
    fn from(alarm: Alarm) -> Self {
        Self {
            name: alarm.category.name(),
            alarm,
        }
    }
}

/// A page of notifications.
#[derive(Serialize, ToSchema)]
pub struct Alarms {
    /// Summary.
    summary: AlarmSummary,
    /// The notifications of the page.
    alarms: Vec<AlarmView>,
}

/// The member's notifications.
#[utoipa::path(
    get, path = "/api/v1/me/alarms", tag = "me", operation_id = "listMyAlarms", security(("access" = [])), params(AlarmListQuery),
    responses(
        (status = OK, body = Alarms),
        (status = BAD_REQUEST, description = "invalid_query: `unknown_type` of `type`")
    )
)]
pub(crate) async fn list(
    State(app): State<AppState>,
    who: CurrentMember,
    Query(query): Query<AlarmListQuery>,
    page: Page,
) -> ApiResult<Json<Alarms>> {
    let unknown = query.kind.as_deref().filter(|kind| !is_alarm_kind(kind));
    if unknown.is_some() {
        let complaint = FieldError::new("type", "unknown_type", "알 수 없는 알림 종류입니다.");
        return Err(AppError::new(Code::InvalidQuery)
            .with_fields(vec![complaint])
            .into());
    }
    let filter = AlarmFilter {
        category: query.category.map(AlarmCategory::as_str),
        kind: query.kind.as_deref(),
    };
    let listed = notifications::list(app.pool(), who.member(), filter, page.into()).await?;
    Ok(Json(Alarms {
        summary: AlarmSummary {
            total_count: listed.total_count,
            unread_count: notifications::unread(app.pool(), who.member()).await?,
        },
        alarms: listed.rows.into_iter().map(Into::into).collect(),
    }))
}
