//! Reads and writes tables for spreadsheet programs: xlsx and csv.

use std::collections::BTreeMap;
use std::io::{Cursor, Read};

use application::resources::import::TOO_LONG;
use application::resources::import_batches::{
    Line, ROWS_MOST, Sheet, TableFile, refused, too_many,
};
use calamine::{DataRef, Reader, Xlsx};
use rust_xlsxwriter::{Workbook, XlsxError};

use crate::http::{AppError, AppResult};

/// Maximum number of columns of a table that is read.
const COLUMNS_MOST: usize = 200;
/// Maximum number of cells of a table that is read: empty ones take memory too.
const CELLS_MOST: usize = 4_000_000;
/// Maximum number of sheets of a file that is imported.
const SHEETS_MOST: usize = 20;
/// Maximum number of heading rows.
const HEADINGS_MOST: usize = 3;
/// Maximum uncompressed size of an xlsx file in bytes: small files can be very large inside.
const UNPACKED_MOST: u64 = 256 * 1024 * 1024;
/// Maximum length of a cell of an xlsx file.
const CELL_MOST: usize = 32_767;
/// Byte order mark, which makes Excel read a csv file as UTF-8.
pub const BOM: &str = "\u{feff}";
/// Number of digits to which a spreadsheet's numbers are exact.
const EXACT_DIGITS: usize = 15;

/// A cell to write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Its text.
    pub text: String,
    /// Whether it is a number.
    pub number: bool,
}

/// Rows as lines of csv. A text is never interpreted as a formula.
///
/// # Errors
/// Never in memory.
pub fn csv(rows: Vec<Vec<Cell>>) -> AppResult<Vec<u8>> {
    let mut writer = csv::WriterBuilder::new()
        .terminator(csv::Terminator::CRLF)
        .from_writer(Vec::new());
    for row in rows {
        let cells = row.into_iter().map(|cell| match cell.number {
            true => cell.text,
            false => guarded(cell.text),
        });
        writer.write_record(cells).map_err(AppError::internal)?;
    }
    writer
        .into_inner()
        .map_err(|error| AppError::internal(error.into_error()))
}

/// An xlsx file being written. Its rows go to a temporary file as they come, so that a long table takes little memory.
pub struct Book {
    book: Workbook,
    next: u32,
}

impl Book {
    /// An empty file.
    ///
    /// # Errors
    /// There is no disk space.
    pub fn new() -> AppResult<Self> {
        let mut book = Workbook::new();
        book.add_worksheet_with_constant_memory()
            .map_err(AppError::internal)?;
        Ok(Self { book, next: 0 })
    }

    /// Adds rows.
    ///
    /// # Errors
    /// There is no disk space.
    pub fn add(&mut self, rows: Vec<Vec<Cell>>) -> AppResult<()> {
        for row in rows {
            self.row(row).map_err(AppError::internal)?;
        }
        Ok(())
    }

    fn row(&mut self, row: Vec<Cell>) -> Result<(), XlsxError> {
        let sheet = self.book.worksheet_from_index(0)?;
        for (column, cell) in (0_u16..).zip(row) {
            let exact = cell.text.len() <= EXACT_DIGITS;
            match cell.text.parse::<f64>() {
                Ok(number) if cell.number && exact => {
                    sheet.write_number(self.next, column, number)?;
                }
                _ if cell.text.is_empty() => {}
                _ if cell.text.encode_utf16().count() > CELL_MOST => {
                    sheet.write_string(self.next, column, TOO_LONG)?;
                }
                _ => {
                    sheet.write_string(self.next, column, cell.text)?;
                }
            }
        }
        self.next = self.next.saturating_add(1);
        Ok(())
    }

    /// The complete file.
    ///
    /// # Errors
    /// There is no disk space.
    pub fn finish(mut self) -> AppResult<Vec<u8>> {
        self.book.save_to_buffer().map_err(AppError::internal)
    }
}

/// The rows of an xlsx or csv file, without empty ones. Of formulas and merged cells, what they show is read.
///
/// # Errors
/// `invalid` if it is neither, or too large.
pub fn read(bytes: &[u8]) -> AppResult<Vec<Line>> {
    if !bytes.starts_with(b"PK") {
        return checked(read_csv(bytes)?);
    }
    let mut book = open(bytes)?;
    let first = book.sheet_names().into_iter().next();
    checked(read_sheet(&mut book, &first.ok_or_else(unreadable)?)?)
}

/// A whole file to import: the rows of its first sheet, and its further sheets. Formulas and merged cells are refused: they show more, or
/// less, than the file says.
///
/// # Errors
/// `invalid` if it is no table, too large, or has such cells.
pub fn read_file(bytes: &[u8]) -> AppResult<TableFile> {
    if !bytes.starts_with(b"PK") {
        return Ok(checked(read_csv(bytes)?)?.into());
    }
    let mut book = open(bytes)?;
    let names = book.sheet_names();
    let mut file = TableFile::default();
    let mut room = SHEETS_MOST;
    for (place, name) in names.into_iter().enumerate() {
        room = room.checked_sub(1).ok_or_else(too_many)?;
        let lines = checked(read_sheet(&mut book, &name)?)?;
        no_merged_cells(&mut book, &name)?;
        no_formulas(&mut book, &name)?;
        match place {
            0 => file.lines = lines,
            _ => file.sheets.push(Sheet { name, lines }),
        }
    }
    Ok(file)
}

type XlsxFile<'a> = Xlsx<Cursor<&'a [u8]>>;

fn open(bytes: &[u8]) -> AppResult<XlsxFile<'_>> {
    unpacked(bytes)?;
    Xlsx::new(Cursor::new(bytes)).map_err(|_| unreadable())
}

fn no_merged_cells(book: &mut XlsxFile<'_>, sheet: &str) -> AppResult<()> {
    let merged = book.merge_cells_by_sheet_name(sheet);
    let merged = merged.map_err(|_| unreadable())?;
    let Some(cells) = merged.first() else {
        return Ok(());
    };
    let (from, to) = (address(cells.start), address(cells.end));
    let message = format!(
        "‘{sheet}’ 시트의 {from}:{to} 셀이 병합되어 있습니다. 병합을 해제하고 다시 올려 주세요."
    );
    Err(refused("merged_cells", &message))
}

fn no_formulas(book: &mut XlsxFile<'_>, sheet: &str) -> AppResult<()> {
    let mut cells = book
        .worksheet_cells_reader(sheet)
        .map_err(|_| unreadable())?;
    while let Some(cell) = cells.next_formula().map_err(|_| unreadable())? {
        if !cell.get_value().is_empty() {
            let place = address(cell.get_position());
            let message = format!(
                "‘{sheet}’ 시트의 {place} 셀에 수식이 있습니다. 복사한 뒤 ‘값 붙여넣기’로 바꾸고 다시 올려 주세요."
            );
            return Err(refused("formula", &message));
        }
    }
    Ok(())
}

/// A cell's address: column and row from 0 as `B3`.
fn address((row, column): (u32, u32)) -> String {
    let mut letters = String::new();
    let mut rest = u64::from(column) + 1;
    while rest > 0 {
        let letter = u8::try_from((rest - 1) % 26).unwrap_or_default();
        letters.insert(0, char::from(b'A' + letter));
        rest = (rest - 1) / 26;
    }
    format!("{letters}{}", u64::from(row) + 1)
}

fn checked(lines: Vec<Line>) -> AppResult<Vec<Line>> {
    if lines.len() > ROWS_MOST + HEADINGS_MOST {
        return Err(too_many());
    }
    // Postgres cannot store U+0000 in a text, and an event with it would stop every read model.
    if lines
        .iter()
        .any(|line| line.1.iter().any(|cell| cell.contains('\0')))
    {
        return Err(unreadable());
    }
    Ok(lines)
}

fn unreadable() -> AppError {
    refused("unreadable", "xlsx 또는 csv 파일을 올려 주세요.")
}

/// Escapes a text that a spreadsheet would interpret as a formula.
fn guarded(text: String) -> String {
    if is_formula(text.trim_start_matches('\'')) {
        format!("'{text}")
    } else {
        text
    }
}

/// Removes the escape.
fn unguarded(text: &str) -> &str {
    match text.strip_prefix('\'') {
        Some(rest) if is_formula(rest.trim_start_matches('\'')) => rest,
        _ => text,
    }
}

fn is_formula(text: &str) -> bool {
    text.starts_with(['=', '+', '-', '@', '\t', '\r'])
}

fn read_csv(bytes: &[u8]) -> AppResult<Vec<Line>> {
    // Korean Excel saves csv files in EUC-KR by default.
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text.into(),
        Err(_) => match encoding_rs::EUC_KR.decode(bytes) {
            (text, _, false) => text,
            (_, _, true) => return Err(unreadable()),
        },
    };
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .from_reader(text.trim_start_matches(BOM).as_bytes());
    let mut lines = Vec::new();
    let mut room = CELLS_MOST;
    for (record, number) in reader.records().zip(1..) {
        let record = record.map_err(|_| unreadable())?;
        if record.len() > COLUMNS_MOST {
            return Err(unreadable());
        }
        let cells: Vec<String> = record
            .iter()
            .map(|cell| unguarded(cell).to_owned())
            .collect();
        if cells.iter().any(|cell| !cell.trim().is_empty()) {
            room = room.checked_sub(cells.len()).ok_or_else(too_many)?;
            lines.push((number, cells));
        }
        if lines.len() > ROWS_MOST + HEADINGS_MOST {
            return Err(too_many());
        }
    }
    Ok(lines)
}

/// Checks the uncompressed size of the archive.
fn unpacked(bytes: &[u8]) -> AppResult<()> {
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).map_err(|_| unreadable())?;
    let mut left = UNPACKED_MOST;
    for index in 0..archive.len() {
        let file = archive.by_index(index).map_err(|_| unreadable())?;
        let read = std::io::copy(&mut file.take(left + 1), &mut std::io::sink())
            .map_err(|_| unreadable())?;
        left = left
            .checked_sub(read)
            .ok_or_else(|| refused("too_large", "파일의 내용이 너무 큽니다."))?;
    }
    Ok(())
}

/// Cells are read one by one: a sheet contains their positions, and two that are far apart would allocate billions of cells.
fn read_sheet(book: &mut XlsxFile<'_>, name: &str) -> AppResult<Vec<Line>> {
    let mut cells = book
        .worksheet_cells_reader(name)
        .map_err(|_| unreadable())?;
    let mut lines: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    let mut room = CELLS_MOST;
    while let Some(cell) = cells.next_cell().map_err(|_| unreadable())? {
        let text = words(cell.get_value());
        if text.trim().is_empty() {
            continue;
        }
        let (row, column) = cell.get_position();
        let (row, column) = (
            usize::try_from(row).map_err(|_| unreadable())?,
            usize::try_from(column).map_err(|_| unreadable())?,
        );
        if column >= COLUMNS_MOST {
            return Err(unreadable());
        }
        let line = lines.entry(row + 1).or_default();
        if line.len() <= column {
            room = room
                .checked_sub(column + 1 - line.len())
                .ok_or_else(too_many)?;
            line.resize(column + 1, String::new());
        }
        if let Some(place) = line.get_mut(column) {
            *place = text;
        }
        if lines.len() > ROWS_MOST + HEADINGS_MOST {
            return Err(too_many());
        }
    }
    Ok(lines.into_iter().collect())
}

fn words(value: &DataRef<'_>) -> String {
    match value {
        DataRef::Int(number) => number.to_string(),
        DataRef::Float(number) => number.to_string(),
        DataRef::String(text) | DataRef::DateTimeIso(text) | DataRef::DurationIso(text) => {
            text.clone()
        }
        DataRef::SharedString(text) => (*text).to_owned(),
        DataRef::Bool(yes) => if *yes { "Y" } else { "N" }.to_owned(),
        DataRef::DateTime(moment) => {
            let (year, month, day, hour, minute, second, _) = moment.to_ymd_hms_milli();
            format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}")
        }
        DataRef::Error(_) | DataRef::Empty => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_named_as_spreadsheets_name_them() {
        for (place, name) in [
            ((0, 0), "A1"),
            ((2, 25), "Z3"),
            ((9, 26), "AA10"),
            ((0, 701), "ZZ1"),
            ((0, 702), "AAA1"),
        ] {
            assert_eq!(address(place), name);
        }
    }

    #[test]
    fn formulas_are_texts_and_come_back_as_they_were() {
        for text in ["=1+1", "+82", "-x", "@sum", "'=x", "'x", "x", ""] {
            let kept = guarded(text.to_owned());
            assert!(!is_formula(&kept), "{kept}");
            assert_eq!(unguarded(&kept), text);
        }
    }
}
