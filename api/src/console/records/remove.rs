//! DELETE {id}: marks a record as removed. References to it can still show its name.

use application::executor::CommandContext;
use application::resources::AdminResource;
use axum::extract::State;
use domain::record::Document;

use super::named;
use crate::app::AppState;
use crate::http::{ApiResponse, ApiResult, Path, RequestMeta, Respond, StaffOrSeller};

/// Mark a record as removed.
///
/// # Errors
/// `not_found`; `in_use` while an aggregate or a policy uses it.
pub(super) async fn remove(
    resource: &'static AdminResource,
    State(app): State<AppState>,
    who: StaffOrSeller,
    Path(id): Path<String>,
    origin: RequestMeta,
) -> ApiResult<ApiResponse<Document>> {
    let command = CommandContext::new(resource.commands.remove, who.actor(), &origin);
    let done = resource.remove(&app, &command, who.rows, &id).await?;
    let shown = resource.shown(&app, &id).await?;
    Ok(done.answer(named(resource.wire.one, shown)))
}
