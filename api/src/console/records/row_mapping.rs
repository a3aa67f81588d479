//! A record as a row of a table, and the headings above it.

use application::resources::cell_format::text;
use application::resources::schema::{Field, FieldType};
use domain::record::Document;

use super::spreadsheet::Cell;

/// Labels of the columns.
pub fn labels(columns: &[Field]) -> Vec<Cell> {
    columns.iter().map(|field| word(field.label)).collect()
}

/// Labels of the columns, and below them their field names, which an import reads.
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
