//! POST /api/v1/me/orders/{id}/cart: puts an unpaid order back into the cart: it is canceled and its lines are restored, in one step.

use axum::extract::State;
use domain::ids::CartId;
use domain::order::Reader;
use projections::orders::OrderDetail;
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::AppState;
use crate::http::{ApiResponse, ApiResult, OrderViewer, Path, RequestMeta, Respond};
use crate::shop::orders::detail::current;
use application::executor::CommandContext;
use application::orders::cancel::back_into_cart;
use application::orders::find::FoundOrder;

/// The canceled order, and the restored cart lines.
#[derive(Serialize, ToSchema)]
pub struct InCart {
    /// The order.
    order: OrderDetail,
    /// Ids of the restored lines of the member's cart; none for a guest, whose cart is stored in the browser.
    #[serde(rename = "_carts")]
    carts: Vec<CartId>,
}

/// Put an unpaid order back into the cart.
#[utoipa::path(
    post, path = "/api/v1/me/orders/{id}/cart", tag = "me", operation_id = "putMyOrderIntoCart", security(("access" = [])),
    params(("id" = String, Path)),
    responses((status = OK, body = InCart), (status = CONFLICT, description = "not_allowed_now"))
)]
pub(crate) async fn put_into_cart(
    State(app): State<AppState>,
    who: OrderViewer,
    Path(id): Path<String>,
    origin: RequestMeta,
) -> ApiResult<ApiResponse<InCart>> {
    let found = FoundOrder::own(&app, &id, &who).await?;
    let command = CommandContext::new("put-order-into-cart", who.actor(), &origin);
    let done = back_into_cart(&app, &command, &found).await?;
    let answer = InCart {
        order: current(&app, &done, found.id, Reader::Buyer).await?,
        carts: done.result()?,
    };
    Ok(done.answer(answer))
}
