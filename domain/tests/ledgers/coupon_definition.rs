//! The definition of a coupon: which rules are accepted, and how they are frozen into terms.

use domain::Amount;
use domain::catalogue::ValueUnit;
use domain::coupon::{
    Coupon, IssueEvent, IssueEventType, IssueRule, IssueTargetType, IssueType, PriceBasis, Round,
    RoundType, Stage, UsageLimit, UsageRule, UsageTarget, UsageTargetType,
};
use domain::policies::instant_coupons::Occasion;
use domain::record::Resource;
use time::Duration;

use super::given::{NOON, id};

fn definition() -> Coupon {
    Coupon {
        issuer: None,
        seller: None,
        name: "가입 축하".to_owned(),
        unit: ValueUnit::Percent,
        value: 10,
        limit: None,
        share: None,
        count: 1,
        issue: IssueRule::default(),
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

#[test]
fn the_seller_bears_a_sellers_coupon() {
    let platform = definition();
    let sellers = Coupon {
        seller: Some(id(5)),
        ..definition()
    };
    let halved = Coupon {
        share: Some(50),
        ..sellers.clone()
    };
    assert_eq!(platform.terms().share, 0, "spec V096");
    assert_eq!(sellers.terms().share, 100, "spec V096, V197");
    assert_eq!(halved.terms().share, 50);
}

#[test]
fn rounds_say_when_a_member_gets_it() {
    let takes = |kind, includeds: &[u32], excludeds: &[u32]| {
        let rule = Round {
            kind,
            includeds: includeds.to_vec(),
            excludeds: excludeds.to_vec(),
        };
        (1..=4)
            .filter(|round| rule.takes(*round))
            .collect::<Vec<_>>()
    };
    assert_eq!(takes(RoundType::Single, &[], &[]), [1]);
    assert_eq!(takes(RoundType::Bounded, &[1, 3], &[]), [1, 3]);
    assert_eq!(takes(RoundType::Bounded, &[1, 3], &[3]), [1]);
    assert_eq!(takes(RoundType::Infinite, &[], &[2]), [1, 3, 4]);
}

#[test]
fn it_is_issued_in_its_period_on_its_day_while_both_rules_are_on() {
    let on = || Coupon {
        issue: IssueRule {
            is_active: true,
            ..IssueRule::default()
        },
        ..definition()
    };
    let issuable = |change: fn(&mut Coupon)| {
        let mut coupon = on();
        change(&mut coupon);
        coupon.is_issuable(NOON)
    };
    assert!(issuable(|_| ()));
    assert!(!issuable(|coupon| coupon.issue.is_active = false));
    assert!(!issuable(|coupon| coupon.usage.is_active = false));
    assert!(issuable(|coupon| coupon.issue.starts_at = Some(NOON)));
    assert!(!issuable(|coupon| coupon.issue.ends_at = Some(NOON)));
    assert!(issuable(
        |coupon| coupon.issue.issues_at = Some(NOON - Duration::hours(2))
    ));
    assert!(!issuable(
        |coupon| coupon.issue.issues_at = Some(NOON + Duration::DAY)
    ));
}

#[test]
fn terms_keep_the_list_that_the_target_names_and_nothing_else() {
    let terms = |kind| {
        let mut coupon = definition();
        coupon.usage.target = UsageTarget {
            kind,
            price_basis: Some("LIST".to_owned()),
            products: vec![id(3)],
            categories: vec!["bikes".to_owned()],
            exhibitions: vec!["spring".to_owned()],
            display_codes: vec!["BEST_SELLER".to_owned()],
        };
        coupon.terms()
    };
    let lists = |kind| {
        let terms = terms(kind);
        let counts = (
            terms.products.len(),
            terms.categories.len(),
            terms.displays.len(),
        );
        (counts, terms.for_nothing)
    };
    assert_eq!(lists(UsageTargetType::All), ((0, 0, 0), false));
    assert_eq!(lists(UsageTargetType::Products), ((1, 0, 0), false));
    assert_eq!(lists(UsageTargetType::Categories), ((0, 1, 0), false));
    assert_eq!(lists(UsageTargetType::Displays), ((0, 0, 1), false));
    assert_eq!(lists(UsageTargetType::Exhibitions), ((0, 0, 1), false));
    assert_eq!(terms(UsageTargetType::All).price_basis, PriceBasis::List);
}

/// A test's change to a coupon.
type Change = fn(&mut Coupon);

#[test]
fn rules_that_contradict_are_refused_by_field() {
    let errors = |change: Change| {
        let mut coupon = definition();
        change(&mut coupon);
        let errors = Coupon::validate(&coupon).err().unwrap_or_default();
        errors
            .into_iter()
            .map(|error| format!("{} {}", error.field, error.code))
            .collect::<Vec<_>>()
    };
    let instant = |coupon: &mut Coupon, kind| {
        coupon.issue.kind = IssueType::Instant;
        coupon.issue.event = Some(IssueEvent { kind, code: None });
    };
    let cases: [(Change, &str); 15] = [
        (|coupon| coupon.share = Some(1), "share no_seller"),
        (|coupon| coupon.value = 101, "value percent_out_of_range"),
        (|coupon| coupon.count = 101, "count too_large"),
        (
            |coupon| coupon.issue.round.excludeds = vec![0],
            "issue.round.excludeds too_small",
        ),
        (
            |coupon| coupon.issue.round.excludeds = vec![1],
            "issue.round.excludeds contradicts",
        ),
        (
            |coupon| coupon.issue.round.kind = RoundType::Bounded,
            "issue.round.includeds required",
        ),
        (
            |coupon| {
                coupon.issue.round.kind = RoundType::Bounded;
                coupon.issue.round.includeds = vec![1, 3];
            },
            "issue.round.includeds never_reached",
        ),
        (
            |coupon| {
                coupon.issue.round.kind = RoundType::Infinite;
                coupon.issue.round.excludeds = vec![2];
            },
            "issue.round.excludeds never_reached",
        ),
        (
            |coupon| {
                coupon.issue.starts_at = Some(NOON);
                coupon.issue.issues_at = Some(NOON - Duration::SECOND);
            },
            "issue.issuesAt out_of_order",
        ),
        (
            |coupon| coupon.issue.target.kind = IssueTargetType::UserLevels,
            "issue.target._levels required",
        ),
        (
            |coupon| coupon.issue.limit.shop.price_sum = Some(Amount::new(1)),
            "limit required",
        ),
        (
            |coupon| coupon.usage.target.kind = UsageTargetType::Exhibitions,
            "usage.target._exhibitions required",
        ),
        (
            |coupon| coupon.usage.target.kind = UsageTargetType::Products,
            "usage.target._products required",
        ),
        (
            |coupon| {
                coupon.usage.target.kind = UsageTargetType::Displays;
                coupon.usage.target.display_codes = vec!["SPRING".to_owned()];
            },
            "usage.target.displayCodes unknown_value",
        ),
        (
            |coupon| coupon.usage.target.price_basis = Some("정가".to_owned()),
            "usage.target.priceBasis unknown_value",
        ),
    ];
    for (change, expected) in cases {
        assert_eq!(errors(change), [expected]);
    }
    let mut birthday = definition();
    for (kind, code, expected) in [
        (IssueEventType::SpecialDate, None, Some("required")),
        (
            IssueEventType::SpecialDate,
            Some("NAME_DAY"),
            Some("unknown_value"),
        ),
        (IssueEventType::SpecialDate, Some("BIRTHDAY"), None),
        (IssueEventType::SpecialDate, Some("BIRTHDAY_MONTH"), None),
        (IssueEventType::SpecialDate, Some("FOUNDING_DATE"), None),
        (IssueEventType::SpecialDate, Some("JOIN_DATE"), None),
        (IssueEventType::ShopSpecificDay, None, Some("required")),
        (
            IssueEventType::ShopSpecificDay,
            Some("02-30"),
            Some("unknown_value"),
        ),
        (
            IssueEventType::ShopSpecificDay,
            Some("11-11, 2026-12-25"),
            None,
        ),
        (
            IssueEventType::ShopSpecificDay,
            Some("11-11,"),
            Some("unknown_value"),
        ),
        (
            IssueEventType::ShopSpecificDay,
            Some("2026-02-29"),
            Some("unknown_value"),
        ),
    ] {
        instant(&mut birthday, kind);
        let code = code.map(str::to_owned);
        birthday.issue.event = Some(IssueEvent { kind, code });
        let refused = Coupon::validate(&birthday).err().unwrap_or_default();
        let found: Vec<_> = refused
            .iter()
            .map(|error| (&*error.field, &*error.code))
            .collect();
        let expected: Vec<_> = expected
            .iter()
            .map(|code| ("issue.event.code", *code))
            .collect();
        assert_eq!(found, expected, "{:?}", birthday.issue.event);
    }
    instant(&mut birthday, IssueEventType::PurchaseComplete);
    birthday.issue.round.kind = RoundType::Bounded;
    birthday.issue.round.includeds = vec![1, 3];
    assert_eq!(
        Coupon::validate(&birthday),
        Ok(()),
        "a third purchase comes by itself"
    );
}

#[test]
fn a_definition_is_checked_field_by_field() {
    assert_eq!(Coupon::validate(&definition()), Ok(()));
    let mut wrong = definition();
    wrong.name = "A".to_owned();
    wrong.value = 101;
    wrong.share = Some(10);
    wrong.count = 0;
    wrong.issue.kind = IssueType::Instant;
    wrong.issue.starts_at = Some(NOON);
    wrong.issue.ends_at = Some(NOON);
    wrong.usage.limit.target.price_min = Some(Amount::new(2));
    wrong.usage.limit.target.price_max = Some(Amount::new(1));
    let errors = Coupon::validate(&wrong).unwrap_err();
    let fields: Vec<&str> = errors
        .iter()
        .map(|complaint| complaint.field.as_str())
        .collect();
    assert_eq!(
        fields,
        [
            "name",
            "value",
            "share",
            "count",
            "issue.endsAt",
            "issue.event",
            "usage.limit.target.price__max"
        ]
    );
    wrong.issue.event = Some(IssueEvent {
        kind: IssueEventType::UserJoin,
        code: None,
    });
    assert_eq!(Coupon::validate(&wrong).unwrap_err().len(), 6);
}

#[test]
fn the_day_of_issue_lies_in_the_period() {
    let code = |day| {
        let mut coupon = definition();
        coupon.issue.starts_at = Some(NOON);
        coupon.issue.ends_at = Some(NOON + Duration::DAY);
        coupon.issue.issues_at = Some(day);
        let errors = Coupon::validate(&coupon).err().unwrap_or_default();
        errors.first().map(|error| error.code.to_string())
    };
    let outside = Some("out_of_order".to_owned());
    assert_eq!(code(NOON - Duration::SECOND), outside);
    assert_eq!(code(NOON), None);
    assert_eq!(code(NOON + Duration::DAY - Duration::SECOND), None);
    assert_eq!(code(NOON + Duration::DAY), outside);
}

#[test]
fn every_round_to_the_last_is_reached() {
    let mut coupon = definition();
    coupon.issue.round.kind = RoundType::Bounded;
    coupon.issue.round.includeds = vec![1, 2];
    assert_eq!(Coupon::validate(&coupon), Ok(()));
}

#[test]
fn days_issue_it_only_if_it_is_instant_and_switched_on() {
    let mut coupon = definition();
    coupon.issue.is_active = true;
    coupon.usage.is_active = true;
    coupon.issue.kind = IssueType::Instant;
    coupon.issue.event = Some(IssueEvent {
        kind: IssueEventType::ShopSpecificDay,
        code: Some("11-11".to_owned()),
    });
    assert!(coupon.is_issued_on_days());
    let changed = |change: Change| {
        let mut coupon = coupon.clone();
        change(&mut coupon);
        coupon.is_issued_on_days()
    };
    assert!(!changed(|coupon| coupon.issue.is_active = false));
    assert!(!changed(|coupon| coupon.usage.is_active = false));
    assert!(!changed(|coupon| coupon.issue.kind = IssueType::Request));
    assert!(!changed(|coupon| {
        coupon.issue.event = Some(IssueEvent {
            kind: IssueEventType::UserJoin,
            code: None,
        });
    }));
}

#[test]
fn an_empty_code_means_every_level() {
    let mut rising = definition();
    rising.issue.kind = IssueType::Instant;
    let of_level = |code: &str| IssueEvent {
        kind: IssueEventType::LevelUp,
        code: Some(code.to_owned()),
    };
    let risen = Occasion {
        kind: IssueEventType::LevelUp,
        member: id(8),
        level: Some("gold".to_owned()),
        at: NOON,
    };
    for (code, is_of) in [("", true), ("gold", true), ("silver", false)] {
        rising.issue.event = Some(of_level(code));
        assert_eq!(risen.is_of(&rising), is_of, "{code}");
    }
}
