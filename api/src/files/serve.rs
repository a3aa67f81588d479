//! GET /files/{name}: a file for anybody who knows its address. Nothing in it can act on the shop's pages.

use axum::extract::State;
use axum::http::{HeaderName, header};
use axum::response::{IntoResponse, Response};
use std::io::ErrorKind;

use super::folder::{FileName, Folder};
use crate::app::AppState;
use crate::http::{ApiError, ApiResult, Path};

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
    let name = FileName::read(&name).ok_or_else(ApiError::not_found)?;
    let bytes = match tokio::fs::read(Folder::of(&app.settings).path(&name)).await {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == ErrorKind::NotFound => return Err(ApiError::not_found()),
        Err(error) => return Err(ApiError::internal(error)),
    };
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
