//! DELETE /api/v1/me/reviews/{id}: takes a review back; POST {id}/restore: brings it back as it was.

use axum::extract::State;
use domain::record::RecordCommand;
use uuid::Uuid;

use super::{LoadedReview, MyReviewAnswer};
use crate::app::AppState;
use crate::http::{
    ApiResponse, ApiResult, AppError, Code, CurrentMember, Path, RequestMeta, Respond,
};
use application::executor::CommandContext;

/// Remove a review of mine.
#[utoipa::path(
    delete, path = "/api/v1/me/reviews/{id}", tag = "me", operation_id = "removeMyReview", security(("access" = [])),
    params(("id" = Uuid, Path)), responses((status = OK, body = MyReviewAnswer), (status = NOT_FOUND, description = "not_found"))
)]
pub(crate) async fn remove(
    State(app): State<AppState>,
    who: CurrentMember,
    Path(id): Path<Uuid>,
    origin: RequestMeta,
) -> ApiResult<ApiResponse<MyReviewAnswer>> {
    let member = who.member();
    let command = CommandContext::new("remove-review", who.actor(), &origin);
    let done = app.executor.transact(&command, |context| {
        let app = &app;
        async move {
            let found = LoadedReview::own(app, id, member).await?;
            found.change(RecordCommand::Remove, &context)
        }
    });
    let done = done.await?;
    let shown = LoadedReview::own(&app, id, member)
        .await?
        .shown(&app)
        .await?;
    Ok(done.answer(shown))
}

/// Bring a review of mine back, unless staff removed it.
#[utoipa::path(
    post, path = "/api/v1/me/reviews/{id}/restore", tag = "me", operation_id = "restoreMyReview", security(("access" = [])),
    params(("id" = Uuid, Path)),
    responses(
        (status = OK, body = MyReviewAnswer),
        (status = NOT_FOUND, description = "not_found"),
        (status = CONFLICT, description = "not_allowed_now")
    )
)]
pub(crate) async fn restore(
    State(app): State<AppState>,
    who: CurrentMember,
    Path(id): Path<Uuid>,
    origin: RequestMeta,
) -> ApiResult<ApiResponse<MyReviewAnswer>> {
    let member = who.member();
    let command = CommandContext::new("restore-review", who.actor(), &origin);
    let done = app.executor.transact(&command, |context| {
        let app = &app;
        async move {
            let found = LoadedReview::own(app, id, member).await?;
            let row = found.row.as_ref().ok_or_else(AppError::not_found)?;
            if row.barred && row.removed {
                return Err(AppError::new(Code::NotAllowedNow));
            }
            found.change(RecordCommand::Restore(row.data.clone()), &context)
        }
    });
    let done = done.await?;
    let shown = LoadedReview::own(&app, id, member)
        .await?
        .shown(&app)
        .await?;
    Ok(done.answer(shown))
}
