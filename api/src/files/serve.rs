//! GET /files/{name}: a public file by its address; for a picture without the requested width, the full size. No content of a file can run
//! on the shop's pages.

use application::blob_store::{BlobStore, FileName};
use axum::extract::State;
use axum::http::{HeaderName, header};
use axum::response::{IntoResponse, Response};
use std::io::ErrorKind;

use crate::app::AppState;
use crate::http::{ApiResult, AppError, AppResult, Path};

/// Content security policy of a file: everything is forbidden.
const POLICY: &str = "default-src 'none'; sandbox; frame-ancestors 'none'";

/// A picture or a document.
#[utoipa::path(
    get, path = "/files/{name}", tag = "shop", operation_id = "readFile",
    params(("name" = String, Path, description = "`<hash>.webp`, `<hash>-<200|400|800|1600>.webp` or `<hash>.pdf`")),
    responses(
        (status = OK, content(
            (String = "image/webp"),
            (String = "application/pdf"),
        )),
        (status = NOT_FOUND, description = "no such file")
    )
)]
pub(crate) async fn read(
    State(app): State<AppState>,
    Path(name): Path<String>,
) -> ApiResult<Response> {
    let name = FileName::parse(&name).ok_or_else(AppError::not_found)?;
    let mut bytes = found(&app.blobs, &name).await?;
    if let (None, Some(full)) = (&bytes, name.full_size()) {
        bytes = found(&app.blobs, &full).await?;
    }
    let bytes = bytes.ok_or_else(AppError::not_found)?;
    let disposition = if name.is_displayable() {
        "inline"
    } else {
        "attachment"
    };
    let headers: [(HeaderName, &str); 4] = [
        (header::CONTENT_TYPE, name.content_type()),
        (header::CACHE_CONTROL, "public, max-age=31536000, immutable"),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::CONTENT_DISPOSITION, disposition),
    ];
    Ok((headers, bytes).into_response())
}

/// The content of a file, if it exists.
async fn found(blobs: &BlobStore, name: &FileName) -> AppResult<Option<Vec<u8>>> {
    match tokio::fs::read(blobs.path(name)).await {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(AppError::internal(error)),
    }
}
