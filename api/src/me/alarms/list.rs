//! GET /api/v1/me/alarms: what the shop told me, the newest first.

use axum::extract::State;
use projections::state::notifications::{self, Alarm, AlarmFilter};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::app::AppState;
use crate::http::{ApiResult, CurrentMember, Json, Page, Query};

/// Filters of the notification list.
#[derive(Deserialize, IntoParams)]
pub struct AlarmListQuery {
    /// Of this type, e.g. `ORDER_PAID`.
    #[serde(rename = "type")]
    kind: Option<String>,
    /// About this: `ORDER`, `DELIVERY`, `COUPON`.
    category: Option<String>,
}

/// What stands above them.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AlarmSummary {
    /// All that match, not only this page's.
    total_count: i64,
    /// How many I have not read, of all.
    unread_count: i64,
}

/// An alarm.
#[derive(Serialize, ToSchema)]
pub struct AlarmView {
    /// What it is about, as people say it.
    name: &'static str,
    /// It.
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

/// A page of alarms.
#[derive(Serialize, ToSchema)]
pub struct Alarms {
    /// How many.
    summary: AlarmSummary,
    /// They.
    alarms: Vec<AlarmView>,
}

/// My alarms.
#[utoipa::path(
    get, path = "/api/v1/me/alarms", tag = "me", operation_id = "listMyAlarms", security(("access" = [])), params(AlarmListQuery),
    responses((status = OK, body = Alarms))
)]
pub(crate) async fn list(
    State(app): State<AppState>,
    who: CurrentMember,
    Query(query): Query<AlarmListQuery>,
    page: Page,
) -> ApiResult<Json<Alarms>> {
    let filter = AlarmFilter {
        category: query.category.as_deref(),
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
