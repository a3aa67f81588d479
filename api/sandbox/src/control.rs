//! Routes that only the sandbox has, under `/sandbox`: paying without a browser, faults, the clock, and the list of all charges. Amounts
//! are in the units of the service. There is no authentication: it listens on this machine only.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::NAME;
use crate::faults::Rule;
use crate::journal::JournalPosition;
use crate::pay_page::WindowRequest;
use crate::refusal::Refusal;
use crate::service::Service;
use crate::state::{Authentication, Entry, protocol_time};

pub(crate) fn routes() -> Router<Arc<Service>> {
    Router::new()
        .route("/sandbox/authenticate", post(authenticate))
        .route("/sandbox/charges", get(charges))
        .route("/sandbox/deposit", post(deposit))
        .route(
            "/sandbox/faults",
            get(faults).post(add_fault).delete(clear_faults),
        )
        .route("/sandbox/settings", get(settings).post(change_settings))
        .route("/sandbox/clock", post(forward_clock))
        .route("/sandbox/balance", post(set_balance))
        .route("/sandbox/notices", get(notices))
}

/// Authenticates like a buyer on the payment page; returns the fields of the form for the return page.
async fn authenticate(
    State(service): State<Arc<Service>>,
    Json(request): Json<WindowRequest>,
) -> Response {
    let mall_reserved = request.mall_reserved.clone();
    match Authentication::try_from(request).map_err(|why| Refusal::because("2003", why)) {
        Ok(request) => match service.authenticate(request) {
            Ok((authentication, position)) => {
                written(
                    position,
                    Json(service.return_fields(Ok(&authentication), &mall_reserved))
                        .into_response(),
                )
                .await
            }
            Err(refusal) => {
                Json(service.return_fields(Err(&refusal), &mall_reserved)).into_response()
            }
        },
        Err(refusal) => (
            StatusCode::BAD_REQUEST,
            Json(service.return_fields(Err(&refusal), "")),
        )
            .into_response(),
    }
}

/// All charges and their sums.
async fn charges(State(service): State<Arc<Service>>) -> Response {
    let (answer, position) = service.read(|state, now| {
        let sum = |amount: fn(&Value) -> Option<i64>, list: &[Value]| {
            list.iter().filter_map(amount).sum::<i64>()
        };
        let list: Vec<Value> = state.charges().map(|charge| charge.audit(now)).collect();
        json!({
            "service": NAME,
            "charged": sum(|charge| charge.get("charged")?.as_i64(), &list),
            "balance": sum(|charge| charge.get("balance")?.as_i64(), &list),
            "charges": list,
        })
    });
    written(position, Json(answer).into_response()).await
}

#[derive(Deserialize)]
struct Deposit {
    tid: String,
    /// An amount that differs from the one to be paid.
    #[serde(default)]
    amount: Option<i64>,
    /// The bank accepts any amount at any date.
    #[serde(default)]
    careless: bool,
}

/// A deposit into a virtual account.
async fn deposit(State(service): State<Arc<Service>>, Json(paid): Json<Deposit>) -> Response {
    match service.decide(|state, now| state.deposit(&paid.tid, paid.amount, paid.careless, now)) {
        Ok(done) => written(done.position, Json(done.answer).into_response()).await,
        Err(refusal) => {
            let body = json!({ "resultCode": refusal.code, "resultMsg": refusal.message, "service": NAME });
            (StatusCode::CONFLICT, Json(body)).into_response()
        }
    }
}

/// The fault rules in force, with their remaining uses.
async fn faults(State(service): State<Arc<Service>>) -> Json<Value> {
    Json(json!({ "service": NAME, "faults": service.faults().rules }))
}

/// Adds a fault rule. Rules are lost at a restart.
async fn add_fault(State(service): State<Arc<Service>>, Json(rule): Json<Rule>) -> StatusCode {
    service.faults().rules.push(rule);
    StatusCode::NO_CONTENT
}

/// Removes all fault rules.
async fn clear_faults(State(service): State<Arc<Service>>) -> StatusCode {
    service.faults().rules.clear();
    StatusCode::NO_CONTENT
}

/// Notice URL and current time of the sandbox.
async fn settings(State(service): State<Arc<Service>>) -> Json<Value> {
    let (answer, _) = service.read(|state, now| {
        json!({ "service": NAME, "noticeUrl": state.notice_url, "now": protocol_time(Some(now)) })
    });
    Json(answer)
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Change {
    notice_url: Option<String>,
}

/// Changes the notice URL; null disables notices.
async fn change_settings(
    State(service): State<Arc<Service>>,
    Json(change): Json<Change>,
) -> Response {
    let position = service.record(Entry::NoticesGoTo {
        url: change.notice_url,
    });
    written(position, StatusCode::NO_CONTENT.into_response()).await
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Forward {
    forward_seconds: u32,
}

/// Advances the clock; it never goes back.
async fn forward_clock(
    State(service): State<Arc<Service>>,
    Json(forward): Json<Forward>,
) -> Response {
    let position = service.record(Entry::ClockForwarded {
        seconds: forward.forward_seconds.into(),
    });
    written(position, StatusCode::NO_CONTENT.into_response()).await
}

#[derive(Deserialize)]
struct MerchantBalance {
    balance: Option<i64>,
}

/// Sets the merchant's balance for refunds; null for an unlimited balance.
async fn set_balance(
    State(service): State<Arc<Service>>,
    Json(merchant): Json<MerchantBalance>,
) -> Response {
    let position = service.record(Entry::MerchantHas {
        balance: merchant.balance,
    });
    written(position, StatusCode::NO_CONTENT.into_response()).await
}

/// Counts of acknowledged, abandoned and pending notices.
async fn notices(State(service): State<Arc<Service>>) -> Json<Value> {
    let (answer, _) = service.read(|state, _| {
        json!({ "service": NAME, "taken": state.taken, "givenUp": state.given_up, "waiting": state.due.len() })
    });
    Json(answer)
}

async fn written(position: JournalPosition, response: Response) -> Response {
    match position.reached().await {
        Ok(()) => response,
        Err(why) => (StatusCode::INTERNAL_SERVER_ERROR, format!("{NAME}: {why}")).into_response(),
    }
}
