//! When a table of due work is worth a query: an idle shop asks its database nothing it knows the answer of.

use std::time::Duration;

use event_store::{Progress, Store};
use time::OffsetDateTime;
use tokio::sync::watch;
use tokio::time::Instant;

/// How long work that another process wrote may stay unseen.
const AT_THE_LATEST: Duration = Duration::from_secs(5);

/// Decides it for the read models that hold the work.
pub struct DueTimer {
    models: &'static [&'static str],
    progress: watch::Receiver<Progress>,
    seen: Vec<Option<i64>>,
    next: Option<OffsetDateTime>,
    looked: Option<Instant>,
    busy: bool,
}

impl DueTimer {
    /// For work in these read models.
    pub fn new(store: &Store, models: &'static [&'static str]) -> Self {
        Self {
            models,
            progress: store.progress(),
            seen: Vec::new(),
            next: None,
            looked: None,
            busy: false,
        }
    }

    /// Whether to look at `now`, by the shop's clock: after an error, while there was something to do, when a read model has moved or the
    /// next work is due, and now and then for what other processes wrote. To be followed by [`DueTimer::saw`], unless looking failed.
    pub fn is_time(&mut self, now: OffsetDateTime) -> bool {
        let progress = self.progress.borrow();
        let positions = self
            .models
            .iter()
            .map(|model| progress.get(*model).copied());
        let positions: Vec<Option<i64>> = positions.collect();
        drop(progress);
        let late = |looked: Instant| looked.elapsed() >= AT_THE_LATEST;
        let is_time = self.busy
            || positions != self.seen
            || self.next.is_some_and(|next| next <= now)
            || self.looked.is_none_or(late);
        if is_time {
            self.seen = positions;
            self.looked = Some(Instant::now());
            self.busy = true;
        }
        is_time
    }

    /// What was seen: whether there is work now, and when the next is due.
    pub fn saw(&mut self, busy: bool, next: Option<OffsetDateTime>) {
        (self.busy, self.next) = (busy, next);
    }
}
