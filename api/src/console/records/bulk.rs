//! POST bulk: removes, changes or restores many records, each with its own append. Rejected ones are reported, the others are processed.

use application::resources::AdminResource;
use application::resources::bulk::BulkRequest;
use application::resources::parts::BulkOutcome;
use axum::extract::State;

use crate::app::AppState;
use crate::http::{ApiResponse, ApiResult, Respond, StaffOrSeller, ValidJson};

/// Change or remove many records.
///
/// # Errors
/// `invalid`, `invalid_query`, `access_denied`, `idempotency_key_reused`.
pub(super) async fn bulk(
    resource: &'static AdminResource,
    State(app): State<AppState>,
    who: StaffOrSeller,
    ValidJson { body, origin }: ValidJson<BulkRequest>,
) -> ApiResult<ApiResponse<BulkOutcome>> {
    let done = resource.bulk(&app, who.editor(), &origin, body).await?;
    Ok(done.answer(done.result()?))
}
