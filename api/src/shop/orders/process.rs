//! POST /api/v1/shop/orders/{id}/process: reads an order and resolves payments with an unknown outcome.

use axum::extract::State;
use domain::order::Reader;

use super::detail::{OrderAnswer, PATIENCE, READS, detail};
use crate::app::AppState;
use crate::http::{ApiResult, Json, OrderViewer, Path};
use application::orders::find::FoundOrder;
use application::payments::{account, resolve};

/// Read an order, repairing its payment.
#[utoipa::path(
    post, path = "/api/v1/shop/orders/{id}/process", tag = "shop", operation_id = "processOrder", security(("access" = [])),
    params(("id" = String, Path)),
    responses((status = OK, body = OrderAnswer), (status = NOT_FOUND, description = "not_found"))
)]
pub(crate) async fn process(
    State(app): State<AppState>,
    who: OrderViewer,
    Path(id): Path<String>,
) -> ApiResult<Json<OrderAnswer>> {
    let found = FoundOrder::own(&app, &id, &who).await?;
    resolve::stale_attempts(&app, found.id).await?;
    if let Err(error) = account::deposits(&app, found.id).await {
        tracing::warn!(order = %found.id, ?error, "nobody can say whether a deposit came");
    }
    let found = FoundOrder::by_id(&app, found.id).await?;
    // The browser comes here from the payment window, without the position of what was just recorded.
    app.store
        .wait_for(&READS, found.order.position, PATIENCE)
        .await?;
    let order = detail(&app, &found, Reader::Buyer).await?;
    Ok(Json(OrderAnswer { order }))
}
