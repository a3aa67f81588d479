//! What the events of an order are called on its page. The only place with these words.

/// The Korean title of an event; its own name if it has none.
pub fn title(event_type: &str) -> &str {
    match event_type {
        "OrderPlaced" => "주문이 접수되었습니다",
        "OrderPaid" => "결제가 완료되었습니다",
        "DepositAwaited" => "입금을 기다리고 있습니다",
        "OrderCanceled" => "주문이 취소되었습니다",
        "PurchasePrepared" => "상품을 준비하고 있습니다",
        "PurchaseShipped" => "상품이 발송되었습니다",
        "InvoiceCorrected" => "송장번호가 수정되었습니다",
        "PurchaseDelayed" => "배송이 지연되고 있습니다",
        "PurchaseDelivered" => "배송이 완료되었습니다",
        "PurchaseCompleted" => "구매가 확정되었습니다",
        "CancelRequested" => "취소가 요청되었습니다",
        "CancelApproved" => "취소가 승인되었습니다",
        "CancelRejected" => "취소가 거부되었습니다",
        "CancelCompleted" => "취소가 완료되었습니다",
        "GuestRecordsErased" => "보관 기한이 지나 개인정보를 파기했습니다",
        "PaymentStarted" => "결제를 시작했습니다",
        "PaymentApprovalRequested" => "결제 승인을 요청했습니다",
        "PaymentApproved" => "결제가 승인되었습니다",
        "VirtualAccountIssued" => "가상계좌가 발급되었습니다",
        "AccountCloseRequested" => "가상계좌 해지를 요청했습니다",
        "VirtualAccountClosed" => "가상계좌가 해지되었습니다",
        "DepositReceived" => "입금이 확인되었습니다",
        "NoticeDoubted" => "확인되지 않은 입금 통보를 받았습니다",
        "RefundAccountGiven" => "환불 계좌가 등록되었습니다",
        "PaymentRefused" => "결제가 거절되었습니다",
        "PaymentApprovalUnknown" => "결제 결과를 확인하고 있습니다",
        "PaymentNetCanceled" => "결제가 망취소되었습니다",
        "PaymentAbandoned" => "결제를 중단했습니다",
        "RefundRequested" => "환불을 요청했습니다",
        "RefundCompleted" => "환불이 완료되었습니다",
        "RefundUnknown" => "환불 결과를 확인하고 있습니다",
        "RefundRefused" => "환불이 거절되었습니다",
        "StockTaken" => "재고가 차감되었습니다",
        "StockGivenBack" => "재고가 복원되었습니다",
        "CouponUseCounted" => "쿠폰 사용이 집계되었습니다",
        "CouponUseReturned" => "쿠폰 사용 집계가 취소되었습니다",
        "CouponUsed" => "쿠폰을 사용했습니다",
        "CouponReturned" => "쿠폰이 복원되었습니다",
        "PointsGranted" => "적립금이 지급되었습니다",
        "PointsSpent" => "적립금을 사용했습니다",
        "PointsRestored" => "적립금이 복원되었습니다",
        "PointsExpired" => "적립금이 소멸되었습니다",
        "StockCounted" => "재고를 실사했습니다",
        "CouponIssued" => "쿠폰이 발급되었습니다",
        "CouponDrawn" => "쿠폰을 받았습니다",
        "CampaignLimited" => "쿠폰 한도가 정해졌습니다",
        "FileReplaced" => "파일이 교체되었습니다",
        "DeadlineRetried" => "거절된 자동 처리를 다시 시도했습니다",
        other => of_record(other),
    }
}

/// What happens to records has the same names for all of them: `ProductRevised`.
fn of_record(event_type: &str) -> &str {
    let endings = [
        ("Created", "등록했습니다"),
        ("Revised", "수정했습니다"),
        ("Removed", "삭제했습니다"),
    ];
    let named = endings
        .into_iter()
        .find(|(ending, _)| event_type.ends_with(ending));
    named.map_or(event_type, |(_, title)| title)
}

/// Whether a buyer's page tells it: what happened to the order and its money, not the bookkeeping behind it.
pub(super) fn is_told_to_buyers(event_type: &str) -> bool {
    !matches!(
        event_type,
        "PaymentApprovalRequested"
            | "PaymentApproved"
            | "DepositAwaited"
            | "GuestRecordsErased"
            | "AccountCloseRequested"
            | "NoticeDoubted"
            | "StockTaken"
            | "StockGivenBack"
            | "CouponUseCounted"
            | "CouponUseReturned"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::coupon::{CampaignEvent, IssuedCouponEvent};
    use domain::event::EventNames;
    use domain::order::OrderEvent;
    use domain::payment::PaymentEvent;
    use domain::points::PointsEvent;
    use domain::stock::StockEvent;

    #[test]
    fn every_event_of_an_order_has_a_title() {
        let own = [OrderEvent::NAMES, PaymentEvent::NAMES].concat();
        for (name, _) in own {
            assert_ne!(title(name), name);
        }
        let others = [
            CampaignEvent::NAMES,
            IssuedCouponEvent::NAMES,
            PointsEvent::NAMES,
            StockEvent::NAMES,
        ]
        .concat();
        for (name, _) in others {
            assert_ne!(title(name), name);
        }
    }
}
