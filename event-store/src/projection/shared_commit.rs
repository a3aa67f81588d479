//! One transaction for all projections of a process that have caught up: their checkpoints in one statement, then their rows.
//!
//! Read models that follow the same tail of the log have a few rows each to write, and most ignore most events; yet readers wait for
//! all their checkpoints. Alone, each would begin, move and commit for itself. What does not fit together goes alone: a checkpoint
//! whose row is locked, moved or of a newer epoch is left out, and a projection that cannot apply its events makes the others start
//! again without it.

use std::sync::Arc;

use sqlx::{PgConnection, PgPool};
use tokio::sync::{mpsc, oneshot};

use super::checkpoint::{Epoch, Key};
use super::{Projection, ProjectionError};
use crate::error::{StoreError, lock_timed_out, passing};
use crate::stored_event::StoredEvent;
use crate::transaction::begin;

/// Maximum number of checkpoints per transaction.
const MOST: usize = 200;
/// Maximum number of events with which a projection joins: more take their time, and the others would wait for them.
pub(super) const MOST_EVENTS: usize = 50;

/// A checkpoint to move, with the events to apply before it moves.
pub(super) struct Step {
    pub key: Key,
    pub epoch: Epoch,
    pub old: i64,
    pub new: i64,
    pub projection: Arc<dyn Projection>,
    /// None if its projection ignores the events up to `new`.
    pub events: Arc<[StoredEvent]>,
    pub done: oneshot::Sender<Result<Outcome, StoreError>>,
}

/// What became of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// Applied and committed.
    Moved,
    /// Nothing happened: it has to be done alone, which shows why.
    Alone,
}

/// Reasons why a transaction is rolled back.
enum Setback {
    /// The projection at this place cannot apply its events.
    Of(usize),
    /// A failure not caused by a projection.
    All(StoreError),
}

impl From<StoreError> for Setback {
    fn from(error: StoreError) -> Self {
        Self::All(error)
    }
}

impl From<sqlx::Error> for Setback {
    fn from(error: sqlx::Error) -> Self {
        Self::All(error.into())
    }
}

/// Carries out steps as requested, until the channel closes. The connections of `pool` give up waiting for a lock quickly.
pub(super) async fn mover(pool: PgPool, mut steps: mpsc::Receiver<Step>) {
    let mut waiting = Vec::new();
    loop {
        // Projections woken by the same events send their steps at the same time.
        tokio::task::yield_now().await;
        if steps.recv_many(&mut waiting, MOST).await == 0 {
            return;
        }
        // Locked in one order, whichever process they belong to.
        waiting.sort_by_key(|step: &Step| (step.key.name, step.key.version));
        while !waiting.is_empty() {
            match carry_out(&pool, &waiting).await {
                Ok(outcomes) => {
                    for (step, outcome) in waiting.drain(..).zip(outcomes) {
                        // A failed send means that the worker has stopped.
                        let _ = step.done.send(Ok(outcome));
                    }
                }
                Err(Setback::Of(place)) => {
                    let step = waiting.remove(place);
                    let _ = step.done.send(Ok(Outcome::Alone));
                }
                Err(Setback::All(error)) => {
                    tracing::debug!(%error, "checkpoints cannot be moved");
                    for step in waiting.drain(..) {
                        let lost = std::io::Error::other(error.to_string());
                        let _ = step.done.send(Err(sqlx::Error::Io(lost).into()));
                    }
                }
            }
        }
    }
}

/// The checkpoints first: their row locks keep successors from starting before this is committed or rolled back.
async fn carry_out(pool: &PgPool, steps: &[Step]) -> Result<Vec<Outcome>, Setback> {
    let mut transaction = begin(pool).await?;
    let moved = advance(&mut transaction, steps).await?;
    let outcomes: Vec<Outcome> = steps
        .iter()
        .map(|step| {
            let is_moved = moved
                .iter()
                .any(|(name, version)| name == step.key.name && *version == step.key.version);
            if is_moved {
                Outcome::Moved
            } else {
                Outcome::Alone
            }
        })
        .collect();
    for (place, step) in steps.iter().enumerate() {
        if outcomes.get(place) != Some(&Outcome::Moved) || step.events.is_empty() {
            continue;
        }
        match step.projection.apply(&mut transaction, &step.events).await {
            Ok(()) => {}
            Err(ProjectionError::Database(error)) if passing(&error) && !lock_timed_out(&error) => {
                return Err(error.into());
            }
            Err(error) => {
                tracing::debug!(projection = step.key.name, %error, "it is left out of a shared commit");
                return Err(Setback::Of(place));
            }
        }
    }
    transaction.commit().await?;
    Ok(outcomes)
}

/// Moves the checkpoints whose row is free, at the old position and of the same epoch; returns which.
async fn advance(
    connection: &mut PgConnection,
    steps: &[Step],
) -> Result<Vec<(String, i32)>, sqlx::Error> {
    let each = || steps.iter();
    sqlx::query_as(
        "WITH free AS (
             SELECT c.name, c.version, s.new
             FROM unnest($1::text[], $2::int[], $3::bigint[], $4::bigint[], $5::bigint[]) AS s(name, version, epoch, old, new)
             JOIN projection_checkpoint c
               ON c.name = s.name AND c.version = s.version AND c.lease_epoch = s.epoch AND c.position = s.old
             ORDER BY c.name, c.version FOR UPDATE OF c SKIP LOCKED
         )
         UPDATE projection_checkpoint c
         SET position = free.new, last_error = NULL, failing_since = NULL, stopped_at = NULL, updated_at = clock_timestamp()
         FROM free WHERE c.name = free.name AND c.version = free.version
         RETURNING c.name, c.version",
    )
    .bind(each().map(|step| step.key.name).collect::<Vec<_>>())
    .bind(each().map(|step| step.key.version).collect::<Vec<_>>())
    .bind(each().map(|step| step.epoch.0).collect::<Vec<_>>())
    .bind(each().map(|step| step.old).collect::<Vec<_>>())
    .bind(each().map(|step| step.new).collect::<Vec<_>>())
    .fetch_all(connection)
    .await
}
