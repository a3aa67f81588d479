//! The log's tail: one connection that `LISTEN`s and wakes followers when another process appends.
//!
//! It only saves time: followers poll as well, so a notification that is missed costs them one polling interval. While the
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

use crate::notify::CHANNEL;
use connect::{ClientConnection, connect};

/// Pause before the first attempt to connect again; doubles with each that fails.
const SOON: Duration = Duration::from_millis(100);
/// Maximum pause between two attempts.
const LATE: Duration = Duration::from_secs(5);

/// Why the tail has no connection; only logged.
type Failure = Box<dyn Error + Send + Sync>;

/// A task that listens for appends of other processes; it ends when this value is dropped.
#[derive(Debug)]
pub(crate) struct Tail {
    appended: Arc<Notify>,
    task: JoinHandle<()>,
}

impl Tail {
    /// Starts listening on the database of `address`; an attempt to connect may take `patience`.
    pub(crate) fn follow(address: PgConnectOptions, patience: Duration) -> Self {
        let appended = Arc::new(Notify::new());
        let task = tokio::spawn(run(address, patience, Arc::clone(&appended)));
        Self { appended, task }
    }

    /// Waits for notifications received since the last call; any number of them counts as one.
    pub(crate) async fn notified(&self) {
        self.appended.notified().await;
    }
}

impl Drop for Tail {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn run(address: PgConnectOptions, patience: Duration, appended: Arc<Notify>) {
    let mut pause = SOON;
    loop {
        let Err(error) = listen(&address, patience, &appended, &mut pause).await;
        let error = with_causes(&*error);
        if pause == SOON {
            tracing::warn!(
                error,
                "not notified of other processes' appends; they are found by polling"
            );
        } else {
            tracing::debug!(error, "still not notified of other processes' appends");
        }
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(LATE);
    }
}

/// Listens until the connection is lost. Resets `pause` once it listens.
async fn listen(
    address: &PgConnectOptions,
    patience: Duration,
    appended: &Notify,
    pause: &mut Duration,
) -> Result<Infallible, Failure> {
    let connecting = tokio::time::timeout(patience, connect(address));
    let ClientConnection {
        client,
        mut connection,
    } = connecting.await??;
    let listen = async {
        let command = format!("LISTEN {CHANNEL}");
        tokio::time::timeout(patience, client.batch_execute(&command)).await??;
        *pause = SOON;
        // For appends made while the connection was down.
        appended.notify_one();
        std::future::pending::<Result<Infallible, Failure>>().await
    };
    let receive = async {
        loop {
            match std::future::poll_fn(|context| connection.poll_message(context)).await {
                Some(Ok(AsyncMessage::Notification(_))) => appended.notify_one(),
                Some(Ok(_)) => {}
                Some(Err(error)) => return Err(error.into()),
                None => {
                    return Err::<Infallible, Failure>("the server closed the connection".into());
                }
            }
        }
    };
    tokio::try_join!(listen, receive).map(|(never, _)| never)
}

/// An error and its causes, which tokio-postgres leaves out of its messages.
fn with_causes(error: &(dyn Error + 'static)) -> String {
    let causes = std::iter::successors(Some(error), |error| (*error).source());
    let texts: Vec<String> = causes.map(ToString::to_string).collect();
    texts.join(": ")
}
