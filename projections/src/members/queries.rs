//! Queries for members.

use domain::ids::MemberId;
use domain::member::MemberType;
use sqlx::PgPool;
use uuid::Uuid;

use super::MemberRow;
use crate::error::ReadError;
use crate::page::{List, ListPage, Page, typed};

/// One member.
///
/// # Errors
/// [`ReadError`].
pub async fn member(pool: &PgPool, id: MemberId) -> Result<Option<MemberRow>, ReadError> {
    Ok(members(pool, &[id]).await?.pop())
}

/// These members; unknown ones are missing. Names the sellers of cards and purchases.
///
/// # Errors
/// [`ReadError`].
pub async fn members(pool: &PgPool, ids: &[MemberId]) -> Result<Vec<MemberRow>, ReadError> {
    let ids: Vec<Uuid> = ids.iter().map(|id| id.0).collect();
    typed(
        sqlx::query_scalar("SELECT to_jsonb(m) FROM members m WHERE id = ANY($1)")
            .bind(ids)
            .fetch_all(pool)
            .await?,
    )
}

/// Members with an event after this position of the log, closed accounts included.
///
/// # Errors
/// [`ReadError`].
pub async fn members_since(pool: &PgPool, position: i64) -> Result<Vec<MemberRow>, ReadError> {
    typed(
        sqlx::query_scalar("SELECT to_jsonb(m) FROM members m WHERE position > $1")
            .bind(position)
            .fetch_all(pool)
            .await?,
    )
}

/// Number of members in the membership level with this code.
///
/// # Errors
/// [`ReadError`].
pub async fn in_level(pool: &PgPool, code: &str) -> Result<i64, ReadError> {
    let count = "SELECT count(*) FROM members WHERE membership_level = $1 AND left_at IS NULL";
    Ok(sqlx::query_scalar(count).bind(code).fetch_one(pool).await?)
}

/// The members with one of these membership levels, those who joined first before the others.
///
/// # Errors
/// [`ReadError`].
pub async fn with_levels(pool: &PgPool, codes: &[String]) -> Result<Vec<MemberId>, ReadError> {
    let members = "SELECT id FROM members WHERE membership_level = ANY($1) AND left_at IS NULL ORDER BY joined_at, id";
    let found: Vec<Uuid> = sqlx::query_scalar(members)
        .bind(codes)
        .fetch_all(pool)
        .await?;
    Ok(found.into_iter().map(MemberId).collect())
}

/// The members with open accounts, of a type or all, those who joined first before the others.
///
/// # Errors
/// [`ReadError`].
pub async fn open_members(
    pool: &PgPool,
    member_type: Option<MemberType>,
) -> Result<Vec<MemberId>, ReadError> {
    let members = "SELECT id FROM members WHERE left_at IS NULL AND ($1::text IS NULL OR member_type = $1) ORDER BY joined_at, id";
    let found: Vec<Uuid> = sqlx::query_scalar(members)
        .bind(member_type.map(MemberType::code))
        .fetch_all(pool)
        .await?;
    Ok(found.into_iter().map(MemberId).collect())
}

/// All members, newest first.
///
/// # Errors
/// [`ReadError`].
pub async fn member_list(pool: &PgPool, page: Page) -> Result<ListPage<MemberRow>, ReadError> {
    List {
        select: "to_jsonb(m)",
        from: "members m",
        narrow: "members m",
        key: "m.id",
        order: "joined_at DESC, id",
    }
    .page(pool, page, |query| {
        query.push("true");
    })
    .await
}
