//! POST /api/v1/shop/orders: placing an order.

use application::executor::{CommandContext, CommandOutcome};
use application::orders::form::{OrderForm, PlacedForm};
use application::orders::place::{PlacedOrder, is_contact, place as place_order};
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::AppState;
use crate::http::{ApiResponse, ApiResult, AppResult, OptionalMember, Respond, ValidJson};
use crate::limits::Client;

/// Response to a placed order.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlaceOrderAnswer {
    /// The order.
    order: PlacedOrder,
    /// A guest's token for this order.
    #[serde(skip_serializing_if = "Option::is_none")]
    guest_token: Option<String>,
}

/// Place an order.
#[utoipa::path(
    post, path = "/api/v1/shop/orders", tag = "shop", operation_id = "placeOrder", request_body = OrderForm,
    responses(
        (status = CREATED, body = PlaceOrderAnswer),
        (status = BAD_REQUEST, description = "invalid, with every field that has to be typed again"),
        (status = CONFLICT, description = "price_changed (details.quote), cart_ordered (details.orderNo), cart_changed, sold_out, coupon_*, points_short, not_on_sale, unpaid_limit")
    )
)]
pub(crate) async fn place(
    State(app): State<AppState>,
    who: OptionalMember,
    from: Client,
    ValidJson {
        body: PlacedForm(form),
        origin,
    }: ValidJson<PlacedForm>,
) -> ApiResult<ApiResponse<PlaceOrderAnswer>> {
    let command = CommandContext::new("place-order", who.actor(), &origin);
    if let Some(done) = app.executor.stored_outcome(&command).await? {
        return Ok(answer(&app, &who, &form, &done).await?);
    }
    let done = match place_order(&app, &command, (who.member(), from.address()), &form).await {
        Ok(done) => done,
        // "The cart is ordered" may refer to the order this same command placed a moment ago.
        Err(refusal) => app.executor.stored_outcome_or(&command, refusal).await?,
    };
    Ok(answer(&app, &who, &form, &done).await?)
}

async fn answer(
    app: &AppState,
    who: &OptionalMember,
    form: &OrderForm,
    done: &CommandOutcome,
) -> AppResult<ApiResponse<PlaceOrderAnswer>> {
    let order: PlacedOrder = done.result()?;
    let guest_token = match who.member() {
        Some(_) => None,
        None if done.replayed && !is_contact(app, order.id, form).await? => None,
        None => Some(app.tokens.guest(order.id, app.clock.now())?),
    };
    Ok(done.created(PlaceOrderAnswer { order, guest_token }))
}
