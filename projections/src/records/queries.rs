//! Queries for records: typed ones for pricing, rows for the console.

use std::collections::BTreeMap;

use domain::coupon::Coupon;
use domain::ids::{CouponId, MemberId};
use domain::record::Resource;
use domain::rounding::RoundingStep;
use domain::site::{Level, SiteSetting};
use serde::{Deserialize, Serialize};
use sqlx::PgPool;
use utoipa::ToSchema;

use super::RecordRow;
use crate::error::ReadError;
use crate::member_coupons::drawn_by;
use crate::page::{List, ListPage, Page, typed};

/// Ids of the records of a kind that a member wrote, the removed ones too.
///
/// # Errors
/// Database errors.
pub async fn ids_of_author(
    pool: &PgPool,
    kind: &str,
    author: MemberId,
) -> Result<Vec<String>, ReadError> {
    let sql = "SELECT id FROM records WHERE kind = $1 AND data ->> '_user' = $2";
    let ids = sqlx::query_scalar(sql).bind(kind).bind(author.to_string());
    Ok(ids.fetch_all(pool).await?)
}

/// A record with its id and version.
#[derive(Clone, Debug, PartialEq)]
pub struct TypedRecord<T> {
    /// Its id.
    pub id: String,
    /// Its version.
    pub version: i64,
    /// The document.
    pub data: T,
}

impl RecordRow {
    /// The document, deserialized.
    ///
    /// # Errors
    /// [`ReadError::Shape`] if it does not have the shape of `R`.
    pub fn into_found<R: Resource>(self) -> Result<TypedRecord<R::Data>, ReadError> {
        Ok(TypedRecord {
            id: self.id,
            version: self.version,
            data: serde_json::from_value(self.data.into())?,
        })
    }
}

/// One record, removed or not.
///
/// # Errors
/// [`ReadError`].
pub async fn record(pool: &PgPool, kind: &str, id: &str) -> Result<Option<RecordRow>, ReadError> {
    Ok(typed(
        sqlx::query_scalar("SELECT to_jsonb(r) FROM records r WHERE kind = $1 AND id = $2")
            .bind(kind)
            .bind(id)
            .fetch_all(pool)
            .await?,
    )?
    .pop())
}

/// One record of a type that is not removed.
///
/// # Errors
/// [`ReadError`].
pub async fn found<R: Resource>(
    pool: &PgPool,
    id: &str,
) -> Result<Option<TypedRecord<R::Data>>, ReadError> {
    let row = record(pool, R::KIND, id).await?;
    let row = row.filter(|row| !row.removed);
    row.map(RecordRow::into_found::<R>).transpose()
}

/// All records of a type that are not removed, by id.
///
/// # Errors
/// [`ReadError`].
pub async fn all<R: Resource>(pool: &PgPool) -> Result<Vec<TypedRecord<R::Data>>, ReadError> {
    let rows = rows::<R>(pool).await?.into_iter();
    rows.map(RecordRow::into_found::<R>).collect()
}

/// The records of a type with these ids that are not removed, in the order of the ids.
///
/// # Errors
/// [`ReadError`].
pub async fn of_ids<R: Resource>(
    pool: &PgPool,
    ids: &[String],
) -> Result<Vec<TypedRecord<R::Data>>, ReadError> {
    let rows: Vec<RecordRow> = typed(
        sqlx::query_scalar(
            "SELECT to_jsonb(r) FROM records r WHERE kind = $1 AND id = ANY($2) AND NOT removed \
             ORDER BY array_position($2, id)",
        )
        .bind(R::KIND)
        .bind(ids)
        .fetch_all(pool)
        .await?,
    )?;
    rows.into_iter().map(RecordRow::into_found::<R>).collect()
}

/// All records of a type that are not removed, with their times.
///
/// # Errors
/// [`ReadError`].
pub async fn rows<R: Resource>(pool: &PgPool) -> Result<Vec<RecordRow>, ReadError> {
    typed(
        sqlx::query_scalar(
            "SELECT to_jsonb(r) FROM records r WHERE kind = $1 AND NOT removed ORDER BY id COLLATE \"C\"",
        )
        .bind(R::KIND)
        .fetch_all(pool)
        .await?,
    )
}

/// Rounding step of the site's currency; one hundredth without a setting.
///
/// # Errors
/// [`ReadError`].
pub async fn rounding(pool: &PgPool) -> Result<RoundingStep, ReadError> {
    let setting = site_setting(pool).await?;
    Ok(setting
        .map(|found| found.data.currency.rounding())
        .unwrap_or_default())
}

/// The site setting (the record `main`), if it exists.
///
/// # Errors
/// [`ReadError`].
pub async fn site_setting(pool: &PgPool) -> Result<Option<TypedRecord<SiteSetting>>, ReadError> {
    record(pool, SiteSetting::KIND, "main")
        .await?
        .filter(|row| !row.removed)
        .map(RecordRow::into_found::<SiteSetting>)
        .transpose()
}

/// The membership level with this code.
///
/// # Errors
/// [`ReadError`].
pub async fn level(pool: &PgPool, code: &str) -> Result<Option<TypedRecord<Level>>, ReadError> {
    let rows: Vec<RecordRow> = typed(
        sqlx::query_scalar(
            "SELECT to_jsonb(r) FROM records r WHERE kind = $1 AND NOT removed AND data ->> 'code' = $2 \
             ORDER BY id COLLATE \"C\" LIMIT 1",
        )
        .bind(Level::KIND)
        .bind(code)
        .fetch_all(pool)
        .await?,
    )?;
    rows.into_iter()
        .next()
        .map(RecordRow::into_found::<Level>)
        .transpose()
}

/// A coupon definition by name.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct CouponName {
    /// Its id.
    pub id: CouponId,
    /// Its name.
    pub name: String,
    /// The seller whose coupon it is.
    pub seller: Option<MemberId>,
}

const COUPON_NAME: &str =
    "jsonb_build_object('id', r.id, 'name', r.data ->> 'name', 'seller', r.data ->> '_seller')";

/// Coupon definitions that are not removed, the newest first; only this seller's, if one is given.
///
/// # Errors
/// [`ReadError`].
pub async fn coupon_names(
    pool: &PgPool,
    seller: Option<MemberId>,
    page: Page,
) -> Result<ListPage<CouponName>, ReadError> {
    List {
        select: COUPON_NAME,
        from: "records r",
        narrow: "records r",
        key: "r.kind, r.id",
        order: "r.created_at DESC, r.id DESC",
    }
    .page(pool, page, |query| {
        query
            .push("NOT r.removed AND r.kind = ")
            .push_bind(Coupon::KIND);
        if let Some(seller) = seller {
            let seller = seller.to_string();
            query.push(" AND r.data ->> '_seller' = ").push_bind(seller);
        }
    })
    .await
}

/// A coupon definition by name, also a removed one.
///
/// # Errors
/// [`ReadError`].
pub async fn coupon_name(pool: &PgPool, id: CouponId) -> Result<Option<CouponName>, ReadError> {
    let sql = format!("SELECT {COUPON_NAME} FROM records r WHERE r.kind = $1 AND r.id = $2");
    let found = sqlx::query_scalar(&sql)
        .bind(Coupon::KIND)
        .bind(id.to_string())
        .fetch_all(pool);
    Ok(typed(found.await?)?.pop())
}

/// Names of records of a kind by id, also of removed ones.
///
/// # Errors
/// [`ReadError`].
pub async fn names(
    pool: &PgPool,
    kind: &str,
    ids: &[String],
) -> Result<BTreeMap<String, String>, ReadError> {
    let sql = "SELECT id, data ->> 'name' FROM records \
               WHERE kind = $1 AND id = ANY($2) AND data ->> 'name' IS NOT NULL";
    let found: Vec<(String, String)> = sqlx::query_as(sql)
        .bind(kind)
        .bind(ids)
        .fetch_all(pool)
        .await?;
    Ok(found.into_iter().collect())
}

/// A record found by its name.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct NamedRecord {
    /// Its name.
    pub name: String,
    /// Its id.
    pub id: String,
    /// Its code, if it has one.
    pub code: Option<String>,
    /// The seller it belongs to, if any.
    pub seller: Option<String>,
}

/// The records of a kind with one of these names that are not removed.
///
/// # Errors
/// [`ReadError`].
pub async fn with_names(
    pool: &PgPool,
    kind: &str,
    names: &[String],
) -> Result<Vec<NamedRecord>, ReadError> {
    let sql = "SELECT data ->> 'name' AS name, id, data ->> 'code' AS code, data ->> '_seller' AS seller FROM records \
               WHERE kind = $1 AND NOT removed AND data ->> 'name' = ANY($2) ORDER BY id COLLATE \"C\"";
    let found = sqlx::query_as(sql).bind(kind).bind(names);
    Ok(found.fetch_all(pool).await?)
}

/// A coupon a shopper may download, as `GET /api/v1/shop/coupons` returns it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct OfferedCoupon {
    /// Id of the coupon definition.
    #[serde(rename = "_id")]
    pub id: CouponId,
    /// Its document.
    #[serde(flatten)]
    pub coupon: Coupon,
    /// The member has drawn it.
    pub drawn: bool,
}

/// Coupons on display, newest first, and which of them `member` has drawn.
///
/// # Errors
/// [`ReadError`].
pub async fn offered_coupons(
    pool: &PgPool,
    member: Option<MemberId>,
) -> Result<Vec<OfferedCoupon>, ReadError> {
    let rows: Vec<RecordRow> = typed(
        sqlx::query_scalar(
            "SELECT to_jsonb(r) FROM records r WHERE kind = $1 AND NOT removed AND data -> 'onDisplay' = 'true' \
             ORDER BY created_at DESC, id",
        )
        .bind(Coupon::KIND)
        .fetch_all(pool)
        .await?,
    )?;
    let mut offered = Vec::with_capacity(rows.len());
    for row in rows {
        let found = row.into_found::<Coupon>()?;
        let id = found
            .id
            .parse()
            .map_err(|_| ReadError::StreamId(found.id.clone()))?;
        offered.push(OfferedCoupon {
            id,
            coupon: found.data,
            drawn: false,
        });
    }
    if let Some(member) = member {
        let ids: Vec<CouponId> = offered.iter().map(|one| one.id).collect();
        let drawn = drawn_by(pool, member, &ids).await?;
        for one in &mut offered {
            one.drawn = drawn.iter().any(|(id, _)| *id == one.id);
        }
    }
    Ok(offered)
}
