//! Sendings: parts at a pace, each receiver once, stopping, and advertising.

use domain::ids::{MemberId, SendingId};
use domain::member::{AccessLevel, Member, MemberEvent, MemberType};
use domain::sending::{
    Sending, SendingChannel, SendingCommand, SendingCrowd, SendingError, SendingEvent, SendingPart,
    SendingTerms, SendingText, SkipReason, SkippedReceiver, send_part,
};
use domain::storefront::AgreedTerm;
use domain::unit_of_work::UnitOfWork;
use domain::{Actor, Context, Decider, Purpose, Sealed};
use std::collections::BTreeMap;
use time::macros::datetime;
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

const NOON: OffsetDateTime = datetime!(2026-11-27 12:00 +9);

fn member(number: u128) -> MemberId {
    MemberId(Uuid::from_u128(number))
}

fn terms(many: u128, per_minute: u32) -> SendingTerms {
    SendingTerms {
        channel: SendingChannel::Alarm,
        advertising: false,
        text: SendingText {
            title: "점검 안내".to_owned(),
            content: "내일 새벽에 점검합니다.".to_owned(),
            url: String::new(),
        },
        target: "ALL".to_owned(),
        members: (0..many).map(member).collect(),
        crowd: None,
        per_minute,
    }
}

fn decide(
    sending: &mut Sending,
    now: OffsetDateTime,
    command: SendingCommand,
) -> Result<Vec<SendingEvent>, SendingError> {
    let actor = Actor::System;
    let events = sending.decide(command, &Context { now, actor })?;
    for event in &events {
        sending.evolve(event.clone());
    }
    Ok(events)
}

fn ordered(terms: SendingTerms, now: OffsetDateTime) -> Sending {
    let mut sending = Sending::default();
    let order = SendingCommand::Order {
        terms: Box::new(terms),
        starts_at: None,
    };
    decide(&mut sending, now, order).unwrap();
    sending
}

const fn part(from: u32) -> SendingCommand {
    SendingCommand::SendPart {
        from,
        members: Vec::new(),
        skipped: Vec::new(),
    }
}

/// A part of a crowd never goes back, nor beyond its last member, so that each gets it once; the end is a part that is not full.
#[test]
fn a_crowd_is_served_in_the_order_of_ids() {
    let crowd = SendingCrowd {
        count: 12,
        last: member(100),
    };
    let terms = SendingTerms {
        members: Vec::new(),
        crowd: Some(crowd),
        ..terms(0, 36)
    };
    let both = SendingCommand::Order {
        terms: Box::new(SendingTerms {
            members: vec![member(1)],
            ..terms.clone()
        }),
        starts_at: None,
    };
    let refused = decide(&mut Sending::default(), NOON, both);
    assert_eq!(refused, Err(SendingError::NoReceivers));
    let mut sending = ordered(terms, NOON);
    let part = |from, members: &[u128]| SendingCommand::SendPart {
        from,
        members: members.iter().copied().map(member).collect(),
        skipped: Vec::new(),
    };
    for wrong in [&[3, 2, 5][..], &[2, 2, 3], &[5, 6, 101]] {
        let refused = decide(&mut sending, NOON, part(0, wrong));
        assert_eq!(refused, Err(SendingError::OtherPlace), "{wrong:?}");
    }
    decide(&mut sending, NOON, part(0, &[1, 5, 9])).unwrap();
    let next = NOON + Duration::seconds(5);
    assert_eq!((sending.served, sending.due_at), (3, Some(next)));
    for before in [&[9, 10, 11][..], &[4, 10, 11]] {
        let refused = decide(&mut sending, next, part(3, before));
        assert_eq!(refused, Err(SendingError::OtherPlace), "{before:?}");
    }
    let mut ended = sending.clone();
    decide(&mut ended, next, part(3, &[])).unwrap();
    assert_eq!((ended.served, ended.due_at), (3, None));
    decide(&mut sending, next, part(3, &[10, 100])).unwrap();
    assert_eq!((sending.served, sending.due_at), (5, None));
}

#[test]
fn parts_keep_the_pace_and_end_with_the_list() {
    let mut sending = ordered(terms(12, 60), NOON);
    assert_eq!(sending.due_at, Some(NOON));
    assert_eq!(sending.next_part().len(), 5);
    decide(&mut sending, NOON, part(0)).unwrap();
    let next = NOON + Duration::seconds(5);
    assert_eq!((sending.served, sending.due_at), (5, Some(next)));
    assert_eq!(
        decide(&mut sending, NOON, part(5)),
        Err(SendingError::NotDue)
    );
    // the same part a second time
    assert_eq!(
        decide(&mut sending, next, part(0)),
        Err(SendingError::OtherPlace)
    );
    decide(&mut sending, next, part(5)).unwrap();
    decide(&mut sending, next + Duration::seconds(5), part(10)).unwrap();
    assert_eq!((sending.served, sending.due_at), (12, None));
    let more = decide(&mut sending, next + Duration::minutes(1), part(12));
    assert_eq!(more, Err(SendingError::Over));
    let stop = SendingCommand::Stop {
        memo: "늦음".to_owned(),
    };
    assert_eq!(decide(&mut sending, next, stop), Err(SendingError::Over));
}

#[test]
fn a_stopped_sending_sends_no_more_and_mail_that_was_sent_stays_sent() {
    let stop = SendingCommand::Stop {
        memo: "틀림".to_owned(),
    };
    let withdraw = SendingCommand::Withdraw {
        memo: "틀림".to_owned(),
    };
    let mut sending = ordered(terms(12, 60), NOON);
    decide(&mut sending, NOON, part(0)).unwrap();
    decide(&mut sending, NOON, stop.clone()).unwrap();
    let later = NOON + Duration::minutes(1);
    assert_eq!(
        decide(&mut sending, later, part(5)),
        Err(SendingError::Over)
    );
    decide(&mut sending, later, withdraw.clone()).unwrap();
    assert!(sending.withdrawn);
    let again = decide(&mut sending, later, withdraw.clone());
    assert_eq!(again, Err(SendingError::NothingToWithdraw));
    let mut mail = ordered(
        SendingTerms {
            channel: SendingChannel::Mail,
            ..terms(2, 60)
        },
        NOON,
    );
    decide(&mut mail, NOON, part(0)).unwrap();
    let refused = decide(&mut mail, NOON, withdraw);
    assert_eq!(refused, Err(SendingError::NothingToWithdraw));
}

#[test]
fn advertising_waits_for_the_morning_also_in_the_middle() {
    let advertising = SendingTerms {
        advertising: true,
        ..terms(12, 60)
    };
    let evening = datetime!(2026-11-27 20:59:58 +9);
    let morning = datetime!(2026-11-28 08:00 +9);
    let night = ordered(advertising.clone(), datetime!(2026-11-27 22:00 +9));
    assert_eq!(night.due_at, Some(morning));
    let mut sending = ordered(advertising.clone(), evening);
    decide(&mut sending, evening, part(0)).unwrap();
    assert_eq!(sending.due_at, Some(morning));
    // a worker that was late
    let mut late = ordered(advertising, evening);
    let events = decide(&mut late, datetime!(2026-11-27 21:00 +9), part(0)).unwrap();
    let postponed = SendingEvent::SendingPostponed { due_at: morning };
    assert_eq!(events, [postponed]);
    assert_eq!(late.served, 0);
}

#[test]
fn the_text_is_fixed_with_the_first_part_and_the_list_is_checked() {
    let revise = |title: &str, per_minute| SendingCommand::Revise {
        text: SendingText {
            title: title.to_owned(),
            ..terms(1, 60).text
        },
        per_minute,
        starts_at: None,
    };
    let mut sending = ordered(terms(12, 60), NOON);
    decide(&mut sending, NOON, revise("바뀐 안내", 60)).unwrap();
    decide(&mut sending, NOON, part(0)).unwrap();
    let changed = decide(&mut sending, NOON, revise("또 바뀜", 60));
    assert_eq!(changed, Err(SendingError::Begun));
    decide(&mut sending, NOON, revise("바뀐 안내", 120)).unwrap();
    assert_eq!(sending.next_part().len(), 7);
    for (wrong, error) in [
        (terms(0, 60), SendingError::NoReceivers),
        (terms(1, 0), SendingError::WrongPace),
        (terms(10_001, 60), SendingError::TooManyReceivers),
        (
            SendingTerms {
                members: vec![member(1), member(1)],
                ..terms(0, 60)
            },
            SendingError::NoReceivers,
        ),
    ] {
        let order = SendingCommand::Order {
            terms: Box::new(wrong),
            starts_at: None,
        };
        assert_eq!(decide(&mut Sending::default(), NOON, order), Err(error));
    }
}

#[test]
fn advertising_skips_members_without_consent_and_those_who_left_or_switched_it_off() {
    let joined = |code: &str| {
        let mut state = Member::default();
        state.evolve(MemberEvent::MemberJoined {
            member_type: MemberType::Person,
            level: AccessLevel::Person,
            scopes: vec![],
            profile: Sealed::from_parts(Uuid::nil(), Purpose::Profile, String::new()),
            terms: vec![AgreedTerm {
                code: code.to_owned(),
                version: 1,
            }],
        });
        state
    };
    let id = SendingId(Uuid::nil());
    let sent = |advertising: bool| {
        let sending = ordered(
            SendingTerms {
                advertising,
                ..terms(4, 600)
            },
            NOON,
        );
        let mut work = UnitOfWork::new(Context {
            now: NOON,
            actor: Actor::System,
        });
        let refusals = BTreeMap::from([(member(3), SkipReason::SwitchedOff)]);
        let part = SendingPart {
            from: 0,
            members: &[],
            refusals: &refusals,
        };
        send_part(&mut work, id, part).unwrap();
        work.insert::<Sending>(id, sending, 1);
        work.insert::<Member>(member(0), joined("ads"), 1);
        work.insert::<Member>(member(1), joined("service"), 1);
        work.insert::<Member>(member(3), joined("ads"), 1);
        work.load_rest_empty();
        work.rewind();
        send_part(&mut work, id, part).unwrap();
        work.load_rest_empty();
        work.rewind();
        send_part(&mut work, id, part).unwrap();
        match work.events::<Sending>(&id.to_string()) {
            [SendingEvent::SendingPartSent { skipped, .. }] => skipped.clone(),
            other => panic!("{other:?}"),
        }
    };
    let skip = |number, reason| SkippedReceiver {
        member: member(number),
        reason,
    };
    let (closed, off) = (
        skip(2, SkipReason::AccountClosed),
        skip(3, SkipReason::SwitchedOff),
    );
    assert_eq!(sent(true), [skip(1, SkipReason::NoConsent), closed, off]);
    assert_eq!(sent(false), [closed, off]);
}
