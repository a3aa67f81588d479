//! POST {id}/restore: restores the document of an earlier version, and the record itself if it was removed.

use application::executor::CommandContext;
use application::resources::AdminResource;
use application::resources::write::RestoreRequest;
use axum::extract::State;
use domain::record::Document;

use super::named;
use crate::app::AppState;
use crate::http::{ApiResponse, ApiResult, Path, Respond, StaffOrSeller, ValidJson};

/// Restore an earlier document.
///
/// # Errors
/// `not_found`, `invalid` with every field that is not valid now, `code_taken`.
pub(super) async fn restore(
    resource: &'static AdminResource,
    State(app): State<AppState>,
    who: StaffOrSeller,
    Path(id): Path<String>,
    ValidJson { body, origin }: ValidJson<RestoreRequest>,
) -> ApiResult<ApiResponse<Document>> {
    let command = CommandContext::new(resource.commands.restore, who.actor(), &origin);
    let done = resource.restore(&app, &command, who.rows, &id, Some(body));
    let done = done.await?;
    let shown = resource.shown(&app, &id).await?;
    Ok(done.answer(named(resource.wire.one, shown)))
}
