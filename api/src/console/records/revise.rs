//! PUT {id}: changes fields of a record, if it has not changed since the form was opened.

use application::executor::CommandContext;
use application::resources::AdminResource;
use application::resources::input::Draft;
use axum::extract::State;
use domain::record::Document;

use super::named;
use crate::app::AppState;
use crate::http::{ApiResponse, ApiResult, Path, Respond, StaffOrSeller, ValidJson};

/// Change fields of a record; omitted fields stay unchanged.
///
/// # Errors
/// `invalid`, `not_found`, `version_conflict` with both versions, `code_taken`.
pub(super) async fn revise(
    resource: &'static AdminResource,
    State(app): State<AppState>,
    who: StaffOrSeller,
    Path(id): Path<String>,
    ValidJson { body, origin }: ValidJson<Draft>,
) -> ApiResult<ApiResponse<Document>> {
    let command = CommandContext::new(resource.commands.revise, who.actor(), &origin);
    let done = resource.revise(&app, &command, who.editor(), &id, body);
    let done = done.await?;
    let shown = resource.shown(&app, &id).await?;
    Ok(done.answer(named(resource.wire.one, shown)))
}
