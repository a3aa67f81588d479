//! GET /api/plugins/nicepayments/config: public configuration of the payment gateway.

use application::payment_methods::METHODS;
use axum::extract::State;
use domain::forms::BANKS;
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::AppState;
use crate::http::Json;
use crate::settings::is_local;

/// Response with the gateway configuration.
#[derive(Serialize, ToSchema)]
pub struct ConfigAnswer {
    /// The configuration.
    config: Config,
}

/// Public configuration of the payment gateway.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Config {
    /// The shop's client id at the gateway.
    client_id: String,
    /// Script of the payment window.
    script_url: String,
    /// Payment methods.
    methods: Vec<&'static str>,
    /// Banks for refund accounts.
    banks: Vec<Bank>,
    /// Hours until a virtual account expires.
    deposit_hours: u32,
    /// Whether payments are simulated.
    sandbox: bool,
}

/// A bank.
#[derive(Serialize, ToSchema)]
pub struct Bank {
    /// Three digits.
    code: &'static str,
    /// Display name.
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

/// Configuration of the payment gateway.
#[utoipa::path(get, path = "/api/plugins/nicepayments/config", tag = "pay", operation_id = "payConfig", responses((status = OK, body = ConfigAnswer)))]
pub(crate) async fn nicepayments(State(app): State<AppState>) -> Json<ConfigAnswer> {
    of(&app)
}

/// Configuration of the payment gateway, independent of the provider.
#[utoipa::path(get, path = "/api/plugins/pay/config", tag = "pay", operation_id = "payConfigAny", responses((status = OK, body = ConfigAnswer)))]
pub(crate) async fn pay(State(app): State<AppState>) -> Json<ConfigAnswer> {
    of(&app)
}
