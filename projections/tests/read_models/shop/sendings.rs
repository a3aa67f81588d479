//! Sendings to members, with every end.

use domain::ids::{MemberId, SendingId};
use domain::sending::{
    Sending, SendingChannel, SendingCommand, SendingCrowd, SendingTerms, SendingText, SkipReason,
    SkippedReceiver, is_advertising_hour,
};
use uuid::Uuid;

use super::{Shop, keys};

/// A sending is ordered every so many deeds.
pub(super) const ORDERED_EVERY: u32 = 20;

impl Shop {
    /// A sending with the next end of all. Uses no random numbers, so that it does not change what the others do.
    pub(super) async fn send_to_many(&mut self) {
        let turn = self.deeds / ORDERED_EVERY;
        let id = SendingId(Uuid::from_u128(0x5E4D_0000_0000 + u128::from(turn)));
        let text = |title: &str| SendingText {
            title: title.to_owned(),
            content: "첫 줄\n둘째 줄".to_owned(),
            url: "/sub/event".to_owned(),
        };
        let advertising = turn.is_multiple_of(2);
        let members = keys(&self.members);
        let crowd = members
            .last()
            .filter(|_| turn.is_multiple_of(5))
            .map(|last| SendingCrowd {
                count: u32::try_from(members.len()).unwrap_or_default(),
                last: *last,
            });
        let of_crowd: Vec<MemberId> = match crowd {
            Some(_) => members.first().copied().into_iter().collect(),
            None => Vec::new(),
        };
        let skipped: Vec<SkippedReceiver> = members
            .first()
            .map(|member| SkippedReceiver {
                member: *member,
                reason: SkipReason::NoMobile,
            })
            .into_iter()
            .collect();
        let terms = SendingTerms {
            channel: match turn % 3 {
                0 => SendingChannel::Mail,
                1 => SendingChannel::Sms,
                _ => SendingChannel::Alarm,
            },
            advertising,
            text: text("점검 안내"),
            target: "ALL".to_owned(),
            members: match crowd {
                Some(_) => Vec::new(),
                None => members.clone(),
            },
            crowd,
            per_minute: 12,
        };
        let memo = "틀림".to_owned();
        let part = |from| SendingCommand::SendPart {
            from,
            members: of_crowd.clone(),
            skipped: skipped.clone(),
        };
        let revise = SendingCommand::Revise {
            text: text("바뀐 안내"),
            per_minute: 24,
            starts_at: None,
        };
        let order = SendingCommand::Order {
            terms: Box::new(terms),
            starts_at: None,
        };
        let mut sending = self.sendings.remove(&id).unwrap_or_default();
        self.act(id, &mut sending, order).await;
        // by night the first part of advertising is postponed
        let is_now = !advertising || is_advertising_hour(self.now);
        let then = match turn % 5 {
            0 if is_now => vec![part(0)],
            1 => vec![revise],
            2 => vec![SendingCommand::Stop { memo }],
            3 => vec![SendingCommand::Withdraw { memo }],
            _ => vec![],
        };
        for command in then {
            self.act(id, &mut sending, command).await;
        }
        self.sendings.insert(id, sending);
        self.postpone().await;
    }

    /// By night, the part of a sending of advertising that came too late.
    async fn postpone(&mut self) {
        let now = self.now;
        let is_late = |sending: &Sending| {
            let advertising = sending
                .terms
                .as_ref()
                .is_some_and(|terms| terms.advertising);
            advertising && sending.due_at.is_some_and(|due| due <= now)
        };
        if is_advertising_hour(now) {
            return;
        }
        let late = self.sendings.iter().find(|(_, sending)| is_late(sending));
        let Some((id, mut sending)) = late.map(|(id, sending)| (*id, sending.clone())) else {
            return;
        };
        let part = SendingCommand::SendPart {
            from: sending.served,
            members: vec![],
            skipped: vec![],
        };
        self.act(id, &mut sending, part).await;
        self.sendings.insert(id, sending);
    }
}
