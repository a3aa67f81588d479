//! given / when / then over one ledger.

use std::fmt::Debug;

use domain::{Actor, Context, Decider};
use time::macros::datetime;
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

/// Noon in Seoul on the day all stories begin.
pub const NOON: OffsetDateTime = datetime!(2026-11-21 12:00 +9);

/// Any id, by a small number.
pub fn id<T: From<Uuid>>(number: u128) -> T {
    T::from(Uuid::from_u128(number))
}

/// At noon, by the program itself.
pub fn at_noon() -> Context {
    Context {
        now: NOON,
        actor: Actor::System,
    }
}

/// A ledger with a past.
pub struct Given<L> {
    ledger: L,
    context: Context,
}

/// What a ledger answered.
pub struct Then<L: Decider> {
    answer: Result<Vec<L::Event>, L::Error>,
}

/// A ledger to which these events happened.
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
    /// Somebody else acts.
    pub fn by(mut self, actor: Actor) -> Self {
        self.context.actor = actor;
        self
    }

    /// Later than noon.
    pub fn after(mut self, time: Duration) -> Self {
        self.context.now += time;
        self
    }

    /// What it answers.
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
    /// These events, exactly.
    #[track_caller]
    pub fn then(self, events: impl IntoIterator<Item = L::Event>) {
        assert_eq!(self.answer, Ok(events.into_iter().collect()));
    }

    /// It holds already: nothing happens, and nobody complains.
    #[track_caller]
    pub fn then_nothing(self) {
        assert_eq!(self.answer, Ok(vec![]));
    }

    /// It refuses.
    #[track_caller]
    pub fn then_refuses(self, error: L::Error) {
        assert_eq!(self.answer, Err(error));
    }
}
