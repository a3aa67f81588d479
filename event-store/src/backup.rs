//! The database's part of a backup: everything that cannot be made again, as it was at one moment, and the way back in.
//!
//! Tables travel as the text of `COPY` over the program's own connection, so no client program of the server's version has to be
//! there, and a backup of one version of Postgres goes into another. Left out is what the log makes again (read models,
//! snapshots) and what belongs to one cluster only: transaction ids, which another cluster counts anew. A policy's checkpoint and
//! table are no read model: without them it would do again what it did.
//!
//! The keys of personal data are left out too, or a backup would bring back whoever was forgotten since. What stays of them is
//! that they exist ([away](crate::keys) until their own backup is restored) or were destroyed.

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
/// Made again, or about rebuilds of what is made again, or of no interest.
const LEFT_OUT: [&str; 5] = [
    "_sqlx_migrations",
    "write_probe",
    "snapshots",
    "projection_kept",
    "projection_rebuild",
];
/// What a program that was started on an empty database has written there already.
const REPLACED: [&str; 3] = [CHECKPOINTS, PARKED, RING];

/// What a backup holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Contents {
    /// All but the keys of personal data.
    Shop,
    /// The keys, wrapped by the master key.
    Keys,
}

/// One table as it travels.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableCopy {
    /// Its name, with its schema if that is not the log's.
    pub name: String,
    /// The columns that travel, in the order of the text.
    pub columns: Vec<String>,
}

/// Where the numbers of a column go on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SequenceAt {
    /// Its table.
    pub table: String,
    /// The column.
    pub column: String,
    /// The last number handed out.
    pub last: i64,
    /// Whether it was handed out already.
    pub called: bool,
}

/// A change of the tables that was made there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AppliedMigration {
    /// Its number.
    pub version: i64,
    /// The hash of its text, in hexadecimal.
    pub checksum: String,
}

/// Why there is no backup, or why nothing was restored.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// There is something in the database already.
    #[error("the database is not empty: {0} has rows; a backup goes into a fresh one only")]
    NotEmpty(String),
    /// The backup has a table this program does not know.
    #[error(
        "the backup was made by another version of the program: there is no table {table} with {columns}"
    )]
    OtherTables {
        /// Which.
        table: String,
        /// Its columns.
        columns: String,
    },
    /// The backup was made by a newer program.
    #[error(
        "the backup was made by a newer version of the program, with change {0} of its tables; restore it with that one"
    )]
    Newer(i64),
    /// The file or folder it is read from or written to.
    #[error("the backup: {0}")]
    File(#[from] std::io::Error),
    /// The keys do not fit.
    #[error(transparent)]
    Keys(#[from] MergeError),
    /// The database.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<sqlx::Error> for BackupError {
    fn from(error: sqlx::Error) -> Self {
        Self::Store(error.into())
    }
}

/// One moment of the database, being read.
pub struct Outgoing {
    connection: PgConnection,
    tables: Vec<(TableCopy, String)>,
    /// The position of the newest event in it.
    pub head: i64,
    /// Its events.
    pub events: i64,
    /// The version of Postgres, e.g. `18.4`.
    pub postgres: String,
}

impl Store {
    /// Opens a moment of the database to be copied; `followers` is everything that follows the log. Writers go on meanwhile.
    ///
    /// # Errors
    /// The database's.
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

    /// What was done to the tables up to now, in its order.
    ///
    /// # Errors
    /// The database's.
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

    /// Makes the tables as they were where a backup was made, by `others` (the lists of tables beside the log's) too.
    ///
    /// # Errors
    /// [`BackupError::Newer`] if this program does not know one of the changes; the database's.
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

    /// Begins to bring a backup in: nothing of it is there before [`Incoming::finish`]. Tables of policies among `followers` are
    /// made.
    ///
    /// # Errors
    /// [`BackupError::NotEmpty`]; the database's.
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

/// A connection that reads and writes values as any other version of Postgres does.
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
    /// The tables, in the order they should travel.
    pub fn tables(&self) -> Vec<TableCopy> {
        self.tables.iter().map(|(table, _)| table.clone()).collect()
    }

    /// Hands the rows of a table, as text, to `sink`.
    ///
    /// # Errors
    /// The database's, or the sink's.
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

    /// Where numbers go on. Asked for last: numbers are handed out outside of any moment, and a later one does no harm.
    ///
    /// # Errors
    /// The database's.
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

/// A backup coming in, all of it or nothing.
pub struct Incoming {
    connection: PgConnection,
}

/// The rows of one table coming in.
pub struct IncomingTable<'a>(sqlx::postgres::PgCopyIn<&'a mut PgConnection>);

impl Incoming {
    /// Opens a table for its rows.
    ///
    /// # Errors
    /// [`BackupError::OtherTables`]; the database's.
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

    /// Lets numbers go on where they were, and makes everything that came visible at once.
    ///
    /// # Errors
    /// The database's.
    pub async fn finish(mut self, sequences: &[SequenceAt]) -> Result<(), BackupError> {
        for at in sequences {
            // a number that is in the table was handed out, whatever the backup says
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
        // whoever goes on with a checkpoint makes its views, too
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

    /// Brings the keys that came to those that are here. `present` is the master key of this program, `backup` the one they
    /// were wrapped by, `forgotten` whose keys the log says are destroyed.
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
    /// Some more of its text; it need not end where a row does.
    ///
    /// # Errors
    /// The database's.
    pub async fn send(&mut self, text: &[u8]) -> Result<(), BackupError> {
        self.0.send(text).await?;
        Ok(())
    }

    /// That was all; answers how many rows it were.
    ///
    /// # Errors
    /// The database's.
    pub async fn finish(self) -> Result<u64, BackupError> {
        Ok(self.0.finish().await?)
    }
}

/// A column, and whether its values belong to this cluster only.
type Column = (String, bool);

/// The columns of a table that can be written; none: there is no such table.
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

/// A table whose transaction ids, which mean nothing in another cluster, stay behind: the restoring one writes its own.
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

/// The names and tables of what follows the log and is no read model.
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
    // that there is a key, or was, without the key
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

/// Makes sure that there is nothing, and keeps everybody else from writing until the backup is in.
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
