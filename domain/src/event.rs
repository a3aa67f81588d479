//! Shared traits of aggregates: deciding commands in a context, and stable event names.

pub use cqrs_es::Aggregate;
use cqrs_es::DomainEvent;
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use utoipa::ToSchema;

use crate::ids::MemberId;

/// The party that caused a change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum Actor {
    /// A shopper or seller acting for themselves.
    Member {
        /// Id of the member.
        id: MemberId,
    },
    /// Staff acting in the console.
    Operator {
        /// Id of the operator.
        id: MemberId,
    },
    /// A visitor without an account.
    Guest,
    /// A rule of the shop reacting to an event or a deadline.
    Policy {
        /// Name of the policy, e.g. `unpaid-deadline`.
        name: String,
    },
    /// An external service (a payment notice).
    Service {
        /// Name of the service, e.g. `nice`.
        name: String,
    },
    /// The program itself: seeding, migration.
    System,
}

impl Actor {
    /// The member or operator; none for actors without an account.
    pub const fn member(&self) -> Option<MemberId> {
        match self {
            Self::Member { id } | Self::Operator { id } => Some(*id),
            Self::Guest | Self::Policy { .. } | Self::Service { .. } | Self::System => None,
        }
    }
}

/// Inputs of a decision besides state and command.
#[derive(Clone, Debug)]
pub struct Context {
    /// The injected clock; the `occurredAt` of every event decided.
    pub now: OffsetDateTime,
    /// The actor that issued the command.
    pub actor: Actor,
}

/// An aggregate that decides synchronously and purely.
///
/// The cqrs-es `handle` of an aggregate only calls [`Decider::decide`] and writes the events it returns.
pub trait Decider: Aggregate<Command = (Self::Input, Context)> + Clone + 'static {
    /// The commands it accepts, without their [`Context`].
    type Input;

    /// Whether many commands write the same stream at once (stock, limited campaigns). Decisions that write it are made under
    /// locks; others are made on expected versions, and repeated on conflicts.
    const HOT: bool = false;

    /// Decides a command: returns the events to append.
    ///
    /// # Errors
    /// The rule the command violates.
    fn decide(
        &self,
        command: Self::Input,
        context: &Context,
    ) -> Result<Vec<Self::Event>, Self::Error>;

    /// Decides several commands in sequence, each on the state after the previous ones.
    ///
    /// # Errors
    /// The first rule violated; then no events are returned.
    fn decide_all(
        &self,
        commands: impl IntoIterator<Item = Self::Input>,
        context: &Context,
    ) -> Result<Vec<Self::Event>, Self::Error> {
        let mut state = self.clone();
        let mut all = Vec::new();
        for command in commands {
            let events = state.decide(command, context)?;
            for event in &events {
                state.apply(event.clone());
            }
            all.extend(events);
        }
        Ok(all)
    }
}

/// The stored names of an aggregate's events, used to prove that upcasters and samples are complete.
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

/// Implements the cqrs-es `Aggregate` for a type that has `evolve(&mut self, Event)` and implements [`Decider`].
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
