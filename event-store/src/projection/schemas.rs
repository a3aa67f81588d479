//! The schemas of a read model's tables: next, live and previous. The table names are the same in each, so that a projection's own
//! SQL works in all of them; `search_path` selects the schema.

use sqlx::postgres::PgConnectOptions;
use sqlx::{Connection, Executor, PgConnection};

use super::checkpoint::Key;
use crate::error::StoreError;
use crate::store::Store;

/// Role of a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SchemaRole {
    /// Tables being rebuilt.
    Next,
    /// Tables visible to readers.
    Live,
    /// Tables before the last rebuild.
    Previous,
}

impl SchemaRole {
    /// Name used in `projection_parked`.
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Next => "next",
            Self::Live => "live",
            Self::Previous => "previous",
        }
    }

    /// Name of the schema; `home` is the schema of the log.
    pub(super) fn schema(self, home: &str) -> &str {
        match self {
            Self::Next => "projection_next",
            Self::Live => home,
            Self::Previous => "projection_previous",
        }
    }
}

/// The schema of the log and the live tables.
pub(super) async fn home(store: &Store) -> Result<String, sqlx::Error> {
    sqlx::query_scalar("SELECT current_schema()::text")
        .fetch_one(store.pool())
        .await
}

/// A connection whose unqualified names resolve to the tables in `schema` first, then in `home`. Its commits do not wait for the
/// disk: a rebuild interrupted by a crash is repeated.
pub(super) async fn connect(
    store: &Store,
    schema: &str,
    home: &str,
) -> Result<PgConnection, sqlx::Error> {
    let address: PgConnectOptions = (*store.pool().connect_options()).clone();
    let path = if schema == home {
        format!("\"{home}\"")
    } else {
        format!("{schema},\"{home}\"")
    };
    let address = address.application_name("event-store rebuild").options([
        ("search_path", path.as_str()),
        ("synchronous_commit", "off"),
        ("maintenance_work_mem", "256MB"),
        ("work_mem", "64MB"),
        ("temp_buffers", "64MB"),
    ]);
    PgConnection::connect_with(&address).await
}

/// The tables of one version in one schema.
pub(super) async fn tables(
    connection: &mut PgConnection,
    key: Key,
    schema: &str,
) -> Result<Vec<String>, sqlx::Error> {
    sqlx::query_scalar(
        "SELECT relname::text FROM pg_class
         WHERE relkind IN ('r', 'p') AND relnamespace = to_regnamespace($2)
           AND (relname = $1 OR starts_with(relname, $1 || '_')) ORDER BY relname",
    )
    .bind(key.table())
    .bind(schema)
    .fetch_all(connection)
    .await
}

/// Drops the tables of all versions of a read model in a schema that is not the live one.
pub(super) async fn sweep(
    connection: &mut PgConnection,
    name: &str,
    schema: &str,
) -> Result<(), sqlx::Error> {
    let left: Vec<String> = sqlx::query_scalar(
        "SELECT relname::text FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = to_regnamespace($2)
           AND relname ~ ('^p_' || $1 || '_v[0-9]+(_|$)')",
    )
    .bind(name)
    .bind(schema)
    .fetch_all(&mut *connection)
    .await?;
    drop_all(connection, schema, left).await
}

/// Drops the tables of one version.
pub(super) async fn drop_tables(
    connection: &mut PgConnection,
    key: Key,
    schema: &str,
) -> Result<(), sqlx::Error> {
    let left = tables(connection, key, schema).await?;
    drop_all(connection, schema, left).await
}

async fn drop_all(
    connection: &mut PgConnection,
    schema: &str,
    tables: Vec<String>,
) -> Result<(), sqlx::Error> {
    for table in tables {
        let drop = format!("DROP TABLE \"{schema}\".\"{table}\" CASCADE");
        connection.execute(drop.as_str()).await?;
    }
    Ok(())
}

/// Moves the tables with their keys.
pub(super) async fn move_tables(
    connection: &mut PgConnection,
    key: Key,
    from: &str,
    to: &str,
) -> Result<(), sqlx::Error> {
    for table in tables(connection, key, from).await? {
        let go = format!("ALTER TABLE \"{from}\".\"{table}\" SET SCHEMA \"{to}\"");
        connection.execute(go.as_str()).await?;
    }
    Ok(())
}

/// Drops all keys of the tables in `schema`; returns the SQL that creates them again. Filling tables before creating keys is
/// faster.
pub(super) async fn take_keys_off(
    connection: &mut PgConnection,
    key: Key,
    schema: &str,
) -> Result<Vec<String>, StoreError> {
    let mut again = Vec::new();
    for table in tables(connection, key, schema).await? {
        let keys: Vec<(String, String)> = sqlx::query_as(
            "SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname),
                    format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
             FROM pg_constraint WHERE conrelid = format('%I.%I', $1, $2)::regclass AND contype IN ('p', 'u')",
        )
        .bind(schema)
        .bind(&table)
        .fetch_all(&mut *connection)
        .await?;
        let indexes: Vec<(String, String)> = sqlx::query_as(
            "SELECT format('DROP INDEX %s', i.indexrelid::regclass), pg_get_indexdef(i.indexrelid)
             FROM pg_index i WHERE i.indrelid = format('%I.%I', $1, $2)::regclass
               AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conindid = i.indexrelid)",
        )
        .bind(schema)
        .bind(&table)
        .fetch_all(&mut *connection)
        .await?;
        for (off, on) in keys.into_iter().chain(indexes) {
            connection.execute(off.as_str()).await?;
            again.push(on);
        }
    }
    Ok(again)
}

/// Indexes added to the live tables by operators (for slow lists), which the new tables need too.
pub(super) async fn added_indexes(
    connection: &mut PgConnection,
    key: Key,
    home: &str,
) -> Result<Vec<String>, sqlx::Error> {
    let next = SchemaRole::Next.schema(home);
    let mut missing = Vec::new();
    for table in tables(connection, key, next).await? {
        let of_live: Vec<String> = sqlx::query_scalar(
            "SELECT pg_get_indexdef(i.indexrelid) FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
             WHERE i.indrelid = to_regclass(format('%I.%I', $1, $3))
               AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = i.indexrelid)
               AND to_regclass(format('%I.%I', $2, c.relname)) IS NULL",
        )
        .bind(home)
        .bind(next)
        .bind(&table)
        .fetch_all(&mut *connection)
        .await?;
        let live = [
            format!(" ON {home}.{table} "),
            format!(" ON \"{home}\".{table} "),
        ];
        missing.extend(of_live.into_iter().map(|index| {
            live.iter().fold(index, |index, live| {
                index.replace(live, &format!(" ON {next}.{table} "))
            })
        }));
    }
    Ok(missing)
}
