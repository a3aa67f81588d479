//! What can happen to one attempt to pay an order. Refunds live in the same stream.

use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use utoipa::ToSchema;

use crate::domain_event;
use crate::ids::{MemberId, OrderId, RefundId};
use crate::money::Amount;
use crate::order::PaymentMethod;
use crate::personal::{BankAccount, Sealed};

/// An account the gateway made for one payment. It belongs to the gateway and names nobody.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct VirtualAccount {
    /// Three digits.
    pub bank_code: String,
    /// As people know the bank.
    pub bank_name: String,
    /// Account number.
    pub number: String,
    /// Until when it takes money.
    #[serde(with = "time::serde::rfc3339")]
    pub expires_at: OffsetDateTime,
}

/// What happened to a payment attempt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all_fields = "camelCase")]
pub enum PaymentEvent {
    /// The payment window was prepared.
    PaymentStarted {
        /// The order.
        order: OrderId,
        /// Its number.
        order_no: String,
        /// 1, 2, 3, ...
        attempt: u32,
        /// What the gateway calls it: `orderNo-attempt`.
        gateway_order_id: String,
        /// Hundredths.
        amount: Amount,
        /// How.
        method: PaymentMethod,
        /// The member, none for a guest.
        member: Option<MemberId>,
    },
    /// The intention, recorded before the gateway is asked to approve.
    PaymentApprovalRequested {
        /// The gateway's transaction id.
        tid: String,
        /// Hundredths.
        amount: Amount,
    },
    /// The gateway said yes.
    PaymentApproved {
        /// Transaction id.
        tid: String,
        /// Hundredths.
        amount: Amount,
        /// Approval number, where the method has one.
        approve_no: Option<String>,
        /// Receipt page of the gateway.
        receipt_url: Option<String>,
    },
    /// The gateway made an account for this payment: it is paid by a deposit, which may take days.
    VirtualAccountIssued {
        /// Transaction id.
        tid: String,
        /// What is to be paid into it, hundredths.
        amount: Amount,
        /// Where.
        account: VirtualAccount,
    },
    /// The intention to have the account closed, recorded before the gateway is asked: its order needs no deposit any more.
    AccountCloseRequested {
        /// Why.
        reason: String,
    },
    /// The account takes no money any more, and none had come.
    VirtualAccountClosed {
        /// Why.
        reason: String,
    },
    /// Money came into the account. What came is what is recorded: whether it pays the order is the order's decision.
    DepositReceived {
        /// Transaction id.
        tid: String,
        /// Hundredths that came.
        amount: Amount,
    },
    /// The gateway's notice tells of a deposit that contradicts the record, and asking the gateway did not confirm it.
    NoticeDoubted {
        /// The transaction it names.
        tid: String,
        /// Hundredths it names.
        amount: Amount,
        /// What contradicts it.
        why: String,
    },
    /// Where the money of a virtual account goes if it has to go back; the newest counts.
    RefundAccountGiven {
        /// The account, key of the buyer (or of the order for guests), purpose statutory.
        account: Sealed<BankAccount>,
    },
    /// The gateway said no, or the buyer closed the window.
    PaymentRefused {
        /// The gateway's result code.
        code: String,
        /// Its message.
        message: String,
    },
    /// No answer, or one that cannot be trusted: query, then net cancel.
    PaymentApprovalUnknown {
        /// Transaction id.
        tid: String,
        /// What was seen.
        why: String,
    },
    /// The unknown approval was undone at the gateway (or was never there).
    PaymentNetCanceled {
        /// Transaction id.
        tid: String,
    },
    /// The buyer gave the attempt up before approval.
    PaymentAbandoned {
        /// Why.
        reason: String,
    },
    /// The intention to refund, recorded before the gateway is asked.
    RefundRequested {
        /// The refund; also the gateway's order id of this cancel.
        refund: RefundId,
        /// Hundredths.
        amount: Amount,
        /// Why.
        reason: String,
    },
    /// The gateway returned the money.
    RefundCompleted {
        /// The refund.
        refund: RefundId,
        /// Hundredths.
        amount: Amount,
        /// Transaction id of the cancel.
        canceled_tid: String,
    },
    /// No trustworthy answer: query the tid, compare `cancels[]`, then record or retry with the same id.
    RefundUnknown {
        /// The refund.
        refund: RefundId,
        /// What was seen.
        why: String,
    },
    /// The gateway refused; staff must act.
    RefundRefused {
        /// The refund.
        refund: RefundId,
        /// Result code.
        code: String,
        /// Message.
        message: String,
    },
}

domain_event!(PaymentEvent {
    PaymentStarted "1.0" "결제를 시작했습니다",
    PaymentApprovalRequested "1.0" "결제 승인을 요청했습니다",
    PaymentApproved "1.0" "결제가 승인되었습니다",
    VirtualAccountIssued "1.0" "가상계좌가 발급되었습니다",
    AccountCloseRequested "1.0" "가상계좌 해지를 요청했습니다",
    VirtualAccountClosed "1.0" "가상계좌가 해지되었습니다",
    DepositReceived "1.0" "입금이 확인되었습니다",
    NoticeDoubted "1.0" "확인되지 않은 입금 통보를 받았습니다",
    RefundAccountGiven "1.0" "환불 계좌가 등록되었습니다",
    PaymentRefused "1.0" "결제가 거절되었습니다",
    PaymentApprovalUnknown "1.0" "결제 결과를 확인하고 있습니다",
    PaymentNetCanceled "1.0" "결제가 망취소되었습니다",
    PaymentAbandoned "1.0" "결제를 중단했습니다",
    RefundRequested "1.0" "환불을 요청했습니다",
    RefundCompleted "1.0" "환불이 완료되었습니다",
    RefundUnknown "1.0" "환불 결과를 확인하고 있습니다",
    RefundRefused "1.0" "환불이 거절되었습니다",
});

/// What the gateway calls an attempt: `orderNo-attempt`.
pub fn gateway_order_id(order_no: &str, attempt: u32) -> String {
    format!("{order_no}-{attempt}")
}
