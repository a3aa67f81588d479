//! Points: nearest expiry first, then the older lot; restored to the same lots; expired lots stay expired.

use domain::Amount;
use domain::order::LotPart;
use domain::points::{
    Points, PointsCommand, PointsError, PointsEvent, PointsLiability, PointsLimit,
};
use domain::rounding::RoundingStep;
use domain::site::PointsRules;
use time::Duration;
use time::macros::{date, datetime};

use super::given::{Given, NOON, given, id};

fn points(events: impl IntoIterator<Item = PointsEvent>) -> Given<Points> {
    given(events)
}

/// A lot of `amount` that expires after `days`.
fn granted(lot: u128, amount: i64, days: i64) -> PointsEvent {
    PointsEvent::PointsGranted {
        member: id(8),
        lot: id(lot),
        amount: Amount::new(amount),
        reason: "구매 적립".to_owned(),
        order: None,
        grant: None,
        expires_at: NOON + Duration::days(days),
    }
}

fn parts<const N: usize>(of: [(u128, i64); N]) -> Vec<LotPart> {
    of.into_iter()
        .map(|(lot, amount)| LotPart {
            lot: id(lot),
            amount: Amount::new(amount),
        })
        .collect()
}

fn spent<const N: usize>(order: u128, of: [(u128, i64); N]) -> PointsEvent {
    PointsEvent::PointsSpent {
        order: id(order),
        parts: parts(of),
    }
}

fn spend(order: u128, amount: i64) -> PointsCommand {
    PointsCommand::Spend {
        order: id(order),
        amount: Amount::new(amount),
    }
}

fn restore<const N: usize>(order: u128, of: [(u128, i64); N]) -> PointsCommand {
    PointsCommand::Restore {
        order: id(order),
        parts: parts(of),
    }
}

fn restored<const N: usize, const M: usize>(
    order: u128,
    back: [(u128, i64); N],
    lost: [(u128, i64); M],
) -> PointsEvent {
    PointsEvent::PointsRestored {
        order: id(order),
        parts: parts(back),
        lost: parts(lost),
    }
}

#[test]
fn the_lot_that_expires_next_is_used_first_then_the_older_one() {
    let lots = [
        granted(1, 100, 20),
        granted(2, 100, 10),
        granted(3, 100, 10),
    ];
    points(lots.clone())
        .when(spend(70, 250))
        .then([spent(70, [(2, 100), (3, 100), (1, 50)])]);
    points(lots.clone())
        .after(Duration::days(10))
        .when(spend(70, 100))
        .then([spent(70, [(1, 100)])]);
    points(lots).when(spend(70, 1)).then([spent(70, [(2, 1)])]);
}

#[test]
fn a_spend_the_live_lots_cannot_cover_is_refused() {
    let lots = [granted(1, 100, 20), granted(2, 100, 10)];
    points(lots.clone())
        .when(spend(70, 201))
        .then_refuses(PointsError::Short {
            available: Amount::new(200),
        });
    points(lots.clone())
        .after(Duration::days(10))
        .when(spend(70, 101))
        .then_refuses(PointsError::Short {
            available: Amount::new(100),
        });
    points(lots.clone())
        .when(spend(70, 0))
        .then_refuses(PointsError::NoAmount);
    points(lots.into_iter().chain([spent(70, [(2, 5)])]))
        .when(spend(70, 5))
        .then_refuses(PointsError::AlreadySpent);
}

#[test]
fn what_goes_back_goes_into_the_same_lots() {
    let past = [
        granted(1, 100, 20),
        granted(2, 100, 10),
        spent(70, [(2, 100), (1, 50)]),
    ];
    points(past.clone())
        .when(restore(70, [(2, 100), (1, 50)]))
        .then([restored(70, [(1, 50), (2, 100)], [])]);
    points(past.clone())
        .after(Duration::days(15))
        .when(restore(70, [(1, 50), (2, 100)]))
        .then([restored(70, [(1, 50)], [(2, 100)])]);
    points(past.clone())
        .when(restore(70, [(1, 51)]))
        .then_refuses(PointsError::MoreThanSpent {
            spent: Amount::new(50),
        });
    points(past.clone())
        .when(restore(70, [(1, 30), (1, 30)]))
        .then_refuses(PointsError::MoreThanSpent {
            spent: Amount::new(50),
        });
    points(past.iter().cloned().chain([restored(70, [(1, 50)], [])]))
        .when(restore(70, [(1, 1)]))
        .then_refuses(PointsError::MoreThanSpent {
            spent: Amount::ZERO,
        });
    points(past.iter().cloned().chain([restored(70, [], [(2, 100)])]))
        .when(restore(70, [(2, 1)]))
        .then_refuses(PointsError::MoreThanSpent {
            spent: Amount::ZERO,
        });
    points(past)
        .when(restore(71, [(1, 1)]))
        .then_refuses(PointsError::MoreThanSpent {
            spent: Amount::ZERO,
        });
}

#[test]
fn what_is_left_of_a_lot_expires_on_its_day() {
    let past = [granted(1, 100, 10), spent(70, [(1, 30)])];
    let expire = || PointsCommand::Expire { lot: id(1) };
    let expired = PointsEvent::PointsExpired {
        lot: id(1),
        amount: Amount::new(70),
    };
    points(past.clone())
        .when(expire())
        .then_refuses(PointsError::NotDue);
    points(past.clone())
        .after(Duration::days(10))
        .when(expire())
        .then([expired.clone()]);
    points(past.into_iter().chain([expired]))
        .after(Duration::days(10))
        .when(expire())
        .then_nothing();
}

#[test]
fn a_lot_is_granted_once() {
    let grant = |member, amount| PointsCommand::Grant {
        member: id(member),
        lot: id(1),
        amount: Amount::new(amount),
        reason: "구매 적립".to_owned(),
        order: None,
        grant: None,
        expires_at: NOON + Duration::days(10),
    };
    points([]).when(grant(8, 100)).then([granted(1, 100, 10)]);
    points([granted(1, 100, 10)])
        .when(grant(8, 100))
        .then_nothing();
    points([granted(1, 100, 10)])
        .when(grant(8, 101))
        .then_refuses(PointsError::LotExists);
    points([granted(1, 100, 10)])
        .when(grant(9, 100))
        .then_refuses(PointsError::Foreign);
}

fn taken(lot: u128, amount: i64) -> PointsEvent {
    PointsEvent::PointsTaken {
        lot: id(lot),
        amount: Amount::new(amount),
        memo: "중복 지급".to_owned(),
    }
}

fn take(lot: u128) -> PointsCommand {
    PointsCommand::Take {
        lot: id(lot),
        memo: "중복 지급".to_owned(),
    }
}

#[test]
fn staff_takes_back_what_is_left_and_no_more() {
    let past = [
        granted(1, 100, 10),
        granted(2, 100, 20),
        spent(70, [(1, 30)]),
    ];
    points(past.clone()).when(take(1)).then([taken(1, 70)]);
    points(past.clone())
        .when(take(3))
        .then_refuses(PointsError::UnknownLot);
    // it cannot be used any more, so there is nothing to take
    points(past.clone())
        .after(Duration::days(10))
        .when(take(1))
        .then_refuses(PointsError::NothingLeft);
    let past = || past.iter().cloned().chain([taken(1, 70)]);
    points(past())
        .when(take(1))
        .then_refuses(PointsError::NothingLeft);
    points(past())
        .when(spend(71, 101))
        .then_refuses(PointsError::Short {
            available: Amount::new(100),
        });
    // what the order gives back is the member's, and can be taken again
    points(past())
        .when(restore(70, [(1, 30)]))
        .then([restored(70, [(1, 30)], [])]);
    points(past().chain([restored(70, [(1, 30)], [])]))
        .when(take(1))
        .then([taken(1, 30)]);
}

#[test]
fn what_staff_took_is_not_reclaimed_by_a_return_too() {
    let past = [granted(1, 100, 10), spent(70, [(1, 30)]), taken(1, 70)];
    let mut state = Points::default();
    for event in past {
        state.evolve(event);
    }
    let earned = state.earned(id(1), NOON).unwrap();
    assert_eq!(earned.granted, Amount::new(30));
    assert_eq!(earned.left, Amount::ZERO);
}

#[test]
fn a_lot_lives_longer_or_shorter_and_is_not_revived() {
    let change = |days| PointsCommand::ChangeLife {
        lot: id(1),
        expires_at: NOON + Duration::days(days),
        memo: "기간 연장".to_owned(),
    };
    let changed = |days| PointsEvent::PointsLifeChanged {
        lot: id(1),
        expires_at: NOON + Duration::days(days),
        memo: "기간 연장".to_owned(),
    };
    let past = || [granted(1, 100, 10), granted(2, 100, 20)];
    points(past()).when(change(30)).then([changed(30)]);
    points(past()).when(change(1)).then([changed(1)]);
    points(past()).when(change(10)).then_nothing();
    points(past())
        .when(change(0))
        .then_refuses(PointsError::LifeOver);
    points(past())
        .after(Duration::days(10))
        .when(change(30))
        .then_refuses(PointsError::Expired);
    // which lot is used first, and which can be used at all, is as its life is now
    let longer = || past().into_iter().chain([changed(30)]);
    points(longer())
        .when(spend(70, 1))
        .then([spent(70, [(2, 1)])]);
    points(longer())
        .after(Duration::days(25))
        .when(spend(70, 100))
        .then([spent(70, [(1, 100)])]);
    let expire = || PointsCommand::Expire { lot: id(1) };
    points(longer())
        .after(Duration::days(10))
        .when(expire())
        .then_refuses(PointsError::NotDue);
    let shorter = past().into_iter().chain([changed(1)]);
    points(shorter)
        .after(Duration::days(1))
        .when(expire())
        .then([PointsEvent::PointsExpired {
            lot: id(1),
            amount: Amount::new(100),
        }]);
}

#[test]
fn a_member_is_told_once_for_each_last_day() {
    let announce = |lot| PointsCommand::AnnounceExpiry { lot: id(lot) };
    let announced = |amount| PointsEvent::PointsExpiryAnnounced {
        last_day: date!(2026 - 12 - 01),
        amount: Amount::new(amount),
    };
    let past = || {
        [
            granted(1, 100, 10),
            granted(2, 50, 10),
            granted(3, 70, 11),
            spent(70, [(1, 30)]),
        ]
    };
    // a week before the day, as soon as it begins
    points(past())
        .after(Duration::hours(59))
        .when(announce(1))
        .then_refuses(PointsError::NotDue);
    points(past())
        .after(Duration::hours(60))
        .when(announce(1))
        .then([announced(120)]);
    let told = || past().into_iter().chain([announced(120)]);
    for lot in [1, 2] {
        points(told())
            .after(Duration::hours(60))
            .when(announce(lot))
            .then_nothing();
    }
    points(told().chain([granted(4, 500, 10)]))
        .after(Duration::days(5))
        .when(announce(4))
        .then_nothing();
    points(told())
        .after(Duration::days(4))
        .when(announce(3))
        .then([PointsEvent::PointsExpiryAnnounced {
            last_day: date!(2026 - 12 - 02),
            amount: Amount::new(70),
        }]);
    points(past().into_iter().chain([taken(1, 70), taken(2, 50)]))
        .after(Duration::days(4))
        .when(announce(1))
        .then_nothing();
    points(past())
        .after(Duration::days(10))
        .when(announce(1))
        .then_nothing();
}

#[test]
fn the_last_moment_of_a_day_is_of_that_day() {
    use domain::points::{last_day, notice_at};
    let ends = datetime!(2026-12-02 00:00 +9);
    assert_eq!(last_day(ends), date!(2026 - 12 - 01));
    assert_eq!(
        last_day(ends + Duration::MICROSECOND),
        date!(2026 - 12 - 02)
    );
    assert_eq!(notice_at(ends), datetime!(2026-11-24 00:00 +9));
}

#[test]
fn what_is_owed_adds_up_at_every_moment() {
    let mut owed = PointsLiability::default();
    for event in [
        granted(1, 100, 10),
        granted(2, 200, 60),
        spent(70, [(1, 60)]),
        restored(70, [(1, 20)], [(1, 10)]),
        taken(2, 50),
    ] {
        owed.take(&event).unwrap();
    }
    let now = owed.at(NOON).unwrap();
    assert_eq!(
        [now.granted, now.spent, now.expired, now.taken, now.left].map(Amount::hundredths),
        [300, 30, 10, 50, 210]
    );
    let months: Vec<_> = now.by_month.into_iter().collect();
    assert_eq!(
        months,
        [((2026, 12), Amount::new(60)), ((2027, 1), Amount::new(150))]
    );
    // ten days later one is over, whether or not that is written down
    let later = owed.at(NOON + Duration::days(10)).unwrap();
    assert_eq!(
        (later.expired, later.left),
        (Amount::new(70), Amount::new(150))
    );
    owed.take(&PointsEvent::PointsExpired {
        lot: id(1),
        amount: Amount::new(60),
    })
    .unwrap();
    assert_eq!(owed.at(NOON + Duration::days(10)), Ok(later));
}

#[test]
fn each_rule_of_using_points_alone_decides() {
    const STEP: RoundingStep = RoundingStep::HUNDREDTH;
    let any = PointsRules::default();
    let amount = Amount::new;
    let usable = |rules: PointsRules, available, payable| {
        let (usable, limits) = rules
            .usable(amount(available), amount(payable), STEP)
            .unwrap();
        (usable.hundredths(), limits)
    };
    let broken = |rules: PointsRules, points, payable| {
        rules.broken(amount(points), amount(payable), STEP).unwrap()
    };
    assert_eq!(usable(any, 777, 1_000), (777, vec![]));
    assert_eq!(usable(any, 2_000, 1_000), (1_000, vec![]));
    assert_eq!(broken(any, 777, 1_000), None);
    assert_eq!(any.conditions(), vec![]);

    let least = PointsRules {
        least: amount(500),
        ..any
    };
    assert_eq!(usable(least, 499, 1_000), (0, vec![PointsLimit::Least]));
    assert_eq!(usable(least, 500, 1_000), (500, vec![]));
    assert_eq!(usable(least, 0, 1_000), (0, vec![]));
    assert_eq!(broken(least, 499, 1_000), Some(PointsLimit::Least));
    assert_eq!(broken(least, 500, 1_000), None);
    assert_eq!(broken(least, 0, 1_000), None, "none at all");

    let unit = PointsRules {
        unit: amount(100),
        ..any
    };
    assert_eq!(usable(unit, 777, 1_000), (700, vec![PointsLimit::Unit]));
    assert_eq!(broken(unit, 777, 1_000), Some(PointsLimit::Unit));
    assert_eq!(broken(unit, 700, 1_000), None);

    let share = PointsRules { share: 30, ..any };
    assert_eq!(usable(share, 777, 1_000), (300, vec![PointsLimit::Share]));
    assert_eq!(broken(share, 301, 1_000), Some(PointsLimit::Share));
    assert_eq!(broken(share, 300, 1_000), None);

    let least_order = PointsRules {
        least_order: amount(1_001),
        ..any
    };
    assert_eq!(
        usable(least_order, 777, 1_000),
        (0, vec![PointsLimit::LeastOrder])
    );
    assert_eq!(usable(least_order, 777, 1_001), (777, vec![]));
    assert_eq!(broken(least_order, 1, 1_000), Some(PointsLimit::LeastOrder));
    assert_eq!(broken(least_order, 1, 1_001), None);

    let all = PointsRules {
        least: amount(500),
        unit: amount(100),
        share: 30,
        least_order: amount(1_000),
        ..any
    };
    let said: Vec<String> = all
        .conditions()
        .into_iter()
        .map(|one| one.message)
        .collect();
    assert_eq!(
        said,
        [
            "$10.00 이상 주문할 때 사용할 수 있습니다.",
            "$5.00부터 사용할 수 있습니다.",
            "$1.00 단위로 사용할 수 있습니다.",
            "결제 금액의 30%까지 사용할 수 있습니다.",
        ]
    );
    // what can be used breaks nothing
    for payable in (0..9_000).step_by(130) {
        let (most, _) = usable(all, 5_555, payable);
        assert_eq!(broken(all, most, payable), None, "{most} of {payable}");
    }
}
