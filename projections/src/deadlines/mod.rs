//! Deadlines: unpaid orders, purchases to deliver and to confirm, payments and refunds without an outcome, records of closed accounts whose
//! retention period ends.
//!
//! Firing a deadline executes an idempotent command on the aggregate, which decides; a row only says when to execute it. The event that
//! settles the matter deletes the row. Expiring points and the notices before have no rows here: the balance of each lot is kept by
//! [`points_statement`](crate::points_statement). Nor have bulk grants and sendings, whose progress
//! is kept by [`bulk_grants`](crate::bulk_grants) and [`sendings`](crate::sendings).
//! [`waiting!`] reads them all.

/// SQL of all pending deadlines, with the columns of the table `deadlines`.
macro_rules! waiting {
    () => {
        "(SELECT kind, id, stream, due_at, position FROM deadlines \
          UNION ALL SELECT 'expire-points', id::text, member || ':points', expires_at, position FROM points_book_lots WHERE \"left\" > 0 \
          UNION ALL SELECT 'announce-expiry', l.id::text, l.member || ':points', l.notice_at, l.position FROM points_book_lots l \
            WHERE l.\"left\" > 0 AND NOT EXISTS (SELECT FROM points_book_notices n WHERE n.member = l.member AND n.notice_at = l.notice_at) \
          UNION ALL SELECT 'carry-out-grant', id::text, id::text, created_at, position FROM bulk_grants WHERE open \
          UNION ALL SELECT 'send-part', id::text, id::text, due_at, position FROM sendings WHERE due_at IS NOT NULL)"
    };
}
pub(crate) use waiting;

mod queries;
mod rows;

use std::collections::BTreeMap;

use domain::business_day;
use domain::center::contact_kept_until;
use domain::ids::{ClaimId, RefundId};
use domain::member::{MemberEvent, statutory_until};
use domain::order::{Buyer, OrderEvent};
use domain::payment::PaymentEvent;
use domain::site::AUTO_DELIVER_DAYS;
use event_store::StoredEvent;
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use time::{Date, Duration, OffsetDateTime, Time};

use crate::error::ReadError;
use crate::event_decode::{at, event, of, stream_id, streams};
use crate::macros::projection;
use crate::page::typed;
use crate::row_store::{ChangedRows, insert, save};

pub use queries::*;
pub use rows::*;

/// The read models that hold deadlines.
pub const MODELS: &[&str] = &[
    NAME,
    crate::points_statement::NAME,
    crate::bulk_grants::NAME,
    crate::sendings::NAME,
];
/// Its name, for waiting until it has caught up.
pub const NAME: &str = "deadlines";

/// How long a gateway request may run before its outcome is looked up.
pub const PATIENCE: Duration = Duration::minutes(1);

/// The projection.
pub struct Deadlines;

/// What is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DeadlineKind {
    /// The payment period of an order is over.
    UnpaidOrder,
    /// A delivered purchase is confirmed automatically.
    ConfirmPurchase,
    /// A shipped purchase counts as delivered.
    DeliverPurchase,
    /// An approval request to the gateway whose response is unknown.
    ResolveApproval,
    /// A refund request to the gateway whose response is unknown.
    ResolveRefund,
    /// The retention period of a closed account's records is over.
    StatutoryPeriod,
    /// The retention period of a guest order's personal data is over.
    GuestStatutoryPeriod,
    /// The legal period of a contact is over.
    ContactPeriod,
    /// The legal period of an inquiry is over.
    InquiryPeriod,
    /// A virtual account that is no longer needed has to be closed.
    CloseAccount,
    /// Points of a lot expire.
    ExpirePoints,
    /// The expiry of points has to be announced to their member.
    AnnounceExpiry,
    /// The next receivers of a bulk grant have their turn.
    CarryOutGrant,
    /// The next receivers of a sending have their turn.
    SendPart,
}

impl DeadlineKind {
    /// Value of the column `kind`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::UnpaidOrder => "unpaid-order",
            Self::ConfirmPurchase => "confirm-purchase",
            Self::DeliverPurchase => "deliver-purchase",
            Self::ResolveApproval => "resolve-approval",
            Self::ResolveRefund => "resolve-refund",
            Self::StatutoryPeriod => "statutory-period",
            Self::GuestStatutoryPeriod => "guest-statutory-period",
            Self::ContactPeriod => "contact-period",
            Self::InquiryPeriod => "inquiry-period",
            Self::CloseAccount => "close-account",
            Self::ExpirePoints => "expire-points",
            Self::AnnounceExpiry => "announce-expiry",
            Self::CarryOutGrant => "carry-out-grant",
            Self::SendPart => "send-part",
        }
    }

    /// Kind of the stream the command goes to.
    pub const fn ledger(self) -> &'static str {
        match self {
            Self::UnpaidOrder
            | Self::ConfirmPurchase
            | Self::DeliverPurchase
            | Self::GuestStatutoryPeriod => "order",
            Self::ResolveApproval | Self::ResolveRefund | Self::CloseAccount => "payment",
            Self::StatutoryPeriod => "member",
            Self::ContactPeriod => "contact",
            Self::InquiryPeriod => "inquiry",
            Self::ExpirePoints | Self::AnnounceExpiry => "points",
            Self::CarryOutGrant => "bulk-grant",
            Self::SendPart => "sending",
        }
    }
}

/// Effect of an event on the deadlines.
enum Change {
    Set(DeadlineKind, String, OffsetDateTime),
    /// Postpone the deadline, if there is one.
    Extend(DeadlineKind, String, OffsetDateTime),
    /// Copy the deadline of the first id, if it is set, to the second id.
    Copy(DeadlineKind, String, String),
    Drop(DeadlineKind, String),
}

/// The first moment of a Seoul day.
fn day_begins(day: Date) -> OffsetDateTime {
    day.with_time(Time::MIDNIGHT)
        .assume_offset(business_day::OFFSET)
}

/// The first moment of the day that is `days` later.
fn day_begins_after(at: OffsetDateTime, days: u32) -> OffsetDateTime {
    day_begins(business_day::day(at)) + Duration::days(days.into())
}

/// Deadlines of a purchase whose return ended without a refund: it is confirmed automatically on this day or, if it was in transit, counts
/// as delivered on its original day, tomorrow at the earliest.
fn resumed(
    purchase_no: String,
    confirm_on: Option<Date>,
    of_return: Option<&ReturnRow>,
    at: OffsetDateTime,
) -> Vec<Change> {
    let confirm = confirm_on.map(|day| (DeadlineKind::ConfirmPurchase, day_begins(day)));
    let deliver = || {
        let due = of_return?.deliver_at?.max(day_begins_after(at, 1));
        Some((DeadlineKind::DeliverPurchase, due))
    };
    let set = |(kind, due)| Change::Set(kind, purchase_no, due);
    confirm.or_else(deliver).map(set).into_iter().collect()
}

/// The purchase of an exchange.
fn exchanged(returns: &ChangedRows<ReturnRow>, claim: ClaimId) -> Result<String, ReadError> {
    let of = returns.get(&claim.to_string());
    let unknown = || ReadError::Unknown(format!("exchange {claim}"));
    Ok(of.ok_or_else(unknown)?.purchase_no.clone())
}

fn of_order(
    order: &str,
    event: OrderEvent,
    at: OffsetDateTime,
    returns: &ChangedRows<ReturnRow>,
) -> Result<Vec<Change>, ReadError> {
    use DeadlineKind::{ConfirmPurchase, DeliverPurchase, GuestStatutoryPeriod, UnpaidOrder};
    Ok(match event {
        OrderEvent::OrderPlaced(terms) => {
            let mut changes = vec![Change::Set(UnpaidOrder, order.to_owned(), terms.pay_by)];
            // a member's retention period begins when they close their account
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
        OrderEvent::PurchaseShipped {
            purchase_no,
            deliver_by,
            ..
        } => {
            let due =
                deliver_by.map_or_else(|| day_begins_after(at, AUTO_DELIVER_DAYS), day_begins);
            vec![Change::Set(DeliverPurchase, purchase_no, due)]
        }
        OrderEvent::PurchaseDelivered {
            purchase_no,
            confirm_on,
        } => {
            let due = day_begins(confirm_on);
            vec![
                Change::Drop(DeliverPurchase, purchase_no.clone()),
                Change::Set(ConfirmPurchase, purchase_no, due),
            ]
        }
        OrderEvent::PurchaseSplit {
            from, purchase_no, ..
        } => vec![
            Change::Copy(DeliverPurchase, from.clone(), purchase_no.clone()),
            Change::Copy(ConfirmPurchase, from, purchase_no),
        ],
        OrderEvent::PurchaseCompleted { purchase_no, .. } => {
            vec![Change::Drop(ConfirmPurchase, purchase_no)]
        }
        OrderEvent::ReturnRequested { purchase_no, .. }
        | OrderEvent::ExchangeRequested { purchase_no, .. } => vec![
            Change::Drop(DeliverPurchase, purchase_no.clone()),
            Change::Drop(ConfirmPurchase, purchase_no),
        ],
        OrderEvent::GoodsInspected { claim, missing, .. } => {
            missing.map_or_else(Vec::new, |missing| {
                let of = returns.get(&claim.to_string());
                resumed(missing.purchase_no, missing.confirm_on, of, at)
            })
        }
        OrderEvent::ExchangeCompleted { claim, confirm_on } => {
            let purchase_no = exchanged(returns, claim)?;
            let delivered = Change::Drop(DeliverPurchase, purchase_no.clone());
            // purchases confirmed earlier do not wait for the order's final state
            let confirmed =
                confirm_on.map(|day| Change::Set(ConfirmPurchase, purchase_no, day_begins(day)));
            [delivered].into_iter().chain(confirmed).collect()
        }
        OrderEvent::ReplacementShipped {
            claim, deliver_by, ..
        } => {
            let purchase_no = exchanged(returns, claim)?;
            vec![Change::Set(
                DeliverPurchase,
                purchase_no,
                day_begins(deliver_by),
            )]
        }
        OrderEvent::ReplacementDelayed { claim, .. } => {
            vec![Change::Drop(DeliverPurchase, exchanged(returns, claim)?)]
        }
        OrderEvent::ReturnRejected {
            claim, confirm_on, ..
        }
        | OrderEvent::ExchangeRejected {
            claim, confirm_on, ..
        }
        | OrderEvent::ClaimWithdrawn { claim, confirm_on } => {
            match (returns.get(&claim.to_string()), confirm_on) {
                (Some(of), day) => resumed(of.purchase_no.clone(), day, Some(of), at),
                // a cancellation
                (None, None) => vec![],
                (None, Some(_)) => return Err(ReadError::Unknown(format!("return {claim}"))),
            }
        }
        // canceled purchases were not sent, so they have no delivery or confirmation deadline
        OrderEvent::DepositWaitEnded { .. }
        | OrderEvent::PurchasePrepared { .. }
        | OrderEvent::InvoiceCorrected { .. }
        | OrderEvent::PurchaseDelayed { .. }
        | OrderEvent::CancelRequested { .. }
        | OrderEvent::CancelApproved { .. }
        | OrderEvent::CancelRejected { .. }
        | OrderEvent::CancelCompleted { .. }
        | OrderEvent::GoodsPickedUp { .. }
        | OrderEvent::ReturnApproved { .. }
        | OrderEvent::GoodsSentBack { .. }
        | OrderEvent::ReturnCompleted { .. }
        | OrderEvent::ExchangeAccepted { .. }
        | OrderEvent::ExchangeFeeReceived { .. }
        | OrderEvent::ExchangeFeeWaived { .. }
        | OrderEvent::ExchangeFeeRefunded { .. }
        | OrderEvent::FeeRefundAccountGiven { .. }
        | OrderEvent::FeeRefundTransferred { .. }
        | OrderEvent::PriceDifferenceRefunded { .. }
        | OrderEvent::ReceiverCorrected { .. }
        | OrderEvent::ReceiverDisclosed { .. }
        | OrderEvent::StaffNoteWritten { .. } => vec![],
    })
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
        | PaymentEvent::RefundTransferred { refund: id, .. }
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
        | MemberEvent::DocumentHandedIn { .. }
        | MemberEvent::ConsentGiven { .. }
        | MemberEvent::ConsentWithdrawn { .. }
        | MemberEvent::EmailConfirmed {}
        | MemberEvent::EmailConfirmationEnded {} => vec![],
    }
}

/// A contact or an inquiry is kept until its period is over, or until it is removed.
fn of_contact(recorded: &StoredEvent) -> Option<Change> {
    let id = recorded.stream.id.clone();
    let kind = match recorded.stream.kind.as_str() {
        "contact" => DeadlineKind::ContactPeriod,
        _ => DeadlineKind::InquiryPeriod,
    };
    match recorded.event_type.as_str() {
        "ContactCreated" | "InquiryCreated" => {
            Some(Change::Set(kind, id, contact_kept_until(at(recorded))))
        }
        "ContactRemoved" | "InquiryRemoved" => Some(Change::Drop(kind, id)),
        _ => None,
    }
}

/// Changes to the deadlines made by a batch.
#[derive(Default)]
struct ChangedDeadlines {
    /// The batch's final state of each deadline.
    last: BTreeMap<(DeadlineKind, String), Option<DeadlineRow>>,
    /// Postponements of rows from before the batch: until when, and by which event.
    extended: BTreeMap<(DeadlineKind, String), (OffsetDateTime, i64)>,
    /// Rows from before the batch of purchases that the batch splits or that are to be returned.
    known: BTreeMap<(DeadlineKind, String), DeadlineRow>,
}

impl ChangedDeadlines {
    async fn load(connection: &mut PgConnection, batch: &[StoredEvent]) -> Result<Self, ReadError> {
        let asking = ["PurchaseSplit", "ReturnRequested"];
        let asking =
            of(batch, "order").filter(|recorded| asking.contains(&recorded.event_type.as_str()));
        let mut purchases = Vec::new();
        for recorded in asking {
            match event(recorded)? {
                OrderEvent::PurchaseSplit { from, .. } => purchases.push(from),
                OrderEvent::ReturnRequested { purchase_no, .. } => purchases.push(purchase_no),
                _ => {}
            }
        }
        if purchases.is_empty() {
            return Ok(Self::default());
        }
        let kinds = [DeadlineKind::ConfirmPurchase, DeadlineKind::DeliverPurchase];
        let kinds: Vec<&str> = kinds.into_iter().map(DeadlineKind::word).collect();
        let found: Vec<DeadlineRow> = typed(
            sqlx::query_scalar(
                "SELECT to_jsonb(d) FROM p_deadlines_v7 d WHERE kind = ANY($1) AND id = ANY($2)",
            )
            .bind(kinds)
            .bind(purchases)
            .fetch_all(connection)
            .await?,
        )?;
        let keyed = |row: DeadlineRow| ((row.kind, row.id.clone()), row);
        Ok(Self {
            known: found.into_iter().map(keyed).collect(),
            ..Self::default()
        })
    }

    /// When a purchase that the batch splits or returns is due.
    fn due(&self, kind: DeadlineKind, purchase_no: &str) -> Option<OffsetDateTime> {
        let key = (kind, purchase_no.to_owned());
        let row = match self.last.get(&key) {
            Some(row) => row.as_ref(),
            None => self.known.get(&key),
        };
        row.map(|row| row.due_at)
    }

    fn take(&mut self, change: Change, by: &StoredEvent) {
        let position = by.position;
        match change {
            Change::Set(kind, id, due_at) => {
                let row = DeadlineRow {
                    kind,
                    id: id.clone(),
                    stream: by.stream.id.clone(),
                    due_at,
                    position,
                };
                self.last.insert((kind, id), Some(row));
            }
            Change::Copy(kind, from, id) => {
                if let Some(due_at) = self.due(kind, &from) {
                    self.take(Change::Set(kind, id, due_at), by);
                }
            }
            Change::Extend(kind, id, due_at) => match self.last.get_mut(&(kind, id.clone())) {
                Some(Some(row)) => (row.due_at, row.position) = (due_at, position),
                Some(None) => {}
                None => {
                    self.extended.insert((kind, id), (due_at, position));
                }
            },
            Change::Drop(kind, id) => {
                self.last.insert((kind, id), None);
            }
        }
    }

    async fn save(self, connection: &mut PgConnection) -> Result<(), ReadError> {
        extend(connection, self.extended).await?;
        let (kinds, ids): (Vec<&str>, Vec<String>) = self
            .last
            .iter()
            .filter(|(_, row)| row.is_none())
            .map(|((kind, id), _)| (kind.word(), id.clone()))
            .unzip();
        let due: Vec<DeadlineRow> = self.last.into_values().flatten().collect();
        sqlx::query(
            "DELETE FROM p_deadlines_v7 d USING unnest($1::text[], $2::text[]) AS over(kind, id) \
             WHERE d.kind = over.kind AND d.id = over.id",
        )
        .bind(kinds)
        .bind(ids)
        .execute(&mut *connection)
        .await?;
        save(connection, &due).await
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
    let mut returns = ChangedRows::<ReturnRow>::load(
        connection,
        ("stream", "text"),
        streams(batch, "order"),
        |row| row.claim.to_string(),
    )
    .await?;
    let mut deadlines = ChangedDeadlines::load(connection, batch).await?;
    let mut retries = Vec::new();
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
                let due = |no: &str| deadlines.due(DeadlineKind::DeliverPurchase, no);
                if let Some(row) = ReturnRow::of(recorded, &event, due) {
                    returns.put(row.claim.to_string(), row);
                }
                of_order(stream, event, at(recorded), &returns)?
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
            "contact" | "inquiry" => of_contact(recorded).into_iter().collect(),
            "deadline" => {
                retries.push(RetryRow::of(recorded)?);
                continue;
            }
            _ => continue,
        };
        // the latest event counts, also a late deposit and its refund, which the order does not know of
        let put_off = keeps.get(stream).map(|row| {
            let until = statutory_until(at(recorded));
            Change::Extend(row.kind, row.id.clone(), until)
        });
        for change in put_off.into_iter().chain(changes) {
            deadlines.take(change, recorded);
        }
    }
    keeps.save(connection).await?;
    returns.save(connection).await?;
    insert(connection, &retries).await?;
    deadlines.save(connection).await
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
        "UPDATE p_deadlines_v7 d SET due_at = later.due_at, position = later.position \
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

projection!(Deadlines, version 7, reads "order", "payment", "member", "deadline", "contact", "inquiry"; rows of many; stops);
