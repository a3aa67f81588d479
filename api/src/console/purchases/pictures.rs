//! GET /api/console/shop/purchases/{purchaseNo}/pictures/{id}: a picture of the goods of a return or exchange.

use application::orders::claim_pictures::{CONTENT_TYPE, is_of_purchase, read};
use axum::extract::State;
use axum::response::Response;
use domain::ids::ClaimPictureId;

use super::holder;
use crate::app::AppState;
use crate::http::{ApiResult, AppError, Path, StaffOrSeller, private_file};

/// A picture of a claim on a purchase, for staff and the seller of its goods.
#[utoipa::path(
    get, path = "/api/console/shop/purchases/{purchaseNo}/pictures/{id}", tag = "console",
    operation_id = "readConsoleClaimPicture",
    params(("purchaseNo" = String, Path), ("id" = ClaimPictureId, Path)), security(("access" = [])),
    responses((status = OK, content((String = "image/webp"))), (status = NOT_FOUND, description = "not_found, also for others'"))
)]
pub(crate) async fn show(
    State(app): State<AppState>,
    who: StaffOrSeller,
    Path((purchase_no, id)): Path<(String, ClaimPictureId)>,
) -> ApiResult<Response> {
    let (found, purchase_no) = holder(&app, who.rows, &purchase_no).await?;
    if !is_of_purchase(&found.order.state, &purchase_no, id) {
        return Err(AppError::not_found().into());
    }
    let bytes = read(&app, found.id, id).await?;
    Ok(private_file(CONTENT_TYPE, bytes))
}
