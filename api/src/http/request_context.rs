//! Middleware around every request: its id, its log line, and the body of error responses.
//!
//! The log contains the route, but no query, body, token or personal data.

use crate::http::error::code_of;
use crate::http::{ApiError, AppError};
use std::any::Any;
use std::time::Instant;

use axum::extract::{MatchedPath, Request};
use axum::http::{HeaderName, HeaderValue, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use tracing::Instrument;
use uuid::Uuid;

use super::body::Json;
use crate::metrics;

/// The id of a request: in its log lines, its error body and the header `X-Request-Id`, and the correlation id of its events.
#[derive(Clone, Copy, Debug)]
pub struct RequestId(pub Uuid);

/// Marks a request of the program to itself (seeding), which is logged at debug level only.
#[derive(Clone, Copy, Debug)]
pub struct Unlogged;

/// The header with the request id.
pub const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The outermost middleware of the API and the pages.
pub(crate) async fn around(mut request: Request, next: Next) -> Response {
    let id = Uuid::now_v7();
    request.extensions_mut().insert(RequestId(id));
    let id = id.to_string();
    let method = request.method().clone();
    let path = request.uri().path().to_owned();
    let route = request
        .extensions()
        .get::<MatchedPath>()
        .map_or("-", MatchedPath::as_str)
        .to_owned();
    let unlogged = request.extensions().get::<Unlogged>().is_some();
    let started = Instant::now();
    let span = tracing::info_span!("request", request_id = %id);
    let response = finished(request, next).instrument(span).await;
    let code = response
        .extensions()
        .get::<ApiError>()
        .map_or("-", |error| error.code().as_str());
    let milliseconds = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
    let status = response.status().as_u16();
    metrics::answered(method.as_str(), &route, status, started.elapsed());
    if unlogged {
        tracing::debug!(request_id = %id, %method, route, status, code, milliseconds, "answered");
    } else {
        tracing::info!(request_id = %id, %method, route, status, code, milliseconds, "answered");
    }
    let mut response = if speaks_json(&path) {
        with_body(response, &id)
    } else {
        response
    };
    if let Ok(value) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(REQUEST_ID, value);
    }
    response
}

/// Runs a request to completion even if the client disconnects: a command may be between two dependent steps.
async fn finished(request: Request, next: Next) -> Response {
    if request.method().is_safe() {
        return next.run(request).await;
    }
    let running = tokio::spawn(next.run(request).in_current_span());
    running
        .await
        .unwrap_or_else(|error| ApiError::from(AppError::internal(error)).into_response())
}

/// Converts a panic in a handler to an error response; its text is only logged.
pub fn after_panic(panic: Box<dyn Any + Send + 'static>) -> Response {
    let text = panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("a panic without words");
    ApiError::from(AppError::internal(anyhow::anyhow!("panic: {text}"))).into_response()
}

fn speaks_json(path: &str) -> bool {
    path.starts_with("/api/")
        || path.starts_with("/plugins/")
        || path.starts_with("/files/")
        || path == "/health"
        || path == "/ready"
}

/// Writes the body of an error response; errors without a handler (an unknown address, a wrong method) get their code here.
fn with_body(response: Response, request_id: &str) -> Response {
    let (mut parts, body) = response.into_parts();
    let error = match parts.extensions.remove::<ApiError>() {
        Some(error) => error,
        None if parts.headers.contains_key(header::CONTENT_TYPE) => {
            return Response::from_parts(parts, body);
        }
        None => match code_of(parts.status) {
            Some(code) => AppError::new(code).into(),
            None => return Response::from_parts(parts, body),
        },
    };
    error.log(request_id);
    let answer = (error.status(), Json(error.body(request_id))).into_response();
    let (mut answered, body) = answer.into_parts();
    // Allow, Retry-After and the like are kept; the length changes with the body.
    parts.headers.remove(header::CONTENT_LENGTH);
    parts.headers.extend(
        answered
            .headers
            .drain()
            .filter_map(|(name, value)| Some((name?, value))),
    );
    parts.status = answered.status;
    Response::from_parts(parts, body)
}
