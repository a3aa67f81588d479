//! Lists of user payments.

use std::collections::BTreeMap;

use domain::ids::{MemberId, OrderId, UserPaymentId};
use domain::order::Order;
use domain::user_payment::UserPaymentStatus;
use serde::{Deserialize, Serialize};
use sqlx::types::Json;
use sqlx::{PgPool, Postgres, QueryBuilder};
use time::OffsetDateTime;
use uuid::Uuid;

use super::UserPaymentRow;
use crate::error::ReadError;
use crate::page::{List, ListPage, Page, typed};

const SELECT: &str = "to_jsonb(u) || jsonb_build_object('seller', p.seller, 'name', p.name)";
const FROM: &str = "user_payments u JOIN orders_purchases p ON p.purchase_no = u.purchase_no";

/// Which user payments to list.
#[derive(Clone, Debug, Default)]
pub struct UserPaymentFilter {
    /// For goods of this seller.
    pub seller: Option<MemberId>,
    /// Asked of this member.
    pub member: Option<MemberId>,
    /// With this status.
    pub status: Option<UserPaymentStatus>,
    /// Its number, or that of its order or purchase, or a prefix of one.
    pub search: Option<String>,
    /// Requested at or after.
    pub from: Option<OffsetDateTime>,
    /// Requested before.
    pub to: Option<OffsetDateTime>,
}

impl UserPaymentFilter {
    fn push(&self, query: &mut QueryBuilder<'_, Postgres>) {
        query.push("true");
        if let Some(seller) = self.seller {
            query.push(" AND p.seller = ").push_bind(seller.0);
        }
        if let Some(member) = self.member {
            query.push(" AND u.member = ").push_bind(member.0);
        }
        if let Some(status) = self.status {
            query.push(" AND u.status = ").push_bind(status.code());
        }
        if let Some(search) = &self.search {
            // both numbers start with that of the order
            let search = search.trim().to_uppercase();
            query
                .push(" AND (starts_with(u.number, ")
                .push_bind(search.clone())
                .push(") OR starts_with(u.purchase_no, ")
                .push_bind(search)
                .push("))");
        }
        if let Some(from) = self.from {
            query.push(" AND u.created_at >= ").push_bind(from);
        }
        if let Some(to) = self.to {
            query.push(" AND u.created_at < ").push_bind(to);
        }
    }
}

/// A user payment with the goods it is for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UserPaymentOfGoods {
    /// It.
    #[serde(flatten)]
    pub row: UserPaymentRow,
    /// The seller of the goods.
    pub seller: MemberId,
    /// Name of the goods.
    pub name: String,
}

/// User payments, newest first.
///
/// # Errors
/// [`ReadError`].
pub async fn user_payment_list(
    pool: &PgPool,
    filter: &UserPaymentFilter,
    page: Page,
) -> Result<ListPage<UserPaymentOfGoods>, ReadError> {
    List {
        select: SELECT,
        from: FROM,
        narrow: FROM,
        key: "u.id",
        order: "u.created_at DESC, u.id DESC",
    }
    .page(pool, page, |query| filter.push(query))
    .await
}

/// One user payment.
///
/// # Errors
/// [`ReadError`].
pub async fn user_payment(
    pool: &PgPool,
    id: UserPaymentId,
) -> Result<Option<UserPaymentOfGoods>, ReadError> {
    let sql = format!("SELECT {SELECT} FROM {FROM} WHERE u.id = $1");
    let found = sqlx::query_scalar(&sql).bind(id.0).fetch_all(pool).await?;
    Ok(typed(found)?.pop())
}

/// The orders of those that are not paid yet: they decide what can be done with them.
///
/// # Errors
/// [`ReadError`].
pub async fn orders_of_awaiting(
    pool: &PgPool,
    found: &[UserPaymentOfGoods],
) -> Result<BTreeMap<OrderId, Order>, ReadError> {
    let awaiting = found
        .iter()
        .filter(|one| one.row.status == UserPaymentStatus::Awaiting);
    let ids: Vec<Uuid> = awaiting.map(|one| one.row.order_id.0).collect();
    let rows: Vec<(Uuid, Json<Order>)> =
        sqlx::query_as("SELECT id, state FROM orders WHERE id = ANY($1)")
            .bind(ids)
            .fetch_all(pool)
            .await?;
    let rows = rows.into_iter();
    Ok(rows.map(|(id, state)| (OrderId(id), state.0)).collect())
}
