//! POST /api/v1/me/purchases/{purchaseNo}/pictures: uploads a picture for a return or exchange of the purchase; GET .../{id}: reads one.

use application::orders::claim_pictures::{self, CONTENT_TYPE};
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use domain::ids::{ClaimPictureId, MemberId};
use serde::Serialize;
use utoipa::ToSchema;

use super::own;
use crate::app::AppState;
use crate::files::form::{self, UploadForm};
use crate::http::{ApiResult, Json, OrderViewer, Path, private_file};

/// An uploaded picture.
#[derive(Serialize, ToSchema)]
pub struct ClaimPictureAnswer {
    /// Its id, for a claim.
    picture: ClaimPictureId,
}

/// Upload a picture for a return or exchange. It is removed after a day unless a claim uses it.
#[utoipa::path(
    post, path = "/api/v1/me/purchases/{purchaseNo}/pictures", tag = "me", operation_id = "addMyClaimPicture",
    params(("purchaseNo" = String, Path)),
    request_body(content = UploadForm, content_type = "multipart/form-data"),
    security(("access" = [])),
    responses((status = CREATED, body = ClaimPictureAnswer), (status = CONFLICT, description = "not_allowed_now"))
)]
pub(crate) async fn add(
    State(app): State<AppState>,
    who: OrderViewer,
    Path(purchase_no): Path<String>,
    request: Request,
) -> ApiResult<(StatusCode, Json<ClaimPictureAnswer>)> {
    let (found, purchase_no) = own(&app, &purchase_no, &who).await?;
    // A guest has no account: uploads are counted by order.
    let uploader = found.member().unwrap_or(MemberId(found.id.0));
    app.limits.uploads.count(uploader)?;
    let upload = form::read(&app, request, true).await?;
    let picture = claim_pictures::upload(&app, &found, &purchase_no, upload).await?;
    Ok((StatusCode::CREATED, Json(ClaimPictureAnswer { picture })))
}

/// A picture of the member's order.
#[utoipa::path(
    get, path = "/api/v1/me/purchases/{purchaseNo}/pictures/{id}", tag = "me", operation_id = "readMyClaimPicture",
    params(("purchaseNo" = String, Path), ("id" = ClaimPictureId, Path)), security(("access" = [])),
    responses((status = OK, content((String = "image/webp"))), (status = NOT_FOUND, description = "not_found, also for others'"))
)]
pub(crate) async fn read(
    State(app): State<AppState>,
    who: OrderViewer,
    Path((purchase_no, id)): Path<(String, ClaimPictureId)>,
) -> ApiResult<Response> {
    let (found, _) = own(&app, &purchase_no, &who).await?;
    let bytes = claim_pictures::read(&app, found.id, id).await?;
    Ok(private_file(CONTENT_TYPE, bytes))
}
