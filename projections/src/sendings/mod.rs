//! Sendings: what staff send to many members, and how far it has come.
//!
//! When the next part is due is read from here by [`deadlines`](crate::deadlines).

mod queries;

use domain::Actor;
use domain::ids::{MemberId, SendingId};
use domain::sending::{SendingChannel, SendingEvent, SkipReason};
use event_store::StoredEvent;
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use time::OffsetDateTime;

use crate::error::ReadError;
use crate::event_decode::{at, event, of, stream_id, streams};
use crate::macros::projection;
use crate::row_store::{ChangedRows, Row, insert};
use crate::timestamp::whole_micros;

pub use queries::*;

/// Its name, for waiting until it has caught up.
pub const NAME: &str = "sendings";

/// The projection.
pub struct Sendings;

/// One sending.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SendingRow {
    /// The sending.
    pub id: SendingId,
    /// The way it travels.
    pub channel: SendingChannel,
    /// Whether it is advertising.
    pub advertising: bool,
    /// Headline, without the mark of advertising.
    pub title: String,
    /// Text.
    pub content: String,
    /// Path within the shop; empty: none.
    pub url: String,
    /// How the receivers were named.
    pub target: String,
    /// Receivers in all.
    pub members: u32,
    /// Receivers a minute at most.
    pub per_minute: u32,
    /// How many of the list have been served.
    pub served: u32,
    /// How many of those got nothing.
    pub skipped: u32,
    /// When the next part is due; none: nothing is left to send.
    #[serde(with = "crate::timestamp::option")]
    pub due_at: Option<OffsetDateTime>,
    /// Staff stopped or withdrew it.
    pub stopped: bool,
    /// Its alarms were taken out of the drawers.
    pub withdrawn: bool,
    /// When it was ordered.
    #[serde(with = "crate::timestamp")]
    pub created_at: OffsetDateTime,
    /// Who ordered it.
    pub created_by: Option<MemberId>,
    /// Position of its last event.
    pub position: i64,
}

impl Row for SendingRow {
    const TABLE: &'static str = "p_sendings_v2";
    const KEY: &'static [&'static str] = &["id"];
}

/// A receiver who got nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SkippedRow {
    /// The sending.
    pub sending: SendingId,
    /// The receiver.
    pub member: MemberId,
    /// Why.
    pub reason: SkipReason,
    /// When their turn came.
    #[serde(with = "crate::timestamp")]
    pub at: OffsetDateTime,
}

impl Row for SkippedRow {
    const TABLE: &'static str = "p_sendings_v2_skipped";
    const KEY: &'static [&'static str] = &["sending", "member"];
}

/// Who did it, where it was a person.
fn by(recorded: &StoredEvent) -> Option<MemberId> {
    let actor = Actor::deserialize(&recorded.metadata.actor);
    actor.ok().and_then(|actor| actor.member())
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// What an event does to its sending.
fn take(rows: &mut ChangedRows<SendingRow>, recorded: &StoredEvent) -> Result<(), ReadError> {
    let key = &recorded.stream.id;
    match event(recorded)? {
        SendingEvent::SendingOrdered {
            channel,
            advertising,
            text,
            target,
            members,
            crowd,
            per_minute,
            due_at,
        } => rows.put(
            key.clone(),
            SendingRow {
                id: stream_id(recorded)?,
                channel,
                advertising,
                title: text.title,
                content: text.content,
                url: text.url,
                target,
                members: crowd.map_or(number(members.len()), |crowd| crowd.count),
                per_minute,
                served: 0,
                skipped: 0,
                due_at: Some(whole_micros(due_at)),
                stopped: false,
                withdrawn: false,
                created_at: at(recorded),
                created_by: by(recorded),
                position: 0,
            },
        ),
        SendingEvent::SendingRevised {
            text,
            per_minute,
            due_at,
        } => {
            let row = rows.known(key)?;
            row.title = text.title;
            row.content = text.content;
            row.url = text.url;
            row.per_minute = per_minute;
            row.due_at = Some(whole_micros(due_at));
        }
        SendingEvent::SendingPartSent {
            served,
            skipped,
            due_at,
            ..
        } => {
            let row = rows.known(key)?;
            row.served = served;
            row.skipped = row.skipped.saturating_add(number(skipped.len()));
            row.due_at = due_at.map(whole_micros);
        }
        SendingEvent::SendingPostponed { due_at } => {
            rows.known(key)?.due_at = Some(whole_micros(due_at));
        }
        SendingEvent::SendingStopped { .. } => {
            let row = rows.known(key)?;
            row.stopped = true;
            row.due_at = None;
        }
        SendingEvent::SendingWithdrawn { .. } => {
            let row = rows.known(key)?;
            row.stopped = true;
            row.withdrawn = true;
            row.due_at = None;
        }
    }
    rows.known(key)?.position = recorded.position;
    Ok(())
}

/// A sending, from its events; none if there are none.
///
/// # Errors
/// [`ReadError`].
pub fn row_of(events: &[StoredEvent]) -> Result<Option<SendingRow>, ReadError> {
    let mut rows = ChangedRows::empty();
    events
        .iter()
        .try_for_each(|recorded| take(&mut rows, recorded))?;
    Ok(rows.values().next().cloned())
}

async fn apply(connection: &mut PgConnection, batch: &[StoredEvent]) -> Result<(), ReadError> {
    let ids = streams(batch, "sending");
    let mut rows = ChangedRows::load(connection, ("id", "uuid"), ids, |row: &SendingRow| {
        row.id.to_string()
    })
    .await?;
    of(batch, "sending").try_for_each(|recorded| take(&mut rows, recorded))?;
    rows.save(connection).await?;
    let mut skipped = Vec::new();
    for recorded in of(batch, "sending") {
        skipped.extend(skipped_in(recorded)?);
    }
    insert(connection, &skipped).await
}

/// Receivers of a part who got nothing.
fn skipped_in(recorded: &StoredEvent) -> Result<Vec<SkippedRow>, ReadError> {
    let SendingEvent::SendingPartSent { skipped, .. } = event(recorded)? else {
        return Ok(Vec::new());
    };
    let (sending, at) = (stream_id(recorded)?, at(recorded));
    let row = |one: domain::sending::SkippedReceiver| SkippedRow {
        sending,
        member: one.member,
        reason: one.reason,
        at,
    };
    Ok(skipped.into_iter().map(row).collect())
}

projection!(Sendings, version 2, reads "sending"; rows of one; parks);
