//! Raffles of events, and who entered under which number.

mod queries;

use domain::ids::{CouponId, MemberId, RaffleEntryId, ShopEventId};
use domain::raffle::{RaffleEntryEvent, RaffleEvent, RaffleHash};
use event_store::StoredEvent;
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use time::OffsetDateTime;

use crate::error::ReadError;
use crate::event_decode::{at, event, of, stream_id, streams};
use crate::macros::projection;
use crate::row_store::{ChangedRows, Row};
use crate::timestamp::whole_micros;

pub use queries::*;

/// Its name, for waiting until it has caught up.
pub const NAME: &str = "raffles";

/// The projection.
pub struct Raffles;

/// A raffle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RaffleRow {
    /// The event.
    pub id: ShopEventId,
    /// Number of winners.
    pub winners: u32,
    /// End of the entries (exclusive).
    #[serde(with = "crate::timestamp")]
    pub ends_at: OffsetDateTime,
    /// The coupon that winners get.
    pub prize: Option<CouponId>,
    /// SHA-256 of the seed.
    pub commitment: RaffleHash,
    /// Number of entries.
    pub entries: u32,
    /// The end of the chain.
    pub chain: RaffleHash,
    /// When winners are drawn; none once they are.
    #[serde(with = "crate::timestamp::option")]
    pub due_at: Option<OffsetDateTime>,
    /// The draw; none before it.
    pub draw: Option<RaffleDraw>,
    /// When winners were drawn.
    #[serde(with = "crate::timestamp::option")]
    pub drawn_at: Option<OffsetDateTime>,
    /// When it was opened.
    #[serde(with = "crate::timestamp")]
    pub opened_at: OffsetDateTime,
    /// Position of its last event.
    pub position: i64,
}

impl Row for RaffleRow {
    const TABLE: &'static str = "p_raffles_v1";
    const KEY: &'static [&'static str] = &["id"];
}

/// What a draw published.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RaffleDraw {
    /// The seed.
    pub seed: RaffleHash,
    /// The winning numbers, in the order of their ranks.
    pub winners: Vec<u32>,
    /// Numbers of better ranks whose members had left.
    pub passed: Vec<u32>,
}

/// An entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RaffleEntryRow {
    /// The entry.
    pub id: RaffleEntryId,
    /// The event.
    pub raffle: ShopEventId,
    /// Its number.
    pub number: u32,
    /// The member.
    pub member: MemberId,
    /// Its published mark.
    pub mark: RaffleHash,
    /// Whether it won.
    pub won: bool,
    /// When the member entered.
    #[serde(with = "crate::timestamp")]
    pub entered_at: OffsetDateTime,
    /// Position of its last event.
    pub position: i64,
}

impl Row for RaffleEntryRow {
    const TABLE: &'static str = "p_raffles_v1_entries";
    const KEY: &'static [&'static str] = &["id"];
}

/// What an event does to its raffle.
fn take(rows: &mut ChangedRows<RaffleRow>, recorded: &StoredEvent) -> Result<(), ReadError> {
    let key = &recorded.stream.id;
    match event(recorded)? {
        RaffleEvent::RaffleOpened {
            commitment,
            winners,
            ends_at,
            prize,
            ..
        } => rows.put(
            key.clone(),
            RaffleRow {
                id: stream_id(recorded)?,
                winners,
                ends_at: whole_micros(ends_at),
                prize,
                commitment,
                entries: 0,
                chain: commitment,
                due_at: Some(whole_micros(ends_at)),
                draw: None,
                drawn_at: None,
                opened_at: at(recorded),
                position: 0,
            },
        ),
        RaffleEvent::RaffleRevised {
            winners,
            ends_at,
            prize,
        } => {
            let row = rows.known(key)?;
            row.winners = winners;
            row.ends_at = whole_micros(ends_at);
            row.due_at = Some(row.ends_at);
            row.prize = prize;
        }
        RaffleEvent::RaffleEntryCounted { number, mark, .. } => {
            let row = rows.known(key)?;
            row.entries = number;
            row.chain = row.chain.after(number, mark);
        }
        RaffleEvent::RaffleDrawn {
            seed,
            winners,
            passed,
            ..
        } => {
            let row = rows.known(key)?;
            row.due_at = None;
            row.drawn_at = Some(at(recorded));
            row.draw = Some(RaffleDraw {
                seed,
                winners,
                passed,
            });
        }
    }
    rows.known(key)?.position = recorded.position;
    Ok(())
}

/// What an event does to its entry.
fn enter(rows: &mut ChangedRows<RaffleEntryRow>, recorded: &StoredEvent) -> Result<(), ReadError> {
    let key = &recorded.stream.id;
    match event(recorded)? {
        RaffleEntryEvent::RaffleEntered {
            raffle,
            member,
            number,
            mark,
        } => rows.put(
            key.clone(),
            RaffleEntryRow {
                id: stream_id(recorded)?,
                raffle,
                number,
                member,
                mark,
                won: false,
                entered_at: at(recorded),
                position: 0,
            },
        ),
        RaffleEntryEvent::RaffleWon { .. } => rows.known(key)?.won = true,
    }
    rows.known(key)?.position = recorded.position;
    Ok(())
}

async fn apply(connection: &mut PgConnection, batch: &[StoredEvent]) -> Result<(), ReadError> {
    let key = ("id", "uuid");
    let ids = streams(batch, "raffle");
    let of_raffle = |row: &RaffleRow| row.id.to_string();
    let mut raffles = ChangedRows::load(connection, key, ids, of_raffle).await?;
    for recorded in of(batch, "raffle") {
        take(&mut raffles, recorded)?;
    }
    raffles.save(connection).await?;
    let ids = streams(batch, "raffle-entry");
    let of_entry = |row: &RaffleEntryRow| row.id.to_string();
    let mut entries = ChangedRows::load(connection, key, ids, of_entry).await?;
    for recorded in of(batch, "raffle-entry") {
        enter(&mut entries, recorded)?;
    }
    entries.save(connection).await
}

projection!(Raffles, version 1, reads "raffle", "raffle-entry"; rows of one; stops);
