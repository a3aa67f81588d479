//! Products members viewed recently.

use domain::ids::{MemberId, ProductId};
use serde::{Deserialize, Serialize};
use sqlx::PgPool;
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use crate::error::ReadError;
use crate::page::{List, ListPage, Page};

/// Maximum number of products kept for a member; the oldest are dropped first.
pub const MOST: i64 = 50;

/// A product a member viewed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Watch {
    /// The product.
    pub product: ProductId,
    /// When it was last viewed.
    #[serde(with = "crate::timestamp")]
    pub seen_at: OffsetDateTime,
}

/// Adds viewed products, the most recently viewed first, as browsers keep them. Those not for sale are left out.
///
/// # Errors
/// [`ReadError`].
pub async fn add(
    pool: &PgPool,
    member: MemberId,
    products: &[ProductId],
    now: OffsetDateTime,
) -> Result<u64, ReadError> {
    let ids: Vec<Uuid> = products.iter().map(|id| id.0).collect();
    let moments: Vec<OffsetDateTime> = (0_i64..)
        .zip(&ids)
        .map(|(place, _)| now - Duration::microseconds(place))
        .collect();
    let mut transaction = event_store::begin(pool).await?;
    // two browsers that push at once must not deadlock
    sqlx::query("SELECT pg_advisory_xact_lock(hashtextextended('watches:' || $1::text, 0))")
        .bind(member.0)
        .execute(&mut *transaction)
        .await?;
    let seen = sqlx::query(
        "INSERT INTO watches AS w (member, product, seen_at) \
         SELECT $1, seen.product, max(seen.at) FROM unnest($2::uuid[], $3::timestamptz[]) AS seen (product, at) \
         JOIN products p ON p.id = seen.product AND p.shows AND NOT p.removed GROUP BY seen.product \
         ON CONFLICT (member, product) DO UPDATE SET seen_at = greatest(w.seen_at, excluded.seen_at)",
    )
    .bind(member.0)
    .bind(ids)
    .bind(moments)
    .execute(&mut *transaction)
    .await?
    .rows_affected();
    sqlx::query(
        "DELETE FROM watches WHERE member = $1 AND product IN \
         (SELECT product FROM watches WHERE member = $1 ORDER BY seen_at DESC, product OFFSET $2)",
    )
    .bind(member.0)
    .bind(MOST)
    .execute(&mut *transaction)
    .await?;
    transaction.commit().await?;
    Ok(seen)
}

/// The viewed products that are still for sale, newest first.
///
/// # Errors
/// [`ReadError`].
pub async fn list(
    pool: &PgPool,
    member: MemberId,
    page: Page,
) -> Result<ListPage<Watch>, ReadError> {
    List {
        select: "to_jsonb(w)",
        from: "watches w JOIN products p ON p.id = w.product",
        narrow: "watches w JOIN products p ON p.id = w.product",
        key: "w.member, w.product",
        order: "w.seen_at DESC, w.product",
    }
    .page(pool, page, |query| {
        query
            .push("p.shows AND NOT p.removed AND w.member = ")
            .push_bind(member.0);
    })
    .await
}

/// Deletes all of a member's viewed products (spec V214).
///
/// # Errors
/// [`ReadError`].
pub async fn clear(pool: &PgPool, member: MemberId) -> Result<(), ReadError> {
    sqlx::query("DELETE FROM watches WHERE member = $1")
        .bind(member.0)
        .execute(pool)
        .await?;
    Ok(())
}
