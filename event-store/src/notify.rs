//! Wakes followers of the log: in this process by a watch channel, in others by `NOTIFY`, which their [`crate::tail`] receives.
//!
//! `NOTIFY` inside the append's transaction reduces throughput by a factor of 4.5 to 6 (its commit takes a database-wide lock), so
//! one task with its own connection sends at most one every few milliseconds. Correctness does not depend on it: followers also
//! poll.

use std::sync::Once;
use std::time::Duration;

use sqlx::{Connection, PgConnection, PgPool};
use tokio::sync::watch;

/// The channel followers `LISTEN` on.
pub(crate) const CHANNEL: &str = "event_store_appended";

/// Minimum time between two notifications.
const APART: Duration = Duration::from_millis(5);

/// Pause after the notifying connection was lost.
const PAUSE: Duration = Duration::from_secs(1);

#[derive(Debug)]
pub(crate) struct AppendNotifier {
    newest: watch::Sender<i64>,
    notify: bool,
    started: Once,
}

impl AppendNotifier {
    pub(crate) fn new(notify: bool) -> Self {
        Self {
            newest: watch::Sender::new(0),
            notify,
            started: Once::new(),
        }
    }

    pub(crate) const fn notifies(&self) -> bool {
        self.notify
    }

    pub(crate) fn subscribe(&self) -> watch::Receiver<i64> {
        self.newest.subscribe()
    }

    /// Signals that events up to `position` were committed. The first call starts the notifying task.
    pub(crate) fn appended(&self, position: i64, pool: &PgPool) {
        if position == 0 {
            return;
        }
        self.newest
            .send_modify(|newest| *newest = position.max(*newest));
        if self.notify {
            self.started.call_once(|| {
                let mut news = self.newest.subscribe();
                news.mark_changed();
                tokio::spawn(tell(pool.clone(), news));
            });
        }
    }
}

/// Runs until the last clone of the store is gone.
async fn tell(pool: PgPool, mut news: watch::Receiver<i64>) {
    // A notification is a transaction too, and would wait for the disk.
    let address = (*pool.connect_options())
        .clone()
        .options([("synchronous_commit", "off")]);
    drop(pool);
    while news.changed().await.is_ok() {
        let Ok(mut connection) = PgConnection::connect_with(&address).await else {
            tokio::time::sleep(PAUSE).await;
            news.mark_changed();
            continue;
        };
        loop {
            let sent = sqlx::query("SELECT pg_notify($1, '')")
                .bind(CHANNEL)
                .execute(&mut connection)
                .await;
            if let Err(error) = sent {
                tracing::warn!(%error, "the notifying connection was lost");
                tokio::time::sleep(PAUSE).await;
                news.mark_changed();
                break;
            }
            tokio::time::sleep(APART).await;
            if news.changed().await.is_err() {
                return;
            }
        }
    }
}
