//! The error type of the API. Handlers return [`ApiResult`]; use the small constructors, `?` for failures, and [`ApiError::new`]
//! with a [`Code`] for rejections.
//!
//! An `ApiError` records where it was created (`#[track_caller]`) and its cause; both are logged with the request id and never
//! returned. [`super::request_context`] writes the body, because it knows the request id.

use std::fmt;
use std::panic::Location;
use std::sync::Arc;

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use domain::record::FieldError;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::error_codes::Code;

/// Postgres error code of a missing table or view.
const UNDEFINED_TABLE: &str = "42P01";

/// Retry interval in seconds for writes to a standby, which may be promoted meanwhile.
const PROMOTED_WITHIN: u64 = 10;

/// Result of a handler.
pub type ApiResult<T> = Result<T, ApiError>;

/// A rejected or failed request.
#[derive(Clone)]
pub struct ApiError(Arc<Inside>);

#[derive(Clone)]
struct Inside {
    code: Code,
    message: Option<String>,
    fields: Vec<FieldError>,
    details: Option<Value>,
    retry_after: Option<u64>,
    cause: Option<Arc<anyhow::Error>>,
    origin: &'static Location<'static>,
}

/// Body of every error response.
#[derive(Serialize, ToSchema)]
pub struct ErrorBody {
    /// The error.
    pub error: ErrorDetail,
}

/// Details of an error.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ErrorDetail {
    /// Stable code, see the table at the top of this document.
    #[schema(example = "sold_out")]
    pub code: &'static str,
    /// Message for the user, in Korean.
    pub message: String,
    /// The invalid fields, if any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<FieldError>,
    /// Id of the request in the log.
    pub request_id: String,
    /// Data specific to the code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub details: Option<Value>,
}

impl ApiError {
    /// An error with the code's default message.
    #[track_caller]
    pub fn new(code: Code) -> Self {
        Self(Arc::new(Inside {
            code,
            message: None,
            fields: Vec::new(),
            details: None,
            retry_after: None,
            cause: None,
            origin: Location::caller(),
        }))
    }

    /// The resource does not exist, or belongs to another user.
    #[track_caller]
    pub fn not_found() -> Self {
        Self::new(Code::NotFound)
    }

    /// The caller has none of these scopes (spec V152); the app explains in Korean which are missing.
    #[track_caller]
    pub fn denied(scopes: &[&str]) -> Self {
        Self::new(Code::AccessDenied).with_details(serde_json::json!({ "scopes": scopes }))
    }

    /// Invalid fields.
    #[track_caller]
    pub fn invalid(fields: Vec<FieldError>) -> Self {
        Self::new(Code::Invalid).with_fields(fields)
    }

    /// One invalid field.
    #[track_caller]
    pub fn invalid_field(field: &str, code: &str, message: &str) -> Self {
        Self::invalid(vec![FieldError::new(field, code, message)])
    }

    /// The code of a record is taken.
    #[track_caller]
    pub fn code_taken() -> Self {
        let code = Code::CodeTaken;
        Self::new(code).with_fields(vec![FieldError::new("code", code.as_str(), code.message())])
    }

    /// An internal failure.
    #[track_caller]
    pub fn internal(cause: impl Into<anyhow::Error>) -> Self {
        Self::new(Code::Internal).caused_by(cause)
    }

    /// The database or a service is unavailable.
    #[track_caller]
    pub fn unavailable(cause: impl Into<anyhow::Error>) -> Self {
        Self::new(Code::Unavailable).caused_by(cause)
    }

    /// The database is a standby.
    #[track_caller]
    pub fn read_only() -> Self {
        Self::new(Code::ReadOnly).retry_after(PROMOTED_WITHIN)
    }

    /// Replaces the message.
    #[must_use]
    pub fn saying(self, message: impl Into<String>) -> Self {
        self.with(|inside| inside.message = Some(message.into()))
    }

    /// Adds fields.
    #[must_use]
    pub fn with_fields(self, fields: Vec<FieldError>) -> Self {
        self.with(|inside| inside.fields = fields)
    }

    /// Adds data specific to the code.
    #[must_use]
    pub fn with_details(self, details: Value) -> Self {
        self.with(|inside| inside.details = Some(details))
    }

    /// Sets `Retry-After`.
    #[must_use]
    pub fn retry_after(self, seconds: u64) -> Self {
        self.with(|inside| inside.retry_after = Some(seconds))
    }

    /// Adds the cause for the log.
    #[must_use]
    pub fn caused_by(self, cause: impl Into<anyhow::Error>) -> Self {
        self.with(|inside| inside.cause = Some(Arc::new(cause.into())))
    }

    /// The error code.
    pub fn code(&self) -> Code {
        self.0.code
    }

    /// The message for the user; for internal failures only the code's default.
    pub fn message(&self) -> &str {
        let open = !self.status().is_server_error();
        self.0
            .message
            .as_deref()
            .filter(|_| open)
            .unwrap_or(self.0.code.message())
    }

    /// The invalid fields.
    pub fn fields(&self) -> &[FieldError] {
        &self.0.fields
    }

    /// The HTTP status.
    pub fn status(&self) -> StatusCode {
        self.0.code.status()
    }

    fn with(mut self, change: impl FnOnce(&mut Inside)) -> Self {
        change(Arc::make_mut(&mut self.0));
        self
    }

    /// The body for the request with this id. A 5xx contains nothing but its code.
    pub(super) fn body(&self, request_id: &str) -> ErrorBody {
        let open = !self.status().is_server_error();
        ErrorBody {
            error: ErrorDetail {
                code: self.0.code.as_str(),
                message: self.message().to_owned(),
                fields: if open {
                    self.0.fields.clone()
                } else {
                    Vec::new()
                },
                request_id: request_id.to_owned(),
                details: self.0.details.clone().filter(|_| open),
            },
        }
    }

    /// Logs the error if it is a failure of the program.
    pub(super) fn log(&self, request_id: &str) {
        if self.status().is_server_error() {
            let cause = self
                .0
                .cause
                .as_ref()
                .map(|cause| format!("{cause:#}"))
                .unwrap_or_default();
            tracing::error!(request_id, code = self.0.code.as_str(), origin = %self.0.origin, cause, "request failed");
        }
    }
}

impl fmt::Debug for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {}", self.0.code.as_str(), self.0.origin)?;
        match &self.0.cause {
            Some(cause) => write!(f, ": {cause:#}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.message.as_deref().unwrap_or(self.0.code.message()))
    }
}

impl std::error::Error for ApiError {}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut response = self.status().into_response();
        if let Some(seconds) = self.0.retry_after {
            response
                .headers_mut()
                .insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response.extensions_mut().insert(self);
        response
    }
}

macro_rules! internal_from {
    ($($error:ty),+ $(,)?) => {$(
        impl From<$error> for ApiError {
            #[track_caller]
            fn from(error: $error) -> Self {
                Self::internal(error)
            }
        }
    )+};
}

internal_from!(
    anyhow::Error,
    serde_json::Error,
    domain::money::MoneyError,
    tokio::task::JoinError,
);

impl From<sqlx::Error> for ApiError {
    #[track_caller]
    fn from(error: sqlx::Error) -> Self {
        // Right after the first start the worker is still creating the tables of the read models.
        let not_made_yet = error
            .as_database_error()
            .is_some_and(|error| error.code().as_deref() == Some(UNDEFINED_TABLE));
        if event_store::read_only(&error) {
            Self::read_only().caused_by(error)
        } else if not_made_yet || event_store::passing(&error) {
            Self::unavailable(error)
        } else {
            Self::internal(error)
        }
    }
}
