//! The payment service, in the shop's words. `nice.rs` speaks the real NICE v1 protocol; the sandbox answers it.
//!
//! The rule of every call that moves money: record the intention, call, record the [`Outcome`]. After
//! [`Outcome::Unknown`] ask ([`PaymentGateway::query`]) before anything else; an approval that stays unknown is net
//! cancelled within the hour, a refund is found in the answer's `cancels` or asked again under the same cancel id
//! (domain-facts 2.3). Nothing here retries by itself.

mod answer;
pub mod codes;
pub mod nice;
mod notice;
pub mod returned;
pub mod sign;
pub mod units;
pub mod window;

use async_trait::async_trait;
use domain::Amount;

pub use answer::{Answer, Cancelled, Status, VirtualAccount};
pub use notice::{Notice, NoticeError, NoticeKey};
pub use returned::{Authenticated, ReturnError, ReturnForm};
pub use window::{WindowError, WindowOptions, WindowRequest};

/// What came of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The service did it, and its signed answer says how things stand now.
    Done(Box<Answer>),
    /// The service did not do it and will not.
    Refused {
        /// Its code.
        code: String,
        /// Its words.
        message: String,
    },
    /// It may or may not have been done: ask before doing anything else.
    Unknown {
        /// Why that is not known.
        why: Doubt,
    },
    /// Nothing was sent, so nothing was done; the call can be made again.
    NotSent {
        /// What kept it.
        why: String,
    },
}

/// Why it is not known what came of a call.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Doubt {
    /// No answer in time.
    #[error("no answer in time")]
    Timeout,
    /// The connection broke before the whole answer had come.
    #[error("the connection broke: {0}")]
    ConnectionLost(String),
    /// The service failed inside.
    #[error("the service answered HTTP {0}")]
    Service(u16),
    /// The answer cannot be read.
    #[error("the answer cannot be read: {0}")]
    Unreadable(String),
    /// The answer is not signed by the service.
    #[error("the answer's signature is wrong")]
    Signature,
    /// The answer is about something else than was asked.
    #[error("the answer's {0} is not the one asked for")]
    Differs(&'static str),
    /// The service says this was done before (2201, 2013, 2015, 2156).
    #[error("the service says it was done before: {code} {message}")]
    DoneBefore {
        /// Its code.
        code: String,
        /// Its words.
        message: String,
    },
}

/// A refund to ask for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CancelRequest {
    /// The payment.
    pub tid: String,
    /// Our id of this cancel: a new one for every partial cancel, the same one when asking again.
    pub order_id: String,
    /// How much; `None` is all that is left.
    pub amount: Option<Amount>,
    /// Why, for people.
    pub reason: String,
    /// Where the money goes when a virtual account had been paid into.
    pub refund_account: Option<RefundAccount>,
}

/// A bank account to refund to.
#[derive(Clone, PartialEq, Eq)]
pub struct RefundAccount {
    /// Three-digit bank code.
    pub bank_code: String,
    /// Account number.
    pub number: String,
    /// Its holder.
    pub holder: String,
}

impl std::fmt::Debug for RefundAccount {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("RefundAccount(..)")
    }
}

/// A payment service.
#[async_trait]
pub trait PaymentGateway: Send + Sync {
    /// What the browser needs to open the payment window.
    ///
    /// # Errors
    /// When the service would not take the request.
    fn window(&self, request: WindowRequest) -> Result<WindowOptions, WindowError>;

    /// Checks what the browser brought to the return page against the order it is for. It is only a permission to
    /// approve; no money has moved.
    ///
    /// # Errors
    /// When the buyer did not authenticate, or the form is not what the service signed for this order.
    fn read_return(
        &self,
        form: &ReturnForm,
        order_id: &str,
        amount: Amount,
    ) -> Result<Authenticated, ReturnError>;

    /// Checks and reads a notice the service sent. The caller compares order and amount with its own records, and knows
    /// by [`Notice::key`] whether it came before.
    ///
    /// # Errors
    /// When it cannot be read or is not signed by the service.
    fn read_notice(&self, body: &[u8]) -> Result<Notice, NoticeError>;

    /// Charges an authenticated payment. Done with [`Status::Ready`] means a virtual account was issued: no money yet.
    async fn approve(&self, tid: &str, amount: Amount, order_id: &str) -> Outcome;

    /// How a payment stands.
    async fn query(&self, tid: &str) -> Outcome;

    /// How the payment of an order id stands, when its tid is not known.
    async fn find(&self, order_id: &str) -> Outcome;

    /// Gives money back, all or a part.
    async fn cancel(&self, request: &CancelRequest) -> Outcome;

    /// Undoes an approval whose answer never came; within the hour, and never in place of a refund.
    async fn net_cancel(&self, order_id: &str) -> Outcome;
}
