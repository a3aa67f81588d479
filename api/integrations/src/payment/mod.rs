//! The payment service in the shop's terms. [`nice`] is the client of the real one.
//!
//! Every call that moves money has three steps: record the intention, call, record the [`Outcome`]. After
//! [`Outcome::Unknown`], [`PaymentGateway::query`] comes first. An approval that stays unknown is net cancelled within the
//! hour; a refund is found in the answer's `cancels`, or requested again with the same cancel id (domain-facts 2.3).
//! Nothing here retries automatically.

mod answer;
pub mod codes;
pub mod nice;
mod notice;
pub mod protocol;
pub mod return_form;
pub mod sign;
pub mod units;
pub mod window;

use async_trait::async_trait;
use domain::Amount;

pub use answer::{Answer, CompletedRefund, Status, VirtualAccount};
pub use notice::{Notice, NoticeError, NoticeKey};
pub use return_form::{AuthenticatedPayment, ReturnError, ReturnForm};
pub use window::{WindowError, WindowOptions, WindowRequest};

/// Result of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The call succeeded; the signed answer has the current state.
    Done(Box<Answer>),
    /// The service refused: nothing was done, nothing will be.
    Refused {
        /// Result code.
        code: String,
        /// Message.
        message: String,
    },
    /// It is unknown whether the call took effect: query before anything else.
    Unknown {
        /// Why it is unknown.
        why: UnknownReason,
    },
    /// Nothing was sent, so nothing was done; the call can be repeated.
    NotSent {
        /// What prevented it.
        why: String,
    },
}

/// Why the result of a call is unknown.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnknownReason {
    /// No answer in time.
    #[error("no answer in time")]
    Timeout,
    /// The connection broke before the answer was complete.
    #[error("the connection broke: {0}")]
    ConnectionLost(String),
    /// The service answered with an HTTP error.
    #[error("the service answered HTTP {0}")]
    Service(u16),
    /// The answer cannot be parsed.
    #[error("the answer cannot be read: {0}")]
    Unreadable(String),
    /// The answer is not signed by the service.
    #[error("the answer's signature is wrong")]
    Signature,
    /// A field of the answer differs from the request.
    #[error("the answer's {0} is not the one asked for")]
    Differs(&'static str),
    /// The service reports an earlier call (2201, 2013, 2015, 2156).
    #[error("the service says it was done before: {code} {message}")]
    DoneBefore {
        /// Result code.
        code: String,
        /// Message.
        message: String,
    },
}

/// A refund request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CancelRequest {
    /// Transaction id of the payment.
    pub tid: String,
    /// The shop's id of this cancel: a new one for every partial cancel, the same one for a retry.
    pub order_id: String,
    /// Amount; `None` refunds the balance.
    pub amount: Option<Amount>,
    /// Reason, readable.
    pub reason: String,
    /// Destination, if the payment was made to a virtual account.
    pub refund_account: Option<RefundAccount>,
}

/// Bank account of a refund.
#[derive(Clone, PartialEq, Eq)]
pub struct RefundAccount {
    /// Three-digit bank code.
    pub bank_code: String,
    /// Account number.
    pub number: String,
    /// Account holder.
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
    /// Arguments with which the browser opens the payment window.
    ///
    /// # Errors
    /// When the service would reject the request.
    fn window(&self, request: WindowRequest) -> Result<WindowOptions, WindowError>;

    /// Checks the form posted to the return page against the order it is for. It only permits an approval; no money has
    /// moved.
    ///
    /// # Errors
    /// When the buyer did not authenticate, or the form is not signed by the service for this order.
    fn read_return(
        &self,
        form: &ReturnForm,
        order_id: &str,
        amount: Amount,
    ) -> Result<AuthenticatedPayment, ReturnError>;

    /// Verifies and parses a notice (webhook). The caller compares order and amount with its own records, and detects
    /// duplicates by [`Notice::key`].
    ///
    /// # Errors
    /// When it cannot be parsed or is not signed by the service.
    fn read_notice(&self, body: &[u8]) -> Result<Notice, NoticeError>;

    /// Charges an authenticated payment. `Done` with [`Status::Ready`] means a virtual account was issued: no money yet.
    async fn approve(&self, tid: &str, amount: Amount, order_id: &str) -> Outcome;

    /// State of a payment.
    async fn query(&self, tid: &str) -> Outcome;

    /// State of the payment of an order id, when its transaction id is unknown.
    async fn find(&self, order_id: &str) -> Outcome;

    /// Refunds, in full or in part.
    async fn cancel(&self, request: &CancelRequest) -> Outcome;

    /// Undoes an approval whose answer was lost; within the hour, and never instead of a refund.
    async fn net_cancel(&self, order_id: &str) -> Outcome;
}
