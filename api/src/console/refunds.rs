//! GET /api/console/shop/refunds: refunds for the finance staff: due, unknown, refused, or sent by bank transfer.

use axum::extract::State;
use domain::Amount;
use domain::ids::{ClaimId, OrderId, PaymentId, RefundId};
use domain::order::{ClaimKind, is_refund_late, refund_due};
use projections::refunds::{self, OwedRefund, RefundList, holidays, owed_refunds};
use projections::{orders, records};
use serde::{Deserialize, Serialize};
use time::{Date, OffsetDateTime};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;

use crate::app::AppState;
use crate::http::routes;
use crate::http::{ApiResponse, ApiResult, ConsistencyToken, Page, Query, Staff, Summary};

/// The routes.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(list))
}

/// Filter of the refund list.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct RefundListQuery {
    /// State of the refunds; default: due.
    #[param(inline)]
    state: Option<RefundList>,
}

/// A page of refunds.
#[derive(Serialize, ToSchema)]
pub struct RefundListAnswer {
    summary: Summary,
    /// The page, longest due first; those sent by transfer, newest first.
    refunds: Vec<DueRefund>,
}

/// A refund that is due or was made.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DueRefund {
    /// Its order.
    #[serde(rename = "_order")]
    order: OrderId,
    /// The order number.
    order_no: String,
    /// The claim; none for a payment that was not applied to an order.
    #[serde(rename = "_claim")]
    claim: Option<ClaimId>,
    /// Kind of the claim.
    kind: Option<ClaimKind>,
    /// The purchases it covers.
    purchase_nos: Vec<String>,
    /// Whether it is approved, so that the amount is final.
    approved: bool,
    /// Amount, hundredths.
    amount: Amount,
    /// Time of the request.
    #[serde(with = "time::serde::rfc3339")]
    #[schema(value_type = String, format = DateTime)]
    requested_at: OffsetDateTime,
    /// When it became due: the request of a cancellation, the inspection of a return.
    #[serde(with = "time::serde::rfc3339")]
    #[schema(value_type = String, format = DateTime)]
    since: OffsetDateTime,
    /// The day in Seoul by which it has to be paid, according to the present holidays.
    #[schema(value_type = Option<String>, format = Date)]
    due: Option<String>,
    /// Whether it is or was made after that day.
    late: bool,
    /// The refund, once requested.
    #[serde(rename = "_refund")]
    refund: Option<RefundId>,
    /// Its payment.
    #[serde(rename = "_payment")]
    payment: Option<PaymentId>,
    /// The gateway's latest refusal.
    refusal: Option<GatewayRefusal>,
    /// The bank's reference of the transfer.
    reference: Option<String>,
    /// Time of completion.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(value_type = Option<String>, format = DateTime)]
    settled_at: Option<OffsetDateTime>,
}

/// A refusal by the payment gateway.
#[derive(Serialize, ToSchema)]
pub struct GatewayRefusal {
    /// Its result code.
    code: String,
    /// Its message.
    message: String,
}

impl DueRefund {
    fn new(found: OwedRefund, due: Option<Date>, now: OffsetDateTime) -> Self {
        let refusal = found.refusal_code.zip(found.refusal_message);
        Self {
            order: found.order,
            order_no: found.order_no,
            claim: found.claim,
            kind: found.kind,
            purchase_nos: found.purchase_nos,
            approved: found.approved,
            amount: found.amount,
            requested_at: found.requested_at,
            since: found.since,
            due: due.map(|day| day.to_string()),
            late: is_refund_late(due, found.settled_at.unwrap_or(now)),
            refund: found.refund,
            payment: found.payment,
            refusal: refusal.map(|(code, message)| GatewayRefusal { code, message }),
            reference: found.reference,
            settled_at: found.settled_at,
        }
    }
}

/// Refunds that are due, unknown, refused, or sent by bank transfer.
#[utoipa::path(
    get, path = "/api/console/shop/refunds", tag = "console", operation_id = "listConsoleRefunds",
    params(RefundListQuery, Page), security(("access" = [])), responses((status = OK, body = RefundListAnswer))
)]
pub(crate) async fn list(
    State(app): State<AppState>,
    _who: Staff,
    Query(query): Query<RefundListQuery>,
    page: Page,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<RefundListAnswer>> {
    let read = [refunds::NAME, orders::NAME, records::NAME];
    let fresh = wait.until(&app, &read).await?;
    let list = query.state.unwrap_or(RefundList::Due);
    let found = owed_refunds(app.pool(), list, page.into()).await?;
    let holidays = holidays(app.pool()).await?;
    let now = app.clock.now();
    Ok(fresh.answer(RefundListAnswer {
        summary: Summary::of(&found),
        refunds: found
            .rows
            .into_iter()
            .map(|row| {
                let due = refund_due(row.since, &holidays);
                DueRefund::new(row, due, now)
            })
            .collect(),
    }))
}
