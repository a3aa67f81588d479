//! Coupons for the month of the birthday: to whom, when, and how long they are valid.

use domain::business_day::OFFSET;
use domain::coupon::{
    Coupon, IssueEvent, IssueEventType, IssueType, Round, RoundType, SpecialDate,
};
use domain::policies::coupon_days::CouponDay;
use time::macros::date;
use time::{Date, Duration, OffsetDateTime};

use super::issuing::coupon;

fn of_month() -> Coupon {
    let round = Round {
        kind: RoundType::Infinite,
        ..Round::default()
    };
    let mut rule = coupon(IssueType::Instant, round);
    rule.issue.event = Some(IssueEvent {
        kind: IssueEventType::SpecialDate,
        code: Some("BIRTHDAY_MONTH".to_owned()),
    });
    rule
}

fn midnight(day: Date) -> OffsetDateTime {
    day.midnight().assume_offset(OFFSET)
}

/// The day as the rule sees it in its course.
fn on(rule: &Coupon, day: Date) -> CouponDay {
    CouponDay::of(rule, day, midnight(day) + Duration::hours(9)).unwrap()
}

#[test]
fn those_born_on_any_day_of_the_month_are_looked_up_and_nobody_else() {
    let rule = of_month();
    let looked_up = |day| on(&rule, day).looked_up().unwrap();
    let november = looked_up(date!(2026 - 11 - 27));
    assert_eq!(november.len(), 30);
    assert_eq!(november.first().unwrap(), "BIRTHDAY 11-01");
    assert_eq!(november.last().unwrap(), "BIRTHDAY 11-30");
    assert_eq!(looked_up(date!(2026 - 12 - 01)).len(), 31);
    // also in a year without that day
    let february = looked_up(date!(2026 - 02 - 01));
    assert_eq!(february.last().unwrap(), "BIRTHDAY 02-29");
    assert_eq!(
        SpecialDate::BirthdayMonth.stored_as(),
        SpecialDate::Birthday
    );
    assert_eq!(on(&rule, date!(2026 - 11 - 27)).occasion(), "2026");
    assert_eq!(on(&rule, date!(2026 - 11 - 27)).reason(), "생일 달 2026");
}

#[test]
fn it_is_valid_until_the_month_ends_in_seoul_and_not_beyond_the_rule() {
    let ends = |rule: &Coupon, day| on(rule, day).valid(rule).usage.ends_at;
    let mut rule = of_month();
    for (day, first_after) in [
        (date!(2026 - 11 - 01), date!(2026 - 12 - 01)),
        (date!(2026 - 11 - 30), date!(2026 - 12 - 01)),
        (date!(2026 - 12 - 31), date!(2027 - 01 - 01)),
        (date!(2028 - 02 - 03), date!(2028 - 03 - 01)),
    ] {
        assert_eq!(ends(&rule, day), Some(midnight(first_after)), "{day}");
    }
    let earlier = midnight(date!(2026 - 11 - 20));
    rule.usage.ends_at = Some(earlier);
    assert_eq!(ends(&rule, date!(2026 - 11 - 10)), Some(earlier));
    rule.usage.ends_at = Some(midnight(date!(2027 - 06 - 01)));
    let december = Some(midnight(date!(2026 - 12 - 01)));
    assert_eq!(ends(&rule, date!(2026 - 11 - 10)), december);
    // a birthday has no such end
    rule.issue.event.as_mut().unwrap().code = Some("BIRTHDAY".to_owned());
    assert_eq!(ends(&rule, date!(2026 - 11 - 10)), rule.usage.ends_at);
}

#[test]
fn only_today_issues_and_nothing_that_could_not_be_used_in_the_month() {
    let mut rule = of_month();
    let now = midnight(date!(2026 - 12 - 02)) + Duration::hours(9);
    let days = CouponDay::last_days(now).into_iter();
    let issuing: Vec<Date> = days
        .filter(|day| CouponDay::of(&rule, *day, now).is_some())
        .collect();
    assert_eq!(issuing, [date!(2026 - 12 - 02)], "November is over");
    rule.usage.starts_at = Some(midnight(date!(2027 - 01 - 01)));
    assert_eq!(CouponDay::of(&rule, date!(2026 - 12 - 02), now), None);
    rule.usage.starts_at = Some(midnight(date!(2026 - 12 - 31)));
    assert!(CouponDay::of(&rule, date!(2026 - 12 - 02), now).is_some());
}
