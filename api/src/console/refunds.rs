//! GET /api/console/shop/refunds: money that goes back to buyers, for finance: due, unknown, refused, or sent past the gateway.

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

/// The calls.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(list))
}

/// Which refunds.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct RefundListQuery {
    /// Those due unless it says otherwise.
    #[param(inline)]
    state: Option<RefundList>,
}

/// A page of refunds.
#[derive(Serialize, ToSchema)]
pub struct RefundListAnswer {
    summary: Summary,
    /// The page: the longest owed first; of those sent by transfer, the newest.
    refunds: Vec<DueRefund>,
}

/// Money that goes back.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DueRefund {
    /// Its order.
    #[serde(rename = "_order")]
    order: OrderId,
    /// The number of that order.
    order_no: String,
    /// The claim; none for a payment that no order took.
    #[serde(rename = "_claim")]
    claim: Option<ClaimId>,
    /// Its kind.
    kind: Option<ClaimKind>,
    /// The purchases it covers.
    purchase_nos: Vec<String>,
    /// It is approved, so that the amount is final.
    approved: bool,
    /// Hundredths.
    amount: Amount,
    /// When it was asked for.
    #[serde(with = "time::serde::rfc3339")]
    #[schema(value_type = String, format = DateTime)]
    requested_at: OffsetDateTime,
    /// Since when it is owed: the request of a cancellation, the inspection of a return.
    #[serde(with = "time::serde::rfc3339")]
    #[schema(value_type = String, format = DateTime)]
    since: OffsetDateTime,
    /// The Seoul day by which it has to go back, as holidays are known now.
    #[schema(value_type = Option<String>, format = Date)]
    due: Option<String>,
    /// It is, or was made, after that day.
    late: bool,
    /// The refund, once requested.
    #[serde(rename = "_refund")]
    refund: Option<RefundId>,
    /// Its payment.
    #[serde(rename = "_payment")]
    payment: Option<PaymentId>,
    /// Why the gateway refused it last.
    refusal: Option<GatewayRefusal>,
    /// What the bank calls the transfer.
    reference: Option<String>,
    /// When it was completed.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(value_type = Option<String>, format = DateTime)]
    settled_at: Option<OffsetDateTime>,
}

/// A refusal of the payment service.
#[derive(Serialize, ToSchema)]
pub struct GatewayRefusal {
    /// Its result code.
    code: String,
    /// What it says.
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

/// Refunds that are due, unknown, refused or redirected.
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
