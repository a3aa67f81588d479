//! PUT /api/v1/me/reviews/{id}: changes the text of a review.

use axum::extract::State;
use uuid::Uuid;

use super::{MyReviewAnswer, ReviewForm, own};
use crate::app::AppState;
use crate::http::{ApiResponse, ApiResult, CurrentMember, Path, Respond, ValidJson};
use application::executor::CommandContext;
use application::reviews;

/// Change a review.
#[utoipa::path(
    put, path = "/api/v1/me/reviews/{id}", tag = "me", operation_id = "changeMyReview", security(("access" = [])),
    request_body = ReviewForm, params(("id" = Uuid, Path)),
    responses((status = OK, body = MyReviewAnswer), (status = NOT_FOUND, description = "not_found"))
)]
pub(crate) async fn change(
    State(app): State<AppState>,
    who: CurrentMember,
    Path(id): Path<Uuid>,
    ValidJson { body, origin }: ValidJson<ReviewForm>,
) -> ApiResult<ApiResponse<MyReviewAnswer>> {
    let member = who.member();
    let command = CommandContext::new("change-review", who.actor(), &origin);
    let done = reviews::change(&app, &command, member, id, body.words()).await?;
    Ok(done.answer(own(&app, id, member).await?))
}
