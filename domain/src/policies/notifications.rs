//! Notifications of members: which events are reported, and with which texts. docs/messages.md lists them.

use std::collections::BTreeMap;
use std::slice;

pub use super::alarm_kinds::{AlarmCategory, is_alarm_kind};
use crate::center::{CenterQuestion, Inquiry};
use crate::coupon::IssuedCouponEvent;
use crate::ids::{MemberId, PaymentId};
use crate::inquire::Inquire;
use crate::order::{Buyer, CanceledBy, Order, OrderEvent};
use crate::payment::Payment;
use crate::points::PointsEvent;
use crate::raffle::RaffleEntryEvent;
use crate::record::{RecordEvent, Resource};
use crate::review::Review;
use crate::user_payment::{UserPaymentEvent, UserPaymentPurpose};

/// A notification of a member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notification {
    /// The member.
    pub member: MemberId,
    /// Its category.
    pub category: AlarmCategory,
    /// Its type, as stored.
    pub kind: &'static str,
    /// Title.
    pub title: &'static str,
    /// Text.
    pub content: String,
    /// Link target within the shop.
    pub url: String,
}

/// The notification of a buyer about an event of their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OrderNews<'a> {
    category: AlarmCategory,
    kind: &'static str,
    /// Its title.
    pub title: &'static str,
    /// The purchase it is about; none: the order.
    pub purchase_no: Option<&'a str>,
    /// The payment that waits for a deposit, whose account the text names.
    pub payment: Option<PaymentId>,
}

impl<'a> OrderNews<'a> {
    /// The notification for an event; none for most events.
    pub fn of(event: &'a OrderEvent) -> Option<Self> {
        let (category, kind, title, purchase_no, payment) = match event {
            OrderEvent::OrderPaid { .. } => (
                AlarmCategory::Order,
                "ORDER_PAID",
                "결제가 완료되었습니다",
                None,
                None,
            ),
            OrderEvent::DepositAwaited { payment, .. } => (
                AlarmCategory::Order,
                "DEPOSIT_AWAITED",
                "입금을 기다리고 있습니다",
                None,
                Some(*payment),
            ),
            OrderEvent::PurchaseShipped { purchase_no, .. } => (
                AlarmCategory::Delivery,
                "PURCHASE_SHIPPED",
                "상품이 발송되었습니다",
                Some(purchase_no.as_str()),
                None,
            ),
            OrderEvent::PurchaseDelivered { purchase_no, .. } => (
                AlarmCategory::Delivery,
                "PURCHASE_DELIVERED",
                "배송이 완료되었습니다",
                Some(purchase_no.as_str()),
                None,
            ),
            OrderEvent::OrderCanceled {
                by: CanceledBy::Deadline,
                ..
            } => (
                AlarmCategory::Order,
                "ORDER_EXPIRED",
                "입금 기한이 지나 주문이 취소되었습니다",
                None,
                None,
            ),
            OrderEvent::PurchaseDelayed { purchase_no, .. } => (
                AlarmCategory::Delivery,
                "PURCHASE_DELAYED",
                "상품의 배송이 늦어지고 있습니다",
                Some(purchase_no.as_str()),
                None,
            ),
            OrderEvent::CancelRequested { .. } => (
                AlarmCategory::Order,
                "CANCEL_REQUESTED",
                "취소 신청이 접수되었습니다",
                None,
                None,
            ),
            OrderEvent::CancelApproved { .. } => (
                AlarmCategory::Order,
                "CANCEL_APPROVED",
                "취소가 승인되었습니다",
                None,
                None,
            ),
            OrderEvent::CancelRejected { .. } => (
                AlarmCategory::Order,
                "CANCEL_REJECTED",
                "취소 신청이 거부되었습니다",
                None,
                None,
            ),
            OrderEvent::CancelCompleted { .. } => (
                AlarmCategory::Order,
                "CANCEL_COMPLETED",
                "취소가 완료되었습니다",
                None,
                None,
            ),
            OrderEvent::ReturnRequested { purchase_no, .. } => (
                AlarmCategory::Order,
                "RETURN_REQUESTED",
                "반품 신청이 접수되었습니다",
                Some(purchase_no.as_str()),
                None,
            ),
            OrderEvent::ExchangeRequested { purchase_no, .. } => (
                AlarmCategory::Order,
                "EXCHANGE_REQUESTED",
                "교환 신청이 접수되었습니다",
                Some(purchase_no.as_str()),
                None,
            ),
            OrderEvent::GoodsInspected { .. } => (
                AlarmCategory::Delivery,
                "RETURN_INSPECTED",
                "반품·교환 상품의 검수를 마쳤습니다",
                None,
                None,
            ),
            OrderEvent::GoodsPickedUp { .. } => (
                AlarmCategory::Delivery,
                "RETURN_PICKED_UP",
                "반품·교환 상품을 수거했습니다",
                None,
                None,
            ),
            OrderEvent::GoodsSentBack { .. } => (
                AlarmCategory::Delivery,
                "RETURN_SENT_BACK",
                "반품·교환 상품을 다시 보내 드렸습니다",
                None,
                None,
            ),
            OrderEvent::ReturnApproved { .. } => (
                AlarmCategory::Order,
                "RETURN_APPROVED",
                "반품이 승인되었습니다",
                None,
                None,
            ),
            OrderEvent::ReturnRejected { .. } => (
                AlarmCategory::Order,
                "RETURN_REJECTED",
                "반품 신청이 거부되었습니다",
                None,
                None,
            ),
            OrderEvent::ReturnCompleted { .. } => (
                AlarmCategory::Order,
                "RETURN_COMPLETED",
                "반품이 완료되었습니다",
                None,
                None,
            ),
            OrderEvent::ExchangeAccepted { .. } => (
                AlarmCategory::Order,
                "EXCHANGE_ACCEPTED",
                "교환이 승인되었습니다",
                None,
                None,
            ),
            OrderEvent::ExchangeRejected { .. } => (
                AlarmCategory::Order,
                "EXCHANGE_REJECTED",
                "교환 신청이 거부되었습니다",
                None,
                None,
            ),
            OrderEvent::ExchangeFeeReceived { price, .. } => (
                AlarmCategory::Order,
                "EXCHANGE_FEE_RECEIVED",
                match price.is_zero() {
                    true => "교환 배송비 결제가 확인되었습니다",
                    false => "교환 비용 결제가 확인되었습니다",
                },
                None,
                None,
            ),
            OrderEvent::ExchangeFeeWaived { .. } => (
                AlarmCategory::Order,
                "EXCHANGE_FEE_WAIVED",
                "교환 배송비를 내지 않으셔도 됩니다",
                None,
                None,
            ),
            OrderEvent::ExchangeFeeRefunded { price, payment, .. } => (
                AlarmCategory::Order,
                "EXCHANGE_FEE_REFUNDED",
                match (payment, price.is_zero()) {
                    (None, _) => "교환 배송비를 환불받을 계좌를 등록해 주세요",
                    (Some(_), true) => "결제하신 교환 배송비를 환불해 드립니다",
                    (Some(_), false) => "결제하신 교환 비용을 환불해 드립니다",
                },
                None,
                None,
            ),
            OrderEvent::FeeRefundTransferred { .. } => (
                AlarmCategory::Order,
                "EXCHANGE_FEE_TRANSFERRED",
                "교환 배송비를 계좌로 환불해 드렸습니다",
                None,
                None,
            ),
            OrderEvent::ReplacementShipped { .. } => (
                AlarmCategory::Delivery,
                "REPLACEMENT_SHIPPED",
                "교환 상품이 발송되었습니다",
                None,
                None,
            ),
            OrderEvent::PriceDifferenceRefunded { purchase_no, .. } => (
                AlarmCategory::Order,
                "PRICE_DIFFERENCE_REFUNDED",
                "교환 차액을 환불해 드립니다",
                Some(purchase_no.as_str()),
                None,
            ),
            OrderEvent::ReplacementDelayed { .. } => (
                AlarmCategory::Delivery,
                "REPLACEMENT_DELAYED",
                "교환 상품의 배송이 늦어지고 있습니다",
                None,
                None,
            ),
            OrderEvent::ExchangeCompleted { .. } => (
                AlarmCategory::Delivery,
                "EXCHANGE_COMPLETED",
                "교환 상품의 배송이 완료되었습니다",
                None,
                None,
            ),
            _ => return None,
        };
        Some(Self {
            category,
            kind,
            title,
            purchase_no,
            payment,
        })
    }

    /// The notification of the buyer; none for guests, and for a deposit that is not awaited any more.
    pub fn notification(
        self,
        (id, order): (&str, &Order),
        payment: Option<&Payment>,
    ) -> Option<Notification> {
        let (Some(Buyer::Member { id: member }), Ok(terms)) = (order.buyer(), order.terms()) else {
            return None;
        };
        let account = match self.payment {
            Some(_) => {
                let account = payment?.awaited()?;
                Some(format!("{} {}", account.bank_name, account.number))
            }
            None => None,
        };
        let bought = self
            .purchase_no
            .and_then(|number| order.purchase_terms(number));
        let content = match (bought, account) {
            (Some(bought), _) => format!("{} (주문번호 {})", bought.name, terms.order_no),
            (None, Some(account)) => format!("{account} (주문번호 {})", terms.order_no),
            (None, None) => format!("주문번호 {}", terms.order_no),
        };
        Some(Notification {
            member: *member,
            category: self.category,
            kind: self.kind,
            title: self.title,
            content,
            url: format!("/mypage/orders-detail?order={id}"),
        })
    }
}

/// Title of the request to pay for an exchange.
pub const FEE_REQUESTED: &str = "교환 비용을 결제해 주세요";

/// The notification of a member about an event of a user payment: that it is to be paid.
pub fn of_user_payment(event: &UserPaymentEvent) -> Option<Notification> {
    let UserPaymentEvent::UserPaymentRequested {
        member,
        purpose,
        amount,
        ..
    } = event
    else {
        return None;
    };
    let UserPaymentPurpose::ExchangeFee {
        order,
        order_no,
        claim,
        ..
    } = purpose;
    Some(Notification {
        member: (*member)?,
        category: AlarmCategory::Order,
        kind: "EXCHANGE_FEE_REQUESTED",
        title: FEE_REQUESTED,
        content: format!("{amount} (주문번호 {order_no})"),
        url: format!("/mypage/orders/exchange-detail?order={order}&claim={claim}"),
    })
}

/// Tells the sellers of an order about an event that they have to act on: what was ordered, and what a buyer requests.
pub fn of_sale((id, order): (&str, &Order), event: &OrderEvent) -> Vec<Notification> {
    let Ok(terms) = order.terms() else {
        return vec![];
    };
    // None: all purchases.
    let numbers = match event {
        OrderEvent::OrderPaid { .. } => None,
        OrderEvent::CancelRequested {
            purchase_nos,
            by: CanceledBy::Buyer,
            ..
        } => Some(purchase_nos.as_slice()),
        OrderEvent::ReturnRequested {
            purchase_no,
            by: CanceledBy::Buyer,
            ..
        }
        | OrderEvent::ExchangeRequested {
            purchase_no,
            by: CanceledBy::Buyer,
            ..
        } => Some(slice::from_ref(purchase_no)),
        _ => return vec![],
    };
    let concerns = |number: &String| numbers.is_none_or(|numbers| numbers.contains(number));
    let (kind, title) = match event {
        OrderEvent::CancelRequested { .. } => ("SALE_CANCEL_REQUESTED", "취소 신청이 들어왔습니다"),
        OrderEvent::ReturnRequested { .. } => ("SALE_RETURN_REQUESTED", "반품 신청이 들어왔습니다"),
        OrderEvent::ExchangeRequested { .. } => {
            ("SALE_EXCHANGE_REQUESTED", "교환 신청이 들어왔습니다")
        }
        _ => ("SALE_ORDERED", "새 주문이 들어왔습니다"),
    };
    let mut of_sellers: BTreeMap<MemberId, Vec<&str>> = BTreeMap::new();
    let bought = terms.purchases.iter();
    for one in bought.filter(|one| concerns(&one.purchase_no)) {
        of_sellers.entry(one.seller).or_default().push(&one.name);
    }
    let notification = |(member, names): (MemberId, Vec<&str>)| {
        let first = names.first().copied().unwrap_or_default();
        let goods = match names.len() {
            0 | 1 => first.to_owned(),
            many => format!("{first} 외 {}건", many.saturating_sub(1)),
        };
        Notification {
            member,
            category: AlarmCategory::Sales,
            kind,
            title,
            content: format!("{goods} (주문번호 {})", terms.order_no),
            url: format!("/console/shop/orders/{id}"),
        }
    };
    of_sellers.into_iter().map(notification).collect()
}

/// Tells the seller about a new inquiry.
pub fn of_new_inquire(id: &str, inquire: Inquire) -> Notification {
    Notification {
        member: inquire.seller,
        category: AlarmCategory::Sales,
        kind: "SALE_QUESTION",
        title: "상품 문의가 등록되었습니다",
        content: inquire.name,
        url: format!("/console/shop/inquires/{id}"),
    }
}

/// Notifies a member of an issued coupon.
pub fn of_coupon(event: IssuedCouponEvent) -> Option<Notification> {
    let IssuedCouponEvent::CouponIssued { member, terms, .. } = event else {
        return None;
    };
    Some(Notification {
        member,
        category: AlarmCategory::Coupon,
        kind: "COUPON_ISSUED",
        title: "쿠폰이 발급되었습니다",
        content: terms.name,
        url: "/mypage/coupons".to_owned(),
    })
}

/// Tells a member that their entry in the raffle of an event won.
pub fn of_raffle(event: &RaffleEntryEvent, name: &str) -> Option<Notification> {
    let RaffleEntryEvent::RaffleWon {
        raffle,
        member,
        number,
        ..
    } = event
    else {
        return None;
    };
    Some(Notification {
        member: *member,
        category: AlarmCategory::Notice,
        kind: "RAFFLE_WON",
        title: "이벤트에 당첨되었습니다",
        content: format!("{name} (응모 번호 {number})"),
        url: format!("/sub/event/ended/{raffle}"),
    })
}

/// Tells a member about points that expire soon.
pub fn of_points(member: MemberId, event: &PointsEvent) -> Option<Notification> {
    let PointsEvent::PointsExpiryAnnounced { last_day, amount } = event else {
        return None;
    };
    Some(Notification {
        member,
        category: AlarmCategory::Points,
        kind: "POINTS_EXPIRE",
        title: "적립금이 곧 소멸됩니다",
        content: format!(
            "{amount}을 {}년 {}월 {}일까지 사용할 수 있습니다",
            last_day.year(),
            u8::from(last_day.month()),
            last_day.day()
        ),
        url: "/mypage/points".to_owned(),
    })
}

/// Whether a revision adds the first reply.
pub fn is_first_reply<R: Resource>(event: &RecordEvent<R>) -> bool {
    let RecordEvent::Revised { changes } = event else {
        return false;
    };
    let change = changes.get("reply");
    change.is_some_and(|change| change.from == "" && change.to != "")
}

/// Whether a revision answers a question that was not answered.
pub fn is_first_answer<R: Resource>(event: &RecordEvent<R>) -> bool {
    let RecordEvent::Revised { changes } = event else {
        return false;
    };
    let change = changes.get("state");
    change.is_some_and(|change| change.to == "ANSWER_COMPLETE")
}

/// Notifies the author of a question of the answer. The question is sealed, so the text does not repeat it.
pub fn of_question(id: &str, question: &CenterQuestion) -> Notification {
    Notification {
        member: question.user,
        category: AlarmCategory::Inquiry,
        kind: "QUESTION_ANSWERED",
        title: "1:1 문의에 답변이 등록되었습니다",
        content: "남겨 주신 문의의 답변을 확인해 주세요.".to_owned(),
        url: format!("/mypage/questions/{id}"),
    }
}

/// Notifies the member who sent a form of the answer; none for guests. What was sent is sealed, so the text has the form's title only.
pub fn of_inquiry(id: &str, inquiry: &Inquiry) -> Option<Notification> {
    Some(Notification {
        member: inquiry.user?,
        category: AlarmCategory::Inquiry,
        kind: "INQUIRY_FORM_ANSWERED",
        title: "보내 주신 양식에 답변이 등록되었습니다",
        content: inquiry.form_name.clone(),
        url: format!("/mypage/inquiry/{id}"),
    })
}

/// Notifies the author of an inquiry of the reply.
pub fn of_inquire(id: &str, inquire: Inquire) -> Notification {
    Notification {
        member: inquire.user,
        category: AlarmCategory::Inquiry,
        kind: "INQUIRY_ANSWERED",
        title: "문의에 답변이 등록되었습니다",
        content: inquire.name,
        url: format!("/mypage/inquiries/{id}"),
    }
}

/// Notifies the author of a review of the reply.
pub fn of_review(review: Review) -> Notification {
    Notification {
        member: review.user,
        category: AlarmCategory::Inquiry,
        kind: "REVIEW_ANSWERED",
        title: "후기에 답변이 등록되었습니다",
        content: review.name,
        url: "/mypage/reviews".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::order::ConfirmedBy;

    #[test]
    fn buyers_are_told_of_few_events_and_guests_of_none() {
        let delivered = OrderEvent::PurchaseDelivered {
            purchase_no: "1-1".to_owned(),
            confirm_on: time::Date::MIN,
        };
        let news = OrderNews::of(&delivered);
        assert_eq!(
            news.map(|news| (news.kind, news.purchase_no)),
            Some(("PURCHASE_DELIVERED", Some("1-1")))
        );
        let nobodys = ("1", &Order::default());
        assert!(news.is_some_and(|news| news.notification(nobodys, None).is_none()));
        let confirmed = OrderEvent::PurchaseCompleted {
            purchase_no: "1-1".to_owned(),
            by: ConfirmedBy::Date,
        };
        assert_eq!(OrderNews::of(&confirmed), None);
    }

    /// The stored sample of an event.
    macro_rules! sample {
        ($name:literal) => {
            serde_json::from_str::<OrderEvent>(include_str!(concat!(
                "../../samples/",
                $name,
                ".json"
            )))
        };
    }

    #[test]
    fn a_buyer_is_told_each_step_of_a_claim_and_what_is_late() {
        for (event, kind) in [
            (sample!("CancelRequested.3.0"), "CANCEL_REQUESTED"),
            (sample!("CancelApproved.2.0"), "CANCEL_APPROVED"),
            (sample!("ReturnRequested.2.0"), "RETURN_REQUESTED"),
            (sample!("GoodsInspected.1.0"), "RETURN_INSPECTED"),
            (sample!("ExchangeRequested.3.0"), "EXCHANGE_REQUESTED"),
            (sample!("PurchaseDelayed.1.0"), "PURCHASE_DELAYED"),
            // by the deadline
            (sample!("OrderCanceled.2.0"), "ORDER_EXPIRED"),
        ] {
            let event = event.ok();
            let told = event.as_ref().and_then(OrderNews::of);
            assert_eq!(told.map(|news| news.kind), Some(kind));
        }
        let canceled = json!({ "OrderCanceled": { "by": "buyer", "reason": null } });
        let canceled = serde_json::from_value::<OrderEvent>(canceled);
        assert!(canceled.is_ok_and(|event| OrderNews::of(&event).is_none()));
    }

    #[test]
    fn only_the_first_reply_is_told() {
        let replied = |from: &str, to: &str| {
            let event =
                json!({ "Revised": { "changes": { "reply": { "from": from, "to": to } } } });
            serde_json::from_value(event).is_ok_and(|event| is_first_reply::<Review>(&event))
        };
        assert!(replied("", "네"));
        assert!(!replied("네", "아니요"));
        assert!(!replied("네", ""));
    }
}
