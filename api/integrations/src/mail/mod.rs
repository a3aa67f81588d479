//! Outgoing mail in the shop's terms. [`smtp`] is the client of a real server.
//!
//! SMTP has no way to ask a server what became of a mail. So the caller records its intention before [`Mailer::send`] and the
//! [`Outcome`] after it, and nothing here retries. The `Message-ID` is the caller's and stays the same: servers and mailboxes that drop
//! duplicates know them by it, but the protocol does not promise that they do.

pub mod dsn;
pub mod smtp;

use async_trait::async_trait;
use time::OffsetDateTime;

/// A mail to one receiver.
#[derive(Clone, PartialEq, Eq)]
pub struct Mail {
    /// The part of the `Message-ID` before the at-sign.
    pub id: String,
    /// Name of the receiver; may be empty.
    pub name: String,
    /// Address of the receiver.
    pub address: String,
    /// Subject.
    pub subject: String,
    /// Plain text.
    pub text: String,
    /// The same as HTML.
    pub html: String,
    /// Address at which the receiver refuses such mail by one POST (RFC 8058); only advertising has one.
    pub unsubscribe: Option<String>,
    /// When it was written.
    pub date: OffsetDateTime,
}

impl std::fmt::Debug for Mail {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Mail")
            .field("id", &self.id)
            .finish_non_exhaustive()
    }
}

/// Result of sending a mail. It has nothing of what the server wrote, which may repeat the receiver's address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The server has taken it.
    Sent {
        /// Its id in the server's queue; empty if the server named none.
        queue_id: String,
    },
    /// The server does not have it.
    Failed {
        /// Why.
        why: Failure,
        /// The server's reply code, if it answered.
        code: Option<u16>,
    },
    /// The mail was handed over, but the server's answer was lost: it may have it.
    Unknown,
}

/// Why a server does not have a mail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// It could not be reached, or the connection broke before the mail was handed over.
    Unreachable,
    /// Its certificate is not valid, or it does not accept name and password.
    Access,
    /// It refused for the moment.
    Refused,
    /// It refused for good.
    Rejected,
    /// The mail cannot be written: the address is none.
    Unsendable,
    /// It says that there is no such address, or that it takes no mail any more.
    Address,
    /// It had taken it, and reported later that it did not arrive.
    Undelivered,
}

/// A service that sends mail.
#[async_trait]
pub trait Mailer: Send + Sync {
    /// Hands a mail over to the server.
    async fn send(&self, mail: &Mail) -> Outcome;
}
