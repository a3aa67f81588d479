//! Row by row: what a fold expects against what a table holds.

use std::collections::BTreeMap;

use futures::TryStreamExt;
use serde_json::{Map, Value};
use sqlx::PgConnection;
use time::format_description::well_known::Rfc3339;
use time::{OffsetDateTime, UtcOffset};

use super::{Difference, VerifyError};

/// The rows a table should have.
pub(super) struct Expected {
    /// The view readers use.
    pub view: &'static str,
    /// The columns that tell rows apart.
    pub key: &'static [&'static str],
    /// The rows: all columns of each.
    pub rows: Vec<Value>,
}

/// A moment as rows carry it: UTC, whole microseconds.
pub(super) fn moment(at: OffsetDateTime) -> Value {
    let at = at.to_offset(UtcOffset::UTC);
    let micros = at.nanosecond() / 1_000 * 1_000;
    at.replace_nanosecond(micros)
        .ok()
        .and_then(|at| at.format(&Rfc3339).ok())
        .map_or(Value::Null, Value::String)
}

fn instant(text: &str) -> Option<OffsetDateTime> {
    OffsetDateTime::parse(text, &Rfc3339).ok()
}

/// The same value: moments may be written differently, numbers not.
fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::String(one), Value::String(other)) if one != other => {
            match (instant(one), instant(other)) {
                (Some(one), Some(other)) => one == other,
                _ => false,
            }
        }
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one
                    .iter()
                    .all(|(name, value)| other.get(name).is_some_and(|found| same(value, found)))
        }
        _ => one == other,
    }
}

fn key_of(row: &Value, key: &[&str]) -> String {
    key.iter()
        .map(|column| match row.get(column) {
            Some(Value::String(text)) => text.clone(),
            Some(other) => other.to_string(),
            None => String::new(),
        })
        .collect::<Vec<_>>()
        .join("/")
}

/// Only the columns that differ; the whole row where there is none on the other side.
fn apart(one: &Value, other: &Value) -> Value {
    let (Value::Object(one), Value::Object(other)) = (one, other) else {
        return one.clone();
    };
    let differing: Map<String, Value> = one
        .iter()
        .filter(|(name, value)| !other.get(*name).is_some_and(|found| same(value, found)))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    Value::Object(differing)
}

/// Counts what is checked and keeps what differs.
#[derive(Default)]
pub(super) struct Checker {
    pub checked: u64,
    pub differences: Vec<Difference>,
}

impl Checker {
    /// Notes a difference.
    pub fn differs(&mut self, model: &str, key: impl ToString, expected: Value, found: Value) {
        self.differences.push(Difference {
            model: model.to_owned(),
            key: key.to_string(),
            expected,
            found,
        });
    }

    /// A rule that should hold.
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

    /// Two numbers that should be the same.
    pub fn equal(&mut self, rule: &str, key: impl ToString, expected: i64, found: i64) {
        self.holds(expected == found, rule, key, expected, found);
    }

    /// A row against what it should be.
    pub fn row(&mut self, view: &str, key: &str, expected: Option<&Value>, found: Option<&Value>) {
        self.checked = self.checked.saturating_add(1);
        let (expected, found) = match (expected, found) {
            (Some(expected), Some(found)) if same(expected, found) => return,
            (Some(expected), Some(found)) => (apart(expected, found), apart(found, expected)),
            (expected, found) => (
                expected.cloned().unwrap_or_default(),
                found.cloned().unwrap_or_default(),
            ),
        };
        self.differs(view, key, expected, found);
    }

    /// A whole table.
    pub async fn table(
        &mut self,
        connection: &mut PgConnection,
        expected: Expected,
    ) -> Result<(), VerifyError> {
        let mut wanted: BTreeMap<String, Value> = expected
            .rows
            .into_iter()
            .map(|row| (key_of(&row, expected.key), row))
            .collect();
        let sql = format!("SELECT to_jsonb(t) FROM \"{}\" t", expected.view);
        let mut rows = sqlx::query_scalar::<_, Value>(&sql).fetch(connection);
        while let Some(found) = rows.try_next().await? {
            let key = key_of(&found, expected.key);
            self.row(
                expected.view,
                &key,
                wanted.remove(&key).as_ref(),
                Some(&found),
            );
        }
        for (key, row) in wanted {
            self.row(expected.view, &key, Some(&row), None);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

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
            Some(&json!({"id": 7, "n": 2})),
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
