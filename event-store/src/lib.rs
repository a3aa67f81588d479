#![doc = include_str!("../README.md")]

mod advisory_lock;
pub mod append;
mod append_request;
pub mod backup;
pub mod cqrs;
mod error;
pub mod event_fixtures;
mod group_commit;
pub mod hash_chain;
pub mod horizon;
pub mod keys;
mod locked_append;
pub mod log_snapshot;
mod metadata;
mod notify;
mod payload;
pub mod projection;
mod read;
mod reservations;
mod snapshot;
mod store;
mod stored_event;
mod tail;
#[cfg(feature = "testing")]
pub mod testing;
mod transaction;
pub mod upcast;
mod write;
mod write_probe;

pub use advisory_lock::MAX_LOCKS;
pub use append::{
    Append, Appended, CommandKey, Expected, NewEvent, ReservationChange, StoredCommand,
    StreamAppend, StreamId,
};
pub use async_trait::async_trait;
pub use cqrs::{PgAggregateContext, PgEventRepository, PgEventStore};
pub use error::{AppendError, LockedError, StoreError, passing, read_only};
pub use hash_chain::{ChainCheckpoint, ChainError, ChainFault, ChainKey, PublicKey};
pub use horizon::Horizon;
pub use keys::{KeyError, KeyRing, KeysMerged, MasterKey, SealContent};
pub use locked_append::{LockSet, LockedStreams, TransactionStep};
pub use metadata::Metadata;
pub use payload::Payload;
pub use projection::{Checkpoint, Progress, Projection, ProjectionError, Runner, WaitOutcome};
pub use read::At;
pub use store::{Store, StoreOptions};
pub use stored_event::{StoredEvent, Versioned};
pub use transaction::begin;
pub use upcast::{Knows, UpcastEvent, Upcasters};
