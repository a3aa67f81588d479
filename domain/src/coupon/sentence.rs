//! What a coupon does and for whom, in one Korean sentence: "골드 회원이 생일에 받아 주문 전체에서 10% 할인, 최대 $30".
//!
//! Rules that do not apply are not mentioned. Names of levels and goods come from the caller; without them their number is said.

use time::OffsetDateTime;

use super::{
    Coupon, CouponTerms, IssueEventType, IssueTargetType, IssueType, PriceBasis, Round, RoundType,
    SpecialDate, Stage, shop_days,
};
use crate::business_day;
use crate::catalogue::ValueUnit;
use crate::member::MemberType;
use crate::money::Amount;
use crate::storefront::DisplayCode;

/// Names of what the rules of a coupon list, as people know them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CouponNames {
    /// Of the levels it is issued to.
    pub levels: Vec<String>,
    /// Of the level whose members it is issued to when they reach it.
    pub reached: Option<String>,
    /// Of the products, categories or displays it can be used on.
    pub goods: Vec<String>,
}

/// The most names of a list that are said.
const NAMED: usize = 3;

impl Coupon {
    /// What it does and for whom.
    pub fn sentence(&self, names: &CouponNames) -> String {
        let (issue, usage) = (&self.issue, &self.usage);
        let mut parts = Vec::new();
        if !issue.is_active {
            parts.push("발급을 꺼 둔 쿠폰".to_owned());
        }
        if !usage.is_active {
            parts.push("사용을 꺼 둔 쿠폰".to_owned());
        }
        let terms = self.terms();
        let who = format!("{} {}", self.receivers(names), self.occasion(names));
        parts.push(format!("{who} {}", terms.discount(&names.goods)));
        parts.extend(terms.conditions());
        let in_month = self.special_date() == Some(SpecialDate::BirthdayMonth);
        parts.extend(in_month.then(|| "그 달 말일까지 사용".to_owned()));
        parts.extend((self.count > 1).then(|| format!("한 번에 {}장", self.count)));
        parts.extend(rounds(&issue.round));
        let day = |day| format!("{} 하루만 발급", day_of(day));
        parts.extend(issue.issues_at.map(day));
        parts.extend(period(issue.starts_at, issue.ends_at, "발급"));
        let (draws, uses) = (issue.limit.shop, usage.limit.shop);
        parts.extend(draws.count_sum.map(|most| format!("선착순 {most}장")));
        let worth = |most| format!("발급 총액 {}까지", dollars(most));
        parts.extend(draws.price_sum.map(worth));
        parts.extend(uses.count_sum.map(|most| format!("모두 {most}번까지 사용")));
        let off = |most| format!("할인 총액 {}까지", dollars(most));
        parts.extend(uses.price_sum.map(off));
        parts.extend(self.seller.map(|_| match self.share() {
            100 => "판매자 부담".to_owned(),
            0 => "쇼핑몰 부담".to_owned(),
            share => format!("판매자가 {share}% 부담"),
        }));
        parts.join(", ")
    }

    fn receivers(&self, names: &CouponNames) -> String {
        let target = &self.issue.target;
        match target.kind {
            IssueTargetType::All => "모든 회원이".to_owned(),
            IssueTargetType::Users => format!("지정한 회원 {}명이", target.users.len()),
            IssueTargetType::UserTypes => {
                let types: Vec<&str> = target.user_types.iter().copied().map(type_name).collect();
                format!("{}이", types.join("·"))
            }
            IssueTargetType::UserLevels => match names.levels.is_empty() {
                true => format!("지정한 등급 {}개의 회원이", target.levels.len()),
                false => format!("{} 회원이", listed(&names.levels)),
            },
        }
    }

    fn occasion(&self, names: &CouponNames) -> String {
        let event = match (self.issue.kind, &self.issue.event) {
            (IssueType::Request, _) => return "내려받아".to_owned(),
            (IssueType::Instant, None) => return "받아".to_owned(),
            (IssueType::Instant, Some(event)) => event,
        };
        let code = event.code.as_deref().filter(|code| !code.is_empty());
        match event.kind {
            IssueEventType::UserJoin => "가입하면 받아".to_owned(),
            IssueEventType::LevelUp => match names.reached.as_deref().or(code) {
                Some(level) => format!("{level} 등급이 되면 받아"),
                None => "등급이 오르면 받아".to_owned(),
            },
            IssueEventType::SpecialDate => match code.and_then(SpecialDate::of_code) {
                Some(date) => format!("{}에 받아", date.title()),
                None => "기념일에 받아".to_owned(),
            },
            IssueEventType::ShopSpecificDay => {
                let days = code.and_then(shop_days).unwrap_or_default();
                let days: Vec<String> = days.iter().map(ToString::to_string).collect();
                format!("{}에 받아", listed(&days))
            }
            IssueEventType::PurchaseComplete => "구매를 확정하면 받아".to_owned(),
            IssueEventType::TextReview => "글 후기를 쓰면 받아".to_owned(),
            IssueEventType::PhotoReview => "사진 후기를 쓰면 받아".to_owned(),
        }
    }
}

impl CouponTerms {
    /// What a coupon in a box does. `goods`: names of what it can be used on.
    pub fn sentence(&self, goods: &[String]) -> String {
        let mut parts = vec![self.discount(goods)];
        parts.extend(self.conditions());
        parts.join(", ")
    }

    /// What it takes off of what.
    fn discount(&self, goods: &[String]) -> String {
        let of = self.goods(goods);
        let is_free = self.stage == Stage::Fare
            && (self.unit, self.value, self.limit) == (ValueUnit::Percent, 100, None);
        let place = match (self.stage, of.as_str()) {
            (Stage::Product, "") => "상품 하나에서".to_owned(),
            (Stage::Product, of) => format!("{of} 하나에서"),
            (Stage::Fare, "") if is_free => "배송비".to_owned(),
            (Stage::Fare, of) if is_free => format!("{of}의 배송비"),
            (Stage::Fare, "") => "배송비에서".to_owned(),
            (Stage::Fare, of) => format!("{of}의 배송비에서"),
            (Stage::Total, "") => "주문 전체에서".to_owned(),
            (Stage::Total, of) => format!("주문한 {of}에서"),
        };
        match self.unit {
            _ if is_free => format!("{place} 무료"),
            ValueUnit::Amount => format!("{place} {} 할인", dollars(Amount::new(self.value))),
            ValueUnit::Percent => format!("{place} {}% 할인", self.value),
        }
    }

    /// What the listed displays are.
    fn displayed(&self) -> &'static str {
        let is_display = |code: &String| DisplayCode::of_code(code).is_some();
        match self.displays.iter().any(is_display) {
            true => "진열",
            false => "기획전",
        }
    }

    fn goods(&self, names: &[String]) -> String {
        let lists = [
            ("상품", self.products.len()),
            ("카테고리", self.categories.len()),
            (self.displayed(), self.displays.len()),
        ];
        let own = self.seller.map_or("", |_| "판매자 ");
        match lists.iter().find(|(_, count)| *count > 0) {
            None if self.seller.is_some() => "판매자 상품".to_owned(),
            None => String::new(),
            Some(("상품", _)) if !names.is_empty() => listed(names),
            Some((kind, _)) if !names.is_empty() => format!("{own}{} {kind} 상품", listed(names)),
            Some(("상품", count)) => format!("지정한 상품 {count}개"),
            Some((kind, count)) => format!("{own}{kind} {count}개의 상품"),
        }
    }

    /// When and with what it can be used.
    fn conditions(&self) -> Vec<String> {
        let mut parts = Vec::new();
        if self.for_nothing {
            parts.push("쓸 수 있는 상품이 없음".to_owned());
        }
        // an amount is its own limit
        if let (ValueUnit::Percent, Some(limit)) = (self.unit, self.limit) {
            parts.push(format!("최대 {}", dollars(limit)));
        }
        let basis = match self.price_basis {
            PriceBasis::Sale => "",
            PriceBasis::List => "정가로 ",
        };
        match (self.price_min, self.price_max) {
            (None, None) => {}
            (Some(least), None) => parts.push(format!("{basis}{} 이상일 때", dollars(least))),
            (None, Some(most)) => parts.push(format!("{basis}{} 이하일 때", dollars(most))),
            (Some(least), Some(most)) => parts.push(format!(
                "{basis}{} 이상 {} 이하일 때",
                dollars(least),
                dollars(most)
            )),
        }
        parts.extend(period(self.starts_at, self.ends_at, "사용"));
        if !self.combinable {
            parts.push("다른 쿠폰과 함께 쓸 수 없음".to_owned());
        }
        if !self.returnable {
            parts.push("취소·반품해도 돌려드리지 않음".to_owned());
        }
        parts
    }
}

fn rounds(round: &Round) -> Option<String> {
    let numbers = |rounds: &[u32]| {
        let rounds: Vec<String> = rounds.iter().map(ToString::to_string).collect();
        rounds.join("·")
    };
    match round.kind {
        RoundType::Single => None,
        RoundType::Bounded => Some(format!("{}회차에", numbers(&round.includeds))),
        RoundType::Infinite if round.excludeds.is_empty() => Some("몇 번이든".to_owned()),
        RoundType::Infinite => Some(format!("{}회차를 빼고 매번", numbers(&round.excludeds))),
    }
}

fn period(
    starts: Option<OffsetDateTime>,
    ends: Option<OffsetDateTime>,
    word: &str,
) -> Option<String> {
    let from = starts.map(|start| format!("{}부터", moment(start)));
    let to = ends.map(last_moment);
    match (from, to) {
        (None, None) => None,
        (Some(from), None) => Some(format!("{from} {word}")),
        (None, Some(to)) => Some(format!("{to} {word}")),
        (Some(from), Some(to)) => Some(format!("{from} {to} {word}")),
    }
}

/// The last day before `end`, or the moment where it ends within a day.
fn last_moment(end: OffsetDateTime) -> String {
    match starts_a_day(end) {
        true => format!("{}까지", day_of(end - time::Duration::NANOSECOND)),
        false => format!("{} 전까지", moment(end)),
    }
}

fn starts_a_day(at: OffsetDateTime) -> bool {
    at.to_offset(business_day::OFFSET).time() == time::Time::MIDNIGHT
}

fn moment(at: OffsetDateTime) -> String {
    let time = at.to_offset(business_day::OFFSET).time();
    match starts_a_day(at) {
        true => day_of(at),
        false => format!("{} {}:{:02}", day_of(at), time.hour(), time.minute()),
    }
}

fn day_of(at: OffsetDateTime) -> String {
    let day = business_day::day(at);
    let month = u8::from(day.month());
    format!("{}년 {month}월 {}일", day.year(), day.day())
}

fn listed(names: &[String]) -> String {
    let shown: Vec<&str> = names.iter().take(NAMED).map(String::as_str).collect();
    let shown = shown.join("·");
    match names.len().checked_sub(NAMED) {
        None | Some(0) => shown,
        Some(more) => format!("{shown} 외 {more}개"),
    }
}

const fn type_name(kind: MemberType) -> &'static str {
    match kind {
        MemberType::Person => "개인 회원",
        MemberType::Company => "기업 회원",
        MemberType::Operator => "직원",
    }
}

/// An amount without needless cents: `$30`, `$1,000.50`.
fn dollars(amount: Amount) -> String {
    let hundredths = amount.hundredths().unsigned_abs();
    let digits = (hundredths / 100).to_string();
    let mut whole = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            whole.push(',');
        }
        whole.push(digit);
    }
    match hundredths % 100 {
        0 => format!("${whole}"),
        cents => format!("${whole}.{cents:02}"),
    }
}
