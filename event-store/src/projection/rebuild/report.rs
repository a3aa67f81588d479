//! What a rebuild reports: its progress, its result and its errors.

use std::time::Duration;

use crate::error::StoreError;
use crate::projection::ProjectionError;
use crate::projection::poison::Blocker;
use crate::stream_id::StreamId;

/// Phase of a rebuild.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RebuildPhase {
    /// Replaying the log.
    #[default]
    Reading,
    /// Creating keys and statistics.
    Keys,
    /// Applying newer events.
    CatchingUp,
    /// Swapping the schemas.
    Switching,
}

impl RebuildPhase {
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Reading => "reading",
            Self::Keys => "keys",
            Self::CatchingUp => "catching-up",
            Self::Switching => "switching",
        }
    }
}

/// Progress of a rebuild.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RebuildProgress {
    /// Current phase.
    pub phase: RebuildPhase,
    /// Events replayed.
    pub done: i64,
    /// Events to replay.
    pub total: i64,
}

/// Result of a finished rebuild.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rebuilt {
    /// Position at which the new tables took over.
    pub position: i64,
    /// Events replayed before catching up.
    pub events: i64,
    /// Duration of the replay.
    pub reading: Duration,
    /// Total duration.
    pub took: Duration,
    /// Time the running projection was blocked by the swap.
    pub switch: Duration,
    /// Number of parked streams.
    pub parked: i64,
}

/// Reasons why a rebuild failed; the live read model is unchanged.
#[derive(Debug, thiserror::Error)]
pub enum RebuildError {
    /// Another process is rebuilding it.
    #[error("{0} is being rebuilt by another process")]
    Busy(String),
    /// It has no tables, or is a policy, whose side effects would be repeated.
    #[error("{0} is not a read model")]
    NoReadModel(String),
    /// No previous tables are kept.
    #[error("no previous tables of {0} are kept")]
    NothingKept(String),
    /// An event cannot be applied, and the projection does not park.
    #[error("{event_type} of {stream} at position {position} cannot be applied: {error}")]
    Poison {
        /// The stream.
        stream: StreamId,
        /// Its position.
        position: i64,
        /// Its event type.
        event_type: String,
        /// The reason.
        #[source]
        error: Box<ProjectionError>,
    },
    /// Readers held locks on the tables throughout.
    #[error("the tables of {0} were in use for too long to be swapped; try again")]
    InUse(String),
    /// A database or log error.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<sqlx::Error> for RebuildError {
    fn from(error: sqlx::Error) -> Self {
        Self::Store(error.into())
    }
}

impl From<Blocker> for RebuildError {
    fn from(stuck: Blocker) -> Self {
        match stuck {
            Blocker::At(event, error) => Self::Poison {
                stream: event.stream,
                position: event.position,
                event_type: event.event_type,
                error: Box::new(error),
            },
            Blocker::Around(error) => Self::Store(error),
        }
    }
}
