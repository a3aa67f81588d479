//! The handle everybody holds: a pool, the upcasters and the signals.

use std::sync::Arc;
use std::time::Duration;

use sqlx::migrate::Migrator;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{Connection, PgPool};
use tokio::sync::watch;

use crate::error::StoreError;
use crate::group_commit::GroupCommit;
use crate::notify::AppendNotifier;
use crate::projection::Progress;
use crate::snapshot::Snapshots;
use crate::upcast::Upcasters;

/// The tables of this crate. `projections/src/state/` has its own, in another range of numbers of the same list.
pub(crate) static TABLES: Migrator = {
    let mut tables = sqlx::migrate!("./migrations");
    tables.ignore_missing = true;
    tables
};

/// How [`Store::connect`] talks to Postgres.
#[derive(Clone, Debug)]
pub struct StoreOptions {
    /// Most connections of the pool. Workers take a few more of their own.
    pub max_connections: u32,
    /// How long to wait for a free connection before answering "unavailable".
    pub acquire_timeout: Duration,
    /// How long Postgres may wait for a lock (an append behind others of the same stream).
    pub lock_timeout: Duration,
    /// After how long Postgres ends a transaction that does nothing: it would hold up every projection.
    pub idle_in_transaction_timeout: Duration,
    /// Tell other processes about appends (`NOTIFY`, coalesced, on a connection of its own).
    pub notify: bool,
    /// Connections of their own that write, each of them all appends that come at once in one transaction. With none, every
    /// append is a transaction of its own.
    pub writers: usize,
}

impl Default for StoreOptions {
    fn default() -> Self {
        Self {
            max_connections: 20,
            acquire_timeout: Duration::from_secs(5),
            lock_timeout: Duration::from_secs(15),
            idle_in_transaction_timeout: Duration::from_secs(60),
            notify: true,
            writers: 2,
        }
    }
}

/// A connection is asked whether it still lives when it comes back; asking again when it goes out is a round trip for nothing
/// unless it lay there for a while.
pub(crate) fn pool_options() -> PgPoolOptions {
    const A_WHILE: Duration = Duration::from_secs(1);
    PgPoolOptions::new()
        .test_before_acquire(false)
        .before_acquire(|connection, meta| {
            Box::pin(async move {
                if meta.idle_for > A_WHILE {
                    connection.ping().await?;
                }
                Ok(true)
            })
        })
}

/// The log. Cheap to clone; all clones share the pool and the signals.
#[derive(Clone, Debug)]
pub struct Store {
    pub(crate) inner: Arc<Inner>,
}

#[derive(Debug)]
pub(crate) struct Inner {
    pub(crate) pool: PgPool,
    pub(crate) upcasters: Upcasters,
    /// None: every stream is folded from its beginning.
    pub(crate) snapshots: Option<Arc<Snapshots>>,
    /// Whose fold they are, upcasters apart.
    rules: Option<String>,
    pub(crate) signal: AppendNotifier,
    pub(crate) group: GroupCommit,
    pub(crate) progress: watch::Sender<Progress>,
}

impl Store {
    /// Connects to `url` (`postgres://user:password@host:port/database`).
    ///
    /// # Errors
    /// [`StoreError::Database`] if the address is wrong or nobody answers.
    pub async fn connect(url: &str, options: StoreOptions) -> Result<Self, StoreError> {
        let address: PgConnectOptions = url.parse()?;
        let address = address.options([
            ("lock_timeout", options.lock_timeout.as_millis().to_string()),
            (
                "idle_in_transaction_session_timeout",
                options.idle_in_transaction_timeout.as_millis().to_string(),
            ),
        ]);
        let pool = pool_options()
            .max_connections(options.max_connections)
            .acquire_timeout(options.acquire_timeout)
            .connect_with(address)
            .await?;
        Ok(Self::build(pool, Upcasters::new(), None, &options))
    }

    /// A store over a pool made elsewhere.
    pub fn new(pool: PgPool) -> Self {
        Self::build(pool, Upcasters::new(), None, &StoreOptions::default())
    }

    /// The same log, read through `upcasters`. Call it while the program is put together:
    /// the store it answers has signals of its own.
    #[must_use]
    pub fn with_upcasters(self, upcasters: Upcasters) -> Self {
        self.again(upcasters, self.inner.rules.clone())
    }

    /// The same log, long streams of it loaded from snapshots. `rules` names whoever folds: it has to be another name as
    /// soon as the aggregates or their events are other ones; the upcasters name themselves. Call it while the program is put together.
    #[must_use]
    pub fn with_snapshots(self, rules: &str) -> Self {
        self.again(self.inner.upcasters.clone(), Some(rules.to_owned()))
    }

    /// What the snapshots are called that these rules fold through this log's upcasters.
    pub fn rules_named(&self, rules: &str) -> String {
        self.inner.upcasters.rules_named(rules)
    }

    fn again(&self, upcasters: Upcasters, rules: Option<String>) -> Self {
        let options = StoreOptions {
            notify: self.inner.signal.notifies(),
            writers: self.inner.group.writers(),
            ..StoreOptions::default()
        };
        Self::build(self.inner.pool.clone(), upcasters, rules, &options)
    }

    fn build(
        pool: PgPool,
        upcasters: Upcasters,
        rules: Option<String>,
        options: &StoreOptions,
    ) -> Self {
        Self {
            inner: Arc::new(Inner {
                pool,
                snapshots: rules
                    .as_deref()
                    .map(|rules| Arc::new(Snapshots::of(upcasters.rules_named(rules)))),
                upcasters,
                rules,
                signal: AppendNotifier::new(options.notify),
                group: GroupCommit::new(options.writers),
                progress: watch::Sender::new(Progress::default()),
            }),
        }
    }

    /// The pool, for queries of read models.
    pub fn pool(&self) -> &PgPool {
        &self.inner.pool
    }

    /// Makes the tables or brings them up to date; safe to call from several processes at once.
    ///
    /// # Errors
    /// [`StoreError::Migrate`].
    pub async fn migrate(&self) -> Result<(), StoreError> {
        TABLES.run(self.pool()).await?;
        Ok(())
    }

    /// Whether the database is a standby: it replays what its primary writes, and takes no writes itself until it is promoted.
    ///
    /// # Errors
    /// The database's.
    pub async fn is_standby(&self) -> Result<bool, StoreError> {
        Ok(sqlx::query_scalar("SELECT pg_is_in_recovery()")
            .fetch_one(self.pool())
            .await?)
    }

    /// Changes whenever this process appended something; its value is the newest position appended.
    pub fn appended_signal(&self) -> watch::Receiver<i64> {
        self.inner.signal.subscribe()
    }
}
