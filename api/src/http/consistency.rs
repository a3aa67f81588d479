//! Read-your-writes: a command returns `X-Position`, and subsequent reads send it as `X-Wait-Position`.
//!
//! A list handler takes a [`ConsistencyToken`], waits for its read models and responds with the outcome: `let fresh =
//! token.until(&app, &["orders"]).await?; ... Ok(fresh.answer(body))`.

use crate::http::{ApiError, ApiResult, AppResult};
use std::time::Duration;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use event_store::WaitOutcome;
use serde::Serialize;

use super::body::Json;
use super::operation::{OperationInput, OperationOutput, Signature};
use super::query::invalid_query;
use crate::app::AppState;
use application::executor::CommandOutcome;

/// Position of the log after a command, or of the read models at a read.
pub const POSITION: HeaderName = HeaderName::from_static("x-position");
/// The position a read waits for.
pub const WAIT_POSITION: HeaderName = HeaderName::from_static("x-wait-position");
/// Set when the read models did not reach the position in time.
pub const STALE: HeaderName = HeaderName::from_static("x-stale");
/// Set when the outcome of an earlier request with the same key is returned.
pub const REPLAY: HeaderName = HeaderName::from_static("idempotent-replay");

/// Maximum wait of a read.
pub(crate) const PATIENCE: Duration = Duration::from_millis(1_500);

/// The position a read waits for, if any.
#[derive(Clone, Copy, Debug)]
pub struct ConsistencyToken(Option<i64>);

impl<S: Send + Sync> FromRequestParts<S> for ConsistencyToken {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> ApiResult<Self> {
        let Some(value) = parts.headers.get(&WAIT_POSITION) else {
            return Ok(Self(None));
        };
        let position = value
            .to_str()
            .ok()
            .and_then(|text| text.trim().parse().ok());
        position
            .filter(|position| *position >= 0)
            .map(|position| Self(Some(position)))
            .ok_or_else(|| invalid_query("X-Wait-Position").into())
    }
}

impl OperationInput for ConsistencyToken {
    fn describe(signature: &mut Signature) {
        signature.waits();
    }
}

impl<T> OperationOutput for ApiResponse<T> {
    fn describe(signature: &mut Signature) {
        signature.has_position();
    }
}

impl ConsistencyToken {
    /// Waits, at most 1.5 seconds, until these projections reach the position.
    ///
    /// # Errors
    /// Database errors.
    pub async fn until(self, app: &AppState, projections: &[&str]) -> AppResult<Freshness> {
        let Some(position) = self.0 else {
            return Ok(Freshness(None));
        };
        Ok(Freshness(Some(
            app.store.wait_for(projections, position, PATIENCE).await?,
        )))
    }
}

/// Outcome of the wait.
#[derive(Clone, Copy, Debug)]
pub struct Freshness(Option<WaitOutcome>);

impl Freshness {
    /// For reads that replay the log itself.
    pub const LOG: Self = Self(None);

    /// 200 with this body.
    pub fn answer<T: Serialize>(self, body: T) -> ApiResponse<T> {
        let (position, stale) = match self.0 {
            Some(WaitOutcome::Reached(position)) => (Some(position), false),
            Some(WaitOutcome::Stale(_)) => (None, true),
            None => (None, false),
        };
        ApiResponse {
            status: StatusCode::OK,
            position,
            stale,
            replayed: false,
            body,
        }
    }
}

/// A response with its position.
#[derive(Clone, Debug)]
pub struct ApiResponse<T> {
    status: StatusCode,
    position: Option<i64>,
    stale: bool,
    replayed: bool,
    body: T,
}

/// Builds responses from outcomes of commands.
pub trait Respond {
    /// 200 with this body and the position.
    fn answer<T: Serialize>(&self, body: T) -> ApiResponse<T>;
    /// 202 with this body and the position.
    fn accepted<T: Serialize>(&self, body: T) -> ApiResponse<T>;
    /// 201 with this body and the position.
    fn created<T: Serialize>(&self, body: T) -> ApiResponse<T>;
}

impl Respond for CommandOutcome {
    fn answer<T: Serialize>(&self, body: T) -> ApiResponse<T> {
        ApiResponse::done(StatusCode::OK, body, self)
    }

    fn accepted<T: Serialize>(&self, body: T) -> ApiResponse<T> {
        ApiResponse::done(StatusCode::ACCEPTED, body, self)
    }

    fn created<T: Serialize>(&self, body: T) -> ApiResponse<T> {
        ApiResponse::done(StatusCode::CREATED, body, self)
    }
}

impl<T> ApiResponse<T> {
    pub(crate) fn done(status: StatusCode, body: T, done: &CommandOutcome) -> Self {
        Self {
            status,
            position: done.position,
            stale: false,
            replayed: done.replayed,
            body,
        }
    }
}

impl<T: Serialize> IntoResponse for ApiResponse<T> {
    fn into_response(self) -> Response {
        let mut response = (self.status, Json(self.body)).into_response();
        let headers = response.headers_mut();
        if let Some(position) = self.position {
            headers.insert(POSITION, HeaderValue::from(position));
        }
        if self.stale {
            headers.insert(STALE, HeaderValue::from_static("1"));
        }
        if self.replayed {
            headers.insert(REPLAY, HeaderValue::from_static("1"));
        }
        response
    }
}
