//! Reading your own writes: waiting until read models have reached a position.

use std::time::Duration;

use tokio::time::{Instant, timeout_at};

use super::Progress;
use crate::error::StoreError;
use crate::store::Store;

/// How often the checkpoints are looked at while another process moves them; doubles up to [`SELDOM`].
const OFTEN: Duration = Duration::from_millis(5);
const SELDOM: Duration = Duration::from_millis(50);

/// How far the slowest of the awaited read models is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WaitOutcome {
    /// All have reached the position; this is where the slowest is.
    Reached(i64),
    /// Time is over, or waiting is of no use; this is where the slowest is (0: it has not begun).
    Stale(i64),
}

impl WaitOutcome {
    /// Where the slowest is, reached or not.
    pub const fn position(self) -> i64 {
        match self {
            Self::Reached(position) | Self::Stale(position) => position,
        }
    }
}

impl Store {
    /// Waits until the read models `names` hold everything up to `position`, or until `timeout` is over.
    ///
    /// It looks at the checkpoints readers see, so it works whichever process runs the projections; if it is this
    /// one, no time is lost between looks. What this process remembers of them only says when to look: a projection
    /// that was thrown away has to be built again before it has reached anything. No names: reached at once. Nobody waits
    /// for one that stopped.
    ///
    /// # Errors
    /// The database's.
    pub async fn wait_for(
        &self,
        names: &[&str],
        position: i64,
        timeout: Duration,
    ) -> Result<WaitOutcome, StoreError> {
        let deadline = Instant::now() + timeout;
        let mut news = self.inner.progress.subscribe();
        let mut pause = OFTEN;
        loop {
            // seen before the look, so that whatever moves during it wakes the wait
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
            // closed is impossible: the store itself holds the sender
            let _ = timeout_at(again, news.changed()).await;
            pause = (pause * 2).min(SELDOM);
        }
    }
}

/// Where the slowest of `names` is; `None` if one is missing.
fn slowest(progress: &Progress, names: &[&str]) -> Option<i64> {
    names.iter().try_fold(i64::MAX, |slowest, name| {
        progress.get(*name).map(|position| slowest.min(*position))
    })
}
