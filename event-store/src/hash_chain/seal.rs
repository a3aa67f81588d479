//! Extends the chain with blocks of newly settled events.

use sqlx::{Connection, PgConnection};

use super::block::{Block, ChainCheckpoint, Hash, events};
use super::{ChainError, ChainKey};
use crate::advisory_lock;
use crate::store::Store;

/// Maximum number of events per block.
const EVENTS: i64 = 1_024;

/// Result of sealing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sealing {
    /// Number of blocks created.
    pub blocks: u64,
    /// Number of events in them.
    pub events: u64,
    /// The newest block; none before the first.
    pub newest: Option<ChainCheckpoint>,
}

impl Store {
    /// Seals all events settled by now. Does nothing while another process is sealing.
    ///
    /// `seen` is the newest block known to this process: a chain without it is not extended, because that would sign a log from
    /// which blocks were removed.
    ///
    /// # Errors
    /// [`ChainError::Departed`]; database errors.
    pub async fn seal_log(
        &self,
        key: &ChainKey,
        seen: Option<&ChainCheckpoint>,
    ) -> Result<Sealing, ChainError> {
        let settled = self.settle().await?;
        let mut connection = self.pool().acquire().await?;
        if let Some(mark) = seen
            && !holds(&mut connection, mark).await?
        {
            return Err(ChainError::Departed(*mark));
        }
        let mut done = Sealing::default();
        while let Some(events) = seal_one(&mut connection, key, settled).await? {
            done.blocks = done.blocks.saturating_add(1);
            done.events = done.events.saturating_add(events);
        }
        done.newest = newest(&mut connection).await?;
        Ok(done)
    }
}

/// Seals one block in its own transaction; returns its number of events, or none if there was nothing to seal.
async fn seal_one(
    connection: &mut PgConnection,
    key: &ChainKey,
    settled: i64,
) -> Result<Option<u64>, ChainError> {
    let mut transaction = connection.begin().await?;
    let ours: bool = sqlx::query_scalar("SELECT pg_try_advisory_xact_lock($1)")
        .bind(advisory_lock::key("chain", &[]))
        .fetch_one(&mut *transaction)
        .await?;
    if !ours {
        return Ok(None);
    }
    let before = newest(&mut transaction)
        .await?
        .unwrap_or(ChainCheckpoint::START);
    let events = events(&mut transaction, before.position, settled, EVENTS).await?;
    let Some(block) = Block::next(&before, &events) else {
        return Ok(None);
    };
    sqlx::query(
        "INSERT INTO log_blocks (number, after, up_to, leaves, previous, hash, public_key, signature)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
    )
    .bind(block.number)
    .bind(block.after)
    .bind(block.up_to)
    .bind(&block.leaves)
    .bind(&block.previous)
    .bind(&block.hash)
    .bind(key.public().bytes().as_slice())
    .bind(key.sign(&block.proper_hash()).as_slice())
    .execute(&mut *transaction)
    .await?;
    transaction.commit().await?;
    Ok(Some(u64::try_from(events.len())?))
}

pub(super) async fn newest(
    connection: &mut PgConnection,
) -> Result<Option<ChainCheckpoint>, sqlx::Error> {
    let row: Option<(i64, i64, Vec<u8>)> =
        sqlx::query_as("SELECT number, up_to, hash FROM log_blocks ORDER BY number DESC LIMIT 1")
            .fetch_optional(connection)
            .await?;
    Ok(row.map(|(number, position, hash)| ChainCheckpoint {
        number,
        position,
        // A hash of another length matches no block and is reported by the check.
        hash: Hash::try_from(hash).unwrap_or_default(),
    }))
}

/// Whether the chain contains this block.
pub(super) async fn holds(
    connection: &mut PgConnection,
    mark: &ChainCheckpoint,
) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar(
        "SELECT EXISTS (SELECT FROM log_blocks WHERE number = $1 AND up_to = $2 AND hash = $3)",
    )
    .bind(mark.number)
    .bind(mark.position)
    .bind(mark.hash.as_slice())
    .fetch_one(connection)
    .await
}
