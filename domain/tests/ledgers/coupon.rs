//! Coupons: a campaign stops at its limit, a coupon in a box is used once at a time.

use domain::Amount;
use domain::coupon::{
    Campaign, CampaignCommand, CampaignError, CampaignEvent, CouponStatus, IssuedCoupon,
    IssuedCouponCommand, IssuedCouponError, IssuedCouponEvent, Round, RoundType,
};
use time::Duration;

use super::given::{Given, NOON, given, id};
use super::shop::{FIRST_COME, coupon_terms};

fn campaign(events: impl IntoIterator<Item = CampaignEvent>) -> Given<Campaign> {
    given(events)
}

fn limited(draws: Option<u32>, uses: Option<u32>, amount: Option<i64>) -> CampaignEvent {
    CampaignEvent::CampaignLimited {
        draws,
        uses,
        amount: amount.map(Amount::new),
        face_value: None,
    }
}

fn drawn(issued: u128, member: u128, number: u32) -> CampaignEvent {
    CampaignEvent::CouponDrawn {
        issued: id(issued),
        member: id(member),
        number: Some(number),
        face_value: Some(Amount::new(500)),
    }
}

/// As version 1.0 is upcast.
fn drawn_before(issued: u128, member: u128) -> CampaignEvent {
    CampaignEvent::CouponDrawn {
        issued: id(issued),
        member: id(member),
        number: None,
        face_value: None,
    }
}

fn draw(issued: u128, member: u128, number: u32, rounds: Round) -> CampaignCommand {
    CampaignCommand::Draw {
        issued: id(issued),
        member: id(member),
        number,
        round: number,
        rounds,
        face_value: Some(Amount::new(500)),
    }
}

fn always() -> Round {
    Round {
        kind: RoundType::Infinite,
        ..Round::default()
    }
}

fn up_to(last: u32) -> Round {
    Round {
        kind: RoundType::Bounded,
        includeds: (1..=last).collect(),
        ..Round::default()
    }
}

fn counted(issued: u128, order: u128) -> CampaignEvent {
    CampaignEvent::CouponUseCounted {
        issued: id(issued),
        member: Some(id(8)),
        order: id(order),
        amount: Amount::new(500),
    }
}

/// As version 1.0 is upcast.
fn counted_before(issued: u128, order: u128) -> CampaignEvent {
    CampaignEvent::CouponUseCounted {
        issued: id(issued),
        member: None,
        order: id(order),
        amount: Amount::new(500),
    }
}

fn count(issued: u128, order: u128) -> CampaignCommand {
    CampaignCommand::CountUse {
        issued: id(issued),
        member: id(8),
        order: id(order),
        amount: Amount::new(500),
    }
}

fn returned(issued: u128, order: u128, amount: Option<i64>) -> CampaignEvent {
    CampaignEvent::CouponUseReturned {
        issued: id(issued),
        order: id(order),
        amount: amount.map(Amount::new),
    }
}

fn give_back(issued: u128, order: u128, amount: i64) -> CampaignCommand {
    CampaignCommand::ReturnUse {
        issued: id(issued),
        order: id(order),
        amount: Amount::new(amount),
    }
}

#[test]
fn a_campaign_draws_up_to_its_limit() {
    let two = limited(Some(2), None, None);
    campaign([two.clone(), drawn(1, 8, 1)])
        .when(draw(2, 9, 1, always()))
        .then([drawn(2, 9, 1)]);
    campaign([two.clone(), drawn(1, 8, 1), drawn(2, 9, 1)])
        .when(draw(3, 7, 1, always()))
        .then_refuses(CampaignError::UsedUp);
    campaign([two.clone(), drawn(1, 8, 1)])
        .when(draw(2, 8, 2, Round::default()))
        .then_refuses(CampaignError::AlreadyDrawn);
    campaign([two, drawn(1, 8, 1)])
        .when(draw(2, 8, 2, up_to(2)))
        .then([drawn(2, 8, 2)]);
    campaign([])
        .when(draw(1, 8, 1, always()))
        .then([drawn(1, 8, 1)]);
}

#[test]
fn what_a_member_drew_before_draws_were_numbered_counts() {
    let past = [drawn_before(1, 8), drawn(2, 8, 1)];
    campaign(past.clone())
        .when(draw(3, 8, 2, up_to(2)))
        .then_refuses(CampaignError::AlreadyDrawn);
    campaign(past.clone())
        .when(draw(3, 8, 2, up_to(3)))
        .then([drawn(3, 8, 2)]);
    campaign(past)
        .when(draw(3, 9, 1, Round::default()))
        .then([drawn(3, 9, 1)]);
}

#[test]
fn a_campaign_counts_uses_and_takes_them_back() {
    let one = limited(None, Some(1), None);
    campaign([one.clone()])
        .when(count(1, 70))
        .then([counted(1, 70)]);
    campaign([one.clone(), counted(1, 70)])
        .when(count(2, 71))
        .then_refuses(CampaignError::UsedUp);
    let back = returned(1, 70, Some(500));
    campaign([one.clone(), counted(1, 70)])
        .when(give_back(1, 70, 500))
        .then([back.clone()]);
    campaign([one.clone(), counted(1, 70)])
        .when(give_back(1, 70, 501))
        .then_refuses(CampaignError::NotUsed);
    campaign([one.clone(), counted(1, 70), back.clone()])
        .when(give_back(1, 70, 0))
        .then_refuses(CampaignError::NotUsed);
    campaign([one, counted(1, 70), back])
        .when(count(2, 71))
        .then([counted(2, 71)]);
}

#[test]
fn a_use_given_back_without_saying_its_amount_gives_it_back() {
    let budget = limited(None, None, Some(999));
    let past = [budget, counted_before(1, 70)];
    campaign(past.clone())
        .when(count(2, 71))
        .then_refuses(CampaignError::UsedUp);
    campaign(past.into_iter().chain([returned(1, 70, None)]))
        .when(count(2, 71))
        .then([counted(2, 71)]);
}

#[test]
fn a_campaign_is_as_small_after_many_coupons_as_after_one() {
    let mut campaign = Campaign::default();
    campaign.evolve(counted_before(0, 0));
    let mut size = |coupons: std::ops::Range<u128>| {
        for coupon in coupons {
            campaign.evolve(drawn(coupon, coupon, 1));
            campaign.evolve(counted(coupon, coupon));
        }
        serde_json::to_string(&campaign).unwrap().len()
    };
    let after_one = size(1..2);
    // larger numbers have more digits
    assert!(size(2..10_000) <= after_one + 20, "it remembers coupons");
    assert_eq!(campaign.used_before, [].into());
    assert_eq!(campaign.used, 10_000);
    assert_eq!(campaign.taken_off, Amount::new(5_000_000));
}

#[test]
fn a_campaign_stops_at_its_amount() {
    let budget = limited(None, None, Some(999));
    campaign([budget.clone()])
        .when(count(1, 70))
        .then([counted(1, 70)]);
    campaign([budget, counted(1, 70)])
        .when(count(2, 71))
        .then_refuses(CampaignError::UsedUp);
}

fn issued() -> IssuedCouponEvent {
    IssuedCouponEvent::CouponIssued {
        coupon: id(1),
        member: id(8),
        terms: Box::new(coupon_terms(FIRST_COME)),
        round: Some(1),
        occasion: None,
        memo: None,
        grant: None,
    }
}

fn taken() -> IssuedCouponEvent {
    let memo = "잘못 지급되었습니다.".to_owned();
    IssuedCouponEvent::CouponTaken { memo }
}

fn take() -> IssuedCouponCommand {
    let memo = "잘못 지급되었습니다.".to_owned();
    IssuedCouponCommand::Take { memo }
}

fn used(order: u128) -> IssuedCouponEvent {
    IssuedCouponEvent::CouponUsed {
        order: id(order),
        amount: Amount::new(500),
    }
}

fn using(order: u128, member: u128) -> IssuedCouponCommand {
    IssuedCouponCommand::Use {
        order: id(order),
        member: id(member),
        amount: Amount::new(500),
    }
}

fn coupon(events: impl IntoIterator<Item = IssuedCouponEvent>) -> Given<IssuedCoupon> {
    given(events)
}

#[test]
fn a_coupon_is_used_once_at_a_time() {
    let returned = || IssuedCouponEvent::CouponReturned { order: id(70) };
    let give_back = |order| IssuedCouponCommand::Return { order: id(order) };
    coupon([issued()]).when(using(70, 8)).then([used(70)]);
    coupon([issued(), used(70)])
        .when(using(70, 8))
        .then_nothing();
    coupon([issued(), used(70)])
        .when(using(71, 8))
        .then_refuses(IssuedCouponError::Used);
    coupon([issued()])
        .when(using(70, 9))
        .then_refuses(IssuedCouponError::Foreign);
    coupon([])
        .when(using(70, 8))
        .then_refuses(IssuedCouponError::NotIssued);
    coupon([issued(), used(70)])
        .when(give_back(70))
        .then([returned()]);
    coupon([issued(), used(70)])
        .when(give_back(71))
        .then_refuses(IssuedCouponError::NotUsed);
    coupon([issued(), used(70), returned()])
        .when(using(71, 8))
        .then([used(71)]);
}

#[test]
fn a_coupon_expires_by_its_frozen_terms() {
    coupon([issued()])
        .after(Duration::days(30))
        .when(using(70, 8))
        .then_refuses(IssuedCouponError::Expired);
    coupon([issued()])
        .after(Duration::days(30) - Duration::SECOND)
        .when(using(70, 8))
        .then([used(70)]);
    let mut ledger = IssuedCoupon::default();
    assert_eq!(ledger.status(NOON), None);
    ledger.evolve(issued());
    assert_eq!(ledger.status(NOON), Some(CouponStatus::Held));
    let late = NOON + Duration::days(30);
    assert_eq!(ledger.status(late), Some(CouponStatus::Expired));
    ledger.evolve(used(70));
    assert_eq!(ledger.status(late), Some(CouponStatus::Used));
}

#[test]
fn a_coupon_that_staff_took_is_not_used_until_it_is_brought_back() {
    let bring_back = || IssuedCouponCommand::BringBack {
        memo: "다시 드립니다.".to_owned(),
    };
    let brought_back = || IssuedCouponEvent::CouponBroughtBack {
        memo: "다시 드립니다.".to_owned(),
    };
    coupon([issued()]).when(take()).then([taken()]);
    coupon([])
        .when(take())
        .then_refuses(IssuedCouponError::NotIssued);
    coupon([issued(), used(70)])
        .when(take())
        .then_refuses(IssuedCouponError::Used);
    coupon([issued(), taken()])
        .when(take())
        .then_refuses(IssuedCouponError::Taken);
    coupon([issued(), taken()])
        .when(using(70, 8))
        .then_refuses(IssuedCouponError::Taken);
    coupon([issued(), taken()])
        .when(bring_back())
        .then([brought_back()]);
    coupon([issued()]).when(bring_back()).then_nothing();
    coupon([issued(), taken(), brought_back()])
        .when(using(70, 8))
        .then([used(70)]);
    let mut state = IssuedCoupon::default();
    [issued(), taken()]
        .into_iter()
        .for_each(|event| state.evolve(event));
    let late = NOON + Duration::days(300);
    assert_eq!(state.status(late), Some(CouponStatus::Taken));
}

#[test]
fn staff_sets_another_end_of_an_unused_coupon() {
    let change = |ends_at| IssuedCouponCommand::ChangePeriod {
        ends_at,
        memo: "기한을 늘려 드립니다.".to_owned(),
    };
    let changed = |ends_at| IssuedCouponEvent::CouponPeriodChanged {
        ends_at,
        memo: "기한을 늘려 드립니다.".to_owned(),
    };
    let later = NOON + Duration::days(60);
    coupon([issued()])
        .when(change(later))
        .then([changed(later)]);
    coupon([issued(), changed(later)])
        .when(change(later))
        .then_nothing();
    coupon([issued()])
        .after(Duration::days(40))
        .when(change(later))
        .then([changed(later)]);
    coupon([issued()])
        .when(change(NOON))
        .then_refuses(IssuedCouponError::EndsInPast);
    coupon([issued(), used(70)])
        .when(change(later))
        .then_refuses(IssuedCouponError::Used);
    coupon([issued(), taken()])
        .when(change(later))
        .then_refuses(IssuedCouponError::Taken);
    let mut terms = coupon_terms(FIRST_COME);
    terms.starts_at = Some(later);
    let starts_later = IssuedCouponEvent::CouponIssued {
        coupon: id(1),
        member: id(8),
        terms: Box::new(terms),
        round: None,
        occasion: None,
        memo: None,
        grant: None,
    };
    coupon([starts_later])
        .when(change(later))
        .then_refuses(IssuedCouponError::EndsBeforeStart);
    coupon([issued(), changed(later)])
        .after(Duration::days(60) - Duration::SECOND)
        .when(using(70, 8))
        .then([used(70)]);
    coupon([issued(), changed(later)])
        .after(Duration::days(60))
        .when(using(70, 8))
        .then_refuses(IssuedCouponError::Expired);
}

#[test]
fn a_campaign_stops_at_its_face_value() {
    let worth = |limit| CampaignEvent::CampaignLimited {
        draws: None,
        uses: None,
        amount: None,
        face_value: Some(Amount::new(limit)),
    };
    campaign([worth(1_000), drawn(1, 8, 1)])
        .when(draw(2, 9, 1, always()))
        .then([drawn(2, 9, 1)]);
    campaign([worth(999), drawn(1, 8, 1)])
        .when(draw(2, 9, 1, always()))
        .then_refuses(CampaignError::UsedUp);
}

#[test]
fn a_round_may_pass_before_a_coupon_is_issued() {
    let pass = |round| IssuedCouponCommand::Pass {
        coupon: id(1),
        member: id(8),
        round,
        occasion: None,
    };
    let passed = |round| IssuedCouponEvent::CouponRoundPassed {
        coupon: id(1),
        member: id(8),
        round,
        occasion: None,
    };
    coupon([]).when(pass(1)).then([passed(1)]);
    coupon([passed(1)]).when(pass(1)).then_nothing();
    coupon([passed(1)]).when(pass(2)).then([passed(2)]);
    coupon([issued()])
        .when(pass(2))
        .then_refuses(IssuedCouponError::AlreadyIssued);
}

#[test]
fn a_campaign_is_used_up_at_its_limits_not_before() {
    let used_up = |events: &[CampaignEvent], face_value: Option<i64>| {
        let mut campaign = Campaign::default();
        events
            .iter()
            .for_each(|event| campaign.evolve(event.clone()));
        campaign.is_used_up(face_value.map(Amount::new))
    };
    let worth = |limit| CampaignEvent::CampaignLimited {
        draws: Some(2),
        uses: None,
        amount: None,
        face_value: Some(Amount::new(limit)),
    };
    let one = [worth(1_000), drawn(1, 8, 1)];
    assert!(!used_up(&one, Some(500)));
    assert!(used_up(&one, Some(501)));
    let two = [worth(9_000), drawn(1, 8, 1), drawn(2, 9, 1)];
    assert!(used_up(&two, None));
    assert!(!used_up(&[], Some(i64::MAX)));
    assert!(used_up(&[drawn(1, 8, 1)], Some(i64::MAX)));
}

#[test]
fn the_last_use_may_reach_the_amount() {
    campaign([limited(None, None, Some(1_000)), counted(1, 70)])
        .when(count(2, 71))
        .then([counted(2, 71)]);
}

#[test]
fn uses_given_back_without_their_amounts_give_back_each_its_own() {
    let mut campaign = Campaign::default();
    for event in [
        counted_before(1, 70),
        counted_before(2, 71),
        returned(1, 70, None),
    ] {
        campaign.evolve(event);
    }
    assert_eq!(campaign.taken_off, Amount::new(500));
    campaign.evolve(returned(2, 71, None));
    assert_eq!(campaign.taken_off, Amount::ZERO);
}

#[test]
fn a_coupon_is_issued_once_to_one_member() {
    let issue = |member, coupon| {
        let IssuedCouponEvent::CouponIssued { terms, .. } = issued() else {
            unreachable!("it is issued")
        };
        IssuedCouponCommand::Issue {
            coupon: id(coupon),
            member: id(member),
            terms,
            round: 1,
            occasion: None,
            memo: None,
            grant: None,
        }
    };
    let IssuedCouponEvent::CouponIssued { coupon: of, .. } = issued() else {
        unreachable!("it is issued")
    };
    let of = of.0.as_u128();
    coupon([issued()]).when(issue(8, of)).then_nothing();
    coupon([issued()])
        .when(issue(9, of))
        .then_refuses(IssuedCouponError::AlreadyIssued);
    coupon([issued()])
        .when(issue(8, of + 1))
        .then_refuses(IssuedCouponError::AlreadyIssued);
}

#[test]
fn a_coupon_is_used_from_its_start_on() {
    let mut later = issued();
    if let IssuedCouponEvent::CouponIssued { terms, .. } = &mut later {
        terms.starts_at = Some(NOON + Duration::HOUR);
    }
    coupon([later.clone()])
        .after(Duration::HOUR - Duration::SECOND)
        .when(using(70, 8))
        .then_refuses(IssuedCouponError::NotStarted);
    coupon([later])
        .after(Duration::HOUR)
        .when(using(70, 8))
        .then([used(70)]);
}
