//! Which events of an order its buyer sees.

/// Whether a buyer's page tells it: what happened to the order and its money, not the bookkeeping behind it.
pub(super) fn is_told_to_buyers(event_type: &str) -> bool {
    !matches!(
        event_type,
        "PaymentApprovalRequested"
            | "PaymentApproved"
            | "DepositAwaited"
            | "DepositWaitEnded"
            | "GuestRecordsErased"
            | "StaffNoteWritten"
            | "AccountCloseRequested"
            | "NoticeDoubted"
            | "UserPaymentCompleted"
            | "StockTaken"
            | "StockGivenBack"
            | "StockWrittenOff"
            | "CouponUseCounted"
            | "CouponUseReturned"
    )
}
