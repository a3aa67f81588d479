//! Documents uploaded during registration (a company's registration copy): sealed, readable by staff and their owner only, and deleted if
//! not claimed. Ownership is decided in the log; this table follows it.

use domain::ids::{DocumentId, MemberId};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sqlx::PgPool;
use time::OffsetDateTime;

use crate::error::ReadError;
use crate::page::{List, ListPage, Page, typed};

/// One document without its content.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DocumentRow {
    /// The document.
    pub id: DocumentId,
    /// The member who claimed it by joining.
    pub owner: Option<MemberId>,
    /// MIME type.
    pub content_type: String,
    /// Size in bytes.
    pub size: i64,
    /// When it was uploaded.
    #[serde(with = "crate::timestamp")]
    pub uploaded_at: OffsetDateTime,
}

/// Stores an unclaimed document; false if too many are waiting.
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

/// One document and its sealed content.
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

/// Assigns an unclaimed document to a member, sealed with their key; false if it is claimed already.
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

/// Claimed documents, newest first: of all members, or of one.
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

/// Unclaimed documents, oldest first.
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

/// Removes an unclaimed document.
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
