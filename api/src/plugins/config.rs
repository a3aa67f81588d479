//! GET /api/plugins/nicepayments/config: what the browser needs to know of the payment service.

use axum::extract::State;
use domain::forms::BANKS;
use domain::order::PaymentMethod;
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::AppState;
use crate::http::Json;
use crate::settings::is_local;

/// Ways to pay.
pub const METHODS: [&str; 4] = ["card", "bank", "vbank", "cellphone"];

/// What a buyer is told who wants to pay otherwise.
pub const NOT_OFFERED: &str = "사용할 수 없는 결제 수단입니다.";

/// Whether buyers may pay this way.
pub fn is_offered(method: PaymentMethod) -> bool {
    METHODS.contains(&word(method))
}

/// The service's word for a way to pay.
pub const fn word(method: PaymentMethod) -> &'static str {
    match method {
        PaymentMethod::Card => "card",
        PaymentMethod::Bank => "bank",
        PaymentMethod::Vbank => "vbank",
        PaymentMethod::Cellphone => "cellphone",
        PaymentMethod::Free => "free",
    }
}

/// How to reach the payment service.
#[derive(Serialize, ToSchema)]
pub struct ConfigAnswer {
    /// That.
    config: Config,
}

/// How to reach the payment service.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Config {
    /// The shop's name there.
    client_id: String,
    /// Script of the payment window.
    script_url: String,
    /// Ways to pay.
    methods: Vec<&'static str>,
    /// Banks a refund account can be at.
    banks: Vec<Bank>,
    /// For how many hours a virtual account waits for its deposit.
    deposit_hours: u32,
    /// No money moves.
    sandbox: bool,
}

/// A bank.
#[derive(Serialize, ToSchema)]
pub struct Bank {
    /// Three digits.
    code: &'static str,
    /// As people know it.
    name: &'static str,
}

fn of(app: &AppState) -> Json<ConfigAnswer> {
    let payment = &app.settings.payment;
    Json(ConfigAnswer {
        config: Config {
            client_id: payment.client_key.clone(),
            script_url: payment.script_url.clone(),
            methods: METHODS.to_vec(),
            banks: BANKS
                .iter()
                .map(|&(code, name)| Bank { code, name })
                .collect(),
            deposit_hours: app.settings.orders.deposit_hours,
            sandbox: is_local(&payment.base_url),
        },
    })
}

/// The payment service.
#[utoipa::path(get, path = "/api/plugins/nicepayments/config", tag = "pay", operation_id = "payConfig", responses((status = OK, body = ConfigAnswer)))]
pub(crate) async fn nicepayments(State(app): State<AppState>) -> Json<ConfigAnswer> {
    of(&app)
}

/// The payment service, whichever it is.
#[utoipa::path(get, path = "/api/plugins/pay/config", tag = "pay", operation_id = "payConfigAny", responses((status = OK, body = ConfigAnswer)))]
pub(crate) async fn pay(State(app): State<AppState>) -> Json<ConfigAnswer> {
    of(&app)
}
