//! Invoices: what is on its way, and with which courier.

pub mod list;
pub mod refused;
pub mod ship;
pub mod show;

use domain::order::OrderStatus;
use projections::orders::{COURIERS, ConsolePurchase};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use crate::app::AppState;
use crate::http::routes;

/// The calls.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list::list, refused::create))
        .routes(routes!(show::show, ship::ship, refused::remove))
}

/// A parcel, or one that has to be sent.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InvoiceRow {
    /// The purchase in it.
    purchase_no: String,
    /// Product name.
    name: String,
    /// Pieces.
    quantity: u32,
    /// Who gets it; none: forgotten.
    receiver_name: Option<String>,
    /// How far it is.
    order_status: OrderStatus,
    /// What the screen calls that.
    status_text: String,
    /// Courier code.
    courier: Option<String>,
    /// The courier's name.
    courier_name: Option<&'static str>,
    /// Invoice number.
    invoice_no: Option<String>,
    /// Where it can be followed.
    tracking_url: Option<String>,
}

impl From<ConsolePurchase> for InvoiceRow {
    fn from(row: ConsolePurchase) -> Self {
        let ConsolePurchase {
            purchase,
            receiver_name,
            ..
        } = row;
        let known = COURIERS
            .iter()
            .find(|courier| Some(courier.code) == purchase.courier.as_deref());
        Self {
            purchase_no: purchase.purchase_no,
            name: purchase.name,
            quantity: purchase.quantity,
            receiver_name,
            order_status: purchase.order_status,
            status_text: purchase.status_text,
            courier: purchase.courier,
            courier_name: known.map(|courier| courier.name),
            invoice_no: purchase.invoice_no,
            tracking_url: purchase.tracking_url,
        }
    }
}
