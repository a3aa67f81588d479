//! An upload as read from a form, and errors that name its parts.

use std::collections::BTreeMap;

use domain::validation::FieldError;

use super::kind::FileKind;
use super::picture::PictureError;
use crate::error::{AppError, Code};

/// An uploaded file with the fields of its form.
#[derive(Debug, Default)]
pub struct Upload {
    /// The file.
    pub file: Option<UploadedFile>,
    /// Its new name.
    pub name: Option<String>,
    /// Its index among the files of one form, from 0.
    pub index: Option<i32>,
    /// The records it belongs to: ids by field, such as `_product`.
    pub owners: BTreeMap<String, String>,
}

impl Upload {
    /// Whether the form is empty.
    pub fn is_empty(&self) -> bool {
        self.file.is_none() && self.name.is_none() && self.index.is_none() && self.owners.is_empty()
    }
}

/// An uploaded file.
#[derive(Debug)]
pub struct UploadedFile {
    /// The part of the form, `image` or `file`, which errors name.
    pub part: String,
    /// The kind, detected from the content.
    pub kind: FileKind,
    /// The content.
    pub bytes: Vec<u8>,
    /// The original file name.
    pub name: String,
}

/// An error that names the part.
#[track_caller]
pub fn refused(code: Code, part: &str, word: &str, message: &str) -> AppError {
    AppError::new(code)
        .saying(message)
        .with_fields(vec![FieldError::new(part, word, message)])
}

/// The error for a form without a file.
#[track_caller]
pub fn file_missing() -> AppError {
    refused(Code::Invalid, "file", "required", "파일을 올려 주세요.")
}

/// The error for a file over the owner's quota.
#[track_caller]
pub fn quota_exceeded(part: &str) -> AppError {
    let message = "올릴 수 있는 용량을 모두 사용했습니다.";
    refused(Code::Invalid, part, "quota", message)
}

/// The error for a picture that cannot be re-encoded.
#[track_caller]
pub fn unusable_picture(error: PictureError, part: &str) -> AppError {
    match error {
        PictureError::Broken => {
            let message = "손상된 사진입니다. 다른 파일을 올려 주세요.";
            refused(Code::Invalid, part, "broken_image", message)
        }
        PictureError::TooManyPixels => {
            let message = "사진이 너무 큽니다. 4천만 화소까지 올릴 수 있습니다.";
            refused(Code::Invalid, part, "too_many_pixels", message)
        }
        PictureError::Failed => AppError::internal(error),
    }
}
