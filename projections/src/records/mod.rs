//! Records without a table of their own, by kind.

mod queries;

use std::sync::LazyLock;

use domain::registry::RECORD_KINDS;
use event_store::StoredEvent;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sqlx::PgConnection;
use time::OffsetDateTime;

use crate::counts::{self, Counts};
use crate::error::ReadError;
use crate::event_decode::{at, version};
use crate::macros::projection;
use crate::record_event::{RecordChange, change};
use crate::row_store::{ChangedRows, Row};

pub use queries::*;

/// Its name, for waiting until it has caught up.
pub const NAME: &str = "records";

/// The projection.
pub struct Records;

/// One document.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RecordRow {
    /// Its kind, e.g. `shipping`.
    pub kind: String,
    /// Its id.
    pub id: String,
    /// Version of the stream: a revision says which one it starts from.
    pub version: i64,
    /// The document.
    pub data: Map<String, Value>,
    /// Marked as removed.
    pub removed: bool,
    /// When it was created.
    #[serde(with = "crate::timestamp")]
    pub created_at: OffsetDateTime,
    /// When it last changed.
    #[serde(with = "crate::timestamp")]
    pub updated_at: OffsetDateTime,
    /// Position of its last event.
    pub position: i64,
}

impl Row for RecordRow {
    const TABLE: &'static str = "p_records_v2";
    const KEY: &'static [&'static str] = &["kind", "id"];
}

fn key(kind: &str, id: &str) -> String {
    format!("{kind}/{id}")
}

async fn apply(connection: &mut PgConnection, batch: &[StoredEvent]) -> Result<(), ReadError> {
    // ids are unique across kinds except fixed ones like `main`, so a few rows too many may be loaded and saved unchanged
    let mut rows = ChangedRows::<RecordRow>::load(
        connection,
        ("id", "text"),
        batch.iter().map(|recorded| recorded.stream.id.clone()),
        |row| key(&row.kind, &row.id),
    )
    .await?;
    let before = live(&rows);
    for recorded in batch {
        let key = key(&recorded.stream.kind, &recorded.stream.id);
        match change(recorded)? {
            RecordChange::Created(data) => {
                let created_at = rows
                    .known(&key)
                    .map_or_else(|_| at(recorded), |row| row.created_at);
                rows.put(
                    key.clone(),
                    RecordRow {
                        kind: recorded.stream.kind.clone(),
                        id: recorded.stream.id.clone(),
                        version: 0,
                        data,
                        removed: false,
                        created_at,
                        updated_at: created_at,
                        position: 0,
                    },
                );
            }
            RecordChange::Revised(fields) => rows.known(&key)?.data.extend(fields),
            RecordChange::Removed => rows.known(&key)?.removed = true,
        }
        let row = rows.known(&key)?;
        row.version = version(recorded);
        row.updated_at = at(recorded);
        row.position = recorded.position;
    }
    counts::keep(connection, "p_records_v2_counts", &before, live(&rows)).await?;
    rows.save(connection).await
}

fn live(rows: &ChangedRows<RecordRow>) -> Counts {
    counts::of(rows.values().map(|row| (row.kind.as_str(), row.removed)))
}

/// Kinds of records that have a read model of their own.
const OWN_MODEL: [&str; 3] = ["product", "review", "inquire"];

/// All other kinds of records.
static KINDS: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
    let kinds = RECORD_KINDS.iter().map(|record| record.kind);
    kinds.filter(|kind| !OWN_MODEL.contains(kind)).collect()
});

projection!(Records, version 2, reads in &KINDS; rows of one, counted in "p_records_v2_counts"; parks);
