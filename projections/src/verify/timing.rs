//! How fast a verification was, part by part.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use serde::Serialize;

/// How long a part was at work, and on how much. Parts run side by side, so together they take less.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Timing {
    /// Events it heard.
    pub events: u64,
    /// Rows it compared.
    pub rows: u64,
    /// How long it was at work.
    pub took: Duration,
}

impl Timing {
    /// Events a second.
    pub fn rate(&self) -> u64 {
        per_second(self.events, self.took)
    }
}

/// How many a second that is.
pub fn per_second(many: u64, took: Duration) -> u64 {
    let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX).max(1);
    many.saturating_mul(1_000_000) / micros
}

/// The pace of each part: the chain, reading, the streams, the books, reservations, and each read model by its name.
pub type Paces = BTreeMap<&'static str, Timing>;

/// The part that is the chain over the log.
pub const CHAIN: &str = "chain";
/// The part that counts the events of every stream.
pub(super) const STREAMS: &str = "streams";
/// The part that is the books and all else that must be conserved.
pub(super) const BOOKS: &str = "books";

/// Work at a part of it.
pub(super) struct Work(Instant);

impl Work {
    pub fn begin() -> Self {
        Self(Instant::now())
    }

    /// It was for this part, and this much.
    pub fn done(self, paces: &mut Paces, part: &'static str, (events, rows): (u64, u64)) {
        let pace = paces.entry(part).or_default();
        pace.events = pace.events.saturating_add(events);
        pace.rows = pace.rows.saturating_add(rows);
        pace.took = pace.took.saturating_add(self.0.elapsed());
    }
}

/// Both together.
pub(super) fn add(paces: &mut Paces, others: Paces) {
    for (part, other) in others {
        let pace = paces.entry(part).or_default();
        pace.events = pace.events.saturating_add(other.events);
        pace.rows = pace.rows.saturating_add(other.rows);
        pace.took = pace.took.saturating_add(other.took);
    }
}
