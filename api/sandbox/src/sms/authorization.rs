//! The `Authorization` header of a call: HMAC-SHA-256 over date and salt, valid for 15 minutes and once.

use std::collections::HashMap;

use axum::http::{HeaderMap, StatusCode, header};
use axum::response::Response;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use subtle::ConstantTimeEq;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use super::refused;
use crate::service::Service;
use crate::used_signatures::SKEW;

/// The refusal of a call that is not signed as it should be; none of another.
pub(super) fn refusal(service: &Service, headers: &HeaderMap) -> Option<Response> {
    let forbidden = |code: &str, why: &str| Some(refused(StatusCode::FORBIDDEN, code, why));
    let given = headers.get(header::AUTHORIZATION);
    let given = given
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    let fields: HashMap<&str, &str> = given
        .strip_prefix("HMAC-SHA256 ")
        .unwrap_or_default()
        .split(", ")
        .filter_map(|field| field.split_once('='))
        .collect();
    let field = |name: &str| fields.get(name).copied().unwrap_or_default();
    let options = &service.options.sms;
    if field("apiKey") != options.api_key {
        return forbidden("InvalidAPIKey", "유효한 API Key가 아닙니다");
    }
    let (date, salt, signature) = (field("date"), field("salt"), field("signature"));
    let now = OffsetDateTime::now_utc();
    let is_near = OffsetDateTime::parse(date, &Rfc3339).is_ok_and(|at| (now - at).abs() <= SKEW);
    if !is_near {
        return forbidden("RequestTimeTooSkewed", "시각이 15분 넘게 다릅니다");
    }
    let expected = expected(options.api_secret.as_bytes(), date, salt);
    let is_same: bool = expected.as_bytes().ct_eq(signature.as_bytes()).into();
    if !(12..=64).contains(&salt.len()) || !is_same {
        return forbidden("SignatureDoesNotMatch", "서명이 일치하지 않습니다");
    }
    if !service.used_signatures().note(signature, now) {
        return forbidden("DuplicatedSignature", "이미 사용된 서명입니다");
    }
    None
}

fn expected(secret: &[u8], date: &str, salt: &str) -> String {
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(secret) else {
        return String::new();
    };
    mac.update(format!("{date}{salt}").as_bytes());
    hex::encode(mac.finalize().into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Computed with another implementation (Python's `hmac`).
    #[test]
    fn signatures_equal_the_check_vector() {
        let computed = expected(
            b"secret-for-tests",
            "2026-01-02T03:04:05Z",
            "jqsba2jxjnrjor",
        );
        assert_eq!(
            computed,
            "05e97ac6f1fb6e30f65f1ff08b6fb73f01d3ae00c978ed37862c7e76db07a468"
        );
    }
}
