//! GET /api/v1/me/points: what my points are worth, and how they came and went.

use application::policies::purchase_points;
use axum::extract::State;
use domain::Amount;
use projections::points_statement::PointEntry;
use projections::{orders, points_statement};
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::AppState;
use crate::http::{ApiResponse, ApiResult, ConsistencyToken, CurrentMember, Page};

/// My points.
#[derive(Serialize, ToSchema)]
pub struct MyPoints {
    /// What they are worth.
    summary: Worth,
    /// How they came and went, newest first.
    points: Vec<PointEntry>,
}

/// What points are worth.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Worth {
    /// Movements in all.
    total_count: i64,
    /// Can be used now, hundredths.
    available: Amount,
    /// The part of it that expires within 30 days, hundredths.
    expiring_soon: Amount,
    /// What the purchases on their way will earn once they are confirmed, by the membership level they were ordered with, hundredths.
    expected: Amount,
}

/// My points.
#[utoipa::path(get, path = "/api/v1/me/points", tag = "me", operation_id = "listMyPoints", params(Page), security(("access" = [])), responses((status = OK, body = MyPoints)))]
pub(crate) async fn list(
    State(app): State<AppState>,
    who: CurrentMember,
    page: Page,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<MyPoints>> {
    let fresh = wait
        .until(&app, &[points_statement::NAME, orders::NAME])
        .await?;
    let coming = orders::to_be_confirmed(app.pool(), who.member()).await?;
    let expected = purchase_points::expected(&app.store, &coming).await?;
    let worth = points_statement::points_summary(app.pool(), who.member(), app.clock.now()).await?;
    let listed = points_statement::point_entries(app.pool(), who.member(), page.into()).await?;
    let summary = Worth {
        total_count: listed.total_count,
        available: worth.available,
        expiring_soon: worth.expiring_soon,
        expected,
    };
    Ok(fresh.answer(MyPoints {
        summary,
        points: listed.rows,
    }))
}
