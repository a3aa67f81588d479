//! Calendar days and business days of the shop: Seoul time, UTC+9 without daylight saving.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use time::format_description::well_known::{Iso8601, Rfc3339};
use time::{Date, Duration, OffsetDateTime, UtcOffset, Weekday, macros::offset};

/// Seoul's UTC offset.
pub const OFFSET: UtcOffset = offset!(+9);

// Format of days on the wire and in the log: `2026-11-29`, whatever features of `time` a build switches on.
time::serde::format_description!(pub(crate) day_text, Date, "[year]-[month]-[day]");

/// A set of days in the log, each as [`day_text`] writes it.
pub(crate) mod day_set {
    use std::collections::BTreeSet;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use time::Date;

    #[derive(Deserialize, Serialize)]
    struct Day(#[serde(with = "super::day_text")] Date);

    pub(crate) fn serialize<S: Serializer>(
        days: &BTreeSet<Date>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(days.iter().copied().map(Day))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<BTreeSet<Date>, D::Error> {
        let days = Vec::<Day>::deserialize(deserializer)?;
        Ok(days.into_iter().map(|Day(day)| day).collect())
    }
}

/// Supported years: every conversion of such a moment to a clock or calendar fits.
const YEARS: RangeInclusive<i32> = 1..=9998;

/// The Seoul day at `moment`.
pub fn day(moment: OffsetDateTime) -> Date {
    moment.to_offset(OFFSET).date()
}

/// The Seoul day that many days after `moment`.
pub fn after(moment: OffsetDateTime, days: u32) -> Date {
    day(moment)
        .checked_add(Duration::days(days.into()))
        .unwrap_or(Date::MAX)
}

/// The moment a Seoul day starts.
pub fn starts(day: Date) -> OffsetDateTime {
    day.midnight().assume_offset(OFFSET)
}

/// The moment a Seoul day ends.
pub fn ends(day: Date) -> OffsetDateTime {
    let next = day.next_day().unwrap_or(Date::MAX);
    next.midnight().assume_offset(OFFSET)
}

/// The day a text names as `2026-11-29`, up to the year 2999 (spec V151).
pub fn parse(text: &str) -> Option<Date> {
    let day = Date::parse(text, &Iso8601::DATE).ok()?;
    (1..=2999).contains(&day.year()).then_some(day)
}

/// Whether `day` is a business day: Monday to Friday, unless it is one of the `holidays`.
pub fn is_business_day(day: Date, holidays: &BTreeSet<Date>) -> bool {
    !matches!(day.weekday(), Weekday::Saturday | Weekday::Sunday) && !holidays.contains(&day)
}

/// The `count`-th business day after `moment`. The Seoul day of `moment` does not count (Civil Act art. 157), be it a business day
/// or not; for a `count` of zero it is the answer. None if the calendar ends before.
pub fn business_day_after(
    moment: OffsetDateTime,
    count: u32,
    holidays: &BTreeSet<Date>,
) -> Option<Date> {
    let mut reached = day(moment);
    for _ in 0..count {
        reached = reached.next_day()?;
        while !is_business_day(reached, holidays) {
            reached = reached.next_day()?;
        }
    }
    Some(reached)
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

    /// Holidays around Chuseok 2026 and Seollal 2027. Chuseok's Saturday has no substitute; Seollal's Sunday has the Tuesday; the
    /// Saturdays of Liberation Day and Foundation Day have Mondays.
    fn holidays() -> BTreeSet<Date> {
        BTreeSet::from([
            date!(2026 - 08 - 15),
            date!(2026 - 08 - 17),
            date!(2026 - 09 - 24),
            date!(2026 - 09 - 25),
            date!(2026 - 09 - 26),
            date!(2026 - 10 - 03),
            date!(2026 - 10 - 05),
            date!(2026 - 10 - 09),
            date!(2026 - 12 - 25),
            date!(2027 - 01 - 01),
            date!(2027 - 02 - 06),
            date!(2027 - 02 - 07),
            date!(2027 - 02 - 08),
            date!(2027 - 02 - 09),
        ])
    }

    #[test]
    fn weekends_and_holidays_are_no_business_days() {
        for (day, open) in [
            (date!(2026 - 09 - 23), true),
            (date!(2026 - 09 - 24), false),
            (date!(2026 - 09 - 25), false),
            // Saturday and holiday, Sunday, Monday
            (date!(2026 - 09 - 26), false),
            (date!(2026 - 09 - 27), false),
            (date!(2026 - 09 - 28), true),
            // a substitute holiday, and the next day
            (date!(2026 - 10 - 05), false),
            (date!(2026 - 10 - 06), true),
            // an ordinary Saturday and Friday
            (date!(2026 - 11 - 28), false),
            (date!(2026 - 11 - 27), true),
        ] {
            assert_eq!(is_business_day(day, &holidays()), open, "{day}");
        }
        assert!(is_business_day(date!(2026 - 10 - 05), &BTreeSet::new()));
    }

    #[test]
    fn business_days_are_counted_from_the_day_after_over_weekends_and_holidays() {
        for (moment, count, due) in [
            // no holiday: Monday to Thursday, Wednesday over the weekend to Monday
            (datetime!(2026-11-23 14:00 +9), 3, date!(2026 - 11 - 26)),
            (datetime!(2026-11-25 14:00 +9), 3, date!(2026 - 11 - 30)),
            // Chuseok: Tuesday 22 -> Wed 23, Mon 28, Tue 29
            (datetime!(2026-09-22 10:00 +9), 3, date!(2026 - 09 - 29)),
            (datetime!(2026-09-23 10:00 +9), 1, date!(2026 - 09 - 28)),
            // from within it
            (datetime!(2026-09-26 10:00 +9), 3, date!(2026 - 09 - 30)),
            // Liberation Day on a Saturday and its substitute
            (datetime!(2026-08-14 23:59 +9), 1, date!(2026 - 08 - 18)),
            // Foundation Day's substitute and Hangul Day: Fri 2 -> Tue 6, Wed 7, Thu 8, Mon 12
            (datetime!(2026-10-02 09:00 +9), 4, date!(2026 - 10 - 12)),
            // over the turn of the year
            (datetime!(2026-12-31 09:00 +9), 1, date!(2027 - 01 - 04)),
            // Seollal on a Sunday: Fri 5 -> Wed 10, Thu 11, Fri 12
            (datetime!(2027-02-05 09:00 +9), 3, date!(2027 - 02 - 12)),
            // it is Thursday in Seoul while it is Wednesday in London
            (datetime!(2026-11-25 15:00 UTC), 1, date!(2026 - 11 - 27)),
            (datetime!(2026-11-25 14:59 UTC), 1, date!(2026 - 11 - 26)),
            // none to count
            (datetime!(2026-09-26 10:00 +9), 0, date!(2026 - 09 - 26)),
        ] {
            assert_eq!(
                business_day_after(moment, count, &holidays()),
                Some(due),
                "{count} after {moment}"
            );
        }
    }

    #[test]
    fn business_days_end_with_the_calendar() {
        let last = datetime!(9999-12-31 12:00 +9);
        assert_eq!(business_day_after(last, 1, &BTreeSet::new()), None);
    }

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
