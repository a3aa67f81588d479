//! The back office: what staff does, and what a seller does with their own rows.

pub mod categories;
pub mod people;
pub mod records;

use utoipa_axum::router::OpenApiRouter;

use crate::app::AppState;

/// Every call of the back office.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().merge(records::routes()).merge(categories::routes())
}
