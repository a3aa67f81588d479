//! Files people gave the shop: a row each time one is given. What is in them is on disk, once for all rows of one hash.

use std::collections::BTreeMap;

use domain::Sealed;
use domain::ids::MemberId;
use serde::{Deserialize, Serialize};
use sqlx::{PgConnection, PgPool, Postgres, Transaction};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::error::ReadError;
use crate::page::{List, Listed, Page, typed};

/// One file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredFile {
    /// The file.
    pub id: Uuid,
    /// SHA-256 of what was given, in hex: its name on disk and in addresses.
    pub hash: String,
    /// What it was called where it came from, sealed with its owner's profile key; `api` opens it.
    pub name: Sealed<String>,
    /// What is served.
    pub content_type: String,
    /// Bytes that are served.
    pub size: i64,
    /// Pixels across, if it is a picture.
    pub width: Option<i32>,
    /// Pixels down, if it is a picture.
    pub height: Option<i32>,
    /// Who gave it.
    pub owner: MemberId,
    /// Given through the back office, to be shown to anybody.
    pub shown: bool,
    /// Given for a review: its author's own, though it is shown.
    pub of_review: bool,
    /// Its place among the files of one form.
    pub place: i32,
    /// What it belongs to, as its form said: `_product` and the like to an id.
    pub owners: BTreeMap<String, String>,
    /// When it was given.
    #[serde(with = "crate::instant")]
    pub uploaded_at: OffsetDateTime,
}

/// Files, newest first: everybody's, or one owner's.
///
/// # Errors
/// [`ReadError`].
pub async fn list(
    pool: &PgPool,
    owner: Option<MemberId>,
    page: Page,
) -> Result<Listed<StoredFile>, ReadError> {
    List {
        select: "to_jsonb(f)",
        from: "files f",
        narrow: "files f",
        key: "f.id",
        order: "uploaded_at DESC, id DESC",
    }
    .page(pool, page, |query| {
        match owner {
            Some(owner) => query.push("owner = ").push_bind(owner.0),
            None => query.push("true"),
        };
    })
    .await
}

/// One file.
///
/// # Errors
/// [`ReadError`].
pub async fn find(pool: &PgPool, id: Uuid) -> Result<Option<StoredFile>, ReadError> {
    Ok(typed(
        sqlx::query_scalar("SELECT to_jsonb(f) FROM files f WHERE id = $1")
            .bind(id)
            .fetch_all(pool)
            .await?,
    )?
    .pop())
}

/// Files of a member with their hashes: all, or only those that are their own, being never meant to be shown to anybody or given
/// for a review.
///
/// # Errors
/// [`ReadError`].
pub async fn of_owner(
    pool: &PgPool,
    owner: MemberId,
    shown_too: bool,
) -> Result<Vec<(Uuid, String)>, ReadError> {
    Ok(sqlx::query_as(
        "SELECT id, hash FROM files WHERE owner = $1 AND (NOT shown OR of_review OR $2) ORDER BY id",
    )
    .bind(owner.0)
    .bind(shown_too)
    .fetch_all(pool)
    .await?)
}

/// Begins to keep or remove what has this hash: until the transaction ends nobody else does, so that a file is never
/// removed under the feet of somebody who gives it again.
///
/// # Errors
/// [`ReadError`].
pub async fn alone(pool: &PgPool, hash: &str) -> Result<Transaction<'static, Postgres>, ReadError> {
    let mut transaction = pool.begin().await?;
    lock(&mut transaction, &format!("files:{hash}")).await?;
    Ok(transaction)
}

/// Adds a file; false if its owner would then have more than `most` bytes.
///
/// # Errors
/// [`ReadError`].
pub async fn add(
    connection: &mut PgConnection,
    file: &StoredFile,
    most: i64,
) -> Result<bool, ReadError> {
    // Two files at once must not both take the last room.
    lock(connection, &format!("files of:{}", file.owner)).await?;
    let added = sqlx::query(
        "INSERT INTO files (id, hash, name, content_type, size, width, height, owner, shown, place, owners, uploaded_at, of_review) \
         SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $14 \
         WHERE (SELECT coalesce(sum(size), 0) FROM files WHERE owner = $8) + $5 <= $13",
    )
    .bind(file.id)
    .bind(&file.hash)
    .bind(serde_json::to_value(&file.name)?)
    .bind(&file.content_type)
    .bind(file.size)
    .bind(file.width)
    .bind(file.height)
    .bind(file.owner.0)
    .bind(file.shown)
    .bind(file.place)
    .bind(serde_json::to_value(&file.owners)?)
    .bind(file.uploaded_at)
    .bind(most)
    .bind(file.of_review)
    .execute(connection)
    .await?;
    Ok(added.rows_affected() > 0)
}

/// Removes a file; true if it was the last one of its hash.
///
/// # Errors
/// [`ReadError`].
pub async fn remove(
    connection: &mut PgConnection,
    id: Uuid,
    hash: &str,
) -> Result<bool, ReadError> {
    sqlx::query("DELETE FROM files WHERE id = $1")
        .bind(id)
        .execute(&mut *connection)
        .await?;
    let kept: bool = sqlx::query_scalar("SELECT EXISTS (SELECT FROM files WHERE hash = $1)")
        .bind(hash)
        .fetch_one(connection)
        .await?;
    Ok(!kept)
}

async fn lock(connection: &mut PgConnection, name: &str) -> Result<(), ReadError> {
    sqlx::query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))")
        .bind(name)
        .execute(connection)
        .await?;
    Ok(())
}
