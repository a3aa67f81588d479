//! What every ledger shares: the context of a decision, and how events name themselves.

pub use cqrs_es::Aggregate;
use cqrs_es::DomainEvent;
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use utoipa::ToSchema;

use crate::ids::MemberId;

/// Who caused a change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum Actor {
    /// A shopper or seller acting for themselves.
    Member {
        /// Who.
        id: MemberId,
    },
    /// Staff acting in the console.
    Operator {
        /// Who.
        id: MemberId,
    },
    /// Somebody without an account.
    Guest,
    /// A rule of the shop reacting to an event or a deadline.
    Policy {
        /// Which rule, e.g. `unpaid-deadline`.
        name: String,
    },
    /// An outside service (a payment notice).
    Service {
        /// Which one, e.g. `nice`.
        name: String,
    },
    /// The program itself: seeding, migration.
    System,
}

impl Actor {
    /// The member it was, staff included; none: nobody with an account.
    pub const fn member(&self) -> Option<MemberId> {
        match self {
            Self::Member { id } | Self::Operator { id } => Some(*id),
            Self::Guest | Self::Policy { .. } | Self::Service { .. } | Self::System => None,
        }
    }
}

/// What a decision may know about the world.
#[derive(Clone, Debug)]
pub struct Context {
    /// The injected clock; becomes `occurredAt` of every event decided.
    pub now: OffsetDateTime,
    /// Who asks.
    pub actor: Actor,
}

/// An aggregate that decides synchronously and purely.
///
/// cqrs-es' `handle` of a ledger only calls [`Ledger::decide`] and writes what it answers.
pub trait Decider: Aggregate<Command = (Self::Input, Context)> {
    /// What can be asked of it.
    type Input;

    /// What may happen next, or why it may not.
    ///
    /// # Errors
    /// The rule that refused the command.
    fn decide(&self, act: Self::Input, context: &Context) -> Result<Vec<Self::Event>, Self::Error>;

    /// What happens if several things are asked one after the other: each is decided on what the ones before it made.
    ///
    /// # Errors
    /// The rule that refused one of them; then nothing happens.
    fn decide_all(
        &self,
        acts: impl IntoIterator<Item = Self::Input>,
        context: &Context,
    ) -> Result<Vec<Self::Event>, Self::Error>
    where
        Self: Clone,
    {
        let mut state = self.clone();
        let mut all = Vec::new();
        for act in acts {
            let events = state.decide(act, context)?;
            for event in &events {
                state.apply(event.clone());
            }
            all.extend(events);
        }
        Ok(all)
    }
}

/// One stored sample of each event type and version of a ledger (fixtures; also used to prove that samples are complete).
pub trait EventNames: DomainEvent {
    /// All (type, version) pairs this build writes.
    const NAMES: &'static [(&'static str, &'static str)];
    /// The Korean title of each type, as histories show it.
    const TITLES: &'static [(&'static str, &'static str)];
}

/// Gives an event enum its stable names, versions and Korean titles: `domain_event!(OrderEvent { OrderPaid "1.0" "결제가 완료되었습니다" });`
///
/// The variant's name is the stored type; renaming one breaks the log, so the sample tests fail first.
#[macro_export]
macro_rules! domain_event {
    ($event:ident { $($variant:ident $version:literal $title:literal),+ $(,)? }) => {
        impl ::cqrs_es::DomainEvent for $event {
            fn event_type(&self) -> String {
                match self { $(Self::$variant { .. } => stringify!($variant).to_owned(),)+ }
            }
            fn event_version(&self) -> String {
                match self { $(Self::$variant { .. } => $version.to_owned(),)+ }
            }
        }
        impl $crate::event::EventNames for $event {
            const NAMES: &'static [(&'static str, &'static str)] = &[$((stringify!($variant), $version)),+];
            const TITLES: &'static [(&'static str, &'static str)] = &[$((stringify!($variant), $title)),+];
        }
    };
}

/// Implements cqrs-es' `Aggregate` for a ledger that has `fold(&mut self, Event)` and implements [`Ledger`].
///
/// `decider!(Order, "order", OrderCommand, OrderEvent, OrderError);` Commands carry their [`Context`].
#[macro_export]
macro_rules! decider {
    ($state:ident, $kind:literal, $command:ident, $event:ident, $error:ident) => {
        impl ::cqrs_es::Aggregate for $state {
            const TYPE: &'static str = $kind;
            type Command = ($command, $crate::event::Context);
            type Event = $event;
            type Error = $error;
            type Services = ();

            async fn handle(
                &mut self,
                (command, context): Self::Command,
                _services: &(),
                sink: &::cqrs_es::event_sink::EventSink<Self>,
            ) -> Result<(), Self::Error> {
                for event in self.decide(command, &context)? {
                    sink.write(event, self).await;
                }
                Ok(())
            }

            fn apply(&mut self, event: Self::Event) {
                self.evolve(event);
            }
        }
    };
}
