//! Orders of a period as they were placed, a page at a time.

use domain::ids::OrderId;
use domain::order::Order;
use serde::Deserialize;
use sqlx::PgPool;
use time::OffsetDateTime;

use crate::error::ReadError;
use crate::page::typed;

/// An order of a period.
#[derive(Clone, Debug, Deserialize)]
pub struct PlacedOrder {
    /// Its id.
    pub id: OrderId,
    /// When it was placed.
    #[serde(with = "crate::timestamp")]
    pub created_at: OffsetDateTime,
    /// The order.
    pub state: Order,
}

/// Paid orders of members placed from `from` on and before `before` (the order with that moment and id excluded), the newest first.
///
/// # Errors
/// [`ReadError`].
pub async fn paid_orders(
    pool: &PgPool,
    from: OffsetDateTime,
    before: (OffsetDateTime, OrderId),
    limit: i64,
) -> Result<Vec<PlacedOrder>, ReadError> {
    let found = sqlx::query_scalar(
        "SELECT jsonb_build_object('id', id, 'created_at', created_at, 'state', state) FROM orders \
         WHERE created_at >= $1 AND (created_at, id) < ($2, $3) AND buyer IS NOT NULL AND paid_at IS NOT NULL \
         ORDER BY created_at DESC, id DESC LIMIT $4",
    )
    .bind(from)
    .bind(before.0)
    .bind(before.1.0)
    .bind(limit)
    .fetch_all(pool)
    .await?;
    typed(found)
}
