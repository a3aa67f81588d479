//! Refunds: money owed for claims, and the state of its refund at the gateway.
//!
//! Claims follow from order events and refunds from payment events, in no fixed order, so each has a table of its own; reads join them. The
//! due day is not stored, so that a holiday entered later counts.

mod queries;

use domain::Amount;
use domain::ids::{ClaimId, OrderId, PaymentId, RefundId};
use domain::order::{ClaimKind, OrderEvent, OtherRefund, RefundTerms};
use domain::payment::{PaymentEvent, RefundStage};
use event_store::StoredEvent;
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use time::OffsetDateTime;

use crate::error::ReadError;
use crate::event_decode::{at, event, of, stream_id, streams};
use crate::macros::projection;
use crate::row_store::{ChangedRows, Row};

pub use queries::*;

/// Its name, for waiting until it has caught up.
pub const NAME: &str = "refunds";

/// The projection.
pub struct Refunds;

/// A refund of a payment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefundRow {
    /// The refund.
    pub id: RefundId,
    /// The payment.
    pub payment: PaymentId,
    /// Hundredths.
    pub amount: Amount,
    /// Its stage.
    pub stage: RefundStage,
    /// Completed by a bank transfer outside the gateway.
    pub by_transfer: bool,
    /// When it was first requested.
    #[serde(with = "crate::timestamp")]
    pub requested_at: OffsetDateTime,
    /// When it was completed.
    #[serde(with = "crate::timestamp::option")]
    pub settled_at: Option<OffsetDateTime>,
    /// Result code of the gateway's last refusal.
    pub refusal_code: Option<String>,
    /// Its message.
    pub refusal_message: Option<String>,
    /// The bank's reference of the transfer.
    pub reference: Option<String>,
    /// Position of its last event.
    pub position: i64,
}

impl Row for RefundRow {
    const TABLE: &'static str = "p_refunds_v3";
    const KEY: &'static [&'static str] = &["id"];
}

/// Money owed for a claim.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OwedRow {
    /// The claim.
    pub claim: ClaimId,
    /// Its order.
    pub order_id: OrderId,
    /// Its kind.
    pub kind: ClaimKind,
    /// Numbers of the purchases it covers.
    pub purchase_nos: Vec<String>,
    /// Refund amount, an estimate until it is approved, hundredths.
    pub money: Amount,
    /// When it was requested.
    #[serde(with = "crate::timestamp")]
    pub requested_at: OffsetDateTime,
    /// Since when the money is owed: the request of a cancellation, the inspection of a return, the replacement of a cheaper exchange, the
    /// rejection of a paid one.
    #[serde(with = "crate::timestamp::option")]
    pub owed_since: Option<OffsetDateTime>,
    /// Approved.
    pub approved: bool,
    /// The refund with the order's payment, once approved, unless its amount is zero.
    pub refund: Option<RefundId>,
    /// The refunds with other payments.
    pub others: Vec<OtherRefund>,
    /// Completed, rejected or withdrawn; a refund that staff transfer: sent.
    pub closed: bool,
    /// The refund that staff transfer because no payment took the money: the fee of a rejected exchange.
    pub transfer: Option<RefundId>,
    /// When they sent it.
    #[serde(with = "crate::timestamp::option")]
    pub transferred_at: Option<OffsetDateTime>,
    /// The bank's reference of that transfer.
    pub reference: Option<String>,
    /// Position of its last event.
    pub position: i64,
}

impl Row for OwedRow {
    const TABLE: &'static str = "p_refunds_v3_claims";
    const KEY: &'static [&'static str] = &["claim"];
}

impl OwedRow {
    fn requested(recorded: &StoredEvent, event: &OrderEvent) -> Result<Option<Self>, ReadError> {
        if let OrderEvent::PriceDifferenceRefunded {
            claim,
            purchase_no,
            refund,
            terms,
        } = event
        {
            return Ok(Some(Self {
                claim: *claim,
                order_id: stream_id(recorded)?,
                kind: ClaimKind::Exchange,
                purchase_nos: vec![purchase_no.clone()],
                money: terms.money,
                requested_at: at(recorded),
                owed_since: Some(at(recorded)),
                approved: true,
                refund: *refund,
                others: terms.others.clone(),
                closed: false,
                transfer: None,
                transferred_at: None,
                reference: None,
                position: recorded.position,
            }));
        }
        if let OrderEvent::ExchangeFeeRefunded {
            claim,
            purchase_no,
            amount,
            payment,
            refund,
            price: _,
        } = event
        {
            return Ok(Some(Self {
                claim: *claim,
                order_id: stream_id(recorded)?,
                kind: ClaimKind::Exchange,
                purchase_nos: vec![purchase_no.clone()],
                money: *amount,
                requested_at: at(recorded),
                owed_since: Some(at(recorded)),
                approved: true,
                refund: None,
                others: payment
                    .map(|payment| OtherRefund {
                        payment,
                        refund: *refund,
                        amount: *amount,
                    })
                    .into_iter()
                    .collect(),
                closed: false,
                transfer: payment.is_none().then_some(*refund),
                transferred_at: None,
                reference: None,
                position: recorded.position,
            }));
        }
        let (claim, kind, purchase_nos, money) = match event {
            OrderEvent::CancelRequested {
                claim,
                purchase_nos,
                refund,
                ..
            } => (claim, ClaimKind::Cancel, purchase_nos.clone(), refund.money),
            OrderEvent::ReturnRequested {
                claim,
                purchase_no,
                refund,
                ..
            } => {
                let purchase_nos = vec![purchase_no.clone()];
                (claim, ClaimKind::Return, purchase_nos, refund.money)
            }
            _ => return Ok(None),
        };
        let requested_at = at(recorded);
        Ok(Some(Self {
            claim: *claim,
            order_id: stream_id(recorded)?,
            kind,
            purchase_nos,
            money,
            requested_at,
            owed_since: (kind == ClaimKind::Cancel).then_some(requested_at),
            approved: false,
            refund: None,
            others: Vec::new(),
            closed: false,
            transfer: None,
            transferred_at: None,
            reference: None,
            position: recorded.position,
        }))
    }
}

/// Effect of an event on a requested claim.
enum Step {
    GoodsBack,
    Approved(Option<RefundId>, RefundTerms),
    Transferred(String),
    Closed,
}

/// The claim an event concerns, and its effect on it.
fn step(event: OrderEvent) -> Option<(ClaimId, Step)> {
    match event {
        OrderEvent::GoodsInspected { claim, .. } => Some((claim, Step::GoodsBack)),
        OrderEvent::CancelApproved {
            claim,
            refund,
            terms,
        }
        | OrderEvent::ReturnApproved {
            claim,
            refund,
            terms,
        } => Some((claim, Step::Approved(refund, terms))),
        OrderEvent::FeeRefundTransferred {
            claim, reference, ..
        } => Some((claim, Step::Transferred(reference))),
        OrderEvent::CancelRejected { claim, .. }
        | OrderEvent::CancelCompleted { claim }
        | OrderEvent::ReturnRejected { claim, .. }
        | OrderEvent::ReturnCompleted { claim }
        | OrderEvent::ClaimWithdrawn { claim, .. } => Some((claim, Step::Closed)),
        _ => None,
    }
}

async fn apply_claims(
    connection: &mut PgConnection,
    batch: &[StoredEvent],
) -> Result<(), ReadError> {
    let mut rows = ChangedRows::<OwedRow>::load(
        connection,
        ("order_id", "uuid"),
        streams(batch, "order"),
        |row| row.claim.to_string(),
    )
    .await?;
    for recorded in of(batch, "order") {
        let event: OrderEvent = event(recorded)?;
        if let Some(row) = OwedRow::requested(recorded, &event)? {
            rows.put(row.claim.to_string(), row);
        }
        let Some((claim, step)) = step(event) else {
            continue;
        };
        // exchanges have a refund only once their cheaper replacement is sent
        if rows.get(&claim.to_string()).is_none() {
            continue;
        }
        let row = rows.known(&claim.to_string())?;
        match step {
            Step::GoodsBack => row.owed_since = Some(at(recorded)),
            Step::Approved(refund, terms) => {
                row.approved = true;
                row.refund = refund;
                row.money = terms.money;
                row.others = terms.others;
            }
            Step::Transferred(reference) => {
                row.closed = true;
                row.transferred_at = Some(at(recorded));
                row.reference = Some(reference);
            }
            Step::Closed => row.closed = true,
        }
        row.position = recorded.position;
    }
    rows.save(connection).await
}

async fn apply_refunds(
    connection: &mut PgConnection,
    batch: &[StoredEvent],
) -> Result<(), ReadError> {
    let mut rows = ChangedRows::<RefundRow>::load(
        connection,
        ("payment", "uuid"),
        streams(batch, "payment"),
        |row| row.id.to_string(),
    )
    .await?;
    for recorded in of(batch, "payment") {
        let when = at(recorded);
        let id = match event(recorded)? {
            PaymentEvent::RefundRequested { refund, amount, .. } => {
                let payment = stream_id(recorded)?;
                let row = rows.entry(&refund.to_string(), || RefundRow {
                    id: refund,
                    payment,
                    amount,
                    stage: RefundStage::Requested,
                    by_transfer: false,
                    requested_at: when,
                    settled_at: None,
                    refusal_code: None,
                    refusal_message: None,
                    reference: None,
                    position: 0,
                });
                row.stage = RefundStage::Requested;
                refund
            }
            PaymentEvent::RefundUnknown { refund, .. } => {
                rows.known(&refund.to_string())?.stage = RefundStage::Unknown;
                refund
            }
            PaymentEvent::RefundRefused {
                refund,
                code,
                message,
            } => {
                let row = rows.known(&refund.to_string())?;
                row.stage = RefundStage::Refused;
                row.refusal_code = Some(code);
                row.refusal_message = Some(message);
                refund
            }
            PaymentEvent::RefundCompleted { refund, .. } => {
                let row = rows.known(&refund.to_string())?;
                row.stage = RefundStage::Completed;
                row.settled_at = Some(when);
                refund
            }
            PaymentEvent::RefundTransferred {
                refund, reference, ..
            } => {
                let row = rows.known(&refund.to_string())?;
                row.stage = RefundStage::Completed;
                row.settled_at = Some(when);
                row.by_transfer = true;
                row.reference = Some(reference);
                refund
            }
            _ => continue,
        };
        rows.known(&id.to_string())?.position = recorded.position;
    }
    rows.save(connection).await
}

async fn apply(connection: &mut PgConnection, batch: &[StoredEvent]) -> Result<(), ReadError> {
    apply_claims(connection, batch).await?;
    apply_refunds(connection, batch).await
}

projection!(Refunds, version 3, reads "order", "payment"; rows of one; stops);
