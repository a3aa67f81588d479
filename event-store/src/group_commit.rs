//! Group commit: concurrent appends share a transaction.
//!
//! A writer is a task with its own connection. It takes all appends waiting when it becomes idle, sends them as one statement
//! ([`send_all`]), which is one transaction, and replies once it is committed. It never delays an append to collect more.
//!
//! A writer does not wait for locks: an append that would have to must run [alone](Outcome::Alone), and so must all appends of a statement
//! that fails, because any of them may be the cause and nothing was written. An append that runs alone uses a pooled connection and its own
//! transaction, and waits for its locks in order.

use std::io;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use sqlx::pool::CloseEvent;
use sqlx::postgres::PgConnectOptions;
use sqlx::{Connection, PgConnection, PgPool};
use tokio::sync::{Mutex, mpsc, oneshot};

use crate::append_request::{AppendReply, AppendRequest, LockWait, send_all};
use crate::error::cut;

/// Capacity of the queue; appends beyond it run alone.
const WAITING: usize = 4_096;

/// Maximum total weight of one transaction ([`AppendRequest::weight`]), to limit the latency of its other appends.
const MOST: usize = 512;

/// Appends above this weight run alone.
const LARGE: usize = 64;

/// A connection idle for this long is tested before use.
const A_WHILE: Duration = Duration::from_secs(1);

/// Lock timeout in a group, while a foreign writer holds a lock.
const LOCK_TIMEOUT: Duration = Duration::from_secs(1);

/// Outcome of an append in a group.
pub(crate) enum Outcome {
    /// Committed, or rejected without a retry.
    Answered(AppendReply),
    /// Nothing was written; run it alone.
    Alone,
    /// The connection was lost; the outcome is unknown.
    Unknown(sqlx::Error),
}

struct Waiting {
    call: Arc<AppendRequest>,
    answer: oneshot::Sender<Outcome>,
}

/// The writers of a store, started by the first append.
#[derive(Debug)]
pub(crate) struct GroupCommit {
    writers: usize,
    queue: OnceLock<mpsc::Sender<Waiting>>,
}

impl GroupCommit {
    /// A group commit with this number of writers; with none, every append runs alone.
    pub(crate) const fn new(writers: usize) -> Self {
        Self {
            writers,
            queue: OnceLock::new(),
        }
    }

    pub(crate) const fn writers(&self) -> usize {
        self.writers
    }

    /// Writes `call` together with concurrent appends.
    pub(crate) async fn write(&self, call: &Arc<AppendRequest>, pool: &PgPool) -> Outcome {
        if self.writers == 0 || call.weight() > LARGE {
            return Outcome::Alone;
        }
        let queue = self.queue.get_or_init(|| start(self.writers, pool));
        let (answer, answered) = oneshot::channel();
        let waiting = Waiting {
            call: Arc::clone(call),
            answer,
        };
        match queue.try_send(waiting) {
            Ok(()) => answered
                .await
                .unwrap_or(Outcome::Unknown(sqlx::Error::WorkerCrashed)),
            Err(_) => Outcome::Alone,
        }
    }
}

fn start(writers: usize, pool: &PgPool) -> mpsc::Sender<Waiting> {
    let (sender, receiver) = mpsc::channel(WAITING);
    let queue = Arc::new(Mutex::new(receiver));
    let timeout = format!("{}ms", LOCK_TIMEOUT.as_millis());
    let address = (*pool.connect_options())
        .clone()
        .options([("lock_timeout", timeout)]);
    for _ in 0..writers {
        let writer = Writer {
            address: address.clone(),
            patience: pool.options().get_acquire_timeout(),
            connection: None,
            used: Instant::now(),
        };
        tokio::spawn(writer.run(Arc::clone(&queue), pool.close_event()));
    }
    sender
}

struct Writer {
    address: PgConnectOptions,
    /// Timeout for a connection.
    patience: Duration,
    connection: Option<PgConnection>,
    used: Instant,
}

impl Writer {
    /// Runs until the last clone of the store is dropped or its pool is closed.
    async fn run(mut self, queue: Arc<Mutex<mpsc::Receiver<Waiting>>>, mut closed: CloseEvent) {
        while let Ok(Some(group)) = closed.do_until(next(&queue)).await {
            self.write(group).await;
        }
        if let Some(connection) = self.connection {
            drop(connection.close().await);
        }
    }

    async fn write(&mut self, mut group: Vec<Waiting>) {
        // The caller is gone, so its append is dropped.
        group.retain(|waiting| !waiting.answer.is_closed());
        if group.is_empty() {
            return;
        }
        let connection = match self.connection().await {
            Ok(connection) => connection,
            Err(error) => {
                tracing::debug!(%error, "no connection to write on");
                return tell(group, || Outcome::Alone);
            }
        };
        let calls: Vec<&AppendRequest> = group.iter().map(|waiting| &*waiting.call).collect();
        let answers = send_all(&calls, connection, LockWait::No).await;
        self.used = Instant::now();
        match answers {
            Ok(answers) => {
                for (waiting, answer) in group.into_iter().zip(answers) {
                    let outcome = if answer.is_busy() {
                        Outcome::Alone
                    } else {
                        Outcome::Answered(answer)
                    };
                    drop(waiting.answer.send(outcome));
                }
            }
            Err(error) if refused(&error) => {
                tracing::debug!(%error, appends = group.len(), "a group goes one by one");
                tell(group, || Outcome::Alone);
            }
            Err(error) => {
                self.connection = None;
                let error = Arc::new(error);
                let lost = || io::Error::other(Arc::clone(&error));
                tell(group, || Outcome::Unknown(lost().into()));
            }
        }
    }

    async fn connection(&mut self) -> Result<&mut PgConnection, sqlx::Error> {
        let connection = match self.connection.take() {
            Some(connection) if self.used.elapsed() < A_WHILE => Some(connection),
            Some(mut connection) => connection.ping().await.is_ok().then_some(connection),
            None => None,
        };
        let connection = match connection {
            Some(connection) => connection,
            None => {
                let connecting = PgConnection::connect_with(&self.address);
                let connected = tokio::time::timeout(self.patience, connecting).await;
                connected.map_err(|_| sqlx::Error::PoolTimedOut)??
            }
        };
        Ok(self.connection.insert(connection))
    }
}

/// Whether nothing was written: the server rejected it, or it was never sent.
fn refused(error: &sqlx::Error) -> bool {
    use sqlx::Error::{Database, Encode, TypeNotFound};
    matches!(error, Database(_) | Encode(_) | TypeNotFound { .. }) && !cut(error)
}

/// Waits for an append, and takes all others that are waiting.
async fn next(queue: &Mutex<mpsc::Receiver<Waiting>>) -> Option<Vec<Waiting>> {
    let mut queue = queue.lock().await;
    let first = queue.recv().await?;
    // Lets tasks that are about to append do so now.
    tokio::task::yield_now().await;
    let mut weight = first.call.weight();
    let mut group = vec![first];
    while weight < MOST
        && let Ok(one) = queue.try_recv()
    {
        weight += one.call.weight();
        group.push(one);
    }
    Some(group)
}

fn tell(group: Vec<Waiting>, outcome: impl Fn() -> Outcome) {
    for waiting in group {
        drop(waiting.answer.send(outcome()));
    }
}
