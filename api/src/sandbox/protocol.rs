//! The part of NICE v1 the shop uses: approve, query, cancel, net cancel, compare an amount.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::NAME;
use super::book::{CancelForm, Refusal};
use super::desk::{Desk, Done, new_id};
use super::faults::{Call, Fault};
use crate::integrations::payment::codes;
use crate::integrations::payment::sign::{same, sign_approve, sign_cancel, sign_net_cancel};

/// A caller that was left without an answer has given up long before this.
const HANGS_FOR: Duration = Duration::from_secs(600);

/// How long an answer waits for the notice that has to be taken first.
const NOTICE_FIRST_WITHIN: Duration = Duration::from_secs(10);

pub(super) fn routes() -> Router<Arc<Desk>> {
    Router::new()
        .route("/v1/payments/{tid}", get(query).post(approve))
        .route("/v1/payments/find/{order_id}", get(find))
        .route("/v1/payments/{tid}/cancel", post(cancel))
        .route("/v1/payments/netcancel", post(net_cancel))
        .route("/v1/check-amount/{tid}", post(check_amount))
}

/// What signed bodies have in common.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Signed {
    amount: Option<i64>,
    order_id: String,
    edi_date: Option<String>,
    sign_data: Option<String>,
}

impl Signed {
    /// Signing is optional in the protocol; a signature that is there has to be right.
    fn check(&self, expected: impl FnOnce(&str) -> String) -> Result<(), Refusal> {
        match (&self.edi_date, &self.sign_data) {
            (None, None) => Ok(()),
            (Some(date), Some(given)) if same(&expected(date), given) => Ok(()),
            _ => Err(Refusal::new("A101")),
        }
    }
}

async fn approve(
    State(desk): State<Arc<Desk>>,
    Path(tid): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let order_id = desk.look(|book, _| order_of(book.charge(&tid).ok())).0;
    misbehaving(&desk, Call::Approve, &order_id, || {
        desk.authorise(&headers)?;
        let form: Signed = read(&body)?;
        let amount = form.amount.ok_or_else(|| Refusal::new("A123"))?;
        form.check(|date| sign_approve(&desk.options.secret, &tid, amount, date))?;
        let number = format!("{:08}", rand::random_range(0..100_000_000));
        desk.decide(|book, now| book.approve(&tid, amount, number, now))
    })
    .await
}

async fn cancel(
    State(desk): State<Arc<Desk>>,
    Path(tid): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let order_id = desk.look(|book, _| order_of(book.charge(&tid).ok())).0;
    misbehaving(&desk, Call::Cancel, &order_id, || {
        desk.authorise(&headers)?;
        let signed: Signed = read(&body)?;
        signed.check(|date| sign_cancel(&desk.options.secret, &tid, date))?;
        let form: CancelForm = read(&body)?;
        desk.decide(|book, now| book.cancel(&tid, &form, new_id("SBXC"), now))
    })
    .await
}

async fn net_cancel(State(desk): State<Arc<Desk>>, headers: HeaderMap, body: Bytes) -> Response {
    let order_id = read::<Signed>(&body).unwrap_or_default().order_id;
    misbehaving(&desk, Call::NetCancel, &order_id, || {
        desk.authorise(&headers)?;
        let signed: Signed = read(&body)?;
        signed.check(|date| sign_net_cancel(&desk.options.secret, &order_id, date))?;
        desk.decide(|book, now| book.net_cancel(&order_id, new_id("SBXC"), now))
    })
    .await
}

async fn query(
    State(desk): State<Arc<Desk>>,
    Path(tid): Path<String>,
    headers: HeaderMap,
) -> Response {
    let order_id = desk.look(|book, _| order_of(book.charge(&tid).ok())).0;
    misbehaving(&desk, Call::Query, &order_id, || {
        desk.authorise(&headers)?;
        desk.tell(|book| book.charge(&tid))
    })
    .await
}

async fn find(
    State(desk): State<Arc<Desk>>,
    Path(order_id): Path<String>,
    headers: HeaderMap,
) -> Response {
    misbehaving(&desk, Call::Query, &order_id, || {
        desk.authorise(&headers)?;
        desk.tell(|book| book.find(&order_id))
    })
    .await
}

async fn check_amount(
    State(desk): State<Arc<Desk>>,
    Path(tid): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let order_id = desk.look(|book, _| order_of(book.charge(&tid).ok())).0;
    misbehaving(&desk, Call::CheckAmount, &order_id, || {
        desk.authorise(&headers)?;
        let form: Signed = read(&body)?;
        let amount = form.amount.unwrap_or_default();
        form.check(|date| sign_approve(&desk.options.secret, &tid, amount, date))?;
        let (charge, place) = desk.look(|book, _| book.charge(&tid).map(|charge| charge.authentication.amount));
        let answer = json!({
            "resultCode": "0000", "resultMsg": codes::meaning("0000"), "service": NAME, "isValid": charge? == amount,
        });
        Ok(Done { answer, place, first: None })
    })
    .await
}

impl Desk {
    /// Only the shop may call.
    fn authorise(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        let given = headers
            .get(header::AUTHORIZATION)
            .ok_or_else(|| Refusal::new("U103"))?;
        let key = format!(
            "{}:{}",
            self.options.client_key,
            self.options.secret.reveal()
        );
        match given
            .to_str()
            .is_ok_and(|given| given == format!("Basic {}", STANDARD.encode(key)))
        {
            true => Ok(()),
            false => Err(Refusal::new("U104")),
        }
    }

    /// How a charge stands.
    fn tell(
        &self,
        find: impl FnOnce(&super::book::Book) -> Result<&super::book::Charge, Refusal>,
    ) -> Result<Done, Refusal> {
        let (answer, place) =
            self.look(|book, now| find(book).map(|charge| self.answer(charge, false, now)));
        Ok(Done {
            answer: answer?,
            place,
            first: None,
        })
    }
}

fn order_of(charge: Option<&super::book::Charge>) -> String {
    charge
        .map(|charge| charge.authentication.order_id.clone())
        .unwrap_or_default()
}

fn read<T: DeserializeOwned>(body: &Bytes) -> Result<T, Refusal> {
    serde_json::from_slice(body).map_err(|error| Refusal {
        status: 400,
        code: "400".to_owned(),
        message: error.to_string(),
    })
}

/// Carries a call out and answers, or misbehaves as told.
async fn misbehaving(
    desk: &Desk,
    call: Call,
    order_id: &str,
    carry_out: impl Fn() -> Result<Done, Refusal>,
) -> Response {
    let Some(fault) = desk.faults().pick(call, order_id) else {
        return answer(carry_out()).await;
    };
    match fault {
        Fault::TimeoutBefore => hang().await,
        Fault::TimeoutAfter => {
            answer(carry_out()).await;
            hang().await
        }
        Fault::Late { milliseconds } => {
            let answer = answer(carry_out()).await;
            tokio::time::sleep(Duration::from_millis(milliseconds)).await;
            answer
        }
        Fault::Twice => {
            answer(carry_out()).await;
            answer(carry_out()).await
        }
        Fault::ErrorBefore => failed("told to fail"),
        Fault::ErrorAfter => {
            answer(carry_out()).await;
            failed("told to fail afterwards")
        }
        Fault::DropBefore => broken(),
        Fault::DropAfter => {
            answer(carry_out()).await;
            broken()
        }
        Fault::Refuse { code } => answer(Err(Refusal::new(&code))).await,
        Fault::BadSignature => {
            let forged = carry_out().map(|mut done| {
                if let Some(signature) = done.answer.get_mut("signature") {
                    *signature = Value::from("0".repeat(64));
                }
                done
            });
            answer(forged).await
        }
        Fault::Early => answer(carry_out()).await,
    }
}

/// Answers once what it tells is on disk.
async fn answer(result: Result<Done, Refusal>) -> Response {
    match result {
        Ok(done) => {
            if let Err(why) = done.place.reached().await {
                return failed(&why);
            }
            if let Some(first) = done.first {
                let _ = tokio::time::timeout(NOTICE_FIRST_WITHIN, first).await;
            }
            axum::Json(done.answer).into_response()
        }
        Err(refusal) => {
            let status = StatusCode::from_u16(refusal.status).unwrap_or(StatusCode::BAD_REQUEST);
            let body = json!({ "resultCode": refusal.code, "resultMsg": refusal.message, "service": NAME });
            (status, axum::Json(body)).into_response()
        }
    }
}

async fn hang() -> Response {
    tokio::time::sleep(HANGS_FOR).await;
    StatusCode::GATEWAY_TIMEOUT.into_response()
}

fn failed(why: &str) -> Response {
    (StatusCode::INTERNAL_SERVER_ERROR, format!("{NAME}: {why}")).into_response()
}

/// Half an answer, then the connection is cut.
fn broken() -> Response {
    let pieces = [
        Ok("{\"resultCode\":\"00"),
        Err(std::io::Error::other("told to break")),
    ];
    let body = Body::from_stream(futures::stream::iter(pieces));
    (
        [
            (header::CONTENT_TYPE, "application/json"),
            (header::CONTENT_LENGTH, "1000"),
        ],
        body,
    )
        .into_response()
}
