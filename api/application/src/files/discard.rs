//! Removes files from the file list and from disk.

use domain::ids::MemberId;
use projections::reviews;
use projections::state::files;
use uuid::Uuid;

use super::find;
use crate::access::RowScope;
use crate::app::App;
use crate::blob_store::FileName;
use crate::error::{AppError, AppResult, Code};

/// Removes a file of these rows.
///
/// # Errors
/// `not_found`, also for files of others; disk and database errors.
pub async fn in_rows(app: &App, rows: RowScope, id: Uuid) -> AppResult<()> {
    let file = find::in_rows(app, rows, id).await?;
    whole(app, file.id).await
}

/// Removes a member's own picture that is not used by any of their reviews.
///
/// # Errors
/// `not_found`, also for pictures of others; `not_allowed_now` while a review shows it; disk and database errors.
pub async fn review_picture(app: &App, member: MemberId, id: Uuid) -> AppResult<()> {
    let file = find::in_rows(app, RowScope::Seller(member), id).await?;
    // Only the read model knows which reviews show it, so it has to contain the newest one.
    app.wait_until_current(&[reviews::NAME]).await?;
    let address = FileName::picture(&file.hash, None).url();
    if reviews::shows_picture(app.pool(), member, &address).await? {
        return Err(AppError::new(Code::NotAllowedNow));
    }
    whole(app, file.id).await
}

/// Removes a file and its earlier versions, also if it is replaced concurrently. The file itself is removed last, so that a retry after a
/// crash finds it and starts again.
async fn whole(app: &App, id: Uuid) -> AppResult<()> {
    while let Some(file) = files::find(app.pool(), id).await? {
        for earlier in files::earlier(app.pool(), id).await? {
            row(app, earlier.id, earlier.hash).await?;
        }
        row(app, id, file.hash).await?;
    }
    Ok(())
}

/// Removes one row, and its content from disk if no other row has the same content.
///
/// # Errors
/// Disk and database errors.
pub async fn row(app: &App, id: Uuid, hash: String) -> AppResult<()> {
    let mut alone = files::alone(app.pool(), &hash).await?;
    if files::remove(&mut alone, id, &hash).await? {
        let blobs = app.blobs.clone();
        tokio::task::spawn_blocking(move || blobs.remove(&hash))
            .await?
            .map_err(AppError::internal)?;
    }
    alone.commit().await?;
    Ok(())
}
