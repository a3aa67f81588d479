//! Sendings: who receives, ordering, changing, stopping and taking back. The decisions are in [`domain::sending`].

use std::collections::BTreeSet;

use domain::alarm::{AlarmCommand, WithdrawnAlarm};
use domain::ids::{AlarmId, MemberId, SendingId};
use domain::member::Member;
use domain::policies::notifications::AlarmCategory;
use domain::sending::{
    Sending, SendingChannel, SendingCommand, SendingTerms, SendingText, next_advertising_hour,
    skip_reason,
};
use domain::unit_of_work::UnitOfWork;
use projections::state::alarm_lists::{self, AlarmState};
use time::OffsetDateTime;

use crate::app::App;
use crate::bulk_grants::Receivers;
use crate::error::{AppError, AppResult, Code};
use crate::executor::{CommandContext, CommandOutcome};
use crate::members::names::username_hash;
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
#[derive(Clone, Copy, Debug)]
pub struct SendingPreview {
    /// Receivers of the target.
    pub members: usize,
    /// Those of them who would get nothing now.
    pub skipped: usize,
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

/// Those of these members who want no such sending. Notices by mail cannot be switched off; advertising switched off is off for any way.
///
/// # Errors
/// Database errors.
pub async fn switched_off(
    app: &App,
    (channel, advertising): (SendingChannel, bool),
    members: &[MemberId],
) -> AppResult<BTreeSet<MemberId>> {
    if channel == SendingChannel::Mail && !advertising {
        return Ok(BTreeSet::new());
    }
    let found = alarm_lists::switched_off(app.pool(), members, category(advertising)).await?;
    Ok(found.into_iter().collect())
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
    let members = match order.receivers.find(app).await {
        Ok(members) => members,
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

/// What an order would send, without ordering it.
///
/// # Errors
/// As [`order`].
pub async fn preview(
    app: &App,
    command: &CommandContext,
    order: &SendingOrder,
) -> AppResult<SendingPreview> {
    let members = order.receivers.find(app).await?;
    let off = switched_off(app, (order.channel, order.advertising), &members).await?;
    let count = |work: &mut UnitOfWork| {
        for member in &members {
            work.plan_read::<Member>(member);
        }
        let skipped = members.iter().filter(|member| {
            let state = work.state::<Member>(member);
            skip_reason(&state, order.advertising, off.contains(member)).is_some()
        });
        Ok(skipped.count())
    };
    let skipped = app.executor.preview(command.actor().clone(), count).await?;
    let now = app.clock.now();
    let starts = order.starts_at.map_or(now, |starts| starts.max(now));
    Ok(SendingPreview {
        members: members.len(),
        skipped,
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
