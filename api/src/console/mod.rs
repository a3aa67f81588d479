//! The back office: what staff does, and what a seller does with their own rows.

pub mod categories;
pub mod invoices;
pub mod orders;
pub mod people;
pub mod period;
pub mod purchases;
pub mod records;
pub mod refusals;

use utoipa_axum::router::OpenApiRouter;

use crate::app::AppState;

/// Every call of the back office.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .merge(purchases::routes())
        .merge(orders::routes())
        .merge(invoices::routes())
        .merge(records::routes())
        .merge(categories::routes())
        .merge(refusals::routes())
}
