//! An alarm that staff took back. Alarms themselves are working state; who took one out of a member's drawer, and why, is recorded here.

use serde::{Deserialize, Serialize};

use crate::decider;
use crate::domain_event;
use crate::event::{Context, Decider};
use crate::ids::MemberId;

/// Events of an alarm.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all_fields = "camelCase")]
pub enum AlarmEvent {
    /// Staff took it out of the member's drawer.
    AlarmWithdrawn {
        /// The member.
        member: MemberId,
        /// The reason, for the shop itself.
        memo: String,
    },
}

domain_event!(AlarmEvent {
    AlarmWithdrawn "1.0" "알림을 회수했습니다",
});

/// Current state of an alarm that may have been withdrawn.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WithdrawnAlarm {
    /// Whose drawer it was taken out of; none if it was not.
    pub member: Option<MemberId>,
}

/// Commands accepted by an alarm.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AlarmCommand {
    /// Take it out of the member's drawer.
    Withdraw {
        /// The member.
        member: MemberId,
        /// The reason.
        memo: String,
    },
}

/// Reasons why an alarm rejects a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AlarmError {
    /// It was withdrawn.
    #[error("the alarm has been withdrawn")]
    Withdrawn,
}

impl AlarmError {
    /// Stable code for the wire.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Withdrawn => "alarm_withdrawn",
        }
    }
}

decider!(
    WithdrawnAlarm,
    "alarm",
    AlarmCommand,
    AlarmEvent,
    AlarmError
);

impl Decider for WithdrawnAlarm {
    type Input = AlarmCommand;

    fn decide(
        &self,
        command: AlarmCommand,
        _context: &Context,
    ) -> Result<Vec<AlarmEvent>, AlarmError> {
        let AlarmCommand::Withdraw { member, memo } = command;
        match self.member {
            Some(_) => Err(AlarmError::Withdrawn),
            None => Ok(vec![AlarmEvent::AlarmWithdrawn { member, memo }]),
        }
    }
}

impl WithdrawnAlarm {
    /// Applies `event` to the state.
    pub fn evolve(&mut self, event: AlarmEvent) {
        let AlarmEvent::AlarmWithdrawn { member, .. } = event;
        self.member = Some(member);
    }
}
