//! Which order took a line out of a cart, kept for seven days. Written in the transaction that places the order, so that of two orders of
//! the same line one is refused with the number of the other.

use domain::ids::OrderId;
use sqlx::{PgConnection, PgExecutor};
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use crate::error::ReadError;

/// How long a row is kept.
pub const REMEMBERED: Duration = Duration::days(7);

/// An order that took lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderRef {
    /// The order.
    pub id: OrderId,
    /// Order number shown to people.
    pub order_no: String,
}

/// The order that took any of these lines of a cart; the latest if there are several.
///
/// # Errors
/// [`ReadError`].
pub async fn order_of(
    executor: impl PgExecutor<'_>,
    cart: Uuid,
    lines: &[String],
    now: OffsetDateTime,
) -> Result<Option<OrderRef>, ReadError> {
    let found: Option<(Uuid, String)> = sqlx::query_as(
        "SELECT order_id, order_no FROM ordered_lines WHERE cart = $1 AND line = ANY($2) AND ordered_at > $3 \
         ORDER BY ordered_at DESC, order_id DESC LIMIT 1",
    )
    .bind(cart)
    .bind(lines)
    .bind(now - REMEMBERED)
    .fetch_optional(executor)
    .await?;
    Ok(found.map(|(id, order_no)| OrderRef {
        id: OrderId(id),
        order_no,
    }))
}

/// Records that an order takes these lines of a cart; false if another order took any of them, and the transaction has to be rolled back.
///
/// # Errors
/// [`ReadError`].
pub async fn take(
    connection: &mut PgConnection,
    cart: Uuid,
    lines: &[String],
    order: &OrderRef,
    now: OffsetDateTime,
) -> Result<bool, ReadError> {
    // an expired row does not count, whether or not the worker deleted it
    let taken = sqlx::query(
        "INSERT INTO ordered_lines AS o (cart, line, order_id, order_no, ordered_at) \
         SELECT DISTINCT $1::uuid, line, $3::uuid, $4::text, $5::timestamptz FROM unnest($2::text[]) AS l(line) ORDER BY line \
         ON CONFLICT (cart, line) DO UPDATE \
             SET order_id = excluded.order_id, order_no = excluded.order_no, ordered_at = excluded.ordered_at \
             WHERE o.ordered_at <= $6",
    )
    .bind(cart)
    .bind(lines)
    .bind(order.id.0)
    .bind(&order.order_no)
    .bind(now)
    .bind(now - REMEMBERED)
    .execute(connection)
    .await?
    .rows_affected();
    Ok(usize::try_from(taken)? == lines.len())
}

/// Deletes expired rows.
///
/// # Errors
/// [`ReadError`].
pub async fn forget_old(
    executor: impl PgExecutor<'_>,
    now: OffsetDateTime,
) -> Result<(), ReadError> {
    sqlx::query("DELETE FROM ordered_lines WHERE ordered_at <= $1")
        .bind(now - REMEMBERED)
        .execute(executor)
        .await?;
    Ok(())
}
