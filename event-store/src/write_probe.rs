//! Write probe: checks whether the database accepts writes by writing.
//!
//! A standby, a read-only database, a full disk and a primary waiting for an absent standby all still serve reads. Only a committed
//! write that needs new space on disk distinguishes them from a healthy database.

use std::time::Duration;

use sqlx::{Executor, PgConnection};
use tokio::time::timeout;

use crate::error::lock_timed_out;
use crate::store::Store;

/// Timeout of a write.
const PATIENCE: Duration = Duration::from_secs(2);
/// Truncates the table, which creates a new file, and extends it. One simple query is one transaction.
const ANEW: &str = "SET LOCAL lock_timeout = '500ms'; TRUNCATE write_probe; \
                    INSERT INTO write_probe VALUES (clock_timestamp())";
/// Used while a long reader of all tables, for example a dump, prevents truncation.
const MORE: &str =
    "SET LOCAL lock_timeout = '500ms'; INSERT INTO write_probe VALUES (clock_timestamp())";

impl Store {
    /// Whether a small write is committed within two seconds.
    pub async fn takes_writes(&self) -> bool {
        let mut connection = match self.pool().acquire().await {
            Ok(connection) => connection,
            Err(error) => {
                tracing::warn!(%error, "the database does not answer");
                return false;
            }
        };
        match timeout(PATIENCE, write(&mut connection)).await {
            Ok(Ok(())) => true,
            Ok(Err(error)) => {
                tracing::warn!(%error, "the database takes no writes");
                false
            }
            Err(_) => {
                tracing::warn!("the database does not end a write within {PATIENCE:?}");
                // Not returned to the pool: its transaction is still in progress.
                drop(connection.detach());
                false
            }
        }
    }
}

async fn write(connection: &mut PgConnection) -> Result<(), sqlx::Error> {
    let written = match connection.execute(ANEW).await {
        Err(error) if lock_timed_out(&error) => connection.execute(MORE).await,
        written => written,
    };
    written.map(|_| ())
}
