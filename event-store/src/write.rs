//! Writing: one append is one call of the function `append_events`, one round trip.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use serde_json::Value;
use sqlx::PgConnection;
use sqlx::types::Json;

use crate::append::{
    Append, Appended, CommandKey, Expected, ReservationChange, StoredCommand, StreamId,
};
use crate::error::{
    AppendError, StoreError, cut, lock_timed_out, unique_violation, worth_repeating,
};
use crate::lock::Locks;
use crate::store::Store;

/// How often a statement is sent again after a deadlock, a serialisation failure or (with a command id) a lost
/// connection.
const ATTEMPTS: u32 = 6;

impl Store {
    /// Writes one decision: all of it or nothing, in one round trip.
    ///
    /// Streams, reservations and the command are locked in a fixed order while it is written, so writers of the
    /// same stream queue up instead of failing half way. Deadlocks and serialisation failures (foreign writers)
    /// are repeated inside. With a command id a lost connection is too: the repeat finds out whether the first
    /// attempt was written, and then answers [`AppendError::CommandRepeated`].
    ///
    /// # Errors
    /// See [`AppendError`].
    pub async fn append(&self, append: Append) -> Result<Appended, AppendError> {
        self.append_tagged(append, HashMap::new()).await
    }

    /// The same with more entries for the metadata map.
    pub(crate) async fn append_tagged(
        &self,
        append: Append,
        tags: HashMap<String, String>,
    ) -> Result<Appended, AppendError> {
        let call = Call::new(append, tags, MayWait::Yes)?;
        let mut attempt = 0;
        loop {
            let answer = match self.pool().acquire().await {
                Ok(mut connection) => call.send(&mut connection).await,
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

    /// Writes inside a transaction that already holds the locks of the hot streams; waits for no other lock.
    pub(crate) async fn append_within(
        &self,
        transaction: &mut PgConnection,
        append: Append,
    ) -> Result<Appended, AppendError> {
        let call = Call::new(append, HashMap::new(), MayWait::No)?;
        let answer = call.send(transaction).await;
        call.understand(answer)
    }

    fn finish(
        &self,
        call: &Call,
        answer: Result<Answer, sqlx::Error>,
    ) -> Result<Appended, AppendError> {
        let appended = call.understand(answer)?;
        self.committed(&appended);
        Ok(appended)
    }

    /// Wakes everybody who follows the log.
    pub(crate) fn committed(&self, appended: &Appended) {
        self.inner
            .signal
            .appended(appended.last_position, self.pool());
    }

    /// The stored answer of a command, if it was done before: look here before doing work.
    ///
    /// # Errors
    /// [`AppendError::CommandBodyDiffers`] if the key was used with another body; the database's errors.
    pub async fn command(
        &self,
        command: &CommandKey,
    ) -> Result<Option<StoredCommand>, AppendError> {
        let mut connection = self.pool().acquire().await?;
        stored_command(&mut connection, command).await
    }

    /// Forgets up to `limit` command ids whose time is over; answers how many.
    ///
    /// # Errors
    /// The database's.
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

/// Longer with every attempt, and never the same for two that collided.
pub(crate) fn pause(attempt: u32) -> Duration {
    let most = 5_u64.saturating_mul(2_u64.saturating_pow(attempt)).min(500);
    Duration::from_millis(rand::random_range(most / 2..=most))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum MayWait {
    Yes,
    No,
}

/// What `append_events` answers.
#[derive(sqlx::FromRow)]
struct Answer {
    status: String,
    subject: Option<i32>,
    heads: Option<Vec<i64>>,
    first_position: i64,
    last_position: i64,
    result: Option<Json<Value>>,
}

/// An append, checked and laid out as the arrays the function takes.
struct Call {
    append: Append,
    locks: Locks,
    may_wait: MayWait,
    /// Written streams first, then the conditions; -1 expects nothing.
    expected: Vec<i64>,
    event_streams: Vec<i32>,
    event_offsets: Vec<i32>,
    payloads: Vec<String>,
    metadata: String,
}

impl Call {
    fn new(
        append: Append,
        tags: HashMap<String, String>,
        may_wait: MayWait,
    ) -> Result<Self, StoreError> {
        let locks = Locks::of(&append)?;
        let mut seen = HashSet::new();
        let mut expected = Vec::new();
        let mut event_streams = Vec::new();
        let mut event_offsets = Vec::new();
        let mut payloads = Vec::new();
        for (stream, number) in append.streams.iter().zip(1_i32..) {
            if !seen.insert(&stream.stream) {
                return Err(StoreError::StreamTwice(stream.stream.clone()));
            }
            expected.push(match stream.expected {
                Expected::NoStream => 0,
                Expected::Exact(version) => i64::try_from(version)?,
                Expected::Any => -1,
            });
            for (event, offset) in stream.events.iter().zip(1_i32..) {
                event_streams.push(number);
                event_offsets.push(offset);
                payloads.push(event.payload.to_string());
            }
        }
        for (_, version) in &append.conditions {
            expected.push(i64::try_from(*version)?);
        }
        let mut metadata = tags;
        metadata.extend(append.metadata.to_map());
        let metadata = serde_json::to_string(&metadata).map_err(StoreError::Encode)?;
        Ok(Self {
            locks,
            may_wait,
            expected,
            event_streams,
            event_offsets,
            payloads,
            metadata,
            append,
        })
    }

    fn streams(&self) -> impl Iterator<Item = &StreamId> {
        let written = self.append.streams.iter().map(|stream| &stream.stream);
        written.chain(self.append.conditions.iter().map(|(stream, _)| stream))
    }

    async fn send(&self, connection: &mut PgConnection) -> Result<Answer, sqlx::Error> {
        let events = || self.append.streams.iter().flat_map(|stream| &stream.events);
        let metadata = &self.append.metadata;
        let command = self.append.command.as_ref();
        let mut takes = Vec::new();
        let mut scopes = Vec::new();
        let mut hashes = Vec::new();
        let mut owners = Vec::new();
        for change in &self.append.reservations {
            takes.push(matches!(change, ReservationChange::Take { .. }));
            let (ReservationChange::Take {
                scope,
                key_hash,
                owner,
            }
            | ReservationChange::Release {
                scope,
                key_hash,
                owner,
            }) = change;
            scopes.push(scope.as_str());
            hashes.push(key_hash.as_slice());
            owners.push(owner.as_str());
        }
        sqlx::query_as(
            "SELECT status, subject, heads, first_position, last_position, result
             FROM append_events($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18,
                                $19, $20, $21, $22, $23, $24, $25)",
        )
        .bind(&self.locks.keys)
        .bind(&self.locks.shared)
        .bind(self.may_wait == MayWait::Yes)
        .bind(self.streams().map(|stream| stream.kind.as_str()).collect::<Vec<_>>())
        .bind(self.streams().map(|stream| stream.id.as_str()).collect::<Vec<_>>())
        .bind(&self.expected)
        .bind(&self.event_streams)
        .bind(&self.event_offsets)
        .bind(events().map(|event| event.event_type.as_str()).collect::<Vec<_>>())
        .bind(events().map(|event| event.event_version.as_str()).collect::<Vec<_>>())
        .bind(&self.payloads)
        .bind(events().map(|event| event.event_id).collect::<Vec<_>>())
        .bind(&self.metadata)
        .bind(metadata.correlation_id)
        .bind(metadata.causation_id)
        .bind(metadata.occurred_at)
        .bind(command.map(|command| &command.scope))
        .bind(command.map(|command| &command.key))
        .bind(command.map(|command| command.body_hash.as_slice()))
        .bind(self.append.command_result.as_ref().map(Value::to_string))
        .bind(command.and_then(|command| command.expires_at))
        .bind(takes)
        .bind(scopes)
        .bind(hashes)
        .bind(owners)
        .fetch_one(connection)
        .await
    }

    fn understand(&self, answer: Result<Answer, sqlx::Error>) -> Result<Appended, AppendError> {
        let answer = match answer {
            Ok(answer) => answer,
            Err(error) => return Err(self.misfortune(error)),
        };
        match answer.status.as_str() {
            "written" => self.appended(&answer),
            "conflict" => Err(self.conflict(answer.subject)),
            "busy" => Err(self.conflict(None)),
            "repeated" => Err(AppendError::CommandRepeated(StoredCommand {
                first_position: answer.first_position,
                last_position: answer.last_position,
                result: answer.result.map_or(Value::Null, |json| json.0),
            })),
            "other_body" => Err(AppendError::CommandBodyDiffers),
            "taken" => Err(self.taken(answer.subject)),
            other => Err(StoreError::UnknownAnswer(other.to_owned()).into()),
        }
    }

    /// The database's own refusals, in our words.
    fn misfortune(&self, error: sqlx::Error) -> AppendError {
        match unique_violation(&error) {
            Some("reservations_pkey") => self.taken(None),
            // repeated often enough: somebody else is in the way
            _ if worth_repeating(&error) || lock_timed_out(&error) => self.conflict(None),
            _ => error.into(),
        }
    }

    fn conflict(&self, number: Option<i32>) -> AppendError {
        let index = number.map_or(0, |number| usize::try_from(number - 1).unwrap_or_default());
        let stream = self.streams().nth(index);
        AppendError::Conflict {
            stream: stream
                .cloned()
                .unwrap_or_else(|| StreamId::new("command", "")),
        }
    }

    fn taken(&self, number: Option<i32>) -> AppendError {
        let index = number.map_or(0, |number| usize::try_from(number - 1).unwrap_or_default());
        let scope = match self.append.reservations.get(index) {
            Some(
                ReservationChange::Take { scope, .. } | ReservationChange::Release { scope, .. },
            ) => scope.clone(),
            None => String::new(),
        };
        AppendError::ReservationTaken { scope }
    }

    fn appended(&self, answer: &Answer) -> Result<Appended, AppendError> {
        let heads = answer.heads.as_deref().unwrap_or_default();
        let versions = self
            .append
            .streams
            .iter()
            .zip(heads)
            .map(|(stream, head)| {
                let added = u64::try_from(stream.events.len())?;
                Ok((stream.stream.clone(), u64::try_from(*head)? + added))
            })
            .collect::<Result<_, std::num::TryFromIntError>>()
            .map_err(StoreError::Number)?;
        Ok(Appended {
            versions,
            first_position: answer.first_position,
            last_position: answer.last_position,
        })
    }
}
