//! The error type of the use cases. Use the small constructors, `?` for failures, and [`AppError::new`] with a [`Code`] for
//! rejections.
//!
//! An `AppError` records where it was created (`#[track_caller]`) and its cause, for the log; neither is shown to users.

mod codes;
mod mapping;

use std::fmt;
use std::panic::Location;
use std::sync::Arc;

use domain::validation::FieldError;
use serde_json::Value;

pub use codes::{Code, ErrorClass, Outcome};

/// Postgres error code of a missing table or view.
const UNDEFINED_TABLE: &str = "42P01";

/// Retry interval in seconds for writes to a standby, which may have been promoted by then.
const PROMOTED_WITHIN: u64 = 10;

/// Result of a use case.
pub type AppResult<T> = Result<T, AppError>;

/// A rejected or failed use case.
#[derive(Clone)]
pub struct AppError(Arc<Inside>);

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

impl AppError {
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

    /// `invalid` at the field `registrationToken`: the document has to be uploaded again.
    #[track_caller]
    pub fn document_gone() -> Self {
        let message = "사업자등록증 사본을 다시 첨부해 주세요.";
        Self::invalid_field("registrationToken", "token", message)
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

    /// The invalid fields.
    pub fn fields(&self) -> &[FieldError] {
        &self.0.fields
    }

    /// Its class.
    pub fn class(&self) -> ErrorClass {
        self.0.code.class()
    }

    /// Whether the program or a service failed, rather than a rule rejecting the input or the state.
    pub fn is_failure(&self) -> bool {
        matches!(
            self.class(),
            ErrorClass::Outdated | ErrorClass::Unavailable | ErrorClass::Fault
        )
    }

    /// The message for the user.
    pub fn message(&self) -> &str {
        self.0.message.as_deref().unwrap_or(self.0.code.message())
    }

    /// Data specific to the code.
    pub fn details(&self) -> Option<&Value> {
        self.0.details.as_ref()
    }

    /// When to retry, in seconds.
    pub fn retries_after(&self) -> Option<u64> {
        self.0.retry_after
    }

    /// The cause, for the log.
    pub fn cause(&self) -> Option<&anyhow::Error> {
        self.0.cause.as_deref()
    }

    /// The place in the program that created it, for the log.
    pub fn origin(&self) -> &'static Location<'static> {
        self.0.origin
    }

    fn with(mut self, change: impl FnOnce(&mut Inside)) -> Self {
        change(Arc::make_mut(&mut self.0));
        self
    }
}

impl fmt::Debug for AppError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {}", self.0.code.as_str(), self.0.origin)?;
        match &self.0.cause {
            Some(cause) => write!(f, ": {cause:#}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for AppError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.message.as_deref().unwrap_or(self.0.code.message()))
    }
}

impl std::error::Error for AppError {}

macro_rules! internal_from {
    ($($error:ty),+ $(,)?) => {$(
        impl From<$error> for AppError {
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

impl From<sqlx::Error> for AppError {
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
