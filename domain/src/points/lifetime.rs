//! The expiry of points, and when it is announced to the member.

use time::{Date, Duration, OffsetDateTime};

use crate::business_day;

/// Days between the announcement and the last day.
pub const NOTICE_DAYS: i64 = 7;

/// The last Seoul day on which points can be used.
pub fn last_day(expires_at: OffsetDateTime) -> Date {
    business_day::day(expires_at.saturating_sub(Duration::MICROSECOND))
}

/// When the expiry is announced; the same for all points with the same last day.
pub fn notice_at(expires_at: OffsetDateTime) -> OffsetDateTime {
    notice_of(last_day(expires_at))
}

/// When the expiry of points with this last day is announced: [`NOTICE_DAYS`] before it, at the start of the day.
pub fn notice_of(last_day: Date) -> OffsetDateTime {
    business_day::ends(last_day.saturating_sub(Duration::days(NOTICE_DAYS + 1)))
}
