//! Days on which a rule issues coupons: special dates of a member, and days of the shop.
//!
//! A coupon of a special date is issued once a year, one of a day of the shop once for that day, however often it is tried: what it is
//! issued for is recorded with it ([`IssuedCoupon::is_of_occasion`](super::IssuedCoupon::is_of_occasion)).

use std::fmt;

use time::{Date, Month};

use super::{Coupon, IssueEventType, IssueType};

/// A special date of a member (spec: special date). Its code is what the rule of a coupon names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SpecialDate {
    /// The member was born.
    Birthday,
    /// The member's company was founded.
    Founding,
    /// The member joined.
    Joining,
}

impl SpecialDate {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Birthday, Self::Founding, Self::Joining];

    /// Its code, stored in rules and in the look-up of days.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Birthday => "BIRTHDAY",
            Self::Founding => "FOUNDING_DATE",
            Self::Joining => "JOIN_DATE",
        }
    }

    /// The date with this code.
    pub fn of_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|date| date.code() == code)
    }

    /// Its Korean name.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Birthday => "생일",
            Self::Founding => "설립일",
            Self::Joining => "가입 기념일",
        }
    }
}

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

    /// Reads `MM-DD`; none for a day that no year has.
    pub fn parse(text: &str) -> Option<Self> {
        date(&format!("{LEAP_YEAR}-{text}")).map(Self::of)
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
fn date(text: &str) -> Option<Date> {
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
pub struct NamedDay {
    /// The year, if it was said.
    pub year: Option<i32>,
    /// The day of every year.
    pub day: MonthDay,
}

impl NamedDay {
    /// Reads it; none for a day that was never there.
    pub fn parse(text: &str) -> Option<Self> {
        let whole = date(text).map(|date| Self {
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
        match (Self::parse(text), date(text)) {
            (_, Some(date)) => date <= today && date.year() >= 1850,
            (Some(_), None) => true,
            (None, None) => false,
        }
    }
}

/// A day of the shop: of every year, or of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ShopDay {
    /// Of every year.
    Yearly(MonthDay),
    /// Of one year.
    Once(Date),
}

impl ShopDay {
    /// Whether coupons for it are issued on `date`.
    pub fn falls_on(self, date: Date) -> bool {
        match self {
            Self::Yearly(day) => day.falls_on(date),
            Self::Once(day) => day == date,
        }
    }
}

impl fmt::Display for ShopDay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, MonthDay { month, day }) = match self {
            Self::Yearly(day) => (None, *day),
            Self::Once(date) => (Some(date.year()), MonthDay::of(*date)),
        };
        if let Some(year) = year {
            write!(f, "{year}년 ")?;
        }
        write!(f, "{}월 {day}일", u8::from(month))
    }
}

/// The days that the code of a rule names, `MM-DD` or `YYYY-MM-DD` with commas between; none if one of them is no day.
pub fn shop_days(code: &str) -> Option<Vec<ShopDay>> {
    let day = |text: &str| {
        let named = NamedDay::parse(text.trim())?;
        Some(match named.year {
            None => ShopDay::Yearly(named.day),
            Some(_) => ShopDay::Once(date(text.trim())?),
        })
    };
    code.split(',').map(day).collect()
}

impl Coupon {
    /// The special date on which it is issued, if it is issued on one.
    pub fn special_date(&self) -> Option<SpecialDate> {
        SpecialDate::of_code(self.code_of(IssueEventType::SpecialDate)?)
    }

    /// Whether it is issued on `date` because that is a day of the shop.
    pub fn is_of_shop_day(&self, date: Date) -> bool {
        let days = self
            .code_of(IssueEventType::ShopSpecificDay)
            .and_then(shop_days);
        days.is_some_and(|days| days.iter().any(|day| day.falls_on(date)))
    }

    /// The code of its event, if it is issued by events of that kind.
    fn code_of(&self, kind: IssueEventType) -> Option<&str> {
        let event = self.issue.event.as_ref()?;
        let is_of = self.issue.kind == IssueType::Instant && event.kind == kind;
        event.code.as_deref().filter(|_| is_of)
    }
}
