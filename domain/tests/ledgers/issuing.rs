//! Coupons are issued to members: by a download or by an event, in their rounds, several at once, all or none.

use std::collections::BTreeMap;

use domain::Amount;
use domain::catalogue::ValueUnit;
use domain::coupon::{
    Campaign, CampaignError, CampaignEvent, Coupon, DrawError, IssueEvent, IssueEventType,
    IssueRule, IssueTarget, IssueTargetType, IssueType, IssuedCoupon, Round, RoundType, Stage,
    UsageLimit, UsageRule, UsageTarget, draw, issued_id,
};
use domain::ids::{CouponId, IssuedCouponId, MemberId};
use domain::member::{Member, MemberEvent};
use domain::policies::instant_coupons::{Candidate, LATEST, Occasion, issue_for, of_member};
use domain::unit_of_work::UnitOfWork;
use domain::{Actor, Context};
use time::Duration;

use super::given::{NOON, id};
use super::shop::{FIRST_COME, coupon_terms};

/// The shop's state of one coupon and one member.
#[derive(Default)]
struct World {
    member: Member,
    campaign: Campaign,
    boxed: BTreeMap<IssuedCouponId, IssuedCoupon>,
}

fn coupon_id() -> CouponId {
    id(1)
}

fn member() -> MemberId {
    id(8)
}

impl World {
    fn decide<R, E>(&mut self, decide: impl Fn(&mut UnitOfWork) -> Result<R, E>) -> Result<R, E> {
        let mut work = UnitOfWork::new(Context {
            now: NOON,
            actor: Actor::System,
        });
        work.insert(member(), self.member.clone(), 1);
        work.insert(coupon_id(), self.campaign.clone(), 1);
        for (id, state) in &self.boxed {
            work.insert(id, state.clone(), 1);
        }
        let mut result = decide(&mut work);
        while !work.is_loaded() {
            work.load_rest_empty();
            work.rewind();
            result = decide(&mut work);
        }
        let result = result?;
        self.campaign = (*work.state::<Campaign>(coupon_id())).clone();
        for number in 1..=12 {
            let id = issued_id(coupon_id(), member(), number);
            let state = (*work.state::<IssuedCoupon>(id)).clone();
            if state != IssuedCoupon::default() {
                self.boxed.insert(id, state);
            }
        }
        Ok(result)
    }

    fn draw(&mut self, coupon: &Coupon) -> Result<IssuedCouponId, DrawError> {
        self.decide(|work| draw(work, coupon_id(), coupon, member(), 1))
    }

    fn happens(&mut self, coupon: &Coupon, occasion: &Occasion) {
        let owner = self.member.clone();
        let candidate = Candidate {
            id: coupon_id(),
            coupon: coupon.clone(),
            first: 1,
        };
        let candidates = [candidate];
        self.decide(|work| issue_for(work, occasion, &owner, &candidates))
            .unwrap();
    }

    /// The rounds of the coupons in the box, ordered by coupon number.
    fn rounds(&self) -> Vec<Option<u32>> {
        (1..=12)
            .filter_map(|number| self.boxed.get(&issued_id(coupon_id(), member(), number)))
            .filter_map(|coupon| coupon.held.as_ref())
            .map(|held| held.round)
            .collect()
    }
}

fn rounds(kind: RoundType, includeds: &[u32], excludeds: &[u32]) -> Round {
    Round {
        kind,
        includeds: includeds.to_vec(),
        excludeds: excludeds.to_vec(),
    }
}

fn coupon(kind: IssueType, round: Round) -> Coupon {
    Coupon {
        issuer: None,
        seller: None,
        name: "환영".to_owned(),
        unit: ValueUnit::Amount,
        value: 500,
        limit: None,
        share: None,
        count: 1,
        issue: IssueRule {
            kind,
            event: Some(IssueEvent {
                kind: IssueEventType::PurchaseComplete,
                code: None,
            }),
            round,
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
        },
        on_console: true,
        on_display: true,
    }
}

fn bought() -> Occasion {
    Occasion {
        kind: IssueEventType::PurchaseComplete,
        member: member(),
        level: None,
        at: NOON,
    }
}

fn limited(draws: Option<u32>, face_value: Option<i64>) -> CampaignEvent {
    CampaignEvent::CampaignLimited {
        draws,
        uses: None,
        amount: None,
        face_value: face_value.map(Amount::new),
    }
}

#[test]
fn a_download_brings_as_many_as_the_rule_says_in_one_round() {
    let mut two = coupon(IssueType::Request, rounds(RoundType::Bounded, &[1, 2], &[]));
    two.count = 2;
    let mut world = World::default();
    let first = world.draw(&two).unwrap();
    assert_eq!(first, issued_id(coupon_id(), member(), 1));
    assert_eq!(world.rounds(), [Some(1), Some(1)]);
    let second = world.draw(&two).unwrap();
    assert_eq!(second, issued_id(coupon_id(), member(), 3));
    assert_eq!(world.rounds(), [Some(1), Some(1), Some(2), Some(2)]);
    let refused = world.draw(&two).unwrap_err();
    assert_eq!(refused, DrawError::Campaign(CampaignError::AlreadyDrawn));
    assert_eq!(world.campaign.drawn, 4);
    assert_eq!(world.campaign.handed_out, Amount::new(2_000));
}

#[test]
fn a_coupon_of_before_rounds_were_recorded_was_a_round() {
    let mut world = World::default();
    let mut before = IssuedCoupon::default();
    before.evolve(domain::coupon::IssuedCouponEvent::CouponIssued {
        coupon: coupon_id(),
        member: member(),
        terms: Box::new(coupon_terms(FIRST_COME)),
        round: None,
    });
    let id = issued_id(coupon_id(), member(), 1);
    world.boxed.insert(id, before);
    let once = coupon(IssueType::Request, Round::default());
    let refused = world.draw(&once).unwrap_err();
    assert_eq!(refused, DrawError::Campaign(CampaignError::AlreadyDrawn));
    let twice = coupon(IssueType::Request, rounds(RoundType::Bounded, &[1, 2], &[]));
    world.draw(&twice).unwrap();
    assert_eq!(world.rounds(), [None, Some(2)]);
}

#[test]
fn all_of_a_round_are_issued_or_none() {
    for limit in [limited(Some(2), None), limited(None, Some(1_499))] {
        let mut three = coupon(IssueType::Request, Round::default());
        three.count = 3;
        let mut world = World::default();
        world.campaign.evolve(limit);
        let refused = world.draw(&three).unwrap_err();
        assert_eq!(refused, DrawError::Campaign(CampaignError::UsedUp));
        assert!(world.rounds().is_empty());
        // an event then issues nothing, without an error
        three.issue.kind = IssueType::Instant;
        world.happens(&three, &bought());
        assert_eq!((world.rounds().len(), world.campaign.drawn), (0, 0));
        three.count = 2;
        world.happens(&three, &bought());
        assert_eq!((world.rounds().len(), world.campaign.drawn), (2, 2));
    }
}

#[test]
fn rounds_of_an_event_count_on_when_nothing_is_issued() {
    let rows = [
        (rounds(RoundType::Single, &[], &[]), vec![1]),
        (rounds(RoundType::Bounded, &[2, 4], &[]), vec![2, 4]),
        (rounds(RoundType::Infinite, &[], &[1, 3]), vec![2, 4, 5]),
    ];
    for (rule, expected) in rows {
        let instant = coupon(IssueType::Instant, rule);
        let mut world = World::default();
        for _ in 1..=5 {
            world.happens(&instant, &bought());
        }
        let expected: Vec<Option<u32>> = expected.into_iter().map(Some).collect();
        assert_eq!(world.rounds(), expected);
    }
}

#[test]
fn an_event_issues_what_its_rule_says_and_nothing_else() {
    let issues = |change: fn(&mut Coupon, &mut Occasion, &mut Member)| {
        let mut instant = coupon(IssueType::Instant, Round::default());
        let (mut occasion, mut world) = (bought(), World::default());
        change(&mut instant, &mut occasion, &mut world.member);
        world.happens(&instant, &occasion);
        world.rounds().len()
    };
    assert_eq!(issues(|_, _, _| ()), 1);
    assert_eq!(issues(|coupon, _, _| coupon.issue.is_active = false), 0);
    assert_eq!(issues(|coupon, _, _| coupon.usage.is_active = false), 0);
    assert_eq!(issues(|coupon, _, _| coupon.issue.ends_at = Some(NOON)), 0);
    assert_eq!(
        issues(|coupon, _, _| coupon.issue.kind = IssueType::Request),
        0
    );
    assert_eq!(
        issues(|_, event, _| event.kind = IssueEventType::TextReview),
        0
    );
    assert_eq!(issues(|_, _, member| member.left = true), 0);
    fn for_gold(coupon: &mut Coupon) {
        coupon.issue.target = IssueTarget {
            kind: IssueTargetType::UserLevels,
            levels: vec!["gold".to_owned()],
            ..IssueTarget::default()
        };
    }
    assert_eq!(issues(|coupon, _, _| for_gold(coupon)), 0);
    let gold = |coupon: &mut Coupon, _: &mut Occasion, member: &mut Member| {
        for_gold(coupon);
        member.membership_level = Some("gold".to_owned());
    };
    assert_eq!(issues(gold), 1);
    assert!(bought().is_recent(NOON + LATEST));
    assert!(!bought().is_recent(NOON + LATEST + Duration::SECOND));
}

#[test]
fn a_member_rises_to_a_level_of_a_higher_rank() {
    let rank = |code: &str| match code {
        "silver" => Some(1),
        "gold" => Some(2),
        _ => None,
    };
    let rises = |before: Option<&str>, joins, code: &str| {
        let event = MemberEvent::MembershipLevelAssigned {
            code: code.to_owned(),
        };
        let occasion = of_member(&event, (member(), NOON), (before, joins), rank);
        occasion.map(|occasion| (occasion.kind, occasion.level))
    };
    let up = Some((IssueEventType::LevelUp, Some("gold".to_owned())));
    assert_eq!(rises(Some("silver"), false, "gold"), up);
    assert_eq!(rises(None, false, "gold"), up);
    assert_eq!(rises(None, true, "gold"), None, "it is joined with");
    assert_eq!(rises(Some("gold"), false, "silver"), None);
    assert_eq!(rises(Some("gold"), false, "gold"), None);
    assert_eq!(rises(Some("silver"), false, "gone"), None);
}
