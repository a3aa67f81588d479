//! Rows of lists that stand in a sheet of their own: a product's options, each with its stock.
//!
//! The rows of a record's list are told apart by what its kind says (an option by criterion and value). A row of the sheet changes the row
//! there is, in the cells that are not empty, or adds one; rows that the sheet leaves out stay.

use domain::record::Document;
use domain::validation::FieldError;
use serde_json::{Value, json};

use super::AdminResource;
use super::cell_format::{at, put};
use super::import::Batch;
use super::import_batches::PartLine;
use super::import_cells::{CellValue, cell_of, filled_cells, within_own_limits};
use super::schema::{Field, FieldType};
use super::table_form::ListSheet;

/// A row of a list and where it stands in the file.
#[derive(Debug)]
pub(super) struct ListRow {
    /// The list.
    pub list: &'static str,
    /// Name of the sheet.
    pub title: &'static str,
    /// Its place in the record's list.
    pub place: usize,
    /// Row number in the sheet.
    pub row: usize,
    /// The labels of its fields.
    pub fields: &'static [Field],
}

/// A change of a field: its text before and after, and its value.
type Change = (Field, String, String, Value);

/// The rows of a list of one record.
#[derive(Debug, Default)]
pub(super) struct JoinedRows {
    /// What they change.
    pub changes: Vec<Change>,
    /// Where they stand.
    pub rows: Vec<ListRow>,
    /// Cells that cannot be read.
    pub errors: Vec<FieldError>,
}

/// The lists of a record with the rows of their sheets.
pub(super) fn joined_rows(
    resource: &'static AdminResource,
    batch: &Batch<'_>,
    line: &PartLine,
    before: &Document,
) -> Vec<JoinedRows> {
    let sheets = resource.table.sheets.iter();
    let sheets = sheets.zip(&batch.list_columns).zip(&line.lists);
    let sheets = sheets.filter(|(_, rows)| !rows.is_empty());
    sheets
        .map(|((sheet, columns), rows)| {
            let mut joined = join(sheet, columns, rows, before);
            let had = at(before, sheet.list).and_then(Value::as_array);
            let has_first = had.is_none_or(Vec::is_empty);
            if let Some(switch) = sheet.switch.filter(|_| has_first)
                && cell_of(batch.columns(), &line.cells, switch).is_none()
                && let Some(field) = resource.schema.field(switch)
            {
                let change = (*field, String::new(), "Y".to_owned(), json!(true));
                joined.changes.push(change);
            }
            joined
        })
        .collect()
}

fn join(
    sheet: &'static ListSheet,
    columns: &[Option<Field>],
    rows: &[(usize, Vec<String>)],
    before: &Document,
) -> JoinedRows {
    let mut joined = JoinedRows::default();
    let known = at(before, sheet.list).and_then(Value::as_array);
    let mut list: Vec<Value> = known.cloned().unwrap_or_default();
    let was = said(sheet, &list);
    let is_own = |field: &Field| sheet.fields.iter().any(|own| own.name == field.name);
    let mut is_changed = false;
    for (row, cells) in rows {
        let (mut written, mut errors) = filled_cells(columns, cells);
        written.retain(|(field, _, value)| {
            let checked = within_own_limits(field, value.as_ref());
            errors.extend(checked.clone().err());
            is_own(field) && value.is_some() && checked.is_ok()
        });
        let is_same = |one: &Value| {
            let mut names = sheet.same_by.iter();
            names.all(|name| value_of(&written, name) == one.get(*name))
        };
        let found = list.iter().position(is_same);
        let place = found.unwrap_or(list.len());
        joined.errors.extend(
            errors
                .into_iter()
                .map(|error| placed(error, sheet.list, place)),
        );
        let blank = |field: &&Field| {
            let is_written = value_of(&written, field.name).is_some();
            found.is_none() && field.required && !is_written
        };
        let missing = sheet.fields.iter().filter(blank).map(|field| {
            let error = FieldError::new(field.name, "required", "필수 항목입니다.");
            placed(error, sheet.list, place)
        });
        joined.errors.extend(missing);
        if found.is_none() {
            list.push(json!({}));
        }
        if let Some(Value::Object(one)) = list.get_mut(place) {
            for (field, _, value) in written {
                if one.get(field.name) != value.as_ref() {
                    is_changed = true;
                    put(one, field.name, value);
                }
            }
        }
        joined.rows.push(ListRow {
            list: sheet.list,
            title: sheet.title,
            place,
            row: *row,
            fields: sheet.fields,
        });
    }
    if is_changed {
        let field = Field::of(sheet.list, sheet.title, FieldType::List);
        let now = said(sheet, &list);
        joined.changes.push((field, was, now, Value::Array(list)));
    }
    joined
}

fn placed(error: FieldError, list: &str, place: usize) -> FieldError {
    FieldError {
        field: format!("{list}.{place}.{}", error.field),
        ..error
    }
}

fn value_of<'a>(written: &'a [CellValue<'_>], name: &str) -> Option<&'a Value> {
    let mut written = written.iter();
    let (_, _, value) = written.find(|(field, _, _)| field.name == name)?;
    value.as_ref()
}

/// The rows of a list in words.
fn said(sheet: &ListSheet, list: &[Value]) -> String {
    let one = |row: &Value| {
        let words = sheet.same_by.iter();
        let words = words.filter_map(|name| row.get(*name)?.as_str());
        words.collect::<Vec<_>>().join(" ")
    };
    list.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// An error in a row of a list, with its place in the file instead of that in the record.
pub(super) fn in_sheet(rows: &[ListRow], error: FieldError) -> FieldError {
    let told = rows.iter().find_map(|row| {
        let prefix = format!("{}.{}", row.list, row.place);
        let rest = error.field.strip_prefix(&prefix)?;
        let name = rest.strip_prefix('.').unwrap_or_default();
        (rest.is_empty() || rest.starts_with('.')).then_some((row, name))
    });
    match told {
        Some((row, name)) => {
            let label = row.fields.iter().find(|field| field.name == name);
            let label = label.map_or_else(String::new, |field| format!(" {}", field.label));
            let message = format!(
                "‘{}’ 시트 {}행{label}: {}",
                row.title, row.row, error.message
            );
            FieldError { message, ..error }
        }
        None => error,
    }
}
