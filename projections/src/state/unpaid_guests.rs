//! Goods reserved by unpaid orders of guests, by keyed hashes of their phones and addresses, so that goods cannot be blocked by ordering
//! them without an account.
//!
//! A row is written in the transaction that places its order. Orders are paid and canceled elsewhere: the limit check looks them up in the
//! log and deletes the rows that are settled, so rows may be outdated but never missing.

use domain::ids::OrderId;
use domain::order::OrderStatus;
use sqlx::{PgConnection, PgExecutor};
use uuid::Uuid;

use crate::error::ReadError;

/// An order and the quantity it takes from stock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnpaidOrder {
    /// The order.
    pub id: OrderId,
    /// Quantity.
    pub pieces: i64,
}

/// The orders with this hash.
///
/// # Errors
/// [`ReadError`].
pub async fn orders_of(
    executor: impl PgExecutor<'_>,
    hash: &[u8],
) -> Result<Vec<UnpaidOrder>, ReadError> {
    let rows: Vec<(Uuid, i64)> = sqlx::query_as(
        "SELECT order_id, pieces FROM unpaid_guests WHERE hash = $1 ORDER BY order_id",
    )
    .bind(hash)
    .fetch_all(executor)
    .await?;
    let order = |(id, pieces)| UnpaidOrder {
        id: OrderId(id),
        pieces,
    };
    Ok(rows.into_iter().map(order).collect())
}

/// Adds an order under these hashes.
///
/// # Errors
/// [`ReadError`].
pub async fn add(
    connection: &mut PgConnection,
    hashes: &[Vec<u8>],
    order: UnpaidOrder,
) -> Result<(), ReadError> {
    sqlx::query(
        "INSERT INTO unpaid_guests (hash, order_id, pieces) \
         SELECT DISTINCT hash, $2::uuid, $3::bigint FROM unnest($1::bytea[]) AS h(hash)",
    )
    .bind(hashes)
    .bind(order.id.0)
    .bind(order.pieces)
    .execute(connection)
    .await?;
    Ok(())
}

/// Deletes orders that are paid or canceled.
///
/// # Errors
/// [`ReadError`].
pub async fn drop_orders(
    executor: impl PgExecutor<'_>,
    orders: &[OrderId],
) -> Result<(), ReadError> {
    let ids: Vec<Uuid> = orders.iter().map(|order| order.0).collect();
    sqlx::query("DELETE FROM unpaid_guests WHERE order_id = ANY($1)")
        .bind(ids)
        .execute(executor)
        .await?;
    Ok(())
}

/// Deletes all orders that are paid or canceled in the read model.
///
/// # Errors
/// [`ReadError`].
pub async fn drop_settled(executor: impl PgExecutor<'_>) -> Result<(), ReadError> {
    sqlx::query(
        "DELETE FROM unpaid_guests u USING orders o WHERE o.id = u.order_id AND o.status <> $1",
    )
    .bind(OrderStatus::Nonpayment.code())
    .execute(executor)
    .await?;
    Ok(())
}
