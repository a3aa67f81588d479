//! Until when points can be used, and when their member is told that this is over soon.

use time::{Date, Duration, OffsetDateTime};

use crate::business_day;

/// Days before its last day from which on a member is told of points that expire.
pub const NOTICE_DAYS: i64 = 7;

/// The last Seoul day on which points can be used.
pub fn last_day(expires_at: OffsetDateTime) -> Date {
    business_day::day(expires_at.saturating_sub(Duration::MICROSECOND))
}

/// When the member is told of points that expire; the same for all points with the same last day.
pub fn notice_at(expires_at: OffsetDateTime) -> OffsetDateTime {
    notice_of(last_day(expires_at))
}

/// When the member is told of points with this last day: [`NOTICE_DAYS`] before it, as soon as the day begins.
pub fn notice_of(last_day: Date) -> OffsetDateTime {
    business_day::ends(last_day.saturating_sub(Duration::days(NOTICE_DAYS + 1)))
}
