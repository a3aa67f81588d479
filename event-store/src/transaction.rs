//! Starts transactions without leaking them when the caller is canceled.
//!
//! sqlx rolls back a transaction whose owner is dropped, but only one that has begun: if the owner is dropped during `BEGIN` (a
//! request that times out, especially while it waits for a lock in it), the transaction would stay open in the pool, with its
//! locks, and the next user of that connection would write into a transaction that is never committed.

use std::borrow::Cow;
use std::panic::resume_unwind;

use sqlx::{Error, PgPool, Postgres, Transaction};

/// Begins a transaction. It is committed or rolled back however its caller ends.
///
/// # Errors
/// Database errors.
pub async fn begin(pool: &PgPool) -> Result<Transaction<'static, Postgres>, Error> {
    begin_with(pool, "BEGIN").await
}

/// As [`begin`], with a custom statement that includes `BEGIN`.
pub(crate) async fn begin_with(
    pool: &PgPool,
    statement: impl Into<Cow<'static, str>>,
) -> Result<Transaction<'static, Postgres>, Error> {
    let (pool, statement) = (pool.clone(), statement.into());
    #[expect(clippy::disallowed_methods, reason = "the one place that takes care")]
    // Runs to completion even if the caller is dropped; an unused transaction is then dropped, and so rolled back.
    let beginning = tokio::spawn(async move { pool.begin_with(statement).await });
    match beginning.await {
        Ok(begun) => begun,
        Err(ended) => match ended.try_into_panic() {
            Ok(panic) => resume_unwind(panic),
            Err(_) => Err(Error::WorkerCrashed),
        },
    }
}
