//! A kind of record as a table: which columns it has, and a record as a row.

use domain::record::Document;

use super::cell_format::text;
use super::schema::{EVERYWHERE, Field, FieldType, ResourceSchema};
use super::spreadsheet::Cell;

/// The record's id; empty: a new one.
pub const ID: &str = "_id";
/// The version the row was made from.
pub const VERSION: &str = "version";

const ID_FIELD: Field = Field::text(ID, "번호(비우면 새로 등록)").read_only();
const VERSION_FIELD: Field = Field::integer(VERSION, "버전").read_only();

/// The columns of a kind: its id, its fields, its version, its times.
pub fn columns(said: &ResourceSchema) -> Vec<Field> {
    [ID_FIELD]
        .iter()
        .chain(said.fields)
        .chain([VERSION_FIELD].iter())
        .chain(EVERYWHERE)
        .copied()
        .collect()
}

/// What people call the columns.
pub fn labels(columns: &[Field]) -> Vec<Cell> {
    columns.iter().map(|field| word(field.label)).collect()
}

/// What people call the columns, and under that what the program calls them: an import reads the latter.
pub fn headings(columns: &[Field]) -> Vec<Vec<Cell>> {
    let names = columns.iter().map(|field| word(field.name)).collect();
    vec![labels(columns), names]
}

fn word(text: &str) -> Cell {
    Cell {
        text: text.to_owned(),
        number: false,
    }
}

/// A record as a row.
pub fn row(columns: &[Field], shown: &Document) -> Vec<Cell> {
    columns
        .iter()
        .map(|field| Cell {
            text: text(field, shown),
            number: matches!(
                field.holds,
                FieldType::Integer | FieldType::Percent | FieldType::Amount
            ),
        })
        .collect()
}
