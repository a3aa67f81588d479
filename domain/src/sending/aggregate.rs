//! The sending aggregate: how far along its list of receivers it has come, and when the next part is due.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use time::{Duration, OffsetDateTime};

use super::events::{SendingChannel, SendingCrowd, SendingEvent, SendingText, SkippedReceiver};
use super::hours::next_advertising_hour;
use crate::decider;
use crate::event::{Context, Decider};
use crate::ids::MemberId;

/// Maximum number of receivers in a list; more are a crowd.
pub const SENDING_RECEIVERS_MOST: usize = 10_000;
/// The fastest pace, in receivers a minute.
pub const PACE_MOST: u32 = 6_000;
/// Parts a minute of a slow sending: few events, and a stop button that stops soon.
const PARTS_A_MINUTE: u32 = 12;
/// Receivers of a part at most.
const PART_MOST: u32 = 100;

/// What was ordered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SendingTerms {
    /// The way it travels.
    pub channel: SendingChannel,
    /// Whether it is advertising.
    pub advertising: bool,
    /// What receivers read.
    pub text: SendingText,
    /// How the receivers were named.
    pub target: String,
    /// The receivers; none of a crowd.
    pub members: Vec<MemberId>,
    /// The receivers, where they are too many for a list.
    #[serde(default)]
    pub crowd: Option<SendingCrowd>,
    /// Receivers a minute at most.
    pub per_minute: u32,
}

/// Current state of a sending.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Sending {
    /// What was ordered; none before that.
    pub terms: Option<SendingTerms>,
    /// How many of the list have been served.
    pub served: u32,
    /// Of a crowd: the last who has been served.
    #[serde(default)]
    pub last_served: Option<MemberId>,
    /// When the next part is due; none: nothing is left to send.
    #[serde(with = "time::serde::rfc3339::option")]
    pub due_at: Option<OffsetDateTime>,
    /// Staff stopped or withdrew it.
    pub stopped: bool,
    /// Its alarms were taken out of the drawers.
    pub withdrawn: bool,
}

/// Commands accepted by a sending.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SendingCommand {
    /// Order it.
    Order {
        /// What is ordered.
        terms: Box<SendingTerms>,
        /// Not before this time; none: now.
        starts_at: Option<OffsetDateTime>,
    },
    /// Change it before its end; the text only before its first part.
    Revise {
        /// What receivers read.
        text: SendingText,
        /// Receivers a minute at most.
        per_minute: u32,
        /// The next part not before this time; none: when it was due.
        starts_at: Option<OffsetDateTime>,
    },
    /// Record that the receivers of the next part have their turn, or that it is too late in the day for it.
    SendPart {
        /// The place the part begins at.
        from: u32,
        /// Of a crowd: the receivers of the part.
        members: Vec<MemberId>,
        /// Those of the part who get nothing.
        skipped: Vec<SkippedReceiver>,
    },
    /// Stop it.
    Stop {
        /// The reason.
        memo: String,
    },
    /// Stop it and take its alarms back.
    Withdraw {
        /// The reason.
        memo: String,
    },
}

/// Reasons why a sending rejects a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SendingError {
    /// It was not ordered.
    #[error("there is no such sending")]
    NotOrdered,
    /// It was ordered before.
    #[error("the sending has been ordered")]
    AlreadyOrdered,
    /// It has no receivers, or one of them twice.
    #[error("a sending needs receivers, each once")]
    NoReceivers,
    /// It has more receivers than [`SENDING_RECEIVERS_MOST`].
    #[error("a sending has at most {SENDING_RECEIVERS_MOST} receivers")]
    TooManyReceivers,
    /// The pace is zero or above [`PACE_MOST`].
    #[error("the pace is between 1 and {PACE_MOST} a minute")]
    WrongPace,
    /// It is done or stopped.
    #[error("nothing of the sending is left to send")]
    Over,
    /// Some receivers have the text.
    #[error("the text of a sending that has begun cannot be changed")]
    Begun,
    /// It was withdrawn, or cannot be: mail that was sent stays sent.
    #[error("there is nothing to withdraw")]
    NothingToWithdraw,
    /// The next part is not due.
    #[error("the next part is not due yet")]
    NotDue,
    /// A part was sent meanwhile.
    #[error("the sending has come to another place")]
    OtherPlace,
}

impl SendingError {
    /// Stable code for the wire.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NotOrdered => "sending_not_found",
            Self::AlreadyOrdered => "sending_already_ordered",
            Self::NoReceivers => "receivers_required",
            Self::TooManyReceivers => "too_many",
            Self::WrongPace => "pace",
            Self::Over => "sending_over",
            Self::Begun => "sending_begun",
            Self::NothingToWithdraw => "nothing_to_withdraw",
            Self::NotDue => "sending_not_due",
            Self::OtherPlace => "sending_other_place",
        }
    }
}

decider!(
    Sending,
    "sending",
    SendingCommand,
    SendingEvent,
    SendingError
);

impl Decider for Sending {
    type Input = SendingCommand;

    fn decide(
        &self,
        command: SendingCommand,
        context: &Context,
    ) -> Result<Vec<SendingEvent>, SendingError> {
        let now = context.now;
        if let SendingCommand::Order { terms, starts_at } = command {
            return self.order(*terms, starts_at.unwrap_or(now).max(now));
        }
        let terms = self.terms.as_ref().ok_or(SendingError::NotOrdered)?;
        match command {
            SendingCommand::Order { .. } => Ok(vec![]),
            SendingCommand::Revise {
                text,
                per_minute,
                starts_at,
            } => {
                let due = self.due_at.ok_or(SendingError::Over)?;
                check_pace(per_minute)?;
                if self.served > 0 && text != terms.text {
                    return Err(SendingError::Begun);
                }
                let due_at = terms.lawful(starts_at.map_or(due, |starts| starts.max(now)));
                if text == terms.text && per_minute == terms.per_minute && due_at == due {
                    return Ok(vec![]);
                }
                Ok(vec![SendingEvent::SendingRevised {
                    text,
                    per_minute,
                    due_at,
                }])
            }
            SendingCommand::SendPart {
                from,
                members,
                skipped,
            } => {
                let due = self.due_at.ok_or(SendingError::Over)?;
                if from != self.served {
                    return Err(SendingError::OtherPlace);
                }
                if due > now {
                    return Err(SendingError::NotDue);
                }
                let lawful = terms.lawful(now);
                if lawful > now {
                    return Ok(vec![SendingEvent::SendingPostponed { due_at: lawful }]);
                }
                let (part, is_rest) = match terms.crowd {
                    None => {
                        let part = number(self.next_part().len());
                        (part, terms.length() > from.saturating_add(part))
                    }
                    Some(crowd) => {
                        self.check_crowd(&members, crowd.last)?;
                        let part = number(members.len());
                        (part, part >= terms.part())
                    }
                };
                Ok(vec![SendingEvent::SendingPartSent {
                    from,
                    served: from.saturating_add(part),
                    members,
                    skipped,
                    due_at: is_rest.then(|| terms.lawful(now + terms.pause())),
                }])
            }
            SendingCommand::Stop { memo } => match self.due_at {
                Some(_) => Ok(vec![SendingEvent::SendingStopped { memo }]),
                None => Err(SendingError::Over),
            },
            SendingCommand::Withdraw { memo } => match (terms.channel, self.due_at) {
                (SendingChannel::Alarm, _) if !self.withdrawn => {
                    Ok(vec![SendingEvent::SendingWithdrawn { memo }])
                }
                (SendingChannel::Mail | SendingChannel::Sms, Some(_)) => {
                    Ok(vec![SendingEvent::SendingStopped { memo }])
                }
                _ => Err(SendingError::NothingToWithdraw),
            },
        }
    }
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

const fn check_pace(per_minute: u32) -> Result<(), SendingError> {
    match per_minute {
        1..=PACE_MOST => Ok(()),
        _ => Err(SendingError::WrongPace),
    }
}

impl SendingTerms {
    /// How many receivers it has; of a crowd, how many it had when it was ordered.
    pub fn length(&self) -> u32 {
        let listed = number(self.members.len());
        self.crowd.map_or(listed, |crowd| crowd.count)
    }

    /// Receivers of a part at this pace.
    pub fn part(&self) -> u32 {
        let part = self.per_minute.checked_div(PARTS_A_MINUTE);
        part.unwrap_or_default().clamp(1, PART_MOST)
    }

    /// The pause after a part, so that the pace is kept.
    pub fn pause(&self) -> Duration {
        Duration::seconds(60) * self.part() / self.per_minute.max(1)
    }

    /// When it may be sent from a moment on.
    fn lawful(&self, moment: OffsetDateTime) -> OffsetDateTime {
        match self.advertising {
            true => next_advertising_hour(moment),
            false => moment,
        }
    }
}

impl Sending {
    /// The next receivers of a list.
    pub fn next_part(&self) -> &[MemberId] {
        let most = self.terms.as_ref().map_or(0, SendingTerms::part);
        self.part(self.served, self.served.saturating_add(most))
    }

    /// The receivers from one place of the list up to another.
    pub fn part(&self, from: u32, to: u32) -> &[MemberId] {
        let Some(terms) = &self.terms else {
            return &[];
        };
        let place = |place: u32| usize::try_from(place.min(terms.length())).unwrap_or(usize::MAX);
        terms
            .members
            .get(place(from)..place(to))
            .unwrap_or_default()
    }

    /// The receivers of a part of a crowd: they follow those who have been served, in the order of their ids.
    fn check_crowd(&self, members: &[MemberId], last: MemberId) -> Result<(), SendingError> {
        let follow = members.iter().zip(members.iter().skip(1));
        let is_ordered = follow.into_iter().all(|(one, next)| one < next);
        let is_new = members.first() > self.last_served.as_ref() || members.is_empty();
        match is_ordered && is_new && members.iter().all(|member| *member <= last) {
            true => Ok(()),
            false => Err(SendingError::OtherPlace),
        }
    }

    fn order(
        &self,
        terms: SendingTerms,
        starts_at: OffsetDateTime,
    ) -> Result<Vec<SendingEvent>, SendingError> {
        if self.terms.is_some() {
            return Err(SendingError::AlreadyOrdered);
        }
        check_pace(terms.per_minute)?;
        if terms.members.len() > SENDING_RECEIVERS_MOST {
            return Err(SendingError::TooManyReceivers);
        }
        let once: BTreeSet<&MemberId> = terms.members.iter().collect();
        let is_listed = terms.crowd.is_none();
        if once.is_empty() == is_listed || once.len() < terms.members.len() {
            return Err(SendingError::NoReceivers);
        }
        let due_at = terms.lawful(starts_at);
        Ok(vec![SendingEvent::SendingOrdered {
            channel: terms.channel,
            advertising: terms.advertising,
            text: terms.text,
            target: terms.target,
            members: terms.members,
            crowd: terms.crowd,
            per_minute: terms.per_minute,
            due_at,
        }])
    }

    /// Applies `event` to the state.
    pub fn evolve(&mut self, event: SendingEvent) {
        match event {
            SendingEvent::SendingOrdered {
                channel,
                advertising,
                text,
                target,
                members,
                crowd,
                per_minute,
                due_at,
            } => {
                self.terms = Some(SendingTerms {
                    channel,
                    advertising,
                    text,
                    target,
                    members,
                    crowd,
                    per_minute,
                });
                self.due_at = Some(due_at);
            }
            SendingEvent::SendingRevised {
                text,
                per_minute,
                due_at,
            } => {
                if let Some(terms) = &mut self.terms {
                    terms.text = text;
                    terms.per_minute = per_minute;
                }
                self.due_at = Some(due_at);
            }
            SendingEvent::SendingPartSent {
                served,
                members,
                due_at,
                ..
            } => {
                self.served = served;
                self.last_served = members.last().copied().or(self.last_served);
                self.due_at = due_at;
            }
            SendingEvent::SendingPostponed { due_at } => self.due_at = Some(due_at),
            SendingEvent::SendingStopped { .. } => {
                self.stopped = true;
                self.due_at = None;
            }
            SendingEvent::SendingWithdrawn { .. } => {
                self.stopped = true;
                self.withdrawn = true;
                self.due_at = None;
            }
        }
    }
}
