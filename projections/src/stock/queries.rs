//! Queries for stock.

use domain::ids::StockId;
use sqlx::PgPool;
use uuid::Uuid;

use super::StockRow;
use crate::error::ReadError;
use crate::page::typed;

/// The stocks with these ids; unknown ones are missing.
///
/// # Errors
/// [`ReadError`].
pub async fn stock(pool: &PgPool, ids: &[StockId]) -> Result<Vec<StockRow>, ReadError> {
    let ids: Vec<Uuid> = ids.iter().map(|id| id.0).collect();
    typed(
        sqlx::query_scalar("SELECT to_jsonb(s) FROM stock s WHERE id = ANY($1)")
            .bind(ids)
            .fetch_all(pool)
            .await?,
    )
}
