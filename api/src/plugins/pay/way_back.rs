//! Where the browser comes back to after the payment window: the address names the order, because a window that was closed
//! brings nothing about it. The name is sealed with the shop's key, so nobody learns of another's order by changing it.

use domain::ids::OrderId;
use serde::Deserialize;
use utoipa::IntoParams;

use crate::app::AppState;
use crate::integrations::payment::sign::same;

/// The page the browser is posted to.
pub const PATH: &str = "/plugins/nicepayments/response";
/// What the seal is for.
const SCOPE: &str = "payment-way-back";

/// What the address says.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct WayBack {
    /// The order the window was opened for.
    #[serde(default)]
    order: Option<String>,
    /// The seal on it.
    #[serde(default)]
    seal: Option<String>,
}

impl WayBack {
    /// What an address says; nothing if it cannot be read, because what the browser brings counts all the same.
    pub fn read(query: Option<&str>) -> Self {
        serde_urlencoded::from_str(query.unwrap_or_default()).unwrap_or_default()
    }

    /// The order, if the seal is the shop's.
    pub fn order(&self, app: &AppState) -> Option<OrderId> {
        let order = self.order.as_deref()?.parse().ok()?;
        let given = self.seal.as_deref()?;
        same(&seal(app, order), given).then_some(order)
    }
}

/// The address for an order's window.
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
