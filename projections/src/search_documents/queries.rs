//! Queries for feeding the search engine.

use domain::ids::{MemberId, ProductId};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sqlx::PgPool;

use crate::error::ReadError;
use crate::page::typed;

/// A product whose document changed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChangedDocument {
    /// The product.
    pub product: ProductId,
    /// Seller; the feeder sets the document's `sellerName`, `reviews` and `freeIn`.
    pub seller: MemberId,
    /// The document in the shape of `search_index::ProductDocument` with `_position` and without `sellerName`; its `brand` is a code, which
    /// the feeder replaces by the brand's names. None: deleted.
    pub document: Option<Value>,
    /// Position of the change.
    pub position: i64,
}

/// Number of products with a document.
///
/// # Errors
/// [`ReadError`].
pub async fn count_documents(pool: &PgPool) -> Result<i64, ReadError> {
    Ok(
        sqlx::query_scalar("SELECT count(*) FROM search_documents WHERE document IS NOT NULL")
            .fetch_one(pool)
            .await?,
    )
}

/// Whether a product of this member is or was in the engine.
///
/// # Errors
/// [`ReadError`].
pub async fn sells(pool: &PgPool, member: MemberId) -> Result<bool, ReadError> {
    Ok(
        sqlx::query_scalar("SELECT EXISTS (SELECT 1 FROM search_documents WHERE seller = $1)")
            .bind(member.0)
            .fetch_one(pool)
            .await?,
    )
}

/// Backlog of an index.
#[derive(Clone, Copy, Debug, Default, PartialEq, sqlx::FromRow)]
pub struct Waiting {
    /// Documents that changed.
    pub documents: i64,
    /// Seconds since the first of those changes was recorded; 0 if there is none.
    pub seconds: f64,
}

/// The changes after a position.
///
/// # Errors
/// [`ReadError`].
pub async fn waiting(pool: &PgPool, after_position: i64) -> Result<Waiting, ReadError> {
    Ok(sqlx::query_as(
        "SELECT count(*) AS documents, \
                coalesce(extract(epoch FROM clock_timestamp() - position_recorded_at(min(d.position))), 0)::float8 AS seconds \
         FROM search_documents d WHERE d.position > $1",
    )
    .bind(after_position)
    .fetch_one(pool)
    .await?)
}

/// Documents changed after a position, in the order of their changes: about `limit`, but all of those that one event changed, so that
/// reading can continue after the last one's position.
///
/// # Errors
/// [`ReadError`].
pub async fn changed_documents(
    pool: &PgPool,
    after_position: i64,
    limit: i64,
) -> Result<Vec<ChangedDocument>, ReadError> {
    typed(
        sqlx::query_scalar(
            "WITH last AS (SELECT position FROM search_documents WHERE position > $1 \
                           ORDER BY position OFFSET $2 - 1 LIMIT 1) \
             SELECT jsonb_build_object('product', product, 'seller', seller, 'position', position, 'document', \
                        document || jsonb_build_object('_position', position)) \
             FROM search_documents \
             WHERE position > $1 AND position <= coalesce((SELECT position FROM last), $3) \
             ORDER BY position, product",
        )
        .bind(after_position)
        .bind(limit.max(1))
        .bind(i64::MAX)
        .fetch_all(pool)
        .await?,
    )
}
