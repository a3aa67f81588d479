//! Uploaded files: one row for each upload, and one for each earlier content of a file that was replaced, which follows the file's
//! aggregate. Contents are on disk, once for all rows with the same hash.

use std::collections::{BTreeMap, HashMap};

use domain::file::{FileContent, FileEvent};
use domain::ids::MemberId;
use domain::{Actor, Sealed};
use event_store::StoredEvent;
use serde::{Deserialize, Serialize};
use sqlx::{PgConnection, PgPool, Postgres, Transaction};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::error::ReadError;
use crate::event_decode::{at, event, stream_id, version};
use crate::page::{List, ListPage, Page, typed};

/// One file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredFile {
    /// The file.
    pub id: Uuid,
    /// SHA-256 of the uploaded content, in hex: its name on disk and in URLs.
    pub hash: String,
    /// Original file name, sealed with its owner's profile key; `api` decrypts it.
    pub name: Sealed<String>,
    /// MIME type as served.
    pub content_type: String,
    /// Size in bytes as served.
    pub size: i64,
    /// Width in pixels, if it is a picture.
    pub width: Option<i32>,
    /// Height in pixels, if it is a picture.
    pub height: Option<i32>,
    /// Who uploaded it.
    pub owner: MemberId,
    /// Uploaded through the back office, public.
    pub shown: bool,
    /// Uploaded for a review: owned by its author, though public.
    pub of_review: bool,
    /// Index among the files of one form.
    pub place: i32,
    /// Owners given in the upload form: `_product` and the like to an id.
    pub owners: BTreeMap<String, String>,
    /// When it was uploaded.
    #[serde(with = "crate::timestamp")]
    pub uploaded_at: OffsetDateTime,
    /// When it was replaced; none: this is the current content.
    #[serde(with = "crate::timestamp::option")]
    pub replaced_at: Option<OffsetDateTime>,
    /// Who replaced it.
    pub replaced_by: Option<MemberId>,
    /// Version of its aggregate ([`domain::file`]); none: never replaced, or replaced before there was an event for it.
    pub version: Option<i64>,
}

impl StoredFile {
    /// Version of its aggregate in the log, starting at 0.
    pub fn ledger_version(&self) -> u64 {
        self.version
            .map_or(0, |version| u64::try_from(version).unwrap_or_default())
    }

    /// Its content as the aggregate describes it.
    pub fn content(&self) -> FileContent {
        FileContent {
            hash: self.hash.clone(),
            name: self.name.clone(),
            content_type: self.content_type.clone(),
            size: self.size,
            width: self.width,
            height: self.height,
            place: self.place,
            owners: self.owners.clone(),
            given_at: self.uploaded_at,
        }
    }

    /// The same file with this content.
    #[must_use]
    pub fn being(self, content: FileContent) -> Self {
        Self {
            hash: content.hash,
            name: content.name,
            content_type: content.content_type,
            size: content.size,
            width: content.width,
            height: content.height,
            place: content.place,
            owners: content.owners,
            uploaded_at: content.given_at,
            ..self
        }
    }
}

/// Current files, newest first: of all owners, or of one.
///
/// # Errors
/// [`ReadError`].
pub async fn list(
    pool: &PgPool,
    owner: Option<MemberId>,
    page: Page,
) -> Result<ListPage<StoredFile>, ReadError> {
    List {
        select: "to_jsonb(f)",
        from: "files f",
        narrow: "files f",
        key: "f.id",
        order: "uploaded_at DESC, id DESC",
    }
    .page(pool, page, |query| {
        query.push("earlier_of IS NULL");
        if let Some(owner) = owner {
            query.push(" AND owner = ").push_bind(owner.0);
        }
    })
    .await
}

/// One current file.
///
/// # Errors
/// [`ReadError`].
pub async fn find(pool: &PgPool, id: Uuid) -> Result<Option<StoredFile>, ReadError> {
    let found = "SELECT to_jsonb(f) FROM files f WHERE id = $1 AND earlier_of IS NULL";
    let rows = sqlx::query_scalar(found).bind(id).fetch_all(pool).await?;
    Ok(typed(rows)?.pop())
}

/// These files, by id; unknown ones are missing.
///
/// # Errors
/// [`ReadError`].
pub async fn found(pool: &PgPool, ids: &[Uuid]) -> Result<HashMap<Uuid, StoredFile>, ReadError> {
    let found = "SELECT to_jsonb(f) FROM files f WHERE id = ANY($1) AND earlier_of IS NULL";
    let rows = sqlx::query_scalar(found).bind(ids).fetch_all(pool).await?;
    let rows: Vec<StoredFile> = typed(rows)?;
    Ok(rows.into_iter().map(|file| (file.id, file)).collect())
}

/// Earlier contents of a file, newest first. Who replaced each is in its stream, except for those replaced before there was an event for
/// it: [`StoredFile::version`].
///
/// # Errors
/// [`ReadError`].
pub async fn earlier(pool: &PgPool, id: Uuid) -> Result<Vec<StoredFile>, ReadError> {
    let rows = sqlx::query_scalar(
        "SELECT to_jsonb(f) FROM files f WHERE earlier_of = $1 ORDER BY replaced_at DESC, id DESC",
    )
    .bind(id)
    .fetch_all(pool)
    .await?;
    typed(rows)
}

/// Files of a member with their hashes, earlier contents first: all, or only private ones, which are neither public nor uploaded for a
/// review.
///
/// # Errors
/// [`ReadError`].
pub async fn of_owner(
    pool: &PgPool,
    owner: MemberId,
    shown_too: bool,
) -> Result<Vec<(Uuid, String)>, ReadError> {
    Ok(sqlx::query_as(
        "SELECT id, hash FROM files WHERE owner = $1 AND (NOT shown OR of_review OR $2) ORDER BY earlier_of IS NULL, id",
    )
    .bind(owner.0)
    .bind(shown_too)
    .fetch_all(pool)
    .await?)
}

/// Locks this hash until the transaction ends: storing and removing its content are serialized, so that a file is never removed while it is
/// being uploaded again.
///
/// # Errors
/// [`ReadError`].
pub async fn alone(pool: &PgPool, hash: &str) -> Result<Transaction<'static, Postgres>, ReadError> {
    let mut transaction = event_store::begin(pool).await?;
    lock(&mut transaction, &format!("files:{hash}")).await?;
    Ok(transaction)
}

/// Adds a row; false if its owner would then have more than `most` bytes.
///
/// # Errors
/// [`ReadError`].
pub async fn add(
    connection: &mut PgConnection,
    file: &StoredFile,
    most: i64,
) -> Result<bool, ReadError> {
    if !has_room(connection, file, most).await? {
        return Ok(false);
    }
    sqlx::query(
        "INSERT INTO files (id, hash, name, content_type, size, width, height, owner, shown, place, owners, uploaded_at, of_review) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)",
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
    .bind(file.of_review)
    .execute(connection)
    .await?;
    Ok(true)
}

/// Sets a file to the content of an event of its stream, unless it has that or a newer one already. The previous content is kept as a row
/// of its own.
///
/// # Errors
/// [`ReadError`].
pub async fn follow(connection: &mut PgConnection, told: &StoredEvent) -> Result<(), ReadError> {
    let FileEvent::FileReplaced { after, .. } = event(told)?;
    let id: Uuid = stream_id(told)?;
    let version = version(told);
    let by = Actor::deserialize(&told.metadata.actor)?.member();
    let kept = sqlx::query(
        "INSERT INTO files (id, hash, name, content_type, size, width, height, owner, shown, place, owners, uploaded_at, of_review, \
             version, earlier_of, replaced_at, replaced_by) \
         SELECT $2::uuid, hash, name, content_type, size, width, height, owner, shown, place, owners, uploaded_at, of_review, \
             $5::bigint - 1, id, $3::timestamptz, coalesce($4::uuid, owner) \
         FROM files WHERE id = $1 AND earlier_of IS NULL AND coalesce(version, 0) < $5 FOR UPDATE",
    )
    .bind(id)
    .bind(Uuid::now_v7())
    .bind(at(told))
    .bind(by.map(|by| by.0))
    .bind(version)
    .execute(&mut *connection)
    .await?;
    if kept.rows_affected() == 0 {
        return Ok(());
    }
    sqlx::query(
        "UPDATE files SET hash = $2, name = $3, content_type = $4, size = $5, width = $6, height = $7, place = $8, owners = $9, \
             uploaded_at = $10, version = $11 WHERE id = $1",
    )
    .bind(id)
    .bind(&after.hash)
    .bind(serde_json::to_value(&after.name)?)
    .bind(&after.content_type)
    .bind(after.size)
    .bind(after.width)
    .bind(after.height)
    .bind(after.place)
    .bind(serde_json::to_value(&after.owners)?)
    .bind(after.given_at)
    .bind(version)
    .execute(connection)
    .await?;
    Ok(())
}

/// Whether the owner of a file has room for its content. Each content is counted once, however many rows refer to it. Locks the owner until
/// the transaction ends, so that two uploads do not both take the last room.
///
/// # Errors
/// [`ReadError`].
pub async fn has_room(
    connection: &mut PgConnection,
    file: &StoredFile,
    most: i64,
) -> Result<bool, ReadError> {
    lock(connection, &format!("files of:{}", file.owner)).await?;
    let has: i64 = sqlx::query_scalar(
        "SELECT coalesce(sum(size), 0)::bigint FROM (SELECT max(size) AS size FROM files WHERE owner = $1 AND hash <> $2 GROUP BY hash) kept",
    )
    .bind(file.owner.0)
    .bind(&file.hash)
    .fetch_one(connection)
    .await?;
    Ok(has.saturating_add(file.size) <= most)
}

/// Removes a row of this hash, if it is an earlier content or a file that was never replaced; true if no row refers to the hash any more.
///
/// # Errors
/// [`ReadError`].
pub async fn remove(
    connection: &mut PgConnection,
    id: Uuid,
    hash: &str,
) -> Result<bool, ReadError> {
    sqlx::query(
        "DELETE FROM files f WHERE id = $1 AND hash = $2 AND NOT EXISTS (SELECT FROM files e WHERE e.earlier_of = f.id)",
    )
    .bind(id)
    .bind(hash)
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
