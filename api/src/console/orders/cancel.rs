//! POST /api/console/shop/orders/{id}/cancel: staff or a seller cancels purchases; the refund policy refunds the money.

use axum::extract::State;
use domain::checkout::ShownRefund;
use domain::forms::{FormErrors, REASON, Validate};
use domain::order::{Action, CancelReason, CanceledBy, ClaimPieces, Reader};
use serde::Deserialize;
use utoipa::ToSchema;

use super::within;
use crate::app::AppState;
use crate::console::purchases::reader;
use crate::http::{ApiResponse, ApiResult, AppError, AppResult, Path, StaffOrSeller, ValidJson};
use crate::shop::orders::detail::{OrderAnswer, after};
use application::executor::CommandContext;
use application::orders::cancel::{Cancel, cancel};
use application::orders::find::FoundOrder;
use application::orders::parcels;

/// The purchases to cancel, and the reason.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConsoleCancel {
    /// The reason.
    reason: String,
    /// Numbers of the purchases; missing: all that can be canceled.
    purchase_nos: Option<Vec<String>>,
    /// The refund shown to the user; `refund_changed` if it differs by now.
    shown: Option<ShownRefund>,
}

impl Validate for ConsoleCancel {
    fn check(&self, checks: &mut FormErrors) {
        checks.text("reason", &self.reason, REASON);
    }
}

/// Cancel an order, or purchases of it.
#[utoipa::path(
    post, path = "/api/console/shop/orders/{id}/cancel", tag = "console", operation_id = "cancelConsoleOrder",
    params(("id" = String, Path)), request_body = ConsoleCancel, security(("access" = [])),
    responses((status = OK, body = OrderAnswer), (status = CONFLICT, description = "not_allowed_now; refund_changed"))
)]
pub(crate) async fn cancel_order(
    State(app): State<AppState>,
    who: StaffOrSeller,
    Path(id): Path<String>,
    ValidJson { body, origin }: ValidJson<ConsoleCancel>,
) -> ApiResult<ApiResponse<OrderAnswer>> {
    let found = within(&app, who.rows, &id).await?;
    let reader = reader(who.rows);
    let purchase_nos = reached(&found, reader, body.purchase_nos)?;
    let command = CommandContext::new("cancel-order", who.actor(), &origin);
    let asked = Cancel {
        order: found.id,
        by: CanceledBy::Staff,
        pieces: purchase_nos.map(|nos| nos.into_iter().map(ClaimPieces::all).collect()),
        reason: CancelReason::plain(body.reason),
        parcels: parcels::for_cancel(&app, &found.order.state).await?,
        shown: body.shown,
    };
    let done = cancel(&app, &command, &asked).await?;
    Ok(after(&app, &done, found.id, reader).await?)
}

/// The named purchases, if all are within the rows; for a seller who names none, their own.
fn reached(
    found: &FoundOrder,
    reader: Reader,
    named: Option<Vec<String>>,
) -> AppResult<Option<Vec<String>>> {
    let Reader::Seller(seller) = reader else {
        return Ok(named);
    };
    let order = &found.order.state;
    let own = |no: &String| {
        order
            .purchase(no)
            .is_some_and(|purchase| purchase.seller == seller)
    };
    match named {
        None => Ok(Some(order.purchases_for(reader, Action::Cancel))),
        Some(named) if named.iter().all(own) => Ok(Some(named)),
        Some(_) => Err(AppError::not_found()),
    }
}
