//! Days on which a rule issues coupons: special dates of a member, the month of the birthday, and days of the shop.
//!
//! A coupon of a special date is issued once a year, one of a day of the shop once for that day, however often it is tried: what it is
//! issued for is recorded with it ([`IssuedCoupon::is_of_occasion`](super::IssuedCoupon::is_of_occasion)).

use std::fmt;

use time::Date;

use super::{Coupon, IssueEventType, IssueType};
use crate::month_day::{MonthDay, PartialDate, parse_date};

/// A special date of a member (spec: special date). Its code is what the rule of a coupon names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SpecialDate {
    /// The member was born.
    Birthday,
    /// The month in which the member was born: any of its days, and the coupon is valid until its end.
    BirthdayMonth,
    /// The member's company was founded.
    Founding,
    /// The member joined.
    Joining,
}

impl SpecialDate {
    /// All of them.
    pub const ALL: [Self; 4] = [
        Self::Birthday,
        Self::BirthdayMonth,
        Self::Founding,
        Self::Joining,
    ];

    /// Its code, stored in rules.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Birthday => "BIRTHDAY",
            Self::BirthdayMonth => "BIRTHDAY_MONTH",
            Self::Founding => "FOUNDING_DATE",
            Self::Joining => "JOIN_DATE",
        }
    }

    /// The date under which the look-up of days stores it: a month is found by its days.
    pub const fn stored_as(self) -> Self {
        match self {
            Self::Birthday | Self::BirthdayMonth => Self::Birthday,
            Self::Founding => Self::Founding,
            Self::Joining => Self::Joining,
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
            Self::BirthdayMonth => "생일 달",
            Self::Founding => "설립일",
            Self::Joining => "가입 기념일",
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
        let day = match self {
            Self::Yearly(day) => *day,
            Self::Once(date) => {
                write!(f, "{}년 ", date.year())?;
                MonthDay::of(*date)
            }
        };
        write!(f, "{}월 {}일", day.month(), day.day())
    }
}

/// The days that the code of a rule names, `MM-DD` or `YYYY-MM-DD` with commas between; none if one of them is no day.
pub fn shop_days(code: &str) -> Option<Vec<ShopDay>> {
    let day = |text: &str| {
        let named = PartialDate::parse(text.trim())?;
        Some(match named.year {
            None => ShopDay::Yearly(named.day),
            Some(_) => ShopDay::Once(parse_date(text.trim())?),
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

    /// Whether days issue it, and it is switched on.
    pub fn is_issued_on_days(&self) -> bool {
        let code = self.code_of(IssueEventType::ShopSpecificDay);
        let has_days = self.special_date().is_some() || code.is_some();
        has_days && self.issue.is_active && self.usage.is_active
    }

    /// The code of its event, if it is issued by events of that kind.
    fn code_of(&self, kind: IssueEventType) -> Option<&str> {
        let event = self.issue.event.as_ref()?;
        let is_of = self.issue.kind == IssueType::Instant && event.kind == kind;
        event.code.as_deref().filter(|_| is_of)
    }
}
