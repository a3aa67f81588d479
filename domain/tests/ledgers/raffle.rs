//! Raffles: who may enter and when, what may still change, and who wins.

use std::collections::BTreeMap;

use domain::ids::{CouponId, MemberId, RaffleEntryId, ShopEventId};
use domain::member::Member;
use domain::raffle::{
    Raffle, RaffleCommand, RaffleEntry, RaffleEntryCommand, RaffleEntryError, RaffleError,
    RaffleEvent, RaffleHash, RaffleRefusal, RaffleSeed, RaffleTerms, draw_winners, enter,
    raffle_entry_id,
};
use domain::record::{Record, RecordCommand};
use domain::storefront::shop_event::ShopEvent;
use domain::unit_of_work::UnitOfWork;
use domain::{Actor, Context, Decider, Purpose, Sealed};
use proptest::prelude::*;
use serde_json::json;
use time::{Duration, OffsetDateTime};

use super::given::{NOON, id};
use super::issuing::joined;

const SEED: RaffleSeed = RaffleSeed(RaffleHash([7; 32]));

/// The commitment, the chain with one entry, and the score of its number.
const HASHES: [&str; 3] = [
    "4bb06f8e4e3a7715d201d573d0aa423762e55dabd61a2c02278fa56cc6d294e0",
    "dabbab6e7668089603f70f609d34ca94cd8dc60d963e51743c09107a0c0a96a0",
    "7e89136ca60febb8b6d1ee347c6d42b74b4a5b6edda48d8db30ac1bdf44c927a",
];

fn event_id() -> ShopEventId {
    id(0x7100)
}

fn member(place: u32) -> MemberId {
    id(0x8000 + u128::from(place))
}

fn sealed() -> Sealed<RaffleSeed> {
    Sealed::from_parts(event_id().0, Purpose::Statutory, "c2VlZA==".to_owned())
}

fn mark(place: u32) -> RaffleHash {
    RaffleHash([u8::try_from(place % 251).unwrap(); 32])
}

fn end() -> OffsetDateTime {
    NOON + Duration::DAY
}

fn terms(winners: u32) -> RaffleTerms {
    RaffleTerms {
        winners,
        ends_at: end(),
        prize: None,
    }
}

fn set(terms: Option<RaffleTerms>) -> RaffleCommand {
    RaffleCommand::Set {
        terms,
        commitment: SEED.commitment(),
        seed: sealed(),
    }
}

fn page() -> ShopEvent {
    let page = json!({ "name": "첫 주행", "thumb": { "url": "/pictures/a.webp" }, "shows": true,
        "startsAt": "2020-01-01T00:00:00Z", "endsAt": "2099-01-01T00:00:00Z" });
    serde_json::from_value(page).unwrap()
}

/// What is stored: an event with a raffle, members and their entries.
#[derive(Clone)]
struct MemoryLog {
    now: OffsetDateTime,
    page: Record<ShopEvent>,
    raffle: Raffle,
    entries: BTreeMap<RaffleEntryId, RaffleEntry>,
    members: BTreeMap<MemberId, Member>,
    numbers: BTreeMap<u32, MemberId>,
    drawn: Vec<RaffleEvent>,
}

impl MemoryLog {
    fn new(winners: u32, members: u32) -> Self {
        let mut log = Self {
            now: NOON,
            page: Record::default(),
            raffle: Raffle::default(),
            entries: BTreeMap::new(),
            members: (1..=members)
                .map(|place| (member(place), joined()))
                .collect(),
            numbers: BTreeMap::new(),
            drawn: Vec::new(),
        };
        log.show(page());
        log.set(Some(terms(winners))).unwrap();
        log
    }

    fn context(&self) -> Context {
        Context {
            now: self.now,
            actor: Actor::System,
        }
    }

    fn show(&mut self, page: ShopEvent) {
        self.page = Record::default();
        let create = RecordCommand::Create(Box::new(page));
        for event in self.page.decide(create, &self.context()).unwrap() {
            cqrs_es::Aggregate::apply(&mut self.page, event);
        }
    }

    fn set(&mut self, terms: Option<RaffleTerms>) -> Result<usize, RaffleError> {
        let events = self.raffle.decide(set(terms), &self.context())?;
        let count = events.len();
        events
            .into_iter()
            .for_each(|event| self.raffle.evolve(event));
        Ok(count)
    }

    /// Decides on what is stored and stores what was decided, or nothing.
    fn decide(
        &mut self,
        decide: impl Fn(&mut UnitOfWork) -> Result<u32, RaffleRefusal>,
    ) -> Result<u32, RaffleRefusal> {
        let mut work = UnitOfWork::new(self.context());
        work.insert(event_id(), self.page.clone(), 1);
        work.insert(event_id(), self.raffle.clone(), 1);
        for (id, state) in &self.entries {
            work.insert(id, state.clone(), 1);
        }
        for (id, state) in &self.members {
            work.insert(id, state.clone(), 1);
        }
        let mut result = decide(&mut work);
        while !work.is_loaded() {
            work.load_rest_empty();
            work.rewind();
            result = decide(&mut work);
        }
        let result = result?;
        let drawn = work.events::<Raffle>(event_id()).iter();
        let drawn = drawn.filter(|event| matches!(event, RaffleEvent::RaffleDrawn { .. }));
        self.drawn.extend(drawn.cloned());
        self.raffle = (*work.state::<Raffle>(event_id())).clone();
        for member in self.members.keys() {
            let id = raffle_entry_id(event_id(), *member);
            let state = (*work.state::<RaffleEntry>(id)).clone();
            if let Some(ticket) = state.entered {
                self.numbers.insert(ticket.number, *member);
                self.entries.insert(id, state);
            }
        }
        Ok(result)
    }

    fn enter(&mut self, place: u32) -> Result<u32, RaffleRefusal> {
        self.decide(|work| enter(work, event_id(), member(place), mark(place)))
    }

    fn draw(&mut self) -> Result<u32, RaffleRefusal> {
        let entrants = self.numbers.clone();
        self.decide(|work| draw_winners(work, event_id(), SEED, &entrants))
    }

    fn leave(&mut self, place: u32) {
        self.members.get_mut(&member(place)).unwrap().left = true;
    }

    fn won(&self) -> Vec<u32> {
        let won = self.entries.values().filter(|entry| entry.won);
        let mut won: Vec<u32> = won.map(|entry| entry.entered.unwrap().number).collect();
        won.sort_unstable();
        won
    }

    fn result(&self) -> (Vec<u32>, Vec<u32>) {
        match self.drawn.as_slice() {
            [
                RaffleEvent::RaffleDrawn {
                    winners, passed, ..
                },
            ] => (winners.clone(), passed.clone()),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn a_member_enters_once_and_gets_the_same_number_again() {
    let mut log = MemoryLog::new(2, 3);
    assert_eq!(log.enter(2), Ok(1));
    assert_eq!(log.enter(1), Ok(2));
    assert_eq!(log.enter(2), Ok(1));
    assert_eq!((log.raffle.entries, log.entries.len()), (2, 2));
    // also when it is over, or the member has left
    log.now = end();
    log.leave(1);
    assert_eq!(log.enter(1), Ok(2));
    let ticket = log.entries[&raffle_entry_id(event_id(), member(2))].entered;
    let again = RaffleEntryCommand::Enter(ticket.unwrap());
    let entry = log.entries[&raffle_entry_id(event_id(), member(2))].clone();
    let refused = entry.decide(again, &log.context());
    assert_eq!(refused, Err(RaffleEntryError::EnteredBefore));
}

#[test]
fn entries_are_refused_outside_their_time_and_place() {
    let log = || MemoryLog::new(2, 3);
    let refused = |change: &dyn Fn(&mut MemoryLog), error: RaffleRefusal| {
        let mut log = log();
        change(&mut log);
        assert_eq!(log.enter(1), Err(error));
        assert_eq!((log.raffle.entries, log.entries.len()), (0, 0));
    };
    refused(
        &|log| {
            log.show(ShopEvent {
                starts_at: Some(NOON + Duration::SECOND),
                ..page()
            });
        },
        RaffleRefusal::NotBegun,
    );
    let hidden = ShopEvent {
        shows: false,
        ..page()
    };
    refused(&|log| log.show(hidden.clone()), RaffleRefusal::NoEvent);
    refused(&|log| log.page = Record::default(), RaffleRefusal::NoEvent);
    refused(&|log| log.leave(1), RaffleRefusal::MemberLeft);
    refused(
        &|log| {
            log.members.remove(&member(1));
        },
        RaffleRefusal::MemberLeft,
    );
    refused(&|log| log.now = end(), RaffleError::Over.into());
    refused(
        &|log| log.raffle = Raffle::default(),
        RaffleError::NotOpened.into(),
    );
    // the last moment before the end, and the first of the event
    let mut last = log();
    last.now = end() - Duration::NANOSECOND;
    assert_eq!(last.enter(1), Ok(1));
    let mut first = log();
    first.show(ShopEvent {
        starts_at: Some(NOON),
        ..page()
    });
    assert_eq!(first.enter(1), Ok(1));
}

#[test]
fn terms_change_freely_without_entries_and_only_for_the_better_with_them() {
    let coupon: CouponId = id(0x7200);
    let shorter = RaffleTerms {
        ends_at: end() - Duration::HOUR,
        ..terms(2)
    };
    let longer = RaffleTerms {
        ends_at: end() + Duration::HOUR,
        ..terms(2)
    };
    let prize = RaffleTerms {
        prize: Some(coupon),
        ..terms(2)
    };
    let past = RaffleTerms {
        ends_at: NOON,
        ..terms(2)
    };
    for (changed, without, with) in [
        (Some(terms(2)), Ok(0), Ok(0)),
        (Some(terms(3)), Ok(1), Ok(1)),
        (Some(terms(1)), Ok(1), Err(RaffleError::FewerWinners)),
        (Some(longer), Ok(1), Ok(1)),
        (Some(shorter), Ok(1), Err(RaffleError::EarlierEnd)),
        (Some(prize), Ok(1), Err(RaffleError::OtherPrize)),
        (
            Some(past),
            Err(RaffleError::EndInPast),
            Err(RaffleError::EndInPast),
        ),
        (None, Err(RaffleError::Kept), Err(RaffleError::Kept)),
    ] {
        let mut log = MemoryLog::new(2, 1);
        assert_eq!(log.clone().set(changed), without, "{changed:?}");
        log.enter(1).unwrap();
        assert_eq!(log.set(changed), with, "{changed:?}");
        assert_eq!(log.raffle.commitment, SEED.commitment());
        log.now = end();
        let over = match changed {
            Some(same) if Some(same) == log.raffle.terms => Ok(0),
            None => Err(RaffleError::Kept),
            Some(_) => Err(RaffleError::Over),
        };
        if log.raffle.terms != Some(longer) {
            assert_eq!(log.set(changed), over, "{changed:?}");
        }
    }
    let none = Raffle::default();
    let nothing = none.decide(set(None), &MemoryLog::new(1, 0).context());
    assert_eq!(nothing, Ok(vec![]));
}

#[test]
fn winners_are_drawn_once_at_the_end_with_the_committed_seed() {
    let mut log = MemoryLog::new(2, 5);
    for place in 1..=5 {
        log.enter(place).unwrap();
    }
    assert_eq!(log.draw(), Err(RaffleError::NotDue.into()));
    log.now = end();
    let other = RaffleSeed(RaffleHash([8; 32]));
    let entrants = log.numbers.clone();
    let refused = log.decide(|work| draw_winners(work, event_id(), other, &entrants));
    assert_eq!(refused, Err(RaffleError::OtherSeed.into()));
    let missing = log.decide(|work| draw_winners(work, event_id(), SEED, &BTreeMap::new()));
    assert!(matches!(missing, Err(RaffleRefusal::UnknownNumber(_))));
    // a number that is another member's
    let swapped = entrants.keys().map(|number| (*number, member(1))).collect();
    let refused = log.decide(|work| draw_winners(work, event_id(), SEED, &swapped));
    assert!(matches!(refused, Err(RaffleRefusal::UnknownNumber(_))));
    assert_eq!(log.draw(), Ok(2));
    assert_eq!(log.draw(), Ok(0));
    let (mut winners, passed) = log.result();
    winners.sort_unstable();
    assert_eq!((winners, passed), (log.won(), vec![]));
    assert_eq!(log.set(Some(terms(3))), Err(RaffleError::Over));
}

#[test]
fn a_winner_who_has_left_is_passed_and_the_next_rank_wins() {
    let mut log = MemoryLog::new(2, 5);
    for place in 1..=5 {
        log.enter(place).unwrap();
    }
    log.now = end();
    let mut before = log.clone();
    before.draw().unwrap();
    let (winners, _) = before.result();
    log.leave(winners[0]);
    log.draw().unwrap();
    let (then, passed) = log.result();
    assert_eq!((then[0], passed), (winners[1], vec![winners[0]]));
    assert!(!then.contains(&winners[0]) && then.len() == 2);
}

#[test]
fn with_few_entries_all_win_and_without_any_it_closes() {
    let mut log = MemoryLog::new(9, 3);
    for place in 1..=3 {
        log.enter(place).unwrap();
    }
    log.now = end();
    assert_eq!(log.draw(), Ok(3));
    assert_eq!(log.won(), [1, 2, 3]);
    let mut empty = MemoryLog::new(9, 0);
    empty.now = end();
    assert_eq!(empty.draw(), Ok(0));
    assert_eq!(empty.result(), (vec![], vec![]));
    assert!(empty.raffle.drawn);
}

#[test]
fn the_hashes_are_those_of_the_description() {
    // computed with Python
    let chain = SEED.commitment().after(1, RaffleHash([1; 32]));
    let told = [
        SEED.commitment().to_string(),
        chain.to_string(),
        domain::raffle::hash::score(SEED, chain, 1).to_string(),
    ];
    assert_eq!(told, HASHES);
    assert_eq!(told[0].parse(), Ok(SEED.commitment()));
    assert!("0".repeat(63).parse::<RaffleHash>().is_err());
    assert!("g".repeat(64).parse::<RaffleHash>().is_err());
    assert!(!format!("{SEED:?}").contains("07"));
}

proptest! {
    #[test]
    fn whatever_members_do_each_has_one_number_and_the_winners_follow_from_the_seed(
        steps in prop::collection::vec((0_u8..8, 1_u32..12), 1..60),
        winners in 1_u32..6,
    ) {
        let mut log = MemoryLog::new(winners, 12);
        for (what, place) in steps {
            match what {
                0..=5 => { let _ = log.enter(place); }
                6 => log.leave(place),
                _ => { let _ = log.draw(); }
            }
        }
        log.now = end();
        for _ in 0..2 {
            log.draw().unwrap();
        }
        let entries = log.raffle.entries;
        prop_assert_eq!(log.numbers.keys().copied().collect::<Vec<_>>(), (1..=entries).collect::<Vec<_>>());
        prop_assert_eq!(log.entries.len(), log.numbers.len());
        let mut chain = SEED.commitment();
        for (number, member) in &log.numbers {
            let ticket = log.entries[&raffle_entry_id(event_id(), *member)].entered.unwrap();
            chain = chain.after(*number, ticket.mark);
        }
        prop_assert_eq!(chain, log.raffle.chain);
        let ranked = domain::raffle::hash::ranking(SEED, chain, entries);
        let stays = |number: &u32| !log.members[&log.numbers[number]].left;
        let expected: Vec<u32> = ranked.into_iter().filter(stays).take(usize::try_from(winners).unwrap()).collect();
        let (found, passed) = log.result();
        prop_assert_eq!(&found, &expected);
        prop_assert!(passed.iter().all(|number| !stays(number)));
    }
}
