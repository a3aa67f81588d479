//! Sending notices: after the event is on disk, again until taken, and again after a restart.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use reqwest::{Response, StatusCode, header};

use super::book::{Due, Entry};
use super::desk::Desk;
use super::journal::Place;

/// How often a notice is tried before it is given up.
const TRIES: u32 = 10;

/// The wait after the first try; it doubles each time.
const FIRST_WAIT: Duration = Duration::from_millis(200);

/// Sends a notice until it is taken.
pub(super) async fn deliver(desk: Arc<Desk>, due: Due, place: Place) {
    if place.reached().await.is_err() {
        return;
    }
    for round in 0..TRIES {
        let sent = desk
            .http
            .post(&due.url)
            .header(header::CONTENT_TYPE, "application/json; charset=utf-8")
            .body(due.body.clone())
            .send()
            .await;
        if let Ok(response) = sent
            && is_taken(response).await
        {
            desk.note(Entry::NoticeTaken { notice: due.notice });
            return;
        }
        tokio::time::sleep(FIRST_WAIT.saturating_mul(2_u32.saturating_pow(round))).await;
    }
    tracing::warn!(url = due.url, "a notice was never taken");
    desk.note(Entry::NoticeGivenUp { notice: due.notice });
}

/// Sends it after a while.
pub(super) fn later(
    sending: impl Future<Output = ()> + Send + 'static,
    milliseconds: u64,
) -> Pin<Box<dyn Future<Output = ()> + Send>> {
    Box::pin(async move {
        tokio::time::sleep(Duration::from_millis(milliseconds)).await;
        sending.await;
    })
}

/// HTTP 200, `text/html`, and a body with `OK` in it; nothing else counts.
async fn is_taken(response: Response) -> bool {
    let html = response
        .headers()
        .get(header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .is_some_and(|value| value.starts_with("text/html"));
    let ok = response.status() == StatusCode::OK;
    let body = response.text().await.unwrap_or_default();
    ok && html && body.contains("OK")
}
