//! POST import: makes and changes records from a table, first to look at (`dryRun=true`), then for good.
//!
//! A row is a record: by its `_id`, or by the code its kind keeps unique, or else a new one. Only cells that say something
//! else than the record does are changes. A row that is wrong is told and left out; every other is an append of its own.
//!
//! A long table goes in parts (`parts`): each answer says where the next begins. Whoever stops after any of them, or sends
//! the whole table again, makes nothing twice: what a row changed is no change any more, and a row without an id and a code is the
//! record it made before, for as long as keys of commands are remembered.

use std::collections::BTreeSet;

use application::executor::RequestOrigin;
use axum::body::Bytes;
use axum::extract::{FromRequest, FromRequestParts, Multipart, Request, State};
use axum::http::header::CONTENT_TYPE;
use domain::event::{Context, Decider};
use domain::ids::MemberId;
use domain::record::{Document, Record, RecordCommand};
use domain::validation::FieldError;
use event_store::{AppendError, KeyRing};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use utoipa::ToSchema;
use uuid::Uuid;

use super::cell_format::{at, in_unit, place, put, read, text};
use super::create::{CreateResult, make};
use super::import_batches::{self, PartLine};
use super::input::{
    Draft, acceptable, asking, begun_by, may_keep, reaches, record_of, reservation,
};
use super::kinds::AdminResource;
use super::row_mapping::{ID, VERSION};
use super::schema::{Field, FieldType};
use super::spreadsheet::{self, is_left_out};
use super::write::{Edit, allowed, edit_one, to_say, told_once};
use crate::app::AppState;
use crate::http::{
    ApiResponse, ApiResult, AppError, AppResult, Code, Query, RequestMeta, Respond, RowScope,
    StaffOrSeller,
};
use application::executor::CommandContext;

/// Bytes of a file at most.
pub const BYTES_MOST: usize = 20 * 1024 * 1024;

/// How it is meant, and which part of which table it is about: without a table the body brings one.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Asking {
    dry_run: bool,
    table: Option<Uuid>,
    after: usize,
}

/// What a row does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum RowAction {
    /// It makes a record.
    Create,
    /// It changes one.
    Update,
    /// It is wrong.
    Error,
}

/// What became, or would become, of a row. Rows that change nothing are only counted.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct RowOutcome {
    /// Its number in the file, from 1.
    pub row: usize,
    /// What it does.
    pub action: RowAction,
    /// The record.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The record's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Field to what it was and would be, as texts; a preview has them.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub changes: Option<Value>,
    /// What is wrong.
    pub errors: Vec<FieldError>,
}

/// How many rows do what.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, ToSchema)]
pub struct ImportSummary {
    /// Rows in all.
    pub rows: usize,
    /// Records made.
    pub creates: usize,
    /// Records changed.
    pub updates: usize,
    /// Rows that change nothing.
    pub unchanged: usize,
    /// Rows that are wrong.
    pub errors: usize,
}

/// Outcome of importing a part of a table.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
pub struct ImportReport {
    /// The table: its other parts are asked for by this, for a day.
    pub table: Uuid,
    /// Rows of the whole table.
    pub total: usize,
    /// Behind which row of the file it goes on; none: that was all.
    pub next: Option<usize>,
    /// The part in numbers.
    pub summary: ImportSummary,
    /// Row by row.
    pub rows: Vec<RowOutcome>,
}

/// The body, for the API's document.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "only its schema is used")]
pub struct ImportForm {
    /// An xlsx or csv file: a row of field names (above it may stand a row of headings), then a row a record.
    #[schema(value_type = String, format = Binary)]
    file: Vec<u8>,
}

/// Who imports.
#[derive(Clone, Copy)]
pub(super) struct Importer {
    /// Whose table it is.
    pub by: MemberId,
    /// Whose records it may reach.
    pub rows: RowScope,
}

/// Source of the table.
enum TableSource {
    Now(Bytes),
    Before(Uuid),
}

/// A cell that is not empty: its field, its text and its value.
pub(super) type FilledCell<'a> = (Field, &'a String, Option<Value>);

/// A row that is understood.
struct Plan {
    id: Option<String>,
    started_from: Option<u64>,
    changes: Vec<(Field, Option<Value>)>,
    /// What makes its record, if nothing but the row tells it from others.
    making: Option<CommandContext>,
    outcome: RowOutcome,
}

/// Make and change records from a table, or from the next part of one that was sent.
///
/// # Errors
/// `invalid` for a file that is no table or a table that is not kept any more, `access_denied`, `too_large`,
/// `idempotency_key_reused`.
pub(crate) async fn import<R: AdminResource>(
    State(app): State<AppState>,
    who: StaffOrSeller,
    Query(asked): Query<Asking>,
    request: Request,
) -> ApiResult<ApiResponse<ImportReport>> {
    may_keep::<R>(&who)?;
    let importer = Importer {
        by: asking(&who),
        rows: who.rows,
    };
    let (origin, sent) = match asked.table {
        None => {
            let (origin, file) = uploaded(request, &app).await?;
            (origin, TableSource::Now(file))
        }
        Some(table) => {
            let (mut parts, _) = request.into_parts();
            let mut origin = RequestMeta::from_request_parts(&mut parts, &app).await?.0;
            origin.body_hash = Sha256::digest(format!("{table}/{}", asked.after)).into();
            (origin, TableSource::Before(table))
        }
    };
    let whole = CommandContext::new(R::COMMANDS.import, who.actor(), &origin);
    if !asked.dry_run
        && let Some(done) = app.executor.stored_outcome(&whole).await?
    {
        return Ok(done.answer(done.result()?));
    }
    let (table, part) = match sent {
        TableSource::Now(file) => import_batches::keep::<R>(&app, importer, file).await?,
        TableSource::Before(table) => {
            let part = import_batches::load::<R>(&app, importer.by, table, asked.after).await?;
            (table, part)
        }
    };
    let columns = part.columns::<R>();
    let mut imported = ImportReport {
        table,
        total: part.total,
        next: part.next,
        ..ImportReport::default()
    };
    let mut position = None;
    let mut freed = BTreeSet::new();
    for line in part.lines {
        // by what it says, where it makes a record that nothing else names
        let making = command::<R>(&who, &origin, Some(line.mark.clone()));
        let mut plan = plan::<R>(&app, importer, &columns, making, line).await?;
        if plan.outcome.action != RowAction::Error && !plan.changes.is_empty() {
            let tried = if asked.dry_run {
                rehearse::<R>(&app, importer, &who, &plan, &mut freed)
                    .await
                    .map(|()| None)
            } else {
                // what a real run changed is in the log; the preview is what shows it
                plan.outcome.changes = None;
                let unnamed = command::<R>(&who, &origin, None);
                write::<R>(&app, importer, unnamed, &mut plan).await
            };
            match tried {
                Ok(at) => position = position.max(at),
                Err(error) => wrong(&mut plan.outcome, &error)?,
            }
        }
        count(&mut imported, plan);
    }
    if asked.dry_run {
        return Ok(crate::http::Freshness::LOG.answer(imported));
    }
    Ok(told_once(&app, &whole, imported, position).await?)
}

/// What a row asks for; by a key, once.
fn command<R: AdminResource>(
    who: &StaffOrSeller,
    origin: &RequestOrigin,
    key: Option<String>,
) -> CommandContext {
    let origin = RequestOrigin {
        key,
        body_hash: [0; 32],
        ..origin.clone()
    };
    CommandContext::new(R::COMMANDS.import, who.actor(), &origin)
}

/// The file of the form. A repeat is told by the file: what stands around it differs from form to form.
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
            spreadsheet::refused("unreadable", "파일을 다시 올려 주세요.")
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
    Err(spreadsheet::refused("required", "파일을 올려 주세요.").into())
}

/// What a row wants.
async fn plan<R: AdminResource>(
    app: &AppState,
    importer: Importer,
    columns: &[Option<Field>],
    making: CommandContext,
    line: PartLine,
) -> AppResult<Plan> {
    let cell = |name| cell_of(columns, &line.cells, name);
    let (written, errors) = filled_cells(columns, &line.cells);
    let outcome = RowOutcome {
        row: line.row,
        action: RowAction::Create,
        id: None,
        name: cell("name"),
        changes: None,
        errors,
    };
    let mut plan = Plan {
        id: cell(ID),
        started_from: cell(VERSION).and_then(|version| version.parse().ok()),
        changes: Vec::new(),
        making: None,
        outcome,
    };
    let no_record = |message| AppError::invalid_field(ID, "not_found", message);
    let mut gone = no_record("이 번호의 항목을 찾을 수 없습니다.");
    if plan.id.is_none() {
        match code_of::<R>(&app.keys, importer, &written) {
            Some((scope, hash)) => {
                plan.id = app.store.reserved_by(scope, &hash).await?;
                // The code of a record of another seller.
                gone = taken(scope);
            }
            None => {
                if let Some(done) = app.executor.stored_outcome(&making).await? {
                    plan.id = Some(done.result::<CreateResult>()?.id);
                    let message =
                        "이 행으로 등록한 항목이 삭제되었습니다. 삭제된 항목에서 복원해 주세요.";
                    gone = no_record(message);
                }
                plan.making = Some(making);
            }
        }
    }
    if line.twice {
        let field = match line.twice_by_code {
            true => code_field::<R>(),
            false => ID,
        };
        let message = "같은 항목이 중복되었습니다.";
        plan.outcome
            .errors
            .push(FieldError::new(field, "duplicate", message));
    }
    let before = match &plan.id {
        Some(id) => {
            plan.outcome.action = RowAction::Update;
            plan.outcome.id = Some(id.clone());
            let loaded = app.store.load::<Record<R>>(id).await?;
            let found = loaded.state.data().map_err(AppError::from);
            match found.and_then(|record| reaches(importer.rows, &record)) {
                Ok(()) => {}
                Err(error) if error.code() == Code::NotFound => {
                    plan.outcome.errors.extend_from_slice(gone.fields());
                }
                Err(error) => return Err(error),
            }
            loaded.state.document.clone().unwrap_or_default()
        }
        None => Document::new(),
    };
    if !plan.outcome.errors.is_empty() {
        plan.outcome.action = RowAction::Error;
        return Ok(plan);
    }
    let mut changes = Document::new();
    for (field, cell, value) in written {
        let was = text(&field, &before);
        // a value is the same if it reads the same: seconds a cell does not show are no change
        let reads_same = match field.unit {
            // the number of another unit is another worth
            Some(_) => at(&before, field.name) == value.as_ref(),
            None => read(&field, &was).is_ok_and(|was| was == value),
        };
        let same = is_left_out(cell) || reads_same;
        if same {
            continue;
        }
        changes.insert(
            field.name.to_owned(),
            json!({ "from": was, "to": cell.trim() }),
        );
        plan.changes.push((field, value));
    }
    plan.outcome.changes = Some(Value::Object(changes));
    Ok(plan)
}

/// What stands in a row under this name, if anything.
pub(super) fn cell_of(columns: &[Option<Field>], cells: &[String], name: &str) -> Option<String> {
    columns
        .iter()
        .zip(cells)
        .find(|(field, _)| field.is_some_and(|field| field.name == name))
        .map(|(_, cell)| cell.trim().to_owned())
        .filter(|cell| !cell.is_empty())
}

/// What the cells of a row say, and which of them nobody can read.
pub(super) fn filled_cells<'a>(
    columns: &[Option<Field>],
    cells: &'a [String],
) -> (Vec<FilledCell<'a>>, Vec<FieldError>) {
    let (mut written, mut errors) = (Vec::new(), Vec::new());
    for (field, cell) in columns.iter().zip(cells) {
        let Some(field) = field.filter(|field| !field.read_only) else {
            continue;
        };
        let meant = match cell.trim().is_empty() {
            true => Ok(field),
            false => in_unit(field, unit_of(columns, cells, &field).as_ref()),
        };
        match meant.and_then(|field| Ok((field, read(&field, cell)?))) {
            Ok((field, value)) => written.push((field, cell, value)),
            Err(error) => errors.push(error),
        }
    }
    (written, errors)
}

/// What a row says about the unit of a field.
fn unit_of(columns: &[Option<Field>], cells: &[String], field: &Field) -> Option<Value> {
    let named = |column: &&Option<Field>| column.is_some_and(|one| Some(one.name) == field.unit);
    let (column, cell) = columns
        .iter()
        .zip(cells)
        .find(|(column, _)| named(column))?;
    read(column.as_ref()?, cell).ok().flatten()
}

/// The code this row names, as codes that have to be unique are kept.
pub(super) fn code_of<R: AdminResource>(
    keys: &KeyRing,
    importer: Importer,
    written: &[FilledCell<'_>],
) -> Option<(&'static str, [u8; 32])> {
    R::UNIQUE?;
    let mut document = Document::new();
    for (field, _, value) in written {
        apply(&mut document, field, value.clone());
    }
    belongs(&mut document, importer);
    let record = completed::<R>(importer, document).ok()?;
    reservation(keys, &record).ok().flatten()
}

/// The field that is told when another record has the code.
fn code_field<R: AdminResource>() -> &'static str {
    R::UNIQUE
        .and_then(|unique| unique.fields.first().copied())
        .unwrap_or(ID)
}

/// The refusal of a code that another record has.
fn taken(scope: &str) -> AppError {
    let scope = scope.to_owned();
    AppendError::ReservationTaken { scope }.into()
}

fn completed<R: AdminResource>(importer: Importer, mut document: Document) -> AppResult<R> {
    R::normalize(&R::new_id(), importer.by, &mut document)?;
    record_of(document)
}

fn belongs(document: &mut Document, importer: Importer) {
    if let RowScope::Seller(seller) = importer.rows {
        document.insert("_seller".to_owned(), json!(seller));
    }
}

/// Puts a cell's value into a document. A picture without an address is none.
fn apply(document: &mut Document, field: &Field, value: Option<Value>) {
    match (&value, field.holds) {
        (None, FieldType::Image) => put(document, field.name, None),
        _ => {
            let path = place(field);
            if value.is_some() || at(document, &path).is_some() {
                put(document, &path, value);
            }
        }
    }
}

fn edited(document: &mut Document, plan: &Plan) {
    for (field, value) in &plan.changes {
        apply(document, field, value.clone());
    }
}

/// Everything a real run would check, and nothing written. `freed` are the codes that rows above give up.
async fn rehearse<R: AdminResource>(
    app: &AppState,
    importer: Importer,
    who: &StaffOrSeller,
    plan: &Plan,
    freed: &mut BTreeSet<[u8; 32]>,
) -> AppResult<()> {
    let context = Context {
        now: app.clock.now(),
        actor: who.actor(),
    };
    match &plan.id {
        Some(id) => {
            let loaded = app.store.load::<Record<R>>(id).await?;
            if let Some(version) = plan.started_from {
                super::revise::unchanged_since(version, &loaded)?;
            }
            let before = loaded.state.document.clone().unwrap_or_default();
            let mut document = before.clone();
            edited(&mut document, plan);
            belongs(&mut document, importer);
            let counts = R::normalize(id, importer.by, &mut document)?;
            to_say::<R>(app, id, &loaded, document.clone(), &counts, &context).await?;
            let code = |document| reservation(&app.keys, &record_of::<R>(document)?);
            let (before, after) = (code(before)?, code(document)?);
            if let Some((scope, code)) = after.filter(|after| before != Some(*after))
                && !freed.contains(&code)
                && app.store.reserved_by(scope, &code).await?.is_some()
            {
                return Err(taken(scope));
            }
            if let Some((_, code)) = before.filter(|before| after != Some(*before)) {
                freed.insert(code);
            }
        }
        None => {
            let mut document = Document::new();
            edited(&mut document, plan);
            begun_by::<R>(&mut document, importer.rows);
            let id = R::new_id();
            R::normalize(&id, importer.by, &mut document)?;
            let record: R = acceptable(app, None, document).await?;
            Record::<R>::default()
                .decide(RecordCommand::Create(Box::new(record.clone())), &context)?;
            allowed(app, &id, None, &record).await?;
        }
    }
    Ok(())
}

/// Writes a row; answers where it is in the log.
async fn write<R: AdminResource>(
    app: &AppState,
    importer: Importer,
    unnamed: CommandContext,
    plan: &mut Plan,
) -> AppResult<Option<i64>> {
    if let Some(id) = &plan.id {
        let of = Edit {
            by: importer.by,
            rows: importer.rows,
            id,
            started_from: plan.started_from,
        };
        let done = edit_one::<R>(app, &unnamed, of, |document| edited(document, plan)).await?;
        return Ok(done.position);
    }
    let mut document = Document::new();
    edited(&mut document, plan);
    begun_by::<R>(&mut document, importer.rows);
    let command = plan.making.as_ref().unwrap_or(&unnamed);
    let (id, done) = make::<R>(app, command, importer.by, Draft(document)).await?;
    plan.outcome.id = Some(id);
    Ok(done.position)
}

/// A refusal becomes what is wrong with the row; a failure of ours stays one.
fn wrong(outcome: &mut RowOutcome, error: &AppError) -> AppResult<()> {
    if error.is_failure() {
        return Err(error.clone());
    }
    outcome.action = RowAction::Error;
    outcome.errors = error.fields().to_vec();
    if outcome.errors.is_empty() {
        outcome
            .errors
            .push(FieldError::new(ID, error.code().as_str(), error.message()));
    }
    Ok(())
}

fn count(imported: &mut ImportReport, plan: Plan) {
    let summary = &mut imported.summary;
    let one_more = |number: &mut usize| *number = number.saturating_add(1);
    one_more(&mut summary.rows);
    match plan.outcome.action {
        RowAction::Error => one_more(&mut summary.errors),
        _ if plan.changes.is_empty() => {
            one_more(&mut summary.unchanged);
            return;
        }
        RowAction::Create => one_more(&mut summary.creates),
        RowAction::Update => one_more(&mut summary.updates),
    }
    imported.rows.push(plan.outcome);
}
