//! Return address of the payment window: it names the order, because a closed window returns nothing about it. The order id is
//! authenticated with the shop's key, so that changing it reveals no other order.

use domain::ids::OrderId;
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
    /// Its authentication code.
    #[serde(default)]
    seal: Option<String>,
}

impl WayBack {
    /// Parses the address; empty if it is malformed, because the form is processed anyway.
    pub fn read(query: Option<&str>) -> Self {
        serde_urlencoded::from_str(query.unwrap_or_default()).unwrap_or_default()
    }

    /// The order, if the authentication code is valid.
    pub fn order(&self, app: &AppState) -> Option<OrderId> {
        let order = self.order.as_deref()?.parse().ok()?;
        let given = self.seal.as_deref()?;
        signatures_match(&seal(app, order), given).then_some(order)
    }
}

/// The return address for an order's window.
pub fn address(app: &AppState, order: OrderId) -> String {
    let seal = seal(app, order);
    format!(
        "{}{PATH}?order={order}&seal={seal}",
        app.settings.server.public_url
    )
}

fn seal(app: &AppState, order: OrderId) -> String {
    hex::encode(app.keys.lookup_hash(SCOPE, &order.to_string()))
}
