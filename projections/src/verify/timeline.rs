//! The history of orders, compared while the log is read: it is as long as the log itself.

use std::collections::HashMap;

use domain::coupon::{CampaignEvent, IssuedCouponEvent};
use domain::ids::OrderId;
use domain::payment::PaymentEvent;
use domain::points::PointsEvent;
use domain::stock::StockEvent;
use domain::user_payment::{UserPaymentEvent, UserPaymentPurpose};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use sqlx::postgres::PgRow;
use sqlx::types::Json as Stored;
use sqlx::{FromRow, PgConnection, Row};
use time::OffsetDateTime;
use uuid::Uuid;

use super::compare::{Checker, kept, moment, same};
use super::decoded_log::{DecodedEvent, Event};
use super::fold_runner::understood;
use super::json::Json;
use super::timing::{Paces, Work};
use super::{VerifyError, id};
use crate::error::ReadError;

/// Name of the projection.
pub(super) const NAME: &str = "order_timeline";
/// Number of columns of a row.
const COLUMNS: usize = 17;

/// Key of a row: its order, its position, and its index among the events of that position.
type Place = (OrderId, i64, i64);

/// Compares the history of orders with the log.
pub(super) struct Timeline {
    /// The position it is compared up to; none: not requested, or stopped by an event that could not be decoded.
    up_to: Option<i64>,
    /// The order of a payment or user payment.
    payments: HashMap<String, OrderId>,
    /// Findings.
    pub checker: Checker,
    /// Time spent.
    pub paces: Paces,
}

impl Timeline {
    /// For a read model at this position.
    pub fn up_to(position: Option<i64>) -> Self {
        Self {
            up_to: position,
            payments: HashMap::new(),
            checker: Checker::default(),
            paces: Paces::new(),
        }
    }

    /// Whether it was compared without differences.
    pub fn is_right(&self) -> bool {
        self.up_to.is_some() && self.checker.finds_nothing()
    }

    /// Compares the rows at a page's positions with its events.
    pub fn compare(&mut self, page: &[DecodedEvent], rows: &[PgRow]) -> Result<(), VerifyError> {
        let Some(up_to) = self.up_to else {
            return Ok(());
        };
        let work = Work::begin();
        let compared = self.compare_to(page, up_to, rows);
        let sizes = (u64::try_from(page.len())?, u64::try_from(rows.len())?);
        work.done(&mut self.paces, NAME, sizes);
        if !understood(&mut self.checker, NAME, compared)? {
            self.up_to = None;
        }
        Ok(())
    }

    fn order(&mut self, told: &DecodedEvent) -> Result<Option<OrderId>, VerifyError> {
        Ok(match told.stream.kind.as_str() {
            "order" => Some(id(told)?),
            "payment" => {
                if let Event::Payment(PaymentEvent::PaymentStarted { order, .. }) = told.event()? {
                    self.payments.insert(told.stream.id.clone(), *order);
                }
                self.payments.get(&told.stream.id).copied()
            }
            "user-payment" => {
                if let Event::UserPayment(UserPaymentEvent::UserPaymentRequested {
                    purpose, ..
                }) = told.event()?
                {
                    let UserPaymentPurpose::ExchangeFee { order, .. } = purpose;
                    self.payments.insert(told.stream.id.clone(), *order);
                }
                self.payments.get(&told.stream.id).copied()
            }
            "stock" | "coupon-campaign" | "issued-coupon" | "points" => of_ledger(told.event()?),
            _ => None,
        })
    }

    fn compare_to(
        &mut self,
        page: &[DecodedEvent],
        to: i64,
        rows: &[PgRow],
    ) -> Result<(), VerifyError> {
        let mut wanted: HashMap<Place, &DecodedEvent> = HashMap::with_capacity(page.len());
        let mut before = 0;
        let mut part = 0_i64;
        for told in page.iter().filter(|told| told.position <= to) {
            part = if told.position == before { part + 1 } else { 0 };
            before = told.position;
            if let Some(order) = self.order(told)? {
                wanted.insert((order, before, part), told);
            }
        }
        for row in rows {
            let found = TimelineRow::from_row(row)?;
            let place = found.place();
            let told = wanted.remove(&place);
            if row.len() == COLUMNS && told.is_some_and(|told| found.agrees(told)) {
                self.checker.checked = self.checker.checked.saturating_add(1);
                continue;
            }
            let (order, position, part) = place;
            let key = format!("{order}/{position}/{part}");
            let expected = told.map(|told| expected(place, told)).transpose()?;
            let found = found.value(row.len()).to_string();
            let found: Json<'_> = serde_json::from_str(&found).map_err(ReadError::from)?;
            self.checker
                .row(NAME, &key, expected.as_ref(), Some(&found));
        }
        let mut missing: Vec<(Place, &DecodedEvent)> = wanted.into_iter().collect();
        missing.sort_by_key(|(place, _)| *place);
        for (place, told) in missing {
            let (order, position, part) = place;
            let key = format!("{order}/{position}/{part}");
            self.checker
                .row(NAME, &key, Some(&expected(place, told)?), None);
        }
        Ok(())
    }
}

/// The order for which stock, a coupon or points were taken or given back.
fn of_ledger(event: &Event) -> Option<OrderId> {
    match event {
        Event::Stock(
            StockEvent::StockTaken { order, .. }
            | StockEvent::StockGivenBack { order, .. }
            | StockEvent::StockWrittenOff { order, .. },
        )
        | Event::Campaign(
            CampaignEvent::CouponUseCounted { order, .. }
            | CampaignEvent::CouponUseReturned { order, .. },
        )
        | Event::IssuedCoupon(
            IssuedCouponEvent::CouponUsed { order, .. }
            | IssuedCouponEvent::CouponReturned { order },
        )
        | Event::Points(
            PointsEvent::PointsSpent { order, .. }
            | PointsEvent::PointsRestored { order, .. }
            | PointsEvent::PointsRevoked { order, .. },
        ) => Some(*order),
        Event::Points(PointsEvent::PointsGranted { order, .. }) => *order,
        _ => None,
    }
}

/// The rows with positions after one up to another.
pub(super) async fn rows(
    connection: &mut PgConnection,
    from: i64,
    to: i64,
) -> Result<Vec<PgRow>, VerifyError> {
    if to <= from {
        return Ok(Vec::new());
    }
    Ok(
        sqlx::query("SELECT * FROM order_timeline WHERE position > $1 AND position <= $2")
            // a cached statement would fail after a version change with other columns
            .persistent(false)
            .bind(from)
            .bind(to)
            .fetch_all(connection)
            .await?,
    )
}

/// A row of the timeline with all of its columns.
#[derive(FromRow)]
struct TimelineRow {
    order_id: Uuid,
    position: i64,
    part: i32,
    stream_kind: String,
    stream_id: String,
    version: i64,
    r#type: String,
    data: Stored<Box<RawValue>>,
    actor: Option<Stored<Box<RawValue>>>,
    reason: Option<String>,
    command: Option<String>,
    command_id: Option<Uuid>,
    event_id: Uuid,
    correlation_id: Uuid,
    causation_id: Option<Uuid>,
    at: OffsetDateTime,
    recorded_at: OffsetDateTime,
}

fn read(text: &Stored<Box<RawValue>>) -> Result<Json<'_>, serde_json::Error> {
    serde_json::from_str(text.0.get())
}

impl TimelineRow {
    fn place(&self) -> Place {
        (self.order_id.into(), self.position, i64::from(self.part))
    }

    /// Whether it equals the event, apart from its key. If not, [`expected`] shows the difference.
    fn agrees(&self, told: &DecodedEvent) -> bool {
        let said = &told.metadata;
        let actor = match &self.actor {
            None => said.actor.is_null(),
            Some(actor) => read(actor).is_ok_and(|actor| same(&said.actor, &actor)),
        };
        let data = || match (read(&self.data), told.payload.read()) {
            (Ok(found), Ok(payload)) => without_people(payload) == found,
            _ => false,
        };
        self.stream_kind == told.stream.kind
            && self.stream_id == told.stream.id
            && u64::try_from(self.version) == Ok(told.version)
            && self.r#type == told.event_type
            && actor
            && self.reason == said.reason
            && self.command == said.command
            && self.command_id == said.command_id
            && self.event_id == told.event_id
            && self.correlation_id == said.correlation_id
            && self.causation_id == said.causation_id
            && self.at == kept(said.occurred_at)
            && self.recorded_at == kept(told.recorded_at)
            && data()
    }

    /// The row for a report; with another number of columns, that number.
    fn value(&self, columns: usize) -> Value {
        let mut row = json!({
            "order_id": self.order_id,
            "position": self.position,
            "part": self.part,
            "stream_kind": self.stream_kind,
            "stream_id": self.stream_id,
            "version": self.version,
            "type": self.r#type,
            "data": self.data,
            "actor": self.actor,
            "reason": self.reason,
            "command": self.command,
            "command_id": self.command_id,
            "event_id": self.event_id,
            "correlation_id": self.correlation_id,
            "causation_id": self.causation_id,
            "at": moment(self.at),
            "recorded_at": moment(self.recorded_at),
        });
        if let Value::Object(fields) = &mut row
            && columns != COLUMNS
        {
            fields.insert("columns".to_owned(), columns.into());
        }
        row
    }
}

fn expected((order, position, part): Place, told: &DecodedEvent) -> Result<Value, VerifyError> {
    let said = &told.metadata;
    let payload = told.payload.read().map_err(ReadError::from)?;
    Ok(json!({
        "order_id": order,
        "position": position,
        "part": part,
        "stream_kind": told.stream.kind,
        "stream_id": told.stream.id,
        "version": told.version,
        "type": told.event_type,
        "data": without_people(payload).value(),
        "actor": said.actor,
        "reason": said.reason,
        "command": said.command,
        "command_id": said.command_id,
        "event_id": told.event_id,
        "correlation_id": said.correlation_id,
        "causation_id": said.causation_id,
        "at": moment(said.occurred_at),
        "recorded_at": moment(told.recorded_at),
    }))
}

/// Masks seals and phone hashes, neither of which may be in a history.
fn without_people(value: Json<'_>) -> Json<'_> {
    let hidden = || Json::Text("●●●".into());
    match value {
        Json::Object(_) if value.get("sealed").is_some() => hidden(),
        Json::Object(fields) => {
            let field = |(name, value)| match name {
                name if name == "contactHash" => (name, hidden()),
                name => (name, without_people(value)),
            };
            Json::Object(fields.into_iter().map(field).collect())
        }
        Json::List(items) => Json::List(items.into_iter().map(without_people).collect()),
        other => other,
    }
}
