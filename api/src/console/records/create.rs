//! POST: creates a record, with its side effects in the same append.

use application::executor::CommandContext;
use application::resources::AdminResource;
use application::resources::input::Draft;
use axum::extract::State;
use domain::record::Document;

use super::named;
use crate::app::AppState;
use crate::http::{
    ApiResponse, ApiResult, AppError, Code, Json, Respond, StaffOrSeller, ValidJson,
};

/// Create a record.
///
/// # Errors
/// `invalid` with every invalid field; `code_taken`.
pub(super) async fn create(
    resource: &'static AdminResource,
    State(app): State<AppState>,
    who: StaffOrSeller,
    ValidJson { body, origin }: ValidJson<Draft>,
) -> ApiResult<ApiResponse<Document>> {
    let command = CommandContext::new(resource.commands.create, who.actor(), &origin);
    let made = resource.create(&app, &command, who.editor(), body);
    let (id, done) = made.await?;
    let shown = resource.shown(&app, &id).await?;
    Ok(done.created(named(resource.wire.one, shown)))
}

/// Always rejected: content of members cannot be created in the console, and records that the shop requires cannot be removed.
///
/// # Errors
/// `access_denied`, `method_not_allowed`.
pub(super) async fn refused(
    resource: &'static AdminResource,
    who: StaffOrSeller,
) -> ApiResult<Json<()>> {
    resource.may_keep(who.rows)?;
    Err(AppError::new(Code::MethodNotAllowed).into())
}
