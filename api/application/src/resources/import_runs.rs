//! Imports in the background: a table that was looked at is carried out batch by batch by the worker, with progress, and can be stopped
//! and go on.
//!
//! A batch is repeated if its process dies: every row is a command executed once (`{table}/{row}`), and the numbers of a batch are counted in
//! the statement that moves the run behind it. Any number of processes may work; a claim keeps them apart while they live.

use std::sync::Arc;
use std::time::Duration;

use domain::ids::MemberId;
use domain::member::{Member, Scope};
use projections::state::import_parts;
use projections::state::import_runs::{self, NewRun, PartCounts};
pub use projections::state::import_runs::{DuplicatePolicy, ImportRun, RunState};
use serde_json::Value;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::import::{ImportMode, ImportReport, ImportTable, RowAction, RowOutcome};
use super::import_batches::{self, Part};
use super::schema::Field;
use super::table_form::{Columns, heading};
use super::{AdminResource, find};
use crate::access::{Editor, RowScope};
use crate::app::App;
use crate::error::{AppError, AppResult};
use crate::executor::RequestOrigin;

/// How often the worker looks for runs.
const EVERY: Duration = Duration::from_secs(2);
/// How long a process keeps others from the batch it works on.
const CLAIM: time::Duration = time::Duration::seconds(30);
/// The route in the keys of a run's commands.
const ROUTE: &str = "import-run";

/// A run to start.
#[derive(Clone, Copy, Debug)]
pub struct RunRequest<'a> {
    /// The table, as its preview named it.
    pub table: Uuid,
    /// Name of the file.
    pub file_name: &'a str,
    /// What happens to rows whose records exist.
    pub existing: DuplicatePolicy,
}

/// A sheet of the file of refused rows.
#[derive(Debug)]
pub struct RefusedSheet {
    /// Its name.
    pub name: String,
    /// Its headings.
    pub headings: Vec<String>,
    /// Its rows; in the first sheet the reasons stand in the last column.
    pub rows: Vec<Vec<String>>,
}

impl AdminResource {
    /// Starts carrying out a table in the background; once, however often it is asked for.
    ///
    /// # Errors
    /// `access_denied`; `invalid` for a table that is not stored any more, and for too many runs that are not over.
    pub async fn start_run(
        &'static self,
        app: &App,
        editor: Editor,
        request: RunRequest<'_>,
    ) -> AppResult<ImportRun> {
        self.may_keep(editor.rows)?;
        let found = import_runs::find(app.pool(), editor.member, request.table).await?;
        if let Some(run) = found {
            return Ok(run);
        }
        let first = import_batches::load(app, self, editor.member, request.table, 0).await?;
        let run = NewRun {
            id: request.table,
            owner: editor.member,
            kind: self.record.kind,
            own_rows: editor.rows != RowScope::All,
            file_name: request.file_name,
            existing: request.existing,
            total: number(first.total),
        };
        if !import_runs::start(app.pool(), run, app.clock.now()).await? {
            let message =
                "진행 중이거나 중단한 업로드가 5개입니다. 먼저 끝낸 뒤 다시 시작해 주세요.";
            return Err(AppError::invalid_field("table", "too_many", message));
        }
        find_run(app, editor.member, request.table).await
    }

    /// The refused rows of a run as they were sent, with the reasons in a further column: a file that can be mended and sent again.
    ///
    /// # Errors
    /// `not_found`.
    pub async fn refused_rows(
        &'static self,
        app: &App,
        run: &ImportRun,
    ) -> AppResult<Vec<RefusedSheet>> {
        let mut refused = RefusedRows::default();
        let reasons = import_runs::refusals(app.pool(), run.id).await?;
        let mut reasons: std::collections::HashMap<i32, Value> = reasons.into_iter().collect();
        let known = self.table_columns();
        for (after, part) in import_parts::all(app.pool(), run.id).await? {
            let part: Part = serde_json::from_value(part)?;
            let outcomes = reasons.remove(&after).unwrap_or_default();
            let outcomes: Vec<RowOutcome> = match outcomes {
                Value::Null => Vec::new(),
                rows => serde_json::from_value(rows)?,
            };
            refused.add(self, &known, &part, &outcomes);
        }
        Ok(refused.sheets(self))
    }
}

/// A run of this member.
///
/// # Errors
/// `not_found`.
pub async fn find_run(app: &App, owner: MemberId, id: Uuid) -> AppResult<ImportRun> {
    let found = import_runs::find(app.pool(), owner, id).await?;
    found.ok_or_else(AppError::not_found)
}

/// Stops a run after its present batch, or lets it go on; nothing for one that is over.
///
/// # Errors
/// `not_found`.
pub async fn set_stopped(
    app: &App,
    owner: MemberId,
    id: Uuid,
    is_stopped: bool,
) -> AppResult<ImportRun> {
    find_run(app, owner, id).await?;
    import_runs::set_stopped(app.pool(), id, is_stopped, app.clock.now()).await?;
    find_run(app, owner, id).await
}

/// The refused rows so far.
#[derive(Default)]
struct RefusedRows {
    columns: Columns,
    list_columns: Vec<Columns>,
    rows: Vec<Vec<String>>,
    list_rows: Vec<Vec<Vec<String>>>,
}

impl RefusedRows {
    fn add(
        &mut self,
        resource: &AdminResource,
        known: &[Field],
        part: &Part,
        outcomes: &[RowOutcome],
    ) {
        self.columns = part.columns(resource);
        self.list_columns = part.list_columns(resource);
        self.list_rows.resize(self.list_columns.len(), Vec::new());
        let mut outcomes = outcomes.iter().peekable();
        for line in &part.lines {
            let place = line.orphan.as_ref().map_or(line.row, |orphan| orphan.row);
            let sheet = line.orphan.as_ref().map(|orphan| &orphan.sheet);
            let same =
                |outcome: &&RowOutcome| outcome.row == place && outcome.sheet.as_ref() == sheet;
            let Some(outcome) = outcomes.next_if(same) else {
                continue;
            };
            let reasons: Vec<String> = outcome
                .errors
                .iter()
                .map(
                    |error| match known.iter().find(|field| field.name == error.field) {
                        Some(field) => format!("{}: {}", field.label, error.message),
                        None => error.message.clone(),
                    },
                )
                .collect();
            let reasons = reasons.join(" / ");
            let list_rows = self.list_rows.iter_mut().zip(&line.lists);
            for ((sheet, own), columns) in list_rows.zip(&self.list_columns) {
                for (_, cells) in own {
                    let mut cells = kept(columns, cells);
                    if line.orphan.is_some() {
                        cells.push(reasons.clone());
                    }
                    sheet.push(cells);
                }
            }
            if line.orphan.is_none() {
                let mut cells = kept(&self.columns, &line.cells);
                cells.push(reasons);
                self.rows.push(cells);
            }
        }
    }

    fn sheets(self, resource: &AdminResource) -> Vec<RefusedSheet> {
        let headings = |columns: &Columns| {
            let fields = columns.iter().flatten();
            let reasons = super::table_form::REASONS.to_owned();
            fields.map(heading).chain([reasons]).collect()
        };
        let first = RefusedSheet {
            name: resource.record.title.to_owned(),
            headings: headings(&self.columns),
            rows: self.rows,
        };
        let lists = resource.table.sheets.iter().zip(&self.list_columns);
        let lists = lists.zip(self.list_rows);
        let lists = lists.map(|((sheet, columns), rows)| RefusedSheet {
            name: sheet.title.to_owned(),
            headings: headings(columns),
            rows,
        });
        [first].into_iter().chain(lists).collect()
    }
}

/// The cells of columns with a field.
fn kept(columns: &Columns, cells: &[String]) -> Vec<String> {
    let nothing = String::new();
    let cells = cells.iter().chain(std::iter::repeat(&nothing));
    let kept = columns
        .iter()
        .zip(cells)
        .filter(|(field, _)| field.is_some());
    kept.map(|(_, cell)| cell.clone()).collect()
}

/// Carries out what is started, batch by batch, until `stopping`.
pub async fn watch(app: Arc<App>, stopping: CancellationToken) {
    loop {
        match round(&app).await {
            // Of several runs, the one that waited longest is next.
            Ok(true) if !stopping.is_cancelled() => continue,
            Ok(_) => {}
            Err(error) => tracing::warn!(?error, "a batch of an import is not done yet"),
        }
        let rest = stopping.run_until_cancelled(tokio::time::sleep(EVERY));
        if rest.await.is_none() {
            return;
        }
    }
}

/// Carries out one batch; false if there is none.
///
/// # Errors
/// Failures; the batch is tried again when its claim is over.
pub async fn round(app: &App) -> AppResult<bool> {
    let Some(run) = import_runs::claim(app.pool(), app.clock.now(), CLAIM).await? else {
        return Ok(false);
    };
    match carry_out(app, &run).await {
        Err(error) if !error.is_failure() => {
            import_runs::fail(app.pool(), run.id, &reason(&error), app.clock.now()).await?;
            Ok(true)
        }
        done => done.map(|()| true),
    }
}

fn reason(error: &AppError) -> String {
    let field = error.fields().first();
    field.map_or_else(|| error.message().to_owned(), |field| field.message.clone())
}

async fn carry_out(app: &App, run: &ImportRun) -> AppResult<()> {
    let resource = find(&run.kind).ok_or_else(AppError::not_found)?;
    let editor = editor(app, run).await?;
    let origin = RequestOrigin {
        request: run.id,
        trace: None,
        route: Arc::from(ROUTE),
        key: None,
        body_hash: [0; 32],
    };
    let table = ImportTable::Kept {
        table: run.id,
        after: usize::try_from(run.next.unwrap_or_default()).unwrap_or_default(),
    };
    let mode = ImportMode {
        existing: run.existing,
        is_rehearsal: false,
        is_run: true,
    };
    let (report, _) = resource
        .import_part(app, editor, &origin, table, mode)
        .await?;
    let ImportReport {
        next,
        summary,
        mut rows,
        ..
    } = report;
    rows.retain(|row| row.action == RowAction::Error);
    let counts = PartCounts {
        creates: number(summary.creates),
        updates: number(summary.updates),
        unchanged: number(summary.unchanged),
        errors: number(summary.errors),
    };
    let refused = match rows.is_empty() {
        true => None,
        false => Some(serde_json::to_value(rows)?),
    };
    let next = next.map(number);
    let now = app.clock.now();
    Ok(import_runs::part_done(app.pool(), run, next, counts, refused, now).await?)
}

/// The owner, with the rights they have now.
async fn editor(app: &App, run: &ImportRun) -> AppResult<Editor> {
    let member = app.store.load::<Member>(&run.owner.to_string()).await?;
    let scopes = &member.state.scopes;
    let (rows, needed) = match run.own_rows {
        true => (RowScope::Seller(run.owner), Scope::Company),
        false => (RowScope::All, Scope::Console),
    };
    if member.state.left || !scopes.contains(&needed) {
        return Err(AppError::denied(&[needed.name()]));
    }
    Ok(Editor {
        member: run.owner,
        rows,
    })
}

fn number(rows: usize) -> i32 {
    i32::try_from(rows).unwrap_or(i32::MAX)
}
