//! Deadlines that come: unpaid orders, purchases that confirm themselves, payments nobody knows the end of.

use std::collections::HashSet;
use std::sync::Arc;

use event_store::async_trait;
use projections::deadlines::{self as book, DeadlineKind, DeadlineRow};
use tokio_util::sync::CancellationToken;

use crate::app::AppState;
use crate::http::{ApiError, ApiResult};

/// Rows looked at in one round.
const AT_ONCE: i64 = 200;

/// What is done about one kind of deadline.
#[async_trait]
pub trait Deadline: Send + Sync + 'static {
    /// Which kind.
    fn kind(&self) -> DeadlineKind;

    /// Does it, with a [`Command::once`](crate::commands::Command::once) so that doing it again changes nothing.
    ///
    /// # Errors
    /// A refusal (4xx) is final for this deadline; anything else is tried again.
    async fn fire(&self, app: &AppState, due: &DeadlineRow) -> ApiResult<()>;
}

/// What is done about every kind.
pub fn all() -> Vec<Arc<dyn Deadline>> {
    vec![
        Arc::new(super::unpaid::UnpaidOrder),
        Arc::new(super::confirming::ConfirmingDay),
    ]
}

/// Fires what is due by the shop's clock, round after round, until told to stop.
pub(crate) async fn watch(app: AppState, stopping: CancellationToken) {
    let known = all();
    let mut refused = HashSet::new();
    let poll = app.settings.worker.poll;
    while stopping
        .run_until_cancelled(tokio::time::sleep(poll))
        .await
        .is_some()
    {
        if let Err(error) = round(&app, &known, &mut refused).await {
            tracing::warn!(?error, "deadlines cannot be looked at");
        }
    }
}

/// Refused ones stay in the book for people to see and are left alone from then on.
async fn round(
    app: &AppState,
    known: &[Arc<dyn Deadline>],
    refused: &mut HashSet<String>,
) -> ApiResult<()> {
    for deadline in known {
        for due in book::due(app.pool(), &[deadline.kind()], app.clock.now(), AT_ONCE).await? {
            let name = format!("{due:?}");
            if refused.contains(&name) {
                continue;
            }
            match deadline.fire(app, &due).await {
                Ok(()) => {}
                Err(refusal) if refusal.status().is_client_error() => {
                    tracing::warn!(
                        deadline = name,
                        code = refusal.code().as_str(),
                        "a deadline was refused"
                    );
                    refused.insert(name);
                }
                Err(failure) => tracing::warn!(
                    deadline = name,
                    ?failure,
                    "a deadline failed; it is tried again"
                ),
            }
        }
    }
    Ok(())
}

impl From<projections::ReadError> for ApiError {
    #[track_caller]
    fn from(error: projections::ReadError) -> Self {
        match error {
            projections::ReadError::Database(error) => error.into(),
            other => Self::internal(other),
        }
    }
}
