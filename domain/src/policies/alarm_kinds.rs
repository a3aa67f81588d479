//! Categories and types of notifications.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Category of a notification; members can switch categories off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum AlarmCategory {
    /// Orders and their payment.
    Order,
    /// Parcels.
    Delivery,
    /// Coupons.
    Coupon,
    /// Points.
    Points,
    /// Answers to inquiries and reviews.
    Inquiry,
    /// Of sellers: new orders, requests of buyers, questions.
    Sales,
    /// Notices of the shop.
    Notice,
    /// Advertising of the shop. Switched off, it is a refusal of advertising by any way.
    Advertising,
}

impl AlarmCategory {
    /// All categories.
    pub const ALL: [Self; 8] = [
        Self::Order,
        Self::Delivery,
        Self::Coupon,
        Self::Points,
        Self::Inquiry,
        Self::Sales,
        Self::Notice,
        Self::Advertising,
    ];

    /// As stored.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Order => "ORDER",
            Self::Delivery => "DELIVERY",
            Self::Coupon => "COUPON",
            Self::Points => "POINTS",
            Self::Inquiry => "INQUIRY",
            Self::Sales => "SALES",
            Self::Notice => "NOTICE",
            Self::Advertising => "ADVERTISING",
        }
    }

    /// Display name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Order => "주문",
            Self::Delivery => "배송",
            Self::Coupon => "쿠폰",
            Self::Points => "적립금",
            Self::Inquiry => "문의·후기",
            Self::Sales => "판매",
            Self::Notice => "공지",
            Self::Advertising => "이벤트·혜택",
        }
    }
}

/// Types of notifications, sorted: those of [`super::notifications`], and of messages to many.
const KINDS: [&str; 43] = [
    "ADVERTISING",
    "CANCEL_APPROVED",
    "CANCEL_COMPLETED",
    "CANCEL_REJECTED",
    "CANCEL_REQUESTED",
    "COUPON_ISSUED",
    "DEPOSIT_AWAITED",
    "EXCHANGE_ACCEPTED",
    "EXCHANGE_COMPLETED",
    "EXCHANGE_FEE_RECEIVED",
    "EXCHANGE_FEE_REFUNDED",
    "EXCHANGE_FEE_REQUESTED",
    "EXCHANGE_FEE_TRANSFERRED",
    "EXCHANGE_FEE_WAIVED",
    "EXCHANGE_REJECTED",
    "EXCHANGE_REQUESTED",
    "INQUIRY_ANSWERED",
    "INQUIRY_FORM_ANSWERED",
    "NOTICE",
    "ORDER_EXPIRED",
    "ORDER_PAID",
    "POINTS_EXPIRE",
    "PRICE_DIFFERENCE_REFUNDED",
    "PURCHASE_DELAYED",
    "PURCHASE_DELIVERED",
    "PURCHASE_SHIPPED",
    "QUESTION_ANSWERED",
    "RAFFLE_WON",
    "REPLACEMENT_DELAYED",
    "REPLACEMENT_SHIPPED",
    "RETURN_APPROVED",
    "RETURN_COMPLETED",
    "RETURN_INSPECTED",
    "RETURN_PICKED_UP",
    "RETURN_REJECTED",
    "RETURN_REQUESTED",
    "RETURN_SENT_BACK",
    "REVIEW_ANSWERED",
    "SALE_CANCEL_REQUESTED",
    "SALE_EXCHANGE_REQUESTED",
    "SALE_ORDERED",
    "SALE_QUESTION",
    "SALE_RETURN_REQUESTED",
];

/// Whether this is a type of notifications.
pub fn is_alarm_kind(kind: &str) -> bool {
    KINDS.binary_search(&kind).is_ok()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::KINDS;

    /// Capital letters and underscores between quotes.
    fn codes(source: &str) -> BTreeSet<&str> {
        let is_code = |text: &&str| {
            let is_letter = |letter| matches!(letter, 'A'..='Z' | '_');
            text.contains('_') && text.chars().all(is_letter)
        };
        source.split('"').filter(is_code).collect()
    }

    #[test]
    fn the_types_are_those_that_notifications_have() {
        let source = include_str!("notifications.rs");
        let mut written = codes(source);
        // a state of an answer
        written.remove("ANSWER_COMPLETE");
        written.extend(["ADVERTISING", "NOTICE"]);
        assert_eq!(written.into_iter().collect::<Vec<_>>(), KINDS);
    }
}
