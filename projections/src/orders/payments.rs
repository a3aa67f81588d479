//! The attempts to pay an order, with what was refunded.

use domain::Amount;
use domain::ids::{MemberId, OrderId, PaymentId};
use domain::order::PaymentMethod;
use domain::payment::PaymentEvent;
use event_store::Recorded;
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use time::OffsetDateTime;
use utoipa::ToSchema;

use crate::error::ReadError;
use crate::recorded::{at, event, of, stream_id, streams, version};
use crate::table::{Row, Touched};

/// The specification's status of a payment (machine `payment`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub enum PaymentStatus {
    /// Not approved (yet).
    #[serde(rename = "PAYMENT_AWAITING")]
    Awaiting,
    /// Approved.
    #[serde(rename = "PAYMENT_COMPLETED")]
    Completed,
    /// Given up, refused, undone, or refunded in full.
    #[serde(rename = "PAYMENT_CANCELED")]
    Canceled,
}

/// How far an attempt is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum PaymentStep {
    /// The payment window was prepared.
    Started,
    /// The gateway was asked to approve.
    Requested,
    /// The gateway said yes.
    Approved,
    /// The gateway said no.
    Refused,
    /// Nobody knows.
    Unknown,
    /// An unknown approval was undone.
    NetCanceled,
    /// The buyer gave it up.
    Abandoned,
}

/// One attempt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PaymentRow {
    /// The attempt.
    pub id: PaymentId,
    /// The order it pays.
    pub order_id: OrderId,
    /// The number of that order.
    pub order_no: String,
    /// Who pays; none for a guest.
    pub member: Option<MemberId>,
    /// 1, 2, 3, ...
    pub attempt: u32,
    /// What the gateway calls it.
    pub gateway_order_id: String,
    /// How.
    pub method: PaymentMethod,
    /// The specification's status.
    pub status: PaymentStatus,
    /// How far exactly.
    pub step: PaymentStep,
    /// Hundredths.
    pub amount: Amount,
    /// Hundredths given back.
    pub refunded: Amount,
    /// The gateway's transaction id.
    pub tid: Option<String>,
    /// When the gateway said yes.
    #[serde(with = "crate::instant::option")]
    pub approved_at: Option<OffsetDateTime>,
    /// Receipt page of the gateway.
    pub receipt_url: Option<String>,
    /// When the window was prepared.
    #[serde(with = "crate::instant")]
    pub started_at: OffsetDateTime,
    /// Version of the stream.
    pub version: i64,
    /// Position of its last event.
    pub position: i64,
}

impl Row for PaymentRow {
    const TABLE: &'static str = "p_orders_v1_payments";
    const KEY: &'static [&'static str] = &["id"];
}

/// An attempt as the wire shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PaymentCard {
    /// The attempt.
    #[serde(rename = "_id")]
    pub id: PaymentId,
    /// The order it pays.
    #[serde(rename = "_order")]
    pub order: OrderId,
    /// The number of that order.
    pub order_no: String,
    /// 1, 2, 3, ...
    pub attempt: u32,
    /// How.
    pub method: PaymentMethod,
    /// The specification's status.
    pub status: PaymentStatus,
    /// How far exactly.
    pub step: PaymentStep,
    /// Hundredths.
    pub amount: Amount,
    /// Hundredths given back.
    pub refunded: Amount,
    /// When the gateway said yes.
    #[serde(with = "crate::instant::option")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub approved_at: Option<OffsetDateTime>,
    /// Receipt page of the gateway.
    pub receipt_url: Option<String>,
    /// When the window was prepared.
    #[serde(with = "crate::instant")]
    #[schema(value_type = String, format = DateTime)]
    pub created_at: OffsetDateTime,
}

impl From<PaymentRow> for PaymentCard {
    fn from(row: PaymentRow) -> Self {
        Self {
            id: row.id,
            order: row.order_id,
            order_no: row.order_no,
            attempt: row.attempt,
            method: row.method,
            status: row.status,
            step: row.step,
            amount: row.amount,
            refunded: row.refunded,
            approved_at: row.approved_at,
            receipt_url: row.receipt_url,
            created_at: row.started_at,
        }
    }
}

impl PaymentRow {
    fn fold(&mut self, event: PaymentEvent, at: OffsetDateTime) -> Result<(), ReadError> {
        let mut goes = |step, status| {
            self.step = step;
            self.status = status;
        };
        match event {
            // the row was made of it
            PaymentEvent::PaymentStarted { .. } => {}
            PaymentEvent::PaymentApprovalRequested { tid, .. } => {
                goes(PaymentStep::Requested, PaymentStatus::Awaiting);
                self.tid = Some(tid);
            }
            PaymentEvent::PaymentApproved {
                tid, receipt_url, ..
            } => {
                goes(PaymentStep::Approved, PaymentStatus::Completed);
                self.tid = Some(tid);
                self.receipt_url = receipt_url;
                self.approved_at = Some(at);
            }
            PaymentEvent::PaymentRefused { .. } => {
                goes(PaymentStep::Refused, PaymentStatus::Canceled);
            }
            PaymentEvent::PaymentApprovalUnknown { tid, .. } => {
                goes(PaymentStep::Unknown, PaymentStatus::Awaiting);
                self.tid = Some(tid);
            }
            PaymentEvent::PaymentNetCanceled { .. } => {
                goes(PaymentStep::NetCanceled, PaymentStatus::Canceled);
            }
            PaymentEvent::PaymentAbandoned { .. } => {
                goes(PaymentStep::Abandoned, PaymentStatus::Canceled);
            }
            PaymentEvent::RefundCompleted { amount, .. } => {
                self.refunded = self.refunded.plus(amount)?;
                if self.refunded >= self.amount {
                    self.status = PaymentStatus::Canceled;
                }
            }
            PaymentEvent::RefundRequested { .. }
            | PaymentEvent::RefundUnknown { .. }
            | PaymentEvent::RefundRefused { .. } => {}
        }
        Ok(())
    }
}

pub(super) async fn apply(
    connection: &mut PgConnection,
    batch: &[Recorded],
) -> Result<(), ReadError> {
    let mut rows = Touched::<PaymentRow>::load(
        connection,
        ("id", "uuid"),
        streams(batch, "payment"),
        |row| row.id.to_string(),
    )
    .await?;
    for recorded in of(batch, "payment") {
        let key = &recorded.stream.id;
        let event: PaymentEvent = event(recorded)?;
        if let PaymentEvent::PaymentStarted {
            order,
            order_no,
            attempt,
            gateway_order_id,
            amount,
            method,
            member,
        } = &event
        {
            rows.put(
                key.clone(),
                PaymentRow {
                    id: stream_id(recorded)?,
                    order_id: *order,
                    order_no: order_no.clone(),
                    member: *member,
                    attempt: *attempt,
                    gateway_order_id: gateway_order_id.clone(),
                    method: *method,
                    status: PaymentStatus::Awaiting,
                    step: PaymentStep::Started,
                    amount: *amount,
                    refunded: Amount::ZERO,
                    tid: None,
                    approved_at: None,
                    receipt_url: None,
                    started_at: at(recorded),
                    version: 0,
                    position: 0,
                },
            );
        }
        let row = rows.known(key)?;
        row.fold(event, at(recorded))?;
        row.version = version(recorded);
        row.position = recorded.position;
    }
    rows.save(connection).await
}
