//! Korean texts of a purchase's statuses (spec V106-V109). The only place with these texts: the web app gets them from here.

use std::collections::BTreeMap;

use super::status::{ClaimStatus, CollectionStatus, OrderStatus, PurchaseStatus};
use crate::payment::PaymentStatus;

impl OrderStatus {
    /// Text of the status.
    pub const fn message(self) -> &'static str {
        match self {
            Self::Nonpayment => "결제대기",
            Self::Canceled => "주문취소",
            Self::Payment => "결제완료",
            Self::Confirm => "상품준비중",
            Self::Shipping => "배송중",
            Self::Delayed => "배송지연",
            Self::Delivered => "배송완료",
        }
    }
}

impl ClaimStatus {
    /// Text of the status; none without a claim.
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

    /// Whether the claim was rejected.
    pub const fn is_rejected(self) -> bool {
        matches!(
            self,
            Self::CancelRejected | Self::ExchangeRejected | Self::ReturnRejected
        )
    }

    /// Whether there is no open claim, so that a new one may be made.
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

impl PurchaseStatus {
    /// Text of the status.
    pub const fn message(self) -> &'static str {
        match self {
            Self::Pending => "구매대기",
            Self::Awaiting => "구매진행",
            Self::Schedule => "구매확정 예정",
            Self::Complete => "구매확정",
            Self::Canceled => "구매취소",
        }
    }
}

impl CollectionStatus {
    /// Text of the status; none with nothing to collect.
    pub const fn message(self) -> Option<&'static str> {
        match self {
            Self::None => None,
            Self::Pending => Some("수거대기"),
            Self::Progress => Some("수거중"),
            Self::Complete => Some("수거완료"),
        }
    }
}

impl PaymentStatus {
    /// Text of the status.
    pub const fn message(self) -> &'static str {
        match self {
            Self::Awaiting => "결제대기",
            Self::Completed => "결제완료",
            Self::Canceled => "결제취소",
        }
    }
}

/// Text of an unpaid order whose virtual account awaits the deposit.
pub const DEPOSIT_AWAITED: &str = "입금대기";

/// Texts by code.
type Words = BTreeMap<&'static str, &'static str>;

/// Every code that has a text, by the field that carries it.
pub fn words() -> BTreeMap<&'static str, Words> {
    let order = OrderStatus::ALL.iter();
    let claim = ClaimStatus::ALL.iter();
    let purchase = PurchaseStatus::ALL.iter();
    let collection = CollectionStatus::ALL.iter();
    let payment = PaymentStatus::ALL.iter();
    BTreeMap::from([
        (
            "orderStatus",
            order.map(|one| (one.code(), one.message())).collect(),
        ),
        (
            "claimStatus",
            claim
                .filter_map(|one| Some((one.code(), one.message()?)))
                .collect(),
        ),
        (
            "purchaseStatus",
            purchase.map(|one| (one.code(), one.message())).collect(),
        ),
        (
            "collectionStatus",
            collection
                .filter_map(|one| Some((one.code(), one.message()?)))
                .collect(),
        ),
        (
            "paymentStatus",
            payment.map(|one| (one.code(), one.message())).collect(),
        ),
    ])
}

/// The displayed status text of a purchase.
///
/// A confirmed purchase shows that (V106); a claim that was not rejected shows the claim (V107); a rejected one shows order and
/// claim joined by a slash (V108); otherwise the order (V109).
pub fn status_text(order: OrderStatus, claim: ClaimStatus, purchase: PurchaseStatus) -> String {
    if purchase == PurchaseStatus::Complete {
        return purchase.message().to_owned();
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
                "상품준비중/취소거부",
            ),
            (O::Shipping, C::None, P::Awaiting, "배송중"),
            (O::Nonpayment, C::None, P::Pending, "결제대기"),
            (
                O::Delivered,
                C::ReturnRejected,
                P::Schedule,
                "배송완료/반품거부",
            ),
            (O::Delivered, C::ExchangeShipping, P::Awaiting, "교환배송중"),
        ] {
            assert_eq!(status_text(order, claim, purchase), shown);
        }
    }

    #[test]
    fn every_state_there_is_follows_them() {
        let words = words();
        let word = |field: &str, code: &str| {
            let of = words.get(field).and_then(|field| field.get(code));
            of.copied().unwrap_or("no word")
        };
        for order in OrderStatus::ALL {
            for claim in ClaimStatus::ALL {
                for purchase in PurchaseStatus::ALL {
                    let ordered = word("orderStatus", order.code());
                    let shown = status_text(*order, *claim, *purchase);
                    let rule = match (purchase.code(), claim.code()) {
                        ("PURCHASE_COMPLETE", _) => "구매확정".to_owned(),
                        (_, "NONE") => ordered.to_owned(),
                        (_, refused) if refused.ends_with("_REJECTED") => {
                            format!("{ordered}/{}", word("claimStatus", refused))
                        }
                        (_, claimed) => word("claimStatus", claimed).to_owned(),
                    };
                    assert_eq!(shown, rule, "{order:?} {claim:?} {purchase:?}");
                }
            }
        }
    }
}
