//! What only a sandbox has, under `/sandbox`: paying without a browser, misbehaving, travelling in time, and the list of
//! everything charged. Amounts are in the service's units. Nobody is asked who they are: it listens on this machine only.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::Deserialize;
use serde_json::{Value, json};

use super::NAME;
use super::book::{Authentication, Entry, Refusal, korean};
use super::desk::Desk;
use super::faults::Rule;
use super::journal::Place;
use super::window::Wish;

pub(super) fn routes() -> Router<Arc<Desk>> {
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
        .route("/sandbox/notices", get(notices))
}

/// Authenticates like a buyer at the payment page; answers the fields the browser would bring to the return page.
async fn authenticate(State(desk): State<Arc<Desk>>, Json(wish): Json<Wish>) -> Response {
    let mall_reserved = wish.mall_reserved.clone();
    match Authentication::try_from(wish).map_err(|why| Refusal::because("2003", why)) {
        Ok(wish) => match desk.authenticate(wish) {
            Ok((authentication, place)) => {
                written(
                    place,
                    Json(desk.return_fields(Ok(&authentication), &mall_reserved)).into_response(),
                )
                .await
            }
            Err(refusal) => Json(desk.return_fields(Err(&refusal), &mall_reserved)).into_response(),
        },
        Err(refusal) => (
            StatusCode::BAD_REQUEST,
            Json(desk.return_fields(Err(&refusal), "")),
        )
            .into_response(),
    }
}

/// Every charge there ever was, and their sums.
async fn charges(State(desk): State<Arc<Desk>>) -> Response {
    let (answer, place) = desk.look(|book, now| {
        let sum = |amount: fn(&Value) -> Option<i64>, list: &[Value]| {
            list.iter().filter_map(amount).sum::<i64>()
        };
        let list: Vec<Value> = book.charges().map(|charge| charge.audit(now)).collect();
        json!({
            "service": NAME,
            "charged": sum(|charge| charge.get("charged")?.as_i64(), &list),
            "balance": sum(|charge| charge.get("balance")?.as_i64(), &list),
            "charges": list,
        })
    });
    written(place, Json(answer).into_response()).await
}

#[derive(Deserialize)]
struct Deposit {
    tid: String,
    /// Another amount than what is to be paid.
    #[serde(default)]
    amount: Option<i64>,
    /// The bank takes it whatever the amount and the date.
    #[serde(default)]
    careless: bool,
}

/// A buyer pays into a virtual account.
async fn deposit(State(desk): State<Arc<Desk>>, Json(paid): Json<Deposit>) -> Response {
    match desk.decide(|book, now| book.deposit(&paid.tid, paid.amount, paid.careless, now)) {
        Ok(done) => written(done.place, Json(done.answer).into_response()).await,
        Err(refusal) => {
            let body = json!({ "resultCode": refusal.code, "resultMsg": refusal.message, "service": NAME });
            (StatusCode::CONFLICT, Json(body)).into_response()
        }
    }
}

/// The rules that are in force, with the times they have left.
async fn faults(State(desk): State<Arc<Desk>>) -> Json<Value> {
    Json(json!({ "service": NAME, "faults": desk.faults().rules }))
}

/// Adds a rule. Rules are forgotten at a restart.
async fn add_fault(State(desk): State<Arc<Desk>>, Json(rule): Json<Rule>) -> StatusCode {
    desk.faults().rules.push(rule);
    StatusCode::NO_CONTENT
}

/// Behaves again.
async fn clear_faults(State(desk): State<Arc<Desk>>) -> StatusCode {
    desk.faults().rules.clear();
    StatusCode::NO_CONTENT
}

/// Where notices go and what time it is here.
async fn settings(State(desk): State<Arc<Desk>>) -> Json<Value> {
    let (answer, _) = desk.look(|book, now| {
        json!({ "service": NAME, "noticeUrl": book.notice_url, "now": korean(Some(now)) })
    });
    Json(answer)
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Change {
    notice_url: Option<String>,
}

/// Sends notices somewhere else from now on, or nowhere (null).
async fn change_settings(State(desk): State<Arc<Desk>>, Json(change): Json<Change>) -> Response {
    let place = desk.note(Entry::NoticesGoTo {
        url: change.notice_url,
    });
    written(place, StatusCode::NO_CONTENT.into_response()).await
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Forward {
    forward_seconds: u32,
}

/// Puts the clock forward; it never goes back.
async fn forward_clock(State(desk): State<Arc<Desk>>, Json(forward): Json<Forward>) -> Response {
    let place = desk.note(Entry::ClockForwarded {
        seconds: forward.forward_seconds.into(),
    });
    written(place, StatusCode::NO_CONTENT.into_response()).await
}

/// How notices fared.
async fn notices(State(desk): State<Arc<Desk>>) -> Json<Value> {
    let (answer, _) = desk.look(|book, _| {
        json!({ "service": NAME, "taken": book.taken, "givenUp": book.given_up, "waiting": book.due.len() })
    });
    Json(answer)
}

async fn written(place: Place, response: Response) -> Response {
    match place.reached().await {
        Ok(()) => response,
        Err(why) => (StatusCode::INTERNAL_SERVER_ERROR, format!("{NAME}: {why}")).into_response(),
    }
}
