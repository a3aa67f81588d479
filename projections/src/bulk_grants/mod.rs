//! Bulk grants: what staff ordered for many members, and how far it has come.
//!
//! What is to be carried out is read from here by [`deadlines`](crate::deadlines).

mod queries;

use domain::Actor;
use domain::bulk_grant::{Benefit, BulkGrantEvent};
use domain::ids::{BulkGrantId, MemberId};
use event_store::StoredEvent;
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use time::OffsetDateTime;

use crate::error::ReadError;
use crate::event_decode::{at, event, of, stream_id, streams};
use crate::macros::projection;
use crate::row_store::{ChangedRows, Row};

pub use queries::*;

/// Its name, for waiting until it has caught up.
pub const NAME: &str = "bulk_grants";

/// The projection.
pub struct BulkGrants;

/// One bulk grant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BulkGrantRow {
    /// The grant.
    pub id: BulkGrantId,
    /// What each receiver gets.
    pub benefit: Benefit,
    /// Why, as they read it.
    pub memo: String,
    /// The shop's own note; empty: none.
    pub note: String,
    /// Receivers in all.
    pub members: u32,
    /// How many of the list have been served.
    pub served: u32,
    /// How many of those got nothing: they had left.
    pub left_out: u32,
    /// How many of those were refused.
    pub refused: u32,
    /// Staff stopped it.
    pub stopped: bool,
    /// Once it is stopped: from how many of those served what was left has been taken back.
    pub cleared: u32,
    /// Something is left to give or to take back.
    pub open: bool,
    /// When it was ordered.
    #[serde(with = "crate::timestamp")]
    pub created_at: OffsetDateTime,
    /// Who ordered it.
    pub created_by: Option<MemberId>,
    /// Position of its last event.
    pub position: i64,
}

impl Row for BulkGrantRow {
    const TABLE: &'static str = "p_bulk_grants_v2";
    const KEY: &'static [&'static str] = &["id"];
}

/// Who did it, where it was a person.
fn by(recorded: &StoredEvent) -> Option<MemberId> {
    let actor = Actor::deserialize(&recorded.metadata.actor);
    actor.ok().and_then(|actor| actor.member())
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// What an event does to its bulk grant.
fn take(rows: &mut ChangedRows<BulkGrantRow>, recorded: &StoredEvent) -> Result<(), ReadError> {
    let key = &recorded.stream.id;
    match event(recorded)? {
        BulkGrantEvent::BulkGrantOrdered {
            benefit,
            members,
            memo,
        } => rows.put(
            key.clone(),
            BulkGrantRow {
                id: stream_id(recorded)?,
                benefit,
                memo,
                note: String::new(),
                members: number(members.len()),
                served: 0,
                left_out: 0,
                refused: 0,
                stopped: false,
                cleared: 0,
                open: true,
                created_at: at(recorded),
                created_by: by(recorded),
                position: 0,
            },
        ),
        BulkGrantEvent::BulkGrantPartGiven {
            served,
            left_out,
            refused,
        } => {
            let row = rows.known(key)?;
            row.served = served;
            row.refused = row.refused.saturating_add(number(refused.len()));
            row.left_out = row.left_out.saturating_add(number(left_out.len()));
            row.open = served < row.members;
        }
        BulkGrantEvent::BulkGrantStopped { .. } => {
            let row = rows.known(key)?;
            row.stopped = true;
            row.open = row.served > 0;
        }
        BulkGrantEvent::BulkGrantPartTaken { cleared } => {
            let row = rows.known(key)?;
            row.cleared = cleared;
            row.open = cleared < row.served;
        }
        BulkGrantEvent::BulkGrantNoted { memo } => rows.known(key)?.note = memo,
    }
    rows.known(key)?.position = recorded.position;
    Ok(())
}

/// A bulk grant, from its events; none if there are none.
///
/// # Errors
/// [`ReadError`].
pub fn row_of(events: &[StoredEvent]) -> Result<Option<BulkGrantRow>, ReadError> {
    let mut rows = ChangedRows::empty();
    events
        .iter()
        .try_for_each(|recorded| take(&mut rows, recorded))?;
    Ok(rows.values().next().cloned())
}

async fn apply(connection: &mut PgConnection, batch: &[StoredEvent]) -> Result<(), ReadError> {
    let ids = streams(batch, "bulk-grant");
    let key = ("id", "uuid");
    let mut rows = ChangedRows::load(connection, key, ids, |row: &BulkGrantRow| {
        row.id.to_string()
    })
    .await?;
    of(batch, "bulk-grant").try_for_each(|recorded| take(&mut rows, recorded))?;
    rows.save(connection).await
}

projection!(BulkGrants, version 2, reads "bulk-grant"; rows of one; stops);
