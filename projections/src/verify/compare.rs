//! Compares the rows a fold expects with those of a table.

use std::borrow::Cow;
use std::collections::HashMap;

use futures::TryStreamExt;
use serde_json::{Map, Value};
use sqlx::PgConnection;
use time::format_description::well_known::Rfc3339;
use time::{OffsetDateTime, UtcOffset};
use tokio::task::spawn_blocking;

use super::json::Json;
use super::{Difference, VerifyError};

/// Rows compared at a time, while Postgres sends the next ones.
const ROWS: usize = 500;

/// The expected rows of a table.
pub(super) struct ExpectedRows {
    /// The view that reads the table.
    pub view: &'static str,
    /// The key columns.
    pub key: &'static [&'static str],
    /// The rows, with all columns.
    pub rows: Vec<Value>,
}

/// A timestamp in the precision of Postgres: UTC, whole microseconds.
pub(super) fn kept(at: OffsetDateTime) -> OffsetDateTime {
    let at = at.to_offset(UtcOffset::UTC);
    at.replace_nanosecond(at.nanosecond() / 1_000 * 1_000)
        .unwrap_or(at)
}

/// A timestamp as it appears in rows, in the format of Postgres.
pub(super) fn moment(at: OffsetDateTime) -> Value {
    kept(at).format(&Rfc3339).map_or(Value::Null, |text| {
        Value::String(text.replace('Z', "+00:00"))
    })
}

fn instant(text: &str) -> Option<OffsetDateTime> {
    OffsetDateTime::parse(text, &Rfc3339).ok()
}

/// Whether the values are equal: timestamps may be formatted differently, numbers may not.
pub(super) fn same(one: &Value, other: &Json<'_>) -> bool {
    match (one, other) {
        (Value::Null, Json::Null) => true,
        (Value::Bool(one), Json::Bool(other)) => one == other,
        (Value::Number(one), Json::Number(other)) => one == other,
        (Value::String(one), Json::Text(other)) => {
            one == other
                || match (instant(one), instant(other)) {
                    (Some(one), Some(other)) => one == other,
                    _ => false,
                }
        }
        (Value::Array(one), Json::List(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
        }
        (Value::Object(one), Json::Object(fields)) => {
            one.len() == fields.len()
                && one
                    .iter()
                    .all(|(name, value)| other.get(name).is_some_and(|found| same(value, found)))
        }
        _ => false,
    }
}

/// Key of a row.
fn key_of<'a, T: Into<Cow<'a, str>>>(parts: impl Iterator<Item = T>) -> String {
    let mut key = String::new();
    for (nr, part) in parts.enumerate() {
        if nr > 0 {
            key.push('/');
        }
        key.push_str(&part.into());
    }
    key
}

fn key_of_expected(row: &Value, key: &[&str]) -> String {
    key_of(key.iter().map(|column| match row.get(column) {
        Some(Value::String(text)) => Cow::Borrowed(text.as_str()),
        Some(other) => Cow::Owned(other.to_string()),
        None => Cow::Borrowed(""),
    }))
}

fn key_of_found(row: &Json<'_>, key: &[&str]) -> String {
    key_of(key.iter().map(|column| match row.get(column) {
        Some(Json::Text(text)) => Cow::Borrowed(text.as_ref()),
        Some(other) => Cow::Owned(other.value().to_string()),
        None => Cow::Borrowed(""),
    }))
}

/// The columns in which two rows differ; the whole row if the other side has none.
fn apart(expected: &Value, found: &Json<'_>) -> (Value, Value) {
    let (Value::Object(wanted), Json::Object(fields)) = (expected, found) else {
        return (expected.clone(), found.value());
    };
    let wanted: Map<String, Value> = wanted
        .iter()
        .filter(|(name, value)| !found.get(name).is_some_and(|found| same(value, found)))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    let fields: Map<String, Value> = fields
        .iter()
        .filter(|(name, found)| {
            let value = expected.get(name.as_ref());
            !value.is_some_and(|value| same(value, found))
        })
        .map(|(name, found)| (name.to_string(), found.value()))
        .collect();
    (Value::Object(wanted), Value::Object(fields))
}

/// Counts the checks and collects the differences.
#[derive(Default)]
pub(super) struct Checker {
    pub checked: u64,
    pub differences: Vec<Difference>,
}

impl Checker {
    /// Adds a difference.
    pub fn differs(&mut self, model: &str, key: impl ToString, expected: Value, found: Value) {
        self.differences.push(Difference {
            model: model.to_owned(),
            key: key.to_string(),
            expected,
            found,
        });
    }

    /// Checks that a rule holds.
    pub fn holds(
        &mut self,
        holds: bool,
        rule: &str,
        key: impl ToString,
        expected: impl Into<Value>,
        found: impl Into<Value>,
    ) {
        self.checked = self.checked.saturating_add(1);
        if !holds {
            self.differs(rule, key, expected.into(), found.into());
        }
    }

    /// The same for frequent checks: key, expected and found are only built if the rule is broken.
    pub fn rule(
        &mut self,
        holds: bool,
        rule: &str,
        words: impl FnOnce() -> (String, Value, Value),
    ) {
        self.checked = self.checked.saturating_add(1);
        if !holds {
            let (key, expected, found) = words();
            self.differs(rule, key, expected, found);
        }
    }

    /// Checks that two numbers are equal.
    pub fn equal(&mut self, rule: &str, key: impl ToString, expected: i64, found: i64) {
        self.holds(expected == found, rule, key, expected, found);
    }

    /// Compares a row with the expected one.
    pub fn row(
        &mut self,
        view: &str,
        key: &str,
        expected: Option<&Value>,
        found: Option<&Json<'_>>,
    ) {
        self.checked = self.checked.saturating_add(1);
        let (expected, found) = match (expected, found) {
            (Some(expected), Some(found)) if same(expected, found) => return,
            (Some(expected), Some(found)) => apart(expected, found),
            (expected, found) => (
                expected.cloned().unwrap_or_default(),
                found.map(Json::value).unwrap_or_default(),
            ),
        };
        self.differs(view, key, expected, found);
    }

    /// Whether there are no differences so far.
    pub fn finds_nothing(&self) -> bool {
        self.differences.is_empty()
    }

    /// Adds the counts and differences of another checker.
    pub fn add(&mut self, other: Self) {
        self.checked = self.checked.saturating_add(other.checked);
        self.differences.extend(other.differences);
    }

    /// Compares a whole table.
    pub async fn table(
        &mut self,
        connection: &mut PgConnection,
        expected: ExpectedRows,
    ) -> Result<(), VerifyError> {
        let sql = format!("SELECT row_to_json(t)::text FROM \"{}\" t", expected.view);
        let mut chunks = sqlx::query_scalar::<_, String>(&sql)
            .fetch(connection)
            .try_chunks(ROWS);
        let mut table = spawn_blocking(move || Ok::<_, VerifyError>(Table::of(expected)));
        while let Some(rows) = chunks.try_next().await.map_err(|cut| cut.1)? {
            let mut so_far = table.await??;
            table = spawn_blocking(move || {
                so_far.compare(&rows)?;
                Ok(so_far)
            });
        }
        self.add(table.await??.end());
        Ok(())
    }
}

/// A table whose rows are being read.
struct Table {
    view: &'static str,
    key: &'static [&'static str],
    /// The expected rows that were not read yet.
    wanted: HashMap<String, Value>,
    checker: Checker,
}

impl Table {
    fn of(expected: ExpectedRows) -> Self {
        let ExpectedRows { view, key, rows } = expected;
        let keyed = |row| (key_of_expected(&row, key), row);
        Self {
            view,
            key,
            wanted: rows.into_iter().map(keyed).collect(),
            checker: Checker::default(),
        }
    }

    fn compare(&mut self, rows: &[String]) -> Result<(), VerifyError> {
        for row in rows {
            let found: Json<'_> = serde_json::from_str(row).map_err(crate::ReadError::from)?;
            let key = key_of_found(&found, self.key);
            let wanted = self.wanted.remove(&key);
            self.checker
                .row(self.view, &key, wanted.as_ref(), Some(&found));
        }
        Ok(())
    }

    fn end(mut self) -> Checker {
        let mut missing: Vec<(String, Value)> = self.wanted.into_iter().collect();
        missing.sort_by(|(one, _), (other, _)| one.cmp(other));
        for (key, row) in missing {
            self.checker.row(self.view, &key, Some(&row), None);
        }
        self.checker
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use serde_json::json;

    fn same(one: &Value, other: &Value) -> bool {
        let text = other.to_string();
        super::same(one, &serde_json::from_str(&text).unwrap())
    }

    #[test]
    fn a_moment_is_the_same_however_it_is_written() {
        assert!(same(
            &json!({"at": "2026-11-21T00:00:00Z", "n": [1]}),
            &json!({"at": "2026-11-21T09:00:00+09:00", "n": [1]})
        ));
        assert!(!same(
            &json!({"at": "2026-11-21T00:00:00Z"}),
            &json!({"at": "2026-11-21T00:00:01Z"})
        ));
        assert!(!same(&json!({"a": 1}), &json!({"a": 1, "b": null})));
    }

    #[test]
    fn a_differing_row_is_named_with_the_columns_that_differ() {
        let mut checker = Checker::default();
        checker.row(
            "stock",
            "7",
            Some(&json!({"id": 7, "n": 1})),
            Some(&serde_json::from_str(r#"{"id": 7, "n": 2}"#).unwrap()),
        );
        assert_eq!(
            checker.differences,
            [Difference {
                model: "stock".to_owned(),
                key: "7".to_owned(),
                expected: json!({"n": 1}),
                found: json!({"n": 2}),
            }]
        );
    }
}
