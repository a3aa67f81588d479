//! Reports of carriers: whether a phone got a text, known some time after the text was taken. They can be asked for by the list, and are
//! posted to a webhook, once: what the webhook misses is not posted again.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::{Value, json};
use time::{Duration, OffsetDateTime};

use crate::faults::{Call, Fault};
use crate::protocol::failed;
use crate::service::Service;
use crate::state::{CarrierReport, Entry, ReceivedSms};

/// Time from taking a text to its report.
const USUAL: Duration = Duration::seconds(2);

/// The report on a text to this number that is taken now; none if a rule says that none comes.
pub(super) fn report_of(
    service: &Service,
    number: &str,
    now: OffsetDateTime,
) -> Option<CarrierReport> {
    let report = |code: &str, after: Duration| {
        Some(CarrierReport {
            code: code.to_owned(),
            at: Some(now + after),
        })
    };
    match service.faults().pick(Call::ReportSms, number) {
        Some(Fault::TimeoutBefore | Fault::TimeoutAfter) => None,
        Some(Fault::Late { milliseconds }) => {
            let late = i64::try_from(milliseconds).unwrap_or(i64::MAX);
            report("4000", Duration::milliseconds(late))
        }
        Some(Fault::Refuse { code }) => report(&code, Duration::ZERO),
        Some(Fault::Early) => report("4000", Duration::ZERO),
        _ => report("4000", USUAL),
    }
}

/// Posts the reports on these texts to the webhook when they come.
pub(super) fn post(service: &Arc<Service>, texts: &[ReceivedSms]) {
    let (url, _) = service.read(|state, _| state.report_url.clone());
    let Some(url) = url else {
        return;
    };
    for text in texts {
        let Some(report) = text.report.clone() else {
            continue;
        };
        let (service, url) = (Arc::clone(service), url.clone());
        let body = body(text, &report.code);
        tokio::spawn(async move {
            let left = report.at.map(|at| at - OffsetDateTime::now_utc());
            let left = left.and_then(|left| std::time::Duration::try_from(left).ok());
            tokio::time::sleep(left.unwrap_or_default()).await;
            // Twice, as a gateway does that lost our answer.
            for _ in 0..2 {
                if let Err(error) = service.http.post(&url).json(&body).send().await {
                    tracing::debug!(?error, "a report was not taken");
                }
            }
        });
    }
}

fn body(text: &ReceivedSms, code: &str) -> Value {
    json!([{
        "messageId": text.message_id, "groupId": text.group_id, "type": text.kind, "to": text.to, "from": text.from,
        "statusCode": code, "statusMessage": super::rules::meaning(code), "customFields": text.custom_fields,
    }])
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Webhook {
    report_url: Option<String>,
}

/// Changes the URL of the webhook, as in the gateway's own console; null disables it.
pub(super) async fn register(
    State(service): State<Arc<Service>>,
    Json(webhook): Json<Webhook>,
) -> Response {
    let url = webhook.report_url;
    match service.record(Entry::ReportsGoTo { url }).reached().await {
        Ok(()) => StatusCode::NO_CONTENT.into_response(),
        Err(why) => failed(&why),
    }
}
