//! A sandbox of Google's reCAPTCHA: the script of its widget, which hands out responses, and `siteverify`, which takes each of them once
//! and within two minutes, as the real service does. Everybody who loads the script counts as a person.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Form, Json, Router};
use serde::Deserialize;
use serde_json::{Value, json};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use crate::NAME;
use crate::faults::{Call, Fault};
use crate::service::Service;

/// The secret that `siteverify` accepts; worth nothing anywhere else.
const SECRET: &str = "sandbox-recaptcha-secret-not-real";
/// How long a call hangs; its caller gives up long before.
const HANGS_FOR: Duration = Duration::from_secs(600);
/// Responses in one script: a page sends no more.
const RESPONSES: usize = 8;

pub(crate) fn routes() -> Router<Arc<Service>> {
    Router::new()
        .route("/recaptcha/api.js", get(script))
        .route("/recaptcha/api/siteverify", post(verify))
        .route("/sandbox/recaptcha", post(hand_out))
}

/// The script of the widget: `grecaptcha.ready` and `grecaptcha.execute`.
async fn script(State(service): State<Arc<Service>>) -> Response {
    let now = OffsetDateTime::now_utc();
    let mut responses = service.responses();
    let handed: Vec<String> = (0..RESPONSES).map(|_| responses.hand_out(now)).collect();
    drop(responses);
    let handed = json!(handed);
    let text = format!(
        "// {NAME}\n(() => {{ const responses = {handed}; window.grecaptcha = {{ ready: (then) => then(), \
         execute: () => Promise.resolve(responses.shift() ?? '') }} }})()\n"
    );
    let kind = [
        (header::CONTENT_TYPE, "text/javascript; charset=utf-8"),
        (header::CACHE_CONTROL, "no-store"),
    ];
    (kind, text).into_response()
}

/// A response, as the widget hands them out: for tests without a browser.
async fn hand_out(State(service): State<Arc<Service>>) -> Json<Value> {
    let response = service.responses().hand_out(OffsetDateTime::now_utc());
    Json(json!({ "response": response }))
}

#[derive(Debug, Deserialize)]
struct VerifyForm {
    #[serde(default)]
    secret: String,
    #[serde(default)]
    response: String,
}

async fn verify(State(service): State<Arc<Service>>, Form(form): Form<VerifyForm>) -> Response {
    let fault = service.faults().pick(Call::SiteVerify, "");
    match fault {
        Some(Fault::TimeoutBefore | Fault::TimeoutAfter) => tokio::time::sleep(HANGS_FOR).await,
        Some(Fault::Late { milliseconds }) => {
            tokio::time::sleep(Duration::from_millis(milliseconds)).await;
        }
        Some(Fault::ErrorBefore | Fault::ErrorAfter) => {
            return (StatusCode::INTERNAL_SERVER_ERROR, "told to fail").into_response();
        }
        Some(Fault::Refuse { code }) => return refused(&code),
        _ => {}
    }
    if form.secret != SECRET {
        let code = match form.secret.is_empty() {
            true => "missing-input-secret",
            false => "invalid-input-secret",
        };
        return refused(code);
    }
    if form.response.is_empty() {
        return refused("missing-input-response");
    }
    let now = OffsetDateTime::now_utc();
    let taken = service.responses().take(&form.response, now);
    match taken.map(|at| at.format(&Rfc3339)) {
        Some(Ok(at)) => Json(json!({
            "success": true, "challenge_ts": at, "hostname": "localhost", "service": NAME,
        }))
        .into_response(),
        _ if form.response.starts_with("sandbox-") => refused("timeout-or-duplicate"),
        _ => refused("invalid-input-response"),
    }
}

fn refused(code: &str) -> Response {
    Json(json!({ "success": false, "error-codes": [code], "service": NAME })).into_response()
}
