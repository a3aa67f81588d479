//! Security headers. API responses forbid everything to browsers; pages have their own policy (see [`super::web`]).

use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::Response;

/// Headers of every response.
const ALWAYS: [(HeaderName, HeaderValue); 5] = [
    (
        header::X_CONTENT_TYPE_OPTIONS,
        HeaderValue::from_static("nosniff"),
    ),
    (
        header::X_FRAME_OPTIONS,
        HeaderValue::from_static("SAMEORIGIN"),
    ),
    (
        header::REFERRER_POLICY,
        HeaderValue::from_static("strict-origin-when-cross-origin"),
    ),
    (
        HeaderName::from_static("permissions-policy"),
        HeaderValue::from_static("camera=(), microphone=(), geolocation=(self), payment=(self)"),
    ),
    // A payment window may be a pop-up that responds to its opener.
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        HeaderValue::from_static("same-origin-allow-popups"),
    ),
];

/// The policy of a response without its own.
const NOTHING: HeaderValue = HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'");

/// Whether browsers reach the shop over https, so that HSTS may be sent.
#[derive(Clone, Copy, Debug)]
pub struct Https(pub bool);

/// Adds missing headers.
pub(crate) async fn secure(
    State(Https(https)): State<Https>,
    request: Request,
    next: Next,
) -> Response {
    let mut response = next.run(request).await;
    let status = response.status();
    let headers = response.headers_mut();
    for (name, value) in ALWAYS {
        headers.insert(name, value);
    }
    // "Not modified" keeps the policy the client has cached with the page.
    if status != StatusCode::NOT_MODIFIED {
        headers
            .entry(header::CONTENT_SECURITY_POLICY)
            .or_insert(NOTHING);
    }
    headers
        .entry(header::CACHE_CONTROL)
        .or_insert(HeaderValue::from_static("no-store"));
    if https {
        headers.insert(
            header::STRICT_TRANSPORT_SECURITY,
            HeaderValue::from_static("max-age=31536000; includeSubDomains"),
        );
    }
    response
}
