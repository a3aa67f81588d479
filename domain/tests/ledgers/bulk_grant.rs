//! Bulk grants: each receiver is served exactly once; a stopped grant takes back what is left.

use std::collections::BTreeMap;

use domain::bulk_grant::{
    Benefit, BulkGrant, BulkGrantCommand, BulkGrantError, BulkGrantEvent, BulkGrantTerms,
    CarryOutError, RECEIVERS_MOST, carry_out, lot_of_grant, order_points,
};
use domain::ids::{BulkGrantId, MemberId};
use domain::member::Member;
use domain::points::{GrantError, Points, PointsCommand, PointsError, last_day, stream_id};
use domain::record::Record;
use domain::site::SiteSetting;
use domain::unit_of_work::UnitOfWork;
use domain::{Actor, Amount, Context, Decider, business_day};
use proptest::prelude::*;
use time::macros::date;
use time::{Date, Duration, OffsetDateTime};

use super::given::{Given, NOON, given, id};

const GRANT: u128 = 0x6000;

/// What is stored.
#[derive(Default)]
struct MemoryLog {
    grant: BulkGrant,
    points: BTreeMap<MemberId, Points>,
    members: BTreeMap<MemberId, Member>,
    setting: Option<Record<SiteSetting>>,
    now: Option<OffsetDateTime>,
}

impl MemoryLog {
    fn context(&self) -> Context {
        Context {
            now: self.now.unwrap_or(NOON),
            actor: Actor::System,
        }
    }

    /// Decides on what is stored and stores what was decided, or nothing.
    fn decide<R>(
        &mut self,
        decide: impl Fn(&mut UnitOfWork) -> Result<R, CarryOutError>,
    ) -> Result<R, CarryOutError> {
        let mut work = UnitOfWork::new(self.context());
        let grant: BulkGrantId = id(GRANT);
        work.insert(grant, self.grant.clone(), 1);
        for (member, points) in &self.points {
            work.insert(stream_id(*member), points.clone(), 1);
        }
        for (member, state) in &self.members {
            work.insert(member, state.clone(), 1);
        }
        if let Some(setting) = &self.setting {
            work.insert(SiteSetting::ID, setting.clone(), 1);
        }
        let mut decided = decide(&mut work);
        while !work.is_loaded() {
            work.load_rest_empty();
            work.rewind();
            decided = decide(&mut work);
        }
        if decided.is_ok() {
            let events = work.events::<BulkGrant>(grant).to_vec();
            events
                .into_iter()
                .for_each(|event| self.grant.evolve(event));
            let receivers = self.grant.terms.iter().flat_map(|terms| &terms.members);
            for member in receivers {
                let points = self.points.entry(*member).or_default();
                let events = work.events::<Points>(stream_id(*member)).to_vec();
                events.into_iter().for_each(|event| points.evolve(event));
            }
        }
        decided
    }

    fn order(&mut self, many: u128, amount: i64, last: Option<Date>) -> Result<(), CarryOutError> {
        let what = (Amount::new(amount), last);
        let memo = || "창립 기념".to_owned();
        self.decide(|work| order_points(work, id(GRANT), what, receivers(many), memo()))
    }

    fn next(&mut self, most: u32) -> Result<bool, CarryOutError> {
        self.decide(|work| carry_out(work, id(GRANT), most))
    }

    fn stop(&mut self) -> Result<(), CarryOutError> {
        let memo = "잘못 지급했습니다".to_owned();
        self.decide(|work| {
            let stop = BulkGrantCommand::Stop { memo: memo.clone() };
            work.decide::<BulkGrant>(id::<BulkGrantId>(GRANT), stop)?;
            Ok(())
        })
    }

    fn granted(&self, place: u128) -> Option<domain::points::Lot> {
        let lot = lot_of_grant(id(GRANT), receiver(place));
        self.points.get(&receiver(place))?.lots.get(&lot).copied()
    }
}

fn receiver(place: u128) -> MemberId {
    id(0x8000 + place)
}

fn receivers(many: u128) -> Vec<MemberId> {
    (0..many).map(receiver).collect()
}

#[test]
fn every_receiver_gets_what_was_ordered_once_and_those_who_left_nothing() {
    let mut stored = MemoryLog::default();
    let gone = Member {
        left: true,
        ..Member::default()
    };
    stored.members.insert(receiver(3), gone);
    stored.order(5, 100, None).unwrap();
    assert_eq!(stored.next(2), Ok(false));
    assert_eq!(
        (stored.granted(1).map(|lot| lot.granted), stored.granted(2)),
        (Some(Amount::new(100)), None)
    );
    assert_eq!(stored.next(2), Ok(false));
    assert_eq!(stored.next(2), Ok(true));
    let got: Vec<bool> = (0..5)
        .map(|place| stored.granted(place).is_some())
        .collect();
    assert_eq!(got, [true, true, true, false, true]);
    assert_eq!(stored.grant.left_out, [receiver(3)].into());
    // once more, and nothing is given
    let before = stored.points.clone();
    assert_eq!(stored.next(2), Ok(true));
    assert_eq!(stored.points, before);
    assert!(stored.grant.is_done());
}

#[test]
fn one_that_is_stopped_gives_no_more_and_takes_back_what_is_left() {
    let mut stored = MemoryLog::default();
    stored.order(5, 100, None).unwrap();
    stored.next(3).unwrap();
    let spend = PointsCommand::Spend {
        order: id(70),
        amount: Amount::new(30),
    };
    let context = stored.context();
    let points = stored.points.get_mut(&receiver(1)).unwrap();
    let events = points.decide(spend, &context).unwrap();
    events.into_iter().for_each(|event| points.evolve(event));
    stored.stop().unwrap();
    assert_eq!(stored.stop(), Err(BulkGrantError::Stopped.into()));
    assert!(!stored.grant.is_done());
    assert_eq!(stored.next(2), Ok(false));
    assert_eq!(stored.next(2), Ok(true));
    for place in 0..3 {
        let lot = stored.granted(place).unwrap();
        let spent = if place == 1 { 30 } else { 0 };
        assert_eq!(lot.left, Amount::ZERO, "{place}");
        assert_eq!(lot.taken, Amount::new(100 - spent), "{place}");
    }
    assert_eq!((stored.granted(3), stored.granted(4)), (None, None));
    assert_eq!(stored.next(2), Ok(true));
}

#[test]
fn one_that_gave_nothing_yet_is_done_when_it_is_stopped() {
    let mut stored = MemoryLog::default();
    stored.order(2, 100, None).unwrap();
    stored.stop().unwrap();
    assert!(stored.grant.is_done());
    assert_eq!(stored.next(2), Ok(true));
    assert_eq!(stored.granted(0), None);
}

#[test]
fn what_staff_grants_has_a_last_day_ahead_and_an_amount_in_the_shops_step() {
    let refused = |amount, last| MemoryLog::default().order(1, amount, last);
    let past = Some(date!(2020 - 01 - 01));
    assert_eq!(
        refused(0, None),
        Err(GrantError::from(PointsError::NoAmount).into())
    );
    assert_eq!(
        refused(-5, None),
        Err(GrantError::from(PointsError::NoAmount).into())
    );
    assert_eq!(
        refused(5, past),
        Err(GrantError::from(PointsError::LifeOver).into())
    );
    let mut stored = MemoryLog::default();
    let today = business_day::day(NOON);
    stored.order(1, 5, Some(today)).unwrap();
    let Benefit::Points { expires_at, .. } = stored.grant.terms.as_ref().unwrap().benefit else {
        panic!("points were ordered");
    };
    assert_eq!(last_day(expires_at), today);
    assert!(expires_at > NOON && expires_at <= NOON + Duration::DAY);
}

fn granting(events: impl IntoIterator<Item = BulkGrantEvent>) -> Given<BulkGrant> {
    given(events)
}

fn terms(members: Vec<MemberId>) -> BulkGrantTerms {
    BulkGrantTerms {
        benefit: Benefit::Points {
            amount: Amount::new(100),
            expires_at: NOON + Duration::days(9),
        },
        members,
        memo: "창립 기념".to_owned(),
    }
}

fn ordered(many: u128) -> BulkGrantEvent {
    let BulkGrantTerms {
        benefit,
        members,
        memo,
    } = terms(receivers(many));
    BulkGrantEvent::BulkGrantOrdered {
        benefit,
        members,
        memo,
    }
}

#[test]
fn an_order_names_some_receivers_each_once() {
    let order = |members| BulkGrantCommand::Order(terms(members));
    granting([]).when(order(receivers(2))).then([ordered(2)]);
    granting([ordered(2)])
        .when(order(receivers(2)))
        .then_nothing();
    granting([ordered(2)])
        .when(order(receivers(3)))
        .then_refuses(BulkGrantError::AlreadyOrdered);
    granting([])
        .when(order(vec![]))
        .then_refuses(BulkGrantError::NoReceivers);
    granting([])
        .when(order(vec![receiver(1), receiver(1)]))
        .then_refuses(BulkGrantError::NoReceivers);
    let most = u128::try_from(RECEIVERS_MOST).unwrap();
    granting([])
        .when(order(receivers(most + 1)))
        .then_refuses(BulkGrantError::TooManyReceivers);
    granting([])
        .when(order(receivers(most)))
        .then([ordered(most)]);
}

#[test]
fn no_place_of_the_list_is_passed_over_or_taken_twice() {
    let serve = |served| BulkGrantCommand::Serve {
        served,
        left_out: vec![],
        refused: vec![],
    };
    let served = |served| BulkGrantEvent::BulkGrantPartGiven {
        served,
        left_out: vec![],
        refused: vec![],
    };
    let stopped = || BulkGrantEvent::BulkGrantStopped {
        memo: "중단".to_owned(),
    };
    let clear = |cleared| BulkGrantCommand::Clear { cleared };
    let past = || [ordered(4), served(2)];
    granting(past()).when(serve(4)).then([served(4)]);
    for other in [0, 1, 2, 5] {
        granting(past())
            .when(serve(other))
            .then_refuses(BulkGrantError::OtherPlace);
    }
    granting([])
        .when(serve(1))
        .then_refuses(BulkGrantError::NotOrdered);
    granting(past())
        .when(clear(1))
        .then_refuses(BulkGrantError::OtherPlace);
    let past = || past().into_iter().chain([stopped()]);
    granting(past())
        .when(serve(3))
        .then_refuses(BulkGrantError::Stopped);
    granting(past())
        .when(clear(2))
        .then([BulkGrantEvent::BulkGrantPartTaken { cleared: 2 }]);
    for other in [0, 3] {
        granting(past())
            .when(clear(other))
            .then_refuses(BulkGrantError::OtherPlace);
    }
}

#[test]
fn a_note_is_the_shops_own() {
    let note = |memo: &str| BulkGrantCommand::Note {
        memo: memo.to_owned(),
    };
    let noted = BulkGrantEvent::BulkGrantNoted {
        memo: "마케팅팀".to_owned(),
    };
    granting([])
        .when(note("x"))
        .then_refuses(BulkGrantError::NotOrdered);
    granting([ordered(1)])
        .when(note("마케팅팀"))
        .then([noted.clone()]);
    granting([ordered(1), noted])
        .when(note("마케팅팀"))
        .then_nothing();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever the parts and whenever it is stopped: those served got it once, the others nothing, and of a stopped one nothing is
    /// left.
    #[test]
    fn whatever_the_parts_nobody_gets_twice(
        many in 1..12_u128,
        parts in proptest::collection::vec(0..5_u32, 0..12),
        stops_after in proptest::option::of(0..12_usize),
    ) {
        let mut stored = MemoryLog::default();
        stored.order(many, 100, None).unwrap();
        for (place, part) in parts.iter().enumerate() {
            if Some(place) == stops_after {
                stored.stop().unwrap();
            }
            stored.next(*part).unwrap();
        }
        while !stored.next(4).unwrap() {}
        prop_assert!(stored.grant.is_done());
        let served = u128::from(stored.grant.served);
        prop_assert!(stored.grant.stopped.is_some() || served == many);
        for place in 0..many {
            let points = stored.points.get(&receiver(place)).unwrap();
            prop_assert_eq!(points.lots.len(), usize::from(place < served));
            let left = points.remain(NOON).unwrap();
            let kept = place < served && stored.grant.stopped.is_none();
            prop_assert_eq!(left, Amount::new(if kept { 100 } else { 0 }));
        }
    }
}
