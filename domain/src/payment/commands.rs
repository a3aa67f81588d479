//! Commands of a payment, and its errors.

use super::aggregate::{Doubt, PaymentStage, PaymentTerms};
use super::events::VirtualAccount;
use crate::ids::RefundId;
use crate::money::{Amount, MoneyError};
use crate::personal::{BankAccount, Sealed};

/// Commands accepted by a payment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PaymentCommand {
    /// Prepare the payment window.
    Start(PaymentTerms),
    /// Record the intention to request approval from the gateway.
    RequestApproval {
        /// Transaction id.
        tid: String,
        /// Hundredths.
        amount: Amount,
    },
    /// Record an approval (from the response, a notice or a query).
    RecordApproval {
        /// Transaction id.
        tid: String,
        /// Hundredths.
        amount: Amount,
        /// Approval number, where the method has one.
        approve_no: Option<String>,
        /// Receipt page.
        receipt_url: Option<String>,
    },
    /// Record an issued virtual account.
    IssueAccount {
        /// Transaction id.
        tid: String,
        /// Hundredths.
        amount: Amount,
        /// The virtual account.
        account: VirtualAccount,
    },
    /// Record the intention to close the virtual account: its deposit is not needed any more.
    CloseAccount {
        /// The reason.
        reason: String,
    },
    /// Record that the virtual account is closed without a deposit.
    RecordClosed {
        /// The reason.
        reason: String,
    },
    /// Record a deposit, whatever its amount and time: received money is never dropped.
    RecordDeposit {
        /// Transaction id.
        tid: String,
        /// Hundredths.
        amount: Amount,
    },
    /// Record a notice that contradicts the record.
    DoubtNotice(Doubt),
    /// Set the refund account.
    GiveRefundAccount(Sealed<BankAccount>),
    /// Record a refusal.
    RecordRefusal {
        /// Result code.
        code: String,
        /// Message.
        message: String,
    },
    /// Record that no reliable response was received.
    RecordUnknown {
        /// Transaction id.
        tid: String,
        /// The cause.
        why: String,
    },
    /// Record that the unknown approval was canceled, or never existed.
    RecordNetCancel {
        /// Transaction id.
        tid: String,
    },
    /// Abandon the payment: by the buyer, or because its order was canceled before payment.
    Abandon {
        /// The reason.
        reason: String,
    },
    /// Record the intention to request a refund; repeated with the same id to retry one that is unknown or refused.
    RequestRefund {
        /// The refund.
        refund: RefundId,
        /// Hundredths.
        amount: Amount,
        /// The reason.
        reason: String,
    },
    /// Record a completed refund.
    RecordRefund {
        /// The refund.
        refund: RefundId,
        /// Hundredths.
        amount: Amount,
        /// Transaction id of the cancel request.
        canceled_tid: String,
    },
    /// Record that no reliable response was received.
    RecordRefundUnknown {
        /// The refund.
        refund: RefundId,
        /// The cause.
        why: String,
    },
    /// Record a refusal of the refund.
    RecordRefundRefusal {
        /// The refund.
        refund: RefundId,
        /// Result code.
        code: String,
        /// Message.
        message: String,
    },
    /// Record that staff sent the money of a refused refund by bank transfer.
    RecordTransfer {
        /// The refund.
        refund: RefundId,
        /// The bank's reference of the transfer.
        reference: String,
    },
}

/// Reasons why a payment rejects a command.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PaymentError {
    /// The payment does not exist.
    #[error("there is no such payment")]
    NotStarted,
    /// The payment was started with other terms.
    #[error("the payment has been started already")]
    AlreadyStarted,
    /// The amount differs from the amount to pay.
    #[error("the amount has to be {expected}")]
    AmountMismatch {
        /// The amount to pay.
        expected: Amount,
    },
    /// The transaction differs from the recorded one.
    #[error("the transaction differs from the recorded one")]
    OtherTransaction,
    /// Approval was requested and its outcome is not known: query the transaction, never request again.
    #[error("approval was requested already; query the transaction")]
    ApprovalPending,
    /// The payment is approved.
    #[error("the payment has been approved already")]
    AlreadyApproved,
    /// The stage of the payment does not allow the command.
    #[error("operation not allowed in payment stage {0:?}")]
    WrongStage(PaymentStage),
    /// The refund does not exist.
    #[error("there is no such refund")]
    UnknownRefund,
    /// The refund exists with another amount.
    #[error("the refund exists with another amount")]
    OtherRefund,
    /// The amount exceeds the refundable amount.
    #[error("at most {refundable} can be refunded")]
    RefundExceeds {
        /// The refundable amount.
        refundable: Amount,
    },
    /// The amount is zero or negative.
    #[error("an amount above zero is needed")]
    NoAmount,
    /// The refund is completed.
    #[error("the refund is completed")]
    RefundCompleted,
    /// An amount overflows.
    #[error(transparent)]
    Money(#[from] MoneyError),
}

impl PaymentError {
    /// Stable code for the wire.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NotStarted => "payment_not_found",
            Self::AlreadyStarted => "payment_already_started",
            Self::AmountMismatch { .. } => "amount_mismatch",
            Self::OtherTransaction => "other_transaction",
            Self::ApprovalPending => "approval_pending",
            Self::AlreadyApproved => "already_approved",
            Self::WrongStage(_) => "wrong_stage",
            Self::UnknownRefund => "refund_not_found",
            Self::OtherRefund => "refund_differs",
            Self::RefundExceeds { .. } => "refund_exceeds",
            Self::NoAmount => "amount_required",
            Self::RefundCompleted => "refund_completed",
            Self::Money(_) => "amount_overflow",
        }
    }
}
