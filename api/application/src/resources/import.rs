//! Import: creates and changes records from a table, first as a preview (`dryRun=true`), then permanently.
//!
//! A row is a record: identified by its `_id`, or by the unique code of its kind; otherwise it is a new record. Only cells that differ from
//! the record are changes. Invalid rows are reported and skipped; every other row is an append of its own.
//!
//! A long table is processed in batches (`parts`): each response has the start of the next one. Stopping after a batch, or sending the
//! whole table again, creates no duplicates: a changed row has no changes left, and a row without an id and a code is matched to the record
//! it created before, as long as the idempotency key is kept.

use std::collections::BTreeSet;

use domain::event::Context;
use domain::record::{Document, Record, RecordCommand};
use domain::validation::FieldError;
use event_store::{AppendError, KeyRing};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;
use uuid::Uuid;

use super::AdminResource;
use super::cell_format::{at, in_unit, place, put, read, text};
use super::columns::{ID, VERSION};
use super::import_batches::{self, Line, PartLine};
use super::input::{Draft, belongs_to};
use super::parts::keep_answer;
use super::schema::{Field, FieldType};
use super::write::{CreateResult, Edit};
use crate::access::Editor;
use crate::app::App;
use crate::error::{AppError, AppResult, Code};
use crate::executor::{CommandContext, CommandOutcome, RequestOrigin};

/// Placeholder in a cell for a text that does not fit; it leaves the field unchanged.
pub const TOO_LONG: &str = "(내용이 길어 생략했습니다. 전체 내용은 CSV로 내보내 주세요.)";

/// The table to import a batch of.
#[derive(Debug)]
pub enum ImportTable {
    /// A table sent with this request.
    New(Vec<Line>),
    /// A table sent before.
    Kept {
        /// Its id.
        table: Uuid,
        /// The batch starts after this row.
        after: usize,
    },
}

/// The action of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum RowAction {
    /// It creates a record.
    Create,
    /// It changes a record.
    Update,
    /// It is invalid.
    Error,
}

/// Outcome of a row, or of its preview. Rows that change nothing are only counted.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct RowOutcome {
    /// Row number in the file, from 1.
    pub row: usize,
    /// The action.
    pub action: RowAction,
    /// The record.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The record's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The changes of a preview: by field, the text before and after.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub changes: Option<Value>,
    /// The errors.
    pub errors: Vec<FieldError>,
}

/// Number of rows by action.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, ToSchema)]
pub struct ImportSummary {
    /// All rows.
    pub rows: usize,
    /// Records created.
    pub creates: usize,
    /// Records changed.
    pub updates: usize,
    /// Unchanged rows.
    pub unchanged: usize,
    /// Invalid rows.
    pub errors: usize,
}

/// Outcome of importing a batch of a table.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
pub struct ImportReport {
    /// Id of the table, to request its other batches; valid for a day.
    pub table: Uuid,
    /// Rows of the whole table.
    pub total: usize,
    /// The row of the file after which the next batch starts; none after the last batch.
    pub next: Option<usize>,
    /// Counts of this batch.
    pub summary: ImportSummary,
    /// Outcomes by row.
    pub rows: Vec<RowOutcome>,
}

/// A cell that is not empty: its field, its text and its value.
pub(super) type CellValue<'a> = (Field, &'a String, Option<Value>);

/// A parsed row.
struct Plan {
    id: Option<String>,
    started_from: Option<u64>,
    changes: Vec<(Field, Option<Value>)>,
    /// Idempotent command that creates its record, if the row has neither id nor code.
    making: Option<CommandContext>,
    outcome: RowOutcome,
}

impl AdminResource {
    /// The outcome of an import that was done before, whose result is an [`ImportReport`].
    ///
    /// # Errors
    /// `access_denied`, `idempotency_key_reused`.
    pub async fn stored_import(
        &self,
        app: &App,
        editor: Editor,
        origin: &RequestOrigin,
    ) -> AppResult<Option<CommandOutcome>> {
        let whole = CommandContext::new(self.commands.import, editor.actor(), origin);
        app.executor.stored_outcome(&whole).await
    }

    /// Previews what importing a table, or the next batch of one sent before, would do.
    ///
    /// # Errors
    /// As [`AdminResource::import`].
    pub async fn rehearse_import(
        &'static self,
        app: &App,
        editor: Editor,
        origin: &RequestOrigin,
        table: ImportTable,
    ) -> AppResult<ImportReport> {
        Ok(self.import_part(app, editor, origin, table, true).await?.0)
    }

    /// Creates and changes records from a table, or from the next batch of one sent before; the result is an [`ImportReport`].
    ///
    /// # Errors
    /// `invalid` for a file that is not a table, or a table that is not stored any more; `access_denied`, `too_large`,
    /// `idempotency_key_reused`.
    pub async fn import(
        &'static self,
        app: &App,
        editor: Editor,
        origin: &RequestOrigin,
        table: ImportTable,
    ) -> AppResult<CommandOutcome> {
        let whole = CommandContext::new(self.commands.import, editor.actor(), origin);
        let imported = self.import_part(app, editor, origin, table, false).await?;
        keep_answer(app, &whole, imported.0, imported.1).await
    }

    async fn import_part(
        &'static self,
        app: &App,
        editor: Editor,
        origin: &RequestOrigin,
        table: ImportTable,
        is_rehearsal: bool,
    ) -> AppResult<(ImportReport, Option<i64>)> {
        self.may_keep(editor.rows)?;
        let (table, part) = match table {
            ImportTable::New(lines) => import_batches::keep(app, self, editor, lines).await?,
            ImportTable::Kept { table, after } => {
                let part = import_batches::load(app, self, editor.member, table, after).await?;
                (table, part)
            }
        };
        let columns = part.columns(self);
        let mut imported = ImportReport {
            table,
            total: part.total,
            next: part.next,
            ..ImportReport::default()
        };
        let mut position = None;
        let mut freed = BTreeSet::new();
        for line in part.lines {
            // A row that creates a record without id and code is identified by its content.
            let making = self.row_command(editor, origin, Some(line.mark.clone()));
            let mut plan = self.plan(app, editor, &columns, making, line).await?;
            if plan.outcome.action != RowAction::Error && !plan.changes.is_empty() {
                let tried = if is_rehearsal {
                    self.rehearse(app, editor, &plan, &mut freed)
                        .await
                        .map(|()| None)
                } else {
                    // An import records its changes in the log; only the preview reports them.
                    plan.outcome.changes = None;
                    let unnamed = self.row_command(editor, origin, None);
                    self.write(app, editor, unnamed, &mut plan).await
                };
                match tried {
                    Ok(at) => position = position.max(at),
                    Err(error) => wrong(&mut plan.outcome, &error)?,
                }
            }
            count(&mut imported, plan);
        }
        Ok((imported, position))
    }

    /// The command of a row; executed once if it has a key.
    fn row_command(
        &self,
        editor: Editor,
        origin: &RequestOrigin,
        key: Option<String>,
    ) -> CommandContext {
        let origin = RequestOrigin {
            key,
            body_hash: [0; 32],
            ..origin.clone()
        };
        CommandContext::new(self.commands.import, editor.actor(), &origin)
    }

    /// Determines what a row changes.
    async fn plan(
        &self,
        app: &App,
        editor: Editor,
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
            match self.code_of(&app.keys, editor, &written) {
                Some((scope, hash)) => {
                    plan.id = app.store.reserved_by(scope, &hash).await?;
                    // The code belongs to a record of another seller.
                    gone = taken(scope);
                }
                None => {
                    if let Some(done) = app.executor.stored_outcome(&making).await? {
                        plan.id = Some(done.result::<CreateResult>()?.id);
                        let message = "이 행으로 등록한 항목이 삭제되었습니다. 삭제된 항목에서 복원해 주세요.";
                        gone = no_record(message);
                    }
                    plan.making = Some(making);
                }
            }
        }
        if line.twice {
            let field = match line.twice_by_code {
                true => self.code_field(),
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
                let loaded = self.load(app, id).await?;
                let found = loaded.state.live().cloned();
                let found = found.and_then(|document| self.record.complete(document));
                let found = found.map_err(AppError::from);
                match found.and_then(|document| self.reaches(editor.rows, &document)) {
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
            // A value is unchanged if its text is: seconds that a cell does not show are no change.
            let reads_same = match field.unit {
                // With another unit, the same number is another value.
                Some(_) => at(&before, field.name) == value.as_ref(),
                None => read(&field, &was).is_ok_and(|was| was == value),
            };
            let same = cell == TOO_LONG || reads_same;
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

    /// The code in this row, hashed as unique codes are reserved.
    pub(super) fn code_of(
        &self,
        keys: &KeyRing,
        editor: Editor,
        written: &[CellValue<'_>],
    ) -> Option<(&'static str, [u8; 32])> {
        self.record.unique?;
        let mut document = Document::new();
        for (field, _, value) in written {
            apply(&mut document, field, value.clone());
        }
        belongs_to(editor.rows, &mut document);
        (self.normalize)(&(self.new_id)(), editor.member, &mut document).ok()?;
        self.reservation(keys, &self.read(document).ok()?)
    }

    /// The field that gets the error when another record has the code.
    fn code_field(&self) -> &'static str {
        let unique = self.record.unique;
        unique
            .and_then(|unique| unique.fields.first().copied())
            .unwrap_or(ID)
    }

    /// Makes the checks of an import without writing. `freed` are the codes released by rows above.
    async fn rehearse(
        &self,
        app: &App,
        editor: Editor,
        plan: &Plan,
        freed: &mut BTreeSet<[u8; 32]>,
    ) -> AppResult<()> {
        let context = Context {
            now: app.clock.now(),
            actor: editor.actor(),
        };
        match &plan.id {
            Some(id) => {
                let loaded = self.load(app, id).await?;
                if let Some(version) = plan.started_from {
                    self.unchanged_since(version, &loaded)?;
                }
                let before = loaded.state.document.clone().unwrap_or_default();
                let mut document = before.clone();
                edited(&mut document, plan);
                belongs_to(editor.rows, &mut document);
                let counts = (self.normalize)(id, editor.member, &mut document)?;
                self.decide_revision(app, id, &loaded, document.clone(), &counts, &context)
                    .await?;
                let code =
                    |document| AppResult::Ok(self.reservation(&app.keys, &self.read(document)?));
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
                self.begin(editor.rows, &mut document);
                let id = (self.new_id)();
                (self.normalize)(&id, editor.member, &mut document)?;
                let record = self.acceptable(app, None, document).await?;
                let command = RecordCommand::Create(Box::new(record.clone()));
                self.record.decide(&Record::default(), command)?;
                self.allowed(app, &id, None, &record).await?;
            }
        }
        Ok(())
    }

    /// Writes a row; returns its position in the log.
    async fn write(
        &self,
        app: &App,
        editor: Editor,
        unnamed: CommandContext,
        plan: &mut Plan,
    ) -> AppResult<Option<i64>> {
        if let Some(id) = &plan.id {
            let of = Edit {
                by: editor.member,
                rows: editor.rows,
                id,
                started_from: plan.started_from,
            };
            let done = self
                .edit(app, &unnamed, of, &|document| edited(document, plan))
                .await?;
            return Ok(done.position);
        }
        let mut document = Document::new();
        edited(&mut document, plan);
        let command = plan.making.as_ref().unwrap_or(&unnamed);
        let (id, done) = self.create(app, command, editor, Draft(document)).await?;
        plan.outcome.id = Some(id);
        Ok(done.position)
    }
}

/// The cell of a row with this name, if it is not empty.
pub(super) fn cell_of(columns: &[Option<Field>], cells: &[String], name: &str) -> Option<String> {
    columns
        .iter()
        .zip(cells)
        .find(|(field, _)| field.is_some_and(|field| field.name == name))
        .map(|(_, cell)| cell.trim().to_owned())
        .filter(|cell| !cell.is_empty())
}

/// The values of a row's cells, and the errors of those that cannot be parsed.
pub(super) fn filled_cells<'a>(
    columns: &[Option<Field>],
    cells: &'a [String],
) -> (Vec<CellValue<'a>>, Vec<FieldError>) {
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

/// The value of a field's unit in a row.
fn unit_of(columns: &[Option<Field>], cells: &[String], field: &Field) -> Option<Value> {
    let named = |column: &&Option<Field>| column.is_some_and(|one| Some(one.name) == field.unit);
    let (column, cell) = columns
        .iter()
        .zip(cells)
        .find(|(column, _)| named(column))?;
    read(column.as_ref()?, cell).ok().flatten()
}

/// The error for a code that another record has.
fn taken(scope: &str) -> AppError {
    let scope = scope.to_owned();
    AppendError::ReservationTaken { scope }.into()
}

/// Sets a cell's value in a document. A picture without an address is removed.
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

/// Records a rejection as an error of the row; failures are returned.
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
