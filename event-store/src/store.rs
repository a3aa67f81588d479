//! The store handle: connection pool, upcasters and signals.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use sqlx::migrate::Migrator;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{Connection, PgPool};
use tokio::sync::watch;

use crate::error::{StoreError, passing};
use crate::group_commit::GroupCommit;
use crate::notify::AppendNotifier;
use crate::snapshot::Snapshots;
use crate::upcast::Upcasters;

/// Migrations of this crate. `projections/src/state/` has its own, in another number range of the same list.
pub(crate) static TABLES: Migrator = {
    let mut tables = sqlx::migrate!("./migrations");
    tables.ignore_missing = true;
    tables
};

/// Positions of the visible read models, by projection name.
pub type Progress = BTreeMap<String, i64>;

/// Connection options of [`Store::connect`].
#[derive(Clone, Debug)]
pub struct StoreOptions {
    /// Maximum number of pooled connections. Workers use a few more of their own.
    pub max_connections: u32,
    /// How long [`Store::connect`] waits for a database that cannot be reached or is starting: after a crash it recovers first.
    pub startup_timeout: Duration,
    /// Timeout for a free connection, after which the database counts as unavailable.
    pub acquire_timeout: Duration,
    /// Postgres `lock_timeout` (e.g. of an append behind others of the same stream).
    pub lock_timeout: Duration,
    /// Time after which Postgres ends an idle transaction, which would delay every projection.
    pub idle_in_transaction_timeout: Duration,
    /// Whether to notify other processes about appends (`NOTIFY`, coalesced, on a separate connection).
    pub notify: bool,
    /// Number of writers for group commit, each with its own connection. With none, every append is a transaction of its own.
    pub writers: usize,
}

impl Default for StoreOptions {
    fn default() -> Self {
        Self {
            max_connections: 20,
            startup_timeout: Duration::from_secs(60),
            acquire_timeout: Duration::from_secs(5),
            lock_timeout: Duration::from_secs(15),
            idle_in_transaction_timeout: Duration::from_secs(60),
            notify: true,
            writers: 2,
        }
    }
}

/// Opens the first connection, repeatedly while the database is unavailable.
async fn until_reachable(pool: &PgPool, patience: Duration) -> Result<(), StoreError> {
    const PAUSE: Duration = Duration::from_millis(100);
    let begun = Instant::now();
    loop {
        match pool.acquire().await {
            Ok(_) => return Ok(()),
            Err(error) if passing(&error) && begun.elapsed() < patience => {
                tracing::warn!(%error, "waiting for the database");
                tokio::time::sleep(PAUSE).await;
            }
            Err(error) => return Err(error.into()),
        }
    }
}

/// Connections are tested when they are returned; testing them again when they are taken costs a round trip, so it is done only
/// after an idle period.
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

/// The event store. Cheap to clone; all clones share the pool and the signals.
#[derive(Clone, Debug)]
pub struct Store {
    pub(crate) inner: Arc<Inner>,
}

#[derive(Debug)]
pub(crate) struct Inner {
    pub(crate) pool: PgPool,
    pub(crate) upcasters: Upcasters,
    /// None if every stream is replayed from its beginning.
    pub(crate) snapshots: Option<Arc<Snapshots>>,
    /// Fingerprint of the domain rules, without upcasters.
    rules: Option<String>,
    pub(crate) signal: AppendNotifier,
    pub(crate) group: GroupCommit,
    pub(crate) progress: watch::Sender<Progress>,
}

impl Store {
    /// Connects to `url` (`postgres://user:password@host:port/database`).
    ///
    /// # Errors
    /// [`StoreError::Database`] if the URL is invalid or the server does not respond.
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
            .connect_lazy_with(address);
        until_reachable(&pool, options.startup_timeout).await?;
        Ok(Self::build(pool, Upcasters::new(), None, &options))
    }

    /// A store on an existing pool.
    pub fn new(pool: PgPool) -> Self {
        Self::build(pool, Upcasters::new(), None, &StoreOptions::default())
    }

    /// The same store with `upcasters`. For use during setup: the returned store has separate signals.
    #[must_use]
    pub fn with_upcasters(self, upcasters: Upcasters) -> Self {
        self.again(upcasters, self.inner.rules.clone())
    }

    /// The same store, loading long streams from snapshots. `rules` is a fingerprint of the aggregates and their events, which must
    /// change whenever they do; the upcasters have their own. For use during setup.
    #[must_use]
    pub fn with_snapshots(self, rules: &str) -> Self {
        self.again(self.inner.upcasters.clone(), Some(rules.to_owned()))
    }

    /// The combined fingerprint of these rules and this store's upcasters.
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

    /// Applies pending migrations; safe to call from several processes at once.
    ///
    /// # Errors
    /// [`StoreError::Migrate`].
    pub async fn migrate(&self) -> Result<(), StoreError> {
        TABLES.run(self.pool()).await?;
        Ok(())
    }

    /// Whether the database is a standby: it replays its primary's writes and accepts none itself until it is promoted.
    ///
    /// # Errors
    /// Database errors.
    pub async fn is_standby(&self) -> Result<bool, StoreError> {
        Ok(sqlx::query_scalar("SELECT pg_is_in_recovery()")
            .fetch_one(self.pool())
            .await?)
    }

    /// Changes whenever this process appends; its value is the newest position appended.
    pub fn appended_signal(&self) -> watch::Receiver<i64> {
        self.inner.signal.subscribe()
    }
}
