//! /api/v1/files: files of members.

use application::files::ingest::Uploader;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use domain::member::Scope;
use projections::state::files;
use uuid::Uuid;

use super::FileAnswer;
use super::form::{self, UploadForm};
use crate::app::AppState;
use crate::http::{ApiResult, AppError, CurrentMember, Json, OptionalMember, Path};

/// Upload a file.
#[utoipa::path(
    post, path = "/api/v1/files", tag = "me", operation_id = "giveFile",
    request_body(content = UploadForm, content_type = "multipart/form-data"),
    security(("access" = [])), responses((status = CREATED, body = FileAnswer))
)]
pub(crate) async fn give(
    State(app): State<AppState>,
    who: CurrentMember,
    request: Request,
) -> ApiResult<(StatusCode, Json<FileAnswer>)> {
    let uploader = Uploader {
        member: who.member(),
        shown: false,
        of_review: false,
    };
    let file = form::store(&app, uploader, request, false).await?;
    Ok((StatusCode::CREATED, Json(FileAnswer::of(&app, file).await?)))
}

/// Data of a file: public for files of the back office, private for files uploaded by members.
#[utoipa::path(
    get, path = "/api/v1/files/{id}", tag = "shop", operation_id = "showFile",
    params(("id" = Uuid, Path)), security((), ("access" = [])), responses((status = OK, body = FileAnswer))
)]
pub(crate) async fn show(
    State(app): State<AppState>,
    who: OptionalMember,
    Path(id): Path<Uuid>,
) -> ApiResult<Json<FileAnswer>> {
    let file = files::find(app.pool(), id)
        .await?
        .filter(|file| {
            let is_staff = who
                .0
                .as_ref()
                .is_some_and(|session| session.scope.contains(&Scope::Console));
            file.shown || is_staff || who.member() == Some(file.owner)
        })
        .ok_or_else(AppError::not_found)?;
    Ok(Json(FileAnswer::of(&app, file).await?))
}
