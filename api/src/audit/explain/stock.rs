//! Explains the quantity of a stock.

use domain::stock::{Stock, StockEvent};
use event_store::{StoredEvent, StreamId};

use super::{Book, Explanation, Moment, NamedAmount, Unit, unknown, words};
use crate::app::AppState;
use crate::http::AppResult;

/// A stock and its events.
pub struct Pile {
    events: Vec<StoredEvent>,
}

const AVAILABLE: &str = "available";
const TAKEN: &str = "taken";

impl Pile {
    pub async fn open(app: &AppState, id: &str, moment: Moment) -> AppResult<Self> {
        let mut events = app.store.read_stream(&StreamId::of::<Stock>(id)).await?;
        events.retain(|event| event.position <= moment.position);
        match events.is_empty() {
            true => unknown(),
            false => Ok(Self { events }),
        }
    }

    pub fn names(&self) -> Vec<String> {
        vec![AVAILABLE.to_owned(), TAKEN.to_owned()]
    }

    pub fn explain(&self, name: &str) -> AppResult<Explanation> {
        let measure = match name {
            AVAILABLE => |stock: &Stock| i64::from(stock.available),
            TAKEN => |stock: &Stock| i64::try_from(stock.taken).unwrap_or(i64::MAX),
            _ => return unknown(),
        };
        let mut book = Book::default();
        let state = book.write_fold::<Stock>(&self.events, measure, |event, _| match event {
            StockEvent::StockCounted { quantity, .. } => words::counted(*quantity),
            StockEvent::StockTaken { .. } => words::STOCK_TAKEN.to_owned(),
            StockEvent::StockGivenBack { .. } => words::STOCK_GIVEN_BACK.to_owned(),
            StockEvent::StockWrittenOff { .. } => words::STOCK_WRITTEN_OFF.to_owned(),
        })?;
        book.close(NamedAmount {
            name: name.to_owned(),
            label: match name {
                AVAILABLE => words::STOCK_AVAILABLE,
                _ => words::STOCK_HELD,
            }
            .to_owned(),
            unit: Unit::Pieces,
            value: measure(&state),
            says: None,
        })
    }
}
