//! Reads the multipart form of an upload: a part `image` or `file`, and `name`, `index` and ids of the records it belongs to.

use application::files;
use application::files::ingest::Uploader;
use application::files::kind::FileKind;
use application::files::upload::{Upload, UploadedFile, refused};
use axum::extract::multipart::{Field, MultipartError};
use axum::extract::{FromRequest, Multipart, Request};
use axum::http::StatusCode;
use projections::state::files::StoredFile;
use utoipa::ToSchema;

use crate::app::AppState;
use crate::http::{AppError, AppResult, Code};

/// Maximum number of parts.
const MAX_PARTS: usize = 20;
/// Maximum length of a part that is not a file.
const MAX_TEXT: usize = 200;
/// Maximum length of a file's name.
const MAX_NAME: usize = 120;

/// The form, for the OpenAPI document.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "only its schema is used")]
pub struct UploadForm {
    /// A picture: JPEG, PNG, GIF (its first frame) or WebP, 15 MB and 40 million pixels at most.
    #[schema(value_type = Option<String>, format = Binary)]
    image: Option<Vec<u8>>,
    /// A picture or a PDF document, 10 MB at most; instead of `image`.
    #[schema(value_type = Option<String>, format = Binary)]
    file: Option<Vec<u8>>,
    /// Its name; default: the original file name.
    name: Option<String>,
    /// Its index among the files of one form, from 0.
    index: Option<i32>,
}

#[track_caller]
fn too_large(part: &str) -> AppError {
    let message = "사진은 15MB, PDF는 10MB까지 올릴 수 있습니다.";
    refused(Code::TooLarge, part, "too_large", message)
}

#[track_caller]
fn unsupported(part: &str, pictures_only: bool) -> AppError {
    let message = if pictures_only {
        "JPG, PNG, GIF, WebP 사진만 올릴 수 있습니다."
    } else {
        "JPG, PNG, GIF, WebP 사진이나 PDF만 올릴 수 있습니다."
    };
    refused(
        Code::UnsupportedMediaType,
        part,
        "unsupported_type",
        message,
    )
}

fn unreadable(error: &MultipartError, part: &str) -> AppError {
    if error.status() == StatusCode::PAYLOAD_TOO_LARGE {
        too_large(part)
    } else {
        let message = "파일을 다시 올려 주세요.";
        refused(Code::Invalid, part, "unreadable", message)
    }
}

/// Reads the form, counts it against the uploader's rate limit, and stores the file.
///
/// # Errors
/// `too_many_requests`; as [`read`] and [`files::ingest::ingest`].
pub(crate) async fn store(
    app: &AppState,
    uploader: Uploader,
    request: Request,
    pictures_only: bool,
) -> AppResult<StoredFile> {
    app.limits.uploads.count(uploader.member)?;
    let upload = read(app, request, pictures_only).await?;
    files::ingest::ingest(app, uploader, upload).await
}

/// Reads the form.
///
/// # Errors
/// `unsupported_media_type`, `too_large`, or `invalid` with the part.
pub(crate) async fn read(
    app: &AppState,
    request: Request,
    pictures_only: bool,
) -> AppResult<Upload> {
    let mut form = Multipart::from_request(request, app)
        .await
        .map_err(|_| AppError::new(Code::UnsupportedMediaType))?;
    let mut upload = Upload::default();
    let mut parts = 0;
    while let Some(field) = form
        .next_field()
        .await
        .map_err(|error| unreadable(&error, "file"))?
    {
        parts += 1;
        let part = field.name().unwrap_or_default().to_owned();
        if parts > MAX_PARTS {
            let message = "항목이 너무 많습니다.";
            return Err(refused(Code::Invalid, &part, "too_many", message));
        }
        match part.as_str() {
            "image" | "file" if upload.file.is_some() => {
                let message = "파일은 한 번에 하나씩 올려 주세요.";
                return Err(refused(Code::Invalid, &part, "too_many", message));
            }
            "image" | "file" => {
                let pictures_only = pictures_only || part == "image";
                upload.file = Some(file(field, part, pictures_only).await?);
            }
            "name" => {
                let name = file_name(text(field, &part).await?.trim());
                if name.is_empty() {
                    let message = "파일 이름을 입력해 주세요.";
                    return Err(refused(Code::Invalid, &part, "required", message));
                }
                upload.name = Some(name);
            }
            "index" => {
                let place = text(field, &part).await?.parse().ok();
                let place = place.filter(|place| (0..10_000).contains(place));
                upload.index = Some(place.ok_or_else(|| {
                    let message = "순서는 0 이상의 숫자여야 합니다.";
                    refused(Code::Invalid, &part, "type", message)
                })?);
            }
            owner if owner.starts_with('_') && owner.len() <= MAX_TEXT => {
                let id = text(field, &part).await?;
                upload.owners.insert(part, id);
            }
            _ => {}
        }
    }
    Ok(upload)
}

async fn file(mut field: Field<'_>, part: String, pictures_only: bool) -> AppResult<UploadedFile> {
    let name = field.file_name().map(file_name).unwrap_or_default();
    let mut bytes = Vec::new();
    while let Some(chunk) = field
        .chunk()
        .await
        .map_err(|error| unreadable(&error, &part))?
    {
        if bytes.len() + chunk.len() > FileKind::MAX_BYTES {
            return Err(too_large(&part));
        }
        bytes.extend_from_slice(&chunk);
    }
    let kind = FileKind::of(&bytes)
        .filter(|kind| !pictures_only || *kind != FileKind::Document)
        .ok_or_else(|| unsupported(&part, pictures_only))?;
    if bytes.len() > kind.max_bytes() {
        return Err(too_large(&part));
    }
    Ok(UploadedFile {
        part,
        kind,
        bytes,
        name,
    })
}

async fn text(mut field: Field<'_>, part: &str) -> AppResult<String> {
    let mut bytes = Vec::new();
    while let Some(chunk) = field
        .chunk()
        .await
        .map_err(|error| unreadable(&error, part))?
    {
        bytes.extend_from_slice(&chunk);
        if bytes.len() > MAX_TEXT {
            let message = "너무 깁니다.";
            return Err(refused(Code::Invalid, part, "too_long", message));
        }
    }
    let text = String::from_utf8_lossy(&bytes);
    Ok(text.chars().filter(|letter| !letter.is_control()).collect())
}

/// The last part of a path, without control characters.
fn file_name(path: &str) -> String {
    let name = path.rsplit(['/', '\\']).next().unwrap_or_default();
    name.chars()
        .filter(|letter| !letter.is_control())
        .take(MAX_NAME)
        .collect()
}
