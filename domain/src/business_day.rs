//! Calendar days of the shop: Seoul time, UTC+9 without daylight saving.

use std::ops::RangeInclusive;

use time::format_description::well_known::{Iso8601, Rfc3339};
use time::{Date, Duration, OffsetDateTime, UtcOffset, macros::offset};

/// Seoul's UTC offset.
pub const OFFSET: UtcOffset = offset!(+9);

// Format of days on the wire and in the log: `2026-11-29`, whatever features of `time` a build switches on.
time::serde::format_description!(pub(crate) day_text, Date, "[year]-[month]-[day]");

/// Supported years: every conversion of such a moment to a clock or calendar fits.
const YEARS: RangeInclusive<i32> = 1..=9998;

/// The Seoul day at `moment`.
pub fn day(moment: OffsetDateTime) -> Date {
    moment.to_offset(OFFSET).date()
}

/// Inclusive start of a period given as a moment (RFC 3339) or a day; none if it is neither.
pub fn begin(text: &str) -> Option<OffsetDateTime> {
    moment(text, Duration::ZERO)
}

/// Exclusive end of a period given as a moment, or as its last day (inclusive).
pub fn end(text: &str) -> Option<OffsetDateTime> {
    moment(text, Duration::DAY)
}

fn moment(text: &str, of_a_day: Duration) -> Option<OffsetDateTime> {
    // An unescaped plus sign arrives as a space in a query.
    let text = text.trim().replace(' ', "+");
    let at = match OffsetDateTime::parse(&text, &Rfc3339) {
        Ok(at) => at,
        Err(_) => Date::parse(&text, &Iso8601::DATE)
            .ok()?
            .midnight()
            .assume_offset(OFFSET)
            .checked_add(of_a_day)?,
    };
    YEARS.contains(&at.year()).then_some(at)
}

#[cfg(test)]
mod tests {
    use time::macros::{date, datetime};

    use super::*;

    #[test]
    fn a_period_is_said_in_moments_or_in_days() {
        assert_eq!(begin(" 2026-11-21 "), Some(datetime!(2026-11-21 00:00 +9)));
        assert_eq!(end("2026-11-21"), Some(datetime!(2026-11-22 00:00 +9)));
        let moment = Some(datetime!(2026-11-21 09:30 +9));
        assert_eq!(begin("2026-11-21T00:30:00Z"), moment);
        assert_eq!(end("2026-11-21T09:30:00 09:00"), moment);
    }

    #[test]
    fn what_no_calendar_has_room_for_is_no_moment() {
        for text in [
            "",
            "yesterday",
            "2026-02-30",
            "0000-01-01",
            "9999-12-31",
            "9999-12-31T23:59:59Z",
            "+99999-01-01",
        ] {
            assert_eq!((begin(text), end(text)), (None, None), "{text}");
        }
        assert_eq!(end("9998-12-30").map(day), Some(date!(9998 - 12 - 31)));
    }
}
