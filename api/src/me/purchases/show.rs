//! GET /api/v1/me/purchases/{purchaseNo}: one line of an order of the member.

use axum::extract::State;
use domain::order::Reader;
use projections::orders::{PurchaseRow, purchase_row};
use serde::Serialize;
use utoipa::ToSchema;

use super::own;
use crate::app::AppState;
use crate::http::{ApiResult, AppError, Json, OrderViewer, Path};
use crate::shop::orders::detail::open_purchases;

/// One purchase.
#[derive(Serialize, ToSchema)]
pub struct MyPurchase {
    /// The purchase.
    purchase: PurchaseRow,
}

/// One purchase.
#[utoipa::path(
    get, path = "/api/v1/me/purchases/{purchaseNo}", tag = "me", operation_id = "showMyPurchase", security(("access" = [])),
    params(("purchaseNo" = String, Path)), responses((status = OK, body = MyPurchase), (status = NOT_FOUND, description = "not_found"))
)]
pub(crate) async fn show(
    State(app): State<AppState>,
    who: OrderViewer,
    Path(purchase_no): Path<String>,
) -> ApiResult<Json<MyPurchase>> {
    let (found, purchase_no) = own(&app, &purchase_no, &who).await?;
    let order = &found.order.state;
    let purchase = order
        .purchase(&purchase_no)
        .ok_or_else(AppError::not_found)?;
    let mut purchase = purchase_row(order, purchase, Reader::Buyer)?;
    open_purchases(&app, [&mut purchase]).await?;
    Ok(Json(MyPurchase { purchase }))
}
