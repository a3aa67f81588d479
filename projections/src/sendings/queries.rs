//! Lists of sendings.

use domain::ids::SendingId;
use domain::sending::SendingChannel;
use sqlx::PgPool;

use super::SendingRow;
use crate::error::ReadError;
use crate::page::{List, ListPage, Page, typed};

/// Sendings of a way, newest first.
///
/// # Errors
/// [`ReadError`].
pub async fn sending_list(
    pool: &PgPool,
    channel: Option<SendingChannel>,
    page: Page,
) -> Result<ListPage<SendingRow>, ReadError> {
    List {
        select: "to_jsonb(s)",
        from: "sendings s",
        narrow: "sendings s",
        key: "s.id",
        order: "created_at DESC, id DESC",
    }
    .page(pool, page, |query| {
        query.push("true");
        if let Some(channel) = channel {
            query.push(" AND channel = ").push_bind(channel.code());
        }
    })
    .await
}

/// One sending.
///
/// # Errors
/// [`ReadError`].
pub async fn sending(pool: &PgPool, id: SendingId) -> Result<Option<SendingRow>, ReadError> {
    let found = sqlx::query_scalar("SELECT to_jsonb(s) FROM sendings s WHERE id = $1")
        .bind(id.0)
        .fetch_all(pool)
        .await?;
    Ok(typed(found)?.pop())
}
