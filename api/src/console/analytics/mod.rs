//! What people did in the shop, counted.

pub mod banners;

use crate::http::routes;
use utoipa_axum::router::OpenApiRouter;

use crate::app::AppState;

/// The calls.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(banners::list))
}
