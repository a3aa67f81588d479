//! Stores uploads: re-encodes pictures, writes the files to disk, then adds them to the file list.

use domain::Purpose;
use domain::ids::MemberId;
use projections::state::files::{self, StoredFile};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::kind::FileKind;
use super::picture;
use super::upload::{Upload, UploadedFile, file_missing, quota_exceeded, unusable_picture};
use crate::app::App;
use crate::blob_store::FileName;
use crate::error::{AppError, AppResult};

/// The uploader of a file, and its purpose.
#[derive(Clone, Copy, Debug)]
pub struct Uploader {
    /// The owner.
    pub member: MemberId,
    /// Whether it is public.
    pub shown: bool,
    /// Whether it is for a review.
    pub of_review: bool,
}

/// A file and its smaller variants, ready to be written to disk.
pub(super) struct EncodedFile {
    /// Names and contents.
    pub files: Vec<(FileName, Vec<u8>)>,
    /// The content type.
    pub content_type: &'static str,
    /// Size in bytes.
    pub size: i64,
    /// Width in pixels, of a picture.
    pub width: Option<i32>,
    /// Height in pixels, of a picture.
    pub height: Option<i32>,
}

/// Stores an upload.
///
/// # Errors
/// `invalid` with the part: `required`, `broken_image`, `too_many_pixels`, `quota`; disk and database errors.
pub async fn ingest(app: &App, uploader: Uploader, upload: Upload) -> AppResult<StoredFile> {
    let uploaded = upload.file.ok_or_else(file_missing)?;
    let part = uploaded.part.clone();
    let hash = hash_of(&uploaded);
    let name = upload.name.unwrap_or_else(|| uploaded.name.clone());
    let name = app
        .keys
        .seal(uploader.member.0, Purpose::Profile, &name)
        .await?;
    let encoded = encode(uploaded, &hash).await?;
    let file = StoredFile {
        id: Uuid::now_v7(),
        hash,
        name,
        content_type: encoded.content_type.to_owned(),
        size: encoded.size,
        width: encoded.width,
        height: encoded.height,
        owner: uploader.member,
        shown: uploader.shown,
        of_review: uploader.of_review,
        place: upload.index.unwrap_or_default(),
        owners: upload.owners,
        uploaded_at: app.clock.now(),
        replaced_at: None,
        replaced_by: None,
        version: None,
    };
    let mut alone = files::alone(app.pool(), &file.hash).await?;
    if !files::add(&mut alone, &file, app.settings.max_uploaded_bytes).await? {
        return Err(quota_exceeded(&part));
    }
    write(app, encoded.files).await?;
    alone.commit().await?;
    Ok(file)
}

/// The content address: SHA-256 of what was uploaded.
pub(super) fn hash_of(uploaded: &UploadedFile) -> String {
    hex::encode(Sha256::digest(&uploaded.bytes))
}

/// Writes files to disk, except those that exist.
pub(super) async fn write(app: &App, files: Vec<(FileName, Vec<u8>)>) -> AppResult<()> {
    let blobs = app.blobs.clone();
    tokio::task::spawn_blocking(move || blobs.write(&files))
        .await?
        .map_err(AppError::internal)
}

/// Re-encodes a picture; leaves a document as it is.
pub(super) async fn encode(uploaded: UploadedFile, hash: &str) -> AppResult<EncodedFile> {
    let FileKind::Picture(format) = uploaded.kind else {
        let name = FileName::document(hash);
        return Ok(EncodedFile {
            content_type: name.content_type(),
            size: i64::try_from(uploaded.bytes.len()).map_err(AppError::internal)?,
            width: None,
            height: None,
            files: vec![(name, uploaded.bytes)],
        });
    };
    let picture = picture::reencode(format, uploaded.bytes)
        .await
        .map_err(|error| unusable_picture(error, &uploaded.part))?;
    let name = FileName::picture(hash, None);
    let variants = picture
        .variants
        .into_iter()
        .map(|(width, bytes)| (FileName::picture(hash, Some(width)), bytes));
    Ok(EncodedFile {
        content_type: name.content_type(),
        size: i64::try_from(picture.full.len()).map_err(AppError::internal)?,
        width: i32::try_from(picture.width).ok(),
        height: i32::try_from(picture.height).ok(),
        // The full-size picture last: once it exists, all its variants exist.
        files: variants.chain([(name, picture.full)]).collect(),
    })
}
