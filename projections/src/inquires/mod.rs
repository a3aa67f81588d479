//! Questions of shoppers about products. Their texts stay sealed; `api` decrypts them for readers with access.

mod queries;

use domain::ids::{MemberId, ProductId};
use domain::inquire::Inquire;
use domain::member_record::AnswerState;
use event_store::StoredEvent;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sqlx::PgConnection;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::counts::{self, Counts};
use crate::error::ReadError;
use crate::event_decode::{at, by_staff, of, stream_id, streams, version};
use crate::macros::projection;
use crate::record_event::{RecordChange, change};
use crate::row_store::{ChangedRows, Row};

pub use queries::*;

/// Its name, for waiting until it has caught up.
pub const NAME: &str = "inquires";

/// The projection.
pub struct Inquires;

/// One inquiry.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct InquireRow {
    /// The inquiry.
    pub id: Uuid,
    /// The product it is about.
    pub product: ProductId,
    /// Seller of the product.
    pub seller: MemberId,
    /// Member who asked.
    pub author: MemberId,
    /// Readable only by its author, the seller and staff.
    pub secret: bool,
    /// Whether it was answered.
    pub state: AnswerState,
    /// Marked as removed.
    pub removed: bool,
    /// Removed by staff: its author may not restore it.
    pub barred: bool,
    /// When the current answer was given.
    #[serde(with = "crate::timestamp::option")]
    pub replied_at: Option<OffsetDateTime>,
    /// The whole record.
    pub data: Map<String, Value>,
    /// Version of the record.
    pub version: i64,
    /// When it was asked.
    #[serde(with = "crate::timestamp")]
    pub created_at: OffsetDateTime,
    /// When it last changed.
    #[serde(with = "crate::timestamp")]
    pub updated_at: OffsetDateTime,
    /// Position of its last event.
    pub position: i64,
}

impl Row for InquireRow {
    const TABLE: &'static str = "p_inquires_v2";
    const KEY: &'static [&'static str] = &["id"];
}

impl InquireRow {
    /// The record, deserialized.
    ///
    /// # Errors
    /// [`ReadError::Shape`] if it does not have the shape this build knows.
    pub fn inquire(&self) -> Result<Inquire, ReadError> {
        Ok(serde_json::from_value(Value::Object(self.data.clone()))?)
    }

    fn new(recorded: &StoredEvent, data: Map<String, Value>) -> Result<Self, ReadError> {
        let inquire: Inquire = serde_json::from_value(Value::Object(data.clone()))?;
        Ok(Self {
            id: stream_id(recorded)?,
            product: inquire.product,
            seller: inquire.seller,
            author: inquire.user,
            secret: inquire.secret,
            state: inquire.state,
            removed: false,
            barred: false,
            replied_at: None,
            data,
            version: 0,
            created_at: at(recorded),
            updated_at: at(recorded),
            position: 0,
        })
    }

    fn reply(&self) -> &str {
        self.data
            .get("reply")
            .and_then(Value::as_str)
            .unwrap_or_default()
    }
}

/// Applies an event to an inquiry; none: the event is its first.
fn after(before: Option<InquireRow>, recorded: &StoredEvent) -> Result<InquireRow, ReadError> {
    let known = |row: Option<InquireRow>| {
        row.ok_or_else(|| ReadError::Unknown(format!("inquire {}", recorded.stream.id)))
    };
    let answer = before.as_ref().map(|row| row.reply().to_owned());
    let mut row = match change(recorded)? {
        RecordChange::Created(data) => {
            let mut row = InquireRow::new(recorded, data)?;
            if let Some(before) = before {
                row.created_at = before.created_at;
                row.replied_at = before.replied_at;
            }
            row
        }
        RecordChange::Revised(fields) => {
            let mut row = known(before)?;
            row.data.extend(fields);
            let inquire = row.inquire()?;
            row.secret = inquire.secret;
            row.state = inquire.state;
            row
        }
        RecordChange::Removed => InquireRow {
            removed: true,
            barred: by_staff(recorded),
            ..known(before)?
        },
    };
    if row.reply() != answer.unwrap_or_default() {
        row.replied_at = (!row.reply().is_empty()).then(|| at(recorded));
    }
    row.version = version(recorded);
    row.updated_at = at(recorded);
    row.position = recorded.position;
    Ok(row)
}

/// An inquiry folded from its events; none without events. Commands decide on this state.
///
/// # Errors
/// [`ReadError`].
pub fn of_events(events: &[StoredEvent]) -> Result<Option<InquireRow>, ReadError> {
    let mut row = None;
    for recorded in events {
        row = Some(after(row, recorded)?);
    }
    Ok(row)
}

async fn apply(connection: &mut PgConnection, batch: &[StoredEvent]) -> Result<(), ReadError> {
    let mut rows = ChangedRows::<InquireRow>::load(
        connection,
        ("id", "uuid"),
        streams(batch, "inquire"),
        |row| row.id.to_string(),
    )
    .await?;
    let before = live(&rows);
    for recorded in of(batch, "inquire") {
        let key = &recorded.stream.id;
        let row = after(rows.known(key).ok().cloned(), recorded)?;
        rows.put(key.clone(), row);
    }
    counts::keep(connection, "p_inquires_v2_counts", &before, live(&rows)).await?;
    rows.save(connection).await
}

fn live(rows: &ChangedRows<InquireRow>) -> Counts {
    counts::of(rows.values().map(|row| ("inquire", row.removed)))
}

projection!(Inquires, version 2, reads "inquire"; rows of one, counted in "p_inquires_v2_counts"; parks);
