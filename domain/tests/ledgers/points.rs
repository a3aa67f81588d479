//! Points: nearest expiry first, then the older lot; restored to the same lots; expired lots stay expired.

use domain::Amount;
use domain::order::LotPart;
use domain::points::{Points, PointsCommand, PointsError, PointsEvent};
use time::Duration;

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
