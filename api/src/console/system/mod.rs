//! How the machinery behind the shop is.

pub mod projections;

use utoipa_axum::router::OpenApiRouter;

use crate::app::AppState;

/// The calls.
pub fn routes() -> OpenApiRouter<AppState> {
    projections::routes()
}
