//! Read-your-writes: waits until read models have reached a position.

use std::time::Duration;

use tokio::sync::watch;
use tokio::time::{Instant, timeout_at};

use crate::error::StoreError;
use crate::store::Progress;
use crate::store::Store;

/// Polling interval of checkpoints moved by another process; doubles up to [`SELDOM`].
const OFTEN: Duration = Duration::from_millis(5);
const SELDOM: Duration = Duration::from_millis(50);

/// Result of waiting, with the position of the slowest read model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WaitOutcome {
    /// All have reached the position; contains the position of the slowest.
    Reached(i64),
    /// Timeout, or waiting is pointless; contains the position of the slowest (0 if it has not started).
    Stale(i64),
}

impl WaitOutcome {
    /// Position of the slowest read model in either case.
    pub const fn position(self) -> i64 {
        match self {
            Self::Reached(position) | Self::Stale(position) => position,
        }
    }
}

impl Store {
    /// Positions of the read models that run in this process, as they advance; empty where others run them.
    pub fn progress(&self) -> watch::Receiver<Progress> {
        self.inner.progress.subscribe()
    }

    /// Waits until the read models `names` contain everything up to `position`, or until `timeout`.
    ///
    /// Reads the checkpoints visible to readers, so it works whichever process runs the projections; if it is this one, changes
    /// wake it immediately. Progress cached in this process only triggers a read: a projection whose state was deleted has reached
    /// nothing until it is rebuilt. Without names the position is reached at once. Stopped projections are not waited for.
    ///
    /// # Errors
    /// Database errors.
    pub async fn wait_for(
        &self,
        names: &[&str],
        position: i64,
        timeout: Duration,
    ) -> Result<WaitOutcome, StoreError> {
        let deadline = Instant::now() + timeout;
        let mut news = self.progress();
        let mut pause = OFTEN;
        loop {
            // Marked before the read, so that a change during it wakes the wait.
            news.mark_unchanged();
            let (progress, stopped) = self.read_progress(names).await?;
            let slowest = slowest(&progress, names).unwrap_or_default();
            if slowest >= position {
                return Ok(WaitOutcome::Reached(slowest));
            }
            let now = Instant::now();
            if now >= deadline || stopped.values().any(|at| *at < position) {
                return Ok(WaitOutcome::Stale(slowest));
            }
            let again = deadline.min(now + pause);
            // Cannot be closed: the store itself holds the sender.
            let _ = timeout_at(again, news.changed()).await;
            pause = (pause * 2).min(SELDOM);
        }
    }
}

/// Position of the slowest of `names`; `None` if one is missing.
fn slowest(progress: &Progress, names: &[&str]) -> Option<i64> {
    names.iter().try_fold(i64::MAX, |slowest, name| {
        progress.get(*name).map(|position| slowest.min(*position))
    })
}
