//! An imported table: parsed once, checked for duplicate rows, and stored in batches, so that a long table is sent once and its progress
//! can be shown.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use domain::ids::MemberId;
use event_store::KeyRing;
use projections::state::import_parts;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::AdminResource;
use super::columns::ID;
use super::import_cells::{cell_of, filled_cells};
use super::schema::Field;
use super::table_form::{Columns, EXAMPLES, GUIDE, ListSheet, heads};
use crate::access::Editor;
use crate::app::App;
use crate::error::{AppError, AppResult};

/// Maximum number of rows of an imported table, without headings.
pub const ROWS_MOST: usize = 50_000;

/// A parsed row: its number in the file, and its cells.
pub type Line = (usize, Vec<String>);

/// An uploaded file: the rows of its table, and its further sheets.
#[derive(Debug, Default)]
pub struct TableFile {
    /// The rows of the first sheet, without empty ones.
    pub lines: Vec<Line>,
    /// Further sheets with rows.
    pub sheets: Vec<Sheet>,
}

/// A further sheet of a file.
#[derive(Debug)]
pub struct Sheet {
    /// Its name.
    pub name: String,
    /// Its rows, without empty ones.
    pub lines: Vec<Line>,
}

impl From<Vec<Line>> for TableFile {
    fn from(lines: Vec<Line>) -> Self {
        Self {
            lines,
            sheets: Vec::new(),
        }
    }
}

/// Rows in a batch: one or two seconds of work.
const PART: usize = 250;

/// Hash of a code, as it is reserved.
type CodeHash = [u8; 32];

/// A batch of a table.
#[derive(Serialize, Deserialize)]
pub(super) struct Part {
    /// Names of its fields by column; none for columns without a field.
    columns: Vec<Option<String>>,
    /// The same of the sheet of each list.
    #[serde(default)]
    list_columns: Vec<Vec<Option<String>>>,
    /// Its rows.
    pub lines: Vec<PartLine>,
    /// Rows of the whole table.
    pub total: usize,
    /// The row of the file after which the next batch starts; none for the last batch.
    pub next: Option<usize>,
}

/// A row of a table.
#[derive(Serialize, Deserialize)]
pub(super) struct PartLine {
    /// Row number in the file, from 1.
    pub row: usize,
    /// Its cells.
    pub cells: Vec<String>,
    /// Whether a row above it is the same record.
    pub twice: bool,
    /// Whether it is the same by the code of both rows, not by the id in this row.
    #[serde(default)]
    pub twice_by_code: bool,
    /// Identifies the row: its content, and the number of equal rows above it.
    pub mark: String,
    /// Its rows in the sheet of each list.
    #[serde(default)]
    pub lists: Vec<Vec<Line>>,
    /// Where it stands if not in the first sheet: a row of a list without a record.
    #[serde(default)]
    pub orphan: Option<Orphan>,
}

/// A row in the sheet of a list whose record is not in the table.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Orphan {
    /// Number of the list among those with sheets.
    pub list: usize,
    /// Name of the sheet.
    pub sheet: String,
    /// Row number in the sheet.
    pub row: usize,
}

impl Part {
    /// The fields of its columns.
    pub(super) fn columns(&self, resource: &AdminResource) -> Columns {
        named_fields(&self.columns, &resource.table_columns())
    }

    /// The fields of the columns of each list with a sheet.
    pub(super) fn list_columns(&self, resource: &AdminResource) -> Vec<Columns> {
        let sheets = resource.table.sheets.iter().zip(&self.list_columns);
        sheets
            .map(|(sheet, names)| named_fields(names, &list_fields(resource, sheet)))
            .collect()
    }
}

fn named_fields(names: &[Option<String>], known: &[Field]) -> Columns {
    let named = |name: &String| known.iter().find(|field| field.name == name).copied();
    let names = names.iter();
    names.map(|name| name.as_ref().and_then(named)).collect()
}

fn names_of(columns: &[Option<Field>]) -> Vec<Option<String>> {
    let columns = columns.iter();
    columns
        .map(|field| field.map(|field| field.name.to_owned()))
        .collect()
}

/// The columns of the sheet of a list: the code of the record, and the fields of a row.
pub(super) fn list_fields(resource: &AdminResource, sheet: &ListSheet) -> Vec<Field> {
    let key = resource.key_field();
    key.iter().chain(sheet.fields).copied().collect()
}

/// Parses and stores a table; returns its id and its first batch.
///
/// # Errors
/// `invalid` if it is not a table of this kind.
pub(super) async fn keep(
    app: &App,
    resource: &'static AdminResource,
    editor: Editor,
    file: TableFile,
) -> AppResult<(Uuid, Part)> {
    let keys = app.keys.clone();
    let read = move || understood(resource, &keys, editor, file);
    let Understood {
        columns,
        lines,
        codes,
        lists,
    } = tokio::task::spawn_blocking(read).await??;
    let held = match resource.record.unique {
        Some(unique) => {
            let codes: Vec<CodeHash> = codes.iter().copied().flatten().collect();
            app.store.holders(unique.scope, &codes).await?
        }
        None => HashMap::new(),
    };
    let mut marked = marked(&columns, lines, &codes, &held);
    for (list, sheet) in lists.iter().enumerate() {
        give(list, sheet, &columns, &mut marked);
    }
    let list_columns: Vec<_> = lists.iter().map(|list| names_of(&list.columns)).collect();
    let parts = in_parts(&columns, &list_columns, marked);
    let id = Uuid::now_v7();
    let mut rows = Vec::with_capacity(parts.len());
    let mut after = 0;
    for part in &parts {
        rows.push((after, serde_json::to_value(part)?));
        after = part.next.unwrap_or_default();
    }
    let of = import_parts::Table {
        id,
        owner: editor.member,
        kind: resource.record.kind,
    };
    import_parts::keep(app.pool(), of, rows, app.clock.now()).await?;
    let first = parts.into_iter().next();
    Ok((id, first.ok_or_else(no_heading)?))
}

/// A batch of a stored table.
///
/// # Errors
/// `invalid` if it is not stored, or not any more.
pub(super) async fn load(
    app: &App,
    resource: &AdminResource,
    owner: MemberId,
    id: Uuid,
    after: usize,
) -> AppResult<Part> {
    let of = import_parts::Table {
        id,
        owner,
        kind: resource.record.kind,
    };
    let found = import_parts::find(app.pool(), of, after).await?;
    let gone = || {
        let message = "올린 파일을 찾을 수 없습니다. 파일을 다시 선택해 주세요.";
        AppError::invalid_field("table", "gone", message)
    };
    Ok(serde_json::from_value(found.ok_or_else(gone)?)?)
}

/// A table as read.
struct Understood {
    columns: Columns,
    lines: Vec<Line>,
    /// The code of each row that has one.
    codes: Vec<Option<CodeHash>>,
    lists: Vec<ListTable>,
}

/// The sheet of a list as read.
#[derive(Default)]
struct ListTable {
    title: &'static str,
    key: &'static str,
    columns: Columns,
    lines: Vec<Line>,
}

/// A table's columns, its rows, and the code of each row that has one.
fn understood(
    resource: &AdminResource,
    keys: &KeyRing,
    editor: Editor,
    file: TableFile,
) -> AppResult<Understood> {
    let (columns, mut lines) = heads(&resource.table_columns(), file.lines)?;
    if lines.len() > ROWS_MOST {
        return Err(too_many());
    }
    for (_, cells) in &mut lines {
        for (field, cell) in columns.iter().zip(cells) {
            if field.is_some_and(|field| resource.is_shown_only(&field, cell)) {
                cell.clear();
            }
        }
    }
    let lists = list_tables(resource, file.sheets)?;
    let code = |(_, cells): &Line| {
        // Without a unique code, the row need not be parsed here.
        resource.record.unique?;
        let code = resource.code_of(keys, editor, &filled_cells(&columns, cells).0);
        code.map(|(_, hash)| hash)
    };
    let codes = lines.iter().map(code).collect();
    Ok(Understood {
        columns,
        lines,
        codes,
        lists,
    })
}

/// The sheets of a kind's lists, in their order. Further sheets of a kind without such lists are ignored, as they always were.
fn list_tables(resource: &AdminResource, sheets: Vec<Sheet>) -> AppResult<Vec<ListTable>> {
    let known = resource.table.sheets;
    let mut tables: Vec<ListTable> = known.iter().map(|_| ListTable::default()).collect();
    let Some(key) = resource.key_field().filter(|_| !known.is_empty()) else {
        return Ok(tables);
    };
    for Sheet { name, lines } in sheets {
        let name = name.trim();
        if [GUIDE, EXAMPLES].contains(&name) || name.starts_with(EXAMPLES) || lines.is_empty() {
            continue;
        }
        let mut of = known.iter().zip(&mut tables);
        let Some((sheet, table)) = of.find(|(sheet, _)| [sheet.title, sheet.list].contains(&name))
        else {
            let titles: Vec<&str> = known.iter().map(|sheet| sheet.title).collect();
            let message = format!(
                "‘{name}’ 시트를 알 수 없습니다. 시트 이름을 ‘{}’(으)로 바꾸거나 시트를 삭제해 주세요.",
                titles.join("’, ‘")
            );
            return Err(refused("unknown_sheet", &message));
        };
        let (columns, lines) = heads(&list_fields(resource, sheet), lines)?;
        if lines.len() > ROWS_MOST {
            return Err(too_many());
        }
        if !columns.iter().flatten().any(|field| field.name == key.name) {
            let message = format!("‘{name}’ 시트에 {} 열이 필요합니다.", key.label);
            return Err(refused("no_key", &message));
        }
        *table = ListTable {
            title: sheet.title,
            key: key.name,
            columns,
            lines,
        };
    }
    Ok(tables)
}

/// Gives the rows of a list to the rows of their records; what belongs to none becomes a row of its own behind them.
fn give(list: usize, sheet: &ListTable, columns: &[Option<Field>], rows: &mut Vec<PartLine>) {
    let mut by_code: HashMap<String, usize> = HashMap::new();
    for (place, row) in rows.iter_mut().enumerate() {
        row.lists.push(Vec::new());
        if let Some(code) = cell_of(columns, &row.cells, sheet.key) {
            by_code.entry(code).or_insert(place);
        }
    }
    let mut last = rows.iter().map(|row| row.row).max().unwrap_or_default();
    for (number, cells) in &sheet.lines {
        let code = cell_of(&sheet.columns, cells, sheet.key);
        let place = code.and_then(|code| by_code.get(&code).copied());
        if let Some(own) = place.and_then(|place| rows.get_mut(place)?.lists.last_mut()) {
            own.push((*number, cells.clone()));
            continue;
        }
        last = last.saturating_add(1);
        rows.push(PartLine {
            row: last,
            cells: Vec::new(),
            twice: false,
            twice_by_code: false,
            mark: format!("{}/{number}", sheet.title),
            lists: vec![Vec::new(); list]
                .into_iter()
                .chain([vec![(*number, cells.clone())]])
                .collect(),
            orphan: Some(Orphan {
                list,
                sheet: sheet.title.to_owned(),
                row: *number,
            }),
        });
    }
}

/// The error for a table with too many rows or cells.
#[track_caller]
pub fn too_many() -> AppError {
    refused("too_many", "한 파일에 50,000행까지 가져올 수 있습니다.")
}

/// The error for a table without headings.
#[track_caller]
pub(super) fn no_heading() -> AppError {
    refused(
        "no_heading",
        "항목 이름이 있는 행을 찾을 수 없습니다. 양식이나 내보낸 파일의 제목 행을 그대로 두어 주세요.",
    )
}

/// An error about the file.
#[track_caller]
pub fn refused(code: &str, message: &str) -> AppError {
    AppError::invalid_field("file", code, message)
}

/// The rows, each with its identifying mark. A record is identified by its id and by its code: a row above may create it, and in a preview
/// that row is not written.
fn marked(
    columns: &[Option<Field>],
    lines: Vec<Line>,
    codes: &[Option<CodeHash>],
    held: &HashMap<CodeHash, String>,
) -> Vec<PartLine> {
    let mut seen = BTreeSet::new();
    let mut said = BTreeMap::<[u8; 32], usize>::new();
    let rows = lines.into_iter().zip(codes);
    rows.map(|((row, cells), code)| {
        let id = cell_of(columns, &cells, ID);
        let holder = match &id {
            Some(_) => None,
            None => code.and_then(|code| held.get(&code).cloned()),
        };
        let mut is_seen = |name: Option<Vec<u8>>| name.is_some_and(|name| !seen.insert(name));
        let by_id = is_seen(id.map(String::into_bytes));
        let by_holder = is_seen(holder.map(String::into_bytes));
        let by_code = is_seen(code.map(|code| code.to_vec()));
        let words = mark_of(columns, &cells);
        let before = said.entry(words).or_default();
        let mark = format!("{}/{before}", hex::encode(words));
        *before = before.saturating_add(1);
        PartLine {
            row,
            cells,
            twice: by_id || by_holder || by_code,
            twice_by_code: !by_id && (by_holder || by_code),
            mark,
            lists: Vec::new(),
            orphan: None,
        }
    })
    .collect()
}

/// Hash of a row's content, independent of the rest of the file.
fn mark_of(columns: &[Option<Field>], cells: &[String]) -> [u8; 32] {
    let mut hash = Sha256::new();
    for (field, cell) in columns.iter().zip(cells) {
        if let Some(field) = field.filter(|_| !cell.trim().is_empty()) {
            hash.update(field.name);
            hash.update([0_u8]);
            hash.update(cell.trim());
            hash.update([0_u8]);
        }
    }
    hash.finalize().into()
}

/// The table in batches; at least one, possibly empty.
fn in_parts(
    columns: &[Option<Field>],
    list_columns: &[Vec<Option<String>>],
    lines: Vec<PartLine>,
) -> Vec<Part> {
    let names = names_of(columns);
    let total = lines.len();
    let mut rest = lines.into_iter().peekable();
    let mut parts = Vec::new();
    loop {
        let lines: Vec<PartLine> = rest.by_ref().take(PART).collect();
        let last = lines.last().map(|line| line.row);
        let next = last.filter(|_| rest.peek().is_some());
        parts.push(Part {
            columns: names.clone(),
            list_columns: list_columns.to_vec(),
            lines,
            total,
            next,
        });
        if next.is_none() {
            return parts;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAME: Field = Field::text("name", "이름");
    const CODE: Field = Field::text("code", "코드");

    fn table(rows: &[[&str; 3]]) -> Vec<PartLine> {
        let columns = [Some(Field::text(ID, "번호")), Some(CODE), Some(NAME)];
        let codes: Vec<Option<CodeHash>> = rows
            .iter()
            .map(|[_, code, _]| code.bytes().next().map(|letter| [letter; 32]))
            .collect();
        let held = HashMap::from([([b'h'; 32], "held".to_owned())]);
        let lines = rows.iter().map(|row| row.map(str::to_owned).to_vec());
        marked(&columns, (2..).zip(lines).collect(), &codes, &held)
    }

    #[test]
    fn a_record_stands_in_a_table_once_by_whatever_it_is_named() {
        let lines = table(&[
            ["", "a", "첫째"],
            ["", "a", "둘째"],
            ["held", "", "번호로"],
            ["", "h", "코드로"],
            ["", "", "새것"],
            ["", "", "새것"],
            ["held", "", "또 번호로"],
            ["other", "a", "번호는 달라도"],
        ]);
        let twice: Vec<bool> = lines.iter().map(|line| line.twice).collect();
        assert_eq!(twice, [false, true, false, true, false, false, true, true]);
        let by_code: Vec<bool> = lines.iter().map(|line| line.twice_by_code).collect();
        assert_eq!(
            by_code,
            [false, true, false, true, false, false, false, true]
        );
    }

    #[test]
    fn rows_that_say_the_same_are_counted_and_others_are_apart() {
        let lines = table(&[["", "", "새것"], ["", "", " 새것"], ["", "", "다른 것"]]);
        let marks: BTreeSet<&String> = lines.iter().map(|line| &line.mark).collect();
        assert_eq!(marks.len(), 3);
        // Equal rows have the same marks wherever they are in the file.
        let moved = table(&[["", "", "다른 것"], ["", "", "새것"], ["", "", "새것"]]);
        assert_eq!(
            moved.iter().map(|line| &line.mark).collect::<BTreeSet<_>>(),
            marks
        );
    }

    #[test]
    fn a_table_goes_in_parts_until_its_last_row() {
        for (rows, sizes) in [
            (0, vec![0]),
            (PART, vec![PART]),
            (PART + 1, vec![PART, 1]),
            (2 * PART, vec![PART, PART]),
        ] {
            let row = |row| PartLine {
                row,
                cells: Vec::new(),
                twice: false,
                twice_by_code: false,
                mark: String::new(),
                lists: Vec::new(),
                orphan: None,
            };
            let parts = in_parts(&[Some(NAME), None], &[], (2..rows + 2).map(row).collect());
            let found: Vec<usize> = parts.iter().map(|part| part.lines.len()).collect();
            assert_eq!(found, sizes);
            assert!(parts.iter().all(|part| part.total == rows));
            let nexts: Vec<Option<usize>> = parts.iter().map(|part| part.next).collect();
            let ends = parts
                .iter()
                .map(|part| part.lines.last().map(|line| line.row));
            let expected: Vec<_> = ends
                .enumerate()
                .map(|(i, end)| end.filter(|_| i + 1 < parts.len()))
                .collect();
            assert_eq!(nexts, expected);
        }
    }
}
