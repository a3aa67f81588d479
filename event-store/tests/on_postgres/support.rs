//! A pile of goods to count and take from, and short ways to append.

use std::sync::atomic::{AtomicI64, Ordering};

use cqrs_es::event_sink::EventSink;
use cqrs_es::{Aggregate, DomainEvent};
use event_store::{Append, Appended, CommandKey, Expected, Metadata, Store, StreamAppend};
use serde::{Deserialize, Serialize};
use serde_json::json;
use time::{Duration, OffsetDateTime};

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

impl Pile {
    pub fn decide(&self, command: PileCommand) -> Result<Vec<PileEvent>, SoldOut> {
        match command {
            PileCommand::Count(left) => Ok(vec![PileEvent::Counted { left }]),
            PileCommand::Take(many) if many > self.left => Err(SoldOut),
            PileCommand::Take(many) => Ok(vec![PileEvent::Taken { many }]),
        }
    }
}

impl Aggregate for Pile {
    const TYPE: &'static str = "pile";
    type Command = PileCommand;
    type Event = PileEvent;
    type Error = SoldOut;
    type Services = ();

    async fn handle(
        &mut self,
        command: PileCommand,
        _services: &(),
        sink: &EventSink<Self>,
    ) -> Result<(), SoldOut> {
        for event in self.decide(command)? {
            sink.write(event, self).await;
        }
        Ok(())
    }

    fn apply(&mut self, event: PileEvent) {
        match event {
            PileEvent::Counted { left } => self.left = left,
            PileEvent::Taken { many } => self.left -= many,
        }
    }
}

/// A clock that goes one minute a call.
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

/// How often Postgres had to end a deadlock.
pub async fn deadlocks(store: &Store) -> i64 {
    // sessions report what they counted about once a second
    tokio::time::sleep(std::time::Duration::from_millis(1_500)).await;
    sqlx::query_scalar("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()")
        .fetch_one(store.pool())
        .await
        .unwrap()
}

/// Takes one, whatever the head is.
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
