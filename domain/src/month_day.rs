//! Days of every year, as people name theirs: a birthday, the day a company was founded.

use std::fmt;

use time::{Date, Month};

/// A day of every year, as `MM-DD`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MonthDay {
    month: Month,
    day: u8,
}

/// A year that has 29 February.
const LEAP_YEAR: i32 = 2000;

impl MonthDay {
    /// The day of a date.
    pub const fn of(date: Date) -> Self {
        Self {
            month: date.month(),
            day: date.day(),
        }
    }

    /// Its month, from 1.
    pub fn month(self) -> u8 {
        self.month.into()
    }

    /// Its day of the month, from 1.
    pub const fn day(self) -> u8 {
        self.day
    }

    /// Every day of a month, 29 February included.
    pub fn all_of(month: Month) -> Vec<Self> {
        let days = 1..=month.length(LEAP_YEAR);
        days.map(|day| Self { month, day }).collect()
    }

    /// Reads `MM-DD`; none for a day that no year has.
    pub fn parse(text: &str) -> Option<Self> {
        parse_date(&format!("{LEAP_YEAR}-{text}")).map(Self::of)
    }

    /// Whether a coupon for this day is issued on `date`: 29 February counts as 28 February in years without one.
    pub fn falls_on(self, date: Date) -> bool {
        Self::falling_on(date).contains(&self)
    }

    /// The days for which coupons are issued on `date`.
    pub fn falling_on(date: Date) -> Vec<Self> {
        let own = Self::of(date);
        let leap = Self {
            month: Month::February,
            day: 29,
        };
        let has_no_leap_day = time::util::days_in_year(date.year()) == 365;
        match (own.month, own.day) {
            (Month::February, 28) if has_no_leap_day => vec![own, leap],
            _ => vec![own],
        }
    }
}

impl fmt::Display for MonthDay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:02}-{:02}", u8::from(self.month), self.day)
    }
}

/// A date `YYYY-MM-DD` in four, two and two digits.
pub fn parse_date(text: &str) -> Option<Date> {
    let digits = |part: &str, count| {
        let is_number = part.len() == count && part.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| part.parse::<i32>().ok()).flatten()
    };
    let mut parts = text.split('-');
    let year = digits(parts.next()?, 4)?;
    let month = u8::try_from(digits(parts.next()?, 2)?).ok()?;
    let day = u8::try_from(digits(parts.next()?, 2)?).ok()?;
    if parts.next().is_some() {
        return None;
    }
    Date::from_calendar_date(year, Month::try_from(month).ok()?, day).ok()
}

/// A day a member names: the birthday or the founding date. `YYYY-MM-DD`, or `MM-DD` without the year.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartialDate {
    /// The year, if it was said.
    pub year: Option<i32>,
    /// The day of every year.
    pub day: MonthDay,
}

impl PartialDate {
    /// Reads it; none for a day that was never there.
    pub fn parse(text: &str) -> Option<Self> {
        let whole = parse_date(text).map(|date| Self {
            year: Some(date.year()),
            day: MonthDay::of(date),
        });
        whole.or_else(|| {
            let day = MonthDay::parse(text)?;
            Some(Self { year: None, day })
        })
    }

    /// Whether `text` is a day up to `today`, in 1850 or later where the year is said.
    pub fn is_past(text: &str, today: Date) -> bool {
        match (Self::parse(text), parse_date(text)) {
            (_, Some(date)) => date <= today && date.year() >= 1850,
            (Some(_), None) => true,
            (None, None) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use time::macros::date;

    use super::*;

    #[test]
    fn only_days_that_some_year_has_are_read() {
        for text in ["02-29", "12-31", "1990-12-31", "2024-02-29"] {
            assert!(PartialDate::parse(text).is_some(), "{text}");
        }
        for text in [
            "",
            "02-30",
            "13-01",
            "00-10",
            "2-29",
            "2026-02-29",
            "2026-2-9",
            "+026-02-09",
            "20260209",
            "2026-02-09-01",
        ] {
            assert!(PartialDate::parse(text).is_none(), "{text}");
        }
        let today = date!(2026 - 11 - 26);
        assert!(PartialDate::is_past("2026-11-26", today));
        assert!(!PartialDate::is_past("2026-11-27", today));
        assert!(!PartialDate::is_past("1849-12-31", today));
        assert!(PartialDate::is_past("11-27", today));
    }

    #[test]
    fn the_leap_day_counts_as_the_day_before_in_years_without_one() {
        let leap = MonthDay::parse("02-29").unwrap_or_else(|| unreachable!());
        for (date, falls) in [
            (date!(2026 - 02 - 28), true),
            (date!(2026 - 03 - 01), false),
            (date!(2028 - 02 - 28), false),
            (date!(2028 - 02 - 29), true),
            (date!(2100 - 02 - 28), true),
        ] {
            assert_eq!(leap.falls_on(date), falls, "{date}");
        }
        let before = MonthDay::of(date!(2026 - 02 - 28));
        assert!(before.falls_on(date!(2028 - 02 - 28)));
        assert!(!before.falls_on(date!(2028 - 02 - 29)));
    }
}
