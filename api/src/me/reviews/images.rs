//! /api/v1/me/reviews/images: giving pictures for reviews, and taking back one that no review shows.

use application::files::discard;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use uuid::Uuid;

use crate::app::AppState;
use crate::files::FileAnswer;
use crate::files::form::UploadForm;
use crate::http::{ApiResult, CurrentMember, Json, Path};
use crate::shop::reviews::images::given;

/// Give a picture for a review of mine.
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

/// Take a picture of mine back that no review of mine shows.
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
