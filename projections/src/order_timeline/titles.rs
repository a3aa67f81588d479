//! Which events of an order its buyer sees.

/// Whether the buyer's page shows it: events of the order and its money, not the internal bookkeeping.
pub(super) fn is_told_to_buyers(event_type: &str) -> bool {
    !matches!(
        event_type,
        "PaymentApprovalRequested"
            | "PaymentApproved"
            | "DepositAwaited"
            | "DepositWaitEnded"
            | "GuestRecordsErased"
            | "StaffNoteWritten"
            | "ReceiverDisclosed"
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
