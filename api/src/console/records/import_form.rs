//! Files around an import: an empty form of a kind, and the refused rows of one.

use application::access::RowScope;
use application::resources::AdminResource;
use application::resources::import_runs::RefusedSheet;
use application::resources::references::SELLER;
use application::resources::schema::{Field, FieldType};
use application::resources::table_form::{EXAMPLES, GUIDE, heading};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use rust_xlsxwriter::{
    Color, DataValidation, Format, FormatAlign, FormatBorder, Workbook, Worksheet, XlsxError,
};

use super::spreadsheet::{self, BOM, Cell};
use crate::http::{AppError, AppResult};

/// Rows of a form for which choices are offered.
const ROWS: u32 = 10_000;
/// Maximum length of the choices offered in a cell, which the file format sets.
const CHOICES_MOST: usize = 255;
const WIDTH: f64 = 18.0;
const KIND: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

type Examples = &'static [&'static [(&'static str, &'static str)]];

/// A sheet of a form.
struct FormSheet {
    title: &'static str,
    fields: Vec<Field>,
    examples: Examples,
}

/// An empty form of a kind for people with these rows: a seller's needs no seller.
///
/// # Errors
/// Never in memory.
pub async fn form(resource: &'static AdminResource, rows: RowScope) -> AppResult<Response> {
    let sheets = sheets(resource, rows);
    let name = format!("{}-form.xlsx", resource.record.kind);
    let bytes = tokio::task::spawn_blocking(move || written_form(&sheets))
        .await
        .map_err(AppError::internal)?
        .map_err(AppError::internal)?;
    Ok(file(&name, bytes))
}

/// The refused rows of an import, with their reasons, in the format of the file that was sent.
///
/// # Errors
/// Never in memory.
pub async fn refused(name: &str, sent: &str, sheets: Vec<RefusedSheet>) -> AppResult<Response> {
    if sent.to_ascii_lowercase().ends_with(".csv") {
        return written_csv(name, sheets);
    }
    let name = &format!("{name}.xlsx");
    let bytes = tokio::task::spawn_blocking(move || written_refusals(&sheets))
        .await
        .map_err(AppError::internal)?
        .map_err(AppError::internal)?;
    Ok(file(name, bytes))
}

fn written_csv(name: &str, sheets: Vec<RefusedSheet>) -> AppResult<Response> {
    let mut bytes = BOM.as_bytes().to_vec();
    let sheet = sheets.into_iter().next();
    let rows = sheet.map(|sheet| [vec![sheet.headings], sheet.rows].concat());
    let cell = |text: String| Cell {
        text,
        number: false,
    };
    let rows = rows.unwrap_or_default().into_iter();
    let rows = rows.map(|row| row.into_iter().map(cell).collect());
    bytes.extend(spreadsheet::csv(rows.collect())?);
    Ok(file_of(
        &format!("{name}.csv"),
        "text/csv; charset=utf-8",
        bytes,
    ))
}

fn file(name: &str, bytes: Vec<u8>) -> Response {
    file_of(name, KIND, bytes)
}

fn file_of(name: &str, kind: &str, bytes: Vec<u8>) -> Response {
    let disposition = format!("attachment; filename=\"{name}\"");
    (
        [
            (CONTENT_TYPE, kind.to_owned()),
            (CONTENT_DISPOSITION, disposition),
        ],
        bytes,
    )
        .into_response()
}

fn sheets(resource: &'static AdminResource, rows: RowScope) -> Vec<FormSheet> {
    let is_offered = |field: &Field| {
        rows == RowScope::All || field.resource != Some(SELLER) || !resource.for_sellers
    };
    let first = FormSheet {
        title: resource.record.title,
        fields: resource
            .form_columns()
            .into_iter()
            .filter(is_offered)
            .collect(),
        examples: resource.table.examples,
    };
    let lists = resource.table.sheets.iter().map(|sheet| FormSheet {
        title: sheet.title,
        fields: resource
            .key_field()
            .iter()
            .chain(sheet.fields)
            .copied()
            .collect(),
        examples: sheet.examples,
    });
    [first].into_iter().chain(lists).collect()
}

fn written_form(sheets: &[FormSheet]) -> Result<Vec<u8>, XlsxError> {
    let mut book = Workbook::new();
    for sheet in sheets {
        let page = book.add_worksheet().set_name(sheet.title)?;
        headings(page, sheet.fields.iter().map(heading))?;
        for (column, field) in (0_u16..).zip(&sheet.fields) {
            offer(page, column, field)?;
        }
    }
    guide(book.add_worksheet().set_name(GUIDE)?, sheets)?;
    for sheet in sheets.iter().filter(|sheet| !sheet.examples.is_empty()) {
        let name = format!("{EXAMPLES} {}", sheet.title);
        let page = book.add_worksheet().set_name(name)?;
        headings(page, sheet.fields.iter().map(heading))?;
        for (row, example) in (1_u32..).zip(sheet.examples) {
            for (column, field) in (0_u16..).zip(&sheet.fields) {
                if let Some((_, text)) = example.iter().find(|(name, _)| *name == field.name) {
                    page.write_string(row, column, *text)?;
                }
            }
        }
    }
    book.save_to_buffer()
}

fn headings(page: &mut Worksheet, titles: impl Iterator<Item = String>) -> Result<(), XlsxError> {
    let bold = Format::new()
        .set_bold()
        .set_background_color(Color::RGB(0x00EE_F1F4))
        .set_border_bottom(FormatBorder::Thin);
    for (column, title) in (0_u16..).zip(titles) {
        page.set_column_width(column, WIDTH)?;
        page.write_string_with_format(0, column, title, &bold)?;
    }
    page.set_freeze_panes(1, 0)?;
    Ok(())
}

/// Texts stay texts (`00123` is no number), and choices are offered.
fn offer(page: &mut Worksheet, column: u16, field: &Field) -> Result<(), XlsxError> {
    let choices: Vec<&str> = match field.holds {
        FieldType::Boolean => vec!["Y", "N"],
        FieldType::Enum => field.values.iter().map(|choice| choice.label).collect(),
        FieldType::Integer | FieldType::Amount | FieldType::Percent => Vec::new(),
        _ => {
            let text = Format::new().set_num_format("@");
            page.set_column_format(column, &text)?;
            Vec::new()
        }
    };
    let length: usize = choices.iter().map(|choice| choice.len() + 1).sum();
    if !choices.is_empty() && length < CHOICES_MOST {
        let list = DataValidation::new().allow_list_strings(&choices)?;
        page.add_data_validation(1, column, ROWS, column, &list)?;
    }
    Ok(())
}

const NOTES: &[&str] = &[
    "첫 번째 시트에 한 행에 하나씩 입력합니다. 제목 행은 지우지 마시고, 쓰지 않는 열은 지우거나 순서를 바꾸어도 됩니다.",
    "제목에 *가 있는 열은 새로 등록할 때 반드시 입력해야 합니다.",
    "코드가 이미 있는 행은 올릴 때 선택한 대로 수정하거나 건너뜁니다. 수정할 때 빈 칸은 값을 지우므로, 바꾸지 않을 열은 파일에서 지워 주세요.",
    "이름이 같은 항목이 여러 개이면 코드나 번호를 입력해 주세요.",
    "수식과 병합된 셀은 사용할 수 없습니다. 수식은 값으로 바꾸어 주세요.",
    "재고를 비우면 바꾸지 않습니다.",
    "옵션은 옵션 시트에 상품코드와 함께 한 행에 하나씩 입력합니다. 옵션명과 옵션값이 같은 옵션은 수정하고, 없으면 추가합니다.",
    "CSV 파일은 UTF-8과 CP949(EUC-KR)를 읽을 수 있으며, 옵션 시트는 엑셀 파일에서만 사용할 수 있습니다.",
];

fn guide(page: &mut Worksheet, sheets: &[FormSheet]) -> Result<(), XlsxError> {
    let titles = ["시트", "항목", "필수", "형식", "입력할 수 있는 값", "예시"];
    let has_lists = sheets.len() > 1;
    let wrapped = Format::new().set_text_wrap().set_align(FormatAlign::Top);
    headings(page, titles.iter().map(|title| (*title).to_owned()))?;
    page.set_column_width(4, 50)?;
    page.set_column_width(5, 30)?;
    let mut row = 1_u32;
    for sheet in sheets {
        for field in &sheet.fields {
            let example = sheet.examples.iter().flat_map(|example| example.iter());
            let mut example = example.filter(|(name, _)| *name == field.name);
            let example = example.next().map_or("", |(_, text)| text);
            let required = if field.required { "필수" } else { "" };
            let values = allowed(field);
            let cells = [
                sheet.title,
                field.label,
                required,
                form_of(field),
                &values,
                example,
            ];
            for (column, text) in (0_u16..).zip(cells) {
                page.write_string_with_format(row, column, text, &wrapped)?;
            }
            row += 1;
        }
    }
    row += 1;
    let notes = NOTES
        .iter()
        .filter(|note| has_lists || !(note.contains("옵션") || note.contains("재고")));
    for note in notes {
        page.write_string(row, 0, *note)?;
        row += 1;
    }
    Ok(())
}

const fn form_of(field: &Field) -> &'static str {
    match field.holds {
        FieldType::Integer | FieldType::Percent => "숫자",
        FieldType::Amount => "금액(원)",
        FieldType::Boolean => "Y 또는 N",
        FieldType::Date => "날짜",
        FieldType::Datetime => "날짜와 시간",
        FieldType::Enum => "선택",
        FieldType::Image | FieldType::Images | FieldType::Url | FieldType::File => "주소",
        FieldType::Reference => "이름 또는 코드",
        FieldType::References => "이름 또는 코드, 쉼표로 구분",
        FieldType::Tags => "단어, 쉼표로 구분",
        FieldType::Numbers => "숫자, 쉼표로 구분",
        FieldType::Color => "색상 코드",
        FieldType::Point => "위도, 경도",
        FieldType::Html => "글(HTML 가능)",
        FieldType::Text | FieldType::Longtext | FieldType::List | FieldType::Json => "글",
    }
}

/// The values a column takes, in words.
fn allowed(field: &Field) -> String {
    let labels: Vec<&str> = field.values.iter().map(|choice| choice.label).collect();
    match (field.holds, field.resource) {
        (FieldType::Enum, _) => labels.join(", "),
        (FieldType::Boolean, _) => "Y(예), N(아니오)".to_owned(),
        (_, Some(SELLER)) => "판매자 이름. 이름이 같은 판매자가 있으면 판매자 번호".to_owned(),
        (_, Some("category")) => {
            "카테고리 코드, 이름, 또는 ‘상위 > 하위’처럼 위에서부터의 이름".to_owned()
        }
        (_, Some(_)) => "등록되어 있는 항목의 이름, 코드 또는 번호".to_owned(),
        (FieldType::Image | FieldType::Images, _) => {
            "이 사이트에 올린 파일의 주소(/로 시작) 또는 https:// 주소".to_owned()
        }
        (FieldType::Color, _) => "#rrggbb".to_owned(),
        (FieldType::Date, _) => "2026-01-31".to_owned(),
        (FieldType::Datetime, _) => "2026-01-31 09:00".to_owned(),
        _ => limits(field),
    }
}

fn limits(field: &Field) -> String {
    let mut words = Vec::new();
    if let Some(least) = field.min {
        words.push(format!("{least} 이상"));
    }
    if let Some(most) = field.max {
        words.push(format!("{most} 이하"));
    }
    if let Some(most) = field.max_length {
        words.push(format!("{most}자 이내"));
    }
    words.join(", ")
}

fn written_refusals(sheets: &[RefusedSheet]) -> Result<Vec<u8>, XlsxError> {
    let mut book = Workbook::new();
    for sheet in sheets {
        let page = book.add_worksheet_with_constant_memory()?;
        page.set_name(&sheet.name)?;
        headings(page, sheet.headings.iter().cloned())?;
        for (row, cells) in (1_u32..).zip(&sheet.rows) {
            for (column, cell) in (0_u16..).zip(cells) {
                if !cell.is_empty() {
                    page.write_string(row, column, cell)?;
                }
            }
        }
    }
    book.save_to_buffer()
}
