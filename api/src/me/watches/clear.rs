//! DELETE /api/v1/me/watches: clears the recently viewed products (spec V214).

use axum::extract::State;
use axum::http::StatusCode;
use projections::state::recently_viewed;

use crate::app::AppState;
use crate::http::{ApiResult, CurrentMember};

/// Clear the recently viewed products.
#[utoipa::path(delete, path = "/api/v1/me/watches", tag = "me", operation_id = "clearMyWatches", security(("access" = [])), responses((status = NO_CONTENT)))]
pub(crate) async fn clear(
    State(app): State<AppState>,
    who: CurrentMember,
) -> ApiResult<StatusCode> {
    recently_viewed::clear(app.pool(), who.member()).await?;
    Ok(StatusCode::NO_CONTENT)
}
