//! Errors of the store, grouped by what the caller can do about them.

use sqlx::error::DatabaseError;

use crate::command_key::StoredCommand;
use crate::stream_id::StreamId;

/// The log cannot be read or written, or its content cannot be decoded.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Postgres rejected a statement or did not respond; see [`StoreError::is_unavailable`].
    #[error("the database: {0}")]
    Database(#[from] sqlx::Error),
    /// The migrations failed.
    #[error("database migration: {0}")]
    Migrate(#[from] sqlx::migrate::MigrateError),
    /// An event or its metadata cannot be serialised as JSON.
    #[error("event cannot be serialised as JSON: {0}")]
    Encode(#[source] serde_json::Error),
    /// This build cannot decode a stored event, even with its upcasters.
    #[error("{event_type} {event_version} at position {position} of the log: {source}")]
    Decode {
        /// Position in the log.
        position: i64,
        /// Its stored type.
        event_type: String,
        /// Its stored version.
        event_version: String,
        /// The error of serde.
        #[source]
        source: serde_json::Error,
    },
    /// The event was written by a newer program and is unknown to this one. Unknown events are never skipped: every reader stops
    /// there.
    #[error(
        "{event_type} {event_version} of {kind} at position {position} of the log was written by a newer version of this program"
    )]
    Newer {
        /// Position in the log.
        position: i64,
        /// Kind of the stream.
        kind: String,
        /// Its event type.
        event_type: String,
        /// Its event version.
        event_version: String,
    },
    /// A snapshot cannot be read or written by the current rules; deleting it from `snapshots` is safe and only costs time.
    #[error("the snapshot of {stream}: {source}")]
    Snapshot {
        /// The stream.
        stream: StreamId,
        /// The error of serde.
        #[source]
        source: serde_json::Error,
    },
    /// The upcasters form a cycle: this type and version was reached repeatedly.
    #[error("the upcasters of {event_type} {event_version} form a cycle")]
    UpcastCircle {
        /// The stored type.
        event_type: String,
        /// The stored version.
        event_version: String,
    },
    /// An append names a stream twice.
    #[error("append names stream {0} twice")]
    StreamTwice(StreamId),
    /// An append touches more streams, reservations and conditions than [`crate::MAX_LOCKS`].
    #[error("append needs {locks} locks, the maximum is {max}")]
    TooManyLocks {
        /// Number of locks needed.
        locks: usize,
        /// [`crate::MAX_LOCKS`].
        max: usize,
    },
    /// A number does not fit its type in the database or in the program.
    #[error("number out of range: {0}")]
    Number(#[from] std::num::TryFromIntError),
    /// The append function returned a status unknown to this build: the tables are from another build.
    #[error("unknown status of the append function: {0:?}")]
    UnknownAnswer(String),
    /// The name of a projection is not lower-case letters, digits and underscores, or is not unique.
    #[error("projection name {0:?} is invalid or not unique")]
    ProjectionName(String),
}

impl StoreError {
    /// Whether the database is temporarily unreachable, so that a retry may succeed.
    pub fn is_unavailable(&self) -> bool {
        matches!(self, Self::Database(error) if unavailable(error))
    }

    /// Whether an event of a newer program was read; a retry may succeed after an update.
    pub fn is_newer(&self) -> bool {
        matches!(self, Self::Newer { .. })
    }

    /// Whether the database is read-only: a standby.
    pub fn is_read_only(&self) -> bool {
        matches!(self, Self::Database(error) if read_only(error))
    }
}

/// Reasons why an append was not written (for [`AppendError::Unavailable`]: the outcome is unknown).
#[derive(Debug, thiserror::Error)]
pub enum AppendError {
    /// Another writer changed the stream since it was read, or is writing to it: load and decide again.
    #[error("version conflict on stream {stream}")]
    Conflict {
        /// The first stream that does not have the expected version.
        stream: StreamId,
    },
    /// The name is reserved by another owner.
    #[error("name is reserved by another owner in scope {scope}")]
    ReservationTaken {
        /// The reservation's scope, e.g. `username`.
        scope: String,
    },
    /// The command was executed before; contains the stored result. Callers treat this as success.
    #[error("command was executed before")]
    CommandRepeated(StoredCommand),
    /// The command key was used before with another body.
    #[error("command key was used before with another body")]
    CommandBodyDiffers,
    /// The connection was lost and could not be re-established: the outcome is unknown. Repeating the append with the same
    /// [`crate::CommandKey`] is safe and determines it.
    #[error("database unreachable: {0}")]
    Unavailable(#[source] sqlx::Error),
    /// Any other error.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<sqlx::Error> for AppendError {
    fn from(error: sqlx::Error) -> Self {
        if unavailable(&error) {
            Self::Unavailable(error)
        } else {
            Self::Store(StoreError::Database(error))
        }
    }
}

/// Reasons why [`crate::Store::append_locked`] did not write.
#[derive(Debug, thiserror::Error)]
pub enum LockedError<E> {
    /// The decision rejected the command.
    #[error("{0}")]
    Refused(E),
    /// Reading the streams or writing the decision failed.
    #[error(transparent)]
    Append(#[from] AppendError),
}

impl<E> From<StoreError> for LockedError<E> {
    fn from(error: StoreError) -> Self {
        Self::Append(error.into())
    }
}

impl<E> From<sqlx::Error> for LockedError<E> {
    fn from(error: sqlx::Error) -> Self {
        Self::Append(error.into())
    }
}

fn code(error: &sqlx::Error) -> Option<String> {
    error
        .as_database_error()
        .and_then(DatabaseError::code)
        .map(|code| code.into_owned())
}

/// Whether the connection was lost, or none was available.
pub(crate) fn unavailable(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Io(_)
        | sqlx::Error::Tls(_)
        | sqlx::Error::PoolTimedOut
        | sqlx::Error::PoolClosed
        | sqlx::Error::WorkerCrashed => true,
        sqlx::Error::Database(_) => code(error).is_some_and(|code| {
            code.starts_with("08") || code.starts_with("57P") || code == "53300"
        }),
        _ => false,
    }
}

/// Whether the database is a standby, which does not accept writes.
pub fn read_only(error: &sqlx::Error) -> bool {
    code(error).is_some_and(|code| code == "25006")
}

/// Whether the error is independent of the data written, so that a retry may succeed.
pub fn passing(error: &sqlx::Error) -> bool {
    // Conflicting transactions, exhausted resources, operator intervention, system errors.
    unavailable(error)
        || code(error).is_some_and(|code| {
            ["25", "40", "53", "55", "57", "58"]
                .iter()
                .any(|class| code.starts_with(class))
        })
}

/// Whether the connection was lost while a statement may have been running. (If no connection was available, nothing ran.)
pub(crate) fn cut(error: &sqlx::Error) -> bool {
    unavailable(error) && !matches!(error, sqlx::Error::PoolTimedOut | sqlx::Error::PoolClosed)
}

/// Whether `lock_timeout` expired while waiting for a lock.
pub(crate) fn lock_timed_out(error: &sqlx::Error) -> bool {
    code(error).is_some_and(|code| code == "55P03")
}

/// Whether nothing was written and the statement may be repeated: a serialisation failure, a deadlock, or a concurrent writer
/// without locks (the repetition sees the new version).
pub(crate) fn worth_repeating(error: &sqlx::Error) -> bool {
    code(error).is_some_and(|code| code == "40001" || code == "40P01")
        || unique_violation(error) == Some("events_pkey")
}

/// The name of the violated unique constraint, if the error is one.
pub(crate) fn unique_violation(error: &sqlx::Error) -> Option<&str> {
    error
        .as_database_error()
        .filter(|error| error.is_unique_violation())
        .map(|error| error.constraint().unwrap_or_default())
}
