//! Events of a sending.

use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use utoipa::ToSchema;

use crate::domain_event;
use crate::ids::MemberId;

/// The way a sending travels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum SendingChannel {
    /// An alarm in the shop.
    Alarm,
    /// E-mail, by the outbox.
    Mail,
    /// A text to the phone, by the outbox.
    Sms,
}

impl SendingChannel {
    /// Its name on the wire and in stored columns.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Alarm => "ALARM",
            Self::Mail => "MAIL",
            Self::Sms => "SMS",
        }
    }
}

/// What receivers read. Staff write it for many, so it holds no personal data.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SendingText {
    /// Headline, without the mark of advertising.
    pub title: String,
    /// Text.
    pub content: String,
    /// Path within the shop; empty: none.
    pub url: String,
}

/// Why a receiver whose turn came got nothing.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum SkipReason {
    /// The account was closed.
    AccountClosed,
    /// They have not agreed to advertising.
    NoConsent,
    /// They have switched such alarms off.
    SwitchedOff,
    /// They have no mobile number, and it is sent to phones.
    NoMobile,
    /// Their address or number is stopped, since a message to it bounced.
    AddressStopped,
}

/// Receivers too many for a list: all of a target, found part by part in the order of their ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SendingCrowd {
    /// How many there were when it was ordered.
    pub count: u32,
    /// The last of them: members who join later get nothing.
    pub last: MemberId,
}

/// A receiver whose turn came and who got nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SkippedReceiver {
    /// The receiver.
    pub member: MemberId,
    /// Why.
    pub reason: SkipReason,
}

/// Events of a sending. Receivers are counted from the start of the list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all_fields = "camelCase")]
pub enum SendingEvent {
    /// Staff ordered it.
    SendingOrdered {
        /// The way it travels.
        channel: SendingChannel,
        /// Whether it is advertising, which needs consent, a mark and lawful hours.
        advertising: bool,
        /// What receivers read.
        text: SendingText,
        /// How the receivers were named, e.g. `ALL` or `LEVEL:gold`.
        target: String,
        /// The receivers, each once; none of a crowd.
        members: Vec<MemberId>,
        /// The receivers, where they are too many for a list.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        crowd: Option<SendingCrowd>,
        /// Receivers a minute at most.
        per_minute: u32,
        /// When the first part is due.
        #[serde(with = "time::serde::rfc3339")]
        due_at: OffsetDateTime,
    },
    /// Staff changed it before its end.
    SendingRevised {
        /// What receivers read.
        text: SendingText,
        /// Receivers a minute at most.
        per_minute: u32,
        /// When the next part is due.
        #[serde(with = "time::serde::rfc3339")]
        due_at: OffsetDateTime,
    },
    /// The next receivers had their turn.
    SendingPartSent {
        /// The place the part begins at.
        from: u32,
        /// How many of the list have been served.
        served: u32,
        /// The receivers of this part, of a crowd.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        members: Vec<MemberId>,
        /// Those of this part who got nothing.
        skipped: Vec<SkippedReceiver>,
        /// When the next part is due; none: it is done.
        #[serde(with = "time::serde::rfc3339::option")]
        due_at: Option<OffsetDateTime>,
    },
    /// A part of advertising came too late for the day.
    SendingPostponed {
        /// When it is due now.
        #[serde(with = "time::serde::rfc3339")]
        due_at: OffsetDateTime,
    },
    /// Staff stopped it: the rest gets nothing.
    SendingStopped {
        /// The reason, for the shop itself.
        memo: String,
    },
    /// Staff withdrew it: the rest gets nothing, and its alarms are taken out of the drawers.
    SendingWithdrawn {
        /// The reason, for the shop itself.
        memo: String,
    },
}

domain_event!(SendingEvent {
    SendingOrdered "1.0" "대량 발송을 등록했습니다",
    SendingRevised "1.0" "대량 발송을 수정했습니다",
    SendingPartSent "1.0" "대량 발송의 일부를 보냈습니다",
    SendingPostponed "1.0" "광고 발송을 아침으로 미뤘습니다",
    SendingStopped "1.0" "대량 발송을 중단했습니다",
    SendingWithdrawn "1.0" "대량 발송을 회수했습니다",
});
