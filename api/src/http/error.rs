//! Turns errors into responses: [`ApiError`] is an [`AppError`] with an HTTP status. Handlers return [`ApiResult`] and use `?`.
//!
//! The cause and the place of an error are logged with the request id and never returned. [`super::request_context`] writes the
//! body, because it knows the request id.

use std::fmt;
use std::ops::Deref;

use application::error::{AppError, Code};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use domain::validation::FieldError;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

/// Result of a handler.
pub type ApiResult<T> = Result<T, ApiError>;

/// A rejected or failed request.
#[derive(Clone)]
pub struct ApiError(AppError);

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

/// The HTTP status of a code.
pub const fn status_of(code: Code) -> StatusCode {
    match code {
        Code::MalformedJson
        | Code::InvalidBody
        | Code::InvalidQuery
        | Code::Invalid
        | Code::UnknownMembers => StatusCode::BAD_REQUEST,
        Code::VersionConflict
        | Code::NotAllowedNow
        | Code::ClaimOfSeveralSellers
        | Code::RefundChanged
        | Code::InUse
        | Code::ReviewWritten
        | Code::PurchaseNotConfirmed
        | Code::UsernameTaken
        | Code::NicknameTaken
        | Code::EmailTaken
        | Code::CodeTaken
        | Code::DateTaken
        | Code::SoldOut
        | Code::NotOnSale
        | Code::CouponUsedUp
        | Code::CouponUsed
        | Code::CouponExpired
        | Code::CouponNotApplicable
        | Code::CouponDrawn
        | Code::CouponTaken
        | Code::PointsShort
        | Code::PointsExpired
        | Code::NothingLeft
        | Code::PriceChanged
        | Code::CartOrdered
        | Code::CartChanged
        | Code::UnpaidLimit
        | Code::LinkInvalid
        | Code::LinkUsed
        | Code::LinkExpired
        | Code::PaymentRefused => StatusCode::CONFLICT,
        Code::AccessDenied => StatusCode::FORBIDDEN,
        Code::TimedOut => StatusCode::GATEWAY_TIMEOUT,
        Code::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        Code::MethodNotAllowed | Code::LedgerImmutable => StatusCode::METHOD_NOT_ALLOWED,
        Code::NotFound => StatusCode::NOT_FOUND,
        Code::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
        Code::Unavailable | Code::SearchUnavailable | Code::Outdated | Code::ReadOnly => {
            StatusCode::SERVICE_UNAVAILABLE
        }
        Code::TooManyRequests => StatusCode::TOO_MANY_REQUESTS,
        Code::LoginRequired
        | Code::TokenExpired
        | Code::TokenInvalid
        | Code::TokenReused
        | Code::BadCredentials => StatusCode::UNAUTHORIZED,
        Code::IdempotencyKeyReused => StatusCode::UNPROCESSABLE_ENTITY,
        Code::UnsupportedMediaType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
    }
}

/// The code of a bare status, for responses that no handler produced (an unknown address, a wrong method).
pub fn code_of(status: StatusCode) -> Option<Code> {
    match status {
        StatusCode::NOT_FOUND => Some(Code::NotFound),
        StatusCode::METHOD_NOT_ALLOWED => Some(Code::MethodNotAllowed),
        StatusCode::PAYLOAD_TOO_LARGE => Some(Code::TooLarge),
        StatusCode::UNSUPPORTED_MEDIA_TYPE => Some(Code::UnsupportedMediaType),
        StatusCode::TOO_MANY_REQUESTS => Some(Code::TooManyRequests),
        StatusCode::SERVICE_UNAVAILABLE => Some(Code::Unavailable),
        StatusCode::GATEWAY_TIMEOUT => Some(Code::TimedOut),
        _ if status.is_server_error() => Some(Code::Internal),
        _ => None,
    }
}

/// The table of codes as Markdown, for the OpenAPI document.
pub fn code_table() -> String {
    Code::ALL.iter().fold(
        "| status | code | message |\n|---|---|---|\n".to_owned(),
        |table, code| {
            let status = status_of(*code).as_u16();
            format!(
                "{table}| {status} | `{}` | {} |\n",
                code.as_str(),
                code.message()
            )
        },
    )
}

impl<E> From<E> for ApiError
where
    AppError: From<E>,
{
    #[track_caller]
    fn from(error: E) -> Self {
        Self(error.into())
    }
}

impl Deref for ApiError {
    type Target = AppError;

    fn deref(&self) -> &AppError {
        &self.0
    }
}

impl ApiError {
    /// The HTTP status.
    pub fn status(&self) -> StatusCode {
        status_of(self.code())
    }

    /// The use case's error.
    pub fn into_inner(self) -> AppError {
        self.0
    }

    /// The body for the request with this id. A 5xx contains nothing but its code.
    pub(super) fn body(&self, request_id: &str) -> ErrorBody {
        let open = !self.status().is_server_error();
        let message = match open {
            true => self.message(),
            false => self.code().message(),
        };
        ErrorBody {
            error: ErrorDetail {
                code: self.code().as_str(),
                message: message.to_owned(),
                fields: match open {
                    true => self.fields().to_vec(),
                    false => Vec::new(),
                },
                request_id: request_id.to_owned(),
                details: self.details().cloned().filter(|_| open),
            },
        }
    }

    /// Logs the error if it is a failure of the program.
    pub(super) fn log(&self, request_id: &str) {
        if self.status().is_server_error() {
            let cause = self
                .cause()
                .map(|cause| format!("{cause:#}"))
                .unwrap_or_default();
            tracing::error!(request_id, code = self.code().as_str(), origin = %self.origin(), cause, "request failed");
        }
    }
}

impl fmt::Debug for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl std::error::Error for ApiError {}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut response = self.status().into_response();
        if let Some(seconds) = self.retries_after() {
            response
                .headers_mut()
                .insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response.extensions_mut().insert(self);
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_an_error_status() {
        for code in Code::ALL {
            let status = status_of(*code);
            assert!(
                status.is_client_error() || status.is_server_error(),
                "{code:?}"
            );
        }
    }
}
