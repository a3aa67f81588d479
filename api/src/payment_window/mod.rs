//! The payment window of an order, or of the fee of an exchange in it: what the gateway's script opens it with, and where it leads back to.

pub mod way_back;

use application::orders::find::FoundOrder;
use application::payment_methods;
use application::payments::approve::fee_of;
use application::payments::attempts::Attempt;
use domain::ids::{ClaimId, PaymentId};
use domain::order::OrderTerms;
use domain::payment::PaymentMethod;
use integrations::payment::WindowRequest;
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::AppState;
use crate::http::{AppError, AppResult};

/// Maximum length of an account holder's name: 40 bytes of Korean.
const HOLDER_MOST: usize = 13;

/// Description of an exchange fee at the gateway.
const FEE_NAME: &str = "교환 비용";

/// Parameters of the payment window.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Window {
    /// The payment.
    #[serde(rename = "_id")]
    id: PaymentId,
    /// The gateway's order id.
    order_id: String,
    /// Amount in the gateway's unit.
    amount: i64,
    /// Description of the goods.
    goods_name: String,
    /// Payment method.
    method: String,
    /// Address the browser returns to.
    return_url: String,
    /// The shop's client id at the gateway.
    client_id: String,
    /// Script of the payment window.
    script_url: String,
    /// Opaque text returned by the gateway.
    mall_reserved: String,
    /// Account holder of a virtual account.
    #[serde(skip_serializing_if = "Option::is_none")]
    vbank_holder: Option<String>,
    /// Hours until a virtual account expires.
    #[serde(skip_serializing_if = "Option::is_none")]
    vbank_valid_hours: Option<u32>,
    /// Name of the buyer.
    #[serde(skip_serializing_if = "Option::is_none")]
    buyer_name: Option<String>,
}

/// The window of a started payment.
pub(crate) async fn window(
    app: &AppState,
    found: &FoundOrder,
    attempt: &Attempt,
) -> AppResult<Window> {
    let terms = found.order.state.terms()?;
    let sender = app.open(&terms.sender).await?.map(|sender| sender.name);
    let claim = fee_of(app, attempt).await?;
    let by_deposit = attempt.started.method == PaymentMethod::Vbank;
    let holder = match &terms.deposit {
        _ if !by_deposit => None,
        Some(deposit) => app.open(deposit).await?.map(|deposit| deposit.depositor),
        None => sender.clone(),
    };
    let options = app
        .gateway
        .window(WindowRequest {
            method: payment_methods::word(attempt.started.method).to_owned(),
            order_id: attempt.gateway_order_id(),
            amount: attempt.started.amount,
            goods_name: goods_name(terms, claim),
            return_url: way_back::address(app, found.id, claim),
            mall_reserved: found.id.to_string(),
            holder: holder.map(|name| name.chars().take(HOLDER_MOST).collect()),
            valid_hours: by_deposit.then_some(app.settings.orders.deposit_hours),
        })
        .map_err(AppError::internal)?;
    Ok(Window {
        id: attempt.id,
        order_id: options.order_id,
        amount: options.amount,
        goods_name: options.goods_name,
        method: options.method,
        return_url: options.return_url,
        client_id: options.client_id,
        script_url: app.settings.payment.script_url.clone(),
        mall_reserved: options.mall_reserved,
        vbank_holder: options.vbank_holder,
        vbank_valid_hours: options.vbank_valid_hours,
        buyer_name: sender,
    })
}

/// `first product 외 2건`; `교환 비용` for what an exchange costs.
fn goods_name(terms: &OrderTerms, claim: Option<ClaimId>) -> String {
    if claim.is_some() {
        return FEE_NAME.to_owned();
    }
    let first = terms
        .purchases
        .first()
        .map(|purchase| purchase.name.clone())
        .unwrap_or_default();
    match terms.purchases.len().saturating_sub(1) {
        0 => first,
        others => format!(
            "{} 외 {others}건",
            first.chars().take(30).collect::<String>()
        ),
    }
}
