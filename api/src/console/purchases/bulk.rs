//! POST /api/console/shop/purchases/bulk: changes all purchases of a list, in batches. Each is changed by its own command; rejected ones
//! are reported, the others are processed.

use axum::extract::State;
use domain::forms::{FormErrors, Validate};
use projections::orders::console_purchase_nos_behind;
use serde::Deserialize;
use utoipa::ToSchema;

use super::filter::PurchaseListQuery;
use super::revise::{PurchaseChange, change_one};
use crate::app::AppState;
use crate::http::{ApiResponse, ApiResult, Respond, StaffOrSeller, ValidJson};
use application::executor::CommandContext;
use application::resources::bulk::Matching;
use application::resources::parts::{
    BulkOutcome, PART_ASKED, failed, first_part, keep_answer, part,
};

/// A change of all purchases of a list.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct PurchasesChange {
    /// The change of each purchase: its order status, and the reason.
    fields: PurchaseChange,
    /// The purchases: search term and filters of the list, e.g. `{ "tab": "payment" }`.
    matching: Matching,
    /// Only purchases after this number, the `next` of the previous response.
    after: Option<String>,
}

impl Validate for PurchasesChange {
    fn check(&self, checks: &mut FormErrors) {
        self.fields.check(checks);
        let message = "한꺼번에 바꿀 수 있는 것은 주문 상태입니다.";
        checks.when(
            self.fields.only_order_status(),
            "fields",
            "not_allowed",
            message,
        );
    }
}

/// Change all purchases of a list, one batch per request.
#[utoipa::path(
    post, path = "/api/console/shop/purchases/bulk", tag = "console", operation_id = "bulkConsolePurchases",
    request_body = PurchasesChange, security(("access" = [])),
    responses((status = OK, body = BulkOutcome), (status = BAD_REQUEST, description = "invalid; invalid_query"))
)]
pub(crate) async fn bulk(
    State(app): State<AppState>,
    who: StaffOrSeller,
    ValidJson { body, origin }: ValidJson<PurchasesChange>,
) -> ApiResult<ApiResponse<BulkOutcome>> {
    let whole = CommandContext::new("change-purchases", who.actor(), &origin);
    if let Some(done) = app.executor.stored_outcome(&whole).await? {
        return Ok(done.answer(done.result()?));
    }
    let (query, period) = PurchaseListQuery::matching(body.matching)?;
    let filter = query.filter(&app, who.rows, &period).await?;
    let after = body.after.unwrap_or_default();
    let found = console_purchase_nos_behind(app.pool(), &filter, &after, PART_ASKED).await?;
    let (nos, next) = first_part(found);
    let mut outcome = BulkOutcome {
        next,
        ..BulkOutcome::default()
    };
    let mut position = None;
    for no in nos {
        match change_one(&app, &who, &part(&origin, &no), &no, &body.fields).await {
            Ok(done) => {
                position = position.max(done.position);
                outcome.done.push(no);
            }
            Err(error) => outcome.failed.push(failed(no, &error)),
        }
    }
    let done = keep_answer(&app, &whole, &outcome, position).await?;
    Ok(done.answer(outcome))
}
