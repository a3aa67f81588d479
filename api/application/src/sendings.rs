//! Sendings: who receives, ordering, changing, stopping and taking back. The decisions are in [`domain::sending`].

use std::collections::BTreeMap;

use domain::alarm::{AlarmCommand, WithdrawnAlarm};
use domain::ids::{AlarmId, MemberId, SendingId};
use domain::member::Member;
use domain::message::{Channel, is_encodable, mobile_number};
use domain::policies::notifications::AlarmCategory;
use domain::sending::{
    Sending, SendingChannel, SendingCommand, SendingCrowd, SendingTerms, SendingText, SkipReason,
    next_advertising_hour,
};
use domain::unit_of_work::UnitOfWork;
use domain::validation::RecordErrors;
use projections::members::{self, MemberTarget};
use projections::state::alarm_lists::{self, AlarmState};
use projections::state::member_reach;
use time::OffsetDateTime;

use crate::app::App;
use crate::bulk_grants::Receivers;
use crate::error::{AppError, AppResult, Code};
use crate::executor::{CommandContext, CommandOutcome};
use crate::members::names::username_hash;
use crate::messages::{phone, stops};
use crate::reservations::USERNAME;

/// A sending to be ordered.
#[derive(Clone, Debug)]
pub struct SendingOrder {
    /// The sending.
    pub id: SendingId,
    /// Who receives.
    pub receivers: Receivers,
    /// The way it travels.
    pub channel: SendingChannel,
    /// Whether it is advertising.
    pub advertising: bool,
    /// What receivers read.
    pub text: SendingText,
    /// Receivers a minute at most.
    pub per_minute: u32,
    /// Not before this time.
    pub starts_at: Option<OffsetDateTime>,
}

/// What an order would send.
#[derive(Clone, Debug)]
pub struct SendingPreview {
    /// Receivers of the target.
    pub members: i64,
    /// Those of them who would get nothing now, by reason.
    pub skipped: Vec<(SkipReason, i64)>,
    /// When it begins.
    pub begins_at: OffsetDateTime,
}

/// The category whose alarms are a sending's, and with which members refuse it.
pub const fn category(advertising: bool) -> AlarmCategory {
    match advertising {
        true => AlarmCategory::Advertising,
        false => AlarmCategory::Notice,
    }
}

/// Those of these members who get no such sending: members that switched it off, those without a mobile number for texts, and those whose
/// address is stopped. Notices by mail and text cannot be switched off; advertising switched off is off for any way.
///
/// # Errors
/// Database errors.
pub async fn refusals(
    app: &App,
    (channel, advertising): (SendingChannel, bool),
    members: &[MemberId],
) -> AppResult<BTreeMap<MemberId, SkipReason>> {
    let mut refusals = BTreeMap::new();
    for member in members {
        if let Some(reason) = unreachable(app, channel, *member).await? {
            refusals.insert(*member, reason);
        }
    }
    if channel == SendingChannel::Alarm || advertising {
        let off = alarm_lists::switched_off(app.pool(), members, category(advertising)).await?;
        refusals.extend(
            off.into_iter()
                .map(|member| (member, SkipReason::SwitchedOff)),
        );
    }
    Ok(refusals)
}

/// Why no mail or text can be sent to a member; none if it can.
async fn unreachable(
    app: &App,
    channel: SendingChannel,
    member: MemberId,
) -> AppResult<Option<SkipReason>> {
    if channel == SendingChannel::Alarm {
        return Ok(None);
    }
    let state = app.store.load::<Member>(&member.to_string()).await?.state;
    let profile = match &state.profile {
        Some(sealed) => app.open(sealed).await?.unwrap_or_default(),
        None => return Ok(Some(SkipReason::AccountClosed)),
    };
    let (way, address) = match channel {
        SendingChannel::Sms => match mobile_number(&profile.phone) {
            Some(number) => (Channel::Sms, number),
            None => return Ok(Some(SkipReason::NoMobile)),
        },
        SendingChannel::Alarm | SendingChannel::Mail => (Channel::Mail, profile.email),
    };
    let is_stopped = stops::is_stopped(app, (way, &address)).await?;
    Ok(is_stopped.then_some(SkipReason::AddressStopped))
}

/// Checks what is to be sent by text: the shop sends texts, phones can show it whole, and advertising can be refused free of charge.
///
/// # Errors
/// `invalid` with the field.
fn check_text(app: &App, order: &SendingOrder) -> AppResult<()> {
    if order.channel != SendingChannel::Sms {
        return Ok(());
    }
    let mut errors = RecordErrors::default();
    errors.require(
        app.sms.is_some(),
        "channel",
        "sms_off",
        "문자 발송이 설정되어 있지 않습니다.",
    );
    errors.require(
        !order.advertising || app.settings.refusal_number.is_some(),
        "advertising",
        "no_refusal_number",
        "무료수신거부 번호가 설정되어 있지 않아 광고 문자를 보낼 수 없습니다.",
    );
    let text = &order.text;
    for (field, text) in [("title", &text.title), ("content", &text.content)] {
        let strange = |letter: &char| *letter != '\n' && !is_encodable(*letter);
        let strange: String = text.chars().filter(strange).collect();
        errors.require(
            strange.is_empty(),
            field,
            "not_encodable",
            &format!("문자로 보낼 수 없는 글자가 있습니다: {strange}"),
        );
    }
    let (_, is_cut) = phone::of_sending(app, order.advertising, text);
    errors.require(
        !is_cut,
        "content",
        "too_long",
        "문자는 끝에 붙는 안내까지 2,000바이트까지 보낼 수 있습니다.",
    );
    errors.finish().map_err(AppError::invalid)
}

/// The receivers of an order: a list, or a crowd where they are too many for one.
async fn receivers(
    app: &App,
    order: &SendingOrder,
) -> AppResult<(Vec<MemberId>, Option<SendingCrowd>)> {
    match order.receivers.crowd(app).await? {
        Some(crowd) => Ok((Vec::new(), Some(crowd))),
        None => Ok((order.receivers.find(app).await?, None)),
    }
}

/// The next receivers of a sending.
///
/// # Errors
/// Database errors.
pub async fn next_receivers(app: &App, sending: &Sending) -> AppResult<Vec<MemberId>> {
    let Some(terms) = &sending.terms else {
        return Ok(Vec::new());
    };
    let Some(crowd) = terms.crowd else {
        return Ok(sending.next_part().to_vec());
    };
    let target = Receivers::of_target(&terms.target).ok_or_else(|| {
        AppError::internal(anyhow::anyhow!("a sending to {} has no list", terms.target))
    })?;
    let range = (sending.last_served, crowd.last);
    let limit = i64::from(terms.part());
    Ok(members::next_of_target(app.pool(), &target, range, limit).await?)
}

/// Orders a sending; the worker sends it. The result is its id.
///
/// # Errors
/// As [`Receivers::find`]; `invalid` at `perMinute`.
pub async fn order(
    app: &App,
    command: &CommandContext,
    order: &SendingOrder,
) -> AppResult<CommandOutcome> {
    let found = match check_text(app, order) {
        Ok(()) => receivers(app, order).await,
        Err(refusal) => Err(refusal),
    };
    let (members, crowd) = match found {
        Ok(found) => found,
        Err(refusal) => return app.executor.stored_outcome_or(command, refusal).await,
    };
    let decide = |work: &mut UnitOfWork| {
        work.plan_write::<Sending>(order.id);
        let terms = SendingTerms {
            channel: order.channel,
            advertising: order.advertising,
            text: order.text.clone(),
            target: order.receivers.target(),
            members: members.clone(),
            crowd,
            per_minute: order.per_minute,
        };
        let input = SendingCommand::Order {
            terms: Box::new(terms),
            starts_at: order.starts_at,
        };
        work.decide::<Sending>(order.id, input)?;
        Ok(order.id)
    };
    app.executor.commit(command, decide).await
}

/// What counts of skipped receivers are read from.
const COUNTED: [&str; 4] = [
    members::NAME,
    member_reach::POLICY,
    "policy_member_mails",
    "policy_stopped_addresses",
];

/// What an order would send, without ordering it. Of any size it is counted by the look-ups beside the log; each turn is decided by the log.
///
/// # Errors
/// As [`order`].
pub async fn preview(app: &App, order: &SendingOrder) -> AppResult<SendingPreview> {
    check_text(app, order)?;
    app.wait_until_current(&COUNTED).await?;
    let (members, crowd) = receivers(app, order).await?;
    let target = match crowd {
        Some(_) => Receivers::of_target(&order.receivers.target()),
        None => None,
    };
    let listed = || MemberTarget {
        members: Some(members),
        ..MemberTarget::default()
    };
    let target = target.unwrap_or_else(listed);
    let way = (
        order.channel,
        order.advertising,
        category(order.advertising).as_str(),
    );
    let counts = member_reach::skip_counts(app.pool(), &target, way).await?;
    let now = app.clock.now();
    let starts = order.starts_at.map_or(now, |starts| starts.max(now));
    Ok(SendingPreview {
        members: counts.iter().map(|(_, count)| count).sum(),
        skipped: counts
            .into_iter()
            .filter_map(|(reason, count)| Some((reason?, count)))
            .collect(),
        begins_at: match order.advertising {
            true => next_advertising_hour(starts),
            false => starts,
        },
    })
}

/// Changes, stops or withdraws a sending.
///
/// # Errors
/// `not_found`; `not_allowed_now`, with the reason in `details`.
pub async fn change(
    app: &App,
    command: &CommandContext,
    id: SendingId,
    change: SendingCommand,
) -> AppResult<CommandOutcome> {
    app.executor.execute::<Sending>(command, id, change).await
}

/// Takes an alarm out of its member's drawer.
///
/// # Errors
/// `not_found`; `not_allowed_now` for one that is not in the drawer any more.
pub async fn withdraw_alarm(
    app: &App,
    command: &CommandContext,
    id: AlarmId,
    memo: String,
) -> AppResult<CommandOutcome> {
    let found = alarm_lists::alarm(app.pool(), id).await?;
    let alarm = found.ok_or_else(AppError::not_found)?;
    if matches!(alarm.state(), AlarmState::Deleted | AlarmState::Withdrawn) {
        return Err(AppError::new(Code::NotAllowedNow));
    }
    let member = alarm.member;
    let withdraw = AlarmCommand::Withdraw { member, memo };
    let done = app
        .executor
        .execute::<WithdrawnAlarm>(command, id, withdraw)
        .await?;
    // The policy does it too, should this process die here.
    alarm_lists::withdraw(app.pool(), id).await?;
    Ok(done)
}

/// The member with this sign-in name; none if there is none.
///
/// # Errors
/// Database errors.
pub async fn member_named(app: &App, username: &str) -> AppResult<Option<MemberId>> {
    let hash = username_hash(&app.keys, username);
    let held = app.store.holders(USERNAME, &[hash]).await?;
    Ok(held.get(&hash).and_then(|holder| holder.parse().ok()))
}
