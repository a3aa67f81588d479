//! Documents handed in while joining (a company's registration copy): sealed, read by staff and their owner only, and
//! swept away if nobody claims them. Whose they are is decided in the log; this follows it.

use domain::ids::{DocumentId, MemberId};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sqlx::PgPool;
use time::OffsetDateTime;

use crate::error::ReadError;
use crate::page::{List, ListPage, Page, typed};

/// One document, without what is in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DocumentRow {
    /// The document.
    pub id: DocumentId,
    /// Who claimed it by joining.
    pub owner: Option<MemberId>,
    /// What it is.
    pub content_type: String,
    /// Bytes.
    pub size: i64,
    /// When it was handed in.
    #[serde(with = "crate::timestamp")]
    pub uploaded_at: OffsetDateTime,
}

/// Keeps a document nobody has claimed yet, if not too many of those are waiting; false if there are.
///
/// # Errors
/// [`ReadError`].
pub async fn keep(
    pool: &PgPool,
    document: &DocumentRow,
    sealed: &Value,
    unclaimed_most: i64,
) -> Result<bool, ReadError> {
    let kept = sqlx::query(
        "INSERT INTO documents (id, owner, sealed, content_type, size, uploaded_at) \
         SELECT $1, NULL, $2, $3, $4, $5 \
         WHERE (SELECT coalesce(sum(size), 0) FROM documents WHERE owner IS NULL) + $4 <= $6",
    )
    .bind(document.id.0)
    .bind(sealed)
    .bind(&document.content_type)
    .bind(document.size)
    .bind(document.uploaded_at)
    .bind(unclaimed_most)
    .execute(pool)
    .await?;
    Ok(kept.rows_affected() > 0)
}

/// One document, and what is in it, sealed.
///
/// # Errors
/// [`ReadError`].
pub async fn find(
    pool: &PgPool,
    id: DocumentId,
) -> Result<Option<(DocumentRow, Value)>, ReadError> {
    let found: Option<(Value, Value)> =
        sqlx::query_as("SELECT to_jsonb(d) - 'sealed', sealed FROM documents d WHERE id = $1")
            .bind(id.0)
            .fetch_optional(pool)
            .await?;
    found
        .map(|(row, sealed)| Ok((serde_json::from_value(row)?, sealed)))
        .transpose()
}

/// Gives an unclaimed document to a member, sealed with their key; false if somebody has it.
///
/// # Errors
/// [`ReadError`].
pub async fn claim(
    pool: &PgPool,
    id: DocumentId,
    owner: MemberId,
    sealed: &Value,
) -> Result<bool, ReadError> {
    let claimed =
        sqlx::query("UPDATE documents SET owner = $2, sealed = $3 WHERE id = $1 AND owner IS NULL")
            .bind(id.0)
            .bind(owner.0)
            .bind(sealed)
            .execute(pool)
            .await?;
    Ok(claimed.rows_affected() > 0)
}

/// Claimed documents, newest first: everybody's, or one member's.
///
/// # Errors
/// [`ReadError`].
pub async fn list(
    pool: &PgPool,
    owner: Option<MemberId>,
    page: Page,
) -> Result<ListPage<DocumentRow>, ReadError> {
    List {
        select: "to_jsonb(d) - 'sealed'",
        from: "documents d",
        narrow: "documents d",
        key: "d.id",
        order: "uploaded_at DESC, id DESC",
    }
    .page(pool, page, |query| {
        match owner {
            Some(owner) => query.push("owner = ").push_bind(owner.0),
            None => query.push("owner IS NOT NULL"),
        };
    })
    .await
}

/// Documents nobody has claimed yet, oldest first.
///
/// # Errors
/// [`ReadError`].
pub async fn unclaimed(pool: &PgPool) -> Result<Vec<DocumentRow>, ReadError> {
    typed(
        sqlx::query_scalar(
            "SELECT to_jsonb(d) - 'sealed' FROM documents d WHERE owner IS NULL ORDER BY uploaded_at",
        )
        .fetch_all(pool)
        .await?,
    )
}

/// Removes a document nobody has claimed.
///
/// # Errors
/// [`ReadError`].
pub async fn remove_unclaimed(pool: &PgPool, id: DocumentId) -> Result<(), ReadError> {
    sqlx::query("DELETE FROM documents WHERE id = $1 AND owner IS NULL")
        .bind(id.0)
        .execute(pool)
        .await?;
    Ok(())
}
