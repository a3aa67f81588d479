//! POST /api/plugins/solapi/report: takes the gateway's reports on texts. They are not signed, so nothing of them is believed but which
//! message they are about: the gateway is asked about it. A report that comes twice, or not at all, changes nothing: the worker asks anyway.

use application::messages::outbox;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::StatusCode;
use domain::ids::MessageId;
use futures::{StreamExt, TryStreamExt, stream};
use serde::Deserialize;
use serde_json::Value;
use utoipa::ToSchema;

use crate::app::AppState;
use crate::http::{ApiResult, AppError, Code};

/// Reports of a call that are looked at; the others are asked for by the worker.
const REPORTS_MOST: usize = 100;
/// Questions to the gateway at a time.
const AT_ONCE: usize = 4;

/// A report on a text.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TextReport {
    /// The fields that the shop gave the text; `message` is its id in the shop.
    #[serde(default)]
    #[schema(value_type = Object)]
    custom_fields: Value,
}

impl TextReport {
    fn message(&self) -> Option<MessageId> {
        self.custom_fields.get("message")?.as_str()?.parse().ok()
    }
}

/// Receive reports on texts. Others than the gateway cannot say anything with it: the gateway is asked.
#[utoipa::path(
    post, path = "/api/plugins/solapi/report", tag = "pay", operation_id = "textReport",
    request_body = Vec<TextReport>,
    responses((status = NO_CONTENT), (status = BAD_REQUEST, description = "malformed_json: not a list of reports"))
)]
pub(crate) async fn report(State(app): State<AppState>, body: Bytes) -> ApiResult<StatusCode> {
    let reports: Vec<TextReport> = serde_json::from_slice(&body)
        .map_err(|error| AppError::new(Code::MalformedJson).caused_by(error))?;
    let messages = reports.iter().filter_map(TextReport::message);
    let messages: Vec<MessageId> = messages.take(REPORTS_MOST).collect();
    stream::iter(messages)
        .map(|message| {
            let app = app.clone();
            async move { outbox::ask_report(&app, message).await }
        })
        .buffer_unordered(AT_ONCE)
        .try_collect::<Vec<()>>()
        .await?;
    Ok(StatusCode::NO_CONTENT)
}
