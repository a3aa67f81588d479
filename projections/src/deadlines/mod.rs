//! What has to be looked at when its time comes: unpaid orders, purchases to confirm, payments and refunds without an outcome,
//! records of members who left that need not be kept any longer.
//!
//! Firing a deadline is an idempotent command to the ledger, which decides; a row here only says when to ask. It disappears
//! with the event that settles the matter.

mod queries;

use std::collections::BTreeMap;

use domain::Actor;
use domain::business_day;
use domain::deadline::DeadlineEvent;
use domain::ids::{MemberId, OrderId, RefundId};
use domain::member::{MemberEvent, statutory_until};
use domain::order::{Buyer, OrderEvent};
use domain::payment::PaymentEvent;
use event_store::StoredEvent;
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime, Time};

use crate::error::ReadError;
use crate::event_decode::{at, event, stream_id, streams};
use crate::macros::projection;
use crate::row_store::{ChangedRows, Row, insert, save};
use crate::timestamp::whole_micros;

pub use queries::*;

/// Its name, for waiting until it has caught up.
pub const NAME: &str = "deadlines";

/// How long a request to the gateway may run before somebody looks after it.
pub const PATIENCE: Duration = Duration::minutes(1);

/// The projection.
pub struct Deadlines;

/// What is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DeadlineKind {
    /// An order's time to be paid is over.
    UnpaidOrder,
    /// A delivered purchase confirms itself.
    ConfirmPurchase,
    /// The gateway was asked to approve and nobody knows what it said.
    ResolveApproval,
    /// The gateway was asked for money back and nobody knows what it said.
    ResolveRefund,
    /// The records of a member who left need not be kept any longer.
    StatutoryPeriod,
    /// Who a guest's order was with need not be kept any longer.
    GuestStatutoryPeriod,
    /// A virtual account nobody needs any more has to be closed.
    CloseAccount,
}

impl DeadlineKind {
    /// As the column `kind` says it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::UnpaidOrder => "unpaid-order",
            Self::ConfirmPurchase => "confirm-purchase",
            Self::ResolveApproval => "resolve-approval",
            Self::ResolveRefund => "resolve-refund",
            Self::StatutoryPeriod => "statutory-period",
            Self::GuestStatutoryPeriod => "guest-statutory-period",
            Self::CloseAccount => "close-account",
        }
    }

    /// The kind of stream it asks.
    pub const fn ledger(self) -> &'static str {
        match self {
            Self::UnpaidOrder | Self::ConfirmPurchase | Self::GuestStatutoryPeriod => "order",
            Self::ResolveApproval | Self::ResolveRefund | Self::CloseAccount => "payment",
            Self::StatutoryPeriod => "member",
        }
    }
}

/// One deadline.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeadlineRow {
    /// What is due.
    pub kind: DeadlineKind,
    /// The order, purchaseNo, payment, refund or member.
    pub id: String,
    /// Id of the stream to ask: the order's, the payment's or the member's.
    pub stream: String,
    /// When.
    #[serde(with = "crate::timestamp")]
    pub due_at: OffsetDateTime,
    /// Position of the event that set it.
    pub position: i64,
}

impl Row for DeadlineRow {
    const TABLE: &'static str = "p_deadlines_v5";
    const KEY: &'static [&'static str] = &["kind", "id"];
}

/// Whose records what happens to an order or a payment keeps for longer: those of its buyer, a member who may have left, or a guest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeepsRow {
    /// Id of the order's or the payment's stream.
    pub stream: String,
    /// Which deadline it puts off.
    pub kind: DeadlineKind,
    /// Whose: the member, or the guest's order.
    pub id: String,
    /// Position of the event that began it.
    pub position: i64,
}

impl Row for KeepsRow {
    const TABLE: &'static str = "p_deadlines_v5_keeps";
    const KEY: &'static [&'static str] = &["stream"];
}

impl KeepsRow {
    fn begun(by: &StoredEvent, member: Option<MemberId>, order: OrderId) -> Self {
        let (kind, id) = match member {
            Some(member) => (DeadlineKind::StatutoryPeriod, member.to_string()),
            None => (DeadlineKind::GuestStatutoryPeriod, order.to_string()),
        };
        Self {
            stream: by.stream.id.clone(),
            kind,
            id,
            position: by.position,
        }
    }
}

/// A refused deadline somebody had tried again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RetryRow {
    /// Position of the event.
    pub position: i64,
    /// What was due.
    pub kind: String,
    /// The order, purchaseNo, payment, refund or member.
    pub id: String,
    /// Position of the event that set the deadline.
    pub set_by: i64,
    /// Id of the stream that was asked.
    pub stream: String,
    /// The refusal's code.
    pub code: String,
    /// Its words.
    pub message: String,
    /// When it was refused.
    #[serde(with = "crate::timestamp")]
    pub refused_at: OffsetDateTime,
    /// When it was tried again.
    #[serde(with = "crate::timestamp")]
    pub retried_at: OffsetDateTime,
    /// Who wanted it.
    pub retried_by: Option<MemberId>,
    /// Why, if they said so.
    pub reason: Option<String>,
}

impl Row for RetryRow {
    const TABLE: &'static str = "p_deadlines_v5_retries";
    const KEY: &'static [&'static str] = &["position"];
}

impl RetryRow {
    fn of(recorded: &StoredEvent) -> Result<Self, ReadError> {
        let DeadlineEvent::DeadlineRetried(refusal) = event(recorded)?;
        let actor: Actor = serde_json::from_value(recorded.metadata.actor.clone())?;
        Ok(Self {
            position: recorded.position,
            kind: refusal.kind,
            id: refusal.id,
            set_by: refusal.set_by,
            stream: refusal.stream,
            code: refusal.code,
            message: refusal.message,
            refused_at: whole_micros(refusal.refused_at),
            retried_at: at(recorded),
            retried_by: actor.member(),
            reason: recorded.metadata.reason.clone(),
        })
    }
}

/// What an event means for the deadlines.
enum Change {
    Set(DeadlineKind, String, OffsetDateTime),
    /// Later than it was, if there is one.
    Extend(DeadlineKind, String, OffsetDateTime),
    Drop(DeadlineKind, String),
}

/// The first moment of a Seoul day.
fn day_begins(day: time::Date) -> OffsetDateTime {
    day.with_time(Time::MIDNIGHT)
        .assume_offset(business_day::OFFSET)
}

fn of_order(order: &str, event: OrderEvent, at: OffsetDateTime) -> Vec<Change> {
    use DeadlineKind::{ConfirmPurchase, GuestStatutoryPeriod, UnpaidOrder};
    match event {
        OrderEvent::OrderPlaced(terms) => {
            let mut changes = vec![Change::Set(UnpaidOrder, order.to_owned(), terms.pay_by)];
            // a member's begins when they leave
            if matches!(terms.buyer, Buyer::Guest { .. }) {
                let until = statutory_until(at);
                changes.push(Change::Set(GuestStatutoryPeriod, order.to_owned(), until));
            }
            changes
        }
        OrderEvent::GuestRecordsErased {} => {
            vec![Change::Drop(GuestStatutoryPeriod, order.to_owned())]
        }
        OrderEvent::DepositAwaited { until, .. } => {
            vec![Change::Set(UnpaidOrder, order.to_owned(), until)]
        }
        OrderEvent::OrderPaid { .. } | OrderEvent::OrderCanceled { .. } => {
            vec![Change::Drop(UnpaidOrder, order.to_owned())]
        }
        OrderEvent::PurchaseDelivered {
            purchase_no,
            confirm_on,
        } => vec![Change::Set(
            ConfirmPurchase,
            purchase_no,
            day_begins(confirm_on),
        )],
        OrderEvent::PurchaseCompleted { purchase_no, .. } => {
            vec![Change::Drop(ConfirmPurchase, purchase_no)]
        }
        // only what is not delivered yet can be canceled so far, so no claim stops a confirmation
        OrderEvent::DepositWaitEnded { .. }
        | OrderEvent::PurchasePrepared { .. }
        | OrderEvent::PurchaseShipped { .. }
        | OrderEvent::InvoiceCorrected { .. }
        | OrderEvent::PurchaseDelayed { .. }
        | OrderEvent::CancelRequested { .. }
        | OrderEvent::CancelApproved { .. }
        | OrderEvent::CancelRejected { .. }
        | OrderEvent::CancelCompleted { .. } => vec![],
    }
}

fn of_payment(payment: &str, event: PaymentEvent, at: OffsetDateTime) -> Vec<Change> {
    use DeadlineKind::{CloseAccount, ResolveApproval, ResolveRefund};
    let refund = |refund: RefundId| refund.to_string();
    match event {
        PaymentEvent::PaymentApprovalRequested { .. } => vec![Change::Set(
            ResolveApproval,
            payment.to_owned(),
            at + PATIENCE,
        )],
        PaymentEvent::PaymentApprovalUnknown { .. } => {
            vec![Change::Set(ResolveApproval, payment.to_owned(), at)]
        }
        PaymentEvent::VirtualAccountIssued { .. }
        | PaymentEvent::PaymentApproved { .. }
        | PaymentEvent::PaymentRefused { .. }
        | PaymentEvent::PaymentNetCanceled { .. }
        | PaymentEvent::PaymentAbandoned { .. } => {
            vec![Change::Drop(ResolveApproval, payment.to_owned())]
        }
        PaymentEvent::RefundRequested { refund: id, .. } => {
            vec![Change::Set(ResolveRefund, refund(id), at + PATIENCE)]
        }
        PaymentEvent::RefundUnknown { refund: id, .. } => {
            vec![Change::Set(ResolveRefund, refund(id), at)]
        }
        PaymentEvent::RefundCompleted { refund: id, .. }
        | PaymentEvent::RefundRefused { refund: id, .. } => {
            vec![Change::Drop(ResolveRefund, refund(id))]
        }
        PaymentEvent::AccountCloseRequested { .. } => {
            vec![Change::Set(CloseAccount, payment.to_owned(), at)]
        }
        PaymentEvent::VirtualAccountClosed { .. } => {
            vec![Change::Drop(CloseAccount, payment.to_owned())]
        }
        PaymentEvent::DepositReceived { .. } => vec![
            Change::Drop(ResolveApproval, payment.to_owned()),
            Change::Drop(CloseAccount, payment.to_owned()),
        ],
        PaymentEvent::PaymentStarted { .. }
        | PaymentEvent::NoticeDoubted { .. }
        | PaymentEvent::RefundAccountGiven { .. } => vec![],
    }
}

fn of_member(member: &str, event: MemberEvent) -> Vec<Change> {
    use DeadlineKind::StatutoryPeriod;
    match event {
        MemberEvent::MemberLeft {
            statutory_until: Some(until),
            ..
        } => vec![Change::Set(StatutoryPeriod, member.to_owned(), until)],
        MemberEvent::StatutoryDataErased {} => {
            vec![Change::Drop(StatutoryPeriod, member.to_owned())]
        }
        MemberEvent::MemberLeft { .. }
        | MemberEvent::MemberJoined { .. }
        | MemberEvent::ProfileRevised { .. }
        | MemberEvent::ScopesChanged { .. }
        | MemberEvent::MembershipLevelAssigned { .. }
        | MemberEvent::DocumentHandedIn { .. } => vec![],
    }
}

async fn apply(connection: &mut PgConnection, batch: &[StoredEvent]) -> Result<(), ReadError> {
    let mut keeps = ChangedRows::<KeepsRow>::load(
        connection,
        ("stream", "text"),
        streams(batch, "order").chain(streams(batch, "payment")),
        |row| row.stream.clone(),
    )
    .await?;
    let mut retries = Vec::new();
    // the last word of the batch about each deadline
    let mut last: BTreeMap<(DeadlineKind, String), Option<DeadlineRow>> = BTreeMap::new();
    // of rows from before the batch
    let mut extended: BTreeMap<(DeadlineKind, String), (OffsetDateTime, i64)> = BTreeMap::new();
    for recorded in batch {
        let stream = &recorded.stream.id;
        let changes = match recorded.stream.kind.as_str() {
            "order" => {
                let event = event(recorded)?;
                if let OrderEvent::OrderPlaced(terms) = &event {
                    let member = match terms.buyer {
                        Buyer::Member { id } => Some(id),
                        Buyer::Guest { .. } => None,
                    };
                    let row = KeepsRow::begun(recorded, member, stream_id(recorded)?);
                    keeps.put(stream.clone(), row);
                }
                of_order(stream, event, at(recorded))
            }
            "payment" => {
                let event = event(recorded)?;
                if let PaymentEvent::PaymentStarted { order, member, .. } = &event {
                    let row = KeepsRow::begun(recorded, *member, *order);
                    keeps.put(stream.clone(), row);
                }
                of_payment(stream, event, at(recorded))
            }
            "member" => of_member(stream, event(recorded)?),
            "deadline" => {
                retries.push(RetryRow::of(recorded)?);
                continue;
            }
            _ => continue,
        };
        // the last thing that happened counts, a deposit that comes late and its refund, too, which the order knows nothing of
        let put_off = keeps.get(stream).map(|row| {
            let until = statutory_until(at(recorded));
            Change::Extend(row.kind, row.id.clone(), until)
        });
        let changes = put_off.into_iter().chain(changes);
        for change in changes {
            match change {
                Change::Set(kind, id, due_at) => {
                    let row = DeadlineRow {
                        kind,
                        id: id.clone(),
                        stream: stream.clone(),
                        due_at,
                        position: recorded.position,
                    };
                    last.insert((kind, id), Some(row));
                }
                Change::Extend(kind, id, due_at) => {
                    let position = recorded.position;
                    match last.get_mut(&(kind, id.clone())) {
                        Some(Some(row)) => (row.due_at, row.position) = (due_at, position),
                        Some(None) => {}
                        None => {
                            extended.insert((kind, id), (due_at, position));
                        }
                    }
                }
                Change::Drop(kind, id) => {
                    last.insert((kind, id), None);
                }
            }
        }
    }
    keeps.save(connection).await?;
    insert(connection, &retries).await?;
    extend(connection, extended).await?;
    let (kinds, ids): (Vec<&str>, Vec<String>) = last
        .iter()
        .filter(|(_, row)| row.is_none())
        .map(|((kind, id), _)| (kind.word(), id.clone()))
        .unzip();
    let due: Vec<DeadlineRow> = last.into_values().flatten().collect();
    sqlx::query(
        "DELETE FROM p_deadlines_v5 d USING unnest($1::text[], $2::text[]) AS over(kind, id) \
         WHERE d.kind = over.kind AND d.id = over.id",
    )
    .bind(kinds)
    .bind(ids)
    .execute(&mut *connection)
    .await?;
    save(connection, &due).await
}

async fn extend(
    connection: &mut PgConnection,
    extended: BTreeMap<(DeadlineKind, String), (OffsetDateTime, i64)>,
) -> Result<(), ReadError> {
    if extended.is_empty() {
        return Ok(());
    }
    let (keys, dues): (Vec<_>, Vec<_>) = extended.into_iter().unzip();
    let (kinds, ids): (Vec<&str>, Vec<String>) =
        keys.into_iter().map(|(kind, id)| (kind.word(), id)).unzip();
    let (dues, positions): (Vec<OffsetDateTime>, Vec<i64>) = dues.into_iter().unzip();
    sqlx::query(
        "UPDATE p_deadlines_v5 d SET due_at = later.due_at, position = later.position \
         FROM unnest($1::text[], $2::text[], $3::timestamptz[], $4::bigint[]) AS later(kind, id, due_at, position) \
         WHERE d.kind = later.kind AND d.id = later.id",
    )
    .bind(kinds)
    .bind(ids)
    .bind(dues)
    .bind(positions)
    .execute(connection)
    .await?;
    Ok(())
}

projection!(Deadlines, version 5, reads "order", "payment", "member", "deadline"; rows of many; stops);
