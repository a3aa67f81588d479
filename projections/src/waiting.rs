//! Indexes for the counts of what waits for staff and sellers, and the counts that no list module has.

use domain::message::MessageState;
use sqlx::PgPool;

use crate::error::ReadError;
use crate::messages::MessageRow;
use crate::orders::PurchaseColumns;
use crate::row_store::Row;

/// The number of messages that were given up.
///
/// # Errors
/// [`ReadError`].
pub async fn given_up_messages(pool: &PgPool) -> Result<i64, ReadError> {
    let state = MessageState::GivenUp.code();
    let sql = format!("SELECT count(*) FROM messages WHERE state = '{state}'");
    Ok(sqlx::query_scalar(&sql).fetch_one(pool).await?)
}

/// Creates the partial indexes of rows that wait: they stay small however many rows are done. False while a table does not exist yet.
/// Several servers that start together may all call this.
///
/// # Errors
/// [`ReadError`].
pub async fn create_indexes(pool: &PgPool) -> Result<bool, ReadError> {
    let given_up = MessageState::GivenUp.code();
    let wanted = [
        (
            PurchaseColumns::TABLE,
            "pending",
            "(seller, tab) WHERE claim_pending".to_owned(),
        ),
        (
            MessageRow::TABLE,
            "given_up",
            format!("(created_at DESC, id DESC) WHERE state = '{given_up}'"),
        ),
    ];
    for (table, name, columns) in wanted {
        let there: bool = sqlx::query_scalar("SELECT to_regclass($1) IS NOT NULL")
            .bind(table)
            .fetch_one(pool)
            .await?;
        if !there {
            return Ok(false);
        }
        // One transaction: of two servers that create the same index, one would fail.
        let sql = format!(
            "SELECT pg_advisory_xact_lock(hashtext('index {table}'));
             CREATE INDEX IF NOT EXISTS \"{table}_{name}\" ON {table} {columns}"
        );
        sqlx::raw_sql(&sql).execute(pool).await?;
    }
    Ok(true)
}
