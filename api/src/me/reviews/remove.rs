//! DELETE /api/v1/me/reviews/{id}: removes a review; POST {id}/restore: restores it unchanged.

use axum::extract::State;
use uuid::Uuid;

use super::{MyReviewAnswer, own};
use crate::app::AppState;
use crate::http::{ApiResponse, ApiResult, CurrentMember, Path, RequestMeta, Respond};
use application::executor::CommandContext;
use application::member_records;
use domain::review::Review;

/// Remove a review.
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
    let done = member_records::remove::<Review>(&app, &command, member, id).await?;
    Ok(done.answer(own(&app, id, member).await?))
}

/// Restore a review, unless staff removed it.
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
    let done = member_records::restore::<Review>(&app, &command, member, id).await?;
    Ok(done.answer(own(&app, id, member).await?))
}
