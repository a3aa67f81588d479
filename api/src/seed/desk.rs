//! Where the seed asks: the program's own router, as somebody, at some time.

use std::net::SocketAddr;
use std::sync::Arc;

use anyhow::{Context, anyhow, bail};
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::ConnectInfo;
use axum::http::request::Builder;
use axum::http::{Method, Request, Response, header};
use domain::Actor;
use domain::ids::MemberId;
use domain::member::Member;
use event_store::{StoredEvent, StreamId};
use serde_json::Value;
use time::{Duration, OffsetDateTime};
use tower::ServiceExt;

use crate::app::AppState;
use crate::http::consistency::{POSITION, WAIT_POSITION};
use crate::http::request_context::Unlogged;
use crate::http::tokens::Session;
use crate::router::router;
use application::clock::PutClock;
use application::executor::CommandContext;
use application::payments::attempts::Attempt;

/// Answers are never larger.
const ANSWER_MOST: usize = 1 << 24;

/// The seed's place at the counter.
pub struct Desk {
    /// The program.
    pub app: AppState,
    /// The time it is now, really: where the story ends.
    pub now: OffsetDateTime,
    clock: Arc<PutClock>,
    router: Router,
    position: Option<String>,
    browser: reqwest::Client,
}

impl Desk {
    /// At a program whose clock is `clock`.
    pub fn new(app: AppState, clock: Arc<PutClock>, now: OffsetDateTime) -> Self {
        let router = router(app.clone());
        Self {
            app,
            now,
            clock,
            router,
            position: None,
            browser: reqwest::Client::new(),
        }
    }

    /// Goes to `ago` before now.
    pub fn go(&self, ago: Duration) {
        self.clock.put(self.now - ago);
    }

    /// Goes to a moment.
    pub fn go_to(&self, moment: OffsetDateTime) {
        self.clock.put(moment);
    }

    /// What the program does on its own account.
    pub fn own(&self, name: &'static str) -> CommandContext {
        CommandContext::for_actor(name, Actor::System)
    }

    /// The event with which a member joined: what is done about it belongs to its story.
    pub async fn joining_of(&self, member: MemberId) -> anyhow::Result<StoredEvent> {
        let stream = StreamId::of::<Member>(member);
        let events = self.app.store.read_stream(&stream).await?;
        events.into_iter().next().context("a member who joined")
    }

    /// A call in somebody's name; anything but success ends the seeding.
    pub async fn ask(
        &mut self,
        who: Option<&Session>,
        method: Method,
        path: &str,
        body: &Value,
    ) -> anyhow::Result<Value> {
        let mut request = json_request(method, path);
        if let Some(session) = who {
            let token = self.app.tokens.access(session, self.app.clock.now())?;
            request = request.header(header::AUTHORIZATION, format!("Bearer {token}"));
        }
        let body = if body.is_null() {
            Body::empty()
        } else {
            Body::from(body.to_string())
        };
        self.answered(request.body(body)?).await
    }

    /// POST by a visitor who has not signed in, in a browser of this name.
    pub async fn visit(&mut self, browser: &str, path: &str, body: &Value) -> anyhow::Result<()> {
        let request = json_request(Method::POST, path).header(header::USER_AGENT, browser);
        let request = request.body(Body::from(body.to_string()))?;
        self.answered(request).await.map(drop)
    }

    async fn answered(&mut self, request: Request<Body>) -> anyhow::Result<Value> {
        let asked = format!("{} {}", request.method(), request.uri());
        let response = self.send(request).await?;
        let status = response.status();
        let bytes = to_bytes(response.into_body(), ANSWER_MOST).await?;
        let answer: Value = serde_json::from_slice(&bytes).unwrap_or_default();
        if !status.is_success() {
            bail!("{asked}: {status} {answer}");
        }
        Ok(answer)
    }

    /// Hands in the copy a company needs to join; answers the token that claims it.
    pub async fn hand_in(&mut self, copy: &str) -> anyhow::Result<Value> {
        let form = format!(
            "--copy\r\ncontent-disposition: form-data; name=\"file\"; filename=\"registration.pdf\"\r\n\r\n{copy}\r\n--copy--\r\n"
        );
        let request = Request::builder()
            .method(Method::POST)
            .uri("/api/v1/users/documents")
            .header(header::CONTENT_TYPE, "multipart/form-data; boundary=copy")
            .body(Body::from(form))?;
        let answer = self.answered(request).await?;
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
        self.ask(who, Method::POST, path, body).await
    }

    /// PUT.
    pub async fn put(&mut self, who: &Session, path: &str, body: &Value) -> anyhow::Result<Value> {
        self.ask(Some(who), Method::PUT, path, body).await
    }

    /// What a buyer's browser does between the payment button and the result page.
    pub async fn pay(&mut self, who: Option<&Session>, order: &str) -> anyhow::Result<()> {
        let wanted = serde_json::json!({ "_order": order });
        let answer = self
            .post(who, "/api/plugins/nicepayments/generate/order", &wanted)
            .await?;
        let window = answer.get("payment").context("a payment window")?.clone();
        let address = format!(
            "{}/sandbox/authenticate",
            self.app.settings.payment.base_url
        );
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

    /// What a buyer does at the bank who pays into the account of an order, and then looks whether it has come.
    pub async fn deposit(&mut self, who: Option<&Session>, order: &str) -> anyhow::Result<()> {
        let attempts = Attempt::of_order(&self.app, order.parse()?).await?;
        let tid = attempts
            .into_iter()
            .find(|attempt| attempt.payment.state.awaited().is_some())
            .and_then(|attempt| attempt.payment.state.tid)
            .context("an account that waits for a deposit")?;
        let address = format!("{}/sandbox/deposit", self.app.settings.payment.base_url);
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
        let here = ConnectInfo(SocketAddr::from(([127, 0, 0, 1], 0)));
        request.extensions_mut().insert(here);
        request.extensions_mut().insert(Unlogged);
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

/// A text inside an answer, by its path: `product/_id`.
pub fn at(answer: &Value, path: &str) -> anyhow::Result<String> {
    let found = answer.pointer(&format!("/{path}"));
    found
        .and_then(Value::as_str)
        .map(str::to_owned)
        .with_context(|| format!("no {path} in {answer}"))
}
