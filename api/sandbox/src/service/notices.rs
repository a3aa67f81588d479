//! Delivery of notices (webhooks): after the entry is on disk, with retries, resumed after a restart.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use reqwest::{Response, StatusCode, header};

use super::Service;
use crate::journal::JournalPosition;
use crate::state::{Entry, PendingNotice};

/// Number of attempts before a notice is abandoned.
const TRIES: u32 = 10;

/// Delay after the first attempt; it doubles each time.
const FIRST_WAIT: Duration = Duration::from_millis(200);

/// Sends a notice until it is acknowledged.
pub(crate) async fn deliver(service: Arc<Service>, due: PendingNotice, position: JournalPosition) {
    if position.reached().await.is_err() {
        return;
    }
    for round in 0..TRIES {
        let sent = service
            .http
            .post(&due.url)
            .header(header::CONTENT_TYPE, "application/json; charset=utf-8")
            .body(due.body.clone())
            .send()
            .await;
        if let Ok(response) = sent
            && is_taken(response).await
        {
            service.record(Entry::NoticeTaken { notice: due.notice });
            return;
        }
        tokio::time::sleep(FIRST_WAIT.saturating_mul(2_u32.saturating_pow(round))).await;
    }
    tracing::warn!(url = due.url, "a notice was never taken");
    service.record(Entry::NoticeGivenUp { notice: due.notice });
}

/// Delays a delivery.
pub(crate) fn later(
    sending: impl Future<Output = ()> + Send + 'static,
    milliseconds: u64,
) -> Pin<Box<dyn Future<Output = ()> + Send>> {
    Box::pin(async move {
        tokio::time::sleep(Duration::from_millis(milliseconds)).await;
        sending.await;
    })
}

/// Whether the response acknowledges the notice: HTTP 200, `text/html`, and a body that contains `OK`.
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
