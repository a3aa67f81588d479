//! Grants of points as staff looks for them.

use std::collections::BTreeMap;

use domain::Amount;
use domain::ids::{BulkGrantId, LotId, MemberId};
use serde::{Deserialize, Serialize};
use sqlx::{PgPool, Postgres, QueryBuilder};
use time::OffsetDateTime;
use utoipa::ToSchema;
use uuid::Uuid;

use super::LotRow;
use crate::error::ReadError;
use crate::page::{List, ListPage, Page, typed};

/// What became of a grant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum LotState {
    /// Something is left that can be used.
    Left,
    /// It was spent or taken back.
    UsedUp,
    /// What was left has expired.
    Expired,
}

/// Which grants.
#[derive(Clone, Copy, Debug, Default)]
pub struct LotFilter {
    /// Of this member.
    pub member: Option<MemberId>,
    /// Of this bulk grant.
    pub grant: Option<BulkGrantId>,
    /// In this state.
    pub state: Option<LotState>,
    /// Granted at or after.
    pub from: Option<OffsetDateTime>,
    /// Granted before.
    pub to: Option<OffsetDateTime>,
    /// Oldest first instead of newest first.
    pub oldest_first: bool,
}

impl LotFilter {
    fn push(&self, query: &mut QueryBuilder<'_, Postgres>, now: OffsetDateTime) {
        query.push("true");
        if let Some(member) = self.member {
            query.push(" AND l.member = ").push_bind(member.0);
        }
        if let Some(grant) = self.grant {
            query.push(" AND l.grant_id = ").push_bind(grant.0);
        }
        if let Some(from) = self.from {
            query.push(" AND l.granted_at >= ").push_bind(from);
        }
        if let Some(to) = self.to {
            query.push(" AND l.granted_at < ").push_bind(to);
        }
        match self.state {
            Some(LotState::Left) => {
                query
                    .push(" AND l.\"left\" > 0 AND l.expires_at > ")
                    .push_bind(now);
            }
            Some(LotState::UsedUp) => {
                query.push(" AND l.\"left\" = 0 AND l.expired = 0");
            }
            // an expiry counts from its moment on, whether or not it is in the log yet
            Some(LotState::Expired) => {
                query
                    .push(" AND (l.expired > 0 OR l.\"left\" > 0 AND l.expires_at <= ")
                    .push_bind(now)
                    .push(")");
            }
            None => {}
        }
    }
}

/// A grant, and the number of the order that earned it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PointsLot {
    /// The grant.
    pub lot: LotRow,
    /// The number of the order that earned it.
    pub order_no: Option<String>,
}

const FROM: &str = "points_book_lots l";
const SELECT: &str = "jsonb_build_object('lot', to_jsonb(l), 'order_no', (SELECT o.order_no FROM orders o WHERE o.id = l.order_id))";

/// Grants that fit the filter, and what is left in all of them that can be used at `now`.
///
/// # Errors
/// [`ReadError`].
pub async fn granted_lots(
    pool: &PgPool,
    filter: &LotFilter,
    now: OffsetDateTime,
    page: Page,
) -> Result<(ListPage<PointsLot>, Amount), ReadError> {
    let list = List {
        select: SELECT,
        from: FROM,
        narrow: FROM,
        key: "l.id",
        order: match filter.oldest_first {
            true => "l.granted_at, l.id",
            false => "l.granted_at DESC, l.id DESC",
        },
    };
    let found = list
        .page(pool, page, |query| filter.push(query, now))
        .await?;
    let mut left = QueryBuilder::new(format!(
        "SELECT coalesce(sum(l.\"left\"), 0)::bigint FROM {FROM} WHERE l.expires_at > "
    ));
    left.push_bind(now).push(" AND ");
    filter.push(&mut left, now);
    let left = left.build_query_scalar().fetch_one(pool).await?;
    Ok((found, Amount::new(left)))
}

/// One grant.
///
/// # Errors
/// [`ReadError`].
pub async fn granted_lot(pool: &PgPool, id: LotId) -> Result<Option<PointsLot>, ReadError> {
    let sql = format!("SELECT {SELECT} FROM {FROM} WHERE l.id = $1");
    let found = sqlx::query_scalar(&sql).bind(id.0).fetch_all(pool).await?;
    Ok(typed(found)?.pop())
}

/// What each of these members can spend at `now`; those who can spend nothing are missing.
///
/// # Errors
/// [`ReadError`].
pub async fn remaining_points(
    pool: &PgPool,
    members: &[MemberId],
    now: OffsetDateTime,
) -> Result<BTreeMap<MemberId, Amount>, ReadError> {
    let members: Vec<Uuid> = members.iter().map(|member| member.0).collect();
    let rows: Vec<(Uuid, i64)> = sqlx::query_as(
        "SELECT member, sum(\"left\")::bigint FROM points_book_lots \
         WHERE member = ANY($1) AND expires_at > $2 GROUP BY member",
    )
    .bind(members)
    .bind(now)
    .fetch_all(pool)
    .await?;
    let amounts = rows.into_iter();
    Ok(amounts
        .map(|(member, left)| (MemberId(member), Amount::new(left)))
        .collect())
}
