//! What a coupon does and for whom, in one sentence: every rule has its words, and says nothing where it does not apply.

use domain::Amount;
use domain::catalogue::ValueUnit;
use domain::coupon::{
    Coupon, CouponNames, IssueEvent, IssueEventType, IssueRule, IssueTargetType, IssueType,
    RoundType, Stage, UsageLimit, UsageRule, UsageTarget, UsageTargetType,
};
use domain::member::MemberType;
use time::macros::datetime;

use super::given::id;

fn ten_percent() -> Coupon {
    Coupon {
        issuer: None,
        seller: None,
        name: "십 퍼센트".to_owned(),
        unit: ValueUnit::Percent,
        value: 10,
        limit: None,
        share: None,
        count: 1,
        issue: IssueRule {
            is_active: true,
            ..IssueRule::default()
        },
        usage: UsageRule {
            stage: Stage::Total,
            target: UsageTarget::default(),
            limit: UsageLimit::default(),
            starts_at: None,
            ends_at: None,
            is_active: true,
            combinable: true,
            returnable: true,
        },
        on_console: true,
        on_display: true,
    }
}

fn names() -> CouponNames {
    CouponNames {
        levels: vec!["골드".to_owned()],
        reached: None,
        goods: vec!["자전거".to_owned()],
    }
}

type Change = fn(&mut Coupon);

fn instant(coupon: &mut Coupon, kind: IssueEventType, code: Option<&str>) {
    coupon.issue.kind = IssueType::Instant;
    let code = code.map(str::to_owned);
    coupon.issue.event = Some(IssueEvent { kind, code });
}

#[test]
fn the_sentence_says_each_rule_that_applies() {
    let cases: &[(Change, &str)] = &[
        (|_| (), "모든 회원이 내려받아 주문 전체에서 10% 할인"),
        (
            |coupon| (coupon.unit, coupon.value) = (ValueUnit::Amount, 123_450),
            "모든 회원이 내려받아 주문 전체에서 $1,234.50 할인",
        ),
        (
            |coupon| coupon.limit = Some(Amount::new(3_000)),
            "모든 회원이 내려받아 주문 전체에서 10% 할인, 최대 $30",
        ),
        (
            |coupon| {
                (coupon.unit, coupon.value) = (ValueUnit::Amount, 500);
                coupon.limit = Some(Amount::new(3_000));
            },
            "모든 회원이 내려받아 주문 전체에서 $5 할인",
        ),
        (
            |coupon| coupon.usage.stage = Stage::Product,
            "모든 회원이 내려받아 상품 하나에서 10% 할인",
        ),
        (
            |coupon| coupon.usage.stage = Stage::Fare,
            "모든 회원이 내려받아 배송비에서 10% 할인",
        ),
        (
            |coupon| (coupon.usage.stage, coupon.value) = (Stage::Fare, 100),
            "모든 회원이 내려받아 배송비 무료",
        ),
        (
            |coupon| coupon.issue.target.kind = IssueTargetType::UserLevels,
            "골드 회원이 내려받아 주문 전체에서 10% 할인",
        ),
        (
            |coupon| {
                coupon.issue.target.kind = IssueTargetType::Users;
                coupon.issue.target.users = vec![id(8), id(9)];
            },
            "지정한 회원 2명이 내려받아 주문 전체에서 10% 할인",
        ),
        (
            |coupon| {
                coupon.issue.target.kind = IssueTargetType::UserTypes;
                coupon.issue.target.user_types = vec![MemberType::Person, MemberType::Company];
            },
            "개인 회원·기업 회원이 내려받아 주문 전체에서 10% 할인",
        ),
        (
            |coupon| instant(coupon, IssueEventType::UserJoin, None),
            "모든 회원이 가입하면 받아 주문 전체에서 10% 할인",
        ),
        (
            |coupon| instant(coupon, IssueEventType::LevelUp, None),
            "모든 회원이 등급이 오르면 받아 주문 전체에서 10% 할인",
        ),
        (
            |coupon| instant(coupon, IssueEventType::LevelUp, Some("gold")),
            "모든 회원이 gold 등급이 되면 받아 주문 전체에서 10% 할인",
        ),
        (
            |coupon| instant(coupon, IssueEventType::SpecialDate, Some("BIRTHDAY")),
            "모든 회원이 생일에 받아 주문 전체에서 10% 할인",
        ),
        (
            |coupon| instant(coupon, IssueEventType::SpecialDate, Some("BIRTHDAY_MONTH")),
            "모든 회원이 생일 달에 받아 주문 전체에서 10% 할인, 그 달 말일까지 사용",
        ),
        (
            |coupon| instant(coupon, IssueEventType::SpecialDate, Some("FOUNDING_DATE")),
            "모든 회원이 설립일에 받아 주문 전체에서 10% 할인",
        ),
        (
            |coupon| instant(coupon, IssueEventType::SpecialDate, Some("JOIN_DATE")),
            "모든 회원이 가입 기념일에 받아 주문 전체에서 10% 할인",
        ),
        (
            |coupon| {
                instant(
                    coupon,
                    IssueEventType::ShopSpecificDay,
                    Some("11-11,2026-12-25"),
                )
            },
            "모든 회원이 11월 11일·2026년 12월 25일에 받아 주문 전체에서 10% 할인",
        ),
        (
            |coupon| instant(coupon, IssueEventType::PurchaseComplete, None),
            "모든 회원이 구매를 확정하면 받아 주문 전체에서 10% 할인",
        ),
        (
            |coupon| instant(coupon, IssueEventType::TextReview, None),
            "모든 회원이 글 후기를 쓰면 받아 주문 전체에서 10% 할인",
        ),
        (
            |coupon| instant(coupon, IssueEventType::PhotoReview, None),
            "모든 회원이 사진 후기를 쓰면 받아 주문 전체에서 10% 할인",
        ),
        (
            |coupon| {
                coupon.usage.target.kind = UsageTargetType::Products;
                coupon.usage.target.products = vec![id(3)];
            },
            "모든 회원이 내려받아 주문한 자전거에서 10% 할인",
        ),
        (
            |coupon| {
                coupon.usage.target.kind = UsageTargetType::Categories;
                coupon.usage.target.categories = vec!["bikes".to_owned()];
            },
            "모든 회원이 내려받아 주문한 자전거 카테고리 상품에서 10% 할인",
        ),
        (
            |coupon| {
                coupon.usage.target.kind = UsageTargetType::Displays;
                coupon.usage.target.display_codes = vec!["MERIT".to_owned()];
                coupon.usage.stage = Stage::Product;
            },
            "모든 회원이 내려받아 자전거 진열 상품 하나에서 10% 할인",
        ),
        (
            |coupon| {
                coupon.usage.target.kind = UsageTargetType::Exhibitions;
                coupon.usage.target.exhibitions = vec!["spring".to_owned()];
                coupon.usage.stage = Stage::Product;
            },
            "모든 회원이 내려받아 자전거 기획전 상품 하나에서 10% 할인",
        ),
        (
            |coupon| coupon.usage.target.kind = UsageTargetType::Exhibitions,
            "모든 회원이 내려받아 주문 전체에서 10% 할인, 쓸 수 있는 상품이 없음",
        ),
        (
            |coupon| coupon.usage.limit.target.price_min = Some(Amount::new(5_000)),
            "모든 회원이 내려받아 주문 전체에서 10% 할인, $50 이상일 때",
        ),
        (
            |coupon| {
                coupon.usage.limit.target.price_min = Some(Amount::new(5_000));
                coupon.usage.limit.target.price_max = Some(Amount::new(9_999));
                coupon.usage.target.price_basis = Some("LIST".to_owned());
            },
            "모든 회원이 내려받아 주문 전체에서 10% 할인, 정가로 $50 이상 $99.99 이하일 때",
        ),
        (
            |coupon| coupon.usage.limit.target.price_max = Some(Amount::new(9_900)),
            "모든 회원이 내려받아 주문 전체에서 10% 할인, $99 이하일 때",
        ),
        (
            |coupon| coupon.usage.ends_at = Some(datetime!(2027-01-01 0:00 +9)),
            "모든 회원이 내려받아 주문 전체에서 10% 할인, 2026년 12월 31일까지 사용",
        ),
        (
            |coupon| {
                coupon.usage.starts_at = Some(datetime!(2026-12-01 0:00 +9));
                coupon.usage.ends_at = Some(datetime!(2026-12-31 9:30 UTC));
            },
            "모든 회원이 내려받아 주문 전체에서 10% 할인, 2026년 12월 1일부터 2026년 12월 31일 18:30 전까지 사용",
        ),
        (
            |coupon| coupon.usage.returnable = false,
            "모든 회원이 내려받아 주문 전체에서 10% 할인, 취소·반품해도 돌려드리지 않음",
        ),
        (
            |coupon| coupon.usage.combinable = false,
            "모든 회원이 내려받아 주문 전체에서 10% 할인, 다른 쿠폰과 함께 쓸 수 없음",
        ),
        (
            |coupon| coupon.count = 3,
            "모든 회원이 내려받아 주문 전체에서 10% 할인, 한 번에 3장",
        ),
        (
            |coupon| {
                coupon.issue.round.kind = RoundType::Bounded;
                coupon.issue.round.includeds = vec![1, 3];
            },
            "모든 회원이 내려받아 주문 전체에서 10% 할인, 1·3회차에",
        ),
        (
            |coupon| coupon.issue.round.kind = RoundType::Infinite,
            "모든 회원이 내려받아 주문 전체에서 10% 할인, 몇 번이든",
        ),
        (
            |coupon| {
                coupon.issue.round.kind = RoundType::Infinite;
                coupon.issue.round.excludeds = vec![2];
            },
            "모든 회원이 내려받아 주문 전체에서 10% 할인, 2회차를 빼고 매번",
        ),
        (
            |coupon| coupon.issue.issues_at = Some(datetime!(2026-12-24 15:00 UTC)),
            "모든 회원이 내려받아 주문 전체에서 10% 할인, 2026년 12월 25일 하루만 발급",
        ),
        (
            |coupon| coupon.issue.starts_at = Some(datetime!(2026-12-01 0:00 +9)),
            "모든 회원이 내려받아 주문 전체에서 10% 할인, 2026년 12월 1일부터 발급",
        ),
        (
            |coupon| {
                coupon.issue.limit.shop.count_sum = Some(100);
                coupon.issue.limit.shop.price_sum = Some(Amount::new(100_000));
            },
            "모든 회원이 내려받아 주문 전체에서 10% 할인, 선착순 100장, 발급 총액 $1,000까지",
        ),
        (
            |coupon| {
                coupon.usage.limit.shop.count_sum = Some(20);
                coupon.usage.limit.shop.price_sum = Some(Amount::new(50_000));
            },
            "모든 회원이 내려받아 주문 전체에서 10% 할인, 모두 20번까지 사용, 할인 총액 $500까지",
        ),
        (
            |coupon| coupon.seller = Some(id(5)),
            "모든 회원이 내려받아 주문한 판매자 상품에서 10% 할인, 판매자 부담",
        ),
        (
            |coupon| (coupon.seller, coupon.share) = (Some(id(5)), Some(50)),
            "모든 회원이 내려받아 주문한 판매자 상품에서 10% 할인, 판매자가 50% 부담",
        ),
        (
            |coupon| coupon.issue.is_active = false,
            "발급을 꺼 둔 쿠폰, 모든 회원이 내려받아 주문 전체에서 10% 할인",
        ),
        (
            |coupon| coupon.usage.is_active = false,
            "사용을 꺼 둔 쿠폰, 모든 회원이 내려받아 주문 전체에서 10% 할인",
        ),
    ];
    for (change, expected) in cases {
        let mut coupon = ten_percent();
        change(&mut coupon);
        assert_eq!(coupon.sentence(&names()), *expected);
    }
}

#[test]
fn without_names_their_number_is_said_and_terms_speak_for_themselves() {
    let mut coupon = ten_percent();
    coupon.issue.target.kind = IssueTargetType::UserLevels;
    coupon.issue.target.levels = vec!["gold".to_owned(), "silver".to_owned()];
    coupon.usage.target.kind = UsageTargetType::Categories;
    coupon.usage.target.categories = vec!["bikes".to_owned()];
    assert_eq!(
        coupon.sentence(&CouponNames::default()),
        "지정한 등급 2개의 회원이 내려받아 주문한 카테고리 1개의 상품에서 10% 할인"
    );
    let many = ["하나", "둘", "셋", "넷", "다섯"].map(str::to_owned);
    assert_eq!(
        coupon.terms().sentence(&many),
        "주문한 하나·둘·셋 외 2개 카테고리 상품에서 10% 할인"
    );
}
