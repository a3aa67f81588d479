//! When paid goods have to be sent.

use std::collections::BTreeSet;

use time::{Date, OffsetDateTime};

use crate::business_day::{business_day_after, day, starts};

/// Business days after the payment within which goods have to be sent (E-Commerce Act art. 15 (1)).
pub const DISPATCH_BUSINESS_DAYS: u32 = 3;

/// The Seoul day by which goods paid at `paid` have to be sent; none if the calendar ends before.
pub fn dispatch_due(paid: OffsetDateTime, holidays: &BTreeSet<Date>) -> Option<Date> {
    business_day_after(paid, DISPATCH_BUSINESS_DAYS, holidays)
}

/// What was paid before this moment was due before `due`; what was paid from then on is due on that day or later.
pub fn paid_for_due(due: Date, holidays: &BTreeSet<Date>) -> OffsetDateTime {
    let mut first = due;
    while let Some(before) = first.previous_day() {
        match dispatch_due(starts(before), holidays) {
            Some(day) if day >= due => first = before,
            _ => break,
        }
    }
    starts(first)
}

/// Whether goods paid at `paid` are late at `now`: they should have been sent on an earlier day.
pub fn is_dispatch_late(
    paid: OffsetDateTime,
    now: OffsetDateTime,
    holidays: &BTreeSet<Date>,
) -> bool {
    paid < paid_for_due(day(now), holidays)
}

#[cfg(test)]
mod tests {
    use time::Duration;
    use time::macros::{date, datetime};

    use super::*;

    #[test]
    fn goods_leave_within_three_business_days_of_the_payment() {
        let none = BTreeSet::new();
        // Wednesday: Thursday, Friday, Monday
        let paid = datetime!(2026-11-25 23:59 +9);
        assert_eq!(dispatch_due(paid, &none), Some(date!(2026 - 11 - 30)));
        let holidays = BTreeSet::from([date!(2026 - 11 - 27)]);
        assert_eq!(dispatch_due(paid, &holidays), Some(date!(2026 - 12 - 01)));
        assert!(!is_dispatch_late(
            paid,
            datetime!(2026-11-30 23:59 +9),
            &none
        ));
        assert!(is_dispatch_late(
            paid,
            datetime!(2026-12-01 00:00 +9),
            &none
        ));
    }

    #[test]
    fn the_first_payment_of_a_due_day_divides_all_payments() {
        let holidays = BTreeSet::from([date!(2026 - 09 - 24), date!(2026 - 09 - 25)]);
        let begin = datetime!(2026-09-10 00:00 +9);
        for due in 0..40 {
            let due = day(begin + Duration::days(due));
            let first = paid_for_due(due, &holidays);
            for hour in -24 * 20..24 * 40 {
                let paid = begin + Duration::hours(hour);
                let is_before = dispatch_due(paid, &holidays).is_some_and(|day| day < due);
                assert_eq!(paid < first, is_before, "paid {paid}, due {due}");
            }
        }
    }
}
