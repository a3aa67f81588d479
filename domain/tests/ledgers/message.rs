//! Messages: an intention before each attempt, one outcome after it, and none twice.

use domain::message::{
    ATTEMPT_MOST, Channel, FailureReason, GiveUpReason, Message, MessageCause, MessageCommand,
    MessageContent, MessageError, MessageEvent, MessageState, MessageTerms, Template,
    TemplateVersion,
};
use domain::{Purpose, Sealed};
use time::Duration;
use uuid::Uuid;

use crate::given::{NOON, given};

fn terms() -> MessageTerms {
    MessageTerms {
        channel: Channel::Mail,
        template: Template::FindPassword,
        cause: MessageCause {
            kind: "member".to_owned(),
            id: Uuid::from_u128(7),
            event: None,
        },
        content: Sealed::<MessageContent>::from_parts(
            Uuid::from_u128(7),
            Purpose::Profile,
            "sealed".to_owned(),
        ),
        expires_at: Some(NOON + Duration::minutes(30)),
    }
}

fn requested() -> MessageEvent {
    let terms = terms();
    MessageEvent::MessageRequested {
        channel: terms.channel,
        template: terms.template,
        cause: terms.cause,
        content: terms.content,
        expires_at: terms.expires_at,
    }
}

fn attempted(attempt: u32) -> MessageEvent {
    MessageEvent::MessageAttempted {
        attempt,
        conclude_at: NOON + ATTEMPT_MOST,
        text: None,
    }
}

fn sent(attempt: u32) -> MessageEvent {
    MessageEvent::MessageSent {
        attempt,
        queue_id: "4XyZ".to_owned(),
        report_at: None,
    }
}

fn record_sent(attempt: u32) -> MessageCommand {
    MessageCommand::RecordSent {
        attempt,
        queue_id: "4XyZ".to_owned(),
    }
}

fn requested_text() -> MessageEvent {
    let mut requested = requested();
    if let MessageEvent::MessageRequested {
        channel,
        expires_at,
        ..
    } = &mut requested
    {
        (*channel, *expires_at) = (Channel::Sms, None);
    }
    requested
}

fn sent_text(report_at: time::OffsetDateTime) -> MessageEvent {
    MessageEvent::MessageSent {
        attempt: 1,
        queue_id: "4XyZ".to_owned(),
        report_at: Some(report_at),
    }
}

#[test]
fn a_message_is_requested_once() {
    let request = || MessageCommand::Request(Box::new(terms()));
    given::<Message>([]).when(request()).then([requested()]);
    given::<Message>([requested()])
        .when(request())
        .then_nothing();
    given::<Message>([requested(), attempted(1), sent(1)])
        .when(request())
        .then_nothing();
    given::<Message>([])
        .when(MessageCommand::Attempt(None))
        .then_refuses(MessageError::NotRequested);
}

#[test]
fn an_attempt_is_alone_and_has_one_outcome() {
    given::<Message>([requested()])
        .when(MessageCommand::Attempt(None))
        .then([attempted(1)]);
    given::<Message>([requested(), attempted(1)])
        .when(MessageCommand::Attempt(None))
        .then_refuses(MessageError::OtherState(MessageState::Sending));
    given::<Message>([requested(), attempted(1)])
        .when(record_sent(1))
        .then([sent(1)]);
    given::<Message>([requested(), attempted(1), sent(1)])
        .when(record_sent(1))
        .then_refuses(MessageError::OtherState(MessageState::Sent));
    given::<Message>([requested(), attempted(1), sent(1)])
        .when(MessageCommand::Attempt(None))
        .then_refuses(MessageError::OtherState(MessageState::Sent));
    given::<Message>([requested(), attempted(1)])
        .when(record_sent(2))
        .then_refuses(MessageError::OtherAttempt);
}

#[test]
fn an_attempt_without_an_outcome_is_not_repeated() {
    let uncertain = MessageEvent::MessageUncertain {
        attempt: 1,
        ask_at: None,
    };
    let begun = || given::<Message>([requested(), attempted(1)]);
    begun()
        .after(ATTEMPT_MOST - Duration::SECOND)
        .when(MessageCommand::Conclude)
        .then_refuses(MessageError::NotDue);
    begun()
        .after(ATTEMPT_MOST)
        .when(MessageCommand::Conclude)
        .then([uncertain.clone()]);
    let lost = || given::<Message>([requested(), attempted(1), uncertain.clone()]);
    lost()
        .when(MessageCommand::Attempt(None))
        .then_refuses(MessageError::OtherState(MessageState::Uncertain));
    // A sender that was only slow records what it knows.
    lost().when(record_sent(1)).then([sent(1)]);
    lost()
        .when(MessageCommand::Resend)
        .then([MessageEvent::MessageResendRequested {}]);
}

/// A text whose outcome is unknown is sent again only after the gateway said that it does not have it.
#[test]
fn the_gateway_of_texts_is_asked_before_another_attempt() {
    let asked_at = |ask_at| MessageEvent::MessageUncertain { attempt: 1, ask_at };
    let text = || [requested_text(), attempted(1)];
    let lost = MessageCommand::RecordUncertain { attempt: 1 };
    let minutes = |count| Some(NOON + Duration::minutes(count));
    given::<Message>(text())
        .when(lost.clone())
        .then([asked_at(minutes(3))]);
    let with = |ask_at| text().into_iter().chain([asked_at(ask_at)]);
    given::<Message>(with(minutes(3)))
        .when(MessageCommand::Attempt(None))
        .then_refuses(MessageError::OtherState(MessageState::Uncertain));
    // A slow sender that says so again changes nothing; a gateway that does not answer is asked later.
    given::<Message>(with(minutes(3)))
        .when(lost.clone())
        .then_nothing();
    given::<Message>(with(minutes(3)))
        .after(Duration::minutes(3))
        .when(lost.clone())
        .then([asked_at(minutes(8))]);
    let often = std::iter::repeat_n(asked_at(Some(NOON)), 5);
    given::<Message>(text().into_iter().chain(often.clone()))
        .when(lost)
        .then([asked_at(None)]);
    // Staff have it asked for again, and nothing is sent before.
    given::<Message>(text().into_iter().chain(often).chain([asked_at(None)]))
        .when(MessageCommand::Resend)
        .then([asked_at(Some(NOON))]);
    let missing = MessageCommand::RecordFailure {
        attempt: 1,
        reason: FailureReason::NotReceived,
        code: None,
    };
    let retry_at = NOON + Duration::minutes(3) + Duration::seconds(15);
    given::<Message>(with(minutes(3)))
        .after(Duration::minutes(3))
        .when(missing)
        .then([MessageEvent::MessageDeferred {
            attempt: 1,
            reason: FailureReason::NotReceived,
            code: None,
            retry_at,
        }]);
    // Without an outcome of its sender it is asked for at once.
    given::<Message>(text())
        .after(ATTEMPT_MOST)
        .when(MessageCommand::Conclude)
        .then([asked_at(Some(NOON + ATTEMPT_MOST))]);
}

/// Once it is sent, a text waits for the report on its arrival; the first one counts.
#[test]
fn a_sent_text_is_delivered_or_bounces_once() {
    let minute = NOON + Duration::MINUTE;
    given::<Message>([requested_text(), attempted(1)])
        .when(record_sent(1))
        .then([sent_text(minute)]);
    let sent = || given::<Message>([requested_text(), attempted(1), sent_text(minute)]);
    let delivered = MessageEvent::MessageDelivered { attempt: 1 };
    let arrived = |attempt| MessageCommand::RecordDelivered { attempt };
    let lost = MessageCommand::RecordUndelivered {
        attempt: 1,
        reason: FailureReason::Address,
        code: Some(3032),
    };
    let bounced = MessageEvent::MessageBounced {
        attempt: 1,
        reason: FailureReason::Address,
        code: Some(3032),
    };
    // A webhook may come before the first question.
    sent().when(arrived(1)).then([delivered.clone()]);
    sent().when(lost.clone()).then([bounced.clone()]);
    sent()
        .when(arrived(2))
        .then_refuses(MessageError::OtherAttempt);
    for first in [delivered, bounced] {
        for later in [arrived(1), lost.clone()] {
            given::<Message>([
                requested_text(),
                attempted(1),
                sent_text(minute),
                first.clone(),
            ])
            .when(later)
            .then_nothing();
        }
    }
    given::<Message>([requested_text(), attempted(1)])
        .when(arrived(1))
        .then_refuses(MessageError::OtherState(MessageState::Sending));
}

/// A report that does not come is asked for less and less often, for three days, and then no more.
#[test]
fn a_report_that_never_comes_is_asked_for_a_bounded_number_of_times() {
    let missing = MessageCommand::RecordReportMissing { attempt: 1 };
    let mut events = vec![
        requested_text(),
        attempted(1),
        sent_text(NOON + Duration::MINUTE),
    ];
    given::<Message>(events.clone())
        .when(missing.clone())
        .then_nothing();
    let mut now = NOON + Duration::MINUTE;
    let mut pauses = Vec::new();
    loop {
        let state = events
            .iter()
            .cloned()
            .fold(Message::default(), |mut state, event| {
                state.evolve(event);
                state
            });
        let mut context = crate::given::at_noon();
        context.now = now;
        let told = domain::Decider::decide(&state, missing.clone(), &context).unwrap();
        let [MessageEvent::MessageReportMissing { report_at, .. }] = told.as_slice() else {
            panic!("{told:?}");
        };
        let next = *report_at;
        events.extend(told);
        let Some(next) = next else {
            break;
        };
        pauses.push(next - now);
        now = next;
    }
    assert!(pauses.is_sorted(), "{pauses:?}");
    assert_eq!(pauses.len(), 7);
    assert!(
        (Duration::days(2)..Duration::days(4)).contains(&(now - NOON)),
        "{now}"
    );
    given::<Message>(events.clone())
        .after(Duration::days(9))
        .when(missing)
        .then_nothing();
    // A later webhook still reports the outcome.
    given::<Message>(events)
        .after(Duration::days(9))
        .when(MessageCommand::RecordDelivered { attempt: 1 })
        .then([MessageEvent::MessageDelivered { attempt: 1 }]);
}

#[test]
fn failures_are_retried_later_and_later_and_given_up() {
    let mut events = vec![requested()];
    let mut message = Message::default();
    let mut pauses = Vec::new();
    for attempt in 1..=8 {
        events.push(attempted(attempt));
        let failure = MessageCommand::RecordFailure {
            attempt,
            reason: FailureReason::Refused,
            code: Some(451),
        };
        let failed = domain::Decider::decide(
            &events
                .iter()
                .cloned()
                .fold(Message::default(), |mut state, event| {
                    state.evolve(event);
                    state
                }),
            failure,
            &crate::given::at_noon(),
        )
        .unwrap();
        let [MessageEvent::MessageDeferred { retry_at, .. }] = failed.as_slice() else {
            panic!("{failed:?}");
        };
        pauses.push(*retry_at - NOON);
        events.extend(failed);
    }
    assert!(pauses.is_sorted(), "{pauses:?}");
    events
        .iter()
        .cloned()
        .for_each(|event| message.evolve(event));
    assert_eq!(message.due_at, Some(NOON + Duration::hours(12)));
    given::<Message>(events.clone())
        .when(MessageCommand::Attempt(None))
        .then_refuses(MessageError::NotDue);
    events.push(attempted(9));
    let failure = || MessageCommand::RecordFailure {
        attempt: 9,
        reason: FailureReason::Unreachable,
        code: None,
    };
    let given_up = MessageEvent::MessageGivenUp {
        reason: GiveUpReason::Attempts,
    };
    given::<Message>(events.clone())
        .when(failure())
        .then([given_up.clone()]);
    // Sent again by staff, it has all its attempts.
    events.extend([
        given_up,
        MessageEvent::MessageResendRequested {},
        attempted(10),
    ]);
    given::<Message>(events)
        .when(MessageCommand::RecordFailure {
            attempt: 10,
            reason: FailureReason::Unreachable,
            code: None,
        })
        .then([MessageEvent::MessageDeferred {
            attempt: 10,
            reason: FailureReason::Unreachable,
            code: None,
            retry_at: NOON + Duration::seconds(15),
        }]);
}

#[test]
fn a_refusal_for_good_is_not_retried() {
    let bounced = MessageEvent::MessageBounced {
        attempt: 1,
        reason: FailureReason::Rejected,
        code: Some(550),
    };
    given::<Message>([requested(), attempted(1)])
        .when(MessageCommand::RecordFailure {
            attempt: 1,
            reason: FailureReason::Rejected,
            code: Some(550),
        })
        .then([bounced.clone()]);
    given::<Message>([requested(), attempted(1), bounced])
        .when(MessageCommand::Attempt(None))
        .then_refuses(MessageError::OtherState(MessageState::Bounced));
}

#[test]
fn a_message_whose_link_has_expired_is_not_sent() {
    let late = Duration::minutes(30);
    given::<Message>([requested()])
        .after(late)
        .when(MessageCommand::Attempt(None))
        .then_refuses(MessageError::Expired);
    let given_up = MessageEvent::MessageGivenUp {
        reason: GiveUpReason::Expired,
    };
    given::<Message>([requested()])
        .after(late)
        .when(MessageCommand::GiveUp(GiveUpReason::Expired))
        .then([given_up.clone()]);
    given::<Message>([requested(), given_up])
        .after(late)
        .when(MessageCommand::Resend)
        .then_refuses(MessageError::Expired);
    given::<Message>([requested()])
        .when(MessageCommand::Resend)
        .then_refuses(MessageError::OtherState(MessageState::Requested));
}

#[test]
fn the_template_record_of_an_attempt_is_recorded() {
    let text = TemplateVersion {
        record: "0193a1b2".to_owned(),
        version: 3,
    };
    given::<Message>([requested()])
        .when(MessageCommand::Attempt(Some(text.clone())))
        .then([MessageEvent::MessageAttempted {
            attempt: 1,
            conclude_at: NOON + ATTEMPT_MOST,
            text: Some(text),
        }]);
}

#[test]
fn only_a_wrong_address_stops_mail_to_it_until_staff_lift_it() {
    let bounced = |reason| MessageEvent::MessageBounced {
        attempt: 1,
        reason,
        code: Some(550),
    };
    let release = || MessageCommand::ReleaseAddress {
        memo: "주소를 확인했습니다".to_owned(),
    };
    let released = || MessageEvent::MessageAddressReleased {
        memo: "주소를 확인했습니다".to_owned(),
    };
    let stopped = || [requested(), attempted(1), bounced(FailureReason::Address)];
    given::<Message>(stopped())
        .when(release())
        .then([released()]);
    given::<Message>(stopped().into_iter().chain([released()]))
        .when(release())
        .then_refuses(MessageError::NotStopping);
    given::<Message>([requested(), attempted(1), bounced(FailureReason::Rejected)])
        .when(release())
        .then_refuses(MessageError::NotStopping);
    given::<Message>([requested()])
        .when(release())
        .then_refuses(MessageError::NotStopping);
    given::<Message>([requested(), attempted(1)])
        .when(MessageCommand::RecordFailure {
            attempt: 1,
            reason: FailureReason::Address,
            code: Some(550),
        })
        .then([bounced(FailureReason::Address)]);
}
