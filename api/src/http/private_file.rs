//! Responses with a file that only some readers may have.

use axum::http::{HeaderName, header};
use axum::response::{IntoResponse, Response};

/// A response with a file that browsers neither store nor open as a page.
pub(crate) fn private_file(content_type: &str, bytes: Vec<u8>) -> Response {
    let headers: [(HeaderName, &str); 3] = [
        (header::CONTENT_TYPE, content_type),
        (header::CACHE_CONTROL, "private, no-store"),
        (header::CONTENT_DISPOSITION, "attachment"),
    ];
    (headers, bytes).into_response()
}
