//! Alarms of members, and what staff send to many: /api/console/shop/alarms and /api/console/users/alarms.

mod forms;
mod of_members;
mod sendings;

use utoipa_axum::router::OpenApiRouter;

use crate::app::AppState;

/// The calls.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .merge(sendings::routes())
        .merge(of_members::routes())
}
