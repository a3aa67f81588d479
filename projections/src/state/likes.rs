//! Products members like.

use domain::ids::{MemberId, ProductId};
use serde::{Deserialize, Serialize};
use sqlx::PgPool;
use time::OffsetDateTime;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::error::ReadError;
use crate::page::{List, ListPage, Page, typed};

/// A member's like of a product.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Like {
    /// The like.
    #[serde(rename = "_id", alias = "id")]
    pub id: Uuid,
    /// The product.
    #[serde(rename = "_product", alias = "product")]
    pub product: ProductId,
    /// When it was added.
    #[serde(rename = "createdAt", alias = "created_at", with = "crate::timestamp")]
    #[schema(value_type = String, format = DateTime)]
    pub created_at: OffsetDateTime,
}

/// Removes an existing like, otherwise adds one (spec V120); returns the added one.
///
/// # Errors
/// [`ReadError`].
pub async fn toggle(
    pool: &PgPool,
    member: MemberId,
    product: ProductId,
    now: OffsetDateTime,
) -> Result<Option<Like>, ReadError> {
    let mut transaction = event_store::begin(pool).await?;
    // concurrent requests are two toggles, not one
    sqlx::query("SELECT pg_advisory_xact_lock(hashtextextended('likes:' || $1::text, 0))")
        .bind(member.0)
        .execute(&mut *transaction)
        .await?;
    let gone = sqlx::query("DELETE FROM likes WHERE member = $1 AND product = $2")
        .bind(member.0)
        .bind(product.0)
        .execute(&mut *transaction)
        .await?
        .rows_affected();
    let like = Like {
        id: Uuid::now_v7(),
        product,
        created_at: crate::timestamp::whole_micros(now),
    };
    if gone == 0 {
        sqlx::query("INSERT INTO likes (id, member, product, created_at) VALUES ($1, $2, $3, $4)")
            .bind(like.id)
            .bind(member.0)
            .bind(product.0)
            .bind(like.created_at)
            .execute(&mut *transaction)
            .await?;
    }
    transaction.commit().await?;
    Ok((gone == 0).then_some(like))
}

/// Removes a like of the member and returns it; none if it is not theirs.
///
/// # Errors
/// [`ReadError`].
pub async fn remove(pool: &PgPool, member: MemberId, id: Uuid) -> Result<Option<Like>, ReadError> {
    Ok(typed(
        sqlx::query_scalar(
            "DELETE FROM likes AS l WHERE member = $1 AND id = $2 RETURNING to_jsonb(l)",
        )
        .bind(member.0)
        .bind(id)
        .fetch_all(pool)
        .await?,
    )?
    .pop())
}

/// A member's likes of visible products, newest first.
///
/// # Errors
/// [`ReadError`].
pub async fn list(
    pool: &PgPool,
    member: MemberId,
    page: Page,
) -> Result<ListPage<Like>, ReadError> {
    List {
        select: "to_jsonb(l)",
        from: "likes l JOIN products p ON p.id = l.product",
        narrow: "likes l JOIN products p ON p.id = l.product",
        key: "l.id",
        order: "l.created_at DESC, l.id",
    }
    .page(pool, page, |query| {
        query
            .push("p.shows AND NOT p.removed AND l.member = ")
            .push_bind(member.0);
    })
    .await
}

/// Which of these products the member likes.
///
/// # Errors
/// [`ReadError`].
pub async fn liked(
    pool: &PgPool,
    member: MemberId,
    products: &[ProductId],
) -> Result<Vec<ProductId>, ReadError> {
    let products: Vec<Uuid> = products.iter().map(|id| id.0).collect();
    let liked: Vec<Uuid> =
        sqlx::query_scalar("SELECT product FROM likes WHERE member = $1 AND product = ANY($2)")
            .bind(member.0)
            .bind(products)
            .fetch_all(pool)
            .await?;
    Ok(liked.into_iter().map(ProductId).collect())
}
