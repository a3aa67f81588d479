//! User payments: what buyers are asked to pay besides their orders, and whether they did.

mod queries;

use domain::ids::{ClaimId, MemberId, OrderId, PaymentId, UserPaymentId};
use domain::money::Amount;
use domain::user_payment::{UserPaymentEvent, UserPaymentPurpose, UserPaymentStatus};
use event_store::StoredEvent;
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use time::OffsetDateTime;
use utoipa::ToSchema;

use crate::error::ReadError;
use crate::event_decode::{at, event, of, stream_id, streams};
use crate::macros::projection;
use crate::row_store::{ChangedRows, Row};

pub use queries::*;

/// Its name, for waiting until it has caught up.
pub const NAME: &str = "user_payments";

/// The projection.
pub struct UserPayments;

/// What a user payment is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum UserPaymentKind {
    /// What an exchange costs: its fee, and the difference of a dearer option.
    ExchangeFee,
}

/// One user payment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UserPaymentRow {
    /// It.
    pub id: UserPaymentId,
    /// Its number, shown to people.
    pub number: String,
    /// The member; none for a guest.
    pub member: Option<MemberId>,
    /// What it is for.
    pub purpose: UserPaymentKind,
    /// The order.
    pub order_id: OrderId,
    /// Order number.
    pub order_no: String,
    /// Number of the exchanged purchase.
    pub purchase_no: String,
    /// The claim.
    pub claim: ClaimId,
    /// Hundredths.
    pub amount: Amount,
    /// Its status.
    pub status: UserPaymentStatus,
    /// The payment it was paid with; none: not paid, or by a bank transfer.
    pub payment: Option<PaymentId>,
    /// Why it was canceled.
    pub reason: Option<String>,
    /// When it was requested.
    #[serde(with = "crate::timestamp")]
    pub created_at: OffsetDateTime,
    /// Time of its last event.
    #[serde(with = "crate::timestamp")]
    pub changed_at: OffsetDateTime,
    /// Position of its last event.
    pub position: i64,
}

impl Row for UserPaymentRow {
    const TABLE: &'static str = "p_user_payments_v1";
    const KEY: &'static [&'static str] = &["id"];
}

/// What an event does to its user payment.
fn take(rows: &mut ChangedRows<UserPaymentRow>, recorded: &StoredEvent) -> Result<(), ReadError> {
    let (key, when) = (&recorded.stream.id, at(recorded));
    match event(recorded)? {
        UserPaymentEvent::UserPaymentRequested {
            number,
            member,
            purpose,
            amount,
        } => {
            let UserPaymentPurpose::ExchangeFee {
                order,
                order_no,
                purchase_no,
                claim,
            } = purpose;
            let row = UserPaymentRow {
                id: stream_id(recorded)?,
                number,
                member,
                purpose: UserPaymentKind::ExchangeFee,
                order_id: order,
                order_no,
                purchase_no,
                claim,
                amount,
                status: UserPaymentStatus::Awaiting,
                payment: None,
                reason: None,
                created_at: when,
                changed_at: when,
                position: 0,
            };
            rows.put(key.clone(), row);
        }
        UserPaymentEvent::UserPaymentReduced { amount, .. } => rows.known(key)?.amount = amount,
        UserPaymentEvent::UserPaymentCompleted { payment } => {
            let row = rows.known(key)?;
            row.status = UserPaymentStatus::Completed;
            row.payment = payment;
        }
        // a refunded one keeps its payment
        UserPaymentEvent::UserPaymentCanceled { reason }
        | UserPaymentEvent::UserPaymentRefunded { reason } => {
            let row = rows.known(key)?;
            row.status = UserPaymentStatus::Canceled;
            row.reason = Some(reason);
        }
    }
    let row = rows.known(key)?;
    row.changed_at = when;
    row.position = recorded.position;
    Ok(())
}

/// A user payment, from its events; none if there are none.
///
/// # Errors
/// [`ReadError`].
pub fn row_of(events: &[StoredEvent]) -> Result<Option<UserPaymentRow>, ReadError> {
    let mut rows = ChangedRows::empty();
    events
        .iter()
        .try_for_each(|recorded| take(&mut rows, recorded))?;
    Ok(rows.values().next().cloned())
}

async fn apply(connection: &mut PgConnection, batch: &[StoredEvent]) -> Result<(), ReadError> {
    let ids = streams(batch, "user-payment");
    let id = |row: &UserPaymentRow| row.id.to_string();
    let mut rows = ChangedRows::load(connection, ("id", "uuid"), ids, id).await?;
    of(batch, "user-payment").try_for_each(|recorded| take(&mut rows, recorded))?;
    rows.save(connection).await
}

projection!(UserPayments, version 1, reads "user-payment"; rows of one; parks);
