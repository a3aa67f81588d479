//! Invoices: the shipments of purchases, with courier and tracking number.

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

/// The routes.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list::list, refused::create))
        .routes(routes!(show::show, ship::ship, refused::remove))
}

/// A shipment, or a purchase that has to be sent.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InvoiceRow {
    /// The purchase in it.
    purchase_no: String,
    /// Product name.
    name: String,
    /// Pieces.
    quantity: u32,
    /// Name of the receiver; null once erased.
    receiver_name: Option<String>,
    /// Status of the purchase.
    order_status: OrderStatus,
    /// Korean text of the status.
    status_text: String,
    /// Courier code.
    courier: Option<String>,
    /// The courier's name.
    courier_name: Option<&'static str>,
    /// Tracking number.
    invoice_no: Option<String>,
    /// URL to track it.
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
