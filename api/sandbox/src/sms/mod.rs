//! The gateway of texts: takes SMS, LMS and AlimTalk as SOLAPI v4 does, delivers none of them, and shows what it took.
//!
//! A text is journalled before it is answered. Like the real gateway it knows duplicates only within a request: what a client sends twice is
//! there twice. What it refuses is listed, too, with its code. What it takes waits for the report of the carrier ([`reports`]).

mod authorization;
mod reports;
mod rules;

use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::{Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use crate::NAME;
use crate::faults::{Call, Fault};
use crate::pay_page::{Page, escaped, page};
use crate::protocol::{failed, hang, truncated};
use crate::service::{Service, new_id};
use crate::state::{Entry, ReceivedSms};

use rules::SmsRequest;

/// Texts shown on the page.
const SHOWN: usize = 100;
/// Messages in a page of the list, and at most.
const PAGE: usize = 20;
const PAGE_MOST: usize = 500;
/// Most messages of a request.
const MESSAGES_MOST: usize = 10_000;

const TEXTS_PAGE: Page = Page {
    title: "받은 문자",
    content: include_str!("texts.html"),
};

pub(crate) fn routes() -> Router<Arc<Service>> {
    Router::new()
        .route("/messages/v4/send-many/detail", post(send))
        .route("/messages/v4/list", get(list))
        .route("/texts", get(texts_page))
        .route("/sandbox/texts", get(texts))
        .route("/sandbox/texts/webhook", post(reports::register))
}

impl ReceivedSms {
    fn is_taken(&self) -> bool {
        rules::is_taken(&self.status_code)
    }

    /// The code by now: what was taken waits for the carrier until its report comes.
    fn code(&self) -> &str {
        let now = OffsetDateTime::now_utc();
        match &self.report {
            _ if !self.is_taken() => &self.status_code,
            Some(report) if report.at.is_none_or(|at| at <= now) => &report.code,
            _ => "3000",
        }
    }

    /// As the list shows it.
    fn listed(&self) -> Value {
        json!({
            "_id": self.message_id, "messageId": self.message_id, "groupId": self.group_id, "accountId": "sandbox",
            "to": self.to, "from": self.from, "type": self.kind, "country": "82", "subject": self.subject, "text": self.text,
            "kakaoOptions": self.kakao_options, "customFields": self.custom_fields,
            "status": match self.code() { "3000" => "SENDING", "4000" => "COMPLETE", _ => "FAILED" },
            "statusCode": self.code(), "reason": rules::meaning(self.code()), "replacement": false,
            "dateCreated": self.date_created.format(&Rfc3339).unwrap_or_default(),
        })
    }

    /// As the answer to its request has it.
    fn answered(&self) -> Value {
        json!({
            "messageId": self.message_id, "statusCode": self.status_code, "statusMessage": rules::meaning(&self.status_code),
            "to": self.to, "from": self.from, "type": self.kind, "country": "82", "accountId": "sandbox",
            "customFields": self.custom_fields,
        })
    }
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct SendRequest {
    messages: Vec<SmsRequest>,
    #[serde(default)]
    allow_duplicates: bool,
    #[serde(default)]
    show_message_list: bool,
}

async fn send(State(service): State<Arc<Service>>, headers: HeaderMap, body: Bytes) -> Response {
    if let Some(refusal) = authorization::refusal(&service, &headers) {
        return refusal;
    }
    let request: SendRequest = match serde_json::from_slice(&body) {
        Ok(request) => request,
        Err(error) => {
            return refused(
                StatusCode::BAD_REQUEST,
                "ValidationError",
                &error.to_string(),
            );
        }
    };
    if !(1..=MESSAGES_MOST).contains(&request.messages.len()) {
        let why = "1건에서 10,000건까지 보낼 수 있습니다";
        return refused(StatusCode::BAD_REQUEST, "ValidationError", why);
    }
    let first = request.messages.first().map(|one| one.to.clone());
    let fault = service
        .faults()
        .pick(Call::SendSms, &first.unwrap_or_default());
    match fault {
        Some(Fault::TimeoutBefore) => return hang().await,
        Some(Fault::ErrorBefore) => return failed("told to fail"),
        Some(Fault::DropBefore) => return truncated(),
        Some(Fault::Refuse { ref code }) if code.len() == 3 => {
            let status = code
                .parse()
                .ok()
                .and_then(|code| StatusCode::from_u16(code).ok());
            let status = status.unwrap_or(StatusCode::BAD_REQUEST);
            return refused(status, "Refused", "told to refuse");
        }
        _ => {}
    }
    let told = match &fault {
        Some(Fault::Refuse { code }) => Some(code.as_str()),
        _ => None,
    };
    let mut answer = take(&service, &request, told).await;
    if fault == Some(Fault::Twice) {
        answer = take(&service, &request, told).await;
    }
    match fault {
        Some(Fault::TimeoutAfter) => hang().await,
        Some(Fault::ErrorAfter) => failed("told to fail afterwards"),
        Some(Fault::DropAfter) => truncated(),
        Some(Fault::Late { milliseconds }) => {
            tokio::time::sleep(Duration::from_millis(milliseconds)).await;
            answer
        }
        _ => answer,
    }
}

/// Takes what can be taken, and answers once it is on disk.
async fn take(service: &Arc<Service>, request: &SendRequest, told: Option<&str>) -> Response {
    let group = new_id("G4V");
    let now = OffsetDateTime::now_utc();
    let mut seen: Vec<&str> = Vec::new();
    let mut received = Vec::new();
    for wanted in &request.messages {
        let is_double = seen.contains(&wanted.to.as_str()) && !request.allow_duplicates;
        seen.push(&wanted.to);
        let code = match told {
            Some(code) => code,
            None if is_double => "1026",
            None => rules::code_of(wanted, service.options.sms.sender.as_deref()),
        };
        received.push(ReceivedSms {
            message_id: new_id("M4V"),
            group_id: group.clone(),
            to: wanted.to.clone(),
            from: wanted.from.clone(),
            kind: wanted.kind().to_owned(),
            subject: wanted.subject.clone(),
            text: wanted.text.clone(),
            kakao_options: wanted.kakao_options.clone(),
            custom_fields: wanted.custom_fields.clone(),
            report: match rules::is_taken(code) {
                true => reports::report_of(service, &wanted.to, now),
                false => None,
            },
            status_code: code.to_owned(),
            date_created: now,
        });
    }
    let mut position = None;
    for sms in &received {
        position = Some(service.record(Entry::SmsReceived(sms.clone())));
    }
    if let Some(position) = position
        && let Err(why) = position.reached().await
    {
        return failed(&why);
    }
    reports::post(service, &received);
    let (taken, refused): (Vec<_>, Vec<_>) = received.iter().partition(|sms| sms.is_taken());
    let all = |list: &[&ReceivedSms]| list.iter().map(|sms| sms.answered()).collect::<Vec<_>>();
    let mut answer = json!({
        "failedMessageList": all(&refused),
        "groupInfo": {
            "groupId": group, "_id": group, "accountId": "sandbox", "apiVersion": "4", "status": "SENDING", "service": NAME,
            "allowDuplicates": request.allow_duplicates,
            "count": {
                "total": received.len(), "registeredSuccess": taken.len(), "registeredFailed": refused.len(),
                "sentTotal": 0, "sentFailed": 0, "sentSuccess": 0, "sentPending": 0, "sentReplacement": 0, "refund": 0,
            },
        },
    });
    if let Some(fields) = answer.as_object_mut()
        && request.show_message_list
    {
        let list = received.iter().map(ReceivedSms::answered);
        fields.insert("messageList".to_owned(), list.collect());
    }
    Json(answer).into_response()
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct ListQuery {
    to: Option<String>,
    message_id: Option<String>,
    group_id: Option<String>,
    start_date: Option<String>,
    end_date: Option<String>,
    start_key: Option<String>,
    limit: Option<usize>,
}

impl ListQuery {
    fn fits(&self, sms: &ReceivedSms) -> Option<bool> {
        let at = |text: &String| OffsetDateTime::parse(text, &Rfc3339).ok();
        let same =
            |wanted: &Option<String>, has: &String| wanted.as_ref().is_none_or(|to| to == has);
        let since = self.start_date.as_ref().map(at);
        let until = self.end_date.as_ref().map(at);
        if since == Some(None) || until == Some(None) {
            return None;
        }
        Some(
            same(&self.to, &sms.to)
                && same(&self.message_id, &sms.message_id)
                && same(&self.group_id, &sms.group_id)
                && since
                    .flatten()
                    .is_none_or(|since| sms.date_created >= since)
                && until
                    .flatten()
                    .is_none_or(|until| sms.date_created <= until),
        )
    }
}

/// What it has, newest first.
async fn list(
    State(service): State<Arc<Service>>,
    headers: HeaderMap,
    Query(query): Query<ListQuery>,
) -> Response {
    if let Some(refusal) = authorization::refusal(&service, &headers) {
        return refusal;
    }
    let number = query.to.clone().unwrap_or_default();
    let fault = service.faults().pick(Call::FindSms, &number);
    match fault {
        Some(Fault::TimeoutBefore | Fault::TimeoutAfter) => return hang().await,
        Some(Fault::ErrorBefore | Fault::ErrorAfter) => return failed("told to fail"),
        Some(Fault::DropBefore | Fault::DropAfter) => return truncated(),
        _ => {}
    }
    let (found, position) = service.read(|state, _| {
        let fits = |sms: &&ReceivedSms| query.fits(sms).unwrap_or(false);
        let found: Vec<ReceivedSms> = state.texts.iter().rev().filter(fits).cloned().collect();
        found
    });
    if let Err(why) = position.reached().await {
        return failed(&why);
    }
    let limit = query.limit.unwrap_or(PAGE).clamp(1, PAGE_MOST);
    let start = query.start_key.as_ref();
    let mut rest = found
        .iter()
        .skip_while(|sms| start.is_some_and(|key| sms.message_id != *key));
    let shown: Vec<&ReceivedSms> = rest.by_ref().take(limit).collect();
    let next = rest.next().map(|sms| sms.message_id.as_str());
    let list: Map<String, Value> = shown
        .iter()
        .map(|sms| (sms.message_id.clone(), sms.listed()))
        .collect();
    Json(json!({
        "startKey": start, "nextKey": next, "limit": limit, "messageList": list, "service": NAME,
    }))
    .into_response()
}

/// An error of a whole request.
fn refused(status: StatusCode, code: &str, why: &str) -> Response {
    let body = json!({ "errorCode": code, "errorMessage": why, "service": NAME });
    (status, Json(body)).into_response()
}

#[derive(Deserialize)]
struct TextQuery {
    /// Only to this number.
    to: Option<String>,
}

/// The texts taken so far, oldest first.
async fn texts(State(service): State<Arc<Service>>, Query(query): Query<TextQuery>) -> Response {
    let (texts, position) = service.read(|state, _| state.texts.clone());
    let is_asked = |sms: &&ReceivedSms| {
        let to = query.to.as_ref();
        sms.is_taken() && to.is_none_or(|to| sms.to == *to)
    };
    let texts: Vec<Value> = texts
        .iter()
        .filter(is_asked)
        .map(ReceivedSms::listed)
        .collect();
    match position.reached().await {
        Ok(()) => Json(json!({ "service": NAME, "texts": texts })).into_response(),
        Err(why) => failed(&why),
    }
}

/// The page of received texts, newest first.
async fn texts_page(State(service): State<Arc<Service>>) -> Response {
    let (texts, _) = service.read(|state, _| state.texts.clone());
    let taken = texts.iter().rev().filter(|sms| sms.is_taken());
    let rows: Vec<String> = taken.take(SHOWN).map(row).collect();
    let none = "<li>받은 문자가 없습니다.</li>".to_owned();
    let rows = if rows.is_empty() { none } else { rows.concat() };
    page(TEXTS_PAGE, &[("TEXTS", rows)])
}

fn row(sms: &ReceivedSms) -> String {
    let kind = match sms.kind.as_str() {
        "ATA" => "알림톡",
        other => other,
    };
    let text = escaped(&sms.text).replace('\n', "<br>");
    format!(
        "<li><dl><dt>받는 번호</dt><dd>{}</dd><dt>종류</dt><dd>{kind}</dd></dl><p class=\"text\">{text}</p></li>",
        escaped(&sms.to),
    )
}
