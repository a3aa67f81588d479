//! The clock of the shop. Everything that depends on time asks it, so tests and demonstrations can travel.

use std::sync::Mutex;

use time::{Duration, OffsetDateTime};

/// Tells the time.
pub trait Clock: Send + Sync + 'static {
    /// Now, in UTC, whole microseconds (what Postgres keeps).
    fn now(&self) -> OffsetDateTime;
}

/// The time of the machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> OffsetDateTime {
        let now = OffsetDateTime::now_utc();
        now.replace_microsecond(now.microsecond()).unwrap_or(now)
    }
}

/// The time of the machine, moved: it goes on by itself and jumps when told.
#[derive(Debug, Default)]
pub struct MovedClock(Mutex<Duration>);

impl MovedClock {
    /// Jumps.
    pub fn advance(&self, by: Duration) {
        let mut moved = self
            .0
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner());
        *moved += by;
    }
}

impl Clock for MovedClock {
    fn now(&self) -> OffsetDateTime {
        let moved = *self
            .0
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner());
        SystemClock.now() + moved
    }
}
