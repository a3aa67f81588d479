//! Client of the NICE Payments REST API, version 1 (domain-facts 2.1).

use async_trait::async_trait;
use domain::Amount;
use reqwest::{Client, Method, Response, StatusCode};
use serde_json::{Map, Value, json};
use std::time::Duration;

use time::OffsetDateTime;
use time::macros::{format_description, offset};

use super::answer::{Answer, AnswerBody, Status};
use super::codes::{self, Call, Verdict};
use super::sign::{self, SecretKey};
use super::units::Currency;
use super::{
    AuthenticatedPayment, CancelRequest, Notice, NoticeError, Outcome, PaymentGateway, ReturnError,
    ReturnForm, UnknownReason, WindowError, WindowOptions, WindowRequest,
};
use crate::http;

/// Answers are a few kilobytes; a longer body is rejected.
const MAX_ANSWER_BYTES: usize = 1024 * 1024;

/// How to reach the service.
#[derive(Clone, Debug)]
pub struct NiceConfig {
    /// Base URL of the REST API.
    pub base_url: String,
    /// The shop's id at the service; public.
    pub client_key: String,
    /// The shop's secret at the service.
    pub secret_key: SecretKey,
    /// Currency the service is paid in.
    pub currency: Currency,
    /// Connect timeout.
    pub connect_timeout: Duration,
    /// Time to wait for the answer once connected.
    pub read_timeout: Duration,
    /// Whether to bypass the HTTP proxy of the environment: for a service on this machine.
    pub bypass_proxy: bool,
}

/// The client.
#[derive(Clone, Debug)]
pub struct NiceClient {
    http: Client,
    base_url: String,
    client_key: String,
    secret: SecretKey,
    currency: Currency,
}

/// The client cannot be built: certificates or resolver of this machine are broken.
#[derive(Debug, thiserror::Error)]
#[error("cannot build the payment client: {0}")]
pub struct NiceClientError(#[from] reqwest::Error);

impl NiceClient {
    /// Builds the client.
    ///
    /// # Errors
    /// [`NiceClientError`].
    pub fn new(config: NiceConfig) -> Result<Self, NiceClientError> {
        let http = http::once_only(config.bypass_proxy)
            .connect_timeout(config.connect_timeout)
            .timeout(config.connect_timeout + config.read_timeout);
        Ok(Self {
            http: http.build()?,
            base_url: config.base_url,
            client_key: config.client_key,
            secret: config.secret_key,
            currency: config.currency,
        })
    }

    /// Sends a request and classifies the response.
    async fn call(
        &self,
        call: Call,
        method: Method,
        path: &[&str],
        body: Option<Value>,
    ) -> Outcome {
        let mut url = match reqwest::Url::parse(&self.base_url) {
            Ok(url) => url,
            Err(error) => {
                return Outcome::NotSent {
                    why: error.to_string(),
                };
            }
        };
        // ids come from outside; as path segments they cannot change the route
        match url.path_segments_mut() {
            Ok(mut segments) => segments
                .pop_if_empty()
                .extend(["v1", "payments"])
                .extend(path),
            Err(()) => {
                return Outcome::NotSent {
                    why: "the base address has no path".to_owned(),
                };
            }
        };
        let mut request = self
            .http
            .request(method, url)
            .basic_auth(&self.client_key, Some(self.secret.reveal()));
        if let Some(body) = body {
            request = request.json(&body);
        }
        match request.send().await {
            Ok(response) => self.classify(call, response).await,
            Err(error) if error.is_connect() || error.is_builder() => Outcome::NotSent {
                why: with_causes(&error),
            },
            Err(error) => unknown(transport_failure(&error)),
        }
    }

    async fn classify(&self, call: Call, response: Response) -> Outcome {
        let status = response.status();
        let body = match read(response).await {
            Ok(body) => body,
            Err(reason) => return unknown(reason),
        };
        let answer = serde_json::from_slice::<AnswerBody>(&body)
            .ok()
            .filter(|answer| !answer.result_code.is_empty());
        match (status, answer) {
            (StatusCode::OK, Some(answer)) => self.classify_answer(call, answer),
            (StatusCode::OK, None) => {
                unknown(UnknownReason::Unreadable("it is not an answer".to_owned()))
            }
            (
                StatusCode::BAD_REQUEST
                | StatusCode::UNAUTHORIZED
                | StatusCode::FORBIDDEN
                | StatusCode::NOT_FOUND
                | StatusCode::METHOD_NOT_ALLOWED,
                answer,
            ) => {
                let http = || (status.as_u16().to_string(), String::new());
                let (code, message) =
                    answer.map_or_else(http, |answer| (answer.result_code, answer.result_msg));
                Outcome::Refused { code, message }
            }
            (other, _) => unknown(UnknownReason::Service(other.as_u16())),
        }
    }

    fn classify_answer(&self, call: Call, answer: AnswerBody) -> Outcome {
        let (code, message) = (answer.result_code.clone(), answer.result_msg.clone());
        match codes::verdict(call, &code) {
            Verdict::Refused => Outcome::Refused { code, message },
            Verdict::DoneBefore => unknown(UnknownReason::DoneBefore { code, message }),
            Verdict::Done => match answer.checked(&self.secret, &self.currency) {
                Ok(answer) => Outcome::Done(Box::new(answer)),
                Err(reason) => unknown(reason),
            },
        }
    }
}

#[async_trait]
impl PaymentGateway for NiceClient {
    fn window(&self, request: WindowRequest) -> Result<WindowOptions, WindowError> {
        request.options(&self.client_key, &self.currency)
    }

    fn read_return(
        &self,
        form: &ReturnForm,
        order_id: &str,
        amount: Amount,
    ) -> Result<AuthenticatedPayment, ReturnError> {
        form.check(
            &self.secret,
            &self.client_key,
            &self.currency,
            order_id,
            amount,
        )
    }

    fn read_notice(&self, body: &[u8]) -> Result<Notice, NoticeError> {
        Notice::read(body, &self.secret, &self.currency)
    }

    async fn approve(&self, tid: &str, amount: Amount, order_id: &str) -> Outcome {
        let units = match self.currency.to_gateway(amount) {
            Ok(units) => units.0,
            Err(error) => {
                return Outcome::NotSent {
                    why: error.to_string(),
                };
            }
        };
        let edi_date = edi_date();
        let body = json!({
            "amount": units,
            "signData": sign::sign_approve(&self.secret, tid, units, &edi_date),
            "ediDate": edi_date,
            "returnCharSet": "utf-8",
        });
        self.call(Call::Approve, Method::POST, &[tid], Some(body))
            .await
            .unless_differs(|answer| {
                let moved = matches!(answer.status, Status::Paid | Status::Ready);
                difference(&[
                    ("tid", answer.tid == tid),
                    ("orderId", answer.order_id == order_id),
                    ("amount", answer.amount == amount),
                    ("status", moved),
                ])
            })
    }

    async fn query(&self, tid: &str) -> Outcome {
        let outcome = self.call(Call::Query, Method::GET, &[tid], None).await;
        outcome.unless_differs(|answer| difference(&[("tid", answer.tid == tid)]))
    }

    async fn find(&self, order_id: &str) -> Outcome {
        let outcome = self
            .call(Call::Query, Method::GET, &["find", order_id], None)
            .await;
        outcome.unless_differs(|answer| difference(&[("orderId", answer.order_id == order_id)]))
    }

    async fn cancel(&self, request: &CancelRequest) -> Outcome {
        let edi_date = edi_date();
        let mut body = Map::new();
        let mut put = |key: &str, value: Value| body.insert(key.to_owned(), value);
        put("reason", json!(request.reason));
        put("orderId", json!(request.order_id));
        put(
            "signData",
            json!(sign::sign_cancel(&self.secret, &request.tid, &edi_date)),
        );
        put("ediDate", json!(edi_date));
        if let Some(amount) = request.amount {
            match self.currency.to_gateway(amount) {
                Ok(units) => put("cancelAmt", json!(units.0)),
                Err(error) => {
                    return Outcome::NotSent {
                        why: error.to_string(),
                    };
                }
            };
        }
        if let Some(account) = &request.refund_account {
            put("refundBankCode", json!(account.bank_code));
            put("refundAccount", json!(account.number));
            put("refundHolder", json!(account.holder));
        }
        let path = [request.tid.as_str(), "cancel"];
        let outcome = self
            .call(Call::Cancel, Method::POST, &path, Some(Value::Object(body)))
            .await;
        outcome.unless_differs(|answer| {
            let given_back = matches!(answer.status, Status::Cancelled | Status::PartialCancelled);
            difference(&[("tid", answer.tid == request.tid), ("status", given_back)])
        })
    }

    async fn net_cancel(&self, order_id: &str) -> Outcome {
        let edi_date = edi_date();
        let body = json!({
            "orderId": order_id,
            "signData": sign::sign_net_cancel(&self.secret, order_id, &edi_date),
            "ediDate": edi_date,
        });
        let outcome = self
            .call(Call::NetCancel, Method::POST, &["netcancel"], Some(body))
            .await;
        outcome.unless_differs(|answer| {
            difference(&[
                ("orderId", answer.order_id == order_id),
                ("status", answer.status == Status::Cancelled),
            ])
        })
    }
}

impl Outcome {
    /// Turns an answer that differs from the request into [`Outcome::Unknown`].
    fn unless_differs(self, differs: impl FnOnce(&Answer) -> Option<&'static str>) -> Self {
        match self {
            Self::Done(answer) => match differs(&answer) {
                Some(field) => unknown(UnknownReason::Differs(field)),
                None => Self::Done(answer),
            },
            other => other,
        }
    }
}

/// The first field that differs.
fn difference(fields: &[(&'static str, bool)]) -> Option<&'static str> {
    fields
        .iter()
        .find(|(_, same)| !same)
        .map(|(field, _)| *field)
}

fn unknown(why: UnknownReason) -> Outcome {
    Outcome::Unknown { why }
}

fn transport_failure(error: &reqwest::Error) -> UnknownReason {
    match error.is_timeout() {
        true => UnknownReason::Timeout,
        false => UnknownReason::ConnectionLost(with_causes(error)),
    }
}

async fn read(mut response: Response) -> Result<Vec<u8>, UnknownReason> {
    let mut body = Vec::new();
    while let Some(chunk) = response
        .chunk()
        .await
        .map_err(|error| transport_failure(&error))?
    {
        body.extend_from_slice(&chunk);
        if body.len() > MAX_ANSWER_BYTES {
            return Err(UnknownReason::Unreadable("it is too long".to_owned()));
        }
    }
    Ok(body)
}

/// An error with its causes; reqwest's own message stops at "error sending request".
fn with_causes(error: &reqwest::Error) -> String {
    let first: &dyn std::error::Error = error;
    let chain = std::iter::successors(Some(first), |error| error.source());
    chain
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join(": ")
}

/// Current time in the format of the service: Korean time with milliseconds.
fn edi_date() -> String {
    let format = format_description!(
        "[year]-[month]-[day]T[hour]:[minute]:[second].[subsecond digits:3]+0900"
    );
    let now = OffsetDateTime::now_utc().to_offset(offset!(+9));
    now.format(format).unwrap_or_default()
}
