//! Beginning transactions so that none is left open.
//!
//! sqlx rolls back a transaction whose owner gives up, but only one that has begun: who gives up while `BEGIN` is under
//! way (a request that takes too long, most of all while it waits for a lock in it) would leave it open in the pool, with
//! its locks, and whoever gets that connection next writes what nobody ever commits.

use std::borrow::Cow;
use std::panic::resume_unwind;

use sqlx::{Error, PgPool, Postgres, Transaction};

/// Begins a transaction. However its caller ends, it is committed or rolled back.
///
/// # Errors
/// The database's.
pub async fn begin(pool: &PgPool) -> Result<Transaction<'static, Postgres>, Error> {
    begin_with(pool, "BEGIN").await
}

/// The same with a statement of one's own, `BEGIN` and what belongs to it.
pub(crate) async fn begin_with(
    pool: &PgPool,
    statement: impl Into<Cow<'static, str>>,
) -> Result<Transaction<'static, Postgres>, Error> {
    let (pool, statement) = (pool.clone(), statement.into());
    #[expect(clippy::disallowed_methods, reason = "the one place that takes care")]
    // goes on to its end whoever waits for it; what nobody takes is dropped, and so rolled back
    let beginning = tokio::spawn(async move { pool.begin_with(statement).await });
    match beginning.await {
        Ok(begun) => begun,
        Err(ended) => match ended.try_into_panic() {
            Ok(panic) => resume_unwind(panic),
            Err(_) => Err(Error::WorkerCrashed),
        },
    }
}
