//! The log as input of the folds: every event is decoded once, ahead of them, and passed to all.

use std::collections::BTreeMap;
use std::ops::Deref;

use domain::event::Aggregate;
use domain::record::Resource;
use event_store::{Payload, Store, StoreError, StoredEvent};
use serde::Deserialize;
use serde_json::{Map, Value};
use tokio::sync::mpsc;
use tokio::task::{JoinHandle, spawn_blocking};

use super::timing::{self, Paces, Work};
use super::{VerifyError, bad};

/// Stored events read at a time.
const PAGE: i64 = 2_000;
/// Pages read ahead of the folds.
const AHEAD: usize = 2;

macro_rules! events {
    (
        aggregates { $($name:ident: $state:ty,)+ }
        records { $($record:ty,)+ }
        declared { $($declared:ty,)+ }
    ) => {
        /// A decoded event.
        #[derive(Debug)]
        pub(super) enum Event {
            $(
                #[allow(dead_code, reason = "that an event can be read is checked even where no fold takes it")]
                $name(<$state as Aggregate>::Event),
            )+
            Record(RecordEvent),
            /// Of a kind that is not registered.
            Unknown,
        }

        impl Event {
            fn of(kind: &str, payload: &Payload) -> Result<Self, serde_json::Error> {
                Ok(match kind {
                    $(<$state as Aggregate>::TYPE => Self::$name(payload.read()?),)+
                    $(<$record as Resource>::KIND => Self::Record(payload.read()?),)+
                    $(<$declared as Resource>::KIND => Self::Record(payload.read()?),)+
                    _ => Self::Unknown,
                })
            }
        }
    };
}

domain::registered!(events);

/// A change of a record of any kind.
#[derive(Debug, Deserialize)]
pub(super) enum RecordEvent {
    Created {
        data: Map<String, Value>,
    },
    Revised {
        changes: BTreeMap<String, ChangedField>,
    },
    Removed {},
}

/// New value of a field.
#[derive(Debug, Deserialize)]
pub(super) struct ChangedField {
    #[serde(default)]
    pub to: Value,
}

/// An event of the log with its decoded content.
pub(super) struct DecodedEvent {
    pub recorded: StoredEvent,
    /// The decoded event, or the error of decoding it.
    event: Result<Event, String>,
}

impl DecodedEvent {
    fn of(recorded: StoredEvent) -> Self {
        let event = Event::of(&recorded.stream.kind, &recorded.payload);
        Self {
            event: event.map_err(|error| error.to_string()),
            recorded,
        }
    }

    /// The decoded event.
    pub fn event(&self) -> Result<&Event, VerifyError> {
        self.event.as_ref().map_err(|why| bad(self, why))
    }
}

impl Deref for DecodedEvent {
    type Target = StoredEvent;

    fn deref(&self) -> &StoredEvent {
        &self.recorded
    }
}

/// A page being decoded, and how long reading and decoding took.
type Page = JoinHandle<(Vec<DecodedEvent>, Paces)>;

/// Reads the log page by page.
pub(super) struct Log {
    pages: mpsc::Receiver<Page>,
    /// The reading task; none once its result was taken.
    reader: Option<JoinHandle<Result<(), StoreError>>>,
    /// Time spent reading and decoding.
    pub paces: Paces,
}

impl Log {
    /// Reads from the start up to a position.
    pub fn read(store: &Store, up_to: i64) -> Self {
        let (send, pages) = mpsc::channel(AHEAD);
        let reader = tokio::spawn(read(store.clone(), up_to, send));
        Self {
            pages,
            reader: Some(reader),
            paces: Paces::new(),
        }
    }

    /// The next page; never an empty one.
    pub async fn next(&mut self) -> Result<Option<Vec<DecodedEvent>>, VerifyError> {
        if let Some(page) = self.pages.recv().await {
            let (page, paces) = page.await?;
            timing::add(&mut self.paces, paces);
            return Ok(Some(page));
        }
        // end of the log, or the reading task has failed
        if let Some(reader) = self.reader.take() {
            reader.await??;
        }
        Ok(None)
    }
}

async fn read(store: Store, up_to: i64, send: mpsc::Sender<Page>) -> Result<(), StoreError> {
    let mut at = 0;
    while at < up_to {
        let (mut paces, work) = (Paces::new(), Work::begin());
        let page = store.read_all(at, up_to, PAGE).await?;
        let Some(last) = page.last() else {
            break;
        };
        at = last.position;
        let many = u64::try_from(page.len()).unwrap_or(u64::MAX);
        work.done(&mut paces, "reading", (many, 0));
        let told = spawn_blocking(move || {
            let work = Work::begin();
            let told = page.into_iter().map(DecodedEvent::of).collect();
            work.done(&mut paces, "understanding", (many, 0));
            (told, paces)
        });
        if send.send(told).await.is_err() {
            // the receiver was dropped
            break;
        }
    }
    Ok(())
}
