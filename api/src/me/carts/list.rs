//! GET /api/v1/me/carts: the member's cart, with its price.

use axum::extract::State;
use domain::pricing::Quote;
use projections::state::carts;
use projections::{products, stock};
use serde::Serialize;
use utoipa::ToSchema;

use super::{CartView, quote, views};
use crate::app::AppState;
use crate::http::{ApiResponse, ApiResult, ConsistencyToken, CurrentMember, Summary};

/// The member's cart.
#[derive(Serialize, ToSchema)]
pub struct Cart {
    /// Number of lines.
    summary: Summary,
    /// The lines, oldest first.
    carts: Vec<CartView>,
    /// The price of all lines; none if one of them cannot be bought.
    quote: Option<Quote>,
}

/// The member's cart.
#[utoipa::path(get, path = "/api/v1/me/carts", tag = "me", operation_id = "listMyCarts", security(("access" = [])), responses((status = OK, body = Cart)))]
pub(crate) async fn list(
    State(app): State<AppState>,
    who: CurrentMember,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<Cart>> {
    let fresh = wait.until(&app, &[products::NAME, stock::NAME]).await?;
    let lines = carts::lines(app.pool(), who.member()).await?;
    let quote = quote(&app, who.member(), &lines).await?;
    let summary = Summary {
        total_count: i64::try_from(lines.len()).unwrap_or(i64::MAX),
    };
    Ok(fresh.answer(Cart {
        summary,
        carts: views(&app, lines).await?,
        quote,
    }))
}
