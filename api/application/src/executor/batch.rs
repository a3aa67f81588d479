//! The batch of events that a command appends.

use std::fmt::Display;

use domain::unit_of_work::UnitOfWork;
use domain::{Context, Decider};
use event_store::{
    Append, CommandKey, Expected, NewEvent, ReservationChange, StreamAppend, StreamId, Versioned,
};
use serde::Serialize;
use serde_json::Value;
use time::OffsetDateTime;

use super::command::CommandContext;
use crate::error::{AppError, AppResult};

/// The result of a decision: what to append.
#[derive(Clone, Debug, Default)]
pub struct AppendBatch {
    pub(super) streams: Vec<StreamAppend>,
    conditions: Vec<(StreamId, u64)>,
    reservations: Vec<ReservationChange>,
    pub(super) result: Value,
}

impl AppendBatch {
    /// Appends to these streams; streams without events are left out.
    pub fn of(streams: impl IntoIterator<Item = StreamAppend>) -> Self {
        let mut batch = Self::default();
        streams.into_iter().for_each(|stream| batch.append(stream));
        batch
    }

    /// Adds events.
    pub fn append(&mut self, stream: StreamAppend) {
        if !stream.events.is_empty() {
            self.streams.push(stream);
        }
    }

    /// The writes of a unit of work; the streams it only read must keep their versions, unless they are `locked`.
    pub(super) fn of_work(
        work: &UnitOfWork,
        result: impl Serialize,
        locked: bool,
    ) -> AppResult<Self> {
        let mut batch = Self::default().with_result(result)?;
        for (stream, version, events) in work.writes()? {
            batch.streams.push(StreamAppend {
                stream: stream.into(),
                expected: Expected::Exact(version),
                events: events.into_iter().map(NewEvent::from).collect(),
            });
        }
        batch.reservations = work.names().iter().map(ReservationChange::from).collect();
        let writes = !batch.streams.is_empty() || !batch.reservations.is_empty();
        if writes && !locked {
            let reads = work.reads()?.into_iter();
            batch.conditions = reads
                .map(|(stream, version)| (stream.into(), version))
                .collect();
        }
        Ok(batch)
    }

    /// Requires a stream that is not written to have this version.
    #[must_use]
    pub fn require(mut self, stream: StreamId, version: u64) -> Self {
        self.conditions.push((stream, version));
        self
    }

    /// Reserves a name; the command is rejected if another owner has it.
    #[must_use]
    pub fn reserve(mut self, scope: &str, key_hash: [u8; 32], owner: impl ToString) -> Self {
        let owner = owner.to_string();
        self.reservations.push(ReservationChange::Take {
            scope: scope.to_owned(),
            key_hash,
            owner,
        });
        self
    }

    /// Releases a name.
    #[must_use]
    pub fn release(mut self, scope: &str, key_hash: [u8; 32], owner: impl ToString) -> Self {
        let owner = owner.to_string();
        self.reservations.push(ReservationChange::Release {
            scope: scope.to_owned(),
            key_hash,
            owner,
        });
        self
    }

    /// The append request for these writes by a command.
    pub(super) fn into_append(
        self,
        command: &CommandContext,
        key: Option<CommandKey>,
        now: OffsetDateTime,
    ) -> AppResult<Append> {
        Ok(Append {
            streams: self.streams,
            conditions: self.conditions,
            command: key,
            command_result: (!self.result.is_null()).then_some(self.result),
            reservations: self.reservations,
            metadata: command.metadata(now)?,
        })
    }

    /// Sets the stored result from which responses are built: ids, no personal data. A repeated command gets the same.
    ///
    /// # Errors
    /// The result cannot be serialised as JSON.
    pub fn with_result(mut self, result: impl Serialize) -> AppResult<Self> {
        self.result = serde_json::to_value(result)?;
        Ok(self)
    }
}

/// Decides a command on a loaded aggregate; the events are to be appended at its version.
///
/// # Errors
/// The rule violated.
pub fn decide<A>(
    id: impl Display,
    loaded: &Versioned<A>,
    input: A::Input,
    context: &Context,
) -> AppResult<StreamAppend>
where
    A: Decider,
    AppError: From<A::Error>,
{
    let events = loaded.state.decide(input, context)?;
    Ok(StreamAppend::new::<A>(
        id,
        Expected::Exact(loaded.version),
        &events,
    )?)
}
