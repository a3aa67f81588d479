//! Fires deadlines: unpaid orders, deliveries that are not reported, automatic confirmations, points whose life is over, the next
//! receivers of bulk grants and sendings.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use event_store::{StoredEvent, async_trait};
use projections::deadlines::{self as book, DeadlineKind, DeadlineRow};
use projections::state::deadline_refusals::{GIVEN_UP, seen, write_down};
use time::OffsetDateTime;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::refusals::is_refusal;
use crate::app::App;
use crate::due_timer::DueTimer;
use crate::error::{AppError, AppResult, Outcome};

/// Number of rows per round.
const AT_ONCE: i64 = 200;
/// Attempts of a failing deadline.
const ATTEMPTS: u32 = 7;
/// First and maximum pause between attempts.
const PAUSES: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(30));

/// Handler of one kind of deadline.
#[async_trait]
pub trait Deadline: Send + Sync + 'static {
    /// The kind of deadline.
    fn kind(&self) -> DeadlineKind;

    /// Handles a due deadline, with a [`CommandContext::once`](crate::executor::CommandContext::once), so that repetitions change
    /// nothing.
    ///
    /// # Errors
    /// A rejection ([`is_refusal`]) is stored and final until the stream changes; any other error is retried, up to a limit.
    async fn fire(&self, app: &App, due: &DeadlineRow) -> AppResult<()>;
}

/// The handlers of all kinds.
pub fn all() -> Vec<Arc<dyn Deadline>> {
    vec![
        Arc::new(super::cancel_unpaid::CancelUnpaid),
        Arc::new(super::auto_deliver::AutoDeliver),
        Arc::new(super::auto_confirm::AutoConfirm),
        Arc::new(super::expire_points::ExpirePoints),
        Arc::new(super::announce_expiry::AnnounceExpiry),
        Arc::new(super::carry_out_grants::CarryOutGrants),
        Arc::new(super::send_parts::SendParts),
        Arc::new(super::draw_raffles::DrawRaffles),
        Arc::new(super::erasure::StatutoryPeriod),
        Arc::new(super::erasure::GuestStatutoryPeriod),
        Arc::new(super::erasure::ContactPeriod),
        Arc::new(super::erasure::InquiryPeriod),
    ]
}

/// Fires due deadlines by the shop's clock, round after round, until `stopping`.
pub async fn watch(app: Arc<App>, stopping: CancellationToken) {
    let known = all();
    let mut tries = Tries::default();
    let mut timer = DueTimer::new(&app.store, book::MODELS);
    let poll = app.settings.poll;
    while stopping
        .run_until_cancelled(tokio::time::sleep(poll))
        .await
        .is_some()
    {
        if !timer.is_time(app.clock.now()) {
            continue;
        }
        match round(&app, &known, &mut tries).await {
            Ok((busy, next)) => timer.saw(busy, next),
            Err(error) => tracing::warn!(?error, "deadlines cannot be looked at"),
        }
    }
}

/// Fires what is due; returns whether there was any, and when the next is due otherwise.
async fn round(
    app: &App,
    known: &[Arc<dyn Deadline>],
    tries: &mut Tries,
) -> AppResult<(bool, Option<OffsetDateTime>)> {
    let now = app.clock.now();
    let kinds: Vec<DeadlineKind> = known.iter().map(|deadline| deadline.kind()).collect();
    let all = book::due(app.pool(), &kinds, now, AT_ONCE).await?;
    if all.is_empty() {
        return Ok((false, book::next_due(app.pool(), now).await?));
    }
    for deadline in known {
        for due in all.iter().filter(|due| due.kind == deadline.kind()) {
            if !tries.may_try(due) {
                continue;
            }
            let seen = seen(app.pool(), due).await?;
            match try_once(app, due, deadline.fire(app, due)).await {
                Ok(()) => tries.done(due),
                Err(failure) if tries.failed(due, &failure) => {
                    tracing::error!(
                        ?due,
                        ?failure,
                        "a deadline is given up until somebody resumes it"
                    );
                    let said = (GIVEN_UP, failure.to_string());
                    let now = app.clock.now();
                    write_down(app.pool(), due, seen, (said.0, &said.1), now).await?;
                }
                Err(failure) => {
                    tracing::warn!(?due, ?failure, "a deadline failed; it is tried again");
                }
            }
        }
    }
    Ok((true, None))
}

/// Failed attempts and next retries, so that deadlines that always fail do not delay the others.
#[derive(Debug, Default)]
struct Tries(BTreeMap<(DeadlineKind, String), (u32, Instant)>);

impl Tries {
    fn key(due: &DeadlineRow) -> (DeadlineKind, String) {
        (due.kind, due.id.clone())
    }

    fn may_try(&self, due: &DeadlineRow) -> bool {
        self.0
            .get(&Self::key(due))
            .is_none_or(|(_, again)| *again <= Instant::now())
    }

    fn done(&mut self, due: &DeadlineRow) {
        self.0.remove(&Self::key(due));
    }

    /// Counts a failure; true if the limit is reached. Unavailable services are waited for without limit.
    fn failed(&mut self, due: &DeadlineRow, failure: &AppError) -> bool {
        let key = Self::key(due);
        let failures = self.0.get(&key).map_or(0, |(failures, _)| *failures) + 1;
        if failures >= ATTEMPTS && failure.code().outcome() == Outcome::Fault {
            self.0.remove(&key);
            return true;
        }
        let pause = PAUSES
            .1
            .min(PAUSES.0 * 2_u32.pow(failures.min(ATTEMPTS) - 1));
        self.0.insert(key, (failures, Instant::now() + pause));
        false
    }
}

/// Handles a deadline; a rejection is stored, so that no process repeats it before the stream changes.
///
/// # Errors
/// Any error that is not a rejection.
pub(super) async fn try_once(
    app: &App,
    due: &DeadlineRow,
    fire: impl Future<Output = AppResult<()>>,
) -> AppResult<()> {
    let seen = seen(app.pool(), due).await?;
    match fire.await {
        Err(refusal) if is_refusal(&refusal) => {
            let code = refusal.code().as_str();
            tracing::warn!(?due, code, "a deadline was refused");
            let said = (code, refusal.to_string());
            let now = app.clock.now();
            write_down(app.pool(), due, seen, (said.0, &said.1), now).await?;
            Ok(())
        }
        other => other,
    }
}

/// The event that set a deadline: the cause of its commands.
///
/// # Errors
/// Database errors.
pub(super) async fn set_by(app: &App, due: &DeadlineRow) -> AppResult<StoredEvent> {
    let before = due.position.saturating_sub(1);
    let found = app.store.read_all(before, due.position, 1).await?;
    found
        .into_iter()
        .next()
        .ok_or_else(|| AppError::internal(anyhow::anyhow!("no event at {}", due.position)))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use domain::ids::OrderId;
    use uuid::Uuid;

    use super::*;

    fn due() -> DeadlineRow {
        let order = OrderId(Uuid::nil()).to_string();
        DeadlineRow {
            kind: DeadlineKind::UnpaidOrder,
            id: order.clone(),
            stream: order,
            due_at: OffsetDateTime::UNIX_EPOCH,
            position: 1,
        }
    }

    #[test]
    fn what_always_fails_rests_longer_and_longer_and_is_given_up() {
        let mut tries = Tries::default();
        let broken = AppError::internal(anyhow::anyhow!("broken"));
        let mut rests = Vec::new();
        for _ in 1..ATTEMPTS {
            assert!(!tries.failed(&due(), &broken));
            assert!(!tries.may_try(&due()), "it rests");
            let (_, again) = tries.0.values().next().unwrap();
            rests.push(again.duration_since(Instant::now()));
        }
        assert!(rests.is_sorted(), "{rests:?}");
        assert!(tries.failed(&due(), &broken));
        // The limit is reached: it is stored, and may be retried once that is deleted.
        assert!(tries.may_try(&due()));
    }

    #[test]
    fn a_service_that_is_away_is_waited_for() {
        let mut tries = Tries::default();
        let away = AppError::unavailable(anyhow::anyhow!("away"));
        assert!((0..ATTEMPTS * 3).all(|_| !tries.failed(&due(), &away)));
    }
}
