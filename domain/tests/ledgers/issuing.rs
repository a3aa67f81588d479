//! Coupons are issued to members: by a download or by an event, in their rounds, several at once, all or none.

use std::collections::BTreeMap;

use domain::Amount;
use domain::business_day::OFFSET;
use domain::catalogue::ValueUnit;
use domain::coupon::{
    Campaign, CampaignError, CampaignEvent, Coupon, DrawError, Issue, IssueEvent, IssueEventType,
    IssueRule, IssueTarget, IssueTargetType, IssueType, IssuedCoupon, Round, RoundType, Stage,
    UsageLimit, UsageRule, UsageTarget, draw, give, issued_id,
};
use domain::ids::{CouponId, IssuedCouponId, MemberId};
use domain::member::{AccessLevel, Member, MemberEvent, MemberType, Profile};
use domain::personal::Sealed;
use domain::policies::coupon_days::{CouponDay, days_of, issue_on_day};
use domain::policies::instant_coupons::{Candidate, LATEST, Occasion, issue_for, of_member};
use domain::unit_of_work::UnitOfWork;
use domain::{Actor, Context, Purpose};
use proptest::prelude::*;
use time::macros::date;
use time::{Date, Duration};

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
        for number in 1..=24 {
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

    fn give(&mut self, coupon: &Coupon) -> Result<IssuedCouponId, DrawError> {
        let with = Issue {
            memo: Some("배송이 늦어 죄송합니다.".to_owned()),
            ..Issue::default()
        };
        self.decide(|work| give(work, (coupon_id(), coupon), member(), 1, with.clone()))
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
        (1..=24)
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

pub(super) fn coupon(kind: IssueType, round: Round) -> Coupon {
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
            returnable: true,
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

pub(super) fn limited(draws: Option<u32>, face_value: Option<i64>) -> CampaignEvent {
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
        occasion: None,
        memo: None,
        grant: None,
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

pub(super) fn joined() -> Member {
    let mut member = Member::default();
    member.evolve(MemberEvent::MemberJoined {
        member_type: MemberType::Person,
        level: AccessLevel::Person,
        scopes: vec![],
        profile: Sealed::from_parts(id(8), Purpose::Profile, "sealed".to_owned()),
        terms: vec![],
    });
    member
}

#[test]
fn staff_gives_past_the_rule_but_within_its_limits() {
    let mut rule = coupon(IssueType::Instant, rounds(RoundType::Single, &[], &[1]));
    rule.issue.is_active = false;
    rule.issue.ends_at = Some(NOON - Duration::DAY);
    rule.issue.target.kind = IssueTargetType::Users;
    rule.on_display = false;
    let mut world = World {
        member: joined(),
        ..World::default()
    };
    world.campaign.evolve(limited(Some(3), None));
    for round in 1..=3 {
        world.give(&rule).unwrap();
        assert_eq!(world.rounds().last(), Some(&Some(round)));
    }
    let used_up = DrawError::Campaign(CampaignError::UsedUp);
    assert_eq!(world.give(&rule), Err(used_up.clone()));
    world.campaign.evolve(limited(None, Some(1_999)));
    assert_eq!(world.give(&rule), Err(used_up), "1500 and 500 are too much");
    world.campaign.evolve(limited(None, None));
    let given = world.give(&rule).unwrap();
    // a coupon that was taken counts still: it may be brought back
    let taken = world.boxed.get_mut(&given).unwrap();
    taken.evolve(domain::coupon::IssuedCouponEvent::CouponTaken {
        memo: "잘못 지급되었습니다.".to_owned(),
    });
    assert_eq!(world.campaign.drawn, 4);
    rule.usage.ends_at = Some(NOON);
    assert_eq!(world.give(&rule), Err(DrawError::NotInTime));
    rule.usage.ends_at = None;
    rule.usage.is_active = false;
    assert_eq!(world.give(&rule), Err(DrawError::NotInTime));
    let mut nobody = World::default();
    rule.usage.is_active = true;
    assert_eq!(nobody.give(&rule), Err(DrawError::UnknownMember));
}

#[test]
fn a_gift_is_a_round_of_the_member() {
    let once = coupon(IssueType::Request, Round::default());
    let mut world = World {
        member: joined(),
        ..World::default()
    };
    world.give(&once).unwrap();
    let refused = world.draw(&once).unwrap_err();
    assert_eq!(refused, DrawError::Campaign(CampaignError::AlreadyDrawn));
}

proptest! {
    /// Whatever is given, downloaded and issued, in any order and with any limit: what the campaign counts is in the box, and no limit
    /// is passed.
    #[test]
    fn no_gift_and_no_download_passes_a_limit(
        count in 1..3_u32,
        draws in prop::option::of(0..8_u32),
        worth in prop::option::of(0..4_000_i64),
        deeds in prop::collection::vec(0..3_u8, 1..8),
    ) {
        let mut rule = coupon(IssueType::Request, rounds(RoundType::Infinite, &[], &[]));
        rule.count = count;
        let mut world = World { member: joined(), ..World::default() };
        world.campaign.evolve(limited(draws, worth));
        for deed in deeds {
            rule.issue.kind = IssueType::Request;
            match deed {
                0 => drop(world.give(&rule)),
                1 => drop(world.draw(&rule)),
                _ => {
                    rule.issue.kind = IssueType::Instant;
                    world.happens(&rule, &bought());
                }
            }
            let boxed = world.rounds().len();
            prop_assert_eq!(world.campaign.drawn, u64::try_from(boxed).unwrap());
            prop_assert!(draws.is_none_or(|most| boxed <= usize::try_from(most).unwrap()));
            let value = 500 * i64::try_from(boxed).unwrap();
            prop_assert!(worth.is_none_or(|most| value <= most));
        }
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

fn of_days(kind: IssueEventType, code: &str) -> Coupon {
    let mut rule = coupon(IssueType::Instant, rounds(RoundType::Infinite, &[], &[]));
    rule.issue.event = Some(IssueEvent {
        kind,
        code: Some(code.to_owned()),
    });
    rule
}

impl World {
    fn day_comes(&mut self, rule: &Coupon, day: Date) {
        let now = day.midnight().assume_offset(OFFSET) + Duration::hours(9);
        let Some(day) = CouponDay::of(rule, day, now) else {
            return;
        };
        self.decide(|work| issue_on_day(work, (coupon_id(), rule), &day, &[member()]))
            .unwrap();
    }
}

#[test]
fn a_day_issues_its_coupons_once_a_year_however_often_it_is_read() {
    let birthday = of_days(IssueEventType::SpecialDate, "BIRTHDAY");
    let mut world = World {
        member: joined(),
        ..World::default()
    };
    for day in [
        date!(2026 - 11 - 21),
        date!(2026 - 11 - 21),
        date!(2026 - 11 - 22),
    ] {
        world.day_comes(&birthday, day);
        assert_eq!(world.rounds(), [Some(1)]);
    }
    // a gift between does not hide it
    world.give(&birthday).unwrap();
    world.day_comes(&birthday, date!(2026 - 11 - 21));
    assert_eq!(world.rounds().len(), 2);
    world.day_comes(&birthday, date!(2027 - 11 - 21));
    world.day_comes(&birthday, date!(2026 - 11 - 21));
    world.day_comes(&birthday, date!(2027 - 11 - 21));
    assert_eq!(world.rounds(), [Some(1), Some(2), Some(3)]);

    // a round in which nothing is issued is the round of its year
    let mut second = of_days(IssueEventType::SpecialDate, "BIRTHDAY");
    second.issue.round = rounds(RoundType::Bounded, &[2], &[]);
    let mut world = World {
        member: joined(),
        ..World::default()
    };
    for day in [date!(2026 - 11 - 21), date!(2026 - 11 - 21)] {
        world.day_comes(&second, day);
        assert!(world.rounds().is_empty());
    }
    world.day_comes(&second, date!(2027 - 11 - 21));
    world.day_comes(&second, date!(2026 - 11 - 21));
    assert_eq!(world.rounds(), [Some(2)]);
}

#[test]
fn days_of_the_shop_are_those_the_rule_names() {
    let days = of_days(IssueEventType::ShopSpecificDay, "11-11, 2026-12-25");
    let mut world = World {
        member: joined(),
        ..World::default()
    };
    let mut boxed = |day| {
        world.day_comes(&days, day);
        world.rounds().len()
    };
    assert_eq!(boxed(date!(2026 - 11 - 10)), 0);
    assert_eq!(boxed(date!(2026 - 11 - 11)), 1);
    assert_eq!(boxed(date!(2026 - 11 - 11)), 1);
    assert_eq!(boxed(date!(2026 - 12 - 25)), 2);
    assert_eq!(boxed(date!(2027 - 11 - 11)), 3);
    assert_eq!(boxed(date!(2027 - 12 - 25)), 3);
}

#[test]
fn a_day_issues_what_its_rule_says_and_nothing_else() {
    let issues = |change: fn(&mut Coupon, &mut World)| {
        let mut rule = of_days(IssueEventType::SpecialDate, "BIRTHDAY");
        let mut world = World {
            member: joined(),
            ..World::default()
        };
        change(&mut rule, &mut world);
        world.day_comes(&rule, date!(2026 - 11 - 21));
        world.rounds().len()
    };
    assert_eq!(issues(|_, _| ()), 1);
    assert_eq!(issues(|rule, _| rule.count = 2), 2);
    assert_eq!(issues(|rule, _| rule.issue.is_active = false), 0);
    assert_eq!(issues(|rule, _| rule.usage.is_active = false), 0);
    assert_eq!(issues(|rule, _| rule.issue.kind = IssueType::Request), 0);
    assert_eq!(
        issues(|rule, _| rule.issue.ends_at = Some(NOON - Duration::DAY)),
        0
    );
    assert_eq!(
        issues(|rule, _| rule.issue.starts_at = Some(NOON + Duration::DAY)),
        0
    );
    assert_eq!(
        issues(|rule, _| rule.issue.issues_at = Some(NOON + Duration::DAY)),
        0
    );
    assert_eq!(issues(|rule, _| rule.issue.issues_at = Some(NOON)), 1);
    let users = |rule: &mut Coupon, _: &mut World| rule.issue.target.kind = IssueTargetType::Users;
    assert_eq!(issues(users), 0);
    assert_eq!(issues(|_, world| world.member = Member::default()), 0);
    assert_eq!(
        issues(|_, world| world.campaign.evolve(limited(Some(0), None))),
        0
    );
}

#[test]
fn days_that_were_slept_through_are_looked_at_for_a_week() {
    let days = CouponDay::last_days(NOON);
    assert_eq!(days.len(), 8);
    assert_eq!(days.first(), Some(&date!(2026 - 11 - 14)));
    assert_eq!(days.last(), Some(&date!(2026 - 11 - 21)));
    // shortly before and after midnight in Seoul
    let midnight = NOON + Duration::hours(12);
    assert_eq!(
        CouponDay::last_days(midnight).last(),
        Some(&date!(2026 - 11 - 22))
    );
    let before = midnight - Duration::SECOND;
    assert_eq!(
        CouponDay::last_days(before).last(),
        Some(&date!(2026 - 11 - 21))
    );
    // a day that is over is read as it ended, today as it is
    assert_eq!(CouponDay::read_at(date!(2026 - 11 - 21), NOON), NOON);
    let yesterday = CouponDay::read_at(date!(2026 - 11 - 20), NOON);
    assert!(yesterday < NOON - Duration::hours(12));
    assert!(yesterday > NOON - Duration::hours(12) - Duration::SECOND);
}

#[test]
fn members_are_found_by_their_days_and_the_day_of_joining_is_no_anniversary() {
    let day = |code, day| {
        let rule = of_days(IssueEventType::SpecialDate, code);
        CouponDay::of(&rule, day, NOON + Duration::days(3_650)).unwrap()
    };
    let birthday = day("BIRTHDAY", date!(2026 - 02 - 28));
    assert_eq!(
        birthday.looked_up().unwrap(),
        ["BIRTHDAY 02-28", "BIRTHDAY 02-29"]
    );
    assert_eq!(birthday.occasion(), "2026");
    let end = date!(2026 - 03 - 01).midnight().assume_offset(OFFSET);
    assert_eq!(birthday.known_before(), end, "also who names it on the day");
    let leap = day("BIRTHDAY", date!(2028 - 02 - 28));
    assert_eq!(leap.looked_up().unwrap(), ["BIRTHDAY 02-28"]);
    let joining = day("JOIN_DATE", date!(2026 - 11 - 21));
    let begin = date!(2026 - 11 - 21).midnight().assume_offset(OFFSET);
    assert_eq!(joining.known_before(), begin);

    let profile = Profile {
        birthday: Some("1990-02-29".to_owned()),
        founded_at: Some("11-11".to_owned()),
        ..Profile::default()
    };
    let texts = |profile: Option<&Profile>, kind| {
        let days = days_of(profile, kind, NOON);
        days.into_iter().map(|(_, text)| text).collect::<Vec<_>>()
    };
    assert_eq!(
        texts(Some(&profile), MemberType::Person),
        ["JOIN_DATE 11-21"],
        "1990 had no such day"
    );
    let profile = Profile {
        birthday: Some("1992-02-29".to_owned()),
        ..profile
    };
    let all = ["BIRTHDAY 02-29", "FOUNDING_DATE 11-11", "JOIN_DATE 11-21"];
    assert_eq!(texts(Some(&profile), MemberType::Company), all);
    let person = ["BIRTHDAY 02-29", "JOIN_DATE 11-21"];
    assert_eq!(texts(Some(&profile), MemberType::Person), person);
    assert!(texts(None, MemberType::Company).is_empty());
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

#[test]
fn the_first_coupon_is_number_one() {
    let mut world = World::default();
    let once = coupon(IssueType::Request, Round::default());
    let drawn = world.decide(|work| draw(work, coupon_id(), &once, member(), 0));
    assert_eq!(drawn, Ok(issued_id(coupon_id(), member(), 1)));
}
