//! PUT /api/console/shop/purchases/{purchaseNo}: the statuses that have a command behind them, and nothing else.

use application::executor::RequestOrigin;
use axum::extract::State;
use domain::checkout::ShownRefund;
use domain::forms::{self, FormErrors, Validate};
use domain::order::{ClaimStatus, Order, OrderCommand, OrderStatus, Reader};
use domain::record::Document;
use serde::Deserialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::commands::{auto_confirm_days, claim_on};
use super::{PurchaseAnswer, after, holder, reader};
use crate::app::AppState;
use crate::http::{
    ApiResponse, ApiResult, AppError, AppResult, Code, Path, Respond, StaffOrSeller, ValidJson,
};
use application::executor::{CommandContext, CommandOutcome};
use application::orders::cancel::{Approve, approve};
use application::orders::find::FoundOrder;

/// What becomes of a purchase.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PurchaseChange {
    /// `ORDER_CONFIRM` prepares, `SHIPPING_DELAYED` says it is late (with a reason), `DELIVERY_COMPLETE` says it arrived.
    order_status: Option<OrderStatus>,
    /// `CANCEL_COMPLETED` grants a cancellation, `CANCEL_REJECTED` refuses it (with a reason).
    claim_status: Option<ClaimStatus>,
    /// Why.
    reason: Option<String>,
    /// What was shown that granting a cancellation gives back; `refund_changed` if it is something else by now.
    shown: Option<ShownRefund>,
    /// Whatever else was sent.
    #[serde(flatten)]
    #[schema(ignore)]
    others: Document,
}

impl Validate for PurchaseChange {
    fn check(&self, checks: &mut FormErrors) {
        let asked =
            self.order_status.is_some() || self.claim_status.is_some() || !self.others.is_empty();
        checks
            .when(
                asked,
                "orderStatus",
                "required",
                "변경할 상태를 선택해 주세요.",
            )
            .optional("reason", self.reason.as_deref(), forms::MESSAGE);
    }
}

/// Prepare, delay, deliver; grant or refuse a cancellation.
#[utoipa::path(
    put, path = "/api/console/shop/purchases/{purchaseNo}", tag = "console", operation_id = "reviseConsolePurchase",
    params(("purchaseNo" = String, Path)), request_body = PurchaseChange, security(("access" = [])),
    responses(
        (status = OK, body = PurchaseAnswer),
        (status = CONFLICT, description = "not_allowed_now; claim_of_several_sellers: staff answer it; refund_changed"),
        (status = METHOD_NOT_ALLOWED, description = "ledger_immutable: there is no command for this")
    )
)]
pub(crate) async fn revise(
    State(app): State<AppState>,
    who: StaffOrSeller,
    Path(purchase_no): Path<String>,
    ValidJson { body, origin }: ValidJson<PurchaseChange>,
) -> ApiResult<ApiResponse<PurchaseAnswer>> {
    let (found, purchase_no) = holder(&app, who.rows, &purchase_no).await?;
    let reader = reader(who.rows);
    let before = (found.id, found.order.state.clone());
    let before = super::current(&app, before, &purchase_no, reader).await;
    body.names_only_commands(
        before
            .ok()
            .and_then(|before| serde_json::to_value(before.purchase).ok()),
    )?;
    let command = |name| body.command(name, &who, &origin);
    let done = run(&app, &found, &purchase_no, (&body, reader), command).await?;
    let answer = after(&app, &done, found.id, &purchase_no, reader).await?;
    Ok(done.answer(answer))
}

/// The same for one of many.
///
/// # Errors
/// `not_found`, also for another seller's; the rule that refused.
pub(super) async fn change_one(
    app: &AppState,
    who: &StaffOrSeller,
    origin: &RequestOrigin,
    purchase_no: &str,
    body: &PurchaseChange,
) -> AppResult<CommandOutcome> {
    let (found, purchase_no) = holder(app, who.rows, purchase_no).await?;
    let command = |name| body.command(name, who, origin);
    let by = reader(who.rows);
    run(app, &found, &purchase_no, (body, by), command).await
}

async fn run(
    app: &AppState,
    found: &FoundOrder,
    purchase_no: &str,
    (body, by): (&PurchaseChange, Reader),
    command: impl Fn(&'static str) -> CommandContext,
) -> AppResult<CommandOutcome> {
    let purchase_no = purchase_no.to_owned();
    let reason = body.reason.clone().unwrap_or_default();
    let (name, act) = match (body.order_status, body.claim_status) {
        (Some(OrderStatus::Confirm), None) => {
            let purchase_nos = vec![purchase_no];
            ("prepare-purchase", OrderCommand::Prepare { purchase_nos })
        }
        (Some(OrderStatus::Delayed), None) => {
            let delay = OrderCommand::Delay {
                purchase_no,
                reason,
            };
            ("delay-purchase", delay)
        }
        (Some(OrderStatus::Delivered), None) => {
            let deliver = OrderCommand::Deliver {
                purchase_no,
                auto_confirm_days: auto_confirm_days(app).await?,
            };
            ("deliver-purchase", deliver)
        }
        (None, Some(ClaimStatus::CancelCompleted)) => {
            let claim = claim_on(&found.order.state, &purchase_no)?;
            let asked = Approve {
                order: found.id,
                claim,
                by,
                shown: body.shown,
            };
            return approve(app, &command("approve-cancel"), &asked).await;
        }
        (None, Some(ClaimStatus::CancelRejected)) => {
            let claim = claim_on(&found.order.state, &purchase_no)?;
            let reject = OrderCommand::RejectCancel { claim, reason, by };
            ("reject-cancel", reject)
        }
        _ => return Err(AppError::new(Code::LedgerImmutable)),
    };
    let command = command(name);
    app.executor.execute::<Order>(&command, found.id, act).await
}

impl PurchaseChange {
    fn command(
        &self,
        name: &'static str,
        who: &StaffOrSeller,
        origin: &RequestOrigin,
    ) -> CommandContext {
        let command = CommandContext::new(name, who.actor(), origin);
        match &self.reason {
            Some(reason) => command.with_reason(reason.clone()),
            None => command,
        }
    }

    /// Whether it is about how far the order is, and nothing else.
    pub(super) fn only_order_status(&self) -> bool {
        self.order_status.is_some() && self.claim_status.is_none() && self.others.is_empty()
    }

    /// Unknown fields are ignored, and a form may send back what it was shown; a changed amount is refused.
    fn names_only_commands(&self, shown: Option<Value>) -> AppResult<()> {
        let shown = shown.unwrap_or_default();
        let changes =
            |(field, value): (&String, &Value)| shown.get(field).is_some_and(|now| now != value);
        if self.others.iter().any(changes) {
            Err(AppError::new(Code::LedgerImmutable))
        } else {
            Ok(())
        }
    }
}
