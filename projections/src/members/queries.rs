//! Queries for members.

use domain::ids::MemberId;
use domain::member::MemberType;
use sqlx::postgres::PgArguments;
use sqlx::{Arguments, PgPool};
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

/// A target of members with open accounts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemberTarget {
    /// Of this type; none: of any.
    pub member_type: Option<MemberType>,
    /// With one of these membership levels; none: with any or none.
    pub levels: Option<Vec<String>>,
    /// Of these; none: of all.
    pub members: Option<Vec<MemberId>>,
}

/// The rows of a target, by its type, its levels and its members as the first three arguments ([`MemberTarget::arguments`]).
macro_rules! of_target {
    () => {
        "FROM members WHERE left_at IS NULL AND ($1::text IS NULL OR member_type = $1) \
         AND ($2::text[] IS NULL OR membership_level = ANY($2)) AND ($3::uuid[] IS NULL OR id = ANY($3))"
    };
}
pub(crate) use of_target;

impl MemberTarget {
    /// The first arguments of a query with `of_target!`.
    pub(crate) fn arguments(&self) -> Result<PgArguments, ReadError> {
        let members = self.members.as_ref();
        let members: Option<Vec<Uuid>> =
            members.map(|members| members.iter().map(|id| id.0).collect());
        let mut arguments = PgArguments::default();
        let level = self.levels.as_ref();
        arguments
            .add(self.member_type.map(MemberType::code))
            .and_then(|()| arguments.add(level))
            .and_then(|()| arguments.add(members))
            .map_err(sqlx::Error::Encode)?;
        Ok(arguments)
    }
}

/// How many members a target has, and the last of them in the order of their ids; none if it has none.
///
/// # Errors
/// [`ReadError`].
pub async fn target_size(
    pool: &PgPool,
    target: &MemberTarget,
) -> Result<Option<(i64, MemberId)>, ReadError> {
    let sql = concat!(
        "SELECT count(*), (SELECT id ",
        of_target!(),
        " ORDER BY id DESC LIMIT 1) ",
        of_target!(),
    );
    let (count, last): (i64, Option<Uuid>) = sqlx::query_as_with(sql, target.arguments()?)
        .fetch_one(pool)
        .await?;
    Ok(last.map(|last| (count, MemberId(last))))
}

/// The next members of a target in the order of their ids: after one, up to another.
///
/// # Errors
/// [`ReadError`].
pub async fn next_of_target(
    pool: &PgPool,
    target: &MemberTarget,
    (after, last): (Option<MemberId>, MemberId),
    limit: i64,
) -> Result<Vec<MemberId>, ReadError> {
    let sql = concat!(
        "SELECT id ",
        of_target!(),
        " AND ($4::uuid IS NULL OR id > $4) AND id <= $5 ORDER BY id LIMIT $6"
    );
    let found: Vec<Uuid> = sqlx::query_scalar_with(sql, target.arguments()?)
        .bind(after.map(|after| after.0))
        .bind(last.0)
        .bind(limit)
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
