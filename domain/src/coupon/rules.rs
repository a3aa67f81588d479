//! What the rules of a coupon may say: rules that contradict each other, or that nothing obeys yet, are refused when it is saved.

use super::{
    Coupon, IssueEventType, IssueTargetType, IssueType, RoundType, SpecialDate, UsageTargetType,
    shop_days,
};
use crate::catalogue::ValueUnit;
use crate::storefront::DisplayCode;
use crate::validation::RecordErrors;

/// Most coupons of one kind that a member gets at once.
pub const COUNT_MOST: u32 = 100;

/// Checks the rules of a coupon.
pub(super) fn check(data: &Coupon, errors: &mut RecordErrors) {
    errors.require(
        data.seller.is_some() || data.share.unwrap_or(0) == 0,
        "share",
        "no_seller",
        "판매자가 없는 쿠폰은 판매자 부담률을 입력할 수 없습니다.",
    );
    errors.require(
        data.count > 0,
        "count",
        "too_small",
        "발급 수량을 1 이상 입력해 주세요.",
    );
    errors.require(
        data.count <= COUNT_MOST,
        "count",
        "too_large",
        "한 번에 발급하는 수를 100 이하로 입력해 주세요.",
    );
    errors.period("issue", data.issue.starts_at, data.issue.ends_at);
    errors.period("usage", data.usage.starts_at, data.usage.ends_at);
    check_event(data, errors);
    check_day(data, errors);
    check_rounds(data, errors);
    check_people(data, errors);
    check_goods(data, errors);
    let face_limited = data.issue.limit.shop.price_sum.is_some();
    errors.require(
        !face_limited || data.unit == ValueUnit::Amount || data.limit.is_some(),
        "limit",
        "required",
        "발급 한도(금액)가 있는 정률 쿠폰은 최대 할인 금액을 입력해 주세요.",
    );
}

fn check_event(data: &Coupon, errors: &mut RecordErrors) {
    let event = data.issue.event.as_ref();
    errors.require(
        data.issue.kind != IssueType::Instant || event.is_some(),
        "issue.event",
        "required",
        "즉시 발급 쿠폰은 발급 조건을 선택해 주세요.",
    );
    let Some(event) = event.filter(|_| data.issue.kind == IssueType::Instant) else {
        return;
    };
    let code = event.code.as_deref().unwrap_or_default();
    let (is_known, message) = match event.kind {
        IssueEventType::SpecialDate => (
            SpecialDate::of_code(code).is_some(),
            "기념일을 생일, 생일 달, 설립일, 가입 기념일 가운데에서 선택해 주세요.",
        ),
        IssueEventType::ShopSpecificDay => (
            shop_days(code).is_some(),
            "지정일을 11-11 또는 2026-11-11처럼 입력해 주세요. 여러 날은 쉼표로 나눕니다.",
        ),
        _ => return,
    };
    let problem = match code {
        "" => "required",
        _ => "unknown_value",
    };
    errors.require(is_known, "issue.event.code", problem, message);
}

fn check_day(data: &Coupon, errors: &mut RecordErrors) {
    let Some(day) = data.issue.issues_at else {
        return;
    };
    let is_within = data.issue.starts_at.is_none_or(|start| day >= start)
        && data.issue.ends_at.is_none_or(|end| day < end);
    errors.require(
        is_within,
        "issue.issuesAt",
        "out_of_order",
        "발급일을 발급 기간 안의 날짜로 입력해 주세요.",
    );
}

fn check_rounds(data: &Coupon, errors: &mut RecordErrors) {
    let round = &data.issue.round;
    for (field, rounds) in [
        ("issue.round.includeds", &round.includeds),
        ("issue.round.excludeds", &round.excludeds),
    ] {
        errors.require(
            !rounds.contains(&0),
            field,
            "too_small",
            "회차는 1부터 입력해 주세요.",
        );
    }
    errors.require(
        round.kind != RoundType::Bounded || !round.includeds.is_empty(),
        "issue.round.includeds",
        "required",
        "발급 회차를 입력해 주세요.",
    );
    let contradicts = match round.kind {
        RoundType::Single => round.excludeds.contains(&1),
        RoundType::Bounded => round
            .includeds
            .iter()
            .any(|one| round.excludeds.contains(one)),
        RoundType::Infinite => false,
    };
    errors.require(
        !contradicts,
        "issue.round.excludeds",
        "contradicts",
        "발급 회차와 제외 회차에 같은 회차가 있습니다.",
    );
    // a member comes to the next round only by downloading in this one
    let last = u32::try_from(round.includeds.len()).unwrap_or(u32::MAX);
    let is_reached = match round.kind {
        RoundType::Single => true,
        RoundType::Bounded => (1..=last).all(|one| round.includeds.contains(&one)),
        RoundType::Infinite => round.excludeds.is_empty(),
    };
    let field = match round.kind {
        RoundType::Infinite => "issue.round.excludeds",
        RoundType::Single | RoundType::Bounded => "issue.round.includeds",
    };
    errors.require(
        data.issue.kind != IssueType::Request || is_reached,
        field,
        "never_reached",
        "내려받는 쿠폰은 받은 회차 다음 회차만 받을 수 있습니다. 1회차부터 빠짐없이 입력해 주세요.",
    );
}

fn check_people(data: &Coupon, errors: &mut RecordErrors) {
    let target = &data.issue.target;
    let (field, message, is_empty) = match target.kind {
        IssueTargetType::All => return,
        IssueTargetType::Users => (
            "issue.target._users",
            "발급할 회원을 선택해 주세요.",
            target.users.is_empty(),
        ),
        IssueTargetType::UserTypes => (
            "issue.target.userTypes",
            "발급할 회원 유형을 선택해 주세요.",
            target.user_types.is_empty(),
        ),
        IssueTargetType::UserLevels => (
            "issue.target._levels",
            "발급할 회원 등급을 선택해 주세요.",
            target.levels.is_empty(),
        ),
    };
    errors.require(!is_empty, field, "required", message);
}

fn check_goods(data: &Coupon, errors: &mut RecordErrors) {
    let target = &data.usage.target;
    errors.require(
        target.basis().is_some(),
        "usage.target.priceBasis",
        "unknown_value",
        "금액 기준은 SALE(할인 후 금액) 또는 LIST(정가)로 입력해 주세요.",
    );
    let (field, message) = match target.kind {
        UsageTargetType::All => return,
        UsageTargetType::Products => ("usage.target._products", "사용할 상품을 선택해 주세요."),
        UsageTargetType::Categories => (
            "usage.target._categories",
            "사용할 카테고리를 선택해 주세요.",
        ),
        UsageTargetType::Exhibitions => (
            "usage.target._exhibitions",
            "사용할 기획전을 선택해 주세요.",
        ),
        UsageTargetType::Displays => ("usage.target.displayCodes", "사용할 진열을 선택해 주세요."),
    };
    errors.require(target.has_goods(), field, "required", message);
    let is_known = |code: &String| DisplayCode::of_code(code).is_some();
    errors.require(
        target.kind != UsageTargetType::Displays || target.display_codes.iter().all(is_known),
        "usage.target.displayCodes",
        "unknown_value",
        "사용할 수 있는 진열 코드를 입력해 주세요.",
    );
}
