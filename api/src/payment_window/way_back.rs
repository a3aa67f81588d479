//! Return address of the payment window: it names the order, and the exchange whose fee is paid, because a closed window returns
//! nothing about them. They are authenticated with the shop's key, so that changing them reveals no other order.

use application::payments::approve::PaymentSubject;
use domain::ids::{ClaimId, OrderId};
use integrations::payment::sign::signatures_match;
use serde::Deserialize;
use utoipa::IntoParams;

use crate::app::AppState;

/// The page the browser is posted to.
pub const PATH: &str = "/plugins/nicepayments/response";
/// Label of the authentication key.
const SCOPE: &str = "payment-way-back";

/// Parameters of the address.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct WayBack {
    /// The order the window was opened for.
    #[serde(default)]
    order: Option<String>,
    /// The exchange whose fee is paid; none for the order itself.
    #[serde(default)]
    claim: Option<String>,
    /// Their authentication code.
    #[serde(default)]
    seal: Option<String>,
}

impl WayBack {
    /// Parses the address; empty if it is malformed, because the form is processed anyway.
    pub fn read(query: Option<&str>) -> Self {
        serde_urlencoded::from_str(query.unwrap_or_default()).unwrap_or_default()
    }

    /// The subject of the payment, if the authentication code is valid.
    pub fn subject(&self, app: &AppState) -> Option<PaymentSubject> {
        let order = self.order.as_deref()?.parse().ok()?;
        let claim = match self.claim.as_deref() {
            Some(claim) => Some(claim.parse().ok()?),
            None => None,
        };
        let given = self.seal.as_deref()?;
        signatures_match(&seal(app, order, claim), given).then_some(PaymentSubject { order, claim })
    }
}

/// The return address for the window of an order, or of the fee of an exchange in it.
pub fn address(app: &AppState, order: OrderId, claim: Option<ClaimId>) -> String {
    let seal = seal(app, order, claim);
    let claim = claim.map(|claim| format!("&claim={claim}"));
    format!(
        "{}{PATH}?order={order}{}&seal={seal}",
        app.settings.server.public_url,
        claim.unwrap_or_default()
    )
}

fn seal(app: &AppState, order: OrderId, claim: Option<ClaimId>) -> String {
    let subject = match claim {
        Some(claim) => format!("{order} {claim}"),
        None => order.to_string(),
    };
    hex::encode(app.keys.lookup_hash(SCOPE, &subject))
}
