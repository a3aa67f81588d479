//! Advances the checkpoints of all projections that skip the newest events, in one statement.
//!
//! Most projections ignore most events, but readers wait for their checkpoints anyway.

use sqlx::PgPool;
use tokio::sync::{mpsc, oneshot};

use super::checkpoint::{Epoch, Key};

/// Maximum number of checkpoints per statement.
const MOST: usize = 200;

/// A checkpoint to advance over events that its projection ignores.
pub(super) struct Step {
    pub key: Key,
    pub epoch: Epoch,
    pub old: i64,
    pub new: i64,
    /// False if its position changed or a newer epoch exists.
    pub done: oneshot::Sender<Result<bool, sqlx::Error>>,
}

/// Advances checkpoints as requested, until the channel closes.
pub(super) async fn mover(pool: PgPool, mut steps: mpsc::Receiver<Step>) {
    let mut waiting = Vec::new();
    loop {
        // Projections woken by the same events send their steps at the same time.
        tokio::task::yield_now().await;
        if steps.recv_many(&mut waiting, MOST).await == 0 {
            return;
        }
        match advance(&pool, &waiting).await {
            Ok(moved) => {
                for step in waiting.drain(..) {
                    let there = moved.iter().any(|(name, version)| {
                        name == step.key.name && *version == step.key.version
                    });
                    // A failed send means that the worker has stopped.
                    let _ = step.done.send(Ok(there));
                }
            }
            Err(error) => {
                tracing::debug!(%error, "checkpoints cannot be moved");
                for step in waiting.drain(..) {
                    let lost = std::io::Error::other(error.to_string());
                    let _ = step.done.send(Err(sqlx::Error::Io(lost)));
                }
            }
        }
    }
}

async fn advance(pool: &PgPool, steps: &[Step]) -> Result<Vec<(String, i32)>, sqlx::Error> {
    let each = || steps.iter();
    sqlx::query_as(
        "UPDATE projection_checkpoint c
         SET position = s.new, last_error = NULL, failing_since = NULL, stopped_at = NULL, updated_at = clock_timestamp()
         FROM unnest($1::text[], $2::int[], $3::bigint[], $4::bigint[], $5::bigint[]) AS s(name, version, epoch, old, new)
         WHERE c.name = s.name AND c.version = s.version AND c.lease_epoch = s.epoch AND c.position = s.old
         RETURNING c.name, c.version",
    )
    .bind(each().map(|step| step.key.name).collect::<Vec<_>>())
    .bind(each().map(|step| step.key.version).collect::<Vec<_>>())
    .bind(each().map(|step| step.epoch.0).collect::<Vec<_>>())
    .bind(each().map(|step| step.old).collect::<Vec<_>>())
    .bind(each().map(|step| step.new).collect::<Vec<_>>())
    .fetch_all(pool)
    .await
}
