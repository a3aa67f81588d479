//! GET /api/console/shop/purchases/{purchaseNo}/exchange: the goods a purchase can be exchanged for.

use axum::extract::State;

use super::holder;
use crate::app::AppState;
use crate::http::{ApiResult, Json, Path, Query, StaffOrSeller};
use crate::shop::orders::exchange_choices::{ExchangeChoices, ExchangeQuery};

/// The goods a purchase can be exchanged for, and the fee for a buyer at fault.
#[utoipa::path(
    get, path = "/api/console/shop/purchases/{purchaseNo}/exchange", tag = "console",
    operation_id = "listConsoleExchangeChoices", security(("access" = [])),
    params(("purchaseNo" = String, Path), ExchangeQuery), responses((status = OK, body = ExchangeChoices))
)]
pub(crate) async fn offered(
    State(app): State<AppState>,
    who: StaffOrSeller,
    Path(purchase_no): Path<String>,
    Query(query): Query<ExchangeQuery>,
) -> ApiResult<Json<ExchangeChoices>> {
    let (found, purchase_no) = holder(&app, who.rows, &purchase_no).await?;
    let pieces = query.of(purchase_no);
    Ok(Json(ExchangeChoices::of(&app, &found, pieces).await?))
}
