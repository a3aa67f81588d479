//! Whether the database takes writes: found out by writing.
//!
//! A standby, a database set to read only, a full disk and a primary that waits for a standby which is away all let read on. Only a
//! write that is committed and needs new room on the disk tells them from a database that is well.

use std::time::Duration;

use sqlx::{Executor, PgConnection};
use tokio::time::timeout;

use crate::error::lock_timed_out;
use crate::store::Store;

/// How long a write may take.
const PATIENCE: Duration = Duration::from_secs(2);
/// Empties the table, which makes a new file, and makes that grow. One simple query is one transaction.
const ANEW: &str = "SET LOCAL lock_timeout = '500ms'; TRUNCATE write_probe; \
                    INSERT INTO write_probe VALUES (clock_timestamp())";
/// For while somebody reads all tables at length, a dump for example, and the table cannot be emptied.
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
                // not back to the pool: it is in the middle of something
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
