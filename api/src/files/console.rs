//! /api/console/files: files in the back office. Staff see all files, a seller their own.

use application::blob_store::FileName;
use application::executor::{CommandContext, RequestOrigin};
use application::files::discard;
use application::files::find::{self, ReplaceableFile};
use application::files::ingest::Uploader;
use application::files::replace::replace;
use axum::extract::{FromRequestParts, Request, State};
use axum::http::StatusCode;
use projections::state::files;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::form::{self, UploadForm};
use super::{FileAnswer, FileHistoryAnswer, FileView};
use crate::app::AppState;
use crate::http::{
    ApiResponse, ApiResult, Json, Page, Path, RequestMeta, Respond, StaffOrSeller, Summary,
};

/// A page of files.
#[derive(Serialize, ToSchema)]
pub struct FilesAnswer {
    summary: Summary,
    /// The page.
    files: Vec<FileView>,
}

/// The address of a picture for a text.
#[derive(Serialize, ToSchema)]
pub struct PhotoAnswer {
    /// Its URL.
    url: String,
}

fn uploader(who: &StaffOrSeller) -> Uploader {
    Uploader {
        member: who.session.user,
        shown: true,
        of_review: false,
    }
}

/// Upload a file.
#[utoipa::path(
    post, path = "/api/console/files", tag = "console", operation_id = "createFile",
    request_body(content = UploadForm, content_type = "multipart/form-data"),
    security(("access" = [])), responses((status = CREATED, body = FileAnswer))
)]
pub(crate) async fn create(
    State(app): State<AppState>,
    who: StaffOrSeller,
    request: Request,
) -> ApiResult<(StatusCode, Json<FileAnswer>)> {
    let file = form::store(&app, uploader(&who), request, false).await?;
    Ok((StatusCode::CREATED, Json(FileAnswer::of(&app, file).await?)))
}

/// Upload a picture for a text.
#[utoipa::path(
    post, path = "/api/editor/photo", tag = "console", operation_id = "createPhoto",
    request_body(content = UploadForm, content_type = "multipart/form-data"),
    security(("access" = [])), responses((status = CREATED, body = PhotoAnswer))
)]
pub(crate) async fn photo(
    State(app): State<AppState>,
    who: StaffOrSeller,
    request: Request,
) -> ApiResult<(StatusCode, Json<PhotoAnswer>)> {
    let file = form::store(&app, uploader(&who), request, true).await?;
    let url = FileName::picture(&file.hash, None).url();
    Ok((StatusCode::CREATED, Json(PhotoAnswer { url })))
}

/// Files, newest first.
#[utoipa::path(
    get, path = "/api/console/files", tag = "console", operation_id = "listFiles", params(Page),
    security(("access" = [])), responses((status = OK, body = FilesAnswer))
)]
pub(crate) async fn list(
    State(app): State<AppState>,
    who: StaffOrSeller,
    page: Page,
) -> ApiResult<Json<FilesAnswer>> {
    let found = files::list(app.pool(), who.rows.seller(), page.into()).await?;
    let summary = Summary::of(&found);
    let mut files = Vec::with_capacity(found.rows.len());
    for file in found.rows {
        files.push(FileView::of(&app, file).await?);
    }
    Ok(Json(FilesAnswer { summary, files }))
}

/// One file.
#[utoipa::path(
    get, path = "/api/console/files/{id}", tag = "console", operation_id = "showConsoleFile",
    params(("id" = Uuid, Path)), security(("access" = [])), responses((status = OK, body = FileAnswer))
)]
pub(crate) async fn show(
    State(app): State<AppState>,
    who: StaffOrSeller,
    Path(id): Path<Uuid>,
) -> ApiResult<Json<FileAnswer>> {
    let file = find::in_rows(&app, who.rows, id).await?;
    Ok(Json(FileAnswer::of(&app, file).await?))
}

/// Replace the content of a file, or change its data. The earlier version stays in its history, and at its URL for pages that use it. Files
/// that members uploaded for themselves or for their reviews can be replaced only by them.
#[utoipa::path(
    put, path = "/api/console/files/{id}", tag = "console", operation_id = "replaceFile",
    params(("id" = Uuid, Path)), request_body(content = UploadForm, content_type = "multipart/form-data"),
    security(("access" = [])), responses((status = OK, body = FileAnswer), (status = FORBIDDEN, description = "access_denied"))
)]
pub(crate) async fn revise(
    State(app): State<AppState>,
    who: StaffOrSeller,
    Path(id): Path<Uuid>,
    request: Request,
) -> ApiResult<ApiResponse<FileAnswer>> {
    let file = ReplaceableFile::find(&app, who.rows, who.session.user, id).await?;
    app.limits.uploads.count(who.session.user)?;
    let (mut parts, body) = request.into_parts();
    let origin = RequestOrigin {
        // A retry finds the file unchanged, and appends nothing.
        key: None,
        ..RequestMeta::from_request_parts(&mut parts, &app).await?.0
    };
    let upload = form::read(
        &app,
        Request::from_parts(parts, body),
        file.is_picture_only(),
    )
    .await?;
    let command = CommandContext::new("replace-file", who.actor(), &origin);
    let (done, file) = replace(&app, &command, file, upload).await?;
    Ok(done.answer(FileAnswer::of(&app, file).await?))
}

/// Earlier versions of a file and who replaced them, from the log.
#[utoipa::path(
    get, path = "/api/console/files/{id}/history", tag = "console", operation_id = "showFileHistory",
    params(("id" = Uuid, Path)), security(("access" = [])), responses((status = OK, body = FileHistoryAnswer))
)]
pub(crate) async fn history(
    State(app): State<AppState>,
    who: StaffOrSeller,
    Path(id): Path<Uuid>,
) -> ApiResult<Json<FileHistoryAnswer>> {
    let file = find::in_rows(&app, who.rows, id).await?;
    Ok(Json(FileHistoryAnswer::of(&app, &file).await?))
}

/// Remove a file and its history. The content is removed with the last file that has it.
#[utoipa::path(
    delete, path = "/api/console/files/{id}", tag = "console", operation_id = "removeFile",
    params(("id" = Uuid, Path)), security(("access" = [])), responses((status = NO_CONTENT))
)]
pub(crate) async fn remove(
    State(app): State<AppState>,
    who: StaffOrSeller,
    Path(id): Path<Uuid>,
) -> ApiResult<StatusCode> {
    discard::in_rows(&app, who.rows, id).await?;
    Ok(StatusCode::NO_CONTENT)
}
