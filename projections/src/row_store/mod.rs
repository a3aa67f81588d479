//! Reads and writes the rows of read models: as JSON, whole rows, in batches. Large numbers of new rows are [copied](binary_copy).
//!
//! A row type is a struct whose field names are the column names. Postgres does the typing
//! (`jsonb_populate_recordset`, `to_jsonb`), so one place knows how a batch is read and written, and
//! adding a column means adding a field and a line of `create.sql`.

mod binary_copy;

use std::collections::{BTreeMap, HashSet};

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use sqlx::PgConnection;
use sqlx::types::Json;

use crate::error::ReadError;
use binary_copy::copy;

/// Number of new rows from which `COPY` pays for the lookup of the column types.
const MANY: usize = 50;

/// A row of one projection table.
pub(crate) trait Row: Serialize + DeserializeOwned + Send + Sync {
    /// The versioned table.
    const TABLE: &'static str;
    /// Its primary key columns, in order.
    const KEY: &'static [&'static str];
}

pub(crate) fn quoted<'a>(columns: impl IntoIterator<Item = &'a str>) -> String {
    columns
        .into_iter()
        .map(|column| format!("\"{column}\""))
        .collect::<Vec<_>>()
        .join(", ")
}

/// The rows whose `column` (of Postgres type `kind`) is one of `keys`.
pub(crate) async fn load<R: Row>(
    connection: &mut PgConnection,
    (column, kind): (&str, &str),
    keys: &[String],
) -> Result<Vec<R>, ReadError> {
    if keys.is_empty() {
        return Ok(Vec::new());
    }
    let sql = format!(
        "SELECT to_jsonb(t) FROM {} t WHERE \"{column}\" = ANY($1::text[]::{kind}[])",
        R::TABLE
    );
    let found: Vec<Value> = sqlx::query_scalar(&sql)
        .bind(keys)
        .fetch_all(connection)
        .await?;
    found
        .into_iter()
        .map(|row| serde_json::from_value(row).map_err(ReadError::from))
        .collect()
}

/// Inserts the rows, or replaces those with the same key.
pub(crate) async fn save<R: Row>(
    connection: &mut PgConnection,
    rows: &[R],
) -> Result<(), ReadError> {
    // the first row determines the columns; all rows are serialized directly, without intermediate values
    let Some(Value::Object(first)) = rows.first().map(serde_json::to_value).transpose()? else {
        return Ok(());
    };
    let columns = quoted(first.keys().map(String::as_str));
    let updates = first
        .keys()
        .filter(|column| !R::KEY.contains(&column.as_str()))
        .map(|column| format!("\"{column}\" = excluded.\"{column}\""))
        .collect::<Vec<_>>();
    let conflict = if updates.is_empty() {
        "NOTHING".to_owned()
    } else {
        format!("UPDATE SET {}", updates.join(", "))
    };
    let sql = format!(
        "INSERT INTO {table} ({columns}) SELECT {columns} FROM jsonb_populate_recordset(NULL::{table}, $1) \
         ON CONFLICT ({key}) DO {conflict}",
        table = R::TABLE,
        key = quoted(R::KEY.iter().copied()),
    );
    sqlx::query(&sql)
        .bind(Json(rows))
        .execute(connection)
        .await?;
    Ok(())
}

/// Inserts rows none of which exists yet.
pub(crate) async fn insert<R: Row>(
    connection: &mut PgConnection,
    rows: &[R],
) -> Result<(), ReadError> {
    if rows.len() < MANY {
        save(connection, rows).await
    } else {
        copy(connection, rows).await
    }
}

/// Removes the rows whose `column` (of Postgres type `kind`) is one of `keys`.
pub(crate) async fn delete<R: Row>(
    connection: &mut PgConnection,
    (column, kind): (&str, &str),
    keys: &[String],
) -> Result<(), ReadError> {
    if keys.is_empty() {
        return Ok(());
    }
    let sql = format!(
        "DELETE FROM {} WHERE \"{column}\" = ANY($1::text[]::{kind}[])",
        R::TABLE
    );
    sqlx::query(&sql).bind(keys).execute(connection).await?;
    Ok(())
}

/// The rows a batch touches, by key: loaded once, folded in memory, saved once.
pub(crate) struct ChangedRows<R> {
    rows: BTreeMap<String, R>,
    /// The keys of those that existed before.
    known: HashSet<String>,
}

impl<R: Row> ChangedRows<R> {
    /// Loads the existing rows of `keys`; `key` names their column, `of` reads it from a row.
    pub(crate) async fn load(
        connection: &mut PgConnection,
        key: (&str, &str),
        keys: impl IntoIterator<Item = String>,
        of: impl Fn(&R) -> String,
    ) -> Result<Self, ReadError> {
        let mut keys: Vec<String> = keys.into_iter().collect();
        keys.sort_unstable();
        keys.dedup();
        let rows: BTreeMap<String, R> = load::<R>(connection, key, &keys)
            .await?
            .into_iter()
            .map(|row| (of(&row), row))
            .collect();
        Ok(Self {
            known: rows.keys().cloned().collect(),
            rows,
        })
    }

    /// The row of `key`, which an earlier event must have created.
    pub(crate) fn known(&mut self, key: &str) -> Result<&mut R, ReadError> {
        self.rows
            .get_mut(key)
            .ok_or_else(|| ReadError::Unknown(format!("{} {key}", R::TABLE)))
    }

    /// No rows.
    pub(crate) fn empty() -> Self {
        Self {
            rows: BTreeMap::new(),
            known: HashSet::new(),
        }
    }

    /// The row of `key`, if there is one.
    pub(crate) fn get(&self, key: &str) -> Option<&R> {
        self.rows.get(key)
    }

    /// The row of `key`, if there is one.
    pub(crate) fn get_mut(&mut self, key: &str) -> Option<&mut R> {
        self.rows.get_mut(key)
    }

    /// The row of `key`, created by `start` if it is new.
    pub(crate) fn entry(&mut self, key: &str, start: impl FnOnce() -> R) -> &mut R {
        self.rows.entry(key.to_owned()).or_insert_with(start)
    }

    /// Inserts a row or replaces the one with the same key.
    pub(crate) fn put(&mut self, key: String, row: R) {
        self.rows.insert(key, row);
    }

    /// All rows held.
    pub(crate) fn values(&self) -> impl Iterator<Item = &R> {
        self.rows.values()
    }

    /// The rows that existed before the batch, and the new ones.
    pub(crate) fn known_and_new(&self) -> (Vec<&R>, Vec<&R>) {
        let (known, new): (Vec<_>, Vec<_>) = self
            .rows
            .iter()
            .partition(|(key, _)| self.known.contains(*key));
        let rows = |some: Vec<(_, _)>| some.into_iter().map(|(_, row)| row).collect();
        (rows(known), rows(new))
    }

    /// Writes all of them.
    pub(crate) async fn save(self, connection: &mut PgConnection) -> Result<(), ReadError> {
        let (known, new): (Vec<_>, Vec<_>) = self
            .rows
            .into_iter()
            .partition(|(key, _)| self.known.contains(key));
        let rows = |some: Vec<(String, R)>| some.into_iter().map(|(_, row)| row).collect();
        let (known, new): (Vec<R>, Vec<R>) = (rows(known), rows(new));
        save(connection, &known).await?;
        insert(connection, &new).await
    }
}
