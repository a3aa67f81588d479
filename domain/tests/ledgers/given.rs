//! given / when / then for one aggregate.

use std::fmt::Debug;

use domain::{Actor, Context, Decider};
use time::macros::datetime;
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

/// Noon in Seoul on the first day of all tests.
pub const NOON: OffsetDateTime = datetime!(2026-11-21 12:00 +9);

/// An id from a small number.
pub fn id<T: From<Uuid>>(number: u128) -> T {
    T::from(Uuid::from_u128(number))
}

/// The context at noon, with the program as actor.
pub fn at_noon() -> Context {
    Context {
        now: NOON,
        actor: Actor::System,
    }
}

/// An aggregate with past events.
pub struct Given<L> {
    ledger: L,
    context: Context,
}

/// The result of a command.
pub struct Then<L: Decider> {
    answer: Result<Vec<L::Event>, L::Error>,
}

/// An aggregate with these events.
pub fn given<L: Decider>(events: impl IntoIterator<Item = L::Event>) -> Given<L> {
    let mut ledger = L::default();
    for event in events {
        ledger.apply(event);
    }
    Given {
        ledger,
        context: at_noon(),
    }
}

impl<L: Decider> Given<L> {
    /// Sets another actor.
    pub fn by(mut self, actor: Actor) -> Self {
        self.context.actor = actor;
        self
    }

    /// Sets a time after noon.
    pub fn after(mut self, time: Duration) -> Self {
        self.context.now += time;
        self
    }

    /// Decides a command.
    pub fn when(&self, act: L::Input) -> Then<L> {
        Then {
            answer: self.ledger.decide(act, &self.context),
        }
    }
}

impl<L: Decider> Then<L>
where
    L::Error: PartialEq + Debug,
{
    /// Expects exactly these events.
    #[track_caller]
    pub fn then(self, events: impl IntoIterator<Item = L::Event>) {
        assert_eq!(self.answer, Ok(events.into_iter().collect()));
    }

    /// Expects no events and no error.
    #[track_caller]
    pub fn then_nothing(self) {
        assert_eq!(self.answer, Ok(vec![]));
    }

    /// Expects this error.
    #[track_caller]
    pub fn then_refuses(self, error: L::Error) {
        assert_eq!(self.answer, Err(error));
    }
}
