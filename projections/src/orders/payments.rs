//! The payments of an order and of the fees of its exchanges, with their refunds.

use domain::ids::{MemberId, OrderId, PaymentId, RefundId, UserPaymentId};
use domain::payment::PaymentMethod;
use domain::payment::{
    Payment, PaymentEvent, PaymentStage, PaymentStatus, RefundStage, VirtualAccount,
};
use domain::personal::BankAccount;
use domain::{Amount, Sealed};
use event_store::StoredEvent;
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use time::OffsetDateTime;
use utoipa::ToSchema;

use crate::error::ReadError;
use crate::event_decode::{at, event, of, stream_id, streams, version};
use crate::row_store::{ChangedRows, Row};

/// One payment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PaymentRow {
    /// The payment.
    pub id: PaymentId,
    /// The order it pays.
    pub order_id: OrderId,
    /// The number of that order.
    pub order_no: String,
    /// The user payment it pays; none: the order itself.
    pub user_payment: Option<UserPaymentId>,
    /// The number of that user payment.
    pub user_payment_no: Option<String>,
    /// Paying member; none for a guest.
    pub member: Option<MemberId>,
    /// Number of the attempt: 1, 2, 3, ...
    pub attempt: u32,
    /// The gateway's order id.
    pub gateway_order_id: String,
    /// Payment method.
    pub method: PaymentMethod,
    /// Status in the specification's terms.
    pub status: PaymentStatus,
    /// Hundredths.
    pub amount: Amount,
    /// Refunded amount, hundredths.
    pub refunded: Amount,
    /// When the gateway approved it.
    #[serde(with = "crate::timestamp::option")]
    pub approved_at: Option<OffsetDateTime>,
    /// Receipt page of the gateway.
    pub receipt_url: Option<String>,
    /// When the payment window was prepared.
    #[serde(with = "crate::timestamp")]
    pub started_at: OffsetDateTime,
    /// State of the payment aggregate.
    pub state: Payment,
    /// Version of the stream.
    pub version: i64,
    /// Position of its last event.
    pub position: i64,
}

impl Row for PaymentRow {
    const TABLE: &'static str = "p_orders_v8_payments";
    const KEY: &'static [&'static str] = &["id"];
}

/// API view of a payment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PaymentCard {
    /// The payment.
    #[serde(rename = "_id")]
    pub id: PaymentId,
    /// The order it pays.
    #[serde(rename = "_order")]
    pub order: OrderId,
    /// The number of that order.
    pub order_no: String,
    /// The number of the user payment it pays, the fee of an exchange; none: the order itself.
    pub user_payment_no: Option<String>,
    /// Number of the attempt: 1, 2, 3, ...
    pub attempt: u32,
    /// Payment method.
    pub method: PaymentMethod,
    /// Status in the specification's terms.
    pub status: PaymentStatus,
    /// Hundredths.
    pub amount: Amount,
    /// Refunded amount, hundredths.
    pub refunded: Amount,
    /// When the gateway approved it.
    #[serde(with = "crate::timestamp::option")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub approved_at: Option<OffsetDateTime>,
    /// Receipt page of the gateway.
    pub receipt_url: Option<String>,
    /// The account to pay into, for a payment by virtual account.
    pub account: Option<VirtualAccount>,
    /// The virtual account waits for its deposit.
    pub awaits_deposit: bool,
    /// A refund was refused, and may succeed with another bank account.
    pub needs_refund_account: bool,
    /// The refused refunds.
    pub refused_refunds: Vec<RefusedRefund>,
    /// The bank account the buyer named for refunds; only for staff, once decrypted.
    pub refund_account: Option<BankAccount>,
    /// The same, for `api` to decrypt.
    #[serde(skip)]
    pub sealed_account: Option<Sealed<BankAccount>>,
    /// When the payment window was prepared.
    #[serde(with = "crate::timestamp")]
    #[schema(value_type = String, format = DateTime)]
    pub created_at: OffsetDateTime,
}

/// A refund the gateway refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RefusedRefund {
    /// The refund.
    #[serde(rename = "_id")]
    pub id: RefundId,
    /// Hundredths.
    pub amount: Amount,
}

/// The refunds the gateway refused.
fn refused_refunds(payment: &Payment) -> Vec<RefusedRefund> {
    let refused = payment.refunds.iter();
    refused
        .filter(|refund| refund.stage == RefundStage::Refused)
        .map(|refund| RefusedRefund {
            id: refund.id,
            amount: refund.amount,
        })
        .collect()
}

impl PaymentCard {
    /// Adds the fields that come from the payment's own state.
    #[must_use]
    pub fn telling(mut self, payment: &Payment) -> Self {
        self.account.clone_from(&payment.account);
        self.awaits_deposit = payment.stage == PaymentStage::AccountIssued;
        self.refused_refunds = refused_refunds(payment);
        // For a virtual account, the named account was tried; without one there is nowhere to send the money.
        self.needs_refund_account = !self.refused_refunds.is_empty()
            && (payment.account.is_some() || payment.refund_account.is_none());
        self.sealed_account.clone_from(&payment.refund_account);
        self
    }
}

impl From<PaymentRow> for PaymentCard {
    fn from(row: PaymentRow) -> Self {
        Self {
            id: row.id,
            order: row.order_id,
            order_no: row.order_no,
            user_payment_no: row.user_payment_no,
            attempt: row.attempt,
            method: row.method,
            status: row.status,
            amount: row.amount,
            refunded: row.refunded,
            approved_at: row.approved_at,
            receipt_url: row.receipt_url,
            account: None,
            awaits_deposit: false,
            needs_refund_account: false,
            refused_refunds: Vec::new(),
            refund_account: None,
            sealed_account: None,
            created_at: row.started_at,
        }
        .telling(&row.state)
    }
}

pub(super) async fn apply(
    connection: &mut PgConnection,
    batch: &[StoredEvent],
) -> Result<(), ReadError> {
    let mut rows = ChangedRows::<PaymentRow>::load(
        connection,
        ("id", "uuid"),
        streams(batch, "payment"),
        |row| row.id.to_string(),
    )
    .await?;
    for recorded in of(batch, "payment") {
        let key = &recorded.stream.id;
        let event: PaymentEvent = event(recorded)?;
        if let Some(row) = started(recorded, &event)? {
            rows.put(key.clone(), row);
        }
        let row = rows.known(key)?;
        if let PaymentEvent::DepositReceived { .. } = &event {
            row.approved_at = Some(at(recorded));
        }
        if let PaymentEvent::PaymentApproved { receipt_url, .. } = &event {
            row.approved_at = Some(at(recorded));
            row.receipt_url.clone_from(receipt_url);
        }
        row.state.evolve(event);
        row.status = row.state.status().unwrap_or(row.status);
        row.refunded = row.state.refunded()?;
        row.version = version(recorded);
        row.position = recorded.position;
    }
    rows.save(connection).await
}

fn started(recorded: &StoredEvent, event: &PaymentEvent) -> Result<Option<PaymentRow>, ReadError> {
    let PaymentEvent::PaymentStarted {
        order,
        order_no,
        attempt,
        amount,
        gateway_order_id,
        method,
        member,
        user_payment,
    } = event
    else {
        return Ok(None);
    };
    Ok(Some(PaymentRow {
        id: stream_id(recorded)?,
        order_id: *order,
        order_no: order_no.clone(),
        user_payment: user_payment.as_ref().map(|of| of.id),
        user_payment_no: user_payment.as_ref().map(|of| of.number.clone()),
        member: *member,
        attempt: *attempt,
        gateway_order_id: gateway_order_id.clone(),
        method: *method,
        status: PaymentStatus::Awaiting,
        amount: *amount,
        refunded: Amount::ZERO,
        approved_at: None,
        receipt_url: None,
        started_at: at(recorded),
        state: Payment::default(),
        version: 0,
        position: 0,
    }))
}
