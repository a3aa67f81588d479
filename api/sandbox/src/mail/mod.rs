//! The mail server: takes mail over SMTP, delivers none of it, and shows what it took.
//!
//! Mail is journalled before it is acknowledged. Duplicates are not recognised: what a client sends twice is there twice.

mod decode;
mod session;

use std::sync::Arc;

use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::net::TcpListener;

use crate::NAME;
use crate::mail_faults::MailRule;
use crate::pay_page::{Page, escaped, page};
use crate::service::Service;
use crate::state::ReceivedMail;

use decode::ReadableMail;

/// Mails shown on the page.
const SHOWN: usize = 100;

const MAILS_PAGE: Page = Page {
    title: "받은 메일",
    content: include_str!("mails.html"),
};

pub(crate) fn routes() -> Router<Arc<Service>> {
    Router::new()
        .route("/mails", get(mails_page))
        .route("/sandbox/mails", get(mails))
        .route(
            "/sandbox/mails/faults",
            get(faults).post(add_fault).delete(clear_faults),
        )
}

/// Takes mail at `listener` until the runtime ends.
pub(crate) async fn take(service: Arc<Service>, listener: TcpListener) {
    loop {
        match listener.accept().await {
            Ok((stream, _)) => {
                let service = Arc::clone(&service);
                tokio::spawn(async move {
                    // a client that hangs up ends only its own session
                    let _ = session::hold(&service, stream).await;
                });
            }
            Err(error) => {
                tracing::warn!(%error, "a connection for mail is lost");
                tokio::time::sleep(std::time::Duration::from_millis(50)).await;
            }
        }
    }
}

#[derive(Deserialize)]
struct MailQuery {
    /// Only mail to this address.
    to: Option<String>,
}

/// The mails taken so far, oldest first, decoded.
async fn mails(State(service): State<Arc<Service>>, Query(query): Query<MailQuery>) -> Response {
    let (mails, position) = service.read(|state, _| state.mails.clone());
    let is_asked = |mail: &&ReceivedMail| {
        let to = query.to.as_ref();
        to.is_none_or(|to| mail.to.contains(to))
    };
    let mails: Vec<Value> = mails.iter().filter(is_asked).map(shown).collect();
    let answer = Json(json!({ "service": NAME, "mails": mails }));
    match position.reached().await {
        Ok(()) => answer.into_response(),
        Err(why) => (StatusCode::INTERNAL_SERVER_ERROR, why).into_response(),
    }
}

fn shown(mail: &ReceivedMail) -> Value {
    let decoded = ReadableMail::of(&mail.content);
    json!({
        "id": mail.id, "at": mail.at.to_string(), "from": mail.from, "to": mail.to,
        "messageId": decoded.header("message-id"), "subject": decoded.header("subject"),
        "headers": decoded.headers, "text": decoded.text, "html": decoded.html,
    })
}

/// The page of received mail, newest first.
async fn mails_page(State(service): State<Arc<Service>>) -> Response {
    let (mails, _) = service.read(|state, _| state.mails.clone());
    let rows: Vec<String> = mails.iter().rev().take(SHOWN).map(row).collect();
    let none = "<li>받은 메일이 없습니다.</li>".to_owned();
    let rows = if rows.is_empty() { none } else { rows.concat() };
    page(MAILS_PAGE, &[("MAILS", rows)])
}

fn row(mail: &ReceivedMail) -> String {
    let decoded = ReadableMail::of(&mail.content);
    format!(
        "<li><dl><dt>받는 사람</dt><dd>{}</dd><dt>제목</dt><dd>{}</dd></dl><p class=\"text\">{}</p></li>",
        escaped(&mail.to.join(", ")),
        escaped(decoded.header("subject").unwrap_or_default()),
        with_links(&decoded.text),
    )
}

/// A text for HTML whose addresses are links.
fn with_links(text: &str) -> String {
    let word = |word: &str| match word.starts_with("http://") || word.starts_with("https://") {
        true => format!("<a href=\"{0}\">{0}</a>", escaped(word)),
        false => escaped(word),
    };
    let line = |line: &str| line.split(' ').map(word).collect::<Vec<_>>().join(" ");
    text.lines().map(line).collect::<Vec<_>>().join("<br>")
}

/// The fault rules in force, with their remaining uses.
async fn faults(State(service): State<Arc<Service>>) -> Json<Value> {
    Json(json!({ "service": NAME, "faults": service.mail_faults().rules }))
}

/// Adds a fault rule. Rules are lost at a restart.
async fn add_fault(State(service): State<Arc<Service>>, Json(rule): Json<MailRule>) -> StatusCode {
    service.mail_faults().rules.push(rule);
    StatusCode::NO_CONTENT
}

/// Removes all fault rules.
async fn clear_faults(State(service): State<Arc<Service>>) -> StatusCode {
    service.mail_faults().rules.clear();
    StatusCode::NO_CONTENT
}
