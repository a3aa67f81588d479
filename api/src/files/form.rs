//! The form a file comes in: a part `image` or `file`, and `name`, `index` and ids of what it belongs to.

use std::collections::BTreeMap;

use axum::extract::multipart::{Field, MultipartError};
use axum::extract::{FromRequest, Multipart, Request};
use axum::http::StatusCode;
use domain::record::FieldError;
use utoipa::ToSchema;

use super::kind::FileKind;
use crate::app::AppState;
use crate::http::{AppError, AppResult, Code};

/// Parts of a form at most.
const PARTS_MOST: usize = 20;
/// Letters of a part that is no file at most.
const TEXT_MOST: usize = 200;
/// Letters of a file's name at most.
const NAME_MOST: usize = 120;

/// The form, for the API's document.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "only its schema is used")]
pub struct UploadForm {
    /// A picture: JPEG, PNG, GIF (its first frame) or WebP, 15 MB and 40 million pixels at most.
    #[schema(value_type = Option<String>, format = Binary)]
    image: Option<Vec<u8>>,
    /// A picture or a PDF document, 10 MB at most; instead of `image`.
    #[schema(value_type = Option<String>, format = Binary)]
    file: Option<Vec<u8>>,
    /// What it is to be called; without it, what it is called where it comes from.
    name: Option<String>,
    /// Its place among the files of one form, from 0.
    index: Option<i32>,
}

/// What came: the file, and what is said about it.
#[derive(Debug, Default)]
pub struct Received {
    /// The file.
    pub file: Option<Given>,
    /// What it is to be called.
    pub name: Option<String>,
    /// Its place.
    pub index: Option<i32>,
    /// What it belongs to: `_product` and the like to an id.
    pub owners: BTreeMap<String, String>,
}

impl Received {
    /// Nothing was said.
    pub fn is_empty(&self) -> bool {
        self.file.is_none() && self.name.is_none() && self.index.is_none() && self.owners.is_empty()
    }
}

/// A file as it came.
#[derive(Debug)]
pub struct Given {
    /// The part it came in, `image` or `file`: refusals name it.
    pub part: String,
    /// What it is.
    pub kind: FileKind,
    /// What is in it.
    pub bytes: Vec<u8>,
    /// What it is called where it came from.
    pub name: String,
}

/// A refusal that names the part.
#[track_caller]
pub fn refused(code: Code, part: &str, word: &str, message: &str) -> AppError {
    AppError::new(code)
        .saying(message)
        .with_fields(vec![FieldError::new(part, word, message)])
}

/// The refusal of a form without a file.
#[track_caller]
pub fn file_missing() -> AppError {
    refused(Code::Invalid, "file", "required", "파일을 올려 주세요.")
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

fn torn(error: &MultipartError, part: &str) -> AppError {
    if error.status() == StatusCode::PAYLOAD_TOO_LARGE {
        too_large(part)
    } else {
        let message = "파일을 다시 올려 주세요.";
        refused(Code::Invalid, part, "unreadable", message)
    }
}

/// Reads the form.
///
/// # Errors
/// `unsupported_media_type`, `too_large`, or `invalid` with the part.
pub(crate) async fn received(
    app: &AppState,
    request: Request,
    pictures_only: bool,
) -> AppResult<Received> {
    let mut form = Multipart::from_request(request, app)
        .await
        .map_err(|_| AppError::new(Code::UnsupportedMediaType))?;
    let mut came = Received::default();
    let mut parts = 0;
    while let Some(field) = form
        .next_field()
        .await
        .map_err(|error| torn(&error, "file"))?
    {
        parts += 1;
        let part = field.name().unwrap_or_default().to_owned();
        if parts > PARTS_MOST {
            let message = "항목이 너무 많습니다.";
            return Err(refused(Code::Invalid, &part, "too_many", message));
        }
        match part.as_str() {
            "image" | "file" if came.file.is_some() => {
                let message = "파일은 한 번에 하나씩 올려 주세요.";
                return Err(refused(Code::Invalid, &part, "too_many", message));
            }
            "image" | "file" => {
                let pictures_only = pictures_only || part == "image";
                came.file = Some(file(field, part, pictures_only).await?);
            }
            "name" => {
                let name = called(text(field, &part).await?.trim());
                if name.is_empty() {
                    let message = "파일 이름을 입력해 주세요.";
                    return Err(refused(Code::Invalid, &part, "required", message));
                }
                came.name = Some(name);
            }
            "index" => {
                let place = text(field, &part).await?.parse().ok();
                let place = place.filter(|place| (0..10_000).contains(place));
                came.index = Some(place.ok_or_else(|| {
                    let message = "순서는 0 이상의 숫자여야 합니다.";
                    refused(Code::Invalid, &part, "type", message)
                })?);
            }
            owner if owner.starts_with('_') && owner.len() <= TEXT_MOST => {
                let id = text(field, &part).await?;
                came.owners.insert(part, id);
            }
            _ => {}
        }
    }
    Ok(came)
}

async fn file(mut field: Field<'_>, part: String, pictures_only: bool) -> AppResult<Given> {
    let name = field.file_name().map(called).unwrap_or_default();
    let mut bytes = Vec::new();
    while let Some(chunk) = field.chunk().await.map_err(|error| torn(&error, &part))? {
        if bytes.len() + chunk.len() > FileKind::LARGEST {
            return Err(too_large(&part));
        }
        bytes.extend_from_slice(&chunk);
    }
    let kind = FileKind::of(&bytes)
        .filter(|kind| !pictures_only || *kind != FileKind::Document)
        .ok_or_else(|| unsupported(&part, pictures_only))?;
    if bytes.len() > kind.bytes_most() {
        return Err(too_large(&part));
    }
    Ok(Given {
        part,
        kind,
        bytes,
        name,
    })
}

async fn text(mut field: Field<'_>, part: &str) -> AppResult<String> {
    let mut bytes = Vec::new();
    while let Some(chunk) = field.chunk().await.map_err(|error| torn(&error, part))? {
        bytes.extend_from_slice(&chunk);
        if bytes.len() > TEXT_MOST {
            let message = "너무 깁니다.";
            return Err(refused(Code::Invalid, part, "too_long", message));
        }
    }
    let text = String::from_utf8_lossy(&bytes);
    Ok(text.chars().filter(|letter| !letter.is_control()).collect())
}

/// The last part of a path, without anything that is not a letter of a name.
fn called(path: &str) -> String {
    let name = path.rsplit(['/', '\\']).next().unwrap_or_default();
    name.chars()
        .filter(|letter| !letter.is_control())
        .take(NAME_MOST)
        .collect()
}
