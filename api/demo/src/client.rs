//! An HTTP client inside the program: sends requests to its router, as a member, at a chosen time.

use std::sync::Arc;

use anyhow::{Context, anyhow, bail};
use application::App;
use application::access::Session;
use application::clock::{Clock, PutClock};
use application::executor::CommandContext;
use application::payments::attempts::Attempt;
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::request::Builder;
use axum::http::{HeaderName, Method, Request, Response, header};
use domain::Actor;
use domain::ids::MemberId;
use domain::member::Member;
use event_store::{StoredEvent, StreamId};
use serde_json::Value;
use time::{Duration, OffsetDateTime};
use tower::ServiceExt;

use crate::Host;

/// Maximum size of a response body, in bytes.
const MAX_RESPONSE: usize = 1 << 24;
/// Position of the log after a request.
const POSITION: HeaderName = HeaderName::from_static("x-position");
/// The position a request waits for, so that it sees everything requested before.
const WAIT_POSITION: HeaderName = HeaderName::from_static("x-wait-position");

/// The client.
pub(crate) struct ApiClient {
    /// Dependencies of the use cases.
    pub app: Arc<App>,
    /// The present: the end of all generated data.
    pub now: OffsetDateTime,
    /// The program.
    pub host: Arc<dyn Host>,
    clock: Arc<PutClock>,
    router: Router,
    position: Option<String>,
    browser: reqwest::Client,
}

impl ApiClient {
    /// For a program whose clock is `clock`, set to the present.
    pub fn new(host: Arc<dyn Host>, clock: Arc<PutClock>) -> Self {
        Self {
            app: host.application(),
            now: clock.now(),
            router: host.router(),
            host,
            clock,
            position: None,
            browser: reqwest::Client::new(),
        }
    }

    /// Sets the clock to `ago` before the present.
    pub fn go_back(&self, ago: Duration) {
        self.clock.put(self.now - ago);
    }

    /// Sets the clock.
    pub fn go_to(&self, moment: OffsetDateTime) {
        self.clock.put(moment);
    }

    /// The context of a command that the system executes without a request.
    pub fn system_command(&self, name: &'static str) -> CommandContext {
        CommandContext::for_actor(name, Actor::System)
    }

    /// The event with which a member joined: the cause of the gifts for joining.
    pub async fn joining_of(&self, member: MemberId) -> anyhow::Result<StoredEvent> {
        let stream = StreamId::of::<Member>(member);
        let events = self.app.store.read_stream(&stream).await?;
        events.into_iter().next().context("a member who joined")
    }

    /// Sends a request as a member, or without a session.
    ///
    /// # Errors
    /// Any status but success.
    pub async fn request(
        &mut self,
        who: Option<&Session>,
        method: Method,
        path: &str,
        body: &Value,
    ) -> anyhow::Result<Value> {
        let mut request = json_request(method, path);
        if let Some(session) = who {
            let token = self.host.access_token(session)?;
            request = request.header(header::AUTHORIZATION, format!("Bearer {token}"));
        }
        let body = if body.is_null() {
            Body::empty()
        } else {
            Body::from(body.to_string())
        };
        self.send_for_json(request.body(body)?).await
    }

    /// POST by a visitor who is not signed in, with this `User-Agent`.
    pub async fn post_as_visitor(
        &mut self,
        browser: &str,
        path: &str,
        body: &Value,
    ) -> anyhow::Result<()> {
        let request = json_request(Method::POST, path).header(header::USER_AGENT, browser);
        let request = request.body(Body::from(body.to_string()))?;
        self.send_for_json(request).await.map(drop)
    }

    async fn send_for_json(&mut self, request: Request<Body>) -> anyhow::Result<Value> {
        let asked = format!("{} {}", request.method(), request.uri());
        let response = self.send(request).await?;
        let status = response.status();
        let bytes = to_bytes(response.into_body(), MAX_RESPONSE).await?;
        let answer: Value = serde_json::from_slice(&bytes).unwrap_or_default();
        if !status.is_success() {
            bail!("{asked}: {status} {answer}");
        }
        Ok(answer)
    }

    /// Uploads the certificate a company needs to join; returns the token that claims it.
    pub async fn upload_certificate(&mut self, copy: &str) -> anyhow::Result<Value> {
        let form = format!(
            "--copy\r\ncontent-disposition: form-data; name=\"file\"; filename=\"registration.pdf\"\r\n\r\n{copy}\r\n--copy--\r\n"
        );
        let request = Request::builder()
            .method(Method::POST)
            .uri("/api/v1/users/documents")
            .header(header::CONTENT_TYPE, "multipart/form-data; boundary=copy")
            .body(Body::from(form))?;
        let answer = self.send_for_json(request).await?;
        let token = answer.pointer("/document/token").cloned();
        token.context("a token for the copy")
    }

    /// POST.
    pub async fn post(
        &mut self,
        who: Option<&Session>,
        path: &str,
        body: &Value,
    ) -> anyhow::Result<Value> {
        self.request(who, Method::POST, path, body).await
    }

    /// PUT.
    pub async fn put(&mut self, who: &Session, path: &str, body: &Value) -> anyhow::Result<Value> {
        self.request(Some(who), Method::PUT, path, body).await
    }

    /// An order as staff see it.
    pub async fn order(&mut self, staff: &Session, order: &str) -> anyhow::Result<Value> {
        let path = format!("/api/console/shop/orders/{order}");
        self.request(Some(staff), Method::GET, &path, &Value::Null)
            .await
    }

    /// What a buyer's browser does between the payment button and the result page.
    pub async fn pay(&mut self, who: Option<&Session>, order: &str) -> anyhow::Result<()> {
        let body = serde_json::json!({ "_order": order });
        self.pay_for(who, order, &body).await
    }

    /// The same for the fee of an exchange in the order.
    pub async fn pay_fee(
        &mut self,
        who: Option<&Session>,
        order: &str,
        claim: &str,
    ) -> anyhow::Result<()> {
        let body = serde_json::json!({ "_order": order, "_claim": claim });
        self.pay_for(who, order, &body).await
    }

    async fn pay_for(
        &mut self,
        who: Option<&Session>,
        order: &str,
        body: &Value,
    ) -> anyhow::Result<()> {
        let answer = self
            .post(who, "/api/plugins/nicepayments/generate/order", body)
            .await?;
        let window = answer.get("payment").context("a payment window")?.clone();
        let address = format!("{}/sandbox/authenticate", self.host.payment_url());
        let fields: Value = self
            .browser
            .post(address)
            .json(&window)
            .send()
            .await?
            .json()
            .await?;
        let form = fields.as_object().context("the fields of the return")?;
        let form: Vec<(&str, String)> = form
            .iter()
            .map(|(name, value)| (name.as_str(), text(value)))
            .collect();
        let request = Request::builder()
            .method(Method::POST)
            .uri("/plugins/nicepayments/response")
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
            .body(Body::from(serde_urlencoded::to_string(form)?))?;
        let response = self.send(request).await?;
        let to = response
            .headers()
            .get(header::LOCATION)
            .and_then(|to| to.to_str().ok())
            .unwrap_or_default();
        if to.contains("error=") || !to.contains("order=") {
            bail!("paying {order} ended at {to} ({})", response.status());
        }
        Ok(())
    }

    /// Pays into the virtual account of an order, then has the shop look for the deposit.
    pub async fn deposit(&mut self, who: Option<&Session>, order: &str) -> anyhow::Result<()> {
        let attempts = Attempt::of_order(&self.app, order.parse()?).await?;
        let tid = attempts
            .into_iter()
            .find(|attempt| attempt.payment.state.awaited().is_some())
            .and_then(|attempt| attempt.payment.state.tid)
            .context("an account that waits for a deposit")?;
        let address = format!("{}/sandbox/deposit", self.host.payment_url());
        self.browser
            .post(address)
            .json(&serde_json::json!({ "tid": tid }))
            .send()
            .await?
            .error_for_status()?;
        let asked = format!("/api/v1/shop/orders/{order}/process");
        self.post(who, &asked, &Value::Null).await?;
        Ok(())
    }

    async fn send(&mut self, mut request: Request<Body>) -> anyhow::Result<Response<Body>> {
        if let Some(position) = &self.position {
            request
                .headers_mut()
                .insert(WAIT_POSITION, position.parse()?);
        }
        let response = self
            .router
            .clone()
            .oneshot(request)
            .await
            .map_err(|never| anyhow!("{never}"))?;
        if let Some(position) = response.headers().get(POSITION) {
            self.position = Some(position.to_str()?.to_owned());
        }
        Ok(response)
    }
}

fn json_request(method: Method, path: &str) -> Builder {
    Request::builder()
        .method(method)
        .uri(path)
        .header(header::CONTENT_TYPE, "application/json")
}

fn text(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}

/// The text at a path of a response, such as `product/_id`.
pub(crate) fn at(answer: &Value, path: &str) -> anyhow::Result<String> {
    let found = answer.pointer(&format!("/{path}"));
    found
        .and_then(Value::as_str)
        .map(str::to_owned)
        .with_context(|| format!("no {path} in {answer}"))
}
