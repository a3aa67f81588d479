//! Decisions over several streams.

use domain::ids::{OrderId, ProductId, StockId};
use domain::points::Points;
use domain::stock::{Stock, StockCommand, StockError};
use domain::unit_of_work::{Access, StreamRef, UnitOfWork};
use domain::{Actor, Context};
use time::OffsetDateTime;
use uuid::Uuid;

fn work() -> UnitOfWork {
    UnitOfWork::new(Context {
        now: OffsetDateTime::UNIX_EPOCH,
        actor: Actor::System,
    })
}

fn counted(quantity: u32) -> StockCommand {
    StockCommand::Count {
        product: ProductId(Uuid::nil()),
        quantity,
    }
}

fn taken(quantity: u32) -> StockCommand {
    let order = OrderId(Uuid::nil());
    StockCommand::Take { order, quantity }
}

#[test]
fn a_decision_sees_its_own_events_and_begins_again_without_them() {
    let (mut work, pile) = (work(), StockId(Uuid::nil()));
    work.insert(pile, Stock::default(), 0);
    work.decide::<Stock>(pile, counted(3)).unwrap();
    work.decide::<Stock>(pile, taken(2)).unwrap();
    assert_eq!(work.state::<Stock>(pile).available, 1);
    let refused = work.decide::<Stock>(pile, taken(2));
    assert_eq!(refused, Err(StockError::SoldOut { available: 1 }));
    assert_eq!(work.events::<Stock>(pile).len(), 2);
    work.rewind();
    assert_eq!(work.state::<Stock>(pile).available, 0);
    assert!(work.writes().unwrap().is_empty());
}

#[test]
fn a_part_that_fails_leaves_nothing_behind() {
    let (mut work, pile) = (work(), StockId(Uuid::nil()));
    work.insert(pile, Stock::default(), 0);
    work.decide::<Stock>(pile, counted(3)).unwrap();
    let refused = work.attempt(|work| {
        work.reserve("scope", [0; 32], "owner");
        work.decide::<Stock>(pile, taken(2))?;
        work.decide::<Stock>(pile, taken(2))
    });
    assert_eq!(refused, Err(StockError::SoldOut { available: 1 }));
    assert_eq!(work.state::<Stock>(pile).available, 3);
    assert_eq!(work.events::<Stock>(pile).len(), 1);
    assert!(work.names().is_empty());
}

#[test]
fn the_streams_a_decision_uses_are_its_plan() {
    let (mut work, pile) = (work(), StockId(Uuid::nil()));
    work.state::<Points>("a");
    work.state::<Stock>(pile);
    assert!(!work.is_loaded() && !work.is_hot(), "only read so far");
    work.decide::<Stock>(pile, counted(3)).unwrap();
    assert!(work.is_hot(), "a contended stream is to be written");
    let access: Vec<Access> = work.plan().map(|(_, access)| access).collect();
    assert_eq!(access, [Access::Read, Access::Write]);
    work.load_rest_empty();
    assert!(work.is_loaded());
}

#[test]
fn events_go_to_the_version_a_stream_was_loaded_at_and_the_rest_is_held_still() {
    let (mut work, pile) = (work(), StockId(Uuid::nil()));
    work.plan_write::<Stock>(pile);
    work.plan_read::<Points>("a");
    let stream = StreamRef::of::<Stock>(pile);
    let event = r#"{"StockCounted":{"product":"00000000-0000-0000-0000-000000000000","quantity":5,"before":0}}"#;
    let loaded = work.load(&stream, |slot| slot.replay(event).map(|()| 7));
    loaded.unwrap();
    work.load_rest_empty();
    work.decide::<Stock>(pile, taken(2)).unwrap();
    assert_eq!(work.state::<Stock>(pile).available, 3);
    let writes = work.writes().unwrap();
    let written: Vec<_> = writes
        .iter()
        .map(|(id, version, _)| (*id, *version))
        .collect();
    assert_eq!(written, [(&stream, 7)]);
    assert_eq!(work.reads().unwrap(), [(&StreamRef::of::<Points>("a"), 0)]);
}
