//! Messages to members, with every outcome.

use domain::Purpose;
use domain::ids::MessageId;
use domain::message::{
    Channel, FailureReason, GiveUpReason, Message, MessageCause, MessageCommand, MessageState,
    MessageTerms, Template, TemplateVersion,
};
use time::Duration;
use uuid::Uuid;

use super::{Shop, keys, sealed};

/// A message is made every so many deeds.
pub(super) const MADE_EVERY: u32 = 6;

impl Shop {
    /// A message with the next outcome of all. Uses no random numbers, so that it does not change what the others do.
    pub(super) async fn send_message(&mut self) {
        let turn = self.deeds / MADE_EVERY;
        let id = MessageId(Uuid::from_u128(0x3E55_0000_0000 + u128::from(turn)));
        let Some(member) = keys(&self.members).first().copied() else {
            return;
        };
        let terms = MessageTerms {
            channel: match turn % 4 {
                0 | 1 => Channel::Mail,
                2 => Channel::Sms,
                _ => Channel::Talk,
            },
            template: Template::PasswordChanged,
            cause: MessageCause {
                kind: "member".to_owned(),
                id: member.0,
                event: turn.is_multiple_of(2).then_some(member.0),
            },
            content: sealed(member.0, Purpose::Profile),
            expires_at: turn
                .is_multiple_of(3)
                .then(|| self.now + Duration::minutes(30)),
        };
        let failure = |reason, code| MessageCommand::RecordFailure {
            attempt: 1,
            reason,
            code,
        };
        let text = turn.is_multiple_of(4).then(|| TemplateVersion {
            record: member.to_string(),
            version: i64::from(turn),
        });
        let (attempt, sent) = (
            MessageCommand::Attempt(text),
            MessageCommand::RecordSent {
                attempt: 1,
                queue_id: "4XyZ".to_owned(),
            },
        );
        let missing = failure(FailureReason::NotReceived, None);
        let then = match turn % 10 {
            0 => vec![attempt, sent],
            1 => vec![attempt, failure(FailureReason::Rejected, Some(550))],
            // To a phone, which is reported later.
            2 if turn % 4 == 2 => vec![
                attempt,
                failure(FailureReason::Unsendable, None),
                MessageCommand::Resend,
                MessageCommand::Attempt(None),
                MessageCommand::RecordSent {
                    attempt: 2,
                    queue_id: "M4V1".to_owned(),
                },
            ],
            2 => vec![
                attempt,
                failure(FailureReason::Unsendable, None),
                MessageCommand::Resend,
            ],
            3 => vec![attempt, MessageCommand::RecordUncertain { attempt: 1 }],
            4 => vec![attempt, failure(FailureReason::Refused, Some(451))],
            5 => vec![MessageCommand::GiveUp(GiveUpReason::Erased)],
            6 => vec![MessageCommand::GiveUp(GiveUpReason::AddressStopped)],
            7 => vec![
                attempt,
                failure(FailureReason::Address, Some(550)),
                MessageCommand::ReleaseAddress {
                    memo: "확인함".to_owned(),
                },
            ],
            8 => vec![
                attempt,
                MessageCommand::RecordUncertain { attempt: 1 },
                missing,
            ],
            _ => vec![attempt],
        };
        let mut message = self.messages.remove(&id).unwrap_or_default();
        let request = MessageCommand::Request(Box::new(terms));
        for command in std::iter::once(request).chain(then) {
            self.act(id, &mut message, command).await;
        }
        self.messages.insert(id, message);
        self.ask_report().await;
    }

    /// Asks for the report on a text whose time has come: the first time there is none.
    async fn ask_report(&mut self) {
        let now = self.now;
        let is_due = |message: &Message| {
            message.state == MessageState::Sent && message.due_at.is_some_and(|due| due <= now)
        };
        let due = self.messages.iter().find(|(_, message)| is_due(message));
        let Some((id, mut message)) = due.map(|(id, message)| (*id, message.clone())) else {
            return;
        };
        let attempt = message.attempts;
        let report = match message.reports {
            1 => MessageCommand::RecordReportMissing { attempt },
            _ => MessageCommand::RecordDelivered { attempt },
        };
        self.act(id, &mut message, report).await;
        self.messages.insert(id, message);
    }
}
