//! When a refund is due.

use std::collections::BTreeSet;

use time::{Date, OffsetDateTime};

use crate::business_day::{business_day_after, day};

/// Business days within which a refund has to be made: after the goods are back, or after the request if none were sent (E-Commerce Act
/// art. 18 (2)).
pub const REFUND_BUSINESS_DAYS: u32 = 3;

/// The Seoul day by which money owed since `since` has to be refunded; none if the calendar ends before.
pub fn refund_due(since: OffsetDateTime, holidays: &BTreeSet<Date>) -> Option<Date> {
    business_day_after(since, REFUND_BUSINESS_DAYS, holidays)
}

/// Whether a refund due on `due` is late: the day is over at `at`, the time of the refund, or now if it was not made.
pub fn is_refund_late(due: Option<Date>, at: OffsetDateTime) -> bool {
    due.is_some_and(|due| day(at) > due)
}

#[cfg(test)]
mod tests {
    use time::macros::{date, datetime};

    use super::*;

    #[test]
    fn money_goes_back_within_three_business_days() {
        let none = BTreeSet::new();
        // Wednesday: Thursday, Friday, Monday
        let back = datetime!(2026-11-25 23:59 +9);
        let due = refund_due(back, &none);
        assert_eq!(due, Some(date!(2026 - 11 - 30)));
        let holidays = BTreeSet::from([date!(2026 - 11 - 27)]);
        assert_eq!(refund_due(back, &holidays), Some(date!(2026 - 12 - 01)));
        for (at, late) in [
            (datetime!(2026-11-30 23:59:59 +9), false),
            (datetime!(2026-12-01 00:00 +9), true),
            // the next day in Seoul already
            (datetime!(2026-11-30 15:00 UTC), true),
        ] {
            assert_eq!(is_refund_late(due, at), late, "{at}");
        }
        assert!(!is_refund_late(None, back));
    }
}
