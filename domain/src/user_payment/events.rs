//! Events of a user payment.

use serde::{Deserialize, Serialize};

use crate::domain_event;
use crate::ids::{ClaimId, MemberId, OrderId, PaymentId};
use crate::money::Amount;

/// Purpose of a user payment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum UserPaymentPurpose {
    /// What an exchange costs: its fee through the buyer's fault, and the difference of a dearer option.
    ExchangeFee {
        /// The order.
        order: OrderId,
        /// Order number.
        order_no: String,
        /// Number of the exchanged purchase.
        purchase_no: String,
        /// The claim.
        claim: ClaimId,
    },
}

/// Events of a user payment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all_fields = "camelCase")]
pub enum UserPaymentEvent {
    /// Requested from the buyer: `PAY_AWAITING`.
    UserPaymentRequested {
        /// Its number, shown to people.
        number: String,
        /// The member; none for a guest.
        member: Option<MemberId>,
        /// Its purpose.
        purpose: UserPaymentPurpose,
        /// Hundredths.
        amount: Amount,
    },
    /// Less is requested than before.
    UserPaymentReduced {
        /// The new amount, hundredths.
        amount: Amount,
        /// The reason.
        reason: String,
    },
    /// It is paid: `PAY_COMPLETED`.
    UserPaymentCompleted {
        /// The payment; none for a bank transfer recorded by staff.
        payment: Option<PaymentId>,
    },
    /// Not requested any more, without having been paid: `PAY_CANCELED`.
    UserPaymentCanceled {
        /// The reason.
        reason: String,
    },
    /// What was paid goes back: `PAY_CANCELED`.
    UserPaymentRefunded {
        /// The reason.
        reason: String,
    },
}

domain_event!(UserPaymentEvent {
    UserPaymentRequested "1.0" "추가 결제를 요청했습니다",
    UserPaymentReduced "1.0" "추가 결제 금액이 변경되었습니다",
    UserPaymentCompleted "1.0" "추가 결제가 완료되었습니다",
    UserPaymentCanceled "1.0" "추가 결제 요청이 취소되었습니다",
    UserPaymentRefunded "1.0" "추가 결제를 환불합니다",
});
