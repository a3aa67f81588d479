//! Removes files from the list and from disk.

use projections::state::files;
use uuid::Uuid;

use crate::app::App;
use crate::error::{AppError, AppResult};

/// Removes a file and its earlier versions, also if it is replaced meanwhile. The file itself goes last, so that a repetition after a
/// crash finds it and starts again.
///
/// # Errors
/// Disk and database errors.
pub async fn file(app: &App, id: Uuid) -> AppResult<()> {
    while let Some(file) = files::find(app.pool(), id).await? {
        for earlier in files::earlier(app.pool(), id).await? {
            row(app, earlier.id, earlier.hash).await?;
        }
        row(app, id, file.hash).await?;
    }
    Ok(())
}

/// Removes one row, and its content from disk with the last row of the same content.
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
