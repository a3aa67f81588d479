//! The benchmark's aggregate: a stock from which units are taken.

use cqrs_es::event_sink::EventSink;
use cqrs_es::{Aggregate, DomainEvent};
use event_store::{Append, CommandKey, Expected, Metadata, StoreError, StreamAppend};
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use uuid::Uuid;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Event {
    Taken { many: i64, note: String },
}

impl DomainEvent for Event {
    fn event_type(&self) -> String {
        "Taken".to_owned()
    }

    fn event_version(&self) -> String {
        "1.0".to_owned()
    }
}

#[derive(Default, Serialize, Deserialize)]
pub struct Pile {
    taken: i64,
}

impl Aggregate for Pile {
    const TYPE: &'static str = "pile";
    type Command = i64;
    type Event = Event;
    type Error = std::fmt::Error;
    type Services = ();

    async fn handle(
        &mut self,
        many: i64,
        _services: &(),
        sink: &EventSink<Self>,
    ) -> Result<(), std::fmt::Error> {
        sink.write(taken(many), self).await;
        Ok(())
    }

    fn apply(&mut self, event: Event) {
        let Event::Taken { many, .. } = event;
        self.taken += many;
    }
}

pub fn taken(many: i64) -> Event {
    let note =
        "about as long as the small events of a shop usually are, some words and a few numbers";
    Event::Taken {
        many,
        note: note.to_owned(),
    }
}

pub fn append(streams: Vec<StreamAppend>) -> Append {
    let actor = serde_json::json!({"kind": "member", "id": Uuid::now_v7()});
    Append::new(Metadata::new(actor, OffsetDateTime::now_utc()), streams)
}

/// A command that puts one event each into `count` new streams.
pub fn command(count: u32) -> Result<Append, StoreError> {
    let streams = (0..count)
        .map(|_| StreamAppend::new::<Pile>(Uuid::now_v7(), Expected::NoStream, &[taken(1)]))
        .collect::<Result<_, _>>()?;
    Ok(Append {
        command: Some(CommandKey {
            scope: "bench".to_owned(),
            key: Uuid::now_v7().to_string(),
            body_hash: [7; 32],
            expires_at: Some(OffsetDateTime::now_utc() + time::Duration::DAY),
        }),
        ..append(streams)
    })
}
