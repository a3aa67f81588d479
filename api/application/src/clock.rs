//! The clock of the shop. Everything that depends on time uses it, so tests and demonstrations can set the time.

use std::sync::Mutex;

use time::{Duration, OffsetDateTime};

/// A source of the current time.
pub trait Clock: Send + Sync + 'static {
    /// The current time in UTC, in whole microseconds (the precision of Postgres).
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

/// The system time with an offset: it keeps running, and can be advanced.
#[derive(Debug, Default)]
pub struct MovedClock(Mutex<Duration>);

impl MovedClock {
    /// Advances the clock.
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

/// A clock that stands still at a set time: seeding simulates weeks of the shop in seconds.
#[derive(Debug)]
pub struct PutClock(Mutex<OffsetDateTime>);

impl PutClock {
    /// A clock set to this time.
    pub fn at(moment: OffsetDateTime) -> Self {
        Self(Mutex::new(moment))
    }

    /// Sets the time.
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
