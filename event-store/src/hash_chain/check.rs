//! Verifies the chain against the log, block by block, and reports differences.

use std::cmp::Ordering;
use std::fmt;

use sqlx::PgConnection;

use super::block::{Block, ChainCheckpoint, Event, Hash, Leaf, events};
use super::seal::holds;
use super::{ChainError, PublicKey};
use crate::stream_id::StreamId;

/// Blocks read at a time.
const PAGE: i64 = 16;

/// Options of a check.
#[derive(Clone, Copy, Debug)]
pub struct ChainCheckOptions<'a> {
    /// Public keys whose signatures are accepted.
    pub trusted: &'a [PublicKey],
    /// Blocks that must exist.
    pub marks: &'a [ChainCheckpoint],
    /// Last position to check; the block containing it is checked completely.
    pub up_to: i64,
    /// Continue after this block, which was checked before.
    pub after: Option<ChainCheckpoint>,
}

/// Progress of a check: all blocks so far, with their events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChainProgress {
    /// The last block checked.
    pub mark: ChainCheckpoint,
    /// Events checked.
    pub events: u64,
    /// Whether no fault was found so far, so that a later check may continue from here.
    pub clean: bool,
}

/// Result of a check.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChainCheck {
    /// Number of blocks checked.
    pub blocks: u64,
    /// Number of events checked.
    pub events: u64,
    /// Position of the last sealed event; later events are not sealed yet.
    pub sealed_to: i64,
    /// Faults found.
    pub faults: Vec<ChainFault>,
}

/// Evidence of tampering with the log or the chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChainFault {
    /// An event differs from the sealed one.
    Changed {
        /// Position in the log.
        position: i64,
        /// Its present stream.
        stream: StreamId,
        /// Its present version in the stream.
        version: i64,
        /// Its present type.
        event_type: String,
        /// The sealed hash, in hexadecimal.
        sealed: String,
        /// Its present hash, in hexadecimal.
        found: String,
    },
    /// A sealed event is missing.
    Removed {
        /// Position in the log.
        position: i64,
        /// The block that contains it.
        block: i64,
        /// The sealed hash, in hexadecimal.
        sealed: String,
    },
    /// An event was added after its block was sealed.
    Added {
        /// Position in the log.
        position: i64,
        /// Its stream.
        stream: StreamId,
        /// Its version in the stream.
        version: i64,
        /// Its type.
        event_type: String,
        /// The block that does not contain it.
        block: i64,
    },
    /// A block differs from what was signed.
    Forged {
        /// Block number.
        block: i64,
        /// What differs.
        why: Forgery,
    },
    /// A block is missing, but later ones exist.
    Missing {
        /// Block number.
        block: i64,
    },
    /// The chain does not contain a block seen before.
    Departed {
        /// The block seen before.
        mark: ChainCheckpoint,
    },
}

/// Defects of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Forgery {
    /// The hash does not match the contents.
    Hash,
    /// The block does not refer to the previous one.
    Link,
    /// The block is not signed with a trusted key.
    Key,
    /// The signature does not match the hash.
    Signature,
}

impl fmt::Display for Forgery {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Hash => "its hash is not that of its contents",
            Self::Link => "it does not follow the block before",
            Self::Key => "it was signed with a key that is not trusted",
            Self::Signature => "its signature is not of this block",
        })
    }
}

/// Checks the chain and every event in it, in the snapshot of `connection`.
///
/// # Errors
/// Database errors; faults are part of the result.
pub async fn check(
    connection: &mut PgConnection,
    asked: ChainCheckOptions<'_>,
    mut progress: impl FnMut(ChainProgress),
) -> Result<ChainCheck, ChainError> {
    let mut done = ChainCheck::default();
    for mark in asked.marks.iter().chain(&asked.after) {
        if !holds(connection, mark).await? {
            done.faults.push(ChainFault::Departed { mark: *mark });
        }
    }
    let mut before = asked.after.unwrap_or(ChainCheckpoint::START);
    done.sealed_to = before.position;
    loop {
        let blocks: Vec<Block> = sqlx::query_as(
            "SELECT number, after, up_to, leaves, previous, hash, public_key, signature FROM log_blocks
             WHERE number > $1 AND after < $2 ORDER BY number LIMIT $3",
        )
        .bind(before.number)
        .bind(asked.up_to)
        .bind(PAGE)
        .fetch_all(&mut *connection)
        .await?;
        if blocks.is_empty() {
            return Ok(done);
        }
        for block in blocks {
            for number in before.number.saturating_add(1)..block.number {
                done.faults.push(ChainFault::Missing { block: number });
            }
            done.faults.extend(
                forgeries(&block, &before, asked.trusted)
                    .into_iter()
                    .map(|why| ChainFault::Forged {
                        block: block.number,
                        why,
                    }),
            );
            let found = events(connection, block.after, block.up_to, i64::MAX).await?;
            compare(&block, &found, &mut done.faults);
            done.blocks = done.blocks.saturating_add(1);
            done.events = done.events.saturating_add(u64::try_from(found.len())?);
            done.sealed_to = done.sealed_to.max(block.up_to);
            before = ChainCheckpoint {
                number: block.number,
                position: block.up_to,
                hash: Hash::try_from(block.hash).unwrap_or_default(),
            };
            progress(ChainProgress {
                mark: before,
                events: done.events,
                clean: done.faults.is_empty(),
            });
        }
    }
}

fn forgeries(block: &Block, before: &ChainCheckpoint, trusted: &[PublicKey]) -> Vec<Forgery> {
    let mut found = Vec::new();
    let hash = block.proper_hash();
    if block.hash != hash || block.events().is_none() {
        found.push(Forgery::Hash);
    }
    let follows = block.number != before.number.saturating_add(1)
        || (block.previous == before.hash && block.after == before.position);
    if !follows {
        found.push(Forgery::Link);
    }
    match trusted
        .iter()
        .find(|key| block.public_key == key.bytes().as_slice())
    {
        None => found.push(Forgery::Key),
        Some(key) if !key.signed(&hash, &block.signature) => found.push(Forgery::Signature),
        Some(_) => {}
    }
    found
}

/// Compares the sealed events with those found; both lists are in log order and are merged.
fn compare(block: &Block, found: &[Event], faults: &mut Vec<ChainFault>) {
    let sealed = block.events().unwrap_or_default();
    let mut sealed = sealed.iter().peekable();
    let mut found = found.iter().peekable();
    loop {
        let order = match (sealed.peek(), found.peek()) {
            (None, None) => return,
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some(leaf), Some(event)) => leaf.position.cmp(&event.global_position),
        };
        let leaf = if order.is_le() { sealed.next() } else { None };
        let event = if order.is_ge() { found.next() } else { None };
        match (leaf, event) {
            (Some(leaf), Some(event)) => changed(leaf, event, faults),
            (Some(leaf), None) => faults.push(ChainFault::Removed {
                position: leaf.position,
                block: block.number,
                sealed: hex::encode(leaf.hash),
            }),
            (None, Some(event)) => faults.push(ChainFault::Added {
                position: event.global_position,
                stream: event.stream(),
                version: event.sequence,
                event_type: event.event_type.clone(),
                block: block.number,
            }),
            (None, None) => return,
        }
    }
}

fn changed(leaf: &Leaf, event: &Event, faults: &mut Vec<ChainFault>) {
    let now = event.leaf();
    if now.hash != leaf.hash {
        faults.push(ChainFault::Changed {
            position: leaf.position,
            stream: event.stream(),
            version: event.sequence,
            event_type: event.event_type.clone(),
            sealed: hex::encode(leaf.hash),
            found: hex::encode(now.hash),
        });
    }
}
