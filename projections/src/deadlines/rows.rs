//! The rows of the read model.

use domain::Actor;
use domain::deadline::DeadlineEvent;
use domain::ids::{ClaimId, MemberId, OrderId};
use domain::order::OrderEvent;
use event_store::StoredEvent;
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;

use super::DeadlineKind;
use crate::error::ReadError;
use crate::event_decode::{at, event};
use crate::row_store::Row;
use crate::timestamp::whole_micros;

/// One deadline.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeadlineRow {
    /// Kind of the deadline.
    pub kind: DeadlineKind,
    /// The order, purchaseNo, payment, refund or member.
    pub id: String,
    /// Id of the stream the command goes to: the order's, the payment's or the member's.
    pub stream: String,
    /// When it is due.
    #[serde(with = "crate::timestamp")]
    pub due_at: OffsetDateTime,
    /// Position of the event that set it.
    pub position: i64,
}

impl Row for DeadlineRow {
    const TABLE: &'static str = "p_deadlines_v7";
    const KEY: &'static [&'static str] = &["kind", "id"];
}

/// Extends the retention of the buyer's records because of an order or a payment: of a member, who may have closed the account, or of a
/// guest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeepsRow {
    /// Id of the order's or the payment's stream.
    pub stream: String,
    /// Kind of the deadline it postpones.
    pub kind: DeadlineKind,
    /// Owner of the records: the member, or the guest's order.
    pub id: String,
    /// Position of the event that started it.
    pub position: i64,
}

impl Row for KeepsRow {
    const TABLE: &'static str = "p_deadlines_v7_keeps";
    const KEY: &'static [&'static str] = &["stream"];
}

impl KeepsRow {
    pub(super) fn begun(by: &StoredEvent, member: Option<MemberId>, order: OrderId) -> Self {
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

/// A return or exchange; the event that answers it names only the claim.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReturnRow {
    /// The claim.
    pub claim: ClaimId,
    /// Id of the order's stream.
    pub stream: String,
    /// The purchase it covers.
    pub purchase_no: String,
    /// When the purchase would have counted as delivered; none if it was delivered.
    #[serde(with = "crate::timestamp::option")]
    pub deliver_at: Option<OffsetDateTime>,
    /// Position of the event that requested it.
    pub position: i64,
}

impl Row for ReturnRow {
    const TABLE: &'static str = "p_deadlines_v7_returns";
    const KEY: &'static [&'static str] = &["claim"];
}

impl ReturnRow {
    /// The row of a requested return or exchange; `due` says when its purchase counts as delivered.
    pub(super) fn of(
        recorded: &StoredEvent,
        event: &OrderEvent,
        due: impl FnOnce(&str) -> Option<OffsetDateTime>,
    ) -> Option<Self> {
        let (OrderEvent::ReturnRequested {
            claim, purchase_no, ..
        }
        | OrderEvent::ExchangeRequested {
            claim, purchase_no, ..
        }) = event
        else {
            return None;
        };
        Some(Self {
            claim: *claim,
            stream: recorded.stream.id.clone(),
            purchase_no: purchase_no.clone(),
            deliver_at: due(purchase_no),
            position: recorded.position,
        })
    }
}

/// A requested retry of a refused deadline.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RetryRow {
    /// Position of the event.
    pub position: i64,
    /// Kind of the deadline.
    pub kind: String,
    /// The order, purchaseNo, payment, refund or member.
    pub id: String,
    /// Position of the event that set the deadline.
    pub set_by: i64,
    /// Id of the stream the command went to.
    pub stream: String,
    /// Code of the refusal.
    pub code: String,
    /// Message of the refusal.
    pub message: String,
    /// When it was refused.
    #[serde(with = "crate::timestamp")]
    pub refused_at: OffsetDateTime,
    /// When the retry was requested.
    #[serde(with = "crate::timestamp")]
    pub retried_at: OffsetDateTime,
    /// Who requested it.
    pub retried_by: Option<MemberId>,
    /// Reason given, if any.
    pub reason: Option<String>,
}

impl Row for RetryRow {
    const TABLE: &'static str = "p_deadlines_v7_retries";
    const KEY: &'static [&'static str] = &["position"];
}

impl RetryRow {
    pub(super) fn of(recorded: &StoredEvent) -> Result<Self, ReadError> {
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
