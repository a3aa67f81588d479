//! The arguments of the SQL function `append_all` for one append, and its reply.

use std::collections::{HashMap, HashSet};

use serde_json::Value;
use sqlx::encode::IsNull;
use sqlx::error::BoxDynError;
use sqlx::postgres::types::PgRecordEncoder;
use sqlx::postgres::{PgArgumentBuffer, PgHasArrayType, PgTypeInfo};
use sqlx::types::Json;
use sqlx::{Encode, PgConnection, Postgres, Type};
use uuid::Uuid;

use crate::advisory_lock::Locks;
use crate::append::{Append, Appended, Expected, ReservationChange};
use crate::command_key::StoredCommand;
use crate::error::{AppendError, StoreError, lock_timed_out, unique_violation, worth_repeating};
use crate::stream_id::StreamId;

/// Whether an append may wait for locks held by others.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum LockWait {
    Yes,
    No,
}

/// Reply of `append_all` to one append.
#[derive(Debug, sqlx::FromRow)]
pub(crate) struct AppendReply {
    status: String,
    subject: Option<i32>,
    heads: Option<Vec<i64>>,
    first_position: i64,
    last_position: i64,
    result: Option<Json<Value>>,
}

impl AppendReply {
    /// Whether a lock was held by another transaction and the append was not allowed to wait.
    pub(crate) fn is_busy(&self) -> bool {
        self.status == "busy"
    }
}

/// A validated append in the layout of the SQL type `append_call`.
pub(crate) struct AppendRequest {
    pub(crate) append: Append,
    locks: Locks,
    /// Written streams first, then the conditions; -1 means any version.
    expected: Vec<i64>,
    event_streams: Vec<i32>,
    event_offsets: Vec<i32>,
    payloads: Vec<String>,
    metadata: String,
    command_result: Option<String>,
}

impl AppendRequest {
    pub(crate) fn new(append: Append, tags: HashMap<String, String>) -> Result<Self, StoreError> {
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
            expected,
            event_streams,
            event_offsets,
            payloads,
            metadata,
            command_result: append.command_result.as_ref().map(Value::to_string),
            append,
        })
    }

    /// Estimated cost: number of locks and events.
    pub(crate) fn weight(&self) -> usize {
        self.locks.keys.len() + self.payloads.len()
    }

    fn streams(&self) -> impl Iterator<Item = &StreamId> {
        let written = self.append.streams.iter().map(|stream| &stream.stream);
        written.chain(self.append.conditions.iter().map(|(stream, _)| stream))
    }

    /// Sends it in a statement of its own.
    pub(crate) async fn send(
        &self,
        connection: &mut PgConnection,
        may_wait: LockWait,
    ) -> Result<AppendReply, sqlx::Error> {
        let answer = send_all(&[self], connection, may_wait).await?.pop();
        answer.ok_or(sqlx::Error::RowNotFound)
    }

    pub(crate) fn understand(
        &self,
        answer: Result<AppendReply, sqlx::Error>,
    ) -> Result<Appended, AppendError> {
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

    /// Maps database errors to append errors.
    fn misfortune(&self, error: sqlx::Error) -> AppendError {
        match unique_violation(&error) {
            Some("reservations_pkey") => self.taken(None),
            // All attempts failed: a concurrent writer holds the stream.
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

    fn appended(&self, answer: &AppendReply) -> Result<Appended, AppendError> {
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

/// Sends several appends as one statement, which is one transaction unless one is in progress; replies are in the same order.
pub(crate) async fn send_all(
    calls: &[&AppendRequest],
    connection: &mut PgConnection,
    may_wait: LockWait,
) -> Result<Vec<AppendReply>, sqlx::Error> {
    sqlx::query_as(
        "SELECT status, subject, heads, first_position, last_position, result FROM append_all($1, $2)",
    )
    .bind(calls)
    .bind(may_wait == LockWait::Yes)
    .fetch_all(connection)
    .await
}

impl Type<Postgres> for AppendRequest {
    fn type_info() -> PgTypeInfo {
        PgTypeInfo::with_name("append_call")
    }
}

impl PgHasArrayType for AppendRequest {
    fn array_type_info() -> PgTypeInfo {
        PgTypeInfo::array_of("append_call")
    }
}

/// Encodes the fields of `append_call`, in order.
impl Encode<'_, Postgres> for AppendRequest {
    fn encode_by_ref(&self, buffer: &mut PgArgumentBuffer) -> Result<IsNull, BoxDynError> {
        let kinds: Vec<&str> = self.streams().map(|stream| stream.kind.as_str()).collect();
        let ids: Vec<&str> = self.streams().map(|stream| stream.id.as_str()).collect();
        let events = || self.append.streams.iter().flat_map(|stream| &stream.events);
        let types: Vec<&str> = events().map(|event| event.event_type.as_str()).collect();
        let versions: Vec<&str> = events().map(|event| event.event_version.as_str()).collect();
        let event_ids: Vec<Uuid> = events().map(|event| event.event_id).collect();
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
        let mut record = PgRecordEncoder::new(buffer);
        record
            .encode(&self.locks.keys)?
            .encode(&self.locks.shared)?
            .encode(kinds)?
            .encode(ids)?
            .encode(&self.expected)?
            .encode(&self.event_streams)?
            .encode(&self.event_offsets)?
            .encode(types)?
            .encode(versions)?
            .encode(&self.payloads)?
            .encode(event_ids)?
            .encode(&self.metadata)?
            .encode(metadata.correlation_id)?
            .encode(metadata.causation_id)?
            .encode(metadata.occurred_at)?
            .encode(command.map(|command| &command.scope))?
            .encode(command.map(|command| &command.key))?
            .encode(command.map(|command| command.body_hash.as_slice()))?
            .encode(&self.command_result)?
            .encode(command.and_then(|command| command.expires_at))?
            .encode(takes)?
            .encode(scopes)?
            .encode(hashes)?
            .encode(owners)?
            .finish();
        Ok(IsNull::No)
    }
}
