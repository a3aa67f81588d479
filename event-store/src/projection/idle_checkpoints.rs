//! Moving the checkpoints of all projections that want nothing of the newest events, in one statement.
//!
//! Most projections do not want most events, but readers wait for their checkpoints all the same.

use sqlx::PgPool;
use tokio::sync::{mpsc, oneshot};

use super::checkpoint::{Epoch, Key};

/// Most checkpoints moved by one statement.
const MOST: usize = 200;

/// A checkpoint that wants to move over events its projection does not want.
pub(super) struct Step {
    pub key: Key,
    pub epoch: Epoch,
    pub old: i64,
    pub new: i64,
    /// False: it is not where it was left, or somebody has a newer epoch.
    pub done: oneshot::Sender<Result<bool, sqlx::Error>>,
}

/// Moves whatever wants to be moved, for ever.
pub(super) async fn mover(pool: PgPool, mut steps: mpsc::Receiver<Step>) {
    let mut waiting = Vec::new();
    loop {
        // all who learnt of the same events at the same time come at the same time
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
                    // who does not wait any more has stopped
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
