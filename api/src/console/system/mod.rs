//! State of the background processes.

pub mod projections;

use utoipa_axum::router::OpenApiRouter;

use crate::app::AppState;

/// The routes.
pub fn routes() -> OpenApiRouter<AppState> {
    projections::routes()
}
