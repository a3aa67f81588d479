//! Import: creates and changes records from a table, first as a preview (`dryRun=true`), then permanently.
//!
//! A row is a record: identified by its `_id`, or by the unique code of its kind; otherwise it is a new record. Only cells that differ from
//! the record are changes. Invalid rows are reported and skipped; every other row is an append of its own.
//!
//! A long table is processed in batches (`parts`): each response has the start of the next one. Stopping after a batch, or sending the
//! whole table again, creates no duplicates: a changed row has no changes left, and a row without an id and a code is matched to the record
//! it created before, as long as the idempotency key is kept.

use std::collections::BTreeSet;

use domain::record::Document;
use domain::validation::FieldError;
use event_store::{AppendError, KeyRing};
use futures::{StreamExt, stream};
pub use projections::state::import_runs::DuplicatePolicy;
use serde_json::{Value, json};
use uuid::Uuid;

use super::AdminResource;
use super::cell_format::{at, read, text};
use super::columns::{ID, VERSION};
use super::import_batches::{self, PartLine, TableFile};
use super::import_cells::{CellValue, apply, cell_of, filled_cells, within_own_limits};
use super::import_lists::{ListRow, joined_rows};
use super::import_names::Names;
use super::import_report::wrong;
pub use super::import_report::{ImportReport, ImportSummary, RowAction, RowOutcome};
use super::input::{Draft, belongs_to};
use super::parts::keep_answer;
use super::references::SELLER;
use super::schema::Field;
use super::table_form::Columns;
use super::write::{CreateResult, Edit};
use crate::access::{Editor, RowScope};
use crate::app::App;
use crate::error::{AppError, AppResult, Code};
use crate::executor::{CommandContext, CommandOutcome, RequestOrigin};

/// Placeholder in a cell for a text that does not fit; it leaves the field unchanged.
pub const TOO_LONG: &str = "(내용이 길어 생략했습니다. 전체 내용은 CSV로 내보내 주세요.)";

/// Rows written at the same time; their appends share transactions, and connections are left for live requests.
const AT_ONCE: usize = 8;

/// The table to import a batch of.
#[derive(Debug)]
pub enum ImportTable {
    /// A table sent with this request.
    New(TableFile),
    /// A table sent before.
    Kept {
        /// Its id.
        table: Uuid,
        /// The batch starts after this row.
        after: usize,
    },
}

/// A parsed row.
pub(super) struct Plan {
    pub id: Option<String>,
    pub started_from: Option<u64>,
    pub changes: Vec<(Field, Option<Value>)>,
    /// Rows of its lists that stand in sheets of their own.
    pub list_rows: Vec<ListRow>,
    /// Idempotent command that creates its record, if the row has neither id nor code.
    making: Option<CommandContext>,
    /// There is no record to check it against.
    pub is_lost: bool,
    /// A run wrote it before its process stopped.
    is_done: bool,
    pub outcome: RowOutcome,
}

/// What the rows of a batch share.
pub(super) struct Batch<'a> {
    pub app: &'a App,
    pub editor: Editor,
    origin: &'a RequestOrigin,
    table: Uuid,
    columns: Columns,
    pub list_columns: Vec<Columns>,
    names: Names,
    existing: DuplicatePolicy,
    /// The batch of a run, each row of which is a command executed once.
    is_run: bool,
}

/// How a table is imported.
#[derive(Clone, Copy, Debug, Default)]
pub struct ImportMode {
    /// What happens to rows whose records exist.
    pub existing: DuplicatePolicy,
    /// Whether only to report what would happen.
    pub is_rehearsal: bool,
    /// Whether it is carried out in the background.
    pub is_run: bool,
}

impl Plan {
    pub(super) fn is_wrong(&self) -> bool {
        self.outcome.action == RowAction::Error
    }

    fn refuse(&mut self, error: FieldError) {
        self.outcome.action = RowAction::Error;
        self.outcome.errors.push(error);
    }

    /// The document with the changes of the row.
    pub(super) fn edit(&self, document: &mut Document) {
        for (field, value) in &self.changes {
            apply(document, field, value.clone());
        }
    }
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
        existing: DuplicatePolicy,
    ) -> AppResult<ImportReport> {
        let mode = ImportMode {
            existing,
            is_rehearsal: true,
            is_run: false,
        };
        Ok(self.import_part(app, editor, origin, table, mode).await?.0)
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
        existing: DuplicatePolicy,
    ) -> AppResult<CommandOutcome> {
        let whole = CommandContext::new(self.commands.import, editor.actor(), origin);
        let mode = ImportMode {
            existing,
            ..ImportMode::default()
        };
        let imported = self.import_part(app, editor, origin, table, mode).await?;
        keep_answer(app, &whole, imported.0, imported.1).await
    }

    /// A batch of a table: what was done, or would be, and the position of the last append.
    ///
    /// # Errors
    /// As [`AdminResource::import`].
    pub(super) async fn import_part(
        &'static self,
        app: &App,
        editor: Editor,
        origin: &RequestOrigin,
        table: ImportTable,
        mode: ImportMode,
    ) -> AppResult<(ImportReport, Option<i64>)> {
        self.may_keep(editor.rows)?;
        let (table, part) = match table {
            ImportTable::New(file) => import_batches::keep(app, self, editor, file).await?,
            ImportTable::Kept { table, after } => {
                let part = import_batches::load(app, self, editor.member, table, after).await?;
                (table, part)
            }
        };
        let columns = part.columns(self);
        let rows = part.lines.iter().map(|line| &line.cells);
        let batch = Batch {
            app,
            editor,
            origin,
            table,
            names: Names::of(app, &columns, rows).await?,
            columns,
            list_columns: part.list_columns(self),
            existing: mode.existing,
            is_run: mode.is_run,
        };
        let (plans, position) = match mode.is_rehearsal {
            true => (self.rehearse_rows(&batch, &part.lines).await?, None),
            false => self.write_rows(&batch, &part.lines).await?,
        };
        let mut imported = ImportReport {
            table,
            total: part.total,
            next: part.next,
            ..ImportReport::default()
        };
        for plan in plans {
            count(&mut imported, plan);
        }
        Ok((imported, position))
    }

    async fn rehearse_rows(
        &'static self,
        batch: &Batch<'_>,
        lines: &[PartLine],
    ) -> AppResult<Vec<Plan>> {
        let mut plans = Vec::with_capacity(lines.len());
        // Codes that rows above release.
        let mut freed = BTreeSet::new();
        for line in lines {
            let mut plan = self.plan(batch, line).await?;
            if plan.is_wrong() || !plan.changes.is_empty() {
                self.tell_faults(batch, &mut plan, &mut freed).await?;
            }
            plans.push(plan);
        }
        Ok(plans)
    }

    /// Writes the rows of a batch, many at a time; what was refused is tried once more in order, as it may need a code that another row
    /// of the batch releases.
    async fn write_rows(
        &'static self,
        batch: &Batch<'_>,
        lines: &[PartLine],
    ) -> AppResult<(Vec<Plan>, Option<i64>)> {
        let work = lines.iter().map(|line| self.import_row(batch, line));
        let work: Vec<_> = work.collect();
        let done: Vec<AppResult<_>> = stream::iter(work).buffered(AT_ONCE).collect().await;
        let mut plans = Vec::with_capacity(lines.len());
        let mut position = None;
        for (done, line) in done.into_iter().zip(lines) {
            let (mut plan, mut at) = done?;
            if plan.is_wrong() {
                if plan.outcome.errors.iter().any(is_taken) {
                    (plan, at) = self.import_row(batch, line).await?;
                }
                if plan.is_wrong() {
                    self.tell_faults(batch, &mut plan, &mut BTreeSet::new())
                        .await?;
                }
            }
            position = position.max(at);
            // An import records its changes in the log; only the preview reports them.
            plan.outcome.changes = None;
            plans.push(plan);
        }
        Ok((plans, position))
    }

    async fn import_row(
        &'static self,
        batch: &Batch<'_>,
        line: &PartLine,
    ) -> AppResult<(Plan, Option<i64>)> {
        let command = self.row_command(batch, batch.is_run.then(|| batch.key_of(line)));
        if batch.is_run
            && let Some(done) = batch.app.executor.stored_outcome(&command).await?
        {
            return Ok((self.done_before(batch, line, &done), done.position));
        }
        let mut plan = self.plan(batch, line).await?;
        if plan.is_wrong() || plan.changes.is_empty() {
            return Ok((plan, None));
        }
        match self.write(batch, command, &mut plan).await {
            Ok(position) => Ok((plan, position)),
            Err(error) => {
                wrong(&mut plan.outcome, &error)?;
                Ok((plan, None))
            }
        }
    }

    /// The row of a run that was written before the process stopped.
    fn done_before(&self, batch: &Batch<'_>, line: &PartLine, done: &CommandOutcome) -> Plan {
        let mut plan = Plan::of(&batch.columns, line);
        let made = done.result::<CreateResult>().ok();
        plan.outcome.action = match made {
            Some(_) => RowAction::Create,
            None => RowAction::Update,
        };
        plan.outcome.id = made.map(|made| made.id);
        plan.is_done = true;
        plan
    }

    /// The command of a row; executed once if it has a key.
    fn row_command(&self, batch: &Batch<'_>, key: Option<String>) -> CommandContext {
        let origin = RequestOrigin {
            key,
            body_hash: [0; 32],
            ..batch.origin.clone()
        };
        CommandContext::new(self.commands.import, batch.editor.actor(), &origin)
    }

    /// Determines what a row changes.
    async fn plan(&'static self, batch: &Batch<'_>, line: &PartLine) -> AppResult<Plan> {
        let (app, editor) = (batch.app, batch.editor);
        let mut plan = Plan::of(&batch.columns, line);
        if let Some(orphan) = &line.orphan {
            let key = self.key_field().unwrap_or(Field::text(ID, ""));
            let cells = line.lists.get(orphan.list).and_then(|rows| rows.first());
            let columns = batch.list_columns.get(orphan.list);
            let code = columns
                .zip(cells)
                .and_then(|(columns, (_, cells))| cell_of(columns, cells, key.name));
            let error = match code {
                Some(code) => {
                    let message = format!("첫 번째 시트에 없는 {}입니다: {code}", key.label);
                    FieldError::new(key.name, "unknown", &message)
                }
                None => FieldError::new(key.name, "required", "필수 항목입니다."),
            };
            plan.is_lost = true;
            plan.refuse(error);
            return Ok(plan);
        }
        let (mut written, errors) = filled_cells(&batch.columns, &line.cells);
        plan.outcome.errors = errors;
        written.retain(|(field, _, value)| {
            let mut own = self.table.fields.iter();
            let checked = match own.any(|own| own.name == field.name) {
                true => within_own_limits(field, value.as_ref()),
                false => Ok(()),
            };
            plan.outcome.errors.extend(checked.clone().err());
            checked.is_ok()
        });
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
                    // A row that creates a record without id and code is identified by its content.
                    let making = self.row_command(batch, Some(line.mark.clone()));
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
            plan.refuse(FieldError::new(field, "duplicate", message));
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
                        plan.is_lost = true;
                        plan.outcome.errors.extend_from_slice(gone.fields());
                    }
                    Err(error) => return Err(error),
                }
                loaded.state.document.clone().unwrap_or_default()
            }
            None => Document::new(),
        };
        if plan.id.is_some()
            && !plan.is_lost
            && !line.twice
            && batch.existing == DuplicatePolicy::Skip
        {
            plan.outcome.errors.clear();
            plan.outcome.action = RowAction::Update;
            return Ok(plan);
        }
        let seller = match editor.rows {
            RowScope::Seller(own) => Some(own.to_string()),
            RowScope::All => before
                .get("_seller")
                .and_then(Value::as_str)
                .map(str::to_owned),
        };
        let mut errors = std::mem::take(&mut plan.outcome.errors);
        batch.names.resolve(&mut written, &mut errors, seller);
        errors.extend(self.foreign_seller(editor.rows, &written));
        let mut changes = Document::new();
        // A field that was never stored has the value that it is shown with.
        let complete = (self.fill)(before.clone()).unwrap_or_default();
        for (field, cell, value) in written {
            let was = text(&field, &before);
            let is_given = at(&before, field.name).is_none()
                && plan.id.is_some()
                && at(&complete, field.name) == value.as_ref();
            // A value is unchanged if its text is: seconds that a cell does not show are no change.
            let reads_same = match field.unit {
                // With another unit, the same number is another value.
                Some(_) => at(&before, field.name) == value.as_ref(),
                None => read(&field, &was).is_ok_and(|was| was == value),
            };
            let same = cell == TOO_LONG || reads_same || is_given;
            if same {
                continue;
            }
            changes.insert(
                field.name.to_owned(),
                json!({ "from": was, "to": cell.trim() }),
            );
            plan.changes.push((field, value));
        }
        for lists in joined_rows(self, batch, line, &before) {
            errors.extend(lists.errors);
            plan.list_rows.extend(lists.rows);
            for (field, from, to, value) in lists.changes {
                changes.insert(field.name.to_owned(), json!({ "from": from, "to": to }));
                plan.changes.retain(|(other, _)| other.name != field.name);
                plan.changes.push((field, Some(value)));
            }
        }
        if !errors.is_empty() {
            plan.outcome.action = RowAction::Error;
        }
        plan.outcome.errors = errors;
        plan.outcome.changes = (!plan.is_wrong()).then_some(Value::Object(changes));
        Ok(plan)
    }

    /// A seller's row cannot be another seller's.
    fn foreign_seller(&self, rows: RowScope, written: &[CellValue<'_>]) -> Option<FieldError> {
        let own = rows.seller().filter(|_| self.for_sellers)?.to_string();
        let mut named = written
            .iter()
            .filter(|(field, _, _)| field.resource == Some(SELLER));
        let (field, _, value) = named.find(|(field, _, _)| field.name == "_seller")?;
        let text = value.as_ref()?.as_str()?;
        let message =
            "다른 판매자의 항목은 올릴 수 없습니다. 판매자를 비우거나 자신의 이름을 입력해 주세요.";
        (text != own).then(|| FieldError::new(field.name, "not_the_sellers", message))
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
        // A row that changes some fields of a record, or has faults, names it by its code all the same.
        let document = self.read(document.clone()).unwrap_or(document);
        self.reservation(keys, &document)
    }

    /// The field that gets the error when another record has the code.
    fn code_field(&self) -> &'static str {
        let unique = self.record.unique;
        unique
            .and_then(|unique| unique.fields.first().copied())
            .unwrap_or(ID)
    }

    /// Writes a row; returns its position in the log.
    async fn write(
        &self,
        batch: &Batch<'_>,
        command: CommandContext,
        plan: &mut Plan,
    ) -> AppResult<Option<i64>> {
        let (app, editor) = (batch.app, batch.editor);
        if let Some(id) = &plan.id {
            let of = Edit {
                by: editor.member,
                rows: editor.rows,
                id,
                started_from: plan.started_from,
            };
            let done = self
                .edit(app, &command, of, &|document| plan.edit(document))
                .await?;
            return Ok(done.position);
        }
        let mut document = Document::new();
        plan.edit(&mut document);
        let command = plan.making.as_ref().unwrap_or(&command);
        let (id, done) = self.create(app, command, editor, Draft(document)).await?;
        plan.outcome.id = Some(id);
        Ok(done.position)
    }
}

impl Batch<'_> {
    pub(super) fn columns(&self) -> &[Option<Field>] {
        &self.columns
    }

    /// The key of a row's command in a run.
    fn key_of(&self, line: &PartLine) -> String {
        format!("{}/{}", self.table, line.row)
    }
}

impl Plan {
    /// A row of which nothing is known yet.
    fn of(columns: &[Option<Field>], line: &PartLine) -> Self {
        let cell = |name| cell_of(columns, &line.cells, name);
        let orphan = line.orphan.as_ref();
        Self {
            id: cell(ID),
            started_from: cell(VERSION).and_then(|version| version.parse().ok()),
            changes: Vec::new(),
            list_rows: Vec::new(),
            making: None,
            is_lost: false,
            is_done: false,
            outcome: RowOutcome {
                row: orphan.map_or(line.row, |orphan| orphan.row),
                sheet: orphan.map(|orphan| orphan.sheet.clone()),
                action: RowAction::Create,
                id: None,
                name: cell("name"),
                changes: None,
                errors: Vec::new(),
            },
        }
    }
}

/// The error for a code that another record has.
pub(super) fn taken(scope: &str) -> AppError {
    let scope = scope.to_owned();
    AppendError::ReservationTaken { scope }.into()
}

/// Whether a code is the reason: a row above may release it.
fn is_taken(error: &FieldError) -> bool {
    error.code.ends_with("_taken")
}

fn count(imported: &mut ImportReport, plan: Plan) {
    let summary = &mut imported.summary;
    let one_more = |number: &mut usize| *number = number.saturating_add(1);
    one_more(&mut summary.rows);
    match plan.outcome.action {
        RowAction::Error => one_more(&mut summary.errors),
        _ if plan.changes.is_empty() && !plan.is_done => {
            one_more(&mut summary.unchanged);
            return;
        }
        RowAction::Create => one_more(&mut summary.creates),
        RowAction::Update => one_more(&mut summary.updates),
    }
    imported.rows.push(plan.outcome);
}
