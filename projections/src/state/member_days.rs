//! The days of members on which coupons are issued, by keyed hashes; and which members a coupon of a day is due for.

use domain::coupon::{Coupon, IssueTargetType};
use domain::ids::{CouponId, MemberId};
use domain::policies::coupon_days::CouponDay;
use sqlx::{PgPool, Postgres, QueryBuilder};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::error::ReadError;

/// A day of a member: its kind and the keyed hash it is found by.
pub type MemberDay = (&'static str, [u8; 32]);

/// Sets the days of a member. One that stays the same keeps its moment; another one has been theirs since `since`.
///
/// # Errors
/// [`ReadError`].
pub async fn set(
    pool: &PgPool,
    member: MemberId,
    days: &[MemberDay],
    since: OffsetDateTime,
) -> Result<(), ReadError> {
    let kinds: Vec<&str> = days.iter().map(|(kind, _)| *kind).collect();
    let hashes: Vec<&[u8]> = days.iter().map(|(_, hash)| hash.as_slice()).collect();
    let mut transaction = event_store::begin(pool).await?;
    sqlx::query("DELETE FROM member_days WHERE member = $1 AND kind <> ALL($2)")
        .bind(member.0)
        .bind(&kinds)
        .execute(&mut *transaction)
        .await?;
    sqlx::query(
        "INSERT INTO member_days (member, kind, hash, since) \
         SELECT $1, kind, hash, $4 FROM unnest($2::text[], $3::bytea[]) AS d(kind, hash) \
         ON CONFLICT (member, kind) DO UPDATE SET hash = excluded.hash, since = excluded.since \
         WHERE member_days.hash <> excluded.hash",
    )
    .bind(member.0)
    .bind(&kinds)
    .bind(&hashes)
    .bind(since)
    .execute(&mut *transaction)
    .await?;
    transaction.commit().await?;
    Ok(())
}

/// Members for whom a coupon of a day is due, after `last` by id. They are those of the rule whose box has no coupon of the occasion yet;
/// the log decides. `hashes`: of the day, if it is a day of members.
///
/// # Errors
/// [`ReadError`].
pub async fn due(
    pool: &PgPool,
    (id, coupon, day): (CouponId, &Coupon, &CouponDay),
    hashes: Option<&[Vec<u8>]>,
    (last, limit): (Option<MemberId>, i64),
) -> Result<Vec<MemberId>, ReadError> {
    let mut query = QueryBuilder::new("SELECT m.id FROM members m");
    match hashes {
        Some(hashes) => query
            .push(" JOIN member_days d ON d.member = m.id AND d.hash = ANY(")
            .push_bind(hashes)
            .push(") AND d.since < ")
            .push_bind(day.known_before()),
        None => query
            .push(" WHERE m.joined_at < ")
            .push_bind(day.known_before()),
    };
    query
        .push(match hashes {
            Some(_) => " WHERE m.left_at IS NULL",
            None => " AND m.left_at IS NULL",
        })
        .push(" AND NOT EXISTS (SELECT FROM coupon_box c WHERE c.member = m.id AND c.coupon = ")
        .push_bind(id.0)
        .push(" AND c.occasion = ")
        .push_bind(day.occasion())
        .push(")");
    if let Some(last) = last {
        query.push(" AND m.id > ").push_bind(last.0);
    }
    targets(&mut query, coupon);
    query.push(" ORDER BY m.id LIMIT ").push_bind(limit);
    let found: Vec<Uuid> = query.build_query_scalar().fetch_all(pool).await?;
    Ok(found.into_iter().map(MemberId).collect())
}

/// Only members the rule is for, as [`Coupon::is_meant_for`] says.
pub(crate) fn targets(query: &mut QueryBuilder<'_, Postgres>, coupon: &Coupon) {
    let target = &coupon.issue.target;
    match target.kind {
        IssueTargetType::All => {}
        IssueTargetType::Users => {
            let ids: Vec<Uuid> = target.users.iter().map(|id| id.0).collect();
            query.push(" AND m.id = ANY(").push_bind(ids).push(")");
        }
        IssueTargetType::UserTypes => {
            let types = target.user_types.iter();
            let types: Vec<String> = types.map(|kind| kind.code().to_owned()).collect();
            query
                .push(" AND m.member_type = ANY(")
                .push_bind(types)
                .push(")");
        }
        IssueTargetType::UserLevels => {
            query
                .push(" AND m.membership_level = ANY(")
                .push_bind(target.levels.clone())
                .push(")");
        }
    }
}

/// How many members a coupon reaches, by the code of their level (none: without one), and the first of them by when they joined.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CouponReach {
    /// Level and members.
    pub by_level: Vec<(Option<String>, i64)>,
    /// Some of the members.
    pub sample: Vec<MemberId>,
}

/// The open accounts that the rule of a coupon is for: its targets, and of a special date those who have one.
///
/// # Errors
/// [`ReadError`].
pub async fn reach(pool: &PgPool, coupon: &Coupon, sample: i64) -> Result<CouponReach, ReadError> {
    let narrow = |query: &mut QueryBuilder<'_, Postgres>| {
        query.push(" FROM members m WHERE m.left_at IS NULL");
        if let Some(date) = coupon.special_date() {
            query
                .push(" AND EXISTS (SELECT FROM member_days d WHERE d.member = m.id AND d.kind = ")
                .push_bind(date.stored_as().code())
                .push(")");
        }
        targets(query, coupon);
    };
    let mut levels = QueryBuilder::new("SELECT m.membership_level, count(*)");
    narrow(&mut levels);
    levels.push(" GROUP BY 1 ORDER BY 2 DESC, 1");
    let by_level = levels.build_query_as().fetch_all(pool).await?;
    let mut some = QueryBuilder::new("SELECT m.id");
    narrow(&mut some);
    some.push(" ORDER BY m.joined_at DESC, m.id LIMIT ")
        .push_bind(sample);
    let found: Vec<Uuid> = some.build_query_scalar().fetch_all(pool).await?;
    Ok(CouponReach {
        by_level,
        sample: found.into_iter().map(MemberId).collect(),
    })
}

/// Which of these members the rule of a coupon is for, as [`reach`] counts them.
///
/// # Errors
/// [`ReadError`].
pub async fn reached(
    pool: &PgPool,
    coupon: &Coupon,
    members: &[MemberId],
) -> Result<Vec<MemberId>, ReadError> {
    let ids: Vec<Uuid> = members.iter().map(|id| id.0).collect();
    let mut query = QueryBuilder::new("SELECT m.id FROM members m WHERE m.left_at IS NULL");
    query.push(" AND m.id = ANY(").push_bind(ids).push(")");
    if let Some(date) = coupon.special_date() {
        query
            .push(" AND EXISTS (SELECT FROM member_days d WHERE d.member = m.id AND d.kind = ")
            .push_bind(date.stored_as().code())
            .push(")");
    }
    targets(&mut query, coupon);
    let found: Vec<Uuid> = query.build_query_scalar().fetch_all(pool).await?;
    Ok(found.into_iter().map(MemberId).collect())
}
