//! The cells of a row of an imported table as values of fields.

use domain::record::Document;
use domain::validation::FieldError;
use serde_json::Value;

use super::cell_format::{at, in_unit, place, put, read};
use super::schema::{Field, FieldType};

/// A cell that is not empty: its field, its text and its value.
pub(super) type CellValue<'a> = (Field, &'a String, Option<Value>);

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

/// Checks a number of a column that is no field of the record, so that its limits are not checked with the record.
pub(super) fn within_own_limits(field: &Field, value: Option<&Value>) -> Result<(), FieldError> {
    let Some(number) = value.and_then(Value::as_i64) else {
        return Ok(());
    };
    let told = |code, message: String| Err(FieldError::new(field.name, code, &message));
    match (field.min, field.max) {
        (Some(least), _) if number < least => {
            told("too_small", format!("{least} 이상으로 입력해 주세요."))
        }
        (_, Some(most)) if number > most => {
            told("too_large", format!("{most} 이하로 입력해 주세요."))
        }
        _ => Ok(()),
    }
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

/// Sets a cell's value in a document. A picture without an address is removed.
pub(super) fn apply(document: &mut Document, field: &Field, value: Option<Value>) {
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
