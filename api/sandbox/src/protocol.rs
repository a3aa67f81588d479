//! Routes of NICE v1: approve, query, cancel, net cancel, compare an amount.

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

use crate::NAME;
use crate::faults::{Call, Fault};
use crate::refusal::{Refusal, meaning};
use crate::service::{GatewayAnswer, Service, new_id};
use crate::sign;
use crate::state::CancelForm;

/// How long a call hangs; its caller times out long before.
const HANGS_FOR: Duration = Duration::from_secs(600);

/// How long an answer waits for a notice that has to be acknowledged first.
const NOTICE_FIRST_WITHIN: Duration = Duration::from_secs(10);

pub(crate) fn routes() -> Router<Arc<Service>> {
    Router::new()
        .route("/v1/payments/{tid}", get(query).post(approve))
        .route("/v1/payments/find/{order_id}", get(find))
        .route("/v1/payments/{tid}/cancel", post(cancel))
        .route("/v1/payments/netcancel", post(net_cancel))
        .route("/v1/check-amount/{tid}", post(check_amount))
}

/// Common fields of signed bodies.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Signed {
    amount: Option<i64>,
    order_id: String,
    edi_date: Option<String>,
    sign_data: Option<String>,
}

impl Signed {
    /// The protocol makes signing optional; a given signature must be right.
    fn check(&self, expected: impl FnOnce(&str) -> String) -> Result<(), Refusal> {
        match (&self.edi_date, &self.sign_data) {
            (None, None) => Ok(()),
            (Some(date), Some(given)) if sign::matches(&expected(date), given) => Ok(()),
            _ => Err(Refusal::new("A101")),
        }
    }
}

async fn approve(
    State(service): State<Arc<Service>>,
    Path(tid): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let order_id = service.read(|state, _| order_of(state.charge(&tid).ok())).0;
    with_fault(&service, Call::Approve, &order_id, || {
        service.authorise(&headers)?;
        let form: Signed = read(&body)?;
        let amount = form.amount.ok_or_else(|| Refusal::new("A123"))?;
        form.check(|date| service.options.secret.approval(&tid, amount, date))?;
        let number = format!("{:08}", rand::random_range(0..100_000_000));
        service.decide(|state, now| state.approve(&tid, amount, number, now))
    })
    .await
}

async fn cancel(
    State(service): State<Arc<Service>>,
    Path(tid): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let order_id = service.read(|state, _| order_of(state.charge(&tid).ok())).0;
    with_fault(&service, Call::Cancel, &order_id, || {
        service.authorise(&headers)?;
        let signed: Signed = read(&body)?;
        signed.check(|date| service.options.secret.cancel(&tid, date))?;
        let form: CancelForm = read(&body)?;
        service.decide(|state, now| state.cancel(&tid, &form, new_id("SBXC"), now))
    })
    .await
}

async fn net_cancel(
    State(service): State<Arc<Service>>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let order_id = read::<Signed>(&body).unwrap_or_default().order_id;
    with_fault(&service, Call::NetCancel, &order_id, || {
        service.authorise(&headers)?;
        let signed: Signed = read(&body)?;
        signed.check(|date| service.options.secret.net_cancel(&order_id, date))?;
        service.decide(|state, now| state.net_cancel(&order_id, new_id("SBXC"), now))
    })
    .await
}

async fn query(
    State(service): State<Arc<Service>>,
    Path(tid): Path<String>,
    headers: HeaderMap,
) -> Response {
    let order_id = service.read(|state, _| order_of(state.charge(&tid).ok())).0;
    with_fault(&service, Call::Query, &order_id, || {
        service.authorise(&headers)?;
        service.describe(|state| state.charge(&tid))
    })
    .await
}

async fn find(
    State(service): State<Arc<Service>>,
    Path(order_id): Path<String>,
    headers: HeaderMap,
) -> Response {
    with_fault(&service, Call::Query, &order_id, || {
        service.authorise(&headers)?;
        service.describe(|state| state.find(&order_id))
    })
    .await
}

async fn check_amount(
    State(service): State<Arc<Service>>,
    Path(tid): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let order_id = service.read(|state, _| order_of(state.charge(&tid).ok())).0;
    with_fault(&service, Call::CheckAmount, &order_id, || {
        service.authorise(&headers)?;
        let form: Signed = read(&body)?;
        let amount = form.amount.unwrap_or_default();
        form.check(|date| service.options.secret.approval(&tid, amount, date))?;
        let (charge, position) = service.read(|state, _| state.charge(&tid).map(|charge| charge.authentication.amount));
        let answer = json!({
            "resultCode": "0000", "resultMsg": meaning("0000"), "service": NAME, "isValid": charge? == amount,
        });
        Ok(GatewayAnswer { answer, position, first: None })
    })
    .await
}

impl Service {
    /// Only the merchant may call.
    fn authorise(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        let given = headers
            .get(header::AUTHORIZATION)
            .ok_or_else(|| Refusal::new("U103"))?;
        let credentials = given
            .to_str()
            .ok()
            .and_then(|given| given.strip_prefix("Basic "))
            .and_then(|encoded| STANDARD.decode(encoded).ok());
        let key = &self.options.client_key;
        match credentials.is_some_and(|given| self.options.secret.is_login(key, &given)) {
            true => Ok(()),
            false => Err(Refusal::new("U104")),
        }
    }

    /// Answer about a charge.
    fn describe(
        &self,
        find: impl FnOnce(&crate::state::GatewayState) -> Result<&crate::state::Charge, Refusal>,
    ) -> Result<GatewayAnswer, Refusal> {
        let (answer, position) =
            self.read(|state, now| find(state).map(|charge| self.answer(charge, false, now)));
        Ok(GatewayAnswer {
            answer: answer?,
            position,
            first: None,
        })
    }
}

fn order_of(charge: Option<&crate::state::Charge>) -> String {
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

/// Executes a call and answers, or applies the fault that matches it.
async fn with_fault(
    service: &Service,
    call: Call,
    order_id: &str,
    execute: impl Fn() -> Result<GatewayAnswer, Refusal>,
) -> Response {
    let Some(fault) = service.faults().pick(call, order_id) else {
        return answer(execute()).await;
    };
    match fault {
        Fault::TimeoutBefore => hang().await,
        Fault::TimeoutAfter => {
            answer(execute()).await;
            hang().await
        }
        Fault::Late { milliseconds } => {
            let answer = answer(execute()).await;
            tokio::time::sleep(Duration::from_millis(milliseconds)).await;
            answer
        }
        Fault::Twice => {
            answer(execute()).await;
            answer(execute()).await
        }
        Fault::ErrorBefore => failed("told to fail"),
        Fault::ErrorAfter => {
            answer(execute()).await;
            failed("told to fail afterwards")
        }
        Fault::DropBefore => truncated(),
        Fault::DropAfter => {
            answer(execute()).await;
            truncated()
        }
        Fault::Refuse { code } => answer(Err(Refusal::new(&code))).await,
        Fault::BadSignature => {
            let forged = execute().map(|mut done| {
                if let Some(signature) = done.answer.get_mut("signature") {
                    *signature = Value::from("0".repeat(64));
                }
                done
            });
            answer(forged).await
        }
        Fault::Early => answer(execute()).await,
    }
}

/// Answers once the state it reports is on disk.
async fn answer(result: Result<GatewayAnswer, Refusal>) -> Response {
    match result {
        Ok(done) => {
            if let Err(why) = done.position.reached().await {
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

pub(crate) async fn hang() -> Response {
    tokio::time::sleep(HANGS_FOR).await;
    StatusCode::GATEWAY_TIMEOUT.into_response()
}

pub(crate) fn failed(why: &str) -> Response {
    (StatusCode::INTERNAL_SERVER_ERROR, format!("{NAME}: {why}")).into_response()
}

/// Half an answer, then the connection is closed.
pub(crate) fn truncated() -> Response {
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
