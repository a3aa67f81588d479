//! The bulk grant aggregate: how far along its list of receivers it has come.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::events::{Benefit, BulkGrantEvent, GrantRefusal, RefusedReceiver};
use crate::decider;
use crate::event::{Context, Decider};
use crate::ids::MemberId;

/// Maximum number of receivers.
pub const RECEIVERS_MOST: usize = 10_000;

/// What was ordered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BulkGrantTerms {
    /// What each receiver gets.
    pub benefit: Benefit,
    /// The receivers.
    pub members: Vec<MemberId>,
    /// The reason shown to them.
    pub memo: String,
}

/// Current state of a bulk grant.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BulkGrant {
    /// What was ordered; none before that.
    pub terms: Option<BulkGrantTerms>,
    /// How many of the list have been served.
    pub served: u32,
    /// Those of them who got nothing because they had left.
    pub left_out: BTreeSet<MemberId>,
    /// Those of them who were refused, and why.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub refused: BTreeMap<MemberId, GrantRefusal>,
    /// The reason it was stopped.
    pub stopped: Option<String>,
    /// Once it is stopped: from how many of the list what was left has been taken back.
    pub cleared: u32,
    /// The shop's own note.
    pub note: String,
}

/// Commands accepted by a bulk grant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BulkGrantCommand {
    /// Order it.
    Order(BulkGrantTerms),
    /// Record that receivers up to this place have been served.
    Serve {
        /// How many of the list.
        served: u32,
        /// Those of the part who got nothing because they had left.
        left_out: Vec<MemberId>,
        /// Those of the part who were refused.
        refused: Vec<RefusedReceiver>,
    },
    /// Stop it.
    Stop {
        /// The reason.
        memo: String,
    },
    /// Record that what was left has been taken back from receivers up to this place.
    Clear {
        /// How many of the list.
        cleared: u32,
    },
    /// Write a note.
    Note {
        /// The note.
        memo: String,
    },
}

/// Reasons why a bulk grant rejects a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BulkGrantError {
    /// It was not ordered.
    #[error("there is no such bulk grant")]
    NotOrdered,
    /// It was ordered with other terms.
    #[error("the bulk grant has been ordered with other terms")]
    AlreadyOrdered,
    /// It has no receivers, or one of them twice.
    #[error("a bulk grant needs receivers, each once")]
    NoReceivers,
    /// It has more receivers than [`RECEIVERS_MOST`].
    #[error("a bulk grant has at most {RECEIVERS_MOST} receivers")]
    TooManyReceivers,
    /// It was stopped.
    #[error("the bulk grant has been stopped")]
    Stopped,
    /// A place of the list was passed over or is taken twice.
    #[error("the bulk grant has come to another place")]
    OtherPlace,
}

impl BulkGrantError {
    /// Stable code for the wire.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NotOrdered => "bulk_grant_not_found",
            Self::AlreadyOrdered => "bulk_grant_already_ordered",
            Self::NoReceivers => "receivers_required",
            Self::TooManyReceivers => "too_many",
            Self::Stopped => "bulk_grant_stopped",
            Self::OtherPlace => "bulk_grant_other_place",
        }
    }
}

decider!(
    BulkGrant,
    "bulk-grant",
    BulkGrantCommand,
    BulkGrantEvent,
    BulkGrantError
);

impl Decider for BulkGrant {
    type Input = BulkGrantCommand;

    fn decide(
        &self,
        command: BulkGrantCommand,
        _context: &Context,
    ) -> Result<Vec<BulkGrantEvent>, BulkGrantError> {
        let length = || self.length().ok_or(BulkGrantError::NotOrdered);
        match command {
            BulkGrantCommand::Order(terms) => self.order(terms),
            BulkGrantCommand::Serve {
                served,
                left_out,
                refused,
            } => {
                if served <= self.served || served > length()? {
                    return Err(BulkGrantError::OtherPlace);
                }
                match self.stopped {
                    Some(_) => Err(BulkGrantError::Stopped),
                    None => Ok(vec![BulkGrantEvent::BulkGrantPartGiven {
                        served,
                        left_out,
                        refused,
                    }]),
                }
            }
            BulkGrantCommand::Stop { memo } => {
                length()?;
                match self.stopped {
                    Some(_) => Err(BulkGrantError::Stopped),
                    None => Ok(vec![BulkGrantEvent::BulkGrantStopped { memo }]),
                }
            }
            BulkGrantCommand::Clear { cleared } => {
                let is_next = cleared > self.cleared && cleared <= self.served;
                match self.stopped.is_some() && is_next {
                    true => Ok(vec![BulkGrantEvent::BulkGrantPartTaken { cleared }]),
                    false => Err(BulkGrantError::OtherPlace),
                }
            }
            BulkGrantCommand::Note { memo } => {
                length()?;
                Ok(match memo == self.note {
                    true => vec![],
                    false => vec![BulkGrantEvent::BulkGrantNoted { memo }],
                })
            }
        }
    }
}

impl BulkGrant {
    /// How many receivers it has; none before it is ordered.
    pub fn length(&self) -> Option<u32> {
        let terms = self.terms.as_ref()?;
        u32::try_from(terms.members.len()).ok()
    }

    /// Whether there is nothing left to give or to take back.
    pub fn is_done(&self) -> bool {
        match self.stopped {
            Some(_) => self.cleared == self.served,
            None => self.length().is_none_or(|length| self.served == length),
        }
    }

    /// The next receivers to serve or, once it is stopped, to take from; at most so many.
    pub fn next_part(&self, most: u32) -> &[MemberId] {
        let members = self.terms.as_ref().map(|terms| terms.members.as_slice());
        let (from, end) = match self.stopped {
            Some(_) => (self.cleared, self.served),
            None => (self.served, self.length().unwrap_or_default()),
        };
        let to = from.saturating_add(most).min(end);
        let place = |place: u32| usize::try_from(place).unwrap_or(usize::MAX);
        members
            .and_then(|members| members.get(place(from)..place(to)))
            .unwrap_or_default()
    }

    fn order(&self, terms: BulkGrantTerms) -> Result<Vec<BulkGrantEvent>, BulkGrantError> {
        match &self.terms {
            Some(before) if *before == terms => return Ok(vec![]),
            Some(_) => return Err(BulkGrantError::AlreadyOrdered),
            None => {}
        }
        if terms.members.len() > RECEIVERS_MOST {
            return Err(BulkGrantError::TooManyReceivers);
        }
        let once: BTreeSet<&MemberId> = terms.members.iter().collect();
        if once.is_empty() || once.len() < terms.members.len() {
            return Err(BulkGrantError::NoReceivers);
        }
        Ok(vec![BulkGrantEvent::BulkGrantOrdered {
            benefit: terms.benefit,
            members: terms.members,
            memo: terms.memo,
        }])
    }

    /// Applies `event` to the state.
    pub fn evolve(&mut self, event: BulkGrantEvent) {
        match event {
            BulkGrantEvent::BulkGrantOrdered {
                benefit,
                members,
                memo,
            } => {
                self.terms = Some(BulkGrantTerms {
                    benefit,
                    members,
                    memo,
                });
            }
            BulkGrantEvent::BulkGrantPartGiven {
                served,
                left_out,
                refused,
            } => {
                self.served = served;
                self.left_out.extend(left_out);
                let refused = refused.into_iter();
                self.refused
                    .extend(refused.map(|one| (one.member, one.reason)));
            }
            BulkGrantEvent::BulkGrantStopped { memo } => self.stopped = Some(memo),
            BulkGrantEvent::BulkGrantPartTaken { cleared } => self.cleared = cleared,
            BulkGrantEvent::BulkGrantNoted { memo } => self.note = memo,
        }
    }
}
