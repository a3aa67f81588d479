//! The database part of backup and restore: all data that cannot be derived, as of one snapshot.
//!
//! Tables are transferred as the text of `COPY` over the program's own connection, so no client tools of the server's version are
//! needed, and a backup can be restored into another version of Postgres. Excluded are data derived from the log (read models,
//! snapshots) and data that is only valid in one cluster: transaction ids, which another cluster numbers differently. The
//! checkpoint and table of a policy are included: without them it would repeat its effects.
//!
//! The keys of personal data are excluded too, because restoring them would undo erasures made since. Only their existence is kept:
//! they are [away](crate::keys) until their own backup is restored, or destroyed.

use std::collections::BTreeSet;
use std::sync::Arc;

use futures::TryStreamExt;
use serde::{Deserialize, Serialize};
use sqlx::migrate::Migrator;
use sqlx::postgres::PgConnectOptions;
use sqlx::{Connection, Executor, PgConnection};
use uuid::Uuid;

use domain::Purpose;

use crate::error::StoreError;
use crate::keys::{self, KeysMerged, MasterKey, MergeError};
use crate::projection::{Projection, table_of};
use crate::store::{Store, TABLES};

const CHECKPOINTS: &str = "projection_checkpoint";
const PARKED: &str = "projection_parked";
const KEY: &str = "keys.data_key";
const RING: &str = "keys.ring";
/// Tables that are derived, concern rebuilds of derived tables, or are not needed.
const LEFT_OUT: [&str; 5] = [
    "_sqlx_migrations",
    "write_probe",
    "snapshots",
    "projection_kept",
    "projection_rebuild",
];
/// Tables to which a program started on an empty database has already written.
const REPLACED: [&str; 3] = [CHECKPOINTS, PARKED, RING];

/// The content of a backup.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Contents {
    /// Everything except the keys of personal data.
    Shop,
    /// The keys, wrapped by the master key.
    Keys,
}

/// One table in transfer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableCopy {
    /// Its name, schema-qualified if it is not in the log's schema.
    pub name: String,
    /// The transferred columns, in the order of the text.
    pub columns: Vec<String>,
}

/// State of the sequence of a column.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SequenceAt {
    /// The table.
    pub table: String,
    /// The column.
    pub column: String,
    /// The last value.
    pub last: i64,
    /// Whether the last value was handed out.
    pub called: bool,
}

/// An applied migration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AppliedMigration {
    /// Version of the migration.
    pub version: i64,
    /// Hash of its text, in hexadecimal.
    pub checksum: String,
}

/// Reasons why a backup or restore fails.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// The database is not empty.
    #[error(
        "the database is not empty: {0} has rows; a backup can only be restored into an empty database"
    )]
    NotEmpty(String),
    /// The backup has a table unknown to this program.
    #[error(
        "the backup was made by another version of the program: there is no table {table} with {columns}"
    )]
    OtherTables {
        /// The table.
        table: String,
        /// Its columns.
        columns: String,
    },
    /// The backup was made by a newer program with an additional migration.
    #[error(
        "the backup was made by a newer version of the program, with migration {0}; restore it with that version"
    )]
    Newer(i64),
    /// Reading or writing the file or folder failed.
    #[error("the backup: {0}")]
    File(#[from] std::io::Error),
    /// The keys do not match.
    #[error(transparent)]
    Keys(#[from] MergeError),
    /// A database error.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<sqlx::Error> for BackupError {
    fn from(error: sqlx::Error) -> Self {
        Self::Store(error.into())
    }
}

/// A database snapshot that is being read.
pub struct Outgoing {
    connection: PgConnection,
    tables: Vec<(TableCopy, String)>,
    /// Position of the newest event in the snapshot.
    pub head: i64,
    /// Number of events in the snapshot.
    pub events: i64,
    /// The version of Postgres, e.g. `18.4`.
    pub postgres: String,
}

impl Store {
    /// Opens a snapshot of the database; `followers` are all projections and policies. Writers continue meanwhile.
    ///
    /// # Errors
    /// Database errors.
    pub async fn backup(
        &self,
        contents: Contents,
        followers: &[Arc<dyn Projection>],
    ) -> Result<Outgoing, BackupError> {
        let mut connection = connect(self).await?;
        connection
            .execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            .await?;
        let (head, events, postgres): (i64, i64, String) = sqlx::query_as(
            "SELECT coalesce(max(global_position), 0), count(*), current_setting('server_version') FROM events",
        )
        .fetch_one(&mut connection)
        .await?;
        let tables = match contents {
            Contents::Shop => shop_tables(&mut connection, followers).await?,
            Contents::Keys => {
                let mut tables = Vec::new();
                for name in [RING, KEY] {
                    let columns = columns(&mut connection, name).await?;
                    tables.push(whole(name, columns));
                }
                tables
            }
        };
        Ok(Outgoing {
            connection,
            tables,
            head,
            events,
            postgres,
        })
    }

    /// The migrations applied so far, in order.
    ///
    /// # Errors
    /// Database errors.
    pub async fn migrations(&self) -> Result<Vec<AppliedMigration>, BackupError> {
        let rows: Vec<(i64, Vec<u8>)> =
            sqlx::query_as("SELECT version, checksum FROM _sqlx_migrations ORDER BY version")
                .fetch_all(self.pool())
                .await?;
        Ok(rows
            .into_iter()
            .map(|(version, checksum)| AppliedMigration {
                version,
                checksum: hex::encode(checksum),
            })
            .collect())
    }

    /// Migrates the tables to the state of a backup, including those of the migrators `others`.
    ///
    /// # Errors
    /// [`BackupError::Newer`] if a migration is unknown to this program; database errors.
    pub async fn migrate_like(
        &self,
        wanted: &[AppliedMigration],
        others: &[&Migrator],
    ) -> Result<(), BackupError> {
        let lists: Vec<&Migrator> = std::iter::once(&TABLES)
            .chain(others.iter().copied())
            .collect();
        for applied in wanted {
            let known = lists
                .iter()
                .flat_map(|list| list.iter())
                .find(|migration| migration.version == applied.version);
            if known.is_none_or(|known| hex::encode(&known.checksum) != applied.checksum) {
                return Err(BackupError::Newer(applied.version));
            }
        }
        for list in lists {
            let some = Migrator {
                migrations: list
                    .iter()
                    .filter(|migration| wanted.iter().any(|it| it.version == migration.version))
                    .cloned()
                    .collect(),
                ignore_missing: true,
                ..Migrator::DEFAULT
            };
            some.run(self.pool()).await.map_err(StoreError::from)?;
        }
        Ok(())
    }

    /// Starts a restore: nothing is visible before [`Incoming::finish`]. Creates the tables of policies among `followers`.
    ///
    /// # Errors
    /// [`BackupError::NotEmpty`]; database errors.
    pub async fn restore(
        &self,
        contents: Contents,
        followers: &[Arc<dyn Projection>],
    ) -> Result<Incoming, BackupError> {
        let mut connection = connect(self).await?;
        connection.execute("BEGIN").await?;
        match contents {
            Contents::Keys => keys::make_room(&mut connection).await?,
            Contents::Shop => empty(&mut connection, followers).await?,
        }
        Ok(Incoming { connection })
    }
}

/// A connection whose text format of values does not depend on the version of Postgres.
async fn connect(store: &Store) -> Result<PgConnection, sqlx::Error> {
    let address: PgConnectOptions = (*store.pool().connect_options()).clone();
    let address = address.application_name("event-store backup").options([
        ("timezone", "UTC"),
        ("intervalstyle", "postgres"),
        ("bytea_output", "hex"),
        ("extra_float_digits", "1"),
        ("statement_timeout", "0"),
        ("idle_in_transaction_session_timeout", "0"),
    ]);
    PgConnection::connect_with(&address).await
}

impl Outgoing {
    /// The tables, in transfer order.
    pub fn tables(&self) -> Vec<TableCopy> {
        self.tables.iter().map(|(table, _)| table.clone()).collect()
    }

    /// Passes the rows of a table, as text, to `sink`.
    ///
    /// # Errors
    /// Database errors, or errors of `sink`.
    pub async fn copy(
        &mut self,
        table: &TableCopy,
        mut sink: impl FnMut(&[u8]) -> std::io::Result<()>,
    ) -> Result<(), BackupError> {
        let select = self
            .tables
            .iter()
            .find(|(known, _)| known == table)
            .map(|(_, select)| select.clone())
            .unwrap_or_default();
        let copy = format!("COPY ({select}) TO STDOUT");
        let mut rows = self.connection.copy_out_raw(&copy).await?;
        while let Some(some) = rows.try_next().await? {
            sink(&some)?;
        }
        Ok(())
    }

    /// The state of all sequences. Read last: sequences are not part of a snapshot, and a later value does no harm.
    ///
    /// # Errors
    /// Database errors.
    pub async fn sequences(mut self) -> Result<Vec<SequenceAt>, BackupError> {
        let found: Vec<(String, String, String)> = sqlx::query_as(
            "SELECT s.oid::regclass::text, c.relname::text, a.attname::text
             FROM pg_depend d
             JOIN pg_class s ON s.oid = d.objid AND s.relkind = 'S'
             JOIN pg_class c ON c.oid = d.refobjid
             JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = d.refobjsubid
             WHERE d.classid = 'pg_class'::regclass AND d.refclassid = 'pg_class'::regclass AND d.deptype IN ('a', 'i')
               AND c.relnamespace = current_schema()::regnamespace
             ORDER BY 2",
        )
        .fetch_all(&mut self.connection)
        .await?;
        let mut sequences = Vec::new();
        for (sequence, table, column) in found {
            if !self.tables.iter().any(|(known, _)| known.name == table) {
                continue;
            }
            let sql = format!("SELECT last_value, is_called FROM {sequence}");
            let (last, called) = sqlx::query_as(&sql).fetch_one(&mut self.connection).await?;
            sequences.push(SequenceAt {
                table,
                column,
                last,
                called,
            });
        }
        self.connection.close().await?;
        Ok(sequences)
    }
}

/// A restore in progress, in one transaction.
pub struct Incoming {
    connection: PgConnection,
}

/// The rows of one table being restored.
pub struct IncomingTable<'a>(sqlx::postgres::PgCopyIn<&'a mut PgConnection>);

impl Incoming {
    /// Opens a table for its rows.
    ///
    /// # Errors
    /// [`BackupError::OtherTables`]; database errors.
    pub async fn table(&mut self, table: &TableCopy) -> Result<IncomingTable<'_>, BackupError> {
        let room = keys::CAME
            .iter()
            .find(|(name, _)| *name == table.name)
            .map(|(_, room)| (*room).to_owned());
        let waits: bool = sqlx::query_scalar("SELECT to_regclass('pg_temp.came_key') IS NOT NULL")
            .fetch_one(&mut self.connection)
            .await?;
        let name = room.filter(|_| waits).unwrap_or(table.name.clone());
        let there: BTreeSet<String> = columns(&mut self.connection, &name)
            .await?
            .into_iter()
            .map(|(column, _)| column)
            .collect();
        if there.is_empty() || !table.columns.iter().all(|column| there.contains(column)) {
            return Err(BackupError::OtherTables {
                table: table.name.clone(),
                columns: table.columns.join(", "),
            });
        }
        let copy = format!("COPY {name} ({}) FROM STDIN", table.columns.join(", "));
        Ok(IncomingTable(self.connection.copy_in_raw(&copy).await?))
    }

    /// Sets the sequences and commits, which makes everything visible at once.
    ///
    /// # Errors
    /// Database errors.
    pub async fn finish(mut self, sequences: &[SequenceAt]) -> Result<(), BackupError> {
        for at in sequences {
            // A value present in the table was handed out, whatever the backup states.
            let sql = format!(
                "SELECT setval(pg_get_serial_sequence($1, $2), greatest($3, (SELECT max({column}) FROM {table})),
                               $4 OR EXISTS (SELECT FROM {table}))",
                column = at.column,
                table = at.table
            );
            sqlx::query(&sql)
                .bind(&at.table)
                .bind(&at.column)
                .bind(at.last)
                .bind(at.called)
                .execute(&mut self.connection)
                .await?;
        }
        // A projection that resumes from a checkpoint does not create its views, so they are created here.
        self.connection
            .execute(
                "UPDATE projection_checkpoint SET active = false, lease_epoch = lease_epoch + 1",
            )
            .await?;
        self.connection.execute("COMMIT").await?;
        self.connection.execute("ANALYZE").await?;
        self.connection.close().await?;
        Ok(())
    }

    /// Merges the restored keys into the present ones. `present` is the master key of this program, `backup` the one that wraps the
    /// backup, `forgotten` the subjects and purposes whose keys are destroyed according to the log.
    ///
    /// # Errors
    /// [`BackupError::Keys`]; then nothing is changed.
    pub async fn merge_keys(
        mut self,
        present: &MasterKey,
        backup: &MasterKey,
        forgotten: &[(Uuid, Purpose)],
    ) -> Result<KeysMerged, BackupError> {
        let merged = keys::merge(&mut self.connection, present, backup, forgotten).await?;
        self.connection.execute("COMMIT").await?;
        self.connection.close().await?;
        Ok(merged)
    }
}

impl IncomingTable<'_> {
    /// Sends a part of the text; it need not end at a row boundary.
    ///
    /// # Errors
    /// Database errors.
    pub async fn send(&mut self, text: &[u8]) -> Result<(), BackupError> {
        self.0.send(text).await?;
        Ok(())
    }

    /// Finishes the table and returns the number of rows.
    ///
    /// # Errors
    /// Database errors.
    pub async fn finish(self) -> Result<u64, BackupError> {
        Ok(self.0.finish().await?)
    }
}

/// A column, and whether its values are only valid in this cluster.
type Column = (String, bool);

/// The writable columns of a table; empty if there is no such table.
async fn columns(connection: &mut PgConnection, table: &str) -> Result<Vec<Column>, sqlx::Error> {
    sqlx::query_as(
        "SELECT quote_ident(attname), atttypid = 'xid8'::regtype FROM pg_attribute
         WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped AND attgenerated = '' ORDER BY attnum",
    )
    .bind(table)
    .fetch_all(connection)
    .await
}

fn whole(name: &str, columns: Vec<Column>) -> (TableCopy, String) {
    some(name, columns, "")
}

/// A table without its transaction ids, which are meaningless in another cluster; the restoring one writes its own.
fn some(name: &str, columns: Vec<Column>, rows: &str) -> (TableCopy, String) {
    let columns: Vec<String> = columns
        .into_iter()
        .filter(|(_, of_cluster)| !of_cluster)
        .map(|(column, _)| column)
        .collect();
    let select = format!("SELECT {} FROM {name} {rows}", columns.join(", "));
    let name = name.to_owned();
    (TableCopy { name, columns }, select)
}

/// Names and tables of consumers of the log that are not read models.
fn consumers(followers: &[Arc<dyn Projection>]) -> impl Iterator<Item = (&'static str, String)> {
    followers
        .iter()
        .filter(|one| !one.is_read_model() || one.create_sql().is_empty())
        .map(|one| (one.name(), table_of(one.as_ref())))
}

async fn shop_tables(
    connection: &mut PgConnection,
    followers: &[Arc<dyn Projection>],
) -> Result<Vec<(TableCopy, String)>, BackupError> {
    let names: Vec<String> = sqlx::query_scalar(
        "SELECT relname::text FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = current_schema()::regnamespace
         ORDER BY relname <> 'events', relname COLLATE \"C\"",
    )
    .fetch_all(&mut *connection)
    .await?;
    let consumers: Vec<(&str, String)> = consumers(followers).collect();
    let of_consumers = consumers
        .iter()
        .map(|(name, _)| format!("'{name}'"))
        .collect::<Vec<_>>()
        .join(", ");
    let of_consumers = if of_consumers.is_empty() {
        "false".to_owned()
    } else {
        format!("name IN ({of_consumers})")
    };
    let mut tables = Vec::new();
    for name in names {
        let kept = consumers.iter().any(|(_, table)| *table == name);
        if LEFT_OUT.contains(&name.as_str()) || (name.starts_with("p_") && !kept) {
            continue;
        }
        let rows = match name.as_str() {
            CHECKPOINTS => format!("WHERE {of_consumers}"),
            PARKED => format!("WHERE place = 'live' AND {of_consumers}"),
            _ => String::new(),
        };
        let columns = columns(connection, &name).await?;
        tables.push(some(&name, columns, &rows));
    }
    tables.push(whole(RING, columns(connection, RING).await?));
    // Only the existence of the key, past or present, without its bytes.
    let known = ["subject", "purpose", "created_at", "destroyed_at", "away"];
    tables.push((
        TableCopy {
            name: KEY.to_owned(),
            columns: known.map(str::to_owned).into(),
        },
        format!(
            "SELECT subject, purpose, created_at, destroyed_at, destroyed_at IS NULL FROM {KEY}"
        ),
    ));
    Ok(tables)
}

/// Checks that the database is empty, and blocks other writers until the restore is finished.
async fn empty(
    connection: &mut PgConnection,
    followers: &[Arc<dyn Projection>],
) -> Result<(), BackupError> {
    connection
        .execute("LOCK TABLE events IN ACCESS EXCLUSIVE MODE")
        .await?;
    connection.execute("DELETE FROM snapshots").await?;
    for table in REPLACED {
        let log_has_rows: bool = sqlx::query_scalar("SELECT EXISTS (SELECT FROM events)")
            .fetch_one(&mut *connection)
            .await?;
        if !log_has_rows {
            let sql = format!("DELETE FROM {table}");
            connection.execute(sql.as_str()).await?;
        }
    }
    for one in followers.iter().filter(|one| !one.is_read_model()) {
        let there: bool = sqlx::query_scalar("SELECT to_regclass($1) IS NOT NULL")
            .bind(table_of(one.as_ref()))
            .fetch_one(&mut *connection)
            .await?;
        if !there && !one.create_sql().is_empty() {
            connection.execute(one.create_sql()).await?;
        }
    }
    for (table, _) in shop_tables(connection, followers).await? {
        let sql = format!("SELECT EXISTS (SELECT FROM {})", table.name);
        let has_rows: bool = sqlx::query_scalar(&sql).fetch_one(&mut *connection).await?;
        if has_rows {
            return Err(BackupError::NotEmpty(table.name));
        }
    }
    Ok(())
}
