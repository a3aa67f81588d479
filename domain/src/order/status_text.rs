//! What a purchase's status is called on the screen (spec V106-V109). The only place with these words.

use super::status::{ClaimStatus, OrderStatus, PurchaseStatus};

/// The message of a confirmed purchase (spec V106).
pub const PURCHASE_CONFIRMED: &str = "구매확정";

impl OrderStatus {
    /// Its message.
    pub const fn message(self) -> &'static str {
        match self {
            Self::Nonpayment => "결제대기",
            Self::Canceled => "주문취소",
            Self::Payment => "결제완료",
            Self::Confirm => "배송준비중",
            Self::Shipping => "배송중",
            Self::Delayed => "배송지연",
            Self::Delivered => "배송완료",
        }
    }
}

impl ClaimStatus {
    /// Its message; none without a claim.
    pub const fn message(self) -> Option<&'static str> {
        match self {
            Self::None => None,
            Self::CancelRequested => Some("취소요청"),
            Self::CancelCompleted => Some("취소완료"),
            Self::CancelRejected => Some("취소거부"),
            Self::ExchangeRequested => Some("교환요청"),
            Self::ExchangeCompleted => Some("교환완료"),
            Self::ExchangeRejected => Some("교환거부"),
            Self::ExchangePending => Some("교환대기"),
            Self::ExchangeDelayed => Some("교환배송지연"),
            Self::ExchangeShipping => Some("교환배송중"),
            Self::ReturnRequested => Some("반품요청"),
            Self::ReturnCompleted => Some("반품완료"),
            Self::ReturnRejected => Some("반품거부"),
        }
    }

    /// Whether the claim was refused.
    pub const fn is_rejected(self) -> bool {
        matches!(
            self,
            Self::CancelRejected | Self::ExchangeRejected | Self::ReturnRejected
        )
    }

    /// Whether the claim is over, or there is none: another one may be made.
    pub const fn is_closed(self) -> bool {
        self.is_rejected()
            || matches!(
                self,
                Self::None
                    | Self::CancelCompleted
                    | Self::ExchangeCompleted
                    | Self::ReturnCompleted
            )
    }
}

/// The displayed status of a purchase.
///
/// Confirmed shows that (V106); a claim that was not refused shows the claim (V107); a refused one shows order and claim
/// joined by a slash (V108); otherwise the order (V109).
pub fn status_text(order: OrderStatus, claim: ClaimStatus, purchase: PurchaseStatus) -> String {
    if purchase == PurchaseStatus::Complete {
        return PURCHASE_CONFIRMED.to_owned();
    }
    match claim.message() {
        None => order.message().to_owned(),
        Some(claim_message) if claim.is_rejected() => {
            format!("{}/{claim_message}", order.message())
        }
        Some(claim_message) => claim_message.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn follows_v106_to_v109() {
        use ClaimStatus as C;
        use OrderStatus as O;
        use PurchaseStatus as P;
        for (order, claim, purchase, shown) in [
            (O::Delivered, C::CancelRejected, P::Complete, "구매확정"),
            (O::Payment, C::CancelRequested, P::Awaiting, "취소요청"),
            (O::Canceled, C::CancelCompleted, P::Canceled, "취소완료"),
            (
                O::Confirm,
                C::CancelRejected,
                P::Awaiting,
                "배송준비중/취소거부",
            ),
            (O::Shipping, C::None, P::Awaiting, "배송중"),
            (O::Nonpayment, C::None, P::Pending, "결제대기"),
        ] {
            assert_eq!(status_text(order, claim, purchase), shown);
        }
    }
}
