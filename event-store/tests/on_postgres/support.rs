//! A stock to count and take from, and helpers to append.

use std::sync::Mutex;
use std::sync::atomic::{AtomicI64, Ordering};

use cqrs_es::DomainEvent;
use domain::unit_of_work::UnitOfWork;
use domain::{Actor, Context, Decider};
use event_store::{
    Append, Appended, CommandKey, Expected, LockedStreams, Metadata, Store, StreamAppend,
    TransactionStep,
};
use serde::{Deserialize, Serialize};
use serde_json::json;
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};
use tokio::sync::oneshot;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Pile {
    pub left: i64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum PileEvent {
    Counted { left: i64 },
    Taken { many: i64 },
}

#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("sold out")]
pub struct SoldOut;

pub enum PileCommand {
    Count(i64),
    Take(i64),
}

impl DomainEvent for PileEvent {
    fn event_type(&self) -> String {
        match self {
            Self::Counted { .. } => "Counted".to_owned(),
            Self::Taken { .. } => "Taken".to_owned(),
        }
    }

    fn event_version(&self) -> String {
        "1.0".to_owned()
    }
}

impl Decider for Pile {
    type Input = PileCommand;

    fn decide(&self, command: PileCommand, _: &Context) -> Result<Vec<PileEvent>, SoldOut> {
        match command {
            PileCommand::Count(left) => Ok(vec![PileEvent::Counted { left }]),
            PileCommand::Take(many) if many > self.left => Err(SoldOut),
            PileCommand::Take(many) => Ok(vec![PileEvent::Taken { many }]),
        }
    }
}

impl Pile {
    fn evolve(&mut self, event: PileEvent) {
        match event {
            PileEvent::Counted { left } => self.left = left,
            PileEvent::Taken { many } => self.left -= many,
        }
    }
}

domain::decider!(Pile, "pile", PileCommand, PileEvent, SoldOut);

pub fn context() -> Context {
    Context {
        now: tick(),
        actor: Actor::System,
    }
}

/// Takes one unit of each of these piles, all of them locked.
pub fn take_one_of(ids: &[&str], locked: &LockedStreams) -> Result<Append, SoldOut> {
    let mut work = UnitOfWork::new(context());
    ids.iter().for_each(|id| work.plan_write::<Pile>(id));
    assert!(locked.load_plan(&mut work).unwrap(), "not all are locked");
    let mut streams = Vec::new();
    for id in ids {
        let version = work.version::<Pile>(id);
        let events = work.decide::<Pile>(id, PileCommand::Take(1))?;
        streams.push(pile(id, Expected::Exact(version), &events));
    }
    Ok(of(streams))
}

/// A step that signals that it runs, under the locks, and waits for a signal to continue.
pub struct Wait {
    began: Mutex<Option<oneshot::Sender<()>>>,
    go_on: Mutex<Option<oneshot::Receiver<()>>>,
}

impl Wait {
    pub fn until() -> (Self, oneshot::Receiver<()>, oneshot::Sender<()>) {
        let (began, begun) = oneshot::channel();
        let (send, go_on) = oneshot::channel();
        let wait = Self {
            began: Mutex::new(Some(began)),
            go_on: Mutex::new(Some(go_on)),
        };
        (wait, begun, send)
    }
}

impl TransactionStep<SoldOut> for Wait {
    type Output = ();

    async fn run(&self, _connection: &mut PgConnection) -> Result<(), SoldOut> {
        let began = self.began.lock().unwrap().take().unwrap();
        let go_on = self.go_on.lock().unwrap().take().unwrap();
        began.send(()).unwrap();
        go_on.await.unwrap();
        Ok(())
    }
}

/// A clock that advances one minute per call.
pub fn tick() -> OffsetDateTime {
    static MINUTES: AtomicI64 = AtomicI64::new(0);
    let minutes = MINUTES.fetch_add(1, Ordering::Relaxed);
    OffsetDateTime::from_unix_timestamp(1_800_000_000).unwrap() + Duration::minutes(minutes)
}

pub fn metadata() -> Metadata {
    Metadata::new(json!({"kind": "system"}), tick())
}

pub fn of(streams: Vec<StreamAppend>) -> Append {
    Append::new(metadata(), streams)
}

pub fn pile(id: &str, expected: Expected, events: &[PileEvent]) -> StreamAppend {
    StreamAppend::new::<Pile>(id, expected, events).unwrap()
}

/// Counts a new pile.
pub async fn counted(store: &Store, id: &str, left: i64) -> Appended {
    let event = PileEvent::Counted { left };
    let append = of(vec![pile(id, Expected::NoStream, &[event])]);
    store.append(append).await.unwrap()
}

/// Number of deadlocks resolved by Postgres.
pub async fn deadlocks(store: &Store) -> i64 {
    // sessions report their statistics about once a second
    tokio::time::sleep(std::time::Duration::from_millis(1_500)).await;
    sqlx::query_scalar("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()")
        .fetch_one(store.pool())
        .await
        .unwrap()
}

/// Takes one unit, at any version.
pub fn take_any(id: &str) -> StreamAppend {
    pile(id, Expected::Any, &[PileEvent::Taken { many: 1 }])
}

pub fn key(name: &str, body: u8) -> CommandKey {
    CommandKey {
        scope: "member-7 POST orders".to_owned(),
        key: name.to_owned(),
        body_hash: [body; 32],
        expires_at: None,
    }
}
