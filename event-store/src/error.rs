//! What can go wrong, sorted by what the caller has to do about it.

use sqlx::error::DatabaseError;

use crate::append::{StoredCommand, StreamId};

/// The log could not be read or written, or what it holds could not be understood.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Postgres refused or did not answer; see [`StoreError::is_unavailable`].
    #[error("the database: {0}")]
    Database(#[from] sqlx::Error),
    /// The tables could not be brought up to date.
    #[error("the database's tables: {0}")]
    Migrate(#[from] sqlx::migrate::MigrateError),
    /// An event or its metadata could not be turned into JSON.
    #[error("an event could not be written as JSON: {0}")]
    Encode(#[source] serde_json::Error),
    /// A stored event is not one this build knows, and no upcaster turns it into one.
    #[error("{event_type} {event_version} at position {position} of the log: {source}")]
    Decode {
        /// Where in the log.
        position: i64,
        /// Its stored type.
        event_type: String,
        /// Its stored version.
        event_version: String,
        /// What serde found.
        #[source]
        source: serde_json::Error,
    },
    /// A newer program wrote it, and this one cannot know what it means. Nothing is passed over: whoever comes to it stops.
    #[error(
        "{event_type} {event_version} of {kind} at position {position} of the log was written by a newer version of this program"
    )]
    Newer {
        /// Where in the log.
        position: i64,
        /// The kind of its stream.
        kind: String,
        /// Its type.
        event_type: String,
        /// Its version.
        event_version: String,
    },
    /// A snapshot is not what its rules read or write; removing it from `snapshots` costs nothing but time.
    #[error("the snapshot of {stream}: {source}")]
    Snapshot {
        /// Whose.
        stream: StreamId,
        /// What serde found.
        #[source]
        source: serde_json::Error,
    },
    /// Upcasters lead in a circle: this type and version kept coming back.
    #[error("the upcasters of {event_type} {event_version} lead in a circle")]
    UpcastCircle {
        /// The stored type.
        event_type: String,
        /// The stored version.
        event_version: String,
    },
    /// One append names the same stream twice.
    #[error("one append names the stream {0} twice")]
    StreamTwice(StreamId),
    /// One append touches more streams, reservations and conditions than [`crate::MAX_LOCKS`].
    #[error("one append may lock {max} things, this one wants {wanted}", max = crate::MAX_LOCKS)]
    TooManyLocks {
        /// How many it named.
        wanted: usize,
    },
    /// A number of the database does not fit the type it is read into, or the other way round.
    #[error("a number out of range: {0}")]
    Number(#[from] std::num::TryFromIntError),
    /// The append function answered something this build does not know: the tables are of another build.
    #[error("the database's append function answered {0:?}")]
    UnknownAnswer(String),
    /// A projection's name is not lower-case letters, digits and underscores, or is there twice.
    #[error("{0:?} is not a projection's name, or is there twice")]
    ProjectionName(String),
    /// A state was asked of [`crate::LockedStreams`] for a stream that was not locked.
    #[error("the stream {0} was not among the locked ones")]
    NotLocked(StreamId),
}

impl StoreError {
    /// The database cannot be reached at the moment; the same request may work in a while.
    pub fn is_unavailable(&self) -> bool {
        matches!(self, Self::Database(error) if unavailable(error))
    }

    /// A newer program wrote what this one came to: the same may work once this program is as new.
    pub fn is_newer(&self) -> bool {
        matches!(self, Self::Newer { .. })
    }

    /// The database only lets read: it is a standby.
    pub fn is_read_only(&self) -> bool {
        matches!(self, Self::Database(error) if read_only(error))
    }
}

/// Why an append wrote nothing (or, for [`AppendError::Unavailable`], why nobody knows).
#[derive(Debug, thiserror::Error)]
pub enum AppendError {
    /// Somebody else wrote to the stream since it was read, or is writing to it: read again and decide again.
    #[error("the stream {stream} has moved")]
    Conflict {
        /// The first stream that is not where it was expected.
        stream: StreamId,
    },
    /// The name is somebody else's.
    #[error("reserved by somebody else in {scope}")]
    ReservationTaken {
        /// The reservation's scope, e.g. `username`.
        scope: String,
    },
    /// This command was done before; here is its answer. For the caller this is success.
    #[error("the command was done before")]
    CommandRepeated(StoredCommand),
    /// This command id was used before with another body.
    #[error("the command id was used before with another body")]
    CommandBodyDiffers,
    /// The connection was lost and could not be had again: the append may or may not have happened.
    /// Repeating it with the same [`crate::CommandKey`] is safe and tells which.
    #[error("the database cannot be reached: {0}")]
    Unavailable(#[source] sqlx::Error),
    /// Anything else.
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

/// Why [`crate::Store::append_locked`] wrote nothing.
#[derive(Debug, thiserror::Error)]
pub enum LockedError<E> {
    /// The decision itself said no.
    #[error("{0}")]
    Refused(E),
    /// The decision said yes, but it could not be written (or the streams not be read).
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

/// The connection is gone, or none could be had.
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

/// The database is a standby, which replays what its primary writes and takes no writes of its own.
pub fn read_only(error: &sqlx::Error) -> bool {
    code(error).is_some_and(|code| code == "25006")
}

/// Whatever it is, it is not the fault of what was being written: the same may work in a while.
pub fn passing(error: &sqlx::Error) -> bool {
    // transactions that got in each other's way, resources, operators, the system itself
    unavailable(error)
        || code(error).is_some_and(|code| {
            ["25", "40", "53", "55", "57", "58"]
                .iter()
                .any(|class| code.starts_with(class))
        })
}

/// The connection was lost while something may have been under way on it. (When none could be had, nothing was.)
pub(crate) fn cut(error: &sqlx::Error) -> bool {
    unavailable(error) && !matches!(error, sqlx::Error::PoolTimedOut | sqlx::Error::PoolClosed)
}

/// Somebody held a lock for longer than `lock_timeout`.
pub(crate) fn lock_timed_out(error: &sqlx::Error) -> bool {
    code(error).is_some_and(|code| code == "55P03")
}

/// Nothing was written and the same statement may be sent again: a serialisation failure, a deadlock, or a writer
/// without locks who got in between (the repeat will see where the stream ends now).
pub(crate) fn worth_repeating(error: &sqlx::Error) -> bool {
    code(error).is_some_and(|code| code == "40001" || code == "40P01")
        || unique_violation(error) == Some("events_pkey")
}

/// The constraint a unique violation names, if it is one.
pub(crate) fn unique_violation(error: &sqlx::Error) -> Option<&str> {
    error
        .as_database_error()
        .filter(|error| error.is_unique_violation())
        .map(|error| error.constraint().unwrap_or_default())
}
