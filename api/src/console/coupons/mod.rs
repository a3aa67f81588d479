//! /api/console/shop/coupons beside the records: what became of the coupons, and whom one would reach before it is saved,
//! coupons for many members at once, and codes to print.

mod codes;
mod grants;
mod reach;
mod statistics;

use utoipa_axum::router::OpenApiRouter;

use crate::app::AppState;
use crate::http::routes;

/// The calls.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(statistics::list))
        .routes(routes!(statistics::show))
        .routes(routes!(reach::reach))
        .merge(codes::routes())
        .merge(grants::routes())
}
