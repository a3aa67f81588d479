//! Events of a message.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::domain_event;
use crate::personal::Sealed;

/// The way a message travels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Channel {
    /// E-mail over SMTP.
    Mail,
    /// SMS, or LMS where it is longer, by the gateway.
    Sms,
    /// AlimTalk in KakaoTalk by the same gateway, which sends an SMS or LMS to who cannot get it.
    Talk,
}

impl Channel {
    /// Its name on the wire and in stored columns.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Mail => "MAIL",
            Self::Sms => "SMS",
            Self::Talk => "TALK",
        }
    }

    /// Whether its service can be asked what became of an attempt.
    pub const fn is_askable(self) -> bool {
        matches!(self, Self::Sms | Self::Talk)
    }
}

/// The template a message is written from.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Template {
    /// A link that shows the sign-in name.
    FindId,
    /// A link to set a new password.
    FindPassword,
    /// The password was changed.
    PasswordChanged,
    /// An order was placed and paid.
    OrderPlaced,
    /// An order waits for its deposit.
    DepositAwaited,
    /// A parcel is on its way.
    PurchaseShipped,
    /// Money was given back.
    RefundCompleted,
    /// A step of a guest's order or claim; members get alarms.
    OrderUpdated,
    /// What staff wrote to many members.
    Notice,
    /// Advertising staff wrote to many members.
    Advertising,
    /// A contact was answered.
    ContactAnswered,
    /// Someone signed in on a device that the account did not know.
    NewDevice,
    /// The e-mail address was changed; told to the old one.
    EmailChanged,
    /// A link that confirms the e-mail address.
    ConfirmEmail,
    /// A text of a template, tried by staff.
    TemplateTest,
    /// [`Template::OrderPlaced`], to a phone.
    OrderPlacedSms,
    /// [`Template::DepositAwaited`], to a phone.
    DepositAwaitedSms,
    /// [`Template::PurchaseShipped`], to a phone.
    PurchaseShippedSms,
    /// [`Template::RefundCompleted`], to a phone.
    RefundCompletedSms,
    /// A text of a template to a phone, tried by staff.
    TemplateTestSms,
    /// [`Template::Notice`], to a phone.
    NoticeSms,
    /// [`Template::Advertising`], to a phone.
    AdvertisingSms,
}

impl Template {
    /// Every template.
    pub const ALL: [Self; 22] = [
        Self::FindId,
        Self::FindPassword,
        Self::PasswordChanged,
        Self::OrderPlaced,
        Self::DepositAwaited,
        Self::PurchaseShipped,
        Self::RefundCompleted,
        Self::OrderUpdated,
        Self::Notice,
        Self::Advertising,
        Self::ContactAnswered,
        Self::NewDevice,
        Self::EmailChanged,
        Self::ConfirmEmail,
        Self::TemplateTest,
        Self::OrderPlacedSms,
        Self::DepositAwaitedSms,
        Self::PurchaseShippedSms,
        Self::RefundCompletedSms,
        Self::TemplateTestSms,
        Self::NoticeSms,
        Self::AdvertisingSms,
    ];

    /// Whether the message carries a link that is valid once, for a limited time.
    pub const fn has_link(self) -> bool {
        matches!(self, Self::FindId | Self::FindPassword | Self::ConfirmEmail)
    }

    /// Whether staff may replace its text.
    pub const fn is_replaceable(self) -> bool {
        !matches!(self, Self::TemplateTest | Self::TemplateTestSms)
    }

    /// Whether it is sent to a phone, by SMS or talk; the others are mail.
    pub const fn is_sms(self) -> bool {
        matches!(
            self,
            Self::OrderPlacedSms
                | Self::DepositAwaitedSms
                | Self::PurchaseShippedSms
                | Self::RefundCompletedSms
                | Self::TemplateTestSms
                | Self::NoticeSms
                | Self::AdvertisingSms
        )
    }

    /// The template of the same message to a phone; none if phones are not told.
    pub const fn as_sms(self) -> Option<Self> {
        match self {
            Self::OrderPlaced => Some(Self::OrderPlacedSms),
            Self::DepositAwaited => Some(Self::DepositAwaitedSms),
            Self::PurchaseShipped => Some(Self::PurchaseShippedSms),
            Self::RefundCompleted => Some(Self::RefundCompletedSms),
            _ => None,
        }
    }
}

/// The template record a message was written from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TemplateVersion {
    /// The record.
    #[serde(rename = "_template")]
    pub record: String,
    /// Its version.
    pub version: i64,
}

/// What a message was made for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MessageCause {
    /// Kind of the stream it is about: `member`, `order`, `contact` or `inquiry`.
    pub kind: String,
    /// Id of the stream.
    pub id: Uuid,
    /// The event that led to it; none if it was asked for.
    pub event: Option<Uuid>,
}

/// Receiver and variables of a message; always carried as `Sealed<MessageContent>`.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MessageContent {
    /// Name of the receiver.
    pub name: String,
    /// Address of the receiver.
    pub address: String,
    /// What the template inserts.
    pub variables: BTreeMap<String, String>,
}

impl std::fmt::Debug for MessageContent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("MessageContent(..)")
    }
}

crate::personal::seal_label!(MessageContent = "MessageContent");

/// Why an attempt failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum FailureReason {
    /// The server could not be reached, or the connection broke before the message was handed over.
    Unreachable,
    /// The server does not accept our name and password, or its certificate is not valid.
    Access,
    /// The server refused for the moment.
    Refused,
    /// The server refused for good.
    Rejected,
    /// The address or the message cannot be sent by mail.
    Unsendable,
    /// The server says that there is no such address, or that it takes no mail any more.
    Address,
    /// The gateway was asked after an unknown outcome and does not have it.
    NotReceived,
    /// It was taken, and reported later that it did not arrive: the phone was off too long, say.
    Undelivered,
}

/// Why a message was given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum GiveUpReason {
    /// All attempts failed.
    Attempts,
    /// It is too late for it: its link is not valid any more.
    Expired,
    /// The receiver was erased.
    Erased,
    /// Mail to its address is stopped, since a server said that there is no such address.
    AddressStopped,
    /// The shop has no service for its channel any more.
    ChannelOff,
}

/// Events of a message. Attempts are counted from 1, over resends too.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all_fields = "camelCase")]
pub enum MessageEvent {
    /// It is to be sent.
    MessageRequested {
        /// The way it travels.
        channel: Channel,
        /// The template it is written from.
        template: Template,
        /// What it was made for.
        cause: MessageCause,
        /// Receiver and variables.
        content: Sealed<MessageContent>,
        /// After this it is not sent any more.
        #[serde(with = "time::serde::rfc3339::option")]
        expires_at: Option<OffsetDateTime>,
    },
    /// An attempt begins: from now on it is possible that the server has it.
    MessageAttempted {
        /// The attempt.
        attempt: u32,
        /// When it counts as uncertain, if it has no outcome by then.
        #[serde(with = "time::serde::rfc3339")]
        conclude_at: OffsetDateTime,
        /// The template record it is written from; none: the built-in text.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        text: Option<TemplateVersion>,
    },
    /// The server has taken it.
    MessageSent {
        /// The attempt.
        attempt: u32,
        /// The server's id of it; empty if it named none.
        queue_id: String,
        /// When the service is asked whether it arrived; none if it cannot be asked.
        #[serde(
            default,
            with = "time::serde::rfc3339::option",
            skip_serializing_if = "Option::is_none"
        )]
        report_at: Option<OffsetDateTime>,
    },
    /// The service had no report yet on whether it arrived.
    MessageReportMissing {
        /// The attempt.
        attempt: u32,
        /// When it is asked again; none if it was asked often enough.
        #[serde(with = "time::serde::rfc3339::option")]
        report_at: Option<OffsetDateTime>,
    },
    /// The service reported that it arrived.
    MessageDelivered {
        /// The attempt.
        attempt: u32,
    },
    /// The attempt failed, and another one follows.
    MessageDeferred {
        /// The attempt.
        attempt: u32,
        /// Why it failed.
        reason: FailureReason,
        /// The server's reply code, if it answered.
        code: Option<u16>,
        /// When the next attempt is due.
        #[serde(with = "time::serde::rfc3339")]
        retry_at: OffsetDateTime,
    },
    /// The server refuses it for good, or reported later that it did not arrive.
    MessageBounced {
        /// The attempt.
        attempt: u32,
        /// Why.
        reason: FailureReason,
        /// The server's reply code, if it answered.
        code: Option<u16>,
    },
    /// The attempt has no outcome: whether the server has it is not known, so it is not sent again before that is known.
    MessageUncertain {
        /// The attempt.
        attempt: u32,
        /// When the service is asked for it; none if it cannot be asked, or was asked often enough.
        #[serde(
            default,
            with = "time::serde::rfc3339::option",
            skip_serializing_if = "Option::is_none"
        )]
        ask_at: Option<OffsetDateTime>,
    },
    /// It is not sent.
    MessageGivenUp {
        /// Why.
        reason: GiveUpReason,
    },
    /// Staff had it sent again.
    MessageResendRequested {},
    /// Staff lifted the stop of mail to its address, which it caused by bouncing.
    MessageAddressReleased {
        /// The reason, for the shop itself.
        memo: String,
    },
}

domain_event!(MessageEvent {
    MessageRequested "1.0" "메시지 발송을 요청했습니다",
    MessageAttempted "1.0" "메시지를 발송하기 시작했습니다",
    MessageSent "1.0" "메시지를 발송했습니다",
    MessageReportMissing "1.0" "메시지의 도착 결과가 아직 없습니다",
    MessageDelivered "1.0" "메시지가 도착했습니다",
    MessageDeferred "1.0" "메시지 발송에 실패하여 다시 시도합니다",
    MessageBounced "1.0" "메시지가 반송되었습니다",
    MessageUncertain "1.0" "메시지가 발송되었는지 확인하지 못했습니다",
    MessageGivenUp "1.0" "메시지 발송을 중단했습니다",
    MessageResendRequested "1.0" "메시지를 다시 발송하도록 요청했습니다",
    MessageAddressReleased "1.0" "반송된 주소의 발송 중단을 해제했습니다",
});
