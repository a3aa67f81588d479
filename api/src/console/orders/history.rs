//! GET /api/console/shop/orders/{id}/history: everything that happened to an order and because of it, in the log's order.

use axum::extract::State;
use domain::record::Document;
use projections::order_timeline;
use serde_json::Value;

use super::within;
use crate::app::AppState;
use crate::console::people;
use crate::console::records::stored::named;
use crate::http::{Answer, ApiResult, Console, Path, RowScope, Wait};

/// The history of an order: its own events, payments, stock, coupons and points. Personal data is masked.
#[utoipa::path(
    get, path = "/api/console/shop/orders/{id}/history", tag = "console", operation_id = "historyOfOrder",
    params(("id" = String, Path)), security(("access" = [])), responses((status = OK, body = Object))
)]
pub async fn history(
    State(app): State<AppState>,
    _who: Console,
    Path(id): Path<String>,
    wait: Wait,
) -> ApiResult<Answer<Document>> {
    let fresh = wait.until(&app, &[order_timeline::NAME]).await?;
    let found = within(&app, RowScope::All, &id).await?;
    let told = order_timeline::history(app.pool(), found.id).await?;
    let mut events = told
        .iter()
        .map(serde_json::to_value)
        .collect::<Result<Vec<Value>, _>>()?;
    people::name_actors(&app, &mut events).await?;
    Ok(fresh.answer(named("events", events)))
}
