//! Group commit: appends that come at once share a transaction.
//!
//! A writer is a task with a connection of its own. It takes all that waits by the time it is free, sends that as one statement
//! ([`send_all`]), which is one transaction, and answers everybody once it is committed. Nobody waits for more to come.
//!
//! A writer waits for no lock: an append that would have to is told to go [alone](Outcome::Alone), and so is everybody when a
//! statement fails, for one of them may be to blame and nothing was written. Who goes alone uses a connection of the pool and a
//! transaction of its own, and waits for its locks in their order.

use std::io;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use sqlx::pool::CloseEvent;
use sqlx::postgres::PgConnectOptions;
use sqlx::{Connection, PgConnection, PgPool};
use tokio::sync::{Mutex, mpsc, oneshot};

use crate::append_request::{AppendReply, AppendRequest, LockWait, send_all};
use crate::error::cut;

/// How many appends may wait; who comes then goes alone.
const WAITING: usize = 4_096;

/// Most work of one transaction ([`Call::weight`]): one that locks much or writes much would keep the others waiting.
const MOST: usize = 512;

/// More work than this goes alone.
const LARGE: usize = 64;

/// A connection that lay idle this long is asked whether it still lives.
const A_WHILE: Duration = Duration::from_secs(1);

/// How long the others of a transaction wait for one that a foreign writer holds up.
const LOCK_TIMEOUT: Duration = Duration::from_secs(1);

/// What became of an append in a group.
pub(crate) enum Outcome {
    /// It is committed, or refused for good.
    Answered(AppendReply),
    /// Nothing of it was written.
    Alone,
    /// The connection was lost, and nobody knows.
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
    /// Of so many writers; of none, every append goes alone.
    pub(crate) const fn new(writers: usize) -> Self {
        Self {
            writers,
            queue: OnceLock::new(),
        }
    }

    pub(crate) const fn writers(&self) -> usize {
        self.writers
    }

    /// Writes `call` together with whatever comes at the same time.
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
    /// How long to wait for a connection.
    patience: Duration,
    connection: Option<PgConnection>,
    used: Instant,
}

impl Writer {
    /// Runs until the last clone of the store is gone, or its pool closed.
    async fn run(mut self, queue: Arc<Mutex<mpsc::Receiver<Waiting>>>, mut closed: CloseEvent) {
        while let Ok(Some(group)) = closed.do_until(next(&queue)).await {
            self.write(group).await;
        }
        if let Some(connection) = self.connection {
            drop(connection.close().await);
        }
    }

    async fn write(&mut self, mut group: Vec<Waiting>) {
        // who is gone wants nothing written any more
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

/// Nothing was written: the server said so, or it was never sent.
fn refused(error: &sqlx::Error) -> bool {
    use sqlx::Error::{Database, Encode, TypeNotFound};
    matches!(error, Database(_) | Encode(_) | TypeNotFound { .. }) && !cut(error)
}

/// Waits for an append, and takes along what else waits.
async fn next(queue: &Mutex<mpsc::Receiver<Waiting>>) -> Option<Vec<Waiting>> {
    let mut queue = queue.lock().await;
    let first = queue.recv().await?;
    // whoever is about to append does so now
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
