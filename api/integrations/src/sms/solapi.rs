//! Client of SOLAPI's REST interface, version 4 (the former CoolSMS).
//!
//! `POST /messages/v4/send-many/detail` takes messages and says of each whether it was taken; `GET /messages/v4/list` shows what it has. Both
//! want `Authorization: HMAC-SHA256 apiKey=…, date=…, salt=…, signature=…`; a signature is valid once and for 15 minutes. There is no
//! key against duplicates, so a message carries its own id in `customFields`, by which it is found again.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use async_trait::async_trait;
use domain::message::{SUBJECT_BYTES_MOST, SmsKind, cut};
use hmac::{Hmac, KeyInit, Mac};
use reqwest::{Client, Method, RequestBuilder, Response};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::Sha256;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use uuid::Uuid;

use super::{Failure, Lookup, Outcome, Report, Sms, SmsAttempt, SmsGateway, Talk, codes};
use crate::http;

/// A longer answer is no answer.
const MAX_ANSWER_BYTES: usize = 4 * 1024 * 1024;
/// Longest id that is kept.
const ID_MOST: usize = 64;
/// How far back a message is looked for: no attempt is asked about later than that.
const LOOKED_BACK: time::Duration = time::Duration::days(3);
/// Messages in a page of the list, and the most pages read.
const PAGE: u32 = 100;
const PAGES_MOST: usize = 20;
/// Names of our own fields.
const MESSAGE: &str = "message";
const ATTEMPT: &str = "attempt";

/// How to reach the gateway.
#[derive(Clone)]
pub struct SolapiConfig {
    /// Base URL of the interface.
    pub base_url: String,
    /// The shop's key; public.
    pub api_key: String,
    /// The shop's secret.
    pub api_secret: String,
    /// The number that texts come from, registered at the gateway; digits only.
    pub sender: String,
    /// The shop's KakaoTalk channel at the gateway, for AlimTalk.
    pub talk_profile: Option<String>,
    /// Time for a whole call.
    pub timeout: Duration,
    /// Whether to bypass the HTTP proxy of the environment: for a service on this machine.
    pub bypass_proxy: bool,
}

impl fmt::Debug for SolapiConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SolapiConfig")
            .field("base_url", &self.base_url)
            .finish_non_exhaustive()
    }
}

/// The client.
#[derive(Clone, Debug)]
pub struct SolapiClient {
    http: Client,
    config: SolapiConfig,
}

/// The client cannot be built: certificates or resolver of this machine are broken.
#[derive(Debug, thiserror::Error)]
#[error("cannot build the client of texts: {0}")]
pub struct SolapiClientError(#[from] reqwest::Error);

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SendRequest<'a> {
    messages: [WireSms<'a>; 1],
    allow_duplicates: bool,
    show_message_list: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct WireSms<'a> {
    to: &'a str,
    from: &'a str,
    text: &'a str,
    #[serde(rename = "type")]
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    subject: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    kakao_options: Option<KakaoOptions<'a>>,
    custom_fields: BTreeMap<&'static str, String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct KakaoOptions<'a> {
    pf_id: &'a str,
    template_id: &'a str,
    variables: BTreeMap<String, &'a str>,
    disable_sms: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SendAnswer {
    #[serde(default)]
    failed_message_list: Vec<WireState>,
    #[serde(default)]
    message_list: Vec<WireState>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ListAnswer {
    message_list: BTreeMap<String, WireState>,
    #[serde(default)]
    next_key: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct WireState {
    #[serde(default)]
    message_id: String,
    #[serde(default)]
    status_code: Option<String>,
    #[serde(default)]
    custom_fields: Option<BTreeMap<String, Value>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RequestError {
    #[serde(default)]
    error_code: String,
}

impl WireState {
    /// The outcome of the message.
    fn outcome(&self) -> Outcome {
        let code = self.status_code.as_deref().unwrap_or_default();
        if codes::is_taken(code) {
            return Outcome::Sent {
                queue_id: kept_id(&self.message_id),
            };
        }
        match code.parse() {
            Ok(number) => Outcome::Failed {
                why: codes::failure(code),
                code: Some(number),
            },
            Err(_) => Outcome::Unknown,
        }
    }

    fn field(&self, name: &str) -> Option<&str> {
        self.custom_fields.as_ref()?.get(name)?.as_str()
    }
}

impl SolapiClient {
    /// Builds the client.
    ///
    /// # Errors
    /// [`SolapiClientError`].
    pub fn new(config: SolapiConfig) -> Result<Self, SolapiClientError> {
        let http = http::once_only(config.bypass_proxy).timeout(config.timeout);
        Ok(Self {
            http: http.build()?,
            config,
        })
    }

    fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let url = format!("{}/messages/v4/{path}", self.config.base_url);
        let date = stamp(OffsetDateTime::now_utc());
        let salt = Uuid::now_v7().simple().to_string();
        let (key, secret) = (&self.config.api_key, &self.config.api_secret);
        let header = authorization((key, secret), &date, &salt);
        let request = self.http.request(method, url);
        request.header(reqwest::header::AUTHORIZATION, header)
    }

    fn body<'a>(&'a self, sms: &'a Sms) -> SendRequest<'a> {
        let kind = SmsKind::of(&sms.text);
        let profile = self.config.talk_profile.as_deref();
        let talk = sms.talk.as_ref().zip(profile);
        let subject = Some(cut(&sms.subject, SUBJECT_BYTES_MOST));
        let wire = WireSms {
            to: &sms.number,
            from: &self.config.sender,
            text: &sms.text,
            kind: match (&talk, kind) {
                (Some(_), _) => "ATA",
                (None, SmsKind::Sms) => "SMS",
                (None, SmsKind::Lms) => "LMS",
            },
            // An SMS with a subject is refused.
            subject: subject.filter(|text| kind == SmsKind::Lms && !text.is_empty()),
            kakao_options: talk.map(|(talk, profile)| kakao_options(talk, profile)),
            custom_fields: [
                (MESSAGE, sms.id.clone()),
                (ATTEMPT, sms.attempt.to_string()),
            ]
            .into(),
        };
        SendRequest {
            messages: [wire],
            allow_duplicates: false,
            show_message_list: true,
        }
    }

    async fn page(&self, number: &str, start: Option<&str>) -> Option<ListAnswer> {
        let since = stamp(OffsetDateTime::now_utc() - LOOKED_BACK);
        let mut query = format!("to={number}&startDate={since}&limit={PAGE}");
        if let Some(start) = start.filter(|key| is_id(key)) {
            query.push_str("&startKey=");
            query.push_str(start);
        }
        self.list(&query).await
    }

    /// What it has; none if it does not answer.
    async fn list(&self, query: &str) -> Option<ListAnswer> {
        let path = format!("list?{query}");
        let response = self.request(Method::GET, &path).send().await.ok()?;
        if !response.status().is_success() {
            return None;
        }
        serde_json::from_slice(&read(response).await?).ok()
    }
}

#[async_trait]
impl SmsGateway for SolapiClient {
    async fn send(&self, sms: &Sms) -> Outcome {
        if !is_number(&sms.number) {
            return failed(Failure::Unsendable, None);
        }
        let request = self.request(Method::POST, "send-many/detail");
        let response = match request.json(&self.body(sms)).send().await {
            Ok(response) => response,
            Err(error) if error.is_connect() || error.is_builder() => {
                return failed(Failure::Unreachable, None);
            }
            Err(_) => return Outcome::Unknown,
        };
        let status = response.status();
        let Some(body) = read(response).await else {
            return Outcome::Unknown;
        };
        if status.is_success() {
            let answer: Option<SendAnswer> = serde_json::from_slice(&body).ok();
            let states = answer.map(|answer| (answer.failed_message_list, answer.message_list));
            let state = states.and_then(|(failed, taken)| failed.into_iter().chain(taken).next());
            return state.map_or(Outcome::Unknown, |state| state.outcome());
        }
        if !status.is_client_error() {
            return Outcome::Unknown;
        }
        let error: Option<RequestError> = serde_json::from_slice(&body).ok();
        let name = error.map(|error| error.error_code).unwrap_or_default();
        let code = status.as_u16();
        failed(codes::failure_of_request(code, &name), Some(code))
    }

    async fn find(&self, attempt: &SmsAttempt) -> Lookup {
        if !is_number(&attempt.number) {
            return Lookup::Missing;
        }
        let number = attempt.attempt.to_string();
        let (mut start, mut refused) = (None, None);
        for _ in 0..PAGES_MOST {
            let Some(page) = self.page(&attempt.number, start.as_deref()).await else {
                return Lookup::Unknown;
            };
            for state in page.message_list.values() {
                if state.field(MESSAGE) != Some(&attempt.id) {
                    continue;
                }
                match state.outcome() {
                    // Of whichever attempt: the receiver has it.
                    Outcome::Sent { queue_id } => return Lookup::Found(Outcome::Sent { queue_id }),
                    Outcome::Unknown => return Lookup::Unknown,
                    // What was refused is listed, too; only that of this attempt tells something of it.
                    other if state.field(ATTEMPT) == Some(&number) => refused = Some(other),
                    Outcome::Failed { .. } => {}
                }
            }
            match page.next_key.filter(|key| is_id(key)) {
                Some(next) => start = Some(next),
                None => return refused.map_or(Lookup::Missing, Lookup::Found),
            }
        }
        Lookup::Unknown
    }

    async fn report(&self, queue_id: &str) -> Report {
        if !is_id(queue_id) {
            return Report::Waiting;
        }
        let list = self.list(&format!("messageId={queue_id}&limit=1")).await;
        let states = list.map(|list| list.message_list).unwrap_or_default();
        let state = states
            .values()
            .find(|state| state.message_id == queue_id)
            .and_then(|state| state.status_code.as_deref());
        state.map_or(Report::Waiting, codes::report)
    }

    fn has_talk(&self) -> bool {
        self.config.talk_profile.is_some()
    }
}

fn failed(why: Failure, code: Option<u16>) -> Outcome {
    Outcome::Failed { why, code }
}

fn kakao_options<'a>(talk: &'a Talk, profile: &'a str) -> KakaoOptions<'a> {
    let named = |(name, value): (&String, &'a String)| (format!("#{{{name}}}"), value.as_str());
    KakaoOptions {
        pf_id: profile,
        template_id: &talk.template,
        variables: talk.variables.iter().map(named).collect(),
        // Who has no KakaoTalk gets the text.
        disable_sms: false,
    }
}

/// The header of a call.
fn authorization((key, secret): (&str, &str), date: &str, salt: &str) -> String {
    let signature = signature(secret, date, salt);
    format!("HMAC-SHA256 apiKey={key}, date={date}, salt={salt}, signature={signature}")
}

/// The hexadecimal HMAC-SHA-256 of date and salt under the secret.
fn signature(secret: &str, date: &str, salt: &str) -> String {
    // A key of any length is taken.
    let mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes());
    mac.map(|mac| {
        let mac = mac.chain_update(date).chain_update(salt);
        hex::encode(mac.finalize().into_bytes())
    })
    .unwrap_or_default()
}

/// A moment as ISO 8601 in whole seconds.
fn stamp(at: OffsetDateTime) -> String {
    let at = at.replace_nanosecond(0).unwrap_or(at);
    at.format(&Rfc3339).unwrap_or_default()
}

fn is_number(number: &str) -> bool {
    (8..=12).contains(&number.len()) && number.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_id(id: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    !id.is_empty() && id.len() <= ID_MOST && id.bytes().all(fits)
}

/// An id of an answer, if it looks like one.
fn kept_id(id: &str) -> String {
    match is_id(id) {
        true => id.to_owned(),
        false => String::new(),
    }
}

/// The body of an answer; none if it breaks off or is too long.
async fn read(mut response: Response) -> Option<Vec<u8>> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.ok()? {
        body.extend_from_slice(&chunk);
        if body.len() > MAX_ANSWER_BYTES {
            return None;
        }
    }
    Some(body)
}

#[cfg(test)]
#[expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]
mod tests {
    use super::*;

    fn client(talk: Option<&str>) -> SolapiClient {
        SolapiClient::new(SolapiConfig {
            base_url: "http://127.0.0.1:9".to_owned(),
            api_key: "key".to_owned(),
            api_secret: "secret-for-tests".to_owned(),
            sender: "0212345678".to_owned(),
            talk_profile: talk.map(str::to_owned),
            timeout: Duration::from_secs(1),
            bypass_proxy: true,
        })
        .unwrap()
    }

    fn sms(text: &str) -> Sms {
        Sms {
            id: "0193a1b2".to_owned(),
            attempt: 2,
            number: "01012345678".to_owned(),
            subject: "[장부상회] 주문 접수".to_owned(),
            text: text.to_owned(),
            talk: None,
        }
    }

    /// Computed with another implementation (Python's `hmac`).
    #[test]
    fn signatures_equal_the_check_vector() {
        let (date, salt) = ("2026-01-02T03:04:05Z", "jqsba2jxjnrjor");
        assert_eq!(
            signature("secret-for-tests", date, salt),
            "05e97ac6f1fb6e30f65f1ff08b6fb73f01d3ae00c978ed37862c7e76db07a468"
        );
        let header = authorization(("key", "secret-for-tests"), date, salt);
        assert!(header.starts_with(
            "HMAC-SHA256 apiKey=key, date=2026-01-02T03:04:05Z, salt=jqsba2jxjnrjor, signature="
        ));
    }

    #[test]
    fn the_kind_depends_on_the_bytes() {
        let wire = |client: &SolapiClient, sms: &Sms| {
            let value = serde_json::to_value(client.body(sms)).unwrap();
            value["messages"][0].clone()
        };
        let short = wire(&client(None), &sms(&"가".repeat(45)));
        assert_eq!(
            (&short["type"], short.get("subject")),
            (&"SMS".into(), None)
        );
        assert_eq!(short["customFields"]["message"], "0193a1b2");
        assert_eq!(short["customFields"]["attempt"], "2");
        let long = wire(&client(None), &sms(&"가".repeat(46)));
        assert_eq!(long["type"], "LMS");
        assert_eq!(long["subject"], "[장부상회] 주문 접수");
        let mut talked = sms("주문");
        talked.talk = Some(Talk {
            template: "KA01TP1".to_owned(),
            variables: [("orderNo".to_owned(), "1".to_owned())].into(),
        });
        // Without a channel it stays an SMS.
        assert_eq!(wire(&client(None), &talked)["type"], "SMS");
        let talked = wire(&client(Some("KA01PF1")), &talked);
        assert_eq!(talked["type"], "ATA");
        assert_eq!(
            talked["kakaoOptions"],
            serde_json::json!({
                "pfId": "KA01PF1", "templateId": "KA01TP1", "variables": { "#{orderNo}": "1" }, "disableSms": false,
            })
        );
    }

    #[test]
    fn nothing_of_a_text_is_in_debug_texts() {
        let sms = sms("안녕하세요");
        let attempt = SmsAttempt {
            id: sms.id.clone(),
            attempt: 1,
            number: sms.number.clone(),
        };
        let text = format!("{sms:?} {attempt:?} {:?}", client(None));
        assert!(
            !text.contains("0101234") && !text.contains("안녕"),
            "{text}"
        );
        assert!(!text.contains("secret-for-tests"), "{text}");
    }

    #[tokio::test]
    async fn a_gateway_that_cannot_be_reached_has_nothing() {
        let client = client(None);
        let outcome = client.send(&sms("안녕하세요")).await;
        assert_eq!(outcome, failed(Failure::Unreachable, None));
        let mut wrong = sms("안녕하세요");
        wrong.number = "010-1234&to=".to_owned();
        assert_eq!(client.send(&wrong).await, failed(Failure::Unsendable, None));
    }
}
