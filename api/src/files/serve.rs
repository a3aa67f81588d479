//! GET /files/{name}: a file for anybody who knows its address; a picture that has no size so wide comes whole. Nothing in it can act on the shop's pages.

use axum::extract::State;
use axum::http::{HeaderName, header};
use axum::response::{IntoResponse, Response};
use std::io::ErrorKind;

use super::folder::{FileName, Folder};
use crate::app::AppState;
use crate::http::{ApiResult, AppError, AppResult, Path};

/// What a file may do in a browser: nothing.
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
    let name = FileName::read(&name).ok_or_else(AppError::not_found)?;
    let folder = Folder::of(&app.settings);
    let mut bytes = found(&folder, &name).await?;
    if let (None, Some(whole)) = (&bytes, name.whole()) {
        bytes = found(&folder, &whole).await?;
    }
    let bytes = bytes.ok_or_else(AppError::not_found)?;
    let disposition = if name.may_be_shown() {
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

/// What is in a file; none if there is no such file.
async fn found(folder: &Folder, name: &FileName) -> AppResult<Option<Vec<u8>>> {
    match tokio::fs::read(folder.path(name)).await {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(AppError::internal(error)),
    }
}
