//! Notices (webhooks) about approvals, deposits and cancels. They arrive late, twice, or before the answer they belong to
//! (domain-facts 2.2).

use super::answer::{Answer, AnswerBody, Status};
use super::sign::SecretKey;
use super::units::Currency;

/// A notice with a verified signature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// State of the payment when the notice was written; it may have changed since.
    pub answer: Answer,
}

/// Deduplication key of a notice.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct NoticeKey {
    /// Transaction id.
    pub tid: String,
    /// State in the notice.
    pub status: &'static str,
    /// Transaction id of the refund.
    pub cancelled_tid: Option<String>,
}

/// Why a notice is rejected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoticeError {
    /// It cannot be parsed.
    #[error("the notice cannot be read: {0}")]
    Unreadable(String),
    /// It is not signed by the service.
    #[error("the notice is not signed by the payment service")]
    Signature,
}

impl Notice {
    /// Body that acknowledges a notice, sent as `text/html` with status 200. After anything else the service retries.
    pub const RECEIVED: &'static str = "OK";

    /// Key by which duplicates are detected.
    pub fn key(&self) -> NoticeKey {
        NoticeKey {
            tid: self.answer.tid.clone(),
            status: match self.answer.status {
                Status::Ready => "ready",
                Status::Paid => "paid",
                Status::Failed => "failed",
                Status::Cancelled => "cancelled",
                Status::PartialCancelled => "partialCancelled",
                Status::Expired => "expired",
            },
            cancelled_tid: self.answer.cancelled_tid.clone(),
        }
    }

    pub(crate) fn read(
        body: &[u8],
        secret: &SecretKey,
        currency: &Currency,
    ) -> Result<Self, NoticeError> {
        let body: AnswerBody = serde_json::from_slice(body)
            .map_err(|error| NoticeError::Unreadable(error.to_string()))?;
        body.checked(secret, currency)
            .map(|answer| Self { answer })
            .map_err(|reason| match reason {
                super::UnknownReason::Signature => NoticeError::Signature,
                other => NoticeError::Unreadable(other.to_string()),
            })
    }
}
