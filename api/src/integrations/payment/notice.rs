//! Notices (webhooks): the service tells of approvals, deposits and cancels by itself. They come late, twice, or before
//! the answer they belong to (domain-facts 2.2).

use super::answer::{Answer, Status, Wire};
use super::sign::SecretKey;
use super::units::Currency;

/// A notice the service signed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// How the payment stood when it was written; not necessarily how it stands now.
    pub answer: Answer,
}

/// What makes a notice the same as another.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct NoticeKey {
    /// The payment.
    pub tid: String,
    /// How it stood.
    pub status: &'static str,
    /// The refund it tells of.
    pub cancelled_tid: Option<String>,
}

/// Why a notice is not to be believed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoticeError {
    /// It cannot be read.
    #[error("the notice cannot be read: {0}")]
    Unreadable(String),
    /// It is not signed by the service.
    #[error("the notice is not signed by the payment service")]
    Signature,
}

impl Notice {
    /// The body the service takes for "received", sent as `text/html` with status 200. Anything else makes it send again.
    pub const RECEIVED: &'static str = "OK";

    /// What makes it the same as another.
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

    pub(super) fn read(
        body: &[u8],
        secret: &SecretKey,
        currency: &Currency,
    ) -> Result<Self, NoticeError> {
        let wire: Wire = serde_json::from_slice(body)
            .map_err(|error| NoticeError::Unreadable(error.to_string()))?;
        wire.checked(secret, currency)
            .map(|answer| Self { answer })
            .map_err(|doubt| match doubt {
                super::Doubt::Signature => NoticeError::Signature,
                other => NoticeError::Unreadable(other.to_string()),
            })
    }
}
