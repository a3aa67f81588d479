//! The client of NICE Payments' REST interface, version 1 (domain-facts 2.1).

use async_trait::async_trait;
use domain::Amount;
use reqwest::redirect::Policy;
use reqwest::{Client, Method, Response, StatusCode};
use serde_json::{Map, Value, json};
use time::OffsetDateTime;
use time::macros::{format_description, offset};

use super::answer::{Answer, Status, Wire};
use super::codes::{self, Call, Verdict};
use super::sign::{self, SecretKey};
use super::units::Currency;
use super::{
    Authenticated, CancelRequest, Doubt, Notice, NoticeError, Outcome, PaymentGateway, ReturnError,
    ReturnForm, WindowError, WindowOptions, WindowRequest,
};
use crate::settings;

/// An answer is a few kilobytes; more is not one.
const LARGEST_ANSWER: usize = 1024 * 1024;

/// The client. Cheap to share behind an `Arc`.
#[derive(Clone, Debug)]
pub struct Nice {
    http: Client,
    base_url: String,
    client_key: String,
    secret: SecretKey,
    currency: Currency,
}

/// The client cannot be built (the machine's certificates or resolver are broken).
#[derive(Debug, thiserror::Error)]
#[error("cannot build the payment client: {0}")]
pub struct NiceError(#[from] reqwest::Error);

impl Nice {
    /// A client for the service the settings name.
    ///
    /// # Errors
    /// [`NiceError`].
    pub fn new(payment: &settings::Payment, currency: Currency) -> Result<Self, NiceError> {
        let http = Client::builder()
            .connect_timeout(payment.connect_timeout)
            .timeout(payment.connect_timeout + payment.read_timeout)
            // a redirected POST would be sent twice, and to somebody else
            .redirect(Policy::none())
            // a kept connection the service has just closed looks like a lost answer; money deserves a new one
            .pool_max_idle_per_host(0)
            .retry(reqwest::retry::never());
        let http = match settings::is_local(&payment.base_url) {
            true => http.no_proxy(),
            false => http,
        };
        Ok(Self {
            http: http.build()?,
            base_url: payment.base_url.clone(),
            client_key: payment.client_key.clone(),
            secret: SecretKey::new(payment.secret_key.clone()),
            currency,
        })
    }

    /// Makes a call and judges what came back.
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
        // ids come from outside; as segments they cannot change which call this is
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
            Ok(response) => self.judge(call, response).await,
            Err(error) if error.is_connect() || error.is_builder() => Outcome::NotSent {
                why: with_causes(&error),
            },
            Err(error) => unknown(lost(&error)),
        }
    }

    async fn judge(&self, call: Call, response: Response) -> Outcome {
        let status = response.status();
        let body = match read(response).await {
            Ok(body) => body,
            Err(doubt) => return unknown(doubt),
        };
        let wire = serde_json::from_slice::<Wire>(&body)
            .ok()
            .filter(|wire| !wire.result_code.is_empty());
        match (status, wire) {
            (StatusCode::OK, Some(wire)) => self.judge_answer(call, wire),
            (StatusCode::OK, None) => unknown(Doubt::Unreadable("it is not an answer".to_owned())),
            (
                StatusCode::BAD_REQUEST
                | StatusCode::UNAUTHORIZED
                | StatusCode::FORBIDDEN
                | StatusCode::NOT_FOUND
                | StatusCode::METHOD_NOT_ALLOWED,
                wire,
            ) => {
                let http = || (status.as_u16().to_string(), String::new());
                let (code, message) =
                    wire.map_or_else(http, |wire| (wire.result_code, wire.result_msg));
                Outcome::Refused { code, message }
            }
            (other, _) => unknown(Doubt::Service(other.as_u16())),
        }
    }

    fn judge_answer(&self, call: Call, wire: Wire) -> Outcome {
        let (code, message) = (wire.result_code.clone(), wire.result_msg.clone());
        match codes::verdict(call, &code) {
            Verdict::Refused => Outcome::Refused { code, message },
            Verdict::DoneBefore => unknown(Doubt::DoneBefore { code, message }),
            Verdict::Done => match wire.checked(&self.secret, &self.currency) {
                Ok(answer) => Outcome::Done(Box::new(answer)),
                Err(doubt) => unknown(doubt),
            },
        }
    }
}

#[async_trait]
impl PaymentGateway for Nice {
    fn window(&self, request: WindowRequest) -> Result<WindowOptions, WindowError> {
        request.options(&self.client_key, &self.currency)
    }

    fn read_return(
        &self,
        form: &ReturnForm,
        order_id: &str,
        amount: Amount,
    ) -> Result<Authenticated, ReturnError> {
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
            .unless(|answer| {
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
        outcome.unless(|answer| difference(&[("tid", answer.tid == tid)]))
    }

    async fn find(&self, order_id: &str) -> Outcome {
        let outcome = self
            .call(Call::Query, Method::GET, &["find", order_id], None)
            .await;
        outcome.unless(|answer| difference(&[("orderId", answer.order_id == order_id)]))
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
        outcome.unless(|answer| {
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
        outcome.unless(|answer| {
            difference(&[
                ("orderId", answer.order_id == order_id),
                ("status", answer.status == Status::Cancelled),
            ])
        })
    }
}

impl Outcome {
    /// Turns an answer about something else into a doubt.
    fn unless(self, differs: impl FnOnce(&Answer) -> Option<&'static str>) -> Self {
        match self {
            Self::Done(answer) => match differs(&answer) {
                Some(field) => unknown(Doubt::Differs(field)),
                None => Self::Done(answer),
            },
            other => other,
        }
    }
}

/// The first field that is not as asked.
fn difference(fields: &[(&'static str, bool)]) -> Option<&'static str> {
    fields
        .iter()
        .find(|(_, same)| !same)
        .map(|(field, _)| *field)
}

fn unknown(why: Doubt) -> Outcome {
    Outcome::Unknown { why }
}

fn lost(error: &reqwest::Error) -> Doubt {
    match error.is_timeout() {
        true => Doubt::Timeout,
        false => Doubt::ConnectionLost(with_causes(error)),
    }
}

async fn read(mut response: Response) -> Result<Vec<u8>, Doubt> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| lost(&error))? {
        body.extend_from_slice(&chunk);
        if body.len() > LARGEST_ANSWER {
            return Err(Doubt::Unreadable("it is too long".to_owned()));
        }
    }
    Ok(body)
}

/// An error with its causes; reqwest's own words stop at "error sending request".
fn with_causes(error: &reqwest::Error) -> String {
    let first: &dyn std::error::Error = error;
    let chain = std::iter::successors(Some(first), |error| error.source());
    chain
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join(": ")
}

/// Now, as the service writes it: Korean time with milliseconds.
fn edi_date() -> String {
    let format = format_description!(
        "[year]-[month]-[day]T[hour]:[minute]:[second].[subsecond digits:3]+0900"
    );
    let now = OffsetDateTime::now_utc().to_offset(offset!(+9));
    now.format(format).unwrap_or_default()
}
