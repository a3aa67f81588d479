//! The content of a block and the bytes that are hashed.

use std::fmt;
use std::str::FromStr;

use sha2::{Digest, Sha256};
use sqlx::PgConnection;
use time::OffsetDateTime;
use uuid::Uuid;

use super::ChainError;
use crate::stream_id::StreamId;

/// Bytes of a leaf: position and hash of one event.
const LEAF: usize = 8 + 32;

pub(super) type Hash = [u8; 32];

/// Reference to a block, kept outside the database. As text `NUMBER:POSITION:HASH`, the hash in hexadecimal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChainCheckpoint {
    /// Block number, from 1.
    pub number: i64,
    /// Position of the block's last event.
    pub position: i64,
    /// Hash of the block, which covers all previous blocks.
    pub hash: [u8; 32],
}

impl ChainCheckpoint {
    /// The state before the first block.
    pub(super) const START: Self = Self {
        number: 0,
        position: 0,
        hash: [0; 32],
    };
}

impl fmt::Display for ChainCheckpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            number,
            position,
            hash,
        } = self;
        write!(f, "{number}:{position}:{}", hex::encode(hash))
    }
}

impl FromStr for ChainCheckpoint {
    type Err = ChainError;

    fn from_str(text: &str) -> Result<Self, ChainError> {
        let mut parts = text.trim().splitn(3, ':');
        let mut next = || parts.next().ok_or(ChainError::Mark);
        let number = next()?.parse().map_err(|_| ChainError::Mark)?;
        let position = next()?.parse().map_err(|_| ChainError::Mark)?;
        let mut hash = [0; 32];
        hex::decode_to_slice(next()?, &mut hash).map_err(|_| ChainError::Mark)?;
        Ok(Self {
            number,
            position,
            hash,
        })
    }
}

/// The position and the hash of one event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Leaf {
    pub position: i64,
    pub hash: Hash,
}

/// A row of `log_blocks`.
#[derive(sqlx::FromRow)]
pub(super) struct Block {
    pub number: i64,
    pub after: i64,
    pub up_to: i64,
    pub leaves: Vec<u8>,
    pub previous: Vec<u8>,
    pub hash: Vec<u8>,
    pub public_key: Vec<u8>,
    pub signature: Vec<u8>,
}

impl Block {
    /// The unsigned block that follows `before` and contains `events`; none without events.
    pub fn next(before: &ChainCheckpoint, events: &[Event]) -> Option<Self> {
        let up_to = events.last()?.global_position;
        let mut block = Self {
            number: before.number.saturating_add(1),
            after: before.position,
            up_to,
            leaves: events
                .iter()
                .flat_map(|event| {
                    let leaf = event.leaf();
                    leaf.position.to_be_bytes().into_iter().chain(leaf.hash)
                })
                .collect(),
            previous: before.hash.to_vec(),
            hash: Vec::new(),
            public_key: Vec::new(),
            signature: Vec::new(),
        };
        block.hash = block.proper_hash().to_vec();
        Some(block)
    }

    /// The hash computed from its contents.
    pub fn proper_hash(&self) -> Hash {
        let mut hash = Sha256::new();
        for number in [self.number, self.after, self.up_to] {
            hash.update(number.to_be_bytes());
        }
        for bytes in [&self.leaves, &self.previous] {
            field(&mut hash, Some(bytes));
        }
        hash.finalize().into()
    }

    /// Its list of events; `None` if it is malformed.
    pub fn events(&self) -> Option<Vec<Leaf>> {
        let (leaves, []) = self.leaves.as_chunks::<LEAF>() else {
            return None;
        };
        leaves
            .iter()
            .map(|leaf| {
                let (position, hash) = leaf.split_first_chunk::<8>()?;
                Some(Leaf {
                    position: i64::from_be_bytes(*position),
                    hash: hash.try_into().ok()?,
                })
            })
            .collect()
    }
}

/// An event as stored, byte for byte.
#[derive(sqlx::FromRow)]
pub(super) struct Event {
    pub global_position: i64,
    pub aggregate_type: String,
    pub aggregate_id: String,
    pub sequence: i64,
    pub event_type: String,
    event_version: String,
    payload: String,
    metadata: String,
    recorded_at: OffsetDateTime,
    event_id: Option<Uuid>,
    correlation_id: Option<Uuid>,
    causation_id: Option<Uuid>,
    occurred_at: Option<OffsetDateTime>,
}

impl Event {
    pub fn stream(&self) -> StreamId {
        StreamId {
            kind: self.aggregate_type.clone(),
            id: self.aggregate_id.clone(),
        }
    }

    /// All columns except the transaction id, which changes when the database is restored.
    pub fn leaf(&self) -> Leaf {
        let mut hash = Sha256::new();
        for number in [self.global_position, self.sequence] {
            hash.update(number.to_be_bytes());
        }
        for text in [
            &self.aggregate_type,
            &self.aggregate_id,
            &self.event_type,
            &self.event_version,
            &self.payload,
            &self.metadata,
        ] {
            field(&mut hash, Some(text.as_bytes()));
        }
        for id in [self.event_id, self.correlation_id, self.causation_id] {
            field(&mut hash, id.as_ref().map(|id| id.as_bytes().as_slice()));
        }
        for moment in [Some(self.recorded_at), self.occurred_at] {
            let nanoseconds = moment.map(|moment| moment.unix_timestamp_nanos().to_be_bytes());
            field(&mut hash, nanoseconds.as_ref().map(<[u8; 16]>::as_slice));
        }
        Leaf {
            position: self.global_position,
            hash: hash.finalize().into(),
        }
    }
}

/// The events after one position up to another.
pub(super) async fn events(
    connection: &mut PgConnection,
    after: i64,
    up_to: i64,
    limit: i64,
) -> Result<Vec<Event>, sqlx::Error> {
    sqlx::query_as(
        "SELECT global_position, aggregate_type, aggregate_id, sequence, event_type, event_version,
                payload::text AS payload, metadata::text AS metadata, recorded_at, event_id, correlation_id,
                causation_id, occurred_at
         FROM events WHERE global_position > $1 AND global_position <= $2 ORDER BY global_position LIMIT $3",
    )
    .bind(after)
    .bind(up_to)
    .bind(limit)
    .fetch_all(connection)
    .await
}

/// Hashes one field, preceded by its length, so that different lists of fields never yield the same bytes.
fn field(hash: &mut Sha256, bytes: Option<&[u8]>) {
    let length = bytes.map_or(u64::MAX, |bytes| {
        u64::try_from(bytes.len()).unwrap_or(u64::MAX)
    });
    hash.update(length.to_be_bytes());
    hash.update(bytes.unwrap_or_default());
}
