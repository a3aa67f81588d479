//! The open alarm streams of this process, and the one task that looks for changes for all of them (docs/decisions/0070).
//!
//! A change notifies every process, which then asks once for all members with an open stream. Notifications are lost while the
//! connection that listens is down, so it also asks every few seconds.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use domain::ids::MemberId;
use event_store::Store;
use projections::state::notifications::{self, AlarmChanges, CHANNEL};
use sqlx::PgPool;
use tokio::sync::{Notify, watch};
use tokio_util::sync::CancellationToken;

use crate::error::{AppError, AppResult, Code};
use crate::metrics;

/// Streams of one member in one process: a browser has one, however many windows it has.
pub const STREAMS_MOST: usize = 10;
/// Seconds after which a refused stream is worth another try.
const AGAIN_AFTER: u64 = 60;
/// Interval at which changes are looked for without a notification.
const POLL: Duration = Duration::from_secs(2);
/// Minimum time between two looks: changes within it are found by one query.
const APART: Duration = Duration::from_millis(10);
/// Pause after a look that failed.
const PAUSE: Duration = Duration::from_secs(1);

type Changes = Option<Arc<AlarmChanges>>;

/// The open streams. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct AlarmHub(Arc<Hub>);

#[derive(Debug, Default)]
struct Hub {
    members: Mutex<HashMap<MemberId, MemberStreams>>,
    joined: Notify,
    closed: CancellationToken,
}

/// A member with open streams.
#[derive(Debug)]
struct MemberStreams {
    streams: usize,
    /// The last change their streams know of.
    last: i64,
    changes: watch::Sender<Changes>,
}

/// One stream's place in the hub, until it is dropped.
#[derive(Debug)]
pub struct Subscription {
    hub: AlarmHub,
    member: MemberId,
    changes: watch::Receiver<Changes>,
}

impl AlarmHub {
    /// Counts one more stream of the member.
    ///
    /// # Errors
    /// `too_many_requests` at the limit; `unavailable` once the process is stopping.
    pub fn subscribe(&self, member: MemberId) -> AppResult<Subscription> {
        if self.0.closed.is_cancelled() {
            return Err(AppError::unavailable(anyhow::anyhow!("stopping")));
        }
        let mut members = self.lock();
        let watched = members.entry(member).or_insert_with(|| MemberStreams {
            streams: 0,
            last: 0,
            changes: watch::Sender::new(None),
        });
        if watched.streams >= STREAMS_MOST {
            return Err(AppError::new(Code::TooManyRequests).retry_after(AGAIN_AFTER));
        }
        watched.streams += 1;
        let changes = watched.changes.subscribe();
        drop(members);
        metrics::alarm_streams(1.0);
        Ok(Subscription {
            hub: self.clone(),
            member,
            changes,
        })
    }

    /// Cancelled when the streams have to end.
    pub fn closed(&self) -> &CancellationToken {
        &self.0.closed
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<MemberId, MemberStreams>> {
        self.0
            .members
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Looks for changes of all members with an open stream.
    async fn look(&self, pool: &PgPool) -> AppResult<()> {
        let since: Vec<(MemberId, i64)> = self
            .lock()
            .iter()
            .map(|(member, watched)| (*member, watched.last))
            .collect();
        if since.is_empty() {
            return Ok(());
        }
        let changed = notifications::changes(pool, &since).await?;
        let mut members = self.lock();
        for changes in changed {
            if let Some(watched) = members.get_mut(&changes.member)
                && watched.last < changes.last
            {
                watched.last = changes.last;
                watched.changes.send_replace(Some(Arc::new(changes)));
            }
        }
        drop(members);
        Ok(())
    }
}

impl Subscription {
    /// Tells the hub that the stream starts after this change, and has it look at once: a later change may have been notified before
    /// the stream was counted.
    pub fn starts_after(&self, last: i64) {
        if let Some(watched) = self.hub.lock().get_mut(&self.member) {
            watched.last = watched.last.max(last);
        }
        self.hub.0.joined.notify_one();
    }

    /// Waits for changes; the latest replace those that were not taken. None once the hub is closed.
    pub async fn changed(&mut self) -> Changes {
        self.changes.changed().await.ok()?;
        self.changes.borrow_and_update().clone()
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        metrics::alarm_streams(-1.0);
        if let Entry::Occupied(mut watched) = self.hub.lock().entry(self.member) {
            watched.get_mut().streams -= 1;
            if watched.get().streams == 0 {
                watched.remove();
            }
        }
    }
}

/// Looks for changes until the process stops, then ends the streams, which would keep it from stopping.
pub async fn run(hub: AlarmHub, store: Store, stopping: CancellationToken) {
    let _close = hub.0.closed.clone().drop_guard();
    let notices = store.listen(CHANNEL);
    let looking = async {
        loop {
            tokio::select! {
                () = notices.notified() => {}
                () = hub.0.joined.notified() => {}
                () = tokio::time::sleep(POLL) => {}
            }
            let pause = match hub.look(store.pool()).await {
                Ok(()) => APART,
                Err(error) => {
                    tracing::warn!(
                        error = format!("{error:?}"),
                        "changes of alarms were not looked for"
                    );
                    PAUSE
                }
            };
            tokio::time::sleep(pause).await;
        }
    };
    stopping.run_until_cancelled(looking).await;
}
