//! Duration of each part of a verification.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use serde::Serialize;

/// Duration and workload of a part. Parts run in parallel, so the total time is shorter than their sum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Timing {
    /// Events processed.
    pub events: u64,
    /// Rows compared.
    pub rows: u64,
    /// Time spent.
    pub took: Duration,
}

impl Timing {
    /// Events per second.
    pub fn rate(&self) -> u64 {
        per_second(self.events, self.took)
    }
}

/// Converts a count and a duration to a rate per second.
pub fn per_second(many: u64, took: Duration) -> u64 {
    let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX).max(1);
    many.saturating_mul(1_000_000) / micros
}

/// The timing of each part: the chain, reading, the streams, the books, reservations, and each read model by its name.
pub type Paces = BTreeMap<&'static str, Timing>;

/// Part: the hash chain.
pub const CHAIN: &str = "chain";
/// Part: the event numbers of every stream.
pub(super) const STREAMS: &str = "streams";
/// Part: the books and the other conservation rules.
pub(super) const BOOKS: &str = "books";

/// Measures work on a part.
pub(super) struct Work(Instant);

impl Work {
    pub fn begin() -> Self {
        Self(Instant::now())
    }

    /// Adds it to this part, with the amount of work.
    pub fn done(self, paces: &mut Paces, part: &'static str, (events, rows): (u64, u64)) {
        let pace = paces.entry(part).or_default();
        pace.events = pace.events.saturating_add(events);
        pace.rows = pace.rows.saturating_add(rows);
        pace.took = pace.took.saturating_add(self.0.elapsed());
    }
}

/// Sums both.
pub(super) fn add(paces: &mut Paces, others: Paces) {
    for (part, other) in others {
        let pace = paces.entry(part).or_default();
        pace.events = pace.events.saturating_add(other.events);
        pace.rows = pace.rows.saturating_add(other.rows);
        pace.took = pace.took.saturating_add(other.took);
    }
}
