//! Sends messages: an intention before the conversation with the server, an outcome after it.
//!
//! An attempt is appended before anything is sent, at the version that was read: of several workers one begins it. A worker that dies
//! between the server's yes and the outcome leaves an attempt without one, which is concluded as uncertain and never repeated: SMTP has
//! no way to ask. Only what certainly did not reach the server is sent again (decision 65). The gateway of texts can be asked, so it is,
//! before a text is sent again (decision 92), and later whether the text arrived (decision 97).

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use domain::ids::{MemberId, MessageId};
use domain::message::{
    Channel, FailureReason, GiveUpReason, Message, MessageCommand, MessageError, MessageState,
    Template, TemplateVersion,
};
use domain::unit_of_work::UnitOfWork;
use integrations::mail::{Failure, Mail, Outcome};
use integrations::sms::{Lookup, Report};
use projections::messages::{self, MessageRow};
use tokio::task::JoinSet;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::{account, by_outbox, phone, stops, templates};
use crate::app::App;
use crate::due_timer::DueTimer;
use crate::error::AppResult;

/// Maximum number of concurrent conversations.
const AT_ONCE: usize = 8;
/// Messages looked at in a round.
const ROUND: i64 = 64;
/// Pause after a message could not be handled because of a failure of our own.
const PAUSE: Duration = Duration::from_secs(5);
/// Interval between looks at requests for mail about accounts.
const REQUESTS: Duration = Duration::from_secs(2);
/// Attempts to record an outcome, and the pause between them, which grows.
const RECORDINGS: u32 = 8;
const RECORDING_PAUSE: Duration = Duration::from_millis(200);

/// Sends what is due, round after round, until `stopping`.
pub async fn watch(app: Arc<App>, stopping: CancellationToken) {
    let poll = app.settings.poll;
    let mut tried: HashMap<MessageId, Instant> = HashMap::new();
    let mut timer = DueTimer::new(&app.store, &[messages::NAME]);
    let mut answered: Option<Instant> = None;
    while stopping
        .run_until_cancelled(tokio::time::sleep(poll))
        .await
        .is_some()
    {
        let begun = Instant::now();
        if answered.is_none_or(|at| begun.duration_since(at) >= REQUESTS) {
            answered = Some(begun);
            if let Err(error) = account::answer_requests(&app).await {
                tracing::warn!(?error, "mail about accounts cannot be written");
            }
        }
        tried.retain(|_, at| begun.duration_since(*at) < PAUSE);
        let now = app.clock.now();
        if !timer.is_time(now) {
            continue;
        }
        match round(&app, &mut tried, &stopping).await {
            Ok(busy) if busy => timer.saw(true, None),
            Ok(_) => match messages::next_due(app.pool(), now).await {
                Ok(next) => timer.saw(false, next),
                Err(error) => tracing::warn!(?error, "messages cannot be looked at"),
            },
            Err(error) => tracing::warn!(?error, "messages cannot be sent"),
        }
    }
}

/// Handles what is due; returns whether there was any.
async fn round(
    app: &Arc<App>,
    tried: &mut HashMap<MessageId, Instant>,
    stopping: &CancellationToken,
) -> AppResult<bool> {
    let due = messages::due(app.pool(), app.clock.now(), ROUND).await?;
    let busy = !due.is_empty();
    let mut work: JoinSet<Option<MessageId>> = JoinSet::new();
    for MessageRow { id, .. } in due {
        if tried.contains_key(&id) || stopping.is_cancelled() {
            continue;
        }
        while work.len() >= AT_ONCE {
            rest(tried, work.join_next().await);
        }
        let app = Arc::clone(app);
        work.spawn(async move {
            match deliver(&app, id).await {
                Ok(()) => None,
                Err(failure) => {
                    tracing::warn!(%id, code = failure.code().as_str(), "a message is not handled yet");
                    Some(id)
                }
            }
        });
    }
    while let Some(done) = work.join_next().await {
        rest(tried, Some(done));
    }
    Ok(busy)
}

/// Lets a message rest that could not be handled.
fn rest(
    tried: &mut HashMap<MessageId, Instant>,
    done: Option<Result<Option<MessageId>, tokio::task::JoinError>>,
) {
    if let Some(Ok(Some(id))) = done {
        tried.insert(id, Instant::now());
    }
}

/// Sends a message that is due, or concludes an attempt without an outcome.
///
/// # Errors
/// Database errors.
pub async fn deliver(app: &App, id: MessageId) -> AppResult<()> {
    let message = app.store.load::<Message>(&id.to_string()).await?.state;
    if message.state == MessageState::Sending {
        return conclude(app, id).await;
    }
    let is_sent = message.state == MessageState::Sent;
    let is_uncertain = message.state == MessageState::Uncertain;
    let Some(terms) = message.terms else {
        return Ok(());
    };
    let is_asked = is_sent || is_uncertain;
    if is_asked && message.due_at.is_none_or(|due| due > app.clock.now()) {
        return Ok(());
    }
    if is_sent {
        return ask_report(app, id).await;
    }
    if is_uncertain {
        let lookup = phone::find(app, id, &terms, message.attempts).await?;
        return record(app, id, command_of_lookup(message.attempts, lookup)).await;
    }
    let Some(content) = app.open(&terms.content).await? else {
        return give_up(app, id, GiveUpReason::Erased).await;
    };
    if stops::is_stopped(app, (terms.channel, &content.address)).await? {
        return give_up(app, id, GiveUpReason::AddressStopped).await;
    }
    if terms.channel != Channel::Mail {
        return phone::deliver(app, id, &terms, content).await;
    }
    let link = account::link(app, id, &terms);
    let (text, version) = templates::text_in_use(app, terms.template).await?;
    let shop_url = &app.settings.public_url;
    let refusal = match terms.template {
        Template::Advertising => {
            Some(templates::Refusal::of(app, MemberId(terms.content.subject)).await?)
        }
        _ => None,
    };
    let link = link.or_else(|| refusal.as_ref().map(|refusal| refusal.page.clone()));
    let sender = refusal.as_ref().map(|refusal| refusal.sender.as_str());
    let written = templates::write((terms.template, &text), &content, shop_url, (link, sender));
    let Some(attempt) = begin(app, id, version).await? else {
        return Ok(());
    };
    let mail = Mail {
        id: id.to_string(),
        name: content.name,
        address: content.address,
        subject: written.subject,
        text: written.text,
        html: written.html,
        unsubscribe: refusal.map(|refusal| refusal.one_click),
        date: app.clock.now(),
    };
    let outcome = app.mailer.send(&mail).await;
    record(app, id, command_of(attempt, outcome)).await
}

/// Asks the gateway whether a text that it took has arrived, and records what it says. Also for one of which a report came unasked: what
/// comes so is not believed.
///
/// # Errors
/// Database errors.
pub async fn ask_report(app: &App, id: MessageId) -> AppResult<()> {
    let message = app.store.load::<Message>(&id.to_string()).await?.state;
    let is_sent = message.state == MessageState::Sent;
    let terms = message.terms.filter(|terms| terms.channel.is_askable());
    let Some(terms) = terms.filter(|_| is_sent) else {
        return Ok(());
    };
    let attempt = message.attempts;
    let report = phone::report(app, &terms, (id, attempt), message.queue_id).await?;
    let record = match report {
        Report::Delivered => MessageCommand::RecordDelivered { attempt },
        Report::Failed { why, code } => MessageCommand::RecordUndelivered {
            attempt,
            reason: reason_of(why),
            code,
        },
        Report::Waiting => MessageCommand::RecordReportMissing { attempt },
    };
    settle(app, id, "record-report", record).await
}

/// Records that a mail which a server had taken did not arrive, as a relay reported later. Nothing happens for other messages, and a second
/// time.
///
/// # Errors
/// Database errors.
pub async fn record_late_bounce(
    app: &App,
    id: MessageId,
    (why, code): (Failure, Option<u16>),
) -> AppResult<()> {
    let message = app.store.load::<Message>(&id.to_string()).await?.state;
    let is_sent = message.state == MessageState::Sent;
    let is_mail = message
        .terms
        .is_some_and(|terms| terms.channel == Channel::Mail);
    if !is_sent || !is_mail {
        return Ok(());
    }
    let bounced = MessageCommand::RecordUndelivered {
        attempt: message.attempts,
        reason: reason_of(why),
        code,
    };
    settle(app, id, "record-bounce", bounced).await
}

/// Records the intention to send; none if the message is not to be sent now: another worker has begun, or it is too late for it.
pub(super) async fn begin(
    app: &App,
    id: MessageId,
    text: Option<TemplateVersion>,
) -> AppResult<Option<u32>> {
    let command = by_outbox("attempt-message");
    let begin = |work: &mut UnitOfWork| -> AppResult<Option<u32>> {
        match work.decide::<Message>(id, MessageCommand::Attempt(text.clone())) {
            Ok(_) => Ok(Some(work.state::<Message>(id).attempts)),
            Err(MessageError::Expired) => {
                work.decide::<Message>(id, MessageCommand::GiveUp(GiveUpReason::Expired))?;
                Ok(None)
            }
            Err(MessageError::OtherState(_) | MessageError::NotDue) => Ok(None),
            Err(other) => Err(other.into()),
        }
    };
    app.executor.commit(&command, begin).await?.result()
}

pub(super) async fn give_up(app: &App, id: MessageId, reason: GiveUpReason) -> AppResult<()> {
    settle(app, id, "give-up-message", MessageCommand::GiveUp(reason)).await
}

async fn conclude(app: &App, id: MessageId) -> AppResult<()> {
    settle(app, id, "conclude-message", MessageCommand::Conclude).await
}

/// Executes a command, unless another worker was faster.
async fn settle(
    app: &App,
    id: MessageId,
    name: &'static str,
    command: MessageCommand,
) -> AppResult<()> {
    let settle = |work: &mut UnitOfWork| -> AppResult<()> {
        match work.decide::<Message>(id, command.clone()) {
            Ok(_)
            | Err(
                MessageError::OtherState(_) | MessageError::NotDue | MessageError::OtherAttempt,
            ) => Ok(()),
            Err(other) => Err(other.into()),
        }
    };
    app.executor.commit(&by_outbox(name), settle).await?;
    Ok(())
}

/// Records an outcome. It is tried again for a while: what is not recorded is uncertain for good.
pub(super) async fn record(app: &App, id: MessageId, outcome: MessageCommand) -> AppResult<()> {
    let mut tries = 1;
    loop {
        match settle(app, id, "record-message", outcome.clone()).await {
            Err(failure) if tries < RECORDINGS => {
                let code = failure.code().as_str();
                tracing::warn!(%id, code, "the outcome of a message is not recorded yet");
                tokio::time::sleep(RECORDING_PAUSE * 2_u32.pow(tries)).await;
                tries += 1;
            }
            other => return other,
        }
    }
}

fn command_of_lookup(attempt: u32, lookup: Lookup) -> MessageCommand {
    match lookup {
        Lookup::Found(outcome) => command_of(attempt, outcome),
        Lookup::Missing => MessageCommand::RecordFailure {
            attempt,
            reason: FailureReason::NotReceived,
            code: None,
        },
        Lookup::Unknown => MessageCommand::RecordUncertain { attempt },
    }
}

pub(super) fn command_of(attempt: u32, outcome: Outcome) -> MessageCommand {
    match outcome {
        Outcome::Sent { queue_id } => MessageCommand::RecordSent { attempt, queue_id },
        Outcome::Failed { why, code } => MessageCommand::RecordFailure {
            attempt,
            reason: reason_of(why),
            code,
        },
        Outcome::Unknown => MessageCommand::RecordUncertain { attempt },
    }
}

fn reason_of(failure: Failure) -> FailureReason {
    match failure {
        Failure::Unreachable => FailureReason::Unreachable,
        Failure::Access => FailureReason::Access,
        Failure::Refused => FailureReason::Refused,
        Failure::Rejected => FailureReason::Rejected,
        Failure::Unsendable => FailureReason::Unsendable,
        Failure::Address => FailureReason::Address,
        Failure::Undelivered => FailureReason::Undelivered,
    }
}
