//! Counts of visitors' actions in the shop, and of what waits for staff and sellers.

pub mod banners;
pub mod waiting;

use utoipa_axum::router::OpenApiRouter;

use crate::app::AppState;
use crate::http::routes;

/// The routes.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(banners::list))
        .routes(routes!(waiting::show))
}
