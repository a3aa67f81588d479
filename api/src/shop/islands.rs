//! GET /api/v1/shop/islands: postcodes with a delivery surcharge.

use axum::extract::State;
use domain::shipping::Island;
use projections::records;
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::AppState;
use crate::http::{ApiResponse, ApiResult, ConsistencyToken};

/// A postcode range.
#[derive(Serialize, ToSchema)]
pub struct IslandView {
    /// Id of the record.
    #[serde(rename = "_id")]
    id: String,
    /// Its document.
    #[serde(flatten)]
    island: Island,
}

/// All postcode ranges with a surcharge.
#[derive(Serialize, ToSchema)]
pub struct Islands {
    /// The ranges.
    islands: Vec<IslandView>,
}

/// Islands.
#[utoipa::path(get, path = "/api/v1/shop/islands", tag = "shop", operation_id = "listIslands", responses((status = OK, body = Islands)))]
pub(crate) async fn list(
    State(app): State<AppState>,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<Islands>> {
    let fresh = wait.until(&app, &[records::NAME]).await?;
    let islands = records::all::<Island>(app.pool()).await?;
    let islands = islands
        .into_iter()
        .map(|found| IslandView {
            id: found.id,
            island: found.data,
        })
        .collect();
    Ok(fresh.answer(Islands { islands }))
}
