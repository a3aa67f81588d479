//! A member's entry in a raffle. Its id follows from the event and the member, so that a member enters once.

use serde::{Deserialize, Serialize};

use super::hash::RaffleHash;
use crate::event::{Context, Decider};
use crate::ids::{CouponId, MemberId, RaffleEntryId, ShopEventId, derived_id};
use crate::{decider, domain_event};

/// The entry of a member in the raffle of an event. It is in the log, so it may not change.
pub fn raffle_entry_id(raffle: ShopEventId, member: MemberId) -> RaffleEntryId {
    RaffleEntryId(derived_id(&format!("raffle {raffle} of {member}")))
}

/// Events of an entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all_fields = "camelCase")]
pub enum RaffleEntryEvent {
    /// The member entered.
    RaffleEntered {
        /// The event.
        raffle: ShopEventId,
        /// The member.
        member: MemberId,
        /// The number that the raffle counted in the same append.
        number: u32,
        /// The published mark.
        mark: RaffleHash,
    },
    /// The entry won. Written in the append of the draw.
    RaffleWon {
        /// The event.
        raffle: ShopEventId,
        /// The member.
        member: MemberId,
        /// The number.
        number: u32,
        /// The coupon that the member gets, if any.
        prize: Option<CouponId>,
    },
}

domain_event!(RaffleEntryEvent {
    RaffleEntered "1.0" "추첨에 응모했습니다",
    RaffleWon "1.0" "추첨에 당첨되었습니다",
});

/// Current state of an entry.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RaffleEntry {
    /// What was entered; none before that.
    pub entered: Option<RaffleTicket>,
    /// Whether it won.
    pub won: bool,
}

/// What a member holds of a raffle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RaffleTicket {
    /// The event.
    pub raffle: ShopEventId,
    /// The member.
    pub member: MemberId,
    /// The number, from 1.
    pub number: u32,
    /// The published mark.
    pub mark: RaffleHash,
}

/// Commands accepted by an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RaffleEntryCommand {
    /// Enter, under the number that the raffle counts in the same append.
    Enter(RaffleTicket),
    /// Win, in the append of the draw.
    Win {
        /// The coupon that the member gets, if any.
        prize: Option<CouponId>,
    },
}

/// Reasons why an entry rejects a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RaffleEntryError {
    /// The member has entered.
    #[error("the member has entered this raffle")]
    EnteredBefore,
    /// The member has not entered.
    #[error("the member has not entered this raffle")]
    NotEntered,
    /// It has won.
    #[error("the entry has won already")]
    WonBefore,
}

impl RaffleEntryError {
    /// Stable code for the wire.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::EnteredBefore => "raffle_entered",
            Self::NotEntered => "raffle_not_entered",
            Self::WonBefore => "raffle_won",
        }
    }
}

decider!(
    RaffleEntry,
    "raffle-entry",
    RaffleEntryCommand,
    RaffleEntryEvent,
    RaffleEntryError
);

impl Decider for RaffleEntry {
    type Input = RaffleEntryCommand;

    fn decide(
        &self,
        command: RaffleEntryCommand,
        _context: &Context,
    ) -> Result<Vec<RaffleEntryEvent>, RaffleEntryError> {
        match (command, self.entered) {
            (RaffleEntryCommand::Enter(_), Some(_)) => Err(RaffleEntryError::EnteredBefore),
            (RaffleEntryCommand::Enter(ticket), None) => {
                Ok(vec![RaffleEntryEvent::RaffleEntered {
                    raffle: ticket.raffle,
                    member: ticket.member,
                    number: ticket.number,
                    mark: ticket.mark,
                }])
            }
            (RaffleEntryCommand::Win { .. }, None) => Err(RaffleEntryError::NotEntered),
            (RaffleEntryCommand::Win { .. }, Some(_)) if self.won => {
                Err(RaffleEntryError::WonBefore)
            }
            (RaffleEntryCommand::Win { prize }, Some(ticket)) => {
                Ok(vec![RaffleEntryEvent::RaffleWon {
                    raffle: ticket.raffle,
                    member: ticket.member,
                    number: ticket.number,
                    prize,
                }])
            }
        }
    }
}

impl RaffleEntry {
    /// Applies `event` to the state.
    pub fn evolve(&mut self, event: RaffleEntryEvent) {
        match event {
            RaffleEntryEvent::RaffleEntered {
                raffle,
                member,
                number,
                mark,
            } => {
                self.entered = Some(RaffleTicket {
                    raffle,
                    member,
                    number,
                    mark,
                });
            }
            RaffleEntryEvent::RaffleWon { .. } => self.won = true,
        }
    }
}
