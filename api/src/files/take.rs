//! Taking a file in: read, drawn anew if it is a picture, written to disk, and then into the list. And replacing one: the same,
//! and what it was is kept.

use axum::extract::Request;
use domain::Purpose;
use domain::ids::MemberId;
use projections::state::files::{self, Replaced, StoredFile};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::folder::{FileName, Folder};
use super::form::{Given, file_missing, received, refused};
use super::kind::FileKind;
use super::picture::{self, PictureFlaw};
use crate::app::AppState;
use crate::http::{ApiError, ApiResult, Code};

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
struct Made {
    files: Vec<(FileName, Vec<u8>)>,
    content_type: &'static str,
    size: i64,
    width: Option<i32>,
    height: Option<i32>,
}

/// Takes a file in.
///
/// # Errors
/// `too_many_requests`, `too_large`, `unsupported_media_type`; `invalid` with the part: `broken_image`,
/// `too_many_pixels`, `quota`.
pub async fn take(app: &AppState, giver: Giver, request: Request) -> ApiResult<StoredFile> {
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

/// Makes a file what a form says: what is in it, what it is called, its place, what it belongs to. What the form leaves out
/// stays; what the file was is kept.
///
/// # Errors
/// As [`take`]; `not_found` if the file went meanwhile, or its owner was forgotten.
pub async fn replace(
    app: &AppState,
    by: MemberId,
    before: StoredFile,
    request: Request,
) -> ApiResult<StoredFile> {
    app.limits.uploads.count(by)?;
    let came = received(app, request, before.of_review).await?;
    if came.is_empty() {
        return Err(file_missing());
    }
    let mut file = StoredFile {
        uploaded_at: app.clock.now(),
        ..before
    };
    let said = came.name;
    let called = said.or_else(|| came.file.as_ref().map(|given| given.name.clone()));
    if let Some(name) = called {
        file.name = app.keys.seal(file.owner.0, Purpose::Profile, &name).await?;
    }
    if let Some(place) = came.index {
        file.place = place;
    }
    if !came.owners.is_empty() {
        file.owners = came.owners;
    }
    let mut part = "file".to_owned();
    let mut written = Vec::new();
    if let Some(given) = came.file {
        part = given.part.clone();
        file.hash = hash_of(&given);
        let made = made(given, &file.hash).await?;
        file.content_type = made.content_type.to_owned();
        (file.size, file.width, file.height) = (made.size, made.width, made.height);
        written = made.files;
    }
    let mut alone = files::alone(app.pool(), &file.hash).await?;
    let most = app.settings.limits.uploaded_bytes;
    match files::replace(&mut alone, &file, by, most).await? {
        Replaced::Done => {}
        Replaced::Full => return Err(full(&part)),
        Replaced::Gone => return Err(ApiError::not_found()),
    }
    keep(app, written).await?;
    alone.commit().await?;
    Ok(file)
}

fn hash_of(given: &Given) -> String {
    hex::encode(Sha256::digest(&given.bytes))
}

#[track_caller]
fn full(part: &str) -> ApiError {
    let message = "올릴 수 있는 용량을 모두 사용했습니다.";
    refused(Code::Invalid, part, "quota", message)
}

async fn keep(app: &AppState, files: Vec<(FileName, Vec<u8>)>) -> ApiResult<()> {
    let folder = Folder::of(&app.settings);
    tokio::task::spawn_blocking(move || folder.keep(&files))
        .await?
        .map_err(ApiError::internal)
}

async fn made(came: Given, hash: &str) -> ApiResult<Made> {
    let FileKind::Picture(format) = came.kind else {
        let name = FileName::document(hash);
        return Ok(Made {
            content_type: name.content_type(),
            size: i64::try_from(came.bytes.len()).map_err(ApiError::internal)?,
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
        i64::try_from(drawn.whole.len()).map_err(ApiError::internal)?,
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
pub fn flawed(flaw: PictureFlaw, part: &str) -> ApiError {
    match flaw {
        PictureFlaw::Broken => {
            let message = "손상된 사진입니다. 다른 파일을 올려 주세요.";
            refused(Code::Invalid, part, "broken_image", message)
        }
        PictureFlaw::TooManyPixels => {
            let message = "사진이 너무 큽니다. 4천만 화소까지 올릴 수 있습니다.";
            refused(Code::Invalid, part, "too_many_pixels", message)
        }
        PictureFlaw::Failed => ApiError::internal(flaw),
    }
}
