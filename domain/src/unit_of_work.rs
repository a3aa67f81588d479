//! A unit of work: one decision over several streams, written in one atomic append.
//!
//! A decision is a function of a [`UnitOfWork`]. It reads states with [`UnitOfWork::state`], lets aggregates decide with
//! [`UnitOfWork::decide`], and sees its own events in the states it reads afterwards. The streams it uses are its plan: there is no
//! separate list. The executor calls the decision, loads the streams it used that were not loaded, and calls it again from the start, until
//! it uses no new ones; only then does its result count. So a decision must be a pure function of the unit of work and its own arguments,
//! and it sees `Default` for a stream that is used for the first time.
//!
//! A decision that knows its streams early plans them with [`UnitOfWork::plan_read`] and [`UnitOfWork::plan_write`] and returns while
//! [`UnitOfWork::is_loaded`] is false: that saves rounds of loading.
//!
//! The unit of work tracks versions. A stream that was decided on is appended to at the version it was loaded at; one that was only read
//! must still have that version when the append is written.

use std::any::Any;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use cqrs_es::DomainEvent;
use serde_json::Value;

use crate::event::{Aggregate, Context, Decider};

/// Identifies a stream: the kind of its aggregate and its id.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StreamRef {
    /// `Aggregate::TYPE`.
    pub kind: &'static str,
    /// The aggregate's id.
    pub id: String,
}

impl StreamRef {
    /// The stream of the aggregate `A` with the id `id`.
    pub fn of<A: Aggregate>(id: impl fmt::Display) -> Self {
        Self {
            kind: A::TYPE,
            id: id.to_string(),
        }
    }
}

/// How a decision uses a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Access {
    /// Only read; must not change until the decision is written.
    Read,
    /// An aggregate decides on it.
    Write,
}

/// An event to append, in its stored form.
#[derive(Clone, Debug, PartialEq)]
pub struct PendingEvent {
    /// Stable event type.
    pub event_type: String,
    /// Version of the payload.
    pub event_version: String,
    /// The event as JSON.
    pub payload: Value,
}

/// The events decided for a stream, with the version it was loaded at.
pub type StreamWrite<'a> = (&'a StreamRef, u64, Vec<PendingEvent>);

/// A name to reserve or to release in the same append.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameChange {
    /// Scope of the name, e.g. `username`.
    pub scope: &'static str,
    /// Keyed hash of the name.
    pub key_hash: [u8; 32],
    /// The owner.
    pub owner: String,
    /// Whether the name is reserved; else it is released.
    pub reserved: bool,
}

/// The state of a stream, without its type: the interface for loading.
pub trait StreamState: Send + Sync {
    /// Starts from a snapshot of the state.
    ///
    /// # Errors
    /// The JSON is not a state of this aggregate.
    fn restore(&mut self, snapshot: &Value) -> Result<(), serde_json::Error>;

    /// Applies the next stored event.
    ///
    /// # Errors
    /// The JSON is not an event of this aggregate.
    fn replay(&mut self, payload: &str) -> Result<(), serde_json::Error>;

    /// The loaded state, as a snapshot.
    ///
    /// # Errors
    /// The state cannot be serialised as JSON.
    fn snapshot(&self) -> Result<Value, serde_json::Error>;
}

/// One stream of a unit of work, without its type.
pub trait WorkStream: StreamState {
    /// The decided events in their stored form.
    ///
    /// # Errors
    /// An event cannot be serialised as JSON.
    fn pending(&self) -> Result<Vec<PendingEvent>, serde_json::Error>;

    /// How many events are decided.
    fn decided(&self) -> usize;

    /// Drops the decided events but the first `keep`.
    fn rewind(&mut self, keep: usize);

    /// Drops the loaded state.
    fn unload(&mut self);

    /// For the typed methods of [`UnitOfWork`].
    fn as_any(&self) -> &dyn Any;

    /// For the typed methods of [`UnitOfWork`].
    fn as_any_mut(&mut self) -> &mut dyn Any;
}

struct TypedStream<A: Decider> {
    loaded: Arc<A>,
    current: Arc<A>,
    events: Vec<A::Event>,
}

impl<A: Decider> Default for TypedStream<A> {
    fn default() -> Self {
        let state = Arc::<A>::default();
        Self {
            loaded: Arc::clone(&state),
            current: state,
            events: Vec::new(),
        }
    }
}

impl<A: Decider> TypedStream<A> {
    fn of(state: A) -> Self {
        let state = Arc::new(state);
        Self {
            loaded: Arc::clone(&state),
            current: state,
            events: Vec::new(),
        }
    }

    fn set(&mut self, state: A) {
        *self = Self::of(state);
    }
}

impl<A: Decider> StreamState for TypedStream<A> {
    fn restore(&mut self, snapshot: &Value) -> Result<(), serde_json::Error> {
        self.set(serde::Deserialize::deserialize(snapshot)?);
        Ok(())
    }

    fn replay(&mut self, payload: &str) -> Result<(), serde_json::Error> {
        let event: A::Event = serde_json::from_str(payload)?;
        // a single owner, so that long streams are replayed without a copy per event
        self.current = Arc::default();
        Arc::make_mut(&mut self.loaded).apply(event);
        Ok(())
    }

    fn snapshot(&self) -> Result<Value, serde_json::Error> {
        serde_json::to_value(&*self.loaded)
    }
}

impl<A: Decider> WorkStream for TypedStream<A> {
    fn pending(&self) -> Result<Vec<PendingEvent>, serde_json::Error> {
        let stored = |event: &A::Event| {
            Ok(PendingEvent {
                event_type: event.event_type(),
                event_version: event.event_version(),
                payload: serde_json::to_value(event)?,
            })
        };
        self.events.iter().map(stored).collect()
    }

    fn decided(&self) -> usize {
        self.events.len()
    }

    fn rewind(&mut self, keep: usize) {
        self.events.truncate(keep);
        self.current = Arc::clone(&self.loaded);
        if keep > 0 {
            let state = Arc::make_mut(&mut self.current);
            let events = self.events.iter().cloned();
            events.for_each(|event| state.apply(event));
        }
    }

    fn unload(&mut self) {
        *self = Self::default();
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }
}

struct Slot {
    access: Access,
    /// Version of the loaded state; none before it is loaded.
    version: Option<u64>,
    hot: bool,
    stream: Box<dyn WorkStream>,
}

impl Slot {
    fn of<A: Decider>(access: Access) -> Self {
        Self {
            access,
            version: None,
            hot: A::HOT,
            stream: Box::<TypedStream<A>>::default(),
        }
    }
}

/// A decision over several streams, see the [module](self).
pub struct UnitOfWork {
    context: Context,
    streams: BTreeMap<StreamRef, Slot>,
    names: Vec<NameChange>,
}

impl fmt::Debug for UnitOfWork {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.streams.keys()).finish()
    }
}

/// Methods for decisions.
impl UnitOfWork {
    /// A unit of work without streams.
    pub const fn new(context: Context) -> Self {
        Self {
            context,
            streams: BTreeMap::new(),
            names: Vec::new(),
        }
    }

    /// The actor and the time of the decision.
    pub const fn context(&self) -> &Context {
        &self.context
    }

    /// Plans to read a stream.
    pub fn plan_read<A: Decider>(&mut self, id: impl fmt::Display) {
        self.typed::<A>(id, Access::Read);
    }

    /// Plans to decide on a stream.
    pub fn plan_write<A: Decider>(&mut self, id: impl fmt::Display) {
        self.typed::<A>(id, Access::Write);
    }

    /// Whether all planned streams are loaded. If not, the decision is called again, whatever it returns.
    pub fn is_loaded(&self) -> bool {
        self.streams.values().all(|slot| slot.version.is_some())
    }

    /// The state of an aggregate, including the events decided so far.
    pub fn state<A: Decider>(&mut self, id: impl fmt::Display) -> Arc<A> {
        self.typed::<A>(id, Access::Read)
            .map(|typed| Arc::clone(&typed.current))
            .unwrap_or_default()
    }

    /// The version at which an aggregate was loaded; 0 for one without events.
    pub fn version<A: Decider>(&mut self, id: impl fmt::Display) -> u64 {
        let stream = StreamRef::of::<A>(id);
        self.typed::<A>(&stream.id, Access::Read);
        let slot = self.streams.get(&stream);
        slot.and_then(|slot| slot.version).unwrap_or_default()
    }

    /// Lets an aggregate decide a command; returns the events, which are appended if the whole decision succeeds.
    ///
    /// # Errors
    /// The rule violated.
    pub fn decide<A: Decider>(
        &mut self,
        id: impl fmt::Display,
        command: A::Input,
    ) -> Result<Vec<A::Event>, A::Error> {
        let context = self.context.clone();
        let Some(typed) = self.typed::<A>(id, Access::Write) else {
            return Ok(Vec::new());
        };
        let events = typed.current.decide(command, &context)?;
        if !events.is_empty() {
            let state = Arc::make_mut(&mut typed.current);
            events.iter().cloned().for_each(|event| state.apply(event));
            typed.events.extend(events.iter().cloned());
        }
        Ok(events)
    }

    /// The events decided so far for an aggregate.
    pub fn events<A: Decider>(&self, id: impl fmt::Display) -> &[A::Event] {
        let slot = self.streams.get(&StreamRef::of::<A>(id));
        slot.and_then(|slot| slot.stream.as_any().downcast_ref::<TypedStream<A>>())
            .map(|typed| typed.events.as_slice())
            .unwrap_or_default()
    }

    /// Runs a part of the decision that may fail: if it does, its events are dropped, and the decision can continue without it.
    ///
    /// # Errors
    /// Errors of `decide`.
    pub fn attempt<R, E>(
        &mut self,
        decide: impl FnOnce(&mut Self) -> Result<R, E>,
    ) -> Result<R, E> {
        let names = self.names.len();
        let streams = self.streams.iter();
        let before: BTreeMap<StreamRef, usize> = streams
            .map(|(stream, slot)| (stream.clone(), slot.stream.decided()))
            .collect();
        let decided = decide(self);
        if decided.is_err() {
            self.names.truncate(names);
            for (stream, slot) in &mut self.streams {
                slot.stream
                    .rewind(before.get(stream).copied().unwrap_or_default());
            }
        }
        decided
    }

    /// Reserves a name; the append fails if another owner has it.
    pub fn reserve(&mut self, scope: &'static str, key_hash: [u8; 32], owner: impl fmt::Display) {
        self.name(scope, key_hash, owner, true);
    }

    /// Releases a name, if this owner has it.
    pub fn release(&mut self, scope: &'static str, key_hash: [u8; 32], owner: impl fmt::Display) {
        self.name(scope, key_hash, owner, false);
    }

    fn name(
        &mut self,
        scope: &'static str,
        key_hash: [u8; 32],
        owner: impl fmt::Display,
        reserved: bool,
    ) {
        self.names.push(NameChange {
            scope,
            key_hash,
            owner: owner.to_string(),
            reserved,
        });
    }

    fn typed<A: Decider>(
        &mut self,
        id: impl fmt::Display,
        access: Access,
    ) -> Option<&mut TypedStream<A>> {
        let slot = self
            .streams
            .entry(StreamRef::of::<A>(id))
            .or_insert_with(|| Slot::of::<A>(access));
        slot.access = slot.access.max(access);
        slot.stream.as_any_mut().downcast_mut()
    }
}

/// Methods for executors and tests.
impl UnitOfWork {
    /// Restarts the decision: drops its events and names, keeps the plan and the loaded states.
    pub fn rewind(&mut self) {
        self.names.clear();
        for slot in self.streams.values_mut() {
            slot.stream.rewind(0);
        }
    }

    /// Drops the loaded states too, for a decision on newer ones at another time.
    pub fn unload(&mut self, context: Context) {
        self.context = context;
        self.names.clear();
        for slot in self.streams.values_mut() {
            slot.version = None;
            slot.stream.unload();
        }
    }

    /// The plan so far: every stream used, and how.
    pub fn plan(&self) -> impl Iterator<Item = (&StreamRef, Access)> {
        self.streams
            .iter()
            .map(|(stream, slot)| (stream, slot.access))
    }

    /// Whether a contended stream is to be written, so that the decision has to run under locks.
    pub fn is_hot(&self) -> bool {
        let mut slots = self.streams.values();
        slots.any(|slot| slot.hot && slot.access == Access::Write)
    }

    /// Loads a planned stream: `load` restores and replays it and returns its version.
    ///
    /// # Errors
    /// Errors of `load`.
    pub fn load<E>(
        &mut self,
        stream: &StreamRef,
        load: impl FnOnce(&mut dyn WorkStream) -> Result<u64, E>,
    ) -> Result<(), E> {
        if let Some(slot) = self.streams.get_mut(stream) {
            slot.stream.unload();
            let version = load(slot.stream.as_mut())?;
            slot.stream.rewind(0);
            slot.version = Some(version);
        }
        Ok(())
    }

    /// Marks planned streams that are not loaded as streams without events, for tests in memory.
    pub fn load_rest_empty(&mut self) {
        for slot in self.streams.values_mut() {
            slot.version.get_or_insert(0);
        }
    }

    /// Sets a state in memory, for tests.
    pub fn insert<A: Decider>(&mut self, id: impl fmt::Display, state: A, version: u64) {
        let slot = Slot {
            version: Some(version),
            stream: Box::new(TypedStream::of(state)),
            ..Slot::of::<A>(Access::Read)
        };
        self.streams.insert(StreamRef::of::<A>(id), slot);
    }

    /// The decided events by stream, with the version the stream was loaded at; streams without events are omitted.
    ///
    /// # Errors
    /// An event cannot be serialised as JSON.
    pub fn writes(&self) -> Result<Vec<StreamWrite<'_>>, serde_json::Error> {
        let mut writes = Vec::new();
        for (stream, slot) in &self.streams {
            let events = slot.stream.pending()?;
            if !events.is_empty() {
                writes.push((stream, slot.version.unwrap_or_default(), events));
            }
        }
        Ok(writes)
    }

    /// The streams that were used and are not written, with the versions they were loaded at.
    ///
    /// # Errors
    /// An event cannot be serialised as JSON.
    pub fn reads(&self) -> Result<Vec<(&StreamRef, u64)>, serde_json::Error> {
        let mut reads = Vec::new();
        for (stream, slot) in &self.streams {
            if slot.stream.pending()?.is_empty() {
                reads.push((stream, slot.version.unwrap_or_default()));
            }
        }
        Ok(reads)
    }

    /// The names to reserve and to release.
    pub fn names(&self) -> &[NameChange] {
        &self.names
    }
}
