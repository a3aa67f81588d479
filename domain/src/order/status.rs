//! The four axes of a purchase (spec section 4, reading 8), in the specification's codes.

use crate::codes::codes;

codes! {
    /// Order status of a purchase.
    OrderStatus {
        /// Unpaid.
        Nonpayment = "ORDER_NONPAYMENT",
        /// Canceled.
        Canceled = "ORDER_CANCELED",
        /// Paid.
        Payment = "ORDER_PAYMENT",
        /// Preparing.
        Confirm = "ORDER_CONFIRM",
        /// Shipped.
        Shipping = "SHIPPING_CONFIRM",
        /// Delayed.
        Delayed = "SHIPPING_DELAYED",
        /// Delivered.
        Delivered = "DELIVERY_COMPLETE",
    }
}

codes! {
    /// Claim status of a purchase. `NONE`, for no claim, is this shop's addition.
    ClaimStatus {
        /// No claim.
        None = "NONE",
        /// Cancellation requested.
        CancelRequested = "CANCEL_REQUESTED",
        /// Cancellation completed.
        CancelCompleted = "CANCEL_COMPLETED",
        /// Cancellation rejected.
        CancelRejected = "CANCEL_REJECTED",
        /// Exchange requested.
        ExchangeRequested = "EXCHANGE_REQUESTED",
        /// Exchange completed.
        ExchangeCompleted = "EXCHANGE_COMPLETED",
        /// Exchange rejected.
        ExchangeRejected = "EXCHANGE_REJECTED",
        /// Exchange accepted, waiting for the goods.
        ExchangePending = "EXCHANGE_PENDING",
        /// Replacement delayed.
        ExchangeDelayed = "EXCHANGE_DELAYED",
        /// Replacement shipped.
        ExchangeShipping = "EXCHANGE_SHIPPING",
        /// Return requested.
        ReturnRequested = "RETURN_REQUESTED",
        /// Return completed.
        ReturnCompleted = "RETURN_COMPLETED",
        /// Return rejected.
        ReturnRejected = "RETURN_REJECTED",
    }
}

codes! {
    /// Whether the purchase is final.
    PurchaseStatus {
        /// Not paid.
        Pending = "PURCHASE_PENDING",
        /// Paid, not final.
        Awaiting = "PURCHASE_AWAITING",
        /// Delivered, waiting for automatic confirmation.
        Schedule = "PURCHASE_SCHEDULE",
        /// Confirmed.
        Complete = "PURCHASE_COMPLETE",
        /// Canceled.
        Canceled = "PURCHASE_CANCELED",
    }
}

codes! {
    /// Collection status of returned goods. `NONE`, for nothing to collect, is this shop's addition.
    CollectionStatus {
        /// Nothing to collect.
        None = "NONE",
        /// To be collected.
        Pending = "COLLECTION_PENDING",
        /// On the way back.
        Progress = "COLLECTION_PROGRESS",
        /// Back and inspected.
        Complete = "COLLECTION_COMPLETE",
    }
}

/// Whether a purchase with these statuses awaits its confirmation: paid, not final, and without a cancellation or return that is open
/// or granted. What is exchanged is confirmed later.
pub const fn awaits_confirmation(purchase: PurchaseStatus, claim: ClaimStatus) -> bool {
    matches!(
        purchase,
        PurchaseStatus::Awaiting | PurchaseStatus::Schedule
    ) && !matches!(
        claim,
        ClaimStatus::CancelRequested
            | ClaimStatus::CancelCompleted
            | ClaimStatus::ReturnRequested
            | ClaimStatus::ReturnCompleted
    )
}
