#![doc = include_str!("../README.md")]

pub mod append;
pub mod backup;
mod begin;
mod call;
pub mod chain;
pub mod cqrs;
mod error;
mod group;
pub mod horizon;
pub mod identity;
pub mod keys;
mod lock;
mod locked;
mod metadata;
mod payload;
pub mod projection;
mod read;
mod recorded;
mod reserved;
pub mod samples;
mod signal;
mod snapshot;
mod store;
#[cfg(feature = "testing")]
pub mod testing;
pub mod upcast;
mod write;
mod write_probe;

pub use append::{
    Append, Appended, CommandKey, Expected, NewEvent, ReservationChange, StoredCommand,
    StreamAppend, StreamId,
};
pub use async_trait::async_trait;
pub use begin::begin;
pub use chain::{ChainError, ChainFault, ChainKey, Mark, PublicKey};
pub use cqrs::{PgAggregateContext, PgEventRepository, PgEventStore};
pub use error::{AppendError, LockedError, StoreError, passing, read_only};
pub use horizon::Horizon;
pub use keys::{KeyError, KeyRing, KeysMerged, MasterKey, Opened};
pub use lock::MAX_LOCKS;
pub use locked::{Hold, LockedStreams, TransactionStep};
pub use metadata::Metadata;
pub use payload::Payload;
pub use projection::{Checkpoint, Progress, Projection, ProjectionError, Runner, Waited};
pub use read::At;
pub use recorded::{Loaded, Recorded};
pub use store::{Store, StoreOptions};
pub use upcast::{Knows, Upcast, Upcasters};
