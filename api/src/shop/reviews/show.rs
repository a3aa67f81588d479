//! GET /api/v1/shop/reviews/{id}: one review.

use axum::extract::State;
use projections::reviews;
use uuid::Uuid;

use super::{ReviewAnswer, views};
use crate::app::AppState;
use crate::http::{ApiResponse, ApiResult, AppError, ConsistencyToken, OptionalMember, Path};

/// One review.
#[utoipa::path(
    get, path = "/api/v1/shop/reviews/{id}", tag = "shop", operation_id = "showReview", params(("id" = Uuid, Path)),
    security((), ("access" = [])), responses((status = OK, body = ReviewAnswer), (status = NOT_FOUND, description = "not_found"))
)]
pub(crate) async fn show(
    State(app): State<AppState>,
    Path(id): Path<Uuid>,
    who: OptionalMember,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<ReviewAnswer>> {
    let fresh = wait.until(&app, &[reviews::NAME]).await?;
    let row = reviews::review(app.pool(), id)
        .await?
        .filter(|row| row.shows && !row.removed)
        .ok_or_else(AppError::not_found)?;
    let review = views(&app, who.member(), &[row]).await?.pop();
    let review = review.ok_or_else(AppError::not_found)?;
    Ok(fresh.answer(ReviewAnswer { review }))
}
