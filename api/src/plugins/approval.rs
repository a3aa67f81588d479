//! POST /api/plugins/pay/approval: receives the fields of the return page as JSON, for clients that stay on the page.

use axum::extract::State;
use domain::forms::{FormErrors, REQUIRED, Validate};
use domain::order::Reader;
use integrations::payment::ReturnForm;
use serde::Deserialize;
use serde_json::Value;
use utoipa::ToSchema;

use crate::app::AppState;
use crate::http::{ApiResult, Json, OrderViewer, ValidJson};
use crate::shop::orders::detail::{OrderAnswer, detail};
use application::orders::find::FoundOrder;
use application::payments::approve::complete;
use application::payments::attempts::Attempt;

/// Fields returned by the payment window.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Approval {
    /// `0000` when the buyer authenticated.
    #[serde(default = "authenticated")]
    auth_result_code: String,
    /// Message of the gateway.
    #[serde(default)]
    auth_result_msg: String,
    /// The gateway's transaction id.
    tid: String,
    /// The shop's client id at the gateway.
    #[serde(default)]
    client_id: Option<String>,
    /// The gateway's order id of the payment.
    order_id: String,
    /// Amount in the gateway's unit, as a number or text.
    #[schema(value_type = i64)]
    amount: Value,
    /// One-time token.
    auth_token: String,
    /// Signature of the gateway.
    signature: String,
}

fn authenticated() -> String {
    "0000".to_owned()
}

impl Validate for Approval {
    fn check(&self, errors: &mut FormErrors) {
        errors.text("orderId", &self.order_id, REQUIRED);
    }
}

/// Complete a payment.
#[utoipa::path(
    post, path = "/api/plugins/pay/approval", tag = "pay", operation_id = "approvePayment", security(("access" = [])),
    request_body = Approval, responses((status = OK, body = OrderAnswer), (status = CONFLICT, description = "payment_refused"))
)]
pub(crate) async fn approval(
    State(app): State<AppState>,
    who: OrderViewer,
    ValidJson { body, .. }: ValidJson<Approval>,
) -> ApiResult<Json<OrderAnswer>> {
    let attempt = Attempt::by_gateway_id(&app, &body.order_id).await?;
    who.reaches(attempt.started.order, attempt.started.member)?;
    let paid = complete(&app, &body.form(&app)).await?;
    let found = FoundOrder::by_id(&app, paid.order).await?;
    let order = detail(&app, &found, Reader::Buyer).await?;
    Ok(Json(OrderAnswer { order }))
}

impl Approval {
    fn form(self, app: &AppState) -> ReturnForm {
        ReturnForm {
            auth_result_code: self.auth_result_code,
            auth_result_msg: self.auth_result_msg,
            tid: self.tid,
            client_id: self
                .client_id
                .unwrap_or_else(|| app.settings.payment.client_key.clone()),
            order_id: self.order_id,
            amount: match self.amount {
                Value::String(text) => text,
                other => other.to_string(),
            },
            mall_reserved: String::new(),
            auth_token: self.auth_token,
            signature: self.signature,
        }
    }
}
