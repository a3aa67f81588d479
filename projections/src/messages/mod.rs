//! Messages: what became of each, and when the worker has to look at it next. Receivers and texts stay sealed in the log.

mod queries;

use domain::ids::MessageId;
use domain::message::{Channel, MessageEvent, MessageState, Template};
use event_store::StoredEvent;
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::error::ReadError;
use crate::event_decode::{at, event, of, stream_id, streams};
use crate::macros::projection;
use crate::row_store::{ChangedRows, Row};
use crate::timestamp::whole_micros;

pub use queries::*;

/// Its name, for waiting until it has caught up.
pub const NAME: &str = "messages";

/// The projection.
pub struct Messages;

/// One message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MessageRow {
    /// The message.
    pub id: MessageId,
    /// The way it travels.
    pub channel: Channel,
    /// The template it is written from.
    pub template: Template,
    /// Its stage.
    pub state: MessageState,
    /// Kind of the stream it is about.
    pub cause_kind: String,
    /// Id of the stream.
    pub cause: Uuid,
    /// The event that led to it.
    pub cause_event: Option<Uuid>,
    /// Attempts begun.
    pub attempts: u32,
    /// Why the last attempt failed, or why it was given up.
    pub reason: Option<String>,
    /// The server's reply code then.
    pub code: Option<u16>,
    /// The server's id of it, once sent.
    pub queue_id: Option<String>,
    /// The template record the last attempt was written from; none: the built-in text.
    pub text_record: Option<String>,
    /// Its version.
    pub text_version: Option<i64>,
    /// When the worker has to look at it next.
    #[serde(with = "crate::timestamp::option")]
    pub due_at: Option<OffsetDateTime>,
    /// When it was requested.
    #[serde(with = "crate::timestamp")]
    pub created_at: OffsetDateTime,
    /// Time of its last event.
    #[serde(with = "crate::timestamp")]
    pub changed_at: OffsetDateTime,
    /// Position of its last event.
    pub position: i64,
}

impl Row for MessageRow {
    const TABLE: &'static str = "p_messages_v3";
    const KEY: &'static [&'static str] = &["id"];
}

impl MessageRow {
    fn failed(&mut self, reason: Option<String>, code: Option<u16>) {
        self.reason = reason;
        self.code = code;
    }

    fn to(&mut self, state: MessageState, due_at: Option<OffsetDateTime>) {
        self.state = state;
        self.due_at = due_at.map(whole_micros);
    }
}

/// The name of a reason as it is stored.
fn word(reason: impl Serialize) -> Result<Option<String>, ReadError> {
    let value = serde_json::to_value(reason)?;
    Ok(value.as_str().map(str::to_owned))
}

/// What an event does to its message.
fn take(rows: &mut ChangedRows<MessageRow>, recorded: &StoredEvent) -> Result<(), ReadError> {
    let (key, when) = (&recorded.stream.id, at(recorded));
    match event(recorded)? {
        MessageEvent::MessageRequested {
            channel,
            template,
            cause,
            ..
        } => rows.put(
            key.clone(),
            MessageRow {
                id: stream_id(recorded)?,
                channel,
                template,
                state: MessageState::Requested,
                cause_kind: cause.kind,
                cause: cause.id,
                cause_event: cause.event,
                attempts: 0,
                reason: None,
                code: None,
                queue_id: None,
                text_record: None,
                text_version: None,
                due_at: Some(when),
                created_at: when,
                changed_at: when,
                position: 0,
            },
        ),
        MessageEvent::MessageAttempted {
            attempt,
            conclude_at,
            text,
        } => {
            let row = rows.known(key)?;
            row.attempts = attempt;
            row.text_version = text.as_ref().map(|text| text.version);
            row.text_record = text.map(|text| text.record);
            row.to(MessageState::Sending, Some(conclude_at));
        }
        MessageEvent::MessageSent {
            queue_id,
            report_at,
            ..
        } => {
            let row = rows.known(key)?;
            row.queue_id = Some(queue_id);
            row.failed(None, None);
            row.to(MessageState::Sent, report_at);
        }
        MessageEvent::MessageReportMissing { report_at, .. } => {
            rows.known(key)?.to(MessageState::Sent, report_at);
        }
        MessageEvent::MessageDelivered { .. } => {
            rows.known(key)?.to(MessageState::Delivered, None);
        }
        MessageEvent::MessageDeferred {
            reason,
            code,
            retry_at,
            ..
        } => {
            let row = rows.known(key)?;
            row.failed(word(reason)?, code);
            row.to(MessageState::Deferred, Some(retry_at));
        }
        MessageEvent::MessageBounced { reason, code, .. } => {
            let row = rows.known(key)?;
            row.failed(word(reason)?, code);
            row.to(MessageState::Bounced, None);
        }
        MessageEvent::MessageUncertain { ask_at, .. } => {
            rows.known(key)?.to(MessageState::Uncertain, ask_at);
        }
        MessageEvent::MessageGivenUp { reason } => {
            let row = rows.known(key)?;
            row.reason = word(reason)?;
            row.to(MessageState::GivenUp, None);
        }
        MessageEvent::MessageResendRequested {} => {
            rows.known(key)?.to(MessageState::Requested, Some(when));
        }
        // Its state does not change: a policy frees the address.
        MessageEvent::MessageAddressReleased { .. } => {}
    }
    let row = rows.known(key)?;
    row.changed_at = when;
    row.position = recorded.position;
    Ok(())
}

/// A message, from its events; none if there are none.
///
/// # Errors
/// [`ReadError`].
pub fn row_of(events: &[StoredEvent]) -> Result<Option<MessageRow>, ReadError> {
    let mut rows = ChangedRows::empty();
    events
        .iter()
        .try_for_each(|recorded| take(&mut rows, recorded))?;
    Ok(rows.values().next().cloned())
}

async fn apply(connection: &mut PgConnection, batch: &[StoredEvent]) -> Result<(), ReadError> {
    let ids = streams(batch, "message");
    let mut rows = ChangedRows::load(connection, ("id", "uuid"), ids, |row: &MessageRow| {
        row.id.to_string()
    })
    .await?;
    of(batch, "message").try_for_each(|recorded| take(&mut rows, recorded))?;
    rows.save(connection).await
}

projection!(Messages, version 3, reads "message"; rows of one; parks);
