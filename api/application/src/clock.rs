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

/// A clock that stands where it is put: seeding tells weeks of a shop's life in seconds.
#[derive(Debug)]
pub struct PutClock(Mutex<OffsetDateTime>);

impl PutClock {
    /// Standing at a moment.
    pub fn at(moment: OffsetDateTime) -> Self {
        Self(Mutex::new(moment))
    }

    /// Puts it somewhere else.
    pub fn put(&self, moment: OffsetDateTime) {
        let mut stands = self
            .0
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner());
        *stands = moment
            .replace_microsecond(moment.microsecond())
            .unwrap_or(moment);
    }
}

impl Clock for PutClock {
    fn now(&self) -> OffsetDateTime {
        *self
            .0
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}
