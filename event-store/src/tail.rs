//! A connection that `LISTEN`s on a channel and wakes its owner: the log's followers when another process appends
//! ([`CHANNEL`](crate::notify::CHANNEL)), and others by [`Store::listen`](crate::Store::listen).
//!
//! It only saves time: its owners poll as well, so a notification that is missed costs them one polling interval. While the
//! connection is down it is opened again, with growing pauses. It uses tokio-postgres (docs/decisions/0043) under the address and
//! the TLS verification of the store's pool ([`connect`]).

mod connect;
#[cfg(all(test, feature = "testing"))]
#[expect(clippy::unwrap_used, clippy::panic, reason = "tests")]
mod tests;
mod tls;

use std::convert::Infallible;
use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use sqlx::postgres::PgConnectOptions;
use tokio::sync::Notify;
use tokio::task::JoinHandle;
use tokio_postgres::AsyncMessage;

use connect::{ClientConnection, connect};

use crate::store::Store;

/// Pause before the first attempt to connect again; doubles with each that fails.
const SOON: Duration = Duration::from_millis(100);
/// Maximum pause between two attempts.
const LATE: Duration = Duration::from_secs(5);

/// Why the tail has no connection; only logged.
type Failure = Box<dyn Error + Send + Sync>;

/// A task that listens for notifications of other processes; it ends when this value is dropped.
#[derive(Debug)]
pub struct Tail {
    notified: Arc<Notify>,
    task: JoinHandle<()>,
}

impl Tail {
    /// Starts listening on a channel of the database of `address`; an attempt to connect may take `patience`.
    pub(crate) fn follow(
        address: PgConnectOptions,
        patience: Duration,
        channel: &'static str,
    ) -> Self {
        let notified = Arc::new(Notify::new());
        let listener = Listener {
            address,
            patience,
            channel,
            notified: Arc::clone(&notified),
        };
        let task = tokio::spawn(listener.run());
        Self { notified, task }
    }

    /// Waits for notifications received since the last call; any number of them counts as one.
    pub async fn notified(&self) {
        self.notified.notified().await;
    }
}

impl Store {
    /// Listens on a channel of `NOTIFY`, on a connection of its own, until the result is dropped. Notifications can be lost: poll as
    /// well.
    pub fn listen(&self, channel: &'static str) -> Tail {
        let pool = self.pool();
        Tail::follow(
            (*pool.connect_options()).clone(),
            pool.options().get_acquire_timeout(),
            channel,
        )
    }
}

impl Drop for Tail {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// What to listen for, and whom to wake.
struct Listener {
    address: PgConnectOptions,
    patience: Duration,
    channel: &'static str,
    notified: Arc<Notify>,
}

impl Listener {
    async fn run(self) {
        let channel = self.channel;
        let mut pause = SOON;
        loop {
            let Err(error) = self.listen(&mut pause).await;
            let error = with_causes(&*error);
            if pause == SOON {
                tracing::warn!(
                    error,
                    channel,
                    "not notified by other processes; their news is found by polling"
                );
            } else {
                tracing::debug!(error, channel, "still not notified by other processes");
            }
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(LATE);
        }
    }

    /// Listens until the connection is lost. Resets `pause` once it listens.
    async fn listen(&self, pause: &mut Duration) -> Result<Infallible, Failure> {
        let connecting = tokio::time::timeout(self.patience, connect(&self.address));
        let ClientConnection {
            client,
            mut connection,
        } = connecting.await??;
        let listen = async {
            let command = format!("LISTEN {}", self.channel);
            tokio::time::timeout(self.patience, client.batch_execute(&command)).await??;
            *pause = SOON;
            // For notifications sent while the connection was down.
            self.notified.notify_one();
            std::future::pending::<Result<Infallible, Failure>>().await
        };
        let receive = async {
            loop {
                match std::future::poll_fn(|context| connection.poll_message(context)).await {
                    Some(Ok(AsyncMessage::Notification(_))) => self.notified.notify_one(),
                    Some(Ok(_)) => {}
                    Some(Err(error)) => return Err(error.into()),
                    None => {
                        return Err::<Infallible, Failure>(
                            "the server closed the connection".into(),
                        );
                    }
                }
            }
        };
        tokio::try_join!(listen, receive).map(|(never, _)| never)
    }
}

/// An error and its causes, which tokio-postgres leaves out of its messages.
fn with_causes(error: &(dyn Error + 'static)) -> String {
    let causes = std::iter::successors(Some(error), |error| (*error).source());
    let texts: Vec<String> = causes.map(ToString::to_string).collect();
    texts.join(": ")
}
