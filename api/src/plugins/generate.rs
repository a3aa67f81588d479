//! POST /api/plugins/nicepayments/generate/{type}: prepares the payment window of an order, or of the fee of an exchange in it. An open
//! window is reused.

use application::executor::CommandContext;
use application::orders::find::FoundOrder;
use application::orders::form;
use application::payment_methods;
use application::payments::attempts::Attempt;
use application::payments::start::{start, start_fee};
use axum::extract::State;
use domain::forms::{FormErrors, Validate};
use domain::ids::{ClaimId, OrderId};
use domain::payment::PaymentMethod;
use domain::personal::BankAccount;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app::AppState;
use crate::http::{ApiResponse, ApiResult, AppResult, OrderViewer, Path, Respond, ValidJson};
use crate::payment_window::{Window, window};

/// The subject of the payment: the last segment of the address.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum PaymentSubject {
    /// An order, or the fee of an exchange in it.
    Order,
}

/// What to pay, and the payment method.
#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WindowForm {
    /// The order.
    #[serde(rename = "_order")]
    order: OrderId,
    /// The exchange whose fee to pay; none for the order itself.
    #[serde(rename = "_claim", default)]
    claim: Option<ClaimId>,
    /// Payment method; defaults to the order's. A fee is paid only by a method that charges at once.
    #[serde(default)]
    method: Option<PaymentMethod>,
    /// Refund account of a virtual-account payment, unless the order has one.
    #[serde(default)]
    account: Option<BankAccount>,
}

/// Response with the payment window.
#[derive(Serialize, ToSchema)]
pub struct WindowAnswer {
    /// Parameters of the window.
    payment: Window,
}

impl Validate for WindowForm {
    fn check(&self, errors: &mut FormErrors) {
        errors.when(
            self.method.is_none_or(payment_methods::is_offered),
            "method",
            "method",
            payment_methods::NOT_OFFERED,
        );
        if self.account.is_some() {
            form::account(errors, "account", self.account.as_ref());
        }
    }
}

/// Prepare a payment.
#[utoipa::path(
    post, path = "/api/plugins/nicepayments/generate/{type}", tag = "pay", operation_id = "generatePayment",
    security(("access" = [])), params(("type" = inline(PaymentSubject), Path)), request_body = WindowForm,
    responses((status = OK, body = WindowAnswer), (status = CONFLICT, description = "not_allowed_now"))
)]
pub(crate) async fn nicepayments(
    State(app): State<AppState>,
    who: OrderViewer,
    Path(subject): Path<PaymentSubject>,
    ValidJson { body, origin }: ValidJson<WindowForm>,
) -> ApiResult<ApiResponse<WindowAnswer>> {
    match subject {
        PaymentSubject::Order => {
            let command = CommandContext::new("start-payment", who.actor(), &origin);
            Ok(generate(&app, &who, &body, &command).await?)
        }
    }
}

/// Prepare a payment, independent of the provider.
#[utoipa::path(
    post, path = "/api/plugins/pay/generate", tag = "pay", operation_id = "generatePaymentAny", security(("access" = [])),
    request_body = WindowForm,
    responses((status = OK, body = WindowAnswer), (status = CONFLICT, description = "not_allowed_now"))
)]
pub(crate) async fn pay(
    State(app): State<AppState>,
    who: OrderViewer,
    ValidJson { body, origin }: ValidJson<WindowForm>,
) -> ApiResult<ApiResponse<WindowAnswer>> {
    Ok(generate(
        &app,
        &who,
        &body,
        &CommandContext::new("start-payment", who.actor(), &origin),
    )
    .await?)
}

async fn generate(
    app: &AppState,
    who: &OrderViewer,
    form: &WindowForm,
    command: &CommandContext,
) -> AppResult<ApiResponse<WindowAnswer>> {
    let found = FoundOrder::own(app, &form.order.to_string(), who).await?;
    let done = match form.claim {
        Some(claim) => start_fee(app, command, &found, claim, form.method).await?,
        None => start(app, command, &found, form.method, form.account.as_ref()).await?,
    };
    let attempt = Attempt::load(app, done.result()?).await?;
    Ok(done.answer(WindowAnswer {
        payment: window(app, &found, &attempt).await?,
    }))
}
