//! GET /api/console/shop/purchases/{purchaseNo}: one purchase.

use axum::extract::State;
use projections::orders;

use super::{PurchaseAnswer, holder, reader, shown};
use crate::app::AppState;
use crate::http::{ApiResponse, ApiResult, ConsistencyToken, Path, StaffOrSeller};

/// One purchase.
#[utoipa::path(
    get, path = "/api/console/shop/purchases/{purchaseNo}", tag = "console", operation_id = "showConsolePurchase",
    params(("purchaseNo" = String, Path)), security(("access" = [])), responses((status = OK, body = PurchaseAnswer))
)]
pub(crate) async fn show(
    State(app): State<AppState>,
    who: StaffOrSeller,
    Path(purchase_no): Path<String>,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<PurchaseAnswer>> {
    let (found, purchase_no) = holder(&app, who.rows, &purchase_no).await?;
    let fresh = wait.until(&app, &[orders::NAME]).await?;
    Ok(fresh.answer(shown(&app, found.id, &purchase_no, reader(who.rows)).await?))
}
