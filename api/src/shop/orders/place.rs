//! POST /api/v1/shop/orders: placing an order. With `startPayment` the answer has the payment window too, so that paying waits for one call
//! less.

use application::executor::{CommandContext, CommandOutcome, RequestOrigin};
use application::orders::find::FoundOrder;
use application::orders::form::{OrderForm, PlacedForm};
use application::orders::place::{PlacedOrder, is_contact, place as place_order};
use application::payments::attempts::Attempt;
use application::payments::start::start;
use axum::extract::State;
use domain::ids::OrderId;
use serde::{Deserialize, Serialize};
use tracing::debug;
use utoipa::{IntoParams, ToSchema};

use crate::app::AppState;
use crate::http::{
    ApiResponse, ApiResult, AppError, AppResult, OptionalMember, Query, Respond, ValidJson,
};
use crate::limits::Client;
use crate::payment_window::{Window, window};

/// What to do with the order.
#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct PlaceOrderQuery {
    /// Starts its payment, too; the answer has `payment`.
    #[serde(default)]
    #[param(required = false)]
    start_payment: bool,
}

/// Response to a placed order.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlaceOrderAnswer {
    /// The order.
    order: PlacedOrder,
    /// A guest's token for this order.
    #[serde(skip_serializing_if = "Option::is_none")]
    guest_token: Option<String>,
    /// With `startPayment`: the payment window. Missing if nothing is left to pay, or if the payment could not be started: the order stands,
    /// and `generate/order` says why.
    #[serde(skip_serializing_if = "Option::is_none")]
    payment: Option<Window>,
}

/// Place an order.
#[utoipa::path(
    post, path = "/api/v1/shop/orders", tag = "shop", operation_id = "placeOrder", params(PlaceOrderQuery),
    request_body = OrderForm,
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
    Query(query): Query<PlaceOrderQuery>,
    ValidJson {
        body: PlacedForm(form),
        origin,
    }: ValidJson<PlacedForm>,
) -> ApiResult<ApiResponse<PlaceOrderAnswer>> {
    let command = CommandContext::new("place-order", who.actor(), &origin);
    let done = match app.executor.stored_outcome(&command).await? {
        Some(done) => done,
        None => {
            let placed = place_order(&app, &command, (who.member(), from.address()), &form).await;
            match placed {
                Ok(done) => done,
                // "The cart is ordered" may refer to the order this same command placed a moment ago.
                Err(refusal) => app.executor.stored_outcome_or(&command, refusal).await?,
            }
        }
    };
    let mut answer = answer(&app, &who, &form, &done).await?;
    // A repeated command of a guest who is not known to be the buyer has no token, and sees no names either.
    let is_buyer = who.member().is_some() || answer.guest_token.is_some();
    if query.start_payment && is_buyer {
        answer.payment = payment(&app, &who, &origin, answer.order.id).await;
    }
    Ok(done.created(answer))
}

/// The payment window of an order. The order stands even if this fails.
async fn payment(
    app: &AppState,
    who: &OptionalMember,
    origin: &RequestOrigin,
    order: OrderId,
) -> Option<Window> {
    // An open payment is reused, so this needs no key of its own.
    let origin = RequestOrigin {
        key: None,
        ..origin.clone()
    };
    let command = CommandContext::new("start-payment", who.actor(), &origin);
    let start = async {
        let found = FoundOrder::by_id(app, order).await?;
        let done = start(app, &command, &found, None, None).await?;
        let attempt = Attempt::load(app, done.result()?).await?;
        window(app, &found, &attempt).await
    };
    let started: AppResult<Window> = start.await;
    let failure =
        |error: &AppError| debug!(%order, %error, "the payment of a new order is not started");
    started.inspect_err(failure).ok()
}

async fn answer(
    app: &AppState,
    who: &OptionalMember,
    form: &OrderForm,
    done: &CommandOutcome,
) -> AppResult<PlaceOrderAnswer> {
    let order: PlacedOrder = done.result()?;
    let guest_token = match who.member() {
        Some(_) => None,
        None if done.replayed && !is_contact(app, order.id, form).await? => None,
        None => Some(app.tokens.guest(order.id, app.clock.now())?),
    };
    Ok(PlaceOrderAnswer {
        order,
        guest_token,
        payment: None,
    })
}
