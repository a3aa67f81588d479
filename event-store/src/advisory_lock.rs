//! Advisory locks: the mapping from resources to lock numbers.
//!
//! All Postgres advisory locks of a database share one space of 64-bit numbers, so the number of a resource is a hash of its
//! identity. A collision of two resources only makes them wait for each other.

use sha2::{Digest, Sha256};

use crate::append::{Append, ReservationChange};
use crate::command_key::CommandKey;
use crate::error::StoreError;
use crate::stream_id::StreamId;

/// Maximum number of locks per append: Postgres keeps locks in shared memory of all connections (`max_locks_per_transaction` times
/// connections, 6,400 by default).
pub const MAX_LOCKS: usize = 1_000;

/// Lock number of the resource `parts` of type `sort`.
pub(crate) fn key(sort: &str, parts: &[&[u8]]) -> i64 {
    let mut hash = Sha256::new();
    hash.update(sort.as_bytes());
    for part in parts {
        hash.update([0]);
        hash.update(part);
    }
    let digest: [u8; 32] = hash.finalize().into();
    let [a, b, c, d, e, f, g, h, ..] = digest;
    i64::from_be_bytes([a, b, c, d, e, f, g, h])
}

pub(crate) fn stream_key(stream: &StreamId) -> i64 {
    key("stream", &[stream.kind.as_bytes(), stream.id.as_bytes()])
}

pub(crate) fn command_key(command: &CommandKey) -> i64 {
    key(
        "command",
        &[command.scope.as_bytes(), command.key.as_bytes()],
    )
}

fn reservation_key(change: &ReservationChange) -> i64 {
    let (ReservationChange::Take {
        scope, key_hash, ..
    }
    | ReservationChange::Release {
        scope, key_hash, ..
    }) = change;
    key("reservation", &[scope.as_bytes(), key_hash])
}

/// The streams to lock for a decision.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LockSet {
    /// Exclusive locks: streams that will be written, and contended streams.
    pub exclusive: Vec<StreamId>,
    /// Shared locks: streams that are only read; concurrent decisions may share them, and no append writes them meanwhile.
    pub shared: Vec<StreamId>,
}

impl LockSet {
    /// Exclusive locks on these streams.
    pub fn exclusive(streams: impl IntoIterator<Item = StreamId>) -> Self {
        Self {
            exclusive: streams.into_iter().collect(),
            shared: Vec::new(),
        }
    }

    /// Adds shared locks on these streams.
    #[must_use]
    pub fn shared(mut self, streams: impl IntoIterator<Item = StreamId>) -> Self {
        self.shared.extend(streams);
        self
    }
}

/// The locks of an append, in acquisition order.
#[derive(Debug, Default)]
pub(crate) struct Locks {
    pub keys: Vec<i64>,
    pub shared: Vec<bool>,
}

impl Locks {
    /// The locks required by an append.
    pub(crate) fn of(append: &Append) -> Result<Self, StoreError> {
        let exclusive = append
            .streams
            .iter()
            .map(|stream| stream_key(&stream.stream))
            .chain(append.reservations.iter().map(reservation_key))
            .chain(append.command.iter().map(command_key));
        let shared = append
            .conditions
            .iter()
            .map(|(stream, _)| stream_key(stream));
        Self::in_order(exclusive, shared)
    }

    /// The locks required before a decision is made.
    pub(crate) fn before(
        command: Option<&CommandKey>,
        locks: &LockSet,
    ) -> Result<Self, StoreError> {
        let exclusive = locks.exclusive.iter().map(stream_key);
        let exclusive = exclusive.chain(command.map(command_key));
        Self::in_order(exclusive, locks.shared.iter().map(stream_key))
    }

    fn in_order(
        exclusive: impl Iterator<Item = i64>,
        shared: impl Iterator<Item = i64>,
    ) -> Result<Self, StoreError> {
        // An exclusive lock sorts before a shared one of the same key and makes it redundant.
        let exclusive = exclusive.map(|key| (key, false));
        let mut all: Vec<(i64, bool)> = exclusive.chain(shared.map(|key| (key, true))).collect();
        all.sort_unstable();
        all.dedup_by_key(|(key, _)| *key);
        if all.len() > MAX_LOCKS {
            return Err(StoreError::TooManyLocks {
                locks: all.len(),
                max: MAX_LOCKS,
            });
        }
        let (keys, shared) = all.into_iter().unzip();
        Ok(Self { keys, shared })
    }
}
