//! A shop on a standby is read-only. Writes are rejected before they begin, because a part of them might be outside the database.

use crate::http::ApiError;
use crate::http::AppError;
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::app::AppState;

/// Middleware that rejects writes. A read that has to write (signing in) is rejected by the database, with the same code.
pub(crate) async fn only_reads(
    State(app): State<AppState>,
    request: Request,
    next: Next,
) -> Response {
    if app.standby.is() && !request.method().is_safe() {
        return ApiError::from(AppError::read_only()).into_response();
    }
    next.run(request).await
}
