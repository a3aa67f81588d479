//! POST /api/v1/shop/orders/{id}/process: reads an order, and finds out about a payment nobody knows the end of.

use axum::extract::State;
use domain::order::Reader;

use super::detail::{FoundOrder, OrderAnswer};
use crate::app::AppState;
use crate::http::{ApiResult, Json, OrderReader, Path};
use crate::plugins::pay::{account, resolve};

/// Read an order, repairing its payment.
#[utoipa::path(
    post, path = "/api/v1/shop/orders/{id}/process", tag = "shop", operation_id = "processOrder", security(("access" = [])),
    params(("id" = String, Path)),
    responses((status = OK, body = OrderAnswer), (status = NOT_FOUND, description = "not_found"))
)]
pub async fn process(
    State(app): State<AppState>,
    who: OrderReader,
    Path(id): Path<String>,
) -> ApiResult<Json<OrderAnswer>> {
    let found = FoundOrder::own(&app, &id, &who).await?;
    resolve::stale_attempts(&app, found.id).await?;
    if let Err(error) = account::deposits(&app, found.id).await {
        tracing::warn!(order = %found.id, ?error, "nobody can say whether a deposit came");
    }
    let order = FoundOrder::by_id(&app, found.id)
        .await?
        .detail(&app, Reader::Buyer)
        .await?;
    Ok(Json(OrderAnswer { order }))
}
