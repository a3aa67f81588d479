//! The one error of the API. Handlers answer [`ApiResult`]; use the small constructors, `?` on anything that can break,
//! and [`ApiError::new`] with a [`Code`] for a refusal.
//!
//! An `ApiError` knows where it was made (`#[track_caller]`) and what caused it; both go to the log under the
//! request id and never into the body. [`super::frame`] writes the body, because it knows the request id.

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

/// Postgres' code for a table or view that is not there.
const UNDEFINED_TABLE: &str = "42P01";

/// After how many seconds it is worth asking a standby again to write: by then it may be none any more.
const PROMOTED_WITHIN: u64 = 10;

/// What a handler answers.
pub type ApiResult<T> = Result<T, ApiError>;

/// Why a request was refused or failed.
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

/// The body of every refusal.
#[derive(Serialize, ToSchema)]
pub struct ErrorBody {
    /// What went wrong.
    pub error: ErrorDetail,
}

/// What went wrong.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ErrorDetail {
    /// Stable code, see the table at the top of this document.
    #[schema(example = "sold_out")]
    pub code: &'static str,
    /// What a person is told, in Korean.
    pub message: String,
    /// The fields to type again, if it is about fields.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<FieldError>,
    /// Finds the request in the log.
    pub request_id: String,
    /// Facts that belong to the code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub details: Option<Value>,
}

impl ApiError {
    /// A refusal with the code's own message.
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

    /// There is no such thing, or it is somebody else's.
    #[track_caller]
    pub fn not_found() -> Self {
        Self::new(Code::NotFound)
    }

    /// Whoever asks has none of these scopes (spec V152); the app says in Korean which are missing.
    #[track_caller]
    pub fn denied(scopes: &[&str]) -> Self {
        Self::new(Code::AccessDenied).with_details(serde_json::json!({ "scopes": scopes }))
    }

    /// Fields that break a rule.
    #[track_caller]
    pub fn invalid(fields: Vec<FieldError>) -> Self {
        Self::new(Code::Invalid).with_fields(fields)
    }

    /// One field that breaks a rule.
    #[track_caller]
    pub fn invalid_field(field: &str, code: &str, message: &str) -> Self {
        Self::invalid(vec![FieldError::new(field, code, message)])
    }

    /// Another record has this code.
    #[track_caller]
    pub fn code_taken() -> Self {
        let code = Code::CodeTaken;
        Self::new(code).with_fields(vec![FieldError::new("code", code.as_str(), code.message())])
    }

    /// Something broke on our side.
    #[track_caller]
    pub fn internal(cause: impl Into<anyhow::Error>) -> Self {
        Self::new(Code::Internal).caused_by(cause)
    }

    /// The database or a service is away.
    #[track_caller]
    pub fn unavailable(cause: impl Into<anyhow::Error>) -> Self {
        Self::new(Code::Unavailable).caused_by(cause)
    }

    /// The database is a standby.
    #[track_caller]
    pub fn read_only() -> Self {
        Self::new(Code::ReadOnly).retry_after(PROMOTED_WITHIN)
    }

    /// Says it in other words.
    #[must_use]
    pub fn saying(self, message: impl Into<String>) -> Self {
        self.with(|inside| inside.message = Some(message.into()))
    }

    /// Names fields.
    #[must_use]
    pub fn with_fields(self, fields: Vec<FieldError>) -> Self {
        self.with(|inside| inside.fields = fields)
    }

    /// Adds facts that belong to the code.
    #[must_use]
    pub fn with_details(self, details: Value) -> Self {
        self.with(|inside| inside.details = Some(details))
    }

    /// Says when to come again.
    #[must_use]
    pub fn retry_after(self, seconds: u64) -> Self {
        self.with(|inside| inside.retry_after = Some(seconds))
    }

    /// Keeps the cause for the log.
    #[must_use]
    pub fn caused_by(self, cause: impl Into<anyhow::Error>) -> Self {
        self.with(|inside| inside.cause = Some(Arc::new(cause.into())))
    }

    /// The code.
    pub fn code(&self) -> Code {
        self.0.code
    }

    /// What a person is told; of a failure of ours only its code's words.
    pub fn message(&self) -> &str {
        let open = !self.status().is_server_error();
        self.0
            .message
            .as_deref()
            .filter(|_| open)
            .unwrap_or(self.0.code.message())
    }

    /// The fields it is about.
    pub fn fields(&self) -> &[FieldError] {
        &self.0.fields
    }

    /// The status.
    pub fn status(&self) -> StatusCode {
        self.0.code.status()
    }

    fn with(mut self, change: impl FnOnce(&mut Inside)) -> Self {
        change(Arc::make_mut(&mut self.0));
        self
    }

    /// The body, for a request of this id. A 5xx says nothing but its code.
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

    /// Writes it down if it is our fault.
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
        // Right after the first start the worker is still making the tables of the read models.
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
