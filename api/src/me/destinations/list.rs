//! GET /api/v1/me/destinations: the member's delivery addresses.

use axum::extract::State;
use projections::state::destinations;
use serde::Serialize;
use utoipa::ToSchema;

use super::DestinationView;
use crate::app::AppState;
use crate::http::{ApiResult, CurrentMember, Json, Summary};

/// All destinations.
#[derive(Serialize, ToSchema)]
pub struct Destinations {
    /// Number of destinations.
    summary: Summary,
    /// The destinations, the default one first.
    destinations: Vec<DestinationView>,
}

/// The member's destinations.
#[utoipa::path(get, path = "/api/v1/me/destinations", tag = "me", operation_id = "listMyDestinations", security(("access" = [])), responses((status = OK, body = Destinations)))]
pub(crate) async fn list(
    State(app): State<AppState>,
    who: CurrentMember,
) -> ApiResult<Json<Destinations>> {
    let mut destinations = Vec::new();
    for kept in destinations::list(app.pool(), who.member()).await? {
        destinations.extend(DestinationView::opened(&app, kept).await?);
    }
    let summary = Summary {
        total_count: i64::try_from(destinations.len()).unwrap_or(i64::MAX),
    };
    Ok(Json(Destinations {
        summary,
        destinations,
    }))
}
