//! GET /api/v1/me/reviews/{id}: one review of the member, read from the log and so always current.

use axum::extract::State;
use uuid::Uuid;

use super::{MyReviewAnswer, own};
use crate::app::AppState;
use crate::http::{ApiResult, CurrentMember, Json, Path};

/// One review, also a removed one.
#[utoipa::path(
    get, path = "/api/v1/me/reviews/{id}", tag = "me", operation_id = "showMyReview", security(("access" = [])),
    params(("id" = Uuid, Path)), responses((status = OK, body = MyReviewAnswer), (status = NOT_FOUND, description = "not_found"))
)]
pub(crate) async fn show(
    State(app): State<AppState>,
    who: CurrentMember,
    Path(id): Path<Uuid>,
) -> ApiResult<Json<MyReviewAnswer>> {
    Ok(Json(own(&app, id, who.member()).await?))
}
