//! Tables of a kind of record that people fill in: their columns, the sheets of their lists, and the headings they are recognised by.

use domain::validation::FieldError;

use super::AdminResource;
use super::columns::columns;
use super::import_batches::{Line, no_heading};
use super::schema::{Field, FieldType};
use crate::error::{AppError, AppResult};

/// Heading of the column with the reasons why rows were refused; ignored when the file is uploaded again.
pub const REASONS: &str = "오류 사유";
/// Name of the sheet that explains the columns; ignored.
pub const GUIDE: &str = "작성 안내";
/// Name of the sheet with examples; ignored.
pub const EXAMPLES: &str = "예시";
/// Marks required columns in a form.
const REQUIRED: char = '*';
/// Maximum number of heading rows.
const HEADINGS_MOST: usize = 3;

/// What the tables of a kind have besides its fields.
#[derive(Clone, Copy, Debug)]
pub struct TableForm {
    /// Columns of tables only, in place of the fields of the same name.
    pub fields: &'static [Field],
    /// Lists whose rows are a sheet of their own.
    pub sheets: &'static [ListSheet],
    /// Example rows by field name.
    pub examples: &'static [&'static [(&'static str, &'static str)]],
}

impl TableForm {
    /// A table of the fields of its kind.
    pub const NONE: Self = Self {
        fields: &[],
        sheets: &[],
        examples: &[],
    };
}

/// A list whose rows are a sheet of their own, each with the code of its record.
#[derive(Clone, Copy, Debug)]
pub struct ListSheet {
    /// The list.
    pub list: &'static str,
    /// Name of the sheet.
    pub title: &'static str,
    /// Its columns, besides the code.
    pub fields: &'static [Field],
    /// The fields that identify a row within its record.
    pub same_by: &'static [&'static str],
    /// The field of the record that is set with its first rows, if its cell is empty.
    pub switch: Option<&'static str>,
    /// Example rows by field name, with the code of the record.
    pub examples: &'static [&'static [(&'static str, &'static str)]],
}

/// Columns of a table; none for one without a field.
pub(super) type Columns = Vec<Option<Field>>;

impl AdminResource {
    /// The columns that an import of this kind understands.
    pub fn table_columns(&self) -> Vec<Field> {
        let own = |field: &Field| self.table.fields.iter().find(|own| own.name == field.name);
        let fields = columns(&self.schema).into_iter();
        fields.map(|field| *own(&field).unwrap_or(&field)).collect()
    }

    /// The columns of an empty form: what people can write, without lists that have a sheet of their own or none.
    pub fn form_columns(&self) -> Vec<Field> {
        let writable = |field: &Field| {
            !field.read_only && !matches!(field.holds, FieldType::List | FieldType::Json)
        };
        let fields = self.table_columns().into_iter();
        fields.filter(writable).collect()
    }

    /// The column that names the record in the sheet of a list.
    pub fn key_field(&self) -> Option<Field> {
        let name = self.record.unique?.fields.first()?;
        self.schema.field(name).copied()
    }

    /// Whether values of this column in an exported file are not read back: counts of stock, which the shop keeps.
    pub(super) fn is_shown_only(&self, field: &Field, cell: &str) -> bool {
        let is_own = self.table.fields.iter().any(|own| own.name == field.name);
        is_own && cell.trim_start().starts_with('[')
    }
}

/// The columns of a table, and the rows below its headings. A heading is the name of a field or its label; a table with names is read by
/// them, so that the labels above stay free.
///
/// # Errors
/// `invalid`: without headings, with unknown ones, or with one twice.
pub(super) fn heads(known: &[Field], lines: Vec<Line>) -> AppResult<(Columns, Vec<Line>)> {
    let count = |line: &Line, is: fn(&Field, &str) -> bool| {
        let cells = line.1.iter();
        cells
            .filter(|cell| known.iter().any(|field| is(field, cell)))
            .count()
    };
    let best = |is: fn(&Field, &str) -> bool| {
        let heads = lines.iter().take(HEADINGS_MOST).enumerate();
        heads
            .max_by_key(|(place, line)| (count(line, is), std::cmp::Reverse(*place)))
            .filter(|(_, line)| count(line, is) > 0)
            .map(|(place, _)| place)
    };
    let is_named: fn(&Field, &str) -> bool = |field, cell| field.name == cell.trim();
    let is_labelled: fn(&Field, &str) -> bool = |field, cell| field.label == label_in(cell);
    let (place, is) = match (best(is_named), best(is_labelled)) {
        (Some(place), _) => (place, is_named),
        (None, Some(place)) => (place, is_labelled),
        (None, None) => return Err(no_heading()),
    };
    let mut fields = Columns::new();
    let mut errors = Vec::new();
    for cell in lines.get(place).into_iter().flat_map(|line| &line.1) {
        let name = cell.trim();
        let field = known.iter().find(|field| is(field, cell)).copied();
        if field.is_none() && !name.is_empty() && name != REASONS {
            errors.push(FieldError::new(
                name,
                "unknown_field",
                "알 수 없는 항목입니다.",
            ));
        }
        let twice = field.is_some_and(|field| {
            let mut earlier = fields.iter().flatten();
            earlier.any(|earlier: &Field| earlier.name == field.name)
        });
        if twice {
            errors.push(FieldError::new(
                name,
                "duplicate",
                "같은 항목이 중복되었습니다.",
            ));
        }
        fields.push(field);
    }
    if !errors.is_empty() {
        return Err(AppError::invalid(errors));
    }
    Ok((fields, lines.into_iter().skip(place + 1).collect()))
}

/// A label in a heading, without the mark of required columns.
fn label_in(cell: &str) -> &str {
    cell.trim().trim_end_matches(REQUIRED).trim_end()
}

/// The heading of a column in a form.
pub fn heading(field: &Field) -> String {
    let mark = if field.required { "*" } else { "" };
    format!("{}{mark}", field.label)
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    const KNOWN: &[Field] = &[
        Field::text("code", "상품코드").required(),
        Field::text("name", "상품명"),
    ];

    fn read(rows: &[&[&str]]) -> AppResult<(Vec<Option<&'static str>>, usize)> {
        let line = |row: &&[&str]| row.iter().map(|cell| (*cell).to_owned()).collect();
        let lines = (1..).zip(rows.iter().map(line)).collect();
        let (columns, rest) = heads(KNOWN, lines)?;
        let names = columns.iter().map(|field| field.map(|field| field.name));
        Ok((names.collect(), rest.len()))
    }

    #[test]
    fn headings_are_names_or_labels_in_any_order() {
        let expected = (vec![Some("name"), Some("code")], 1);
        for rows in [
            vec![&["상품명", "상품코드*"][..], &["가나", "a"]],
            vec![&["name", "code"], &["가나", "a"]],
            vec![&["상품명", "상품코드"], &["name", "code"], &["가나", "a"]],
            vec![&["7월 신상품"], &["상품명", "상품코드 *"], &["가나", "a"]],
        ] {
            assert_eq!(read(&rows).unwrap(), expected, "{rows:?}");
        }
        // The reasons of an earlier upload are ignored.
        let (columns, _) = read(&[&["상품코드", REASONS, ""]]).unwrap();
        assert_eq!(columns, [Some("code"), None, None]);
        for (row, field, code) in [
            (&["상품코드", "상품코드"][..], "상품코드", "duplicate"),
            (&["상품코드", "색깔"], "색깔", "unknown_field"),
            (&["가격", "색깔"], "file", "no_heading"),
        ] {
            let error = read(&[row]).unwrap_err();
            let told = error.fields().first().unwrap();
            assert_eq!((told.field.as_str(), told.code.as_str()), (field, code));
        }
    }
}
