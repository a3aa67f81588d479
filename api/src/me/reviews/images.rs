//! /api/v1/me/reviews/images: uploads pictures for reviews, and removes one that is not used by a review.

use application::files::discard;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use uuid::Uuid;

use crate::app::AppState;
use crate::files::FileAnswer;
use crate::files::form::UploadForm;
use crate::http::{ApiResult, CurrentMember, Json, Path};
use crate::shop::reviews::images::given;

/// Upload a picture for a review.
#[utoipa::path(
    post, path = "/api/v1/me/reviews/images", tag = "me", operation_id = "giveMyReviewImage",
    request_body(content = UploadForm, content_type = "multipart/form-data"),
    security(("access" = [])), responses((status = CREATED, body = FileAnswer))
)]
pub(crate) async fn give(
    State(app): State<AppState>,
    who: CurrentMember,
    request: Request,
) -> ApiResult<(StatusCode, Json<FileAnswer>)> {
    Ok(given(&app, &who, request).await?)
}

/// Remove a picture that none of the member's reviews uses.
#[utoipa::path(
    delete, path = "/api/v1/me/reviews/images/{id}", tag = "me", operation_id = "removeMyReviewImage", security(("access" = [])),
    params(("id" = Uuid, Path)),
    responses((status = NO_CONTENT), (status = NOT_FOUND, description = "not_found"), (status = CONFLICT, description = "not_allowed_now"))
)]
pub(crate) async fn remove(
    State(app): State<AppState>,
    who: CurrentMember,
    Path(id): Path<Uuid>,
) -> ApiResult<StatusCode> {
    discard::review_picture(&app, who.member(), id).await?;
    Ok(StatusCode::NO_CONTENT)
}
