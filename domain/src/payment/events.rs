//! Events of one payment of an order. Refunds are in the same stream.

use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use utoipa::ToSchema;

use super::PaymentMethod;
use crate::domain_event;
use crate::ids::{MemberId, OrderId, RefundId, UserPaymentId};
use crate::money::Amount;
use crate::personal::{BankAccount, Sealed};

/// A virtual account, issued by the gateway for one payment. It belongs to the gateway and contains no personal data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct VirtualAccount {
    /// Bank code, three digits.
    pub bank_code: String,
    /// Display name of the bank.
    pub bank_name: String,
    /// Account number.
    pub number: String,
    /// End of the period in which it accepts deposits.
    #[serde(with = "time::serde::rfc3339")]
    pub expires_at: OffsetDateTime,
}

/// The user payment that a payment pays instead of its order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct UserPaymentRef {
    /// Its id.
    pub id: UserPaymentId,
    /// Its number.
    pub number: String,
}

/// Events of a payment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all_fields = "camelCase")]
pub enum PaymentEvent {
    /// The payment window was prepared.
    PaymentStarted {
        /// The order.
        order: OrderId,
        /// Order number.
        order_no: String,
        /// Attempt number, from 1.
        attempt: u32,
        /// Order id used at the gateway: `orderNo-attempt`, or the number of the user payment and the attempt.
        gateway_order_id: String,
        /// Hundredths.
        amount: Amount,
        /// Payment method.
        method: PaymentMethod,
        /// The member; none for a guest.
        member: Option<MemberId>,
        /// The user payment it pays; none if it pays the order.
        user_payment: Option<UserPaymentRef>,
    },
    /// The intention to request approval, recorded before the gateway is called.
    PaymentApprovalRequested {
        /// The gateway's transaction id.
        tid: String,
        /// Hundredths.
        amount: Amount,
    },
    /// The gateway approved.
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
    /// The gateway issued a virtual account: the payment is made by a deposit, which may take days.
    VirtualAccountIssued {
        /// Transaction id.
        tid: String,
        /// Amount to deposit, hundredths.
        amount: Amount,
        /// The virtual account.
        account: VirtualAccount,
    },
    /// The intention to close the account, recorded before the gateway is called: the order needs no deposit any more.
    AccountCloseRequested {
        /// The reason.
        reason: String,
    },
    /// The account is closed, without a deposit.
    VirtualAccountClosed {
        /// The reason.
        reason: String,
    },
    /// A deposit was received, recorded as it is: whether it pays the order is decided by the order.
    DepositReceived {
        /// Transaction id.
        tid: String,
        /// Amount deposited, hundredths.
        amount: Amount,
    },
    /// A notice reported a deposit that contradicts the record, and a query to the gateway did not confirm it.
    NoticeDoubted {
        /// Transaction id in the notice.
        tid: String,
        /// Amount in the notice, hundredths.
        amount: Amount,
        /// The contradiction.
        why: String,
    },
    /// The account for refunds of a virtual-account payment; the newest one applies.
    RefundAccountGiven {
        /// The account, key of the buyer (or of the order for guests), purpose statutory.
        account: Sealed<BankAccount>,
    },
    /// The gateway refused, or the buyer closed the window.
    PaymentRefused {
        /// The gateway's result code.
        code: String,
        /// Its message.
        message: String,
    },
    /// No reliable response was received: query, then cancel at the gateway.
    PaymentApprovalUnknown {
        /// Transaction id.
        tid: String,
        /// The cause.
        why: String,
    },
    /// The unknown approval was canceled at the gateway, or never existed.
    PaymentNetCanceled {
        /// Transaction id.
        tid: String,
    },
    /// The buyer abandoned the payment before approval.
    PaymentAbandoned {
        /// The reason.
        reason: String,
    },
    /// The intention to refund, recorded before the gateway is called.
    RefundRequested {
        /// The refund; also the gateway's order id of the cancel request.
        refund: RefundId,
        /// Hundredths.
        amount: Amount,
        /// The reason.
        reason: String,
    },
    /// The gateway refunded the money.
    RefundCompleted {
        /// The refund.
        refund: RefundId,
        /// Hundredths.
        amount: Amount,
        /// Transaction id of the cancel request.
        canceled_tid: String,
    },
    /// No reliable response was received: query the tid, compare `cancels[]`, then record or retry with the same id.
    RefundUnknown {
        /// The refund.
        refund: RefundId,
        /// The cause.
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
    /// Staff sent the money of a refused refund to the buyer's bank account, outside the gateway.
    RefundTransferred {
        /// The refund.
        refund: RefundId,
        /// Hundredths.
        amount: Amount,
        /// The bank's reference of the transfer.
        reference: String,
    },
}

domain_event!(PaymentEvent {
    PaymentStarted "2.0" "결제를 시작했습니다",
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
    RefundTransferred "1.0" "환불 금액을 계좌로 보냈습니다",
});

/// Order id used at the gateway: `orderNo-attempt`; `number` is that of the order or of the user payment.
pub fn gateway_order_id(number: &str, attempt: u32) -> String {
    format!("{number}-{attempt}")
}
