//! Erasure of working state when a member's account is closed.
//!
//! A new table with rows of members has to be added to [`TABLES`], or its rows would outlive their member; a test searches the database for
//! every owner column and checks that it is listed here.

use domain::ids::{MemberId, OrderId};
use domain::order::PurchaseStatus;
use sqlx::PgPool;
use time::OffsetDateTime;
use uuid::Uuid;

use super::credentials;
use crate::error::ReadError;

/// Every table whose rows are deleted with their member, and its owner column.
pub const TABLES: [(&str, &str); 21] = [
    ("credentials", "member"),
    ("refresh_tokens", "member"),
    ("known_devices", "member"),
    ("carts", "member"),
    ("ordered_lines", "cart"),
    ("destinations", "member"),
    ("likes", "member"),
    ("watches", "member"),
    ("alarms", "member"),
    ("alarm_settings", "member"),
    ("alarm_changes", "member"),
    ("saved_views", "owner"),
    ("documents", "owner"),
    ("import_parts", "owner"),
    ("import_runs", "owner"),
    ("member_days", "member"),
    ("member_mails", "member"),
    ("member_reach", "member"),
    ("account_mail_requests", "member"),
    ("account_links", "member"),
    ("stopped_addresses", "subject"),
];

/// Ends the member's sessions and deletes their rows; idempotent. Uploaded files are left to [`super::files::of_owner`].
///
/// # Errors
/// [`ReadError`].
pub async fn let_go(pool: &PgPool, member: MemberId, now: OffsetDateTime) -> Result<(), ReadError> {
    let mut transaction = event_store::begin(pool).await?;
    // Before the rows are deleted: access tokens of these sessions are refused from now on.
    credentials::sign_out_everywhere(&mut transaction, member, now).await?;
    for (table, column) in TABLES {
        let sql = format!("DELETE FROM {table} WHERE {column} = $1");
        sqlx::query(&sql)
            .bind(member.0)
            .execute(&mut *transaction)
            .await?;
    }
    transaction.commit().await?;
    Ok(())
}

/// Members whose account was closed since.
///
/// # Errors
/// [`ReadError`].
pub async fn left_since(pool: &PgPool, since: OffsetDateTime) -> Result<Vec<MemberId>, ReadError> {
    let ids: Vec<Uuid> = sqlx::query_scalar("SELECT id FROM members WHERE left_at > $1")
        .bind(since)
        .fetch_all(pool)
        .await?;
    Ok(ids.into_iter().map(MemberId).collect())
}

/// Number of unfinished matters of a member: purchases of theirs, or sold by them, that are neither confirmed nor canceled nor returned,
/// and unpaid orders.
///
/// # Errors
/// [`ReadError`].
pub async fn unfinished(pool: &PgPool, member: MemberId) -> Result<i64, ReadError> {
    Ok(sqlx::query_scalar(
        "SELECT count(*) FROM orders_purchases WHERE (buyer = $1 OR seller = $1) AND purchase_status <> ALL($2)",
    )
    .bind(member.0)
    .bind([PurchaseStatus::Complete, PurchaseStatus::Canceled].map(PurchaseStatus::code))
    .fetch_one(pool)
    .await?)
}

/// Every order of a member.
///
/// # Errors
/// [`ReadError`].
pub async fn orders_of(pool: &PgPool, member: MemberId) -> Result<Vec<OrderId>, ReadError> {
    let ids: Vec<Uuid> = sqlx::query_scalar("SELECT id FROM orders WHERE buyer = $1 ORDER BY id")
        .bind(member.0)
        .fetch_all(pool)
        .await?;
    Ok(ids.into_iter().map(OrderId).collect())
}

/// Time of the last event of any order of a member; none without orders.
///
/// # Errors
/// [`ReadError`].
pub async fn last_dealing(
    pool: &PgPool,
    member: MemberId,
) -> Result<Option<OffsetDateTime>, ReadError> {
    Ok(sqlx::query_scalar(
        "SELECT max(t.at) FROM order_timeline t JOIN orders o ON o.id = t.order_id WHERE o.buyer = $1",
    )
    .bind(member.0)
    .fetch_one(pool)
    .await?)
}
