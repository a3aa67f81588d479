//! POST /api/v1/me/orders/{id}/cancel: takes an order back, whole if unpaid, else all of it that can be.

use axum::extract::State;
use domain::forms::{Checks, Form, REASON};
use domain::order::{CanceledBy, Reader};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::app::AppState;
use crate::commands::Command;
use crate::http::{Answer, ApiResult, Asked, OrderReader, Path};
use crate::shop::orders::cancel::{Cancel, cancel, reason_of_buyer};
use crate::shop::orders::detail::{FoundOrder, OrderAnswer, after};

/// Why.
#[derive(Deserialize, ToSchema)]
pub struct WhyCancel {
    /// Why.
    reason: String,
}

impl Form for WhyCancel {
    fn check(&self, checks: &mut Checks) {
        checks.text("reason", &self.reason, REASON);
    }
}

/// Cancel my order.
#[utoipa::path(
    post, path = "/api/v1/me/orders/{id}/cancel", tag = "me", operation_id = "cancelMyOrder", security(("access" = [])),
    params(("id" = String, Path)), request_body = WhyCancel,
    responses((status = OK, body = OrderAnswer), (status = CONFLICT, description = "not_allowed_now"))
)]
pub(crate) async fn cancel_order(
    State(app): State<AppState>,
    who: OrderReader,
    Path(id): Path<String>,
    Asked { body, origin }: Asked<WhyCancel>,
) -> ApiResult<Answer<OrderAnswer>> {
    let found = FoundOrder::own(&app, &id, &who).await?;
    let command = Command::new("cancel-order", who.actor(), &origin);
    let asked = Cancel {
        order: found.id,
        by: CanceledBy::Buyer,
        purchase_nos: None,
        reason: reason_of_buyer(&app, &found, &body.reason).await?,
    };
    let done = cancel(&app, &command, &asked).await?;
    after(&app, &done, found.id, Reader::Buyer).await
}
