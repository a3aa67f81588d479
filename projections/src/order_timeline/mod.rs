//! The history of each order across all streams: its own, its payments, its exchange fees, and what it took from or returned to stock,
//! coupons and points.
//!
//! Personal data is masked before it is stored, so every reader who may see the order may see its history.
//!
//! Rows hold events in their newest schema. Changing the schema of an event (`domain::upcasting`) requires a new version of this read
//! model; otherwise existing rows would keep the old schema.

mod queries;
mod titles;

use std::collections::BTreeMap;

use domain::coupon::{CampaignEvent, IssuedCouponEvent};
use domain::ids::OrderId;
use domain::payment::PaymentEvent;
use domain::points::PointsEvent;
use domain::stock::StockEvent;
use domain::user_payment::{UserPaymentEvent, UserPaymentPurpose};
use event_store::StoredEvent;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use sqlx::PgConnection;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::error::ReadError;
use crate::event_decode::{at, event, parts, stream_id, streams, version};
use crate::macros::projection;
use crate::mask;
use crate::row_store::{Row, insert};
use crate::timestamp::whole_micros;

pub use queries::*;

/// Its name, for waiting until it has caught up.
pub const NAME: &str = "order_timeline";

/// The projection.
pub struct OrderTimeline;

/// One event of an order; its content as a value, or as the text it is written as.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OrderEventRow<Data = Value> {
    /// The order.
    pub order_id: OrderId,
    /// Position in the log.
    pub position: i64,
    /// Id of the event; events it caused have it as their causation id.
    pub event_id: Uuid,
    /// Index among the events that share the position.
    pub part: i32,
    /// Kind of the stream it is in.
    pub stream_kind: String,
    /// Id of that stream.
    pub stream_id: String,
    /// Version of that stream after it.
    pub version: i64,
    /// Type of the event.
    #[serde(rename = "type")]
    pub event_type: String,
    /// Its content, personal data masked.
    pub data: Data,
    /// `domain::Actor` that caused it.
    pub actor: Value,
    /// Reason given.
    pub reason: Option<String>,
    /// Name of the command that decided it.
    pub command: Option<String>,
    /// Id of that command.
    pub command_id: Option<Uuid>,
    /// Correlation id: shared by all events of one request.
    pub correlation_id: Uuid,
    /// Id of the event or request that caused it.
    pub causation_id: Option<Uuid>,
    /// When it happened, by the shop's clock.
    #[serde(with = "crate::timestamp")]
    pub at: OffsetDateTime,
    /// When the database wrote it.
    #[serde(with = "crate::timestamp")]
    pub recorded_at: OffsetDateTime,
}

impl Row for OrderEventRow<Box<RawValue>> {
    const TABLE: &'static str = "p_order_timeline_v10";
    const KEY: &'static [&'static str] = &["order_id", "position", "part"];
}

/// The order an event belongs to, if any. `payments` maps payments and user payments to their orders.
fn order_of(
    recorded: &StoredEvent,
    payments: &mut BTreeMap<String, OrderId>,
) -> Result<Option<OrderId>, ReadError> {
    Ok(match recorded.stream.kind.as_str() {
        "order" => Some(stream_id(recorded)?),
        "payment" => {
            if let PaymentEvent::PaymentStarted { order, .. } = event(recorded)? {
                payments.insert(recorded.stream.id.clone(), order);
            }
            payments.get(&recorded.stream.id).copied()
        }
        "user-payment" => {
            if let UserPaymentEvent::UserPaymentRequested { purpose, .. } = event(recorded)? {
                let UserPaymentPurpose::ExchangeFee { order, .. } = purpose;
                payments.insert(recorded.stream.id.clone(), order);
            }
            payments.get(&recorded.stream.id).copied()
        }
        "stock" => match event(recorded)? {
            StockEvent::StockTaken { order, .. }
            | StockEvent::StockGivenBack { order, .. }
            | StockEvent::StockWrittenOff { order, .. } => Some(order),
            StockEvent::StockCounted { .. } => None,
        },
        "coupon-campaign" => match event(recorded)? {
            CampaignEvent::CouponUseCounted { order, .. }
            | CampaignEvent::CouponUseReturned { order, .. } => Some(order),
            CampaignEvent::CampaignLimited { .. } | CampaignEvent::CouponDrawn { .. } => None,
        },
        "issued-coupon" => match event(recorded)? {
            IssuedCouponEvent::CouponUsed { order, .. }
            | IssuedCouponEvent::CouponReturned { order } => Some(order),
            IssuedCouponEvent::CouponIssued { .. }
            | IssuedCouponEvent::CouponRoundPassed { .. }
            | IssuedCouponEvent::CouponTaken { .. }
            | IssuedCouponEvent::CouponBroughtBack { .. }
            | IssuedCouponEvent::CouponPeriodChanged { .. } => None,
        },
        "points" => match event(recorded)? {
            PointsEvent::PointsSpent { order, .. }
            | PointsEvent::PointsRestored { order, .. }
            | PointsEvent::PointsRevoked { order, .. } => Some(order),
            PointsEvent::PointsGranted { order, .. } => order,
            PointsEvent::PointsExpired { .. }
            | PointsEvent::PointsTaken { .. }
            | PointsEvent::PointsLifeChanged { .. }
            | PointsEvent::PointsExpiryAnnounced { .. } => None,
        },
        _ => None,
    })
}

async fn apply(connection: &mut PgConnection, batch: &[StoredEvent]) -> Result<(), ReadError> {
    let asked = streams(batch, "user-payment");
    let ids: Vec<String> = streams(batch, "payment").chain(asked).collect();
    let known: Vec<(String, Uuid)> = sqlx::query_as(
        "SELECT stream_id, order_id FROM p_order_timeline_v10 \
         WHERE type IN ('PaymentStarted', 'UserPaymentRequested') AND stream_id = ANY($1)",
    )
    .bind(ids)
    .fetch_all(&mut *connection)
    .await?;
    let mut payments = known
        .into_iter()
        .map(|(payment, order)| (payment, OrderId(order)))
        .collect();

    let mut rows = Vec::new();
    for (part, recorded) in parts(batch) {
        let Some(order_id) = order_of(recorded, &mut payments)? else {
            continue;
        };
        rows.push(OrderEventRow {
            order_id,
            position: recorded.position,
            event_id: recorded.event_id,
            part,
            stream_kind: recorded.stream.kind.clone(),
            stream_id: recorded.stream.id.clone(),
            version: version(recorded),
            event_type: recorded.event_type.clone(),
            data: mask::content(recorded)?,
            actor: recorded.metadata.actor.clone(),
            reason: recorded.metadata.reason.clone(),
            command: recorded.metadata.command.clone(),
            command_id: recorded.metadata.command_id,
            correlation_id: recorded.metadata.correlation_id,
            causation_id: recorded.metadata.causation_id,
            at: at(recorded),
            recorded_at: whole_micros(recorded.recorded_at),
        });
    }
    insert(connection, &rows).await
}

projection!(OrderTimeline, version 10, reads "order", "payment", "user-payment", "stock", "coupon-campaign", "issued-coupon", "points"; rows of one; parks);

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use domain::upcasting::UPCASTERS;

    /// Rows hold events in the schema of the program that wrote them. When the schema of an event changes, existing rows are outdated: this
    /// read model needs a new version, and then a line here.
    #[test]
    fn its_rows_are_in_todays_words() {
        let old: BTreeSet<String> = UPCASTERS
            .iter()
            .map(|old| format!("{} {}", old.event_type, old.version))
            .collect();
        let since_version_10 = [
            "PurchaseCompleted 1.0",
            "CouponDrawn 1.0",
            // belongs to no order
            "CouponDrawn 2.0",
            "CampaignLimited 1.0",
            "CouponIssued 1.0",
            "CouponIssued 2.0",
            // belongs to no order
            "CouponIssued 3.0",
            "BulkGrantOrdered 1.0",
            "BulkGrantPartGiven 1.0",
            "CouponRoundPassed 1.0",
            "MemberJoined 1.0",
            "ProfileRevised 1.0",
            "CouponUseCounted 1.0",
            "CouponUseReturned 1.0",
            // upcast when read
            "OrderCanceled 1.0",
            "CancelRequested 1.0",
            "CancelRequested 2.0",
            "CancelApproved 1.0",
            "OrderPlaced 1.0",
            "PurchaseShipped 1.0",
            "PointsGranted 1.0",
            "PaymentStarted 1.0",
            "ExchangeFeeReceived 1.0",
            "ExchangeFeeReceived 2.0",
            "ReturnApproved 1.0",
            "ExchangeFeeRefunded 1.0",
            "PriceDifferenceRefunded 1.0",
            "ReturnRequested 1.0",
            "ExchangeRequested 1.0",
            "ExchangeRequested 2.0",
            "ExchangeRequested 3.0",
            "PurchaseSplit 1.0",
        ];
        let since_version_10 = since_version_10.map(str::to_owned).into();
        assert_eq!(old, since_version_10, "give order_timeline a new version");
    }
}
