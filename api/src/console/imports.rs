//! /api/console/imports: tables of records carried out in the background, for every kind: started from a preview, with progress, stop and
//! go on, and a file of what was refused. Each is its owner's.

use application::resources::import::DuplicatePolicy;
use application::resources::import_runs::{ImportRun, RunRequest, RunState, find_run, set_stopped};
use application::resources::schema::Action;
use application::resources::{AdminResource, find};
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use domain::forms::{FormErrors, REQUIRED, Validate};
use projections::state::import_runs;
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use uuid::Uuid;

use super::records::import_form;
use crate::app::AppState;
use crate::http::routes;
use crate::http::{ApiResult, AppError, AppResult, Json, Path, Query, StaffOrSeller, ValidJson};

/// Maximum length of a file name in characters.
const NAME_MOST: usize = 200;

/// The routes.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list, create))
        .routes(routes!(show, revise))
        .routes(routes!(refused))
        .routes(routes!(form))
}

/// The kind of the imports.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ImportListQuery {
    /// The kind of record, e.g. `product`.
    kind: String,
}

/// An import to start.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImportRequest {
    /// The kind of record, e.g. `product`.
    kind: String,
    /// The table, as its preview named it.
    table: Uuid,
    /// Name of the file.
    file_name: String,
    /// What happens to rows whose records exist: `update` (default) or `skip`.
    #[serde(default)]
    #[schema(value_type = ImportExisting)]
    existing: DuplicatePolicy,
}

impl Validate for ImportRequest {
    fn check(&self, checks: &mut FormErrors) {
        checks.text("kind", &self.kind, REQUIRED).when(
            self.file_name.chars().count() <= NAME_MOST,
            "fileName",
            "too_long",
            "200자 이내로 입력해 주세요.",
        );
    }
}

/// A change of an import.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
pub struct ImportChange {
    /// Whether it stops after its present batch; false lets it go on.
    stopped: bool,
}

impl Validate for ImportChange {
    fn check(&self, _checks: &mut FormErrors) {}
}

/// State of an import.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ImportState {
    /// It goes on in the background.
    Running,
    /// Stopped; it can go on.
    Stopped,
    /// All rows are done.
    Done,
    /// It cannot go on; `reason` says why.
    Failed,
}

/// What happens to rows whose records exist.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ImportExisting {
    /// The record is changed.
    Update,
    /// The row is left out.
    Skip,
}

/// An import.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Import {
    /// Its id, the table's.
    #[serde(rename = "_id")]
    id: Uuid,
    /// The kind of record.
    kind: String,
    /// Name of the file.
    file_name: String,
    /// What happens to rows whose records exist.
    existing: ImportExisting,
    /// Its state.
    state: ImportState,
    /// Rows of the table.
    rows: i32,
    /// Rows done so far.
    done: i32,
    /// Records created.
    creates: i32,
    /// Records changed.
    updates: i32,
    /// Rows that changed nothing.
    unchanged: i32,
    /// Refused rows.
    errors: i32,
    /// Why it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    /// When it was started.
    #[serde(with = "time::serde::rfc3339")]
    started_at: OffsetDateTime,
    /// Its last change.
    #[serde(with = "time::serde::rfc3339")]
    changed_at: OffsetDateTime,
}

impl From<ImportRun> for Import {
    fn from(run: ImportRun) -> Self {
        Self {
            id: run.id,
            kind: run.kind,
            file_name: run.file_name,
            existing: match run.existing {
                DuplicatePolicy::Update => ImportExisting::Update,
                DuplicatePolicy::Skip => ImportExisting::Skip,
            },
            state: match run.state {
                RunState::Running => ImportState::Running,
                RunState::Stopped => ImportState::Stopped,
                RunState::Done => ImportState::Done,
                RunState::Failed => ImportState::Failed,
            },
            rows: run.total,
            done: run
                .creates
                .saturating_add(run.updates)
                .saturating_add(run.unchanged)
                .saturating_add(run.errors),
            creates: run.creates,
            updates: run.updates,
            unchanged: run.unchanged,
            errors: run.errors,
            reason: run.reason,
            started_at: run.started_at,
            changed_at: run.changed_at,
        }
    }
}

/// Imports, newest first.
#[derive(Serialize, ToSchema)]
pub struct ImportsAnswer {
    imports: Vec<Import>,
}

/// One import.
#[derive(Serialize, ToSchema)]
pub struct ImportAnswer {
    import: Import,
}

impl ImportAnswer {
    fn of(run: ImportRun) -> Json<Self> {
        Json(Self { import: run.into() })
    }
}

/// The kind with this name, for those who may import it.
fn kind(who: &StaffOrSeller, name: &str) -> AppResult<&'static AdminResource> {
    let found = find(name).filter(|known| known.schema.actions.contains(&Action::Import));
    let resource = found.ok_or_else(|| {
        AppError::invalid_field("kind", "unknown", "가져올 수 있는 항목이 아닙니다.")
    })?;
    resource.may_keep(who.rows)?;
    Ok(resource)
}

/// Imports in the background, newest first, up to 20.
#[utoipa::path(
    get, path = "/api/console/imports", tag = "console", operation_id = "listImports",
    params(ImportListQuery), security(("access" = [])),
    responses((status = OK, body = ImportsAnswer), (status = BAD_REQUEST, description = "invalid"))
)]
pub(crate) async fn list(
    State(app): State<AppState>,
    who: StaffOrSeller,
    Query(query): Query<ImportListQuery>,
) -> ApiResult<Json<ImportsAnswer>> {
    let resource = kind(&who, &query.kind)?;
    let owner = who.session.user;
    let found = import_runs::list(app.pool(), owner, resource.record.kind).await?;
    let imports = found.into_iter().map(Import::from).collect();
    Ok(Json(ImportsAnswer { imports }))
}

/// Start importing a table in the background. It is started once, however often it is asked for.
#[utoipa::path(
    post, path = "/api/console/imports", tag = "console", operation_id = "createImport",
    request_body = ImportRequest, security(("access" = [])), responses((status = CREATED, body = ImportAnswer))
)]
pub(crate) async fn create(
    State(app): State<AppState>,
    who: StaffOrSeller,
    ValidJson { body, .. }: ValidJson<ImportRequest>,
) -> ApiResult<(StatusCode, Json<ImportAnswer>)> {
    let resource = kind(&who, &body.kind)?;
    let request = RunRequest {
        table: body.table,
        file_name: &body.file_name,
        existing: body.existing,
    };
    let run = resource.start_run(&app, who.editor(), request).await?;
    Ok((StatusCode::CREATED, ImportAnswer::of(run)))
}

/// An import with its progress.
#[utoipa::path(
    get, path = "/api/console/imports/{id}", tag = "console", operation_id = "showImport",
    params(("id" = Uuid, Path)), security(("access" = [])),
    responses((status = OK, body = ImportAnswer), (status = NOT_FOUND, description = "not_found"))
)]
pub(crate) async fn show(
    State(app): State<AppState>,
    who: StaffOrSeller,
    Path(id): Path<Uuid>,
) -> ApiResult<Json<ImportAnswer>> {
    Ok(ImportAnswer::of(
        find_run(&app, who.session.user, id).await?,
    ))
}

/// Stop an import after its present batch, or let it go on.
#[utoipa::path(
    put, path = "/api/console/imports/{id}", tag = "console", operation_id = "reviseImport",
    params(("id" = Uuid, Path)), request_body = ImportChange, security(("access" = [])),
    responses((status = OK, body = ImportAnswer), (status = NOT_FOUND, description = "not_found"))
)]
pub(crate) async fn revise(
    State(app): State<AppState>,
    who: StaffOrSeller,
    Path(id): Path<Uuid>,
    ValidJson { body, .. }: ValidJson<ImportChange>,
) -> ApiResult<Json<ImportAnswer>> {
    let run = set_stopped(&app, who.session.user, id, body.stopped).await?;
    Ok(ImportAnswer::of(run))
}

/// The refused rows of an import as a file in the format that was sent, with their reasons: mended, it can be sent again.
#[utoipa::path(
    get, path = "/api/console/imports/{id}/refused", tag = "console", operation_id = "showRefusedRows",
    params(("id" = Uuid, Path)), security(("access" = [])),
    responses(
        (status = OK, content((String = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"), (String = "text/csv"))),
        (status = NOT_FOUND, description = "not_found")
    )
)]
pub(crate) async fn refused(
    State(app): State<AppState>,
    who: StaffOrSeller,
    Path(id): Path<Uuid>,
) -> ApiResult<Response> {
    let run = find_run(&app, who.session.user, id).await?;
    let resource = find(&run.kind).ok_or_else(AppError::not_found)?;
    let sheets = resource.refused_rows(&app, &run).await?;
    let name = format!("{}-refused", resource.record.kind);
    Ok(import_form::refused(&name, &run.file_name, sheets).await?)
}

/// An empty form of a kind, with a sheet that explains its columns and one with examples.
#[utoipa::path(
    get, path = "/api/console/imports/forms/{kind}", tag = "console", operation_id = "showImportForm",
    params(("kind" = String, Path)), security(("access" = [])),
    responses(
        (status = OK, content((String = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"))),
        (status = BAD_REQUEST, description = "invalid")
    )
)]
pub(crate) async fn form(Path(name): Path<String>, who: StaffOrSeller) -> ApiResult<Response> {
    let resource = kind(&who, &name)?;
    Ok(import_form::form(resource, who.rows).await?)
}
