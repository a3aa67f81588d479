//! POST /api/v1/shop/orders/lookup: a guest finds an order by its number and their phone.

use axum::extract::State;
use domain::forms::{self, FormErrors, Validate};
use domain::order::{Buyer, Reader};
use projections::orders::OrderDetail;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::detail::detail;
use crate::app::AppState;
use crate::http::{ApiResult, AppError, Json, ValidJson};
use application::orders::contacts::contact_hash;
use application::orders::find::FoundOrder;

/// Data by which a guest finds an order.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OrderLookupForm {
    /// Order number.
    order_no: String,
    /// Phone number of the order.
    phone: String,
}

/// The order, with a token for it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GuestOrder {
    /// The order.
    order: OrderDetail,
    /// Token for this order.
    guest_token: String,
}

impl Validate for OrderLookupForm {
    fn check(&self, errors: &mut FormErrors) {
        errors
            .text("orderNo", &self.order_no, forms::REQUIRED)
            .text("phone", &self.phone, forms::PHONE);
    }
}

/// Find a guest's order.
#[utoipa::path(
    post, path = "/api/v1/shop/orders/lookup", tag = "shop", operation_id = "lookupOrder", request_body = OrderLookupForm,
    responses((status = OK, body = GuestOrder), (status = NOT_FOUND, description = "not_found"))
)]
pub(crate) async fn lookup(
    State(app): State<AppState>,
    ValidJson { body, .. }: ValidJson<OrderLookupForm>,
) -> ApiResult<Json<GuestOrder>> {
    let found = FoundOrder::by_id_or_no(&app, &body.order_no).await?;
    let hash = contact_hash(&app.keys, &body.phone);
    match found.order.state.buyer() {
        Some(Buyer::Guest { contact_hash }) if *contact_hash == hash => {}
        _ => return Err(AppError::not_found().into()),
    }
    let guest_token = app.tokens.guest(found.id, app.clock.now())?;
    Ok(Json(GuestOrder {
        order: detail(&app, &found, Reader::Buyer).await?,
        guest_token,
    }))
}
