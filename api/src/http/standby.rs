//! A shop on a standby shows what there is. What would write is refused before it begins: half of it might be outside the
//! database.

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::error::ApiError;
use crate::app::AppState;

/// The middleware that says so. A read that turns out to write something (signing in) is refused by the database, with the same
/// code.
pub(crate) async fn only_reads(
    State(app): State<AppState>,
    request: Request,
    next: Next,
) -> Response {
    if app.standby.is() && !request.method().is_safe() {
        return ApiError::read_only().into_response();
    }
    next.run(request).await
}
