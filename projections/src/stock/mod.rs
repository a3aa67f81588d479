//! Quantity on hand of each stock, and units sold.

mod queries;

use domain::ids::{ProductId, StockId};
use domain::stock::StockEvent;
use event_store::StoredEvent;
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;

use crate::error::ReadError;
use crate::event_decode::{event, of, stream_id, streams, version};
use crate::macros::projection;
use crate::row_store::{ChangedRows, Row};

pub use queries::*;

/// Its name, for waiting until it has caught up.
pub const NAME: &str = "stock";

/// The projection.
pub struct Stock;

/// One stock.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StockRow {
    /// Id of the stock.
    pub id: StockId,
    /// The product it belongs to; none before the first count.
    pub product: Option<ProductId>,
    /// Sum of the corrections made by counts, units.
    pub counted: i64,
    /// Units taken by orders, in total.
    pub taken: i64,
    /// Units returned by orders, in total.
    pub given_back: i64,
    /// Units taken by orders that came back unsellable, in total.
    pub written_off: i64,
    /// Units that can be sold.
    pub available: i64,
    /// Units sold: taken, and neither returned nor written off.
    pub sells: i64,
    /// Version of the stream.
    pub version: i64,
    /// Position of its last event.
    pub position: i64,
}

impl Row for StockRow {
    const TABLE: &'static str = "p_stock_v2";
    const KEY: &'static [&'static str] = &["id"];
}

impl StockRow {
    fn new(id: StockId) -> Self {
        Self {
            id,
            product: None,
            counted: 0,
            taken: 0,
            given_back: 0,
            written_off: 0,
            available: 0,
            sells: 0,
            version: 0,
            position: 0,
        }
    }

    fn fold(&mut self, event: StockEvent) {
        match event {
            StockEvent::StockCounted { product, quantity } => {
                let quantity = i64::from(quantity);
                self.product = Some(product);
                self.counted += quantity - self.available;
                self.available = quantity;
            }
            StockEvent::StockTaken { quantity, .. } => {
                let quantity = i64::from(quantity);
                self.taken += quantity;
                self.available -= quantity;
            }
            StockEvent::StockGivenBack { quantity, .. } => {
                let quantity = i64::from(quantity);
                self.given_back += quantity;
                self.available += quantity;
            }
            StockEvent::StockWrittenOff { quantity, .. } => {
                self.written_off += i64::from(quantity);
            }
        }
        self.sells = self.taken - self.given_back - self.written_off;
    }
}

async fn apply(connection: &mut PgConnection, batch: &[StoredEvent]) -> Result<(), ReadError> {
    let mut rows =
        ChangedRows::<StockRow>::load(connection, ("id", "uuid"), streams(batch, "stock"), |row| {
            row.id.to_string()
        })
        .await?;
    for recorded in of(batch, "stock") {
        let id = stream_id(recorded)?;
        let row = rows.entry(&recorded.stream.id, || StockRow::new(id));
        row.fold(event(recorded)?);
        row.version = version(recorded);
        row.position = recorded.position;
    }
    rows.save(connection).await
}

projection!(Stock, version 2, reads "stock"; rows of one; stops);
