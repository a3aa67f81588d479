//! The message aggregate: an intention before each attempt, an outcome after it, and no attempt while an outcome is unknown.

use serde::{Deserialize, Serialize};
use time::{Duration, OffsetDateTime};
use utoipa::ToSchema;

use super::events::{
    Channel, FailureReason, GiveUpReason, MessageCause, MessageContent, MessageEvent, Template,
    TemplateVersion,
};
use crate::decider;
use crate::event::{Context, Decider};
use crate::personal::Sealed;

/// Pauses after failed attempts; after one more attempt than there are pauses it is given up.
const PAUSES: [Duration; 8] = [
    Duration::seconds(15),
    Duration::minutes(1),
    Duration::minutes(5),
    Duration::minutes(15),
    Duration::hours(1),
    Duration::hours(3),
    Duration::hours(6),
    Duration::hours(12),
];

/// Pauses before the service is asked what became of an attempt. The first is longer than a call may take; after the last it is left to
/// staff.
const ASKS: [Duration; 5] = [
    Duration::minutes(3),
    Duration::minutes(5),
    Duration::minutes(15),
    Duration::hours(1),
    Duration::hours(6),
];

/// Pauses before the service is asked whether a message arrived: three days in all, as long as carriers try.
const REPORTS: [Duration; 8] = [
    Duration::minutes(1),
    Duration::minutes(4),
    Duration::minutes(25),
    Duration::hours(2),
    Duration::hours(9),
    Duration::hours(12),
    Duration::hours(24),
    Duration::hours(24),
];

/// An attempt takes at most this long; one without an outcome after it is uncertain. Senders give up well before.
pub const ATTEMPT_MOST: Duration = Duration::minutes(5);

/// Stages of a message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum MessageState {
    /// To be sent.
    #[default]
    Requested,
    /// An attempt is in progress.
    Sending,
    /// The server has it.
    Sent,
    /// It arrived, as the service reported.
    Delivered,
    /// An attempt failed; it is tried again.
    Deferred,
    /// The server refused it for good, or reported later that it did not arrive.
    Bounced,
    /// It is not known whether the server has it.
    Uncertain,
    /// It is not sent.
    GivenUp,
}

impl MessageState {
    /// Its name on the wire and in stored columns.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Requested => "REQUESTED",
            Self::Sending => "SENDING",
            Self::Sent => "SENT",
            Self::Delivered => "DELIVERED",
            Self::Deferred => "DEFERRED",
            Self::Bounced => "BOUNCED",
            Self::Uncertain => "UNCERTAIN",
            Self::GivenUp => "GIVEN_UP",
        }
    }

    /// Whether staff may have it sent again.
    pub const fn is_resendable(self) -> bool {
        matches!(self, Self::Bounced | Self::Uncertain | Self::GivenUp)
    }
}

/// What is to be sent to whom.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MessageTerms {
    /// The way it travels.
    pub channel: Channel,
    /// The template it is written from.
    pub template: Template,
    /// What it was made for.
    pub cause: MessageCause,
    /// Receiver and variables.
    pub content: Sealed<MessageContent>,
    /// After this it is not sent any more.
    #[serde(with = "time::serde::rfc3339::option")]
    pub expires_at: Option<OffsetDateTime>,
}

/// Current state of a message.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Message {
    /// What is to be sent; none before it is requested.
    pub terms: Option<MessageTerms>,
    /// Its stage.
    pub state: MessageState,
    /// Attempts begun so far.
    pub attempts: u32,
    /// Of these: before staff last had it sent again.
    pub earlier_attempts: u32,
    /// While it is deferred: when the next attempt is due; during an attempt: when it counts as uncertain without an outcome; while it is
    /// uncertain: when the service is asked; once it is sent: when the service is asked whether it arrived.
    #[serde(with = "time::serde::rfc3339::option")]
    pub due_at: Option<OffsetDateTime>,
    /// Whether it stops mail to its address: the server said that there is no such address, and staff have not lifted it.
    pub stops_address: bool,
    /// How often the service was to be asked for the present attempt.
    pub asks: u32,
    /// Id of the present attempt at the server, once sent; empty if it named none.
    #[serde(default)]
    pub queue_id: String,
    /// How often the service was to be asked whether the present attempt arrived.
    #[serde(default)]
    pub reports: u32,
}

/// Commands accepted by a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MessageCommand {
    /// Request it; nothing happens if it was requested before.
    Request(Box<MessageTerms>),
    /// Begin an attempt, written from this template record; none: the built-in text.
    Attempt(Option<TemplateVersion>),
    /// Record that the server has taken it.
    RecordSent {
        /// The attempt.
        attempt: u32,
        /// The server's id of it.
        queue_id: String,
    },
    /// Record that the attempt failed.
    RecordFailure {
        /// The attempt.
        attempt: u32,
        /// Why.
        reason: FailureReason,
        /// The server's reply code.
        code: Option<u16>,
    },
    /// Record that the attempt's outcome is unknown: the connection broke while the server decided, or the service did not answer when it was
    /// asked.
    RecordUncertain {
        /// The attempt.
        attempt: u32,
    },
    /// Record that a sent message arrived.
    RecordDelivered {
        /// The attempt.
        attempt: u32,
    },
    /// Record that a sent message did not arrive.
    RecordUndelivered {
        /// The attempt.
        attempt: u32,
        /// Why.
        reason: FailureReason,
        /// The code of the report.
        code: Option<u16>,
    },
    /// Record that the service had no report when it was asked.
    RecordReportMissing {
        /// The attempt.
        attempt: u32,
    },
    /// Conclude an attempt whose sender has not recorded an outcome in time.
    Conclude,
    /// Give it up.
    GiveUp(GiveUpReason),
    /// Send it again.
    Resend,
    /// Lift the stop of mail to its address.
    ReleaseAddress {
        /// The reason.
        memo: String,
    },
}

/// Reasons why a message rejects a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MessageError {
    /// It was not requested.
    #[error("there is no such message")]
    NotRequested,
    /// Its stage does not allow it.
    #[error("not allowed in stage {0:?}")]
    OtherState(MessageState),
    /// The next attempt is not due, or the present one may still have an outcome.
    #[error("it is not due yet")]
    NotDue,
    /// It is too late to send it.
    #[error("it is too late to send the message")]
    Expired,
    /// Another attempt is in progress.
    #[error("the outcome is of another attempt")]
    OtherAttempt,
    /// It does not stop mail to its address.
    #[error("the message does not stop mail to its address")]
    NotStopping,
}

impl MessageError {
    /// Stable code for the wire.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NotRequested => "message_not_found",
            Self::OtherState(_) => "message_other_state",
            Self::NotDue => "message_not_due",
            Self::Expired => "message_expired",
            Self::OtherAttempt => "message_other_attempt",
            Self::NotStopping => "message_not_stopping",
        }
    }
}

decider!(
    Message,
    "message",
    MessageCommand,
    MessageEvent,
    MessageError
);

impl Decider for Message {
    type Input = MessageCommand;

    fn decide(
        &self,
        command: MessageCommand,
        context: &Context,
    ) -> Result<Vec<MessageEvent>, MessageError> {
        if let MessageCommand::Request(terms) = command {
            return Ok(self.request(*terms));
        }
        let terms = self.terms.as_ref().ok_or(MessageError::NotRequested)?;
        let now = context.now;
        let is_expired = terms.expires_at.is_some_and(|at| at <= now);
        match command {
            MessageCommand::Request(_) => Ok(vec![]),
            MessageCommand::Attempt(text) => match self.state {
                MessageState::Requested | MessageState::Deferred
                    if self.due_at.is_some_and(|due| due > now) =>
                {
                    Err(MessageError::NotDue)
                }
                MessageState::Requested | MessageState::Deferred if is_expired => {
                    Err(MessageError::Expired)
                }
                MessageState::Requested | MessageState::Deferred => {
                    let attempt = self.attempts.saturating_add(1);
                    let conclude_at = now + ATTEMPT_MOST;
                    Ok(vec![MessageEvent::MessageAttempted {
                        attempt,
                        conclude_at,
                        text,
                    }])
                }
                other => Err(MessageError::OtherState(other)),
            },
            MessageCommand::RecordSent { attempt, queue_id } => {
                self.is_outcome_open(attempt)?;
                let pause = REPORTS.first().filter(|_| terms.channel.is_askable());
                Ok(vec![MessageEvent::MessageSent {
                    attempt,
                    queue_id,
                    report_at: pause.map(|pause| now + *pause),
                }])
            }
            MessageCommand::RecordDelivered { attempt } => {
                Ok(match self.is_report_open(attempt)? {
                    true => vec![MessageEvent::MessageDelivered { attempt }],
                    false => vec![],
                })
            }
            MessageCommand::RecordUndelivered {
                attempt,
                reason,
                code,
            } => Ok(match self.is_report_open(attempt)? {
                true => vec![MessageEvent::MessageBounced {
                    attempt,
                    reason,
                    code,
                }],
                false => vec![],
            }),
            MessageCommand::RecordReportMissing { attempt } => {
                let is_due = self.due_at.is_some_and(|due| due <= now);
                if !self.is_report_open(attempt)? || !is_due {
                    return Ok(vec![]);
                }
                let place = usize::try_from(self.reports).unwrap_or(usize::MAX);
                Ok(vec![MessageEvent::MessageReportMissing {
                    attempt,
                    report_at: REPORTS.get(place).map(|pause| now + *pause),
                }])
            }
            MessageCommand::RecordFailure {
                attempt,
                reason,
                code,
            } => {
                self.is_outcome_open(attempt)?;
                Ok(vec![self.failed(attempt, (reason, code), now)])
            }
            MessageCommand::RecordUncertain { attempt } => {
                self.is_outcome_open(attempt)?;
                let is_asked = self.due_at.is_some_and(|due| due <= now);
                Ok(match self.state {
                    MessageState::Uncertain if !is_asked => vec![],
                    _ => vec![self.uncertain(self.next_ask(terms.channel, now))],
                })
            }
            MessageCommand::Conclude => match (self.state, self.due_at) {
                (MessageState::Sending, Some(conclude_at)) if conclude_at <= now => {
                    let ask_at = terms.channel.is_askable().then_some(now);
                    Ok(vec![self.uncertain(ask_at)])
                }
                (MessageState::Sending, _) => Err(MessageError::NotDue),
                (other, _) => Err(MessageError::OtherState(other)),
            },
            MessageCommand::GiveUp(reason) => match self.state {
                MessageState::Requested | MessageState::Deferred => {
                    Ok(vec![MessageEvent::MessageGivenUp { reason }])
                }
                other => Err(MessageError::OtherState(other)),
            },
            MessageCommand::Resend if !self.state.is_resendable() => {
                Err(MessageError::OtherState(self.state))
            }
            MessageCommand::Resend if is_expired => Err(MessageError::Expired),
            // The service may have it, so it is asked first.
            MessageCommand::Resend
                if self.state == MessageState::Uncertain && terms.channel.is_askable() =>
            {
                Ok(vec![self.uncertain(Some(now))])
            }
            MessageCommand::Resend => Ok(vec![MessageEvent::MessageResendRequested {}]),
            MessageCommand::ReleaseAddress { memo } => match self.stops_address {
                true => Ok(vec![MessageEvent::MessageAddressReleased { memo }]),
                false => Err(MessageError::NotStopping),
            },
        }
    }
}

impl Message {
    fn request(&self, terms: MessageTerms) -> Vec<MessageEvent> {
        match self.terms {
            Some(_) => vec![],
            None => vec![MessageEvent::MessageRequested {
                channel: terms.channel,
                template: terms.template,
                cause: terms.cause,
                content: terms.content,
                expires_at: terms.expires_at,
            }],
        }
    }

    /// Whether the outcome of this attempt can be recorded: also of one that has counted as uncertain meanwhile.
    fn is_outcome_open(&self, attempt: u32) -> Result<(), MessageError> {
        match self.state {
            MessageState::Sending | MessageState::Uncertain if attempt == self.attempts => Ok(()),
            MessageState::Sending | MessageState::Uncertain => Err(MessageError::OtherAttempt),
            other => Err(MessageError::OtherState(other)),
        }
    }

    /// Whether a report about this attempt tells something new. Only the first report does.
    fn is_report_open(&self, attempt: u32) -> Result<bool, MessageError> {
        match self.state {
            MessageState::Sent | MessageState::Delivered | MessageState::Bounced
                if attempt != self.attempts =>
            {
                Err(MessageError::OtherAttempt)
            }
            MessageState::Sent => Ok(true),
            MessageState::Delivered | MessageState::Bounced => Ok(false),
            other => Err(MessageError::OtherState(other)),
        }
    }

    fn uncertain(&self, ask_at: Option<OffsetDateTime>) -> MessageEvent {
        MessageEvent::MessageUncertain {
            attempt: self.attempts,
            ask_at,
        }
    }

    /// When the service is asked next for the present attempt.
    fn next_ask(&self, channel: Channel, now: OffsetDateTime) -> Option<OffsetDateTime> {
        let place = usize::try_from(self.asks).unwrap_or(usize::MAX);
        let pause = ASKS.get(place).filter(|_| channel.is_askable())?;
        Some(now + *pause)
    }

    fn failed(
        &self,
        attempt: u32,
        (reason, code): (FailureReason, Option<u16>),
        now: OffsetDateTime,
    ) -> MessageEvent {
        if matches!(
            reason,
            FailureReason::Rejected | FailureReason::Unsendable | FailureReason::Address
        ) {
            return MessageEvent::MessageBounced {
                attempt,
                reason,
                code,
            };
        }
        let failed = attempt.saturating_sub(self.earlier_attempts);
        let place = usize::try_from(failed.saturating_sub(1)).unwrap_or(usize::MAX);
        match PAUSES.get(place) {
            Some(pause) => MessageEvent::MessageDeferred {
                attempt,
                reason,
                code,
                retry_at: now + *pause,
            },
            None => MessageEvent::MessageGivenUp {
                reason: GiveUpReason::Attempts,
            },
        }
    }

    /// Applies `event` to the state.
    pub fn evolve(&mut self, event: MessageEvent) {
        match event {
            MessageEvent::MessageRequested {
                channel,
                template,
                cause,
                content,
                expires_at,
            } => {
                self.terms = Some(MessageTerms {
                    channel,
                    template,
                    cause,
                    content,
                    expires_at,
                });
            }
            MessageEvent::MessageAttempted {
                attempt,
                conclude_at,
                ..
            } => {
                self.state = MessageState::Sending;
                self.attempts = attempt;
                self.asks = 0;
                self.reports = 0;
                self.queue_id = String::new();
                self.due_at = Some(conclude_at);
            }
            MessageEvent::MessageSent {
                queue_id,
                report_at,
                ..
            } => {
                self.end(MessageState::Sent);
                self.queue_id = queue_id;
                self.await_report(report_at);
            }
            MessageEvent::MessageReportMissing { report_at, .. } => self.await_report(report_at),
            MessageEvent::MessageDelivered { .. } => self.end(MessageState::Delivered),
            MessageEvent::MessageDeferred { retry_at, .. } => {
                self.state = MessageState::Deferred;
                self.due_at = Some(retry_at);
            }
            MessageEvent::MessageBounced { reason, .. } => {
                self.end(MessageState::Bounced);
                self.stops_address |= reason == FailureReason::Address;
            }
            MessageEvent::MessageUncertain { ask_at, .. } => {
                self.end(MessageState::Uncertain);
                self.due_at = ask_at;
                if ask_at.is_some() {
                    self.asks = self.asks.saturating_add(1);
                }
            }
            MessageEvent::MessageGivenUp { .. } => self.end(MessageState::GivenUp),
            MessageEvent::MessageResendRequested {} => {
                self.end(MessageState::Requested);
                self.earlier_attempts = self.attempts;
            }
            MessageEvent::MessageAddressReleased { .. } => self.stops_address = false,
        }
    }

    fn await_report(&mut self, report_at: Option<OffsetDateTime>) {
        self.due_at = report_at;
        if report_at.is_some() {
            self.reports = self.reports.saturating_add(1);
        }
    }

    fn end(&mut self, state: MessageState) {
        self.state = state;
        self.due_at = None;
    }
}
