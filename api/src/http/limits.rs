//! Rate limits in requests and responses.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use tower_governor::GovernorError;

use super::operation::{OperationInput, Signature, says_nothing};
use super::{ApiError, ApiResult, AppError, Code};
use crate::app::AppState;
use crate::limits::{Client, ClientAddress};

says_nothing!(OperationInput: Client);

impl FromRequestParts<AppState> for Client {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> ApiResult<Self> {
        let client = ClientAddress {
            behind_proxy: app.settings.server.behind_proxy,
        };
        client
            .of(&parts.headers, &parts.extensions)
            .map(Self)
            .ok_or_else(|| AppError::internal(GovernorError::UnableToExtractKey).into())
    }
}

/// The response to a request over the limit.
pub fn refuse(error: GovernorError) -> Response {
    let error = match error {
        GovernorError::TooManyRequests { wait_time, .. } => {
            AppError::new(Code::TooManyRequests).retry_after(wait_time.max(1))
        }
        other => AppError::internal(other),
    };
    ApiError::from(error).into_response()
}
