//! POST import: creates and changes records from a table, first as a preview (`dryRun=true`), then permanently.

use application::executor::RequestOrigin;
use application::resources::AdminResource;
use application::resources::import::{DuplicatePolicy, ImportReport, ImportTable};
use application::resources::import_batches::refused;
use axum::body::Bytes;
use axum::extract::{FromRequest, FromRequestParts, Multipart, Request, State};
use axum::http::header::CONTENT_TYPE;
use serde::Deserialize;
use sha2::{Digest, Sha256};
use utoipa::ToSchema;
use uuid::Uuid;

use super::spreadsheet;
use crate::app::AppState;
use crate::http::{
    ApiResponse, ApiResult, AppError, Code, Freshness, Query, RequestMeta, Respond, StaffOrSeller,
};

/// Maximum size of a file in bytes.
pub const BYTES_MOST: usize = 20 * 1024 * 1024;

/// Preview or import, and the batch of a stored table; without a table, the body contains one.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Asking {
    dry_run: bool,
    table: Option<Uuid>,
    after: usize,
    /// What happens to rows whose records exist.
    existing: DuplicatePolicy,
}

/// The body, for the OpenAPI document.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "only its schema is used")]
pub struct ImportForm {
    /// An xlsx or csv file: a row of field names (optionally with a row of headings above), then one row per record.
    #[schema(value_type = String, format = Binary)]
    file: Vec<u8>,
}

/// Create and change records from a table, or from the next batch of one sent before.
///
/// # Errors
/// `invalid` for a file that is not a table, or a table that is not stored any more; `access_denied`, `too_large`,
/// `idempotency_key_reused`.
pub(super) async fn import(
    resource: &'static AdminResource,
    State(app): State<AppState>,
    who: StaffOrSeller,
    Query(asked): Query<Asking>,
    request: Request,
) -> ApiResult<ApiResponse<ImportReport>> {
    resource.may_keep(who.rows)?;
    let editor = who.editor();
    let (origin, file) = match asked.table {
        None => sent(request, &app).await?,
        Some(table) => (
            stored_part(request, &app, (table, asked.after)).await?,
            None,
        ),
    };
    if !asked.dry_run
        && let Some(done) = resource.stored_import(&app, editor, &origin).await?
    {
        return Ok(done.answer(done.result()?));
    }
    let table = match (asked.table, file) {
        (Some(table), _) => ImportTable::Kept {
            table,
            after: asked.after,
        },
        (None, file) => {
            let file = file.unwrap_or_default();
            let read = tokio::task::spawn_blocking(move || spreadsheet::read_file(&file));
            ImportTable::New(read.await.map_err(AppError::internal)??)
        }
    };
    if asked.dry_run {
        let imported = resource
            .rehearse_import(&app, editor, &origin, table, asked.existing)
            .await?;
        return Ok(Freshness::LOG.answer(imported));
    }
    let done = resource
        .import(&app, editor, &origin, table, asked.existing)
        .await?;
    Ok(done.answer(done.result()?))
}

/// A request with a table.
pub(in crate::console) async fn sent(
    request: Request,
    app: &AppState,
) -> ApiResult<(RequestOrigin, Option<Bytes>)> {
    let (origin, file) = uploaded(request, app).await?;
    Ok((origin, Some(file)))
}

/// A request for the batch of a table sent before, which starts after a row.
pub(in crate::console) async fn stored_part(
    request: Request,
    app: &AppState,
    (table, after): (Uuid, usize),
) -> ApiResult<RequestOrigin> {
    let (mut parts, _) = request.into_parts();
    let mut origin = RequestMeta::from_request_parts(&mut parts, app).await?.0;
    origin.body_hash = Sha256::digest(format!("{table}/{after}")).into();
    Ok(origin)
}

/// The file of the form. A retry is identified by the file, because the encoding of the form around it may differ.
async fn uploaded(request: Request, app: &AppState) -> ApiResult<(RequestOrigin, Bytes)> {
    let is_form = request
        .headers()
        .get(CONTENT_TYPE)
        .and_then(|kind| kind.to_str().ok())
        .is_some_and(|kind| kind.to_ascii_lowercase().starts_with("multipart/form-data"));
    if !is_form {
        return Err(AppError::new(Code::UnsupportedMediaType).into());
    }
    let (mut parts, body) = request.into_parts();
    let mut origin = RequestMeta::from_request_parts(&mut parts, app).await?.0;
    let broken = |error: axum::extract::multipart::MultipartError| {
        if error.status() == axum::http::StatusCode::PAYLOAD_TOO_LARGE {
            AppError::new(Code::TooLarge)
        } else {
            refused("unreadable", "파일을 다시 올려 주세요.")
        }
    };
    let mut form = Multipart::from_request(Request::from_parts(parts, body), app)
        .await
        .map_err(|_| AppError::new(Code::UnsupportedMediaType))?;
    while let Some(field) = form.next_field().await.map_err(broken)? {
        if field.name() == Some("file") {
            let bytes = field.bytes().await.map_err(broken)?;
            origin.body_hash = Sha256::digest(&bytes).into();
            return Ok((origin, bytes));
        }
    }
    Err(refused("required", "파일을 올려 주세요.").into())
}
