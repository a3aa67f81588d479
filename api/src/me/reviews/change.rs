//! PUT /api/v1/me/reviews/{id}: says it in other words.

use axum::extract::State;
use domain::record::RecordCommand;
use uuid::Uuid;

use super::{LoadedReview, MyReviewAnswer, ReviewForm};
use crate::app::AppState;
use crate::http::{ApiResponse, ApiResult, AppError, CurrentMember, Path, Respond, ValidJson};
use application::executor::CommandContext;

/// Change a review of mine.
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
    let done = app.executor.transact(&command, |context| {
        let (app, body) = (&app, &body);
        async move {
            let found = LoadedReview::own(app, id, member).await?;
            let row = found.row.as_ref().ok_or_else(AppError::not_found)?;
            let review = row.review()?.saying(body.words());
            found.change(RecordCommand::Revise(Box::new(review)), &context)
        }
    });
    let done = done.await?;
    let shown = LoadedReview::own(&app, id, member)
        .await?
        .shown(&app)
        .await?;
    Ok(done.answer(shown))
}
