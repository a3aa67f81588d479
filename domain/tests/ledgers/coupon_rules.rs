//! Each field of the issue and usage rules decides alone: of two definitions that differ in it only, one issues or takes off and the other
//! does not.

use domain::catalogue::ValueUnit;
use domain::coupon::{
    CampaignCommand, CampaignError, Coupon, CouponTerms, DrawError, IssueTarget, IssueTargetType,
    IssueType, PriceBasis, Round, ShopLimit, Stage, TargetLimit, UsageTarget, UsageTargetType,
    draw,
};
use domain::ids::{CouponId, MemberId};
use domain::member::{Member, MemberType};
use domain::unit_of_work::UnitOfWork;
use domain::{Actor, Amount, Context};
use time::Duration;

use super::given::{NOON, id};
use super::issuing::{coupon, joined};

/// A test's change to a coupon.
type Change = fn(&mut Coupon);

fn offered() -> Coupon {
    coupon(IssueType::Request, Round::default())
}

/// What a member with the level `gold` gets who downloads the coupon.
fn downloads(change: Change) -> Result<(), DrawError> {
    let mut rule = offered();
    change(&mut rule);
    let mut work = UnitOfWork::new(Context {
        now: NOON,
        actor: Actor::System,
    });
    let gold = Member {
        membership_level: Some("gold".to_owned()),
        ..joined()
    };
    let (coupon, member): (CouponId, MemberId) = (id(1), id(8));
    work.insert(member, gold, 1);
    let mut drawn = draw(&mut work, coupon, &rule, member, 1);
    while !work.is_loaded() {
        work.load_rest_empty();
        work.rewind();
        drawn = draw(&mut work, coupon, &rule, member, 1);
    }
    drawn.map(|_| ())
}

fn target(kind: IssueTargetType) -> IssueTarget {
    IssueTarget {
        kind,
        ..IssueTarget::default()
    }
}

#[test]
fn each_field_of_the_issue_rule_decides_alone_about_a_download() {
    use DrawError::{NotForMember, NotInTime, NotOffered};
    let cases: [(&str, Change, Result<(), DrawError>); 21] = [
        ("offered", |_| (), Ok(())),
        (
            "type",
            |it| it.issue.kind = IssueType::Instant,
            Err(NotOffered),
        ),
        ("onDisplay", |it| it.on_display = false, Err(NotOffered)),
        ("isActive", |it| it.issue.is_active = false, Err(NotInTime)),
        (
            "usage.isActive",
            |it| it.usage.is_active = false,
            Err(NotInTime),
        ),
        (
            "startsAt, begun",
            |it| it.issue.starts_at = Some(NOON),
            Ok(()),
        ),
        (
            "startsAt",
            |it| it.issue.starts_at = Some(NOON + Duration::SECOND),
            Err(NotInTime),
        ),
        (
            "endsAt, running",
            |it| it.issue.ends_at = Some(NOON + Duration::SECOND),
            Ok(()),
        ),
        ("endsAt", |it| it.issue.ends_at = Some(NOON), Err(NotInTime)),
        (
            "issuesAt, today",
            |it| it.issue.issues_at = Some(NOON),
            Ok(()),
        ),
        (
            "issuesAt",
            |it| it.issue.issues_at = Some(NOON + Duration::DAY),
            Err(NotInTime),
        ),
        (
            "_users, named",
            |it| {
                it.issue.target = IssueTarget {
                    users: vec![id(8)],
                    ..target(IssueTargetType::Users)
                }
            },
            Ok(()),
        ),
        (
            "_users",
            |it| {
                it.issue.target = IssueTarget {
                    users: vec![id(9)],
                    ..target(IssueTargetType::Users)
                }
            },
            Err(NotForMember),
        ),
        (
            "userTypes, named",
            |it| {
                it.issue.target = IssueTarget {
                    user_types: vec![MemberType::Person],
                    ..target(IssueTargetType::UserTypes)
                }
            },
            Ok(()),
        ),
        (
            "userTypes",
            |it| {
                it.issue.target = IssueTarget {
                    user_types: vec![MemberType::Company],
                    ..target(IssueTargetType::UserTypes)
                }
            },
            Err(NotForMember),
        ),
        (
            "_levels, named",
            |it| {
                it.issue.target = IssueTarget {
                    levels: vec!["gold".to_owned()],
                    ..target(IssueTargetType::UserLevels)
                }
            },
            Ok(()),
        ),
        (
            "_levels",
            |it| {
                it.issue.target = IssueTarget {
                    levels: vec!["silver".to_owned()],
                    ..target(IssueTargetType::UserLevels)
                }
            },
            Err(NotForMember),
        ),
        (
            "a list that the type does not name",
            |it| it.issue.target.users = vec![id(9)],
            Ok(()),
        ),
        (
            "excludeds",
            |it| it.issue.round.excludeds = vec![1],
            Err(DrawError::Campaign(CampaignError::AlreadyDrawn)),
        ),
        ("count", |it| it.count = 3, Ok(())),
        ("name", |it| it.name = "다른 이름".to_owned(), Ok(())),
    ];
    for (field, change, expected) in cases {
        assert_eq!(downloads(change), expected, "{field}");
    }
}

#[test]
fn every_field_of_the_usage_rule_is_frozen_and_every_limit_counted() {
    let mut rule = Coupon {
        seller: Some(id(5)),
        unit: ValueUnit::Percent,
        value: 10,
        limit: Some(Amount::new(3_000)),
        share: Some(40),
        ..offered()
    };
    rule.issue.limit.shop = ShopLimit {
        count_sum: Some(7),
        price_sum: Some(Amount::new(21_000)),
    };
    rule.usage.stage = Stage::Fare;
    rule.usage.combinable = false;
    rule.usage.returnable = false;
    rule.usage.starts_at = Some(NOON);
    rule.usage.ends_at = Some(NOON + Duration::DAY);
    rule.usage.limit.shop = ShopLimit {
        count_sum: Some(5),
        price_sum: Some(Amount::new(9_000)),
    };
    rule.usage.limit.target = TargetLimit {
        price_min: Some(Amount::new(100)),
        price_max: Some(Amount::new(90_000)),
    };
    rule.usage.target = UsageTarget {
        kind: UsageTargetType::Categories,
        price_basis: Some("LIST".to_owned()),
        categories: vec!["bikes".to_owned()],
        ..UsageTarget::default()
    };
    let frozen = CouponTerms {
        name: "환영".to_owned(),
        stage: Stage::Fare,
        unit: ValueUnit::Percent,
        value: 10,
        limit: Some(Amount::new(3_000)),
        seller: Some(id(5)),
        share: 40,
        products: vec![],
        categories: vec!["bikes".to_owned()],
        displays: vec![],
        for_nothing: false,
        price_basis: PriceBasis::List,
        price_min: Some(Amount::new(100)),
        price_max: Some(Amount::new(90_000)),
        starts_at: Some(NOON),
        ends_at: Some(NOON + Duration::DAY),
        combinable: false,
        counted: true,
        returnable: false,
    };
    assert_eq!(rule.terms(), frozen);
    assert_eq!(
        rule.campaign_limits(),
        CampaignCommand::Limit {
            draws: Some(7),
            uses: Some(5),
            amount: Some(Amount::new(9_000)),
            face_value: Some(Amount::new(21_000)),
        }
    );
    // One limit of uses is enough for uses to be counted, none is not.
    rule.usage.limit.shop.count_sum = None;
    assert!(rule.terms().counted);
    rule.usage.limit.shop.price_sum = None;
    assert!(!rule.terms().counted);
    // A target without goods takes nothing off.
    rule.usage.target.categories.clear();
    assert!(rule.terms().for_nothing);
}
