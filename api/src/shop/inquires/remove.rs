//! DELETE /api/v1/shop/inquires/{id}: takes an inquiry back.

use axum::extract::State;
use domain::record::RecordCommand;
use uuid::Uuid;

use super::{InquireAnswer, LoadedInquire, own};
use crate::app::AppState;
use crate::http::{
    ApiResponse, ApiResult, AppError, AppResult, Code, CurrentMember, Path, RequestMeta, Respond,
};
use application::executor::CommandContext;

/// Remove an inquiry of mine.
#[utoipa::path(
    delete, path = "/api/v1/shop/inquires/{id}", tag = "shop", operation_id = "removeInquire", security(("access" = [])),
    params(("id" = Uuid, Path)), responses((status = OK, body = InquireAnswer), (status = NOT_FOUND, description = "not_found"))
)]
pub(crate) async fn remove(
    State(app): State<AppState>,
    who: CurrentMember,
    Path(id): Path<Uuid>,
    origin: RequestMeta,
) -> ApiResult<ApiResponse<InquireAnswer>> {
    Ok(removed(&app, &who, id, &origin).await?)
}

/// Removes it.
///
/// # Errors
/// `not_found`.
pub(crate) async fn removed(
    app: &AppState,
    who: &CurrentMember,
    id: Uuid,
    origin: &RequestMeta,
) -> AppResult<ApiResponse<InquireAnswer>> {
    let member = who.member();
    let command = CommandContext::new("remove-inquire", who.actor(), origin);
    let done = app.executor.transact(&command, |context| async move {
        let found = LoadedInquire::own(app, id, member).await?;
        found.change(RecordCommand::Remove, &context)
    });
    let done = done.await?;
    Ok(done.answer(own(app, id, &who.0).await?))
}

/// Brings it back, unless staff removed it.
///
/// # Errors
/// `not_found`, `not_allowed_now`.
pub(crate) async fn restored(
    app: &AppState,
    who: &CurrentMember,
    id: Uuid,
    origin: &RequestMeta,
) -> AppResult<ApiResponse<InquireAnswer>> {
    let member = who.member();
    let command = CommandContext::new("restore-inquire", who.actor(), origin);
    let done = app.executor.transact(&command, |context| async move {
        let found = LoadedInquire::own(app, id, member).await?;
        if found.row.removed && found.row.barred {
            return Err(AppError::new(Code::NotAllowedNow));
        }
        let document = found.row.data.clone();
        found.change(RecordCommand::Restore(document), &context)
    });
    let done = done.await?;
    Ok(done.answer(own(app, id, &who.0).await?))
}
