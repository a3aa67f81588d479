//! The Korean texts of explanations, all in this module. An amount in a text is in braces in whole hundredths (`{12345}`); the reader
//! formats it.

use domain::coupon::CouponStatus;
use domain::order::OrderTerms;
use domain::order::amount_breakdown::{
    CouponAmount, FareAmount, OrderAmount, PurchaseAmount, TotalAmount,
};
use domain::price_trace::PriceRule;
use domain::shipping::Area;
use domain::{Amount, business_day};
use time::OffsetDateTime;

use super::Unit;

pub const STOCK_AVAILABLE: &str = "판매 가능 재고";
pub const STOCK_HELD: &str = "주문에 배정된 재고";
pub const STOCK_TAKEN: &str = "주문으로 차감";
pub const STOCK_GIVEN_BACK: &str = "주문 취소·반품으로 복원";
/// Returned goods that cannot be sold again.
pub const STOCK_WRITTEN_OFF: &str = "반품 상품 폐기";
pub const POINTS_AVAILABLE: &str = "사용 가능 적립금";
pub const POINTS_SPENT: &str = "주문에 사용: 유효기간이 먼저 끝나는 적립금부터";
pub const POINTS_RESTORED: &str = "주문 취소·반품으로 복원";
pub const POINTS_RESTORED_IN_PART: &str =
    "주문 취소·반품으로 복원: 그사이 유효기간이 지난 적립금은 소멸";
pub const POINTS_REVOKED: &str = "반품으로 회수: 그 상품으로 적립한 적립금부터";
pub const POINTS_EXPIRED: &str = "유효기간이 지나 소멸";
pub const POINTS_EXPIRY_ANNOUNCED: &str = "소멸 예정 알림";
pub const POINTS_LIFE_CHANGED: &str = "유효기간 변경";
pub const COUPON_LEFT: &str = "사용 가능 횟수";
pub const COUPON_RETURNED: &str = "주문 취소·반품으로 쿠폰함에 복원";
pub const COUPON_DRAWN: &str = "회원이 발급받음";
pub const USE_COUNTED: &str = "주문에 사용됨";
pub const USE_RETURNED: &str = "주문 취소·반품으로 사용 취소";
pub const DRAWS_LEFT: &str = "남은 발급 수량";
pub const USES_LEFT: &str = "남은 사용 수량";
pub const AMOUNT_LEFT: &str = "남은 할인 예산";
/// An amount of a line that was divided by a claim on some of its pieces.
pub const DIVIDED: &str = "상품 일부를 나눌 때 배분한 금액";
pub const FROZEN: &str = "주문할 때 확정된 금액 (당시 규칙을 다시 읽을 수 없음)";
pub const LOT: &str = "적립금 사용: 유효기간이 먼저 끝나는 적립금부터";
pub const PAID_AMOUNT: &str = "결제 시도 금액";
pub const EXCHANGE_FEE: &str = "교환 비용";
pub const EXCHANGE_DIFFERENCE: &str = "더 저렴한 옵션으로 교환하여 돌려드린 차액";
pub const REFUNDED: &str = "환불한 금액";
pub const REFUND: &str = "결제대행사 환불";
pub const REFUND_OF_CANCEL: &str = "취소·반품된 상품과 배송비의 결제금액 환불";

pub fn brought_forward(events: usize) -> String {
    format!("앞선 기록 {events}건")
}

pub fn counted(quantity: u32) -> String {
    format!("실사 결과 {quantity}개로 조정")
}

fn money(amount: Amount) -> String {
    format!("{{{}}}", amount.hundredths())
}

/// A text with its amounts formatted for a terminal.
pub fn plain(text: &str) -> String {
    let mut parts = text.split('{');
    let mut written = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_once('}') {
            Some((number, rest)) if number.parse::<i64>().is_ok() => {
                let amount = Amount::new(number.parse().unwrap_or_default());
                written.push_str(&amount.to_string());
                written.push_str(rest);
            }
            _ => {
                written.push('{');
                written.push_str(part);
            }
        }
    }
    written
}

fn day(at: OffsetDateTime) -> time::Date {
    business_day::day(at)
}

pub fn granted(reason: &str, expires_at: OffsetDateTime) -> String {
    format!("적립: {reason} ({}까지)", day(expires_at))
}

pub fn points_taken(memo: &str) -> String {
    format!("{memo}: 남은 적립금을 거둠")
}

pub fn lot(expires_at: OffsetDateTime) -> String {
    format!("유효기간이 {}까지인 적립금의 남은 금액", day(expires_at))
}

pub fn over(at: OffsetDateTime) -> String {
    format!("유효기간 {} 만료로 사용할 수 없음", day(at))
}

pub fn round_passed(round: u32) -> String {
    format!("{round}회차: 발급하지 않는 회차")
}

pub fn coupon_taken(memo: &str) -> String {
    format!("쇼핑몰에서 회수: {memo}")
}

pub fn coupon_brought_back(memo: &str) -> String {
    format!("회수한 쿠폰을 되돌림: {memo}")
}

pub fn period_changed(ends_at: OffsetDateTime, memo: &str) -> String {
    format!("사용 기한을 {} 전까지로 변경: {memo}", day(ends_at))
}

pub fn issued(name: &str) -> String {
    format!("발급: {name}")
}

pub fn used(amount: Amount, is_returnable: bool) -> String {
    let kept = match is_returnable {
        true => "",
        false => " (취소·반품해도 돌려주지 않는 쿠폰)",
    };
    format!("주문에 사용해 {} 할인{kept}", money(amount))
}

pub const fn status(status: CouponStatus) -> &'static str {
    match status {
        CouponStatus::Held => "보유 중",
        CouponStatus::Used => "사용완료",
        CouponStatus::Expired => "기간만료",
        CouponStatus::Taken => "회수됨",
    }
}

pub fn limited(unit: Unit, limit: Option<i64>, gone: i64) -> String {
    let shown = |of: i64| match unit {
        Unit::Amount => money(Amount::new(of)),
        Unit::Pieces | Unit::Coupons => number(unit, of),
    };
    match limit {
        None => "한도 없음".to_owned(),
        Some(limit) if gone == 0 => format!("한도 {}", shown(limit)),
        Some(limit) => format!("한도 {}: 이미 나간 {} 제외", shown(limit), shown(gone)),
    }
}

/// A value with its unit, for a terminal.
pub fn number(unit: Unit, value: i64) -> String {
    match unit {
        Unit::Amount => Amount::new(value).to_string(),
        Unit::Pieces => format!("{value}개"),
        Unit::Coupons => format!("{value}장"),
    }
}

fn times(pieces: u32) -> String {
    match pieces {
        1 => String::new(),
        pieces => format!(" × {pieces}개"),
    }
}

/// A rule of pricing.
pub fn rule(rule: &PriceRule) -> String {
    match rule {
        PriceRule::Price { each, pieces } => format!("정가 {}{}", money(*each), times(*pieces)),
        PriceRule::OptionPrice { each, pieces } => {
            format!("옵션 추가금 {}{}", money(*each), times(*pieces))
        }
        PriceRule::Percent {
            percent,
            of,
            pieces,
        } => format!("{}의 {percent}%{}", money(*of), times(*pieces)),
        PriceRule::AmountOff { value, pieces } => {
            format!("정액 할인 {}{}", money(*value), times(*pieces))
        }
        PriceRule::RoundedUp => "단위 미만은 올림".to_owned(),
        PriceRule::Limit { limit, pieces } => {
            format!("최대 {}{}까지만", money(*limit), times(*pieces))
        }
        PriceRule::NoMoreThanIsLeft { left } => format!("남은 금액 {}까지만", money(*left)),
        PriceRule::Share { of, weight, sum } => format!(
            "{} 배분: {} 중 {}의 비율",
            money(*of),
            money(*sum),
            money(*weight)
        ),
        PriceRule::LargestRemainder => "배분 후 남은 금액: 나머지가 큰 순서로".to_owned(),
        PriceRule::FixedFare => "고정 배송비".to_owned(),
        PriceRule::PaidOnDelivery => "착불: 주문에 더하지 않음".to_owned(),
        PriceRule::FareByPrice { goods, from } => {
            format!("상품금액 {}: {}부터의 배송비", money(*goods), money(*from))
        }
        PriceRule::FareByDistance { from } => format!("거리 {from} km부터의 배송비"),
        PriceRule::DearerInParcel { fare } => {
            format!("묶음배송은 가장 비싼 배송비로: {}", money(*fare))
        }
        PriceRule::Island { area: Area::Jeju } => "제주 추가 배송비".to_owned(),
        PriceRule::Island { .. } => "도서산간 추가 배송비".to_owned(),
        PriceRule::Service { each, pieces } => {
            format!("서비스 추가금 {}{}", money(*each), times(*pieces))
        }
        PriceRule::SellerBears { percent, of } => {
            format!("{} 중 판매자 부담 {percent}%: 단위 미만은 버림", money(*of))
        }
    }
}

/// The label of an amount of an order.
pub fn amount(terms: &OrderTerms, amount: &OrderAmount) -> String {
    match amount {
        OrderAmount::Total(total) => total_amount(*total).to_owned(),
        OrderAmount::Purchase(no, of) => {
            let line = terms.purchases.iter().find(|line| line.purchase_no == *no);
            let name = line.map_or(no.as_str(), |line| line.name.as_str());
            format!("{name} · {}", purchase_amount(*of))
        }
        OrderAmount::Fare(place, of) => {
            let name = terms
                .fares
                .get(*place)
                .map_or("", |fare| fare.name.as_str());
            format!("{name} · {}", fare_amount(*of))
        }
        OrderAmount::Coupon(issued, of) => {
            let used = terms.coupons.iter().find(|used| used.issued == *issued);
            let name = used.map_or("", |used| used.name.as_str());
            match of {
                CouponAmount::Amount => format!("쿠폰 {name}"),
                CouponAmount::SellerShare => format!("쿠폰 {name} · 판매자 부담"),
            }
        }
    }
}

const fn total_amount(total: TotalAmount) -> &'static str {
    match total {
        TotalAmount::Goods => "상품금액",
        TotalAmount::ProductDiscount => "상품 할인",
        TotalAmount::LevelDiscount => "등급 할인",
        TotalAmount::ProductCoupon => "상품 쿠폰",
        TotalAmount::Fares => "배송비",
        TotalAmount::FareCoupon => "배송비 쿠폰",
        TotalAmount::TotalCoupon => "주문 쿠폰",
        TotalAmount::Points => "적립금",
        TotalAmount::Payable => "결제금액",
    }
}

const fn purchase_amount(of: PurchaseAmount) -> &'static str {
    match of {
        PurchaseAmount::UnitPrice => "판매단가",
        PurchaseAmount::Goods => "상품금액",
        PurchaseAmount::ProductDiscount => "상품 할인",
        PurchaseAmount::LevelDiscount => "등급 할인",
        PurchaseAmount::ProductCoupon => "상품 쿠폰",
        PurchaseAmount::TotalCoupon => "주문 쿠폰 배분액",
        PurchaseAmount::Points => "적립금 배분액",
        PurchaseAmount::Paid => "결제금액",
    }
}

const fn fare_amount(of: FareAmount) -> &'static str {
    match of {
        FareAmount::Gross => "배송비와 추가금",
        FareAmount::Fare => "배송비",
        FareAmount::IslandFee => "도서산간 추가",
        FareAmount::ServiceFee => "서비스 추가",
        FareAmount::FareCoupon => "배송비 쿠폰",
        FareAmount::TotalCoupon => "주문 쿠폰 배분액",
        FareAmount::Points => "적립금 배분액",
        FareAmount::Paid => "결제금액",
    }
}
