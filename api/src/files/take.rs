//! Taking a file in: read, drawn anew if it is a picture, written to disk, and then into the list.

use axum::extract::Request;
use domain::Purpose;
use domain::ids::MemberId;
use projections::state::files::{self, StoredFile};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::folder::{FileName, Folder};
use super::form::{Given, file_missing, received, refused};
use super::kind::FileKind;
use super::picture::{self, PictureFlaw};
use crate::app::AppState;
use crate::http::{AppError, AppResult, Code};

/// Who gives a file, and what for.
#[derive(Clone, Copy, Debug)]
pub struct Giver {
    /// Who.
    pub member: MemberId,
    /// It is for anybody to see.
    pub shown: bool,
    /// Given for a review.
    pub of_review: bool,
    /// It has to be a picture.
    pub pictures_only: bool,
}

/// What is written.
pub(super) struct Made {
    /// Under its content address, and smaller sizes of it.
    pub files: Vec<(FileName, Vec<u8>)>,
    /// What is served.
    pub content_type: &'static str,
    /// Bytes of it.
    pub size: i64,
    /// Pixels across, if it is a picture.
    pub width: Option<i32>,
    /// Pixels down, if it is a picture.
    pub height: Option<i32>,
}

/// Takes a file in.
///
/// # Errors
/// `too_many_requests`, `too_large`, `unsupported_media_type`; `invalid` with the part: `broken_image`,
/// `too_many_pixels`, `quota`.
pub(crate) async fn take(app: &AppState, giver: Giver, request: Request) -> AppResult<StoredFile> {
    app.limits.uploads.count(giver.member)?;
    let came = received(app, request, giver.pictures_only).await?;
    let given = came.file.ok_or_else(file_missing)?;
    let part = given.part.clone();
    let hash = hash_of(&given);
    let name = came.name.unwrap_or_else(|| given.name.clone());
    let name = app
        .keys
        .seal(giver.member.0, Purpose::Profile, &name)
        .await?;
    let made = made(given, &hash).await?;
    let file = StoredFile {
        id: Uuid::now_v7(),
        hash,
        name,
        content_type: made.content_type.to_owned(),
        size: made.size,
        width: made.width,
        height: made.height,
        owner: giver.member,
        shown: giver.shown,
        of_review: giver.of_review,
        place: came.index.unwrap_or_default(),
        owners: came.owners,
        uploaded_at: app.clock.now(),
        replaced_at: None,
        replaced_by: None,
        version: None,
    };
    let mut alone = files::alone(app.pool(), &file.hash).await?;
    let most = app.settings.limits.uploaded_bytes;
    if !files::add(&mut alone, &file, most).await? {
        return Err(full(&part));
    }
    keep(app, made.files).await?;
    alone.commit().await?;
    Ok(file)
}

/// The content address of what was given.
pub(super) fn hash_of(given: &Given) -> String {
    hex::encode(Sha256::digest(&given.bytes))
}

/// The refusal of a file there is no room for.
#[track_caller]
pub(super) fn full(part: &str) -> AppError {
    let message = "올릴 수 있는 용량을 모두 사용했습니다.";
    refused(Code::Invalid, part, "quota", message)
}

/// Writes it to disk, where it is not there yet.
pub(super) async fn keep(app: &AppState, files: Vec<(FileName, Vec<u8>)>) -> AppResult<()> {
    let folder = Folder::of(&app.settings);
    tokio::task::spawn_blocking(move || folder.keep(&files))
        .await?
        .map_err(AppError::internal)
}

/// What is written of what was given.
pub(super) async fn made(came: Given, hash: &str) -> AppResult<Made> {
    let FileKind::Picture(format) = came.kind else {
        let name = FileName::document(hash);
        return Ok(Made {
            content_type: name.content_type(),
            size: i64::try_from(came.bytes.len()).map_err(AppError::internal)?,
            width: None,
            height: None,
            files: vec![(name, came.bytes)],
        });
    };
    let drawn = picture::draw(format, came.bytes)
        .await
        .map_err(|flaw| flawed(flaw, &came.part))?;
    let name = FileName::picture(hash, None);
    let whole = (
        name.content_type(),
        i64::try_from(drawn.whole.len()).map_err(AppError::internal)?,
    );
    let smaller = drawn
        .variants
        .into_iter()
        .map(|(width, bytes)| (FileName::picture(hash, Some(width)), bytes));
    Ok(Made {
        content_type: whole.0,
        size: whole.1,
        width: i32::try_from(drawn.width).ok(),
        height: i32::try_from(drawn.height).ok(),
        files: smaller.chain([(name, drawn.whole)]).collect(),
    })
}

/// The refusal of a picture that cannot be drawn anew.
#[track_caller]
pub fn flawed(flaw: PictureFlaw, part: &str) -> AppError {
    match flaw {
        PictureFlaw::Broken => {
            let message = "손상된 사진입니다. 다른 파일을 올려 주세요.";
            refused(Code::Invalid, part, "broken_image", message)
        }
        PictureFlaw::TooManyPixels => {
            let message = "사진이 너무 큽니다. 4천만 화소까지 올릴 수 있습니다.";
            refused(Code::Invalid, part, "too_many_pixels", message)
        }
        PictureFlaw::Failed => AppError::internal(flaw),
    }
}
