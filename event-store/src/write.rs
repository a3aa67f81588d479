//! Writes appends: one call of the SQL function `append_all`, one round trip.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use sqlx::PgConnection;
use sqlx::types::Json;

use crate::append::{Append, Appended};
use crate::append_request::{AppendReply, AppendRequest, LockWait};
use crate::command_key::{CommandKey, StoredCommand};
use crate::error::{AppendError, StoreError, cut, worth_repeating};
use crate::group_commit::Outcome;
use crate::store::Store;

/// How often a statement is repeated after a deadlock, a serialisation failure or (with a command id) a lost connection.
const ATTEMPTS: u32 = 6;

impl Store {
    /// Writes one decision atomically, in one round trip. Concurrent appends share a transaction
    /// ([`crate::StoreOptions::writers`]); the result is returned after its commit.
    ///
    /// Streams, reservations and the command are locked in a fixed order, so writers of the same stream queue up instead of failing
    /// half way. Deadlocks and serialisation failures (foreign writers) are retried internally. With a command id a lost connection
    /// is too: the repetition finds out whether the first attempt was written, and then returns [`AppendError::CommandRepeated`].
    ///
    /// # Errors
    /// See [`AppendError`].
    pub async fn append(&self, append: Append) -> Result<Appended, AppendError> {
        self.append_tagged(append, HashMap::new()).await
    }

    /// As [`Store::append`], with additional entries for the metadata map.
    pub(crate) async fn append_tagged(
        &self,
        append: Append,
        tags: HashMap<String, String>,
    ) -> Result<Appended, AppendError> {
        let call = Arc::new(AppendRequest::new(append, tags)?);
        match self.inner.group.write(&call, self.pool()).await {
            Outcome::Answered(answer) => return self.finish(&call, Ok(answer)),
            Outcome::Unknown(error) if call.append.command.is_none() => return Err(error.into()),
            Outcome::Unknown(_) | Outcome::Alone => {}
        }
        let mut attempt = 0;
        loop {
            let answer = match self.pool().acquire().await {
                Ok(mut connection) => call.send(&mut connection, LockWait::Yes).await,
                Err(error) => Err(error),
            };
            attempt += 1;
            match answer {
                Err(error)
                    if attempt < ATTEMPTS
                        && (worth_repeating(&error)
                            || (call.append.command.is_some() && cut(&error))) =>
                {
                    tracing::debug!(%error, attempt, "append is sent again");
                    tokio::time::sleep(pause(attempt)).await;
                }
                answer => return self.finish(&call, answer),
            }
        }
    }

    /// Writes inside a transaction that already holds the locks of the contended streams; waits for no other lock.
    pub(crate) async fn append_within(
        &self,
        transaction: &mut PgConnection,
        append: Append,
    ) -> Result<Appended, AppendError> {
        let call = AppendRequest::new(append, HashMap::new())?;
        let answer = call.send(transaction, LockWait::No).await;
        call.understand(answer)
    }

    fn finish(
        &self,
        call: &AppendRequest,
        answer: Result<AppendReply, sqlx::Error>,
    ) -> Result<Appended, AppendError> {
        let appended = call.understand(answer)?;
        self.committed(&appended);
        Ok(appended)
    }

    /// Wakes all followers of the log.
    pub(crate) fn committed(&self, appended: &Appended) {
        self.inner
            .signal
            .appended(appended.last_position, self.pool());
    }

    /// The stored result of a command, if it was executed before: check here before doing work.
    ///
    /// # Errors
    /// [`AppendError::CommandBodyDiffers`] if the key was used with another body; database errors.
    pub async fn command(
        &self,
        command: &CommandKey,
    ) -> Result<Option<StoredCommand>, AppendError> {
        let mut connection = self.pool().acquire().await?;
        stored_command(&mut connection, command).await
    }

    /// Deletes up to `limit` expired command ids; returns their number.
    ///
    /// # Errors
    /// Database errors.
    pub async fn forget_expired_commands(&self, limit: i64) -> Result<u64, StoreError> {
        let done = sqlx::query(
            "DELETE FROM command_dedup WHERE (scope, key) IN
                 (SELECT scope, key FROM command_dedup WHERE expires_at < clock_timestamp() LIMIT $1)",
        )
        .bind(limit)
        .execute(self.pool())
        .await?;
        Ok(done.rows_affected())
    }
}

type StoredRow = (Vec<u8>, i64, i64, Option<Json<Value>>);

pub(crate) async fn stored_command(
    connection: &mut PgConnection,
    command: &CommandKey,
) -> Result<Option<StoredCommand>, AppendError> {
    let row: Option<StoredRow> = sqlx::query_as(
        "SELECT body_hash, first_position, last_position, result FROM command_dedup
         WHERE scope = $1 AND key = $2 AND (expires_at IS NULL OR expires_at > clock_timestamp())",
    )
    .bind(&command.scope)
    .bind(&command.key)
    .fetch_optional(connection)
    .await?;
    match row {
        None => Ok(None),
        Some((hash, ..)) if hash != command.body_hash => Err(AppendError::CommandBodyDiffers),
        Some((_, first_position, last_position, result)) => Ok(Some(StoredCommand {
            first_position,
            last_position,
            result: result.map_or(Value::Null, |json| json.0),
        })),
    }
}

/// Back-off that grows with every attempt and differs between colliding writers.
pub(crate) fn pause(attempt: u32) -> Duration {
    let most = 5_u64.saturating_mul(2_u64.saturating_pow(attempt)).min(500);
    Duration::from_millis(rand::random_range(most / 2..=most))
}
