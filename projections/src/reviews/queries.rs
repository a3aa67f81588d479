//! Queries for reviews, their totals, and purchases that may still be reviewed.

use domain::ids::{MemberId, OrderId, ProductId};
use domain::order::PurchaseStatus;
use serde::{Deserialize, Serialize};
use sqlx::PgPool;
use time::OffsetDateTime;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{ProductStars, ReviewRow};
use crate::error::ReadError;
use crate::page::{List, ListPage, Page, typed};

/// Sort orders of reviews.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ReviewSort {
    /// Picked by staff first, then those with pictures, then the newest.
    #[default]
    Best,
    /// Newest first.
    Latest,
    /// Most stars first.
    StarDesc,
    /// Fewest stars first.
    StarAsc,
}

impl ReviewSort {
    const fn sql(self) -> &'static str {
        match self {
            Self::Best => "best DESC, (pictures > 0) DESC, created_at DESC, id",
            Self::Latest => "created_at DESC, id",
            Self::StarDesc => "star DESC, created_at DESC, id",
            Self::StarAsc => "star, created_at DESC, id",
        }
    }
}

/// Filter and order of a review list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReviewFilter {
    /// Of this product.
    pub product: Option<ProductId>,
    /// By this member; hidden ones are included then.
    pub author: Option<MemberId>,
    /// With this number of stars.
    pub star: Option<i32>,
    /// With a picture.
    pub pictured: bool,
    /// Sort order.
    pub sort: ReviewSort,
}

/// A page of reviews.
///
/// # Errors
/// [`ReadError`].
pub async fn reviews(
    pool: &PgPool,
    filter: &ReviewFilter,
    page: Page,
) -> Result<ListPage<ReviewRow>, ReadError> {
    List {
        select: "to_jsonb(r)",
        from: "reviews r",
        narrow: "reviews r",
        key: "r.id",
        order: filter.sort.sql(),
    }
    .page(pool, page, |query| {
        query.push("NOT removed");
        match filter.author {
            Some(author) => query.push(" AND author = ").push_bind(author.0),
            None => query.push(" AND shows"),
        };
        if let Some(product) = filter.product {
            query.push(" AND product = ").push_bind(product.0);
        }
        if let Some(star) = filter.star {
            query.push(" AND star = ").push_bind(star);
        }
        if filter.pictured {
            query.push(" AND pictures > 0");
        }
    })
    .await
}

/// One review, visible or not.
///
/// # Errors
/// [`ReadError`].
pub async fn review(pool: &PgPool, id: Uuid) -> Result<Option<ReviewRow>, ReadError> {
    Ok(typed(
        sqlx::query_scalar("SELECT to_jsonb(r) FROM reviews r WHERE id = $1")
            .bind(id)
            .fetch_all(pool)
            .await?,
    )?
    .pop())
}

/// Review totals of these products; those without reviews are missing.
///
/// # Errors
/// [`ReadError`].
pub async fn stars(pool: &PgPool, products: &[ProductId]) -> Result<Vec<ProductStars>, ReadError> {
    let products: Vec<Uuid> = products.iter().map(|id| id.0).collect();
    typed(
        sqlx::query_scalar("SELECT to_jsonb(s) FROM reviews_products s WHERE product = ANY($1)")
            .bind(products)
            .fetch_all(pool)
            .await?,
    )
}

/// A purchase its buyer may review.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReviewablePurchase {
    /// The purchase.
    #[serde(alias = "purchase_no")]
    pub purchase_no: String,
    /// The order it is in.
    #[serde(rename = "_order", alias = "order_id")]
    pub order: OrderId,
    /// Its number.
    #[serde(alias = "order_no")]
    pub order_no: String,
    /// The product.
    #[serde(rename = "_product", alias = "product")]
    pub product: ProductId,
    /// Its name when it was bought.
    pub name: String,
    /// The option's name when it was bought.
    #[serde(alias = "option_name")]
    pub option_name: Option<String>,
    /// Its picture when it was bought.
    pub thumb: Option<String>,
    /// When it was ordered.
    #[serde(alias = "created_at", with = "crate::timestamp")]
    #[schema(value_type = String, format = DateTime)]
    pub created_at: OffsetDateTime,
}

/// A member's confirmed purchases without a review, newest first. Purchases whose review staff removed are excluded.
///
/// # Errors
/// [`ReadError`].
pub async fn reviewable(
    pool: &PgPool,
    buyer: MemberId,
    page: Page,
) -> Result<ListPage<ReviewablePurchase>, ReadError> {
    List {
        select: "to_jsonb(p)",
        from: "orders_purchases p",
        narrow: "orders_purchases p",
        key: "p.purchase_no",
        order: "p.created_at DESC, p.purchase_no",
    }
    .page(pool, page, |query| {
        query
            .push("p.purchase_status = ")
            .push_bind(PurchaseStatus::Complete.code())
            .push(" AND p.buyer = ")
            .push_bind(buyer.0)
            .push(
                " AND NOT EXISTS (SELECT FROM reviews r WHERE r.purchase_no = p.purchase_no AND (r.barred OR NOT r.removed))",
            );
    })
    .await
}

/// Whether one of a member's reviews that are not removed shows the picture at this address.
///
/// # Errors
/// [`ReadError`].
pub async fn shows_picture(
    pool: &PgPool,
    author: MemberId,
    address: &str,
) -> Result<bool, ReadError> {
    Ok(sqlx::query_scalar(
        "SELECT EXISTS (SELECT FROM reviews WHERE author = $1 AND NOT removed \
         AND data -> 'images' @> jsonb_build_array(jsonb_build_object('url', $2::text)))",
    )
    .bind(author.0)
    .bind(address)
    .fetch_one(pool)
    .await?)
}
