//! What people did in the shop, counted.

pub mod banners;

use utoipa_axum::router::OpenApiRouter;

use crate::app::AppState;
use crate::http::routes;

/// The calls.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(banners::list))
}
