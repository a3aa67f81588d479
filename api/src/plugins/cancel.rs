//! POST /api/plugins/nicepayments/cancel: abandons a payment that was not charged; staff can also cancel a paid order.

use axum::extract::State;
use domain::Actor;
use domain::forms::{FormErrors, REASON, Validate};
use domain::ids::PaymentId;
use domain::member::Scope;
use domain::order::{CancelReason, CanceledBy, ParcelRules, Reader};
use domain::payment::{Payment, PaymentCommand, PaymentStage};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::app::AppState;
use crate::http::{ApiResponse, ApiResult, OrderViewer, ValidJson};
use crate::shop::orders::detail::{OrderAnswer, after};
use application::executor::CommandContext;
use application::orders::cancel::{Cancel, cancel};
use application::payments::attempts::Attempt;
use application::payments::record;

/// Reason stored in the payment. The reason given by staff is in the command's metadata.
const GIVEN_UP: &str = "결제 취소";

/// The payment to abandon.
#[derive(Deserialize, ToSchema)]
pub struct GiveUp {
    /// The payment.
    #[serde(rename = "_payment")]
    payment: PaymentId,
    /// Reason; a buyer's is not stored, because nothing was charged.
    reason: String,
}

impl Validate for GiveUp {
    fn check(&self, errors: &mut FormErrors) {
        errors.text("reason", &self.reason, REASON);
    }
}

/// Abandon a payment.
#[utoipa::path(
    post, path = "/api/plugins/nicepayments/cancel", tag = "pay", operation_id = "cancelPayment", security(("access" = [])),
    request_body = GiveUp, responses((status = OK, body = OrderAnswer), (status = CONFLICT, description = "not_allowed_now"))
)]
pub(crate) async fn give_up(
    State(app): State<AppState>,
    who: OrderViewer,
    ValidJson { body, origin }: ValidJson<GiveUp>,
) -> ApiResult<ApiResponse<OrderAnswer>> {
    let attempt = Attempt::load(&app, body.payment).await?;
    let order = attempt.started.order;
    let staff = who.session.as_ref();
    let staff = staff.filter(|session| session.scope.contains(&Scope::Console));
    let staff = staff.map(|session| session.user);
    if staff.is_none() {
        who.reaches(order, attempt.started.member)?;
    }
    let actor = staff.map_or_else(|| who.actor(), |id| Actor::Operator { id });
    let mut command = CommandContext::new("cancel-payment", actor, &origin);
    if staff.is_some() {
        command = command.with_reason(body.reason.clone());
    }
    let done = match (staff, attempt.payment.state.stage) {
        // A fee that is paid belongs to its exchange, which is not undone by canceling the order.
        (Some(_), PaymentStage::Approved) if attempt.started.user_payment.is_none() => {
            let request = Cancel {
                order,
                by: CanceledBy::Staff,
                pieces: None,
                parcels: ParcelRules::default(),
                reason: CancelReason::plain(body.reason),
                shown: None,
            };
            cancel(&app, &command, &request).await?
        }
        (_, stage) => {
            let reason = GIVEN_UP.to_owned();
            if stage == PaymentStage::AccountIssued {
                let input = PaymentCommand::CloseAccount { reason };
                record::close_account(&app, &command, attempt.id, &input).await?
            } else {
                let input = PaymentCommand::Abandon { reason };
                app.executor
                    .execute::<Payment>(&command, attempt.id, input)
                    .await?
            }
        }
    };
    let reader = if staff.is_some() {
        Reader::Staff
    } else {
        Reader::Buyer
    };
    Ok(after(&app, &done, order, reader).await?)
}
