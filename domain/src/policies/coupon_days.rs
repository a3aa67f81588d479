//! Coupons of days: special dates of members, and days of the shop.
//!
//! A member gets the coupons of a definition once for each occasion, which is recorded with them: the year of a special date, or the day
//! of the shop. The day itself is not: it would reveal the birthday of an erased member.
//!
//! Coupons for the month of the birthday are issued on any of its days by the rule as it is then: also to members who name their birthday
//! in the course of it, and by rules made in the course of it. They are valid until the month ends.

use std::borrow::Cow;

use time::{Date, Duration, OffsetDateTime};

use super::instant_coupons::issue_or_pass;
use crate::business_day;
use crate::coupon::{Coupon, DrawError, Issue, IssuedCoupon, SpecialDate, issued_id, next};
use crate::ids::{CouponId, MemberId};
use crate::member::{Member, MemberType, Profile};
use crate::month_day::{MonthDay, PartialDate};
use crate::unit_of_work::UnitOfWork;

/// So many days after a day its coupons are issued still: as long as those of other events.
pub const LATEST_DAYS: i64 = 7;

/// A day on which a coupon is due.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CouponDay {
    /// The Seoul day.
    pub day: Date,
    /// Whose day it is: of members with that special date, or of everybody.
    pub date: Option<SpecialDate>,
}

impl CouponDay {
    /// The days whose coupons may still be issued at `now`, the earliest first.
    pub fn last_days(now: OffsetDateTime) -> Vec<Date> {
        let today = business_day::day(now);
        let days = (0..=LATEST_DAYS).rev();
        days.filter_map(|ago| today.checked_sub(Duration::days(ago)))
            .collect()
    }

    /// The moment as of which the rule is read for a day: now, or the last moment of a day that is over.
    pub fn read_at(day: Date, now: OffsetDateTime) -> OffsetDateTime {
        now.min(Self::end(day) - Duration::MICROSECOND)
    }

    /// When a Seoul day ends (exclusive).
    fn end(day: Date) -> OffsetDateTime {
        let next = day.next_day().unwrap_or(Date::MAX);
        next.midnight().assume_offset(business_day::OFFSET)
    }

    /// The day as the rule of a coupon sees it at `now`; none if it issues nothing on it.
    pub fn of(coupon: &Coupon, day: Date, now: OffsetDateTime) -> Option<Self> {
        let date = coupon.special_date();
        let is_due = match date {
            // One day of the month issues for all of them.
            Some(SpecialDate::BirthdayMonth) => day == business_day::day(now),
            Some(_) => true,
            None => coupon.is_of_shop_day(day),
        };
        let is_issuable = coupon.is_issuable(Self::read_at(day, now));
        let day = Self { day, date };
        let usage = &day.valid(coupon).usage;
        let is_ever_valid = match (usage.starts_at, usage.ends_at) {
            (Some(start), Some(end)) => start < end,
            _ => true,
        };
        (is_due && is_issuable && is_ever_valid).then_some(day)
    }

    /// What is recorded with the coupons: at most one round of a member has it.
    pub fn occasion(&self) -> String {
        match self.date {
            Some(_) => self.day.year().to_string(),
            None => self.day.to_string(),
        }
    }

    /// The days of members that fall on it, as the look-up has them; none for a day of everybody.
    pub fn looked_up(&self) -> Option<Vec<String>> {
        let date = self.date?;
        let days = match date {
            SpecialDate::BirthdayMonth => MonthDay::all_of(self.day.month()),
            _ => MonthDay::falling_on(self.day),
        };
        let days = days.into_iter();
        Some(days.map(|day| looked_up(date, day)).collect())
    }

    /// The coupon as it is issued on this day: one of a month is valid within the month.
    pub fn valid<'a>(&self, coupon: &'a Coupon) -> Cow<'a, Coupon> {
        if self.date != Some(SpecialDate::BirthdayMonth) {
            return Cow::Borrowed(coupon);
        }
        let last = self.day.month().length(self.day.year());
        let last = self.day.replace_day(last).unwrap_or(self.day);
        let end = Self::end(last);
        let mut within = coupon.clone();
        within.usage.ends_at = Some(within.usage.ends_at.map_or(end, |its| its.min(end)));
        Cow::Owned(within)
    }

    /// Members who had the day (who had joined, for a day of everybody) before this moment get the coupons. A day that a member names
    /// later is of next year, and the day of joining has no anniversary yet.
    pub fn known_before(&self) -> OffsetDateTime {
        match self.date {
            Some(SpecialDate::Joining) => self.day.midnight().assume_offset(business_day::OFFSET),
            _ => Self::end(self.day),
        }
    }

    /// Why the coupons are issued, for the history.
    pub fn reason(&self) -> String {
        let title = self.date.map_or("지정일", SpecialDate::title);
        format!("{title} {}", self.occasion())
    }
}

/// The text whose keyed hash the look-up of days stores.
fn looked_up(date: SpecialDate, day: MonthDay) -> String {
    format!("{} {day}", date.stored_as().code())
}

/// The days of a member that the look-up stores, as [`CouponDay::looked_up`] writes them: of a person the birthday, of a company the
/// founding date, and the day of joining. `profile` is missing once it cannot be read.
pub fn days_of(
    profile: Option<&Profile>,
    member_type: MemberType,
    joined_at: OffsetDateTime,
) -> Vec<(SpecialDate, String)> {
    let Some(profile) = profile else {
        return Vec::new();
    };
    let named = |text: &Option<String>| Some(PartialDate::parse(text.as_deref()?)?.day);
    let founded = match member_type {
        MemberType::Company => named(&profile.founded_at),
        MemberType::Person | MemberType::Operator => None,
    };
    let joined = MonthDay::of(business_day::day(joined_at));
    [
        (SpecialDate::Birthday, named(&profile.birthday)),
        (SpecialDate::Founding, founded),
        (SpecialDate::Joining, Some(joined)),
    ]
    .into_iter()
    .filter_map(|(date, day)| Some((date, looked_up(date, day?))))
    .collect()
}

/// Issues the coupons of a day to members who do not have them yet. A campaign that is used up issues nothing.
///
/// # Errors
/// [`DrawError`]: a coupon is there already.
pub fn issue_on_day(
    work: &mut UnitOfWork,
    (id, coupon): (CouponId, &Coupon),
    day: &CouponDay,
    members: &[MemberId],
) -> Result<(), DrawError> {
    let occasion = day.occasion();
    let coupon = &*day.valid(coupon);
    for member in members.iter().copied() {
        let owner = work.state::<Member>(member);
        let next = next(work, id, member, 1);
        let was = |number| {
            let issued = work.state::<IssuedCoupon>(issued_id(id, member, number));
            issued.is_of_occasion(&occasion)
        };
        if (1..=next.number).any(was) || !owner.has_joined() || !coupon.is_meant_for(member, &owner)
        {
            continue;
        }
        let with = Issue {
            occasion: Some(occasion.clone()),
            ..Issue::default()
        };
        issue_or_pass(work, (id, coupon), member, next, with)?;
    }
    Ok(())
}
