//! Finds files the caller may access.

use domain::ids::MemberId;
use projections::state::files::{self, StoredFile};
use uuid::Uuid;

use crate::access::RowScope;
use crate::app::App;
use crate::error::{AppError, AppResult, Code};

/// A file of these rows.
///
/// # Errors
/// `not_found`, also for files of others; database errors.
pub async fn in_rows(app: &App, rows: RowScope, id: Uuid) -> AppResult<StoredFile> {
    let file = files::find(app.pool(), id).await?;
    let file = file.ok_or_else(AppError::not_found)?;
    rows.reaches(file.owner)?;
    Ok(file)
}

/// A file that the caller may replace; only [`ReplaceableFile::find`] creates one.
#[derive(Debug)]
pub struct ReplaceableFile(StoredFile);

impl ReplaceableFile {
    /// Finds a file the caller may replace. Files that members uploaded for themselves or for their reviews can be replaced only by them,
    /// not by staff.
    ///
    /// # Errors
    /// As [`in_rows`]; `access_denied`.
    pub async fn find(app: &App, rows: RowScope, member: MemberId, id: Uuid) -> AppResult<Self> {
        let file = in_rows(app, rows, id).await?;
        let is_the_shops = file.shown && !file.of_review;
        match is_the_shops || file.owner == member {
            true => Ok(Self(file)),
            false => Err(AppError::new(Code::AccessDenied)),
        }
    }

    /// Whether only a picture can replace it.
    pub fn is_picture_only(&self) -> bool {
        self.0.of_review
    }

    /// The file.
    pub(super) fn into_file(self) -> StoredFile {
        self.0
    }
}
