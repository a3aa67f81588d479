//! JSON bodies, with precise errors for malformed ones.

use crate::http::{ApiError, ApiResult, AppError, AppResult, Code};
use application::executor::RequestOrigin;
use application::json::{dotted, wrong_shape};
use std::ops::Deref;

use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use domain::forms::Validate;
use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::operation::{OperationInput, OperationOutput, Signature};
use super::request_context::RequestId;

/// A JSON body, for requests and responses. Requests with validation use [`ValidJson`].
#[derive(Clone, Copy, Debug)]
pub struct Json<T>(pub T);

/// A validated command body with its request metadata.
#[derive(Clone, Debug)]
pub struct ValidJson<T> {
    /// The body; it satisfies all rules of its form.
    pub body: T,
    /// Metadata of the request.
    pub origin: RequestMeta,
}

/// Extracts the metadata of a request.
#[derive(Clone, Debug)]
pub struct RequestMeta(pub RequestOrigin);

impl Deref for RequestMeta {
    type Target = RequestOrigin;

    fn deref(&self) -> &RequestOrigin {
        &self.0
    }
}

/// The header that makes a command idempotent.
pub const IDEMPOTENCY_KEY: &str = "idempotency-key";

impl RequestMeta {
    fn of(parts: &Parts, body: &[u8]) -> AppResult<Self> {
        let key = match parts.headers.get(IDEMPOTENCY_KEY) {
            None => None,
            Some(value) => match value.to_str() {
                Ok(key) if (1..=255).contains(&key.len()) => Some(key.to_owned()),
                _ => {
                    let message = "Idempotency-Key는 1~255자의 영문자로 보내야 합니다.";
                    return Err(AppError::invalid_field(
                        "Idempotency-Key",
                        "idempotency_key",
                        message,
                    ));
                }
            },
        };
        Ok(Self::with_key(parts, body, key))
    }

    fn with_key(parts: &Parts, body: &[u8], key: Option<String>) -> Self {
        Self(RequestOrigin {
            request: parts
                .extensions
                .get::<RequestId>()
                .map_or_else(Uuid::now_v7, |id| id.0),
            trace: trace_id(&parts.headers),
            route: format!("{} {}", parts.method, parts.uri.path()).into(),
            key,
            body_hash: Sha256::digest(body).into(),
        })
    }
}

/// Extracts the metadata of a request that only reads, and so takes no idempotency key.
#[derive(Clone, Debug)]
pub struct ReadMeta(pub RequestOrigin);

impl<S: Send + Sync> FromRequestParts<S> for ReadMeta {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> ApiResult<Self> {
        let RequestMeta(origin) = RequestMeta::with_key(parts, &[], None);
        Ok(Self(origin))
    }
}

/// The trace id of a W3C `traceparent`.
fn trace_id(headers: &HeaderMap) -> Option<String> {
    let mut parts = headers.get("traceparent")?.to_str().ok()?.split('-');
    let trace = parts.nth(1)?;
    (trace.len() == 32 && trace.bytes().all(|byte| byte.is_ascii_hexdigit()))
        .then(|| trace.to_owned())
}

impl<S: Send + Sync> FromRequestParts<S> for RequestMeta {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> ApiResult<Self> {
        // without a body the query says what is wanted
        let query = parts.uri.query().unwrap_or_default();
        Ok(Self::of(parts, query.as_bytes())?)
    }
}

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Json<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> ApiResult<Self> {
        require_json(request.headers())?;
        let bytes = Bytes::from_request(request, state)
            .await
            .map_err(unread_body)?;
        Ok(Self(parse(&bytes)?))
    }
}

impl<T: DeserializeOwned + Validate, S: Send + Sync> FromRequest<S> for ValidJson<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> ApiResult<Self> {
        require_json(request.headers())?;
        let (parts, body) = request.into_parts();
        let request = Request::from_parts(parts.clone(), body);
        let bytes = Bytes::from_request(request, state)
            .await
            .map_err(unread_body)?;
        let body: T = parse(&bytes)?;
        let errors = body.errors();
        if !errors.is_empty() {
            return Err(AppError::invalid(errors).into());
        }
        Ok(Self {
            body,
            origin: RequestMeta::of(&parts, &bytes)?,
        })
    }
}

impl<T: Serialize> IntoResponse for Json<T> {
    fn into_response(self) -> Response {
        match serde_json::to_vec(&self.0) {
            Ok(bytes) => ([(header::CONTENT_TYPE, "application/json")], bytes).into_response(),
            Err(error) => ApiError::from(AppError::internal(error)).into_response(),
        }
    }
}

impl<T> OperationInput for Json<T> {
    fn describe(signature: &mut Signature) {
        signature.reads_body();
    }
}

/// Commands may refer to records that do not exist.
impl<T> OperationInput for ValidJson<T> {
    fn describe(signature: &mut Signature) {
        signature.reads_body();
        signature.has_key();
        signature.refuses(StatusCode::NOT_FOUND);
    }
}

impl OperationInput for RequestMeta {
    fn describe(signature: &mut Signature) {
        signature.has_key();
    }
}

impl OperationInput for ReadMeta {
    fn describe(_: &mut Signature) {}
}

impl<T> OperationOutput for Json<T> {
    fn describe(_: &mut Signature) {}
}

/// Rejects bodies with another content type; a missing content type is accepted.
fn require_json(headers: &HeaderMap) -> AppResult<()> {
    let Some(value) = headers.get(header::CONTENT_TYPE) else {
        return Ok(());
    };
    let essence = value
        .to_str()
        .unwrap_or_default()
        .split(';')
        .next()
        .unwrap_or_default();
    let essence = essence.trim().to_ascii_lowercase();
    if essence == "application/json"
        || (essence.starts_with("application/") && essence.ends_with("+json"))
    {
        Ok(())
    } else {
        Err(AppError::new(Code::UnsupportedMediaType))
    }
}

/// Parses JSON, with the position of the first error. U+0000 is rejected in strings: Postgres cannot store it, and an event
/// containing it would stop every read model.
fn parse<T: DeserializeOwned>(bytes: &[u8]) -> AppResult<T> {
    if escapes_nul(bytes) {
        return Err(AppError::new(Code::InvalidBody));
    }
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    let value = serde_path_to_error::deserialize(&mut reader).map_err(|error| {
        let path = dotted(&error.path().to_string());
        let inner = error.into_inner();
        if inner.is_data() {
            wrong_shape(&path, &inner)
        } else {
            AppError::new(Code::MalformedJson)
        }
    })?;
    reader
        .end()
        .map_err(|_| AppError::new(Code::MalformedJson))?;
    Ok(value)
}

/// Whether a string of the JSON text contains U+0000. An escaped backslash before it makes it plain text.
fn escapes_nul(bytes: &[u8]) -> bool {
    const ESCAPE: &[u8] = br"\u0000";
    let ends_in_backslashes = |before: &[u8]| {
        before
            .iter()
            .rev()
            .take_while(|byte| **byte == b'\\')
            .count()
    };
    memchr::memmem::find_iter(bytes, ESCAPE)
        .any(|at| ends_in_backslashes(bytes.get(..at).unwrap_or_default()) % 2 == 0)
}

/// The error of a body that cannot be read whole.
#[track_caller]
pub fn unread_body(rejection: BytesRejection) -> AppError {
    match rejection.status() {
        StatusCode::PAYLOAD_TOO_LARGE => AppError::new(Code::TooLarge),
        _ => AppError::new(Code::MalformedJson).caused_by(rejection),
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Deserialize, Debug)]
    struct Line {
        #[expect(dead_code, reason = "only its type matters")]
        quantity: u32,
    }

    #[derive(Deserialize, Debug)]
    struct Cart {
        #[expect(dead_code, reason = "only its type matters")]
        carts: Vec<Line>,
    }

    fn complaint(text: &str) -> (&'static str, Option<String>, Option<String>) {
        let error = parse::<Cart>(text.as_bytes()).unwrap_err();
        let body = ApiError::from(error).body("r").error;
        let first = body.fields.into_iter().next();
        (
            body.code,
            first.clone().map(|field| field.field),
            first.map(|field| field.code),
        )
    }

    #[test]
    fn a_body_that_is_not_json_and_a_body_of_another_shape_are_told_apart() {
        let word = |text: &str| Some(text.to_owned());
        assert_eq!(complaint("{"), ("malformed_json", None, None));
        assert_eq!(
            complaint("{\"carts\":[]} x"),
            ("malformed_json", None, None)
        );
        assert_eq!(
            complaint("{}"),
            ("invalid_body", word("carts"), word("required"))
        );
        assert_eq!(
            complaint(r#"{"carts":[{"quantity":"2"}]}"#),
            ("invalid_body", word("carts.0.quantity"), word("type"))
        );
        assert_eq!(
            complaint(r#"{"carts":[{}]}"#),
            ("invalid_body", word("carts.0.quantity"), word("required"))
        );
    }

    #[test]
    fn no_text_has_the_character_that_postgres_cannot_keep() {
        assert_eq!(
            complaint(r#"{"carts":[],"note":"a\u0000b"}"#).0,
            "invalid_body"
        );
        assert_eq!(
            complaint(r#"{"carts":[],"note":"a\\\u0000b"}"#).0,
            "invalid_body"
        );
        assert!(parse::<Cart>(br#"{"carts":[],"note":"a\\u0000b"}"#).is_ok());
    }

    #[test]
    fn a_trace_parent_is_read_only_when_it_is_one() {
        let mut headers = HeaderMap::new();
        headers.insert(
            "traceparent",
            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
                .parse()
                .unwrap(),
        );
        assert_eq!(
            trace_id(&headers).as_deref(),
            Some("0af7651916cd43dd8448eb211c80319c")
        );
        headers.insert("traceparent", "00-<script>-b7-01".parse().unwrap());
        assert_eq!(trace_id(&headers), None);
    }
}
