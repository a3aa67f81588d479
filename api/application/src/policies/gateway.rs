//! Deadlines that call the payment gateway: requested refunds, charges with an unknown outcome, and accounts that are not needed
//! any more.
//!
//! Separate from the other deadlines, because the gateway may take half a minute and must not delay them.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use projections::deadlines::{self as book, DeadlineKind, DeadlineRow, PATIENCE};
use time::OffsetDateTime;
use tokio::task::JoinSet;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::deadlines::try_once;
use crate::app::App;
use crate::due_timer::DueTimer;
use crate::error::{AppError, AppResult};
use crate::payments::{account, refund, resolve};

/// The deadlines that call the gateway.
const SETTLED: [DeadlineKind; 3] = [
    DeadlineKind::ResolveRefund,
    DeadlineKind::ResolveApproval,
    DeadlineKind::CloseAccount,
];
/// Maximum concurrent calls to the gateway.
const AT_ONCE: i64 = 8;
/// Pause after the gateway could not settle a deadline.
const PAUSE: Duration = Duration::from_secs(5);

/// Handles them, round after round, until `stopping`.
pub async fn watch(app: Arc<App>, stopping: CancellationToken) {
    let poll = app.settings.poll;
    let mut tried: HashMap<String, Instant> = HashMap::new();
    let mut timer = DueTimer::new(&app.store, book::MODELS);
    while stopping
        .run_until_cancelled(tokio::time::sleep(poll))
        .await
        .is_some()
    {
        let begun = Instant::now();
        tried.retain(|_, at| begun.duration_since(*at) < PAUSE);
        if !timer.is_time(app.clock.now()) {
            continue;
        }
        match round(&app, &mut tried).await {
            Ok((busy, next)) => timer.saw(busy, next),
            Err(error) => tracing::warn!(?error, "payments cannot be looked after"),
        }
    }
}

/// Settles what is due; returns whether there was any, and when the next is due otherwise.
async fn round(
    app: &Arc<App>,
    tried: &mut HashMap<String, Instant>,
) -> AppResult<(bool, Option<OffsetDateTime>)> {
    let now = app.clock.now();
    let mut due = book::due(app.pool(), &SETTLED, now + PATIENCE, AT_ONCE * 8).await?;
    // A refund request is executed at once; only outcomes of earlier calls have a delay.
    due.retain(|row| row.kind == DeadlineKind::ResolveRefund || row.due_at <= now);
    if due.is_empty() {
        return Ok((false, book::next_due(app.pool(), now).await?));
    }
    let most = usize::try_from(AT_ONCE).unwrap_or(1);
    let mut work = JoinSet::new();
    for row in due
        .into_iter()
        .filter(|row| !tried.contains_key(&name(row)))
        .take(most)
        .collect::<Vec<_>>()
    {
        tried.insert(name(&row), Instant::now());
        let app = Arc::clone(app);
        work.spawn(async move {
            if let Err(failure) = try_once(&app, &row, settle(&app, &row)).await {
                tracing::warn!(
                    kind = row.kind.word(),
                    id = row.id,
                    ?failure,
                    "a payment is not settled yet"
                );
            }
        });
    }
    while work.join_next().await.is_some() {}
    Ok((true, None))
}

fn name(row: &DeadlineRow) -> String {
    format!("{} {}", row.kind.word(), row.id)
}

async fn settle(app: &App, row: &DeadlineRow) -> AppResult<()> {
    let payment = row.stream.parse().map_err(|_| AppError::not_found())?;
    match row.kind {
        DeadlineKind::ResolveRefund => {
            let refund = row.id.parse().map_err(|_| AppError::not_found())?;
            refund::drive(app, payment, refund).await
        }
        DeadlineKind::ResolveApproval => resolve::attempt(app, payment).await,
        DeadlineKind::CloseAccount => account::close(app, payment).await,
        DeadlineKind::UnpaidOrder
        | DeadlineKind::ConfirmPurchase
        | DeadlineKind::DeliverPurchase
        | DeadlineKind::StatutoryPeriod
        | DeadlineKind::GuestStatutoryPeriod
        | DeadlineKind::ContactPeriod
        | DeadlineKind::InquiryPeriod
        | DeadlineKind::ExpirePoints
        | DeadlineKind::AnnounceExpiry
        | DeadlineKind::CarryOutGrant
        | DeadlineKind::DrawRaffle
        | DeadlineKind::SendPart => Ok(()),
    }
}
