//! Tracking numbers in a file as couriers' programs write it: which column is which, and what is wrong with a row by itself.

use std::collections::{BTreeMap, BTreeSet};

use domain::order::Invoice;
use domain::validation::FieldError;
use projections::orders::courier_named;
use serde::{Deserialize, Serialize};

use crate::error::{AppError, AppResult};
use crate::resources::import_batches::{Line, refused};

/// Maximum number of rows of a file.
pub const ROWS_MOST: usize = 5_000;
/// Rows in a batch.
const PART: usize = 100;
/// Rows among which the headings are searched: programs write titles above them.
const HEADINGS_WITHIN: usize = 10;

/// Headings of the column with the number of the purchase or order, best first: a program that was given our file sends it back as its
/// customer's order number.
const PURCHASE: &[&str] = &[
    "purchaseNo",
    "구매번호",
    "주문상품번호",
    "상품주문번호",
    "고객주문번호",
    "고객사주문번호",
    "주문번호",
    "orderNo",
];
const COURIER: &[&str] = &[
    "courier",
    "택배사",
    "택배사명",
    "택배사코드",
    "배송업체",
    "배송사",
    "택배",
];
const INVOICE: &[&str] = &[
    "invoiceNo",
    "송장번호",
    "운송장번호",
    "운송장",
    "송장",
    "등기번호",
    "등기번호(송장번호)",
];

/// A row of the file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct InvoiceRow {
    /// Row number in the file, from 1.
    pub row: usize,
    /// Numbers of purchases, or of their order.
    pub numbers: Vec<String>,
    /// The parcel; none if it is not readable.
    pub invoice: Option<Invoice>,
    /// What is wrong with the row.
    pub errors: Vec<FieldError>,
}

/// A batch of rows.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct InvoicePart {
    /// Rows of the whole file.
    pub total: usize,
    /// The row of the file after which the next batch starts.
    pub next: Option<usize>,
    /// The rows.
    pub rows: Vec<InvoiceRow>,
}

struct Columns {
    purchase: usize,
    courier: Option<usize>,
    invoice: usize,
}

/// The rows of a file in batches; `courier` is that of rows without one.
///
/// # Errors
/// `invalid`: `no_heading`, `too_many`, `no_rows`.
pub fn parts(lines: Vec<Line>, courier: Option<&str>) -> AppResult<Vec<InvoicePart>> {
    let (place, columns) = headings(&lines)?;
    // Our own file has the names of the fields below the headings.
    let is_row = |(_, cells): &Line| !PURCHASE.contains(&cell(cells, columns.purchase));
    let lines: Vec<Line> = lines.into_iter().skip(place + 1).filter(is_row).collect();
    if lines.len() > ROWS_MOST {
        return Err(refused(
            "too_many",
            "한 파일에 5,000행까지 가져올 수 있습니다. 파일을 나누어 주세요.",
        ));
    }
    if lines.is_empty() {
        return Err(refused("no_rows", "송장번호가 있는 행이 없습니다."));
    }
    let rows = lines.iter().map(|line| read(line, &columns, courier));
    let mut rows: Vec<InvoiceRow> = rows.collect();
    mark_doubled(&mut rows);
    let total = rows.len();
    let last = rows.last().map(|row| row.row);
    let parts = rows.chunks(PART).map(|rows| InvoicePart {
        total,
        next: rows
            .last()
            .map(|row| row.row)
            .filter(|row| Some(*row) != last),
        rows: rows.to_vec(),
    });
    Ok(parts.collect())
}

fn headings(lines: &[Line]) -> AppResult<(usize, Columns)> {
    let plain = |text: &str| -> String {
        text.chars()
            .filter(|letter| !letter.is_whitespace())
            .collect()
    };
    let columns_of = |(_, cells): &Line| {
        let cells: Vec<String> = cells.iter().map(|text| plain(text)).collect();
        let column = |names: &[&str]| {
            let place = |name: &&str| cells.iter().position(|cell| cell == name);
            names.iter().find_map(place)
        };
        Some(Columns {
            purchase: column(PURCHASE)?,
            courier: column(COURIER),
            invoice: column(INVOICE)?,
        })
    };
    let found = lines.iter().take(HEADINGS_WITHIN).enumerate();
    let mut found = found.filter_map(|(place, line)| Some((place, columns_of(line)?)));
    found.next().ok_or_else(|| {
        refused(
            "no_heading",
            "구매번호(또는 주문번호)와 송장번호(또는 운송장번호) 항목이 있는 행을 찾을 수 없습니다.",
        )
    })
}

fn cell(cells: &[String], column: usize) -> &str {
    cells
        .get(column)
        .map(|text| text.trim())
        .unwrap_or_default()
}

fn read((row, cells): &Line, columns: &Columns, courier: Option<&str>) -> InvoiceRow {
    let mut errors = Vec::new();
    let is_between = |letter: char| letter.is_whitespace() || matches!(letter, ',' | '/' | ';');
    let numbers = cell(cells, columns.purchase).split(is_between);
    let numbers: BTreeSet<String> = numbers
        .filter(|number| !number.is_empty())
        .map(str::to_uppercase)
        .collect();
    if numbers.is_empty() {
        errors.push(FieldError::new(
            "purchaseNo",
            "required",
            "구매번호를 입력해 주세요.",
        ));
    }
    let said = columns
        .courier
        .map(|column| cell(cells, column))
        .unwrap_or_default();
    let said = if said.is_empty() {
        courier.unwrap_or_default()
    } else {
        said
    };
    let known = courier_named(said);
    if known.is_none() {
        let (code, message) = match said {
            "" => ("required", "택배사를 입력해 주세요."),
            _ => ("courier", "알 수 없는 택배사입니다."),
        };
        errors.push(FieldError::new("courier", code, message));
    }
    let number = cell(cells, columns.invoice);
    let invoice = known.and_then(|courier| {
        let invoice = Invoice {
            courier: courier.code.to_owned(),
            invoice_no: number.to_owned(),
        };
        let refused = match courier.numbered {
            true => "숫자 8~20자리의 송장번호를 입력해 주세요.",
            false => "이 배송 방법에는 송장번호를 쓰지 않습니다.",
        };
        match invoice.checked() {
            Ok(invoice) => Some(invoice),
            Err(_) => {
                errors.push(FieldError::new("invoiceNo", "invoice_malformed", refused));
                None
            }
        }
    });
    InvoiceRow {
        row: *row,
        numbers: numbers.into_iter().collect(),
        invoice,
        errors,
    }
}

/// A purchase in two rows, and a tracking number for two orders, are mistakes in every row but the first.
fn mark_doubled(rows: &mut [InvoiceRow]) {
    let mut purchases: BTreeMap<String, usize> = BTreeMap::new();
    let mut parcels: BTreeMap<(String, String), (String, usize)> = BTreeMap::new();
    for row in rows {
        for number in &row.numbers {
            if let Some(first) = purchases.get(number) {
                let message = format!("{first}행에 같은 구매번호가 있습니다.");
                row.errors
                    .push(FieldError::new("purchaseNo", "duplicate", &message));
            } else {
                purchases.insert(number.clone(), row.row);
            }
        }
        let (Some(invoice), Some(number)) = (&row.invoice, row.numbers.first()) else {
            continue;
        };
        if invoice.invoice_no.is_empty() {
            continue;
        }
        let order = order_of(number).to_owned();
        let key = (invoice.courier.clone(), invoice.invoice_no.clone());
        match parcels.get(&key) {
            Some((other, first)) if *other != order => {
                let message = format!("{first}행의 다른 주문과 송장번호가 같습니다.");
                row.errors
                    .push(FieldError::new("invoiceNo", "invoice_used", &message));
            }
            Some(_) => {}
            None => {
                parcels.insert(key, (order, row.row));
            }
        }
    }
}

/// The number of the order in the number of a purchase or order: `20261121-7KD2M9QX` of `20261121-7KD2M9QX-1`.
pub(super) fn order_of(number: &str) -> &str {
    match number.match_indices('-').nth(1) {
        Some((place, _)) => number.get(..place).unwrap_or(number),
        None => number,
    }
}

/// The error for a table that is not stored any more.
pub(super) fn gone() -> AppError {
    let message = "올린 파일을 찾을 수 없습니다. 파일을 다시 선택해 주세요.";
    AppError::invalid_field("table", "gone", message)
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    fn table(rows: &[&[&str]]) -> Vec<Line> {
        let cells = |row: &[&str]| row.iter().map(|cell| (*cell).to_owned()).collect();
        (1..)
            .zip(rows)
            .map(|(row, line)| (row, cells(line)))
            .collect()
    }

    fn codes(parts: &[InvoicePart]) -> Vec<(usize, Vec<String>)> {
        let rows = parts.iter().flat_map(|part| &part.rows);
        rows.map(|row| {
            (
                row.row,
                row.errors.iter().map(|error| error.code.clone()).collect(),
            )
        })
        .collect()
    }

    #[test]
    fn each_fault_of_a_row_has_its_code() {
        let lines = table(&[
            &["CJ대한통운 출고 내역"],
            &["받는분", "고객 주문번호", "운송장 번호", "택배사"],
            &["a", "20261121-7KD2M9QX-1", "6400-8765-4321", "CJ대한통운"],
            &["a", "20261121-7KD2M9QX-2", "640087654321", "CJ"],
            &["b", "20261121-7KD2M9QX-1", "640087654322", "한진"],
            &["c", "20261121-AAAAAAAA-1", "640087654321", "CJ"],
            &["d", "20261121-BBBBBBBB-1", "640087654323", "없는택배"],
            &["e", "", "640087654324", "로젠"],
            &["f", "20261121-CCCCCCCC-1", "12", "로젠"],
            &["g", "20261121-DDDDDDDD-1", "", "직접 배송"],
            &["h", "20261121-EEEEEEEE-1", "640087654325", "방문수령"],
            &["i", "20261121-FFFFFFFF-1", "640087654326", ""],
        ]);
        let none: Vec<String> = vec![];
        let found = codes(&parts(lines, None).unwrap());
        assert_eq!(
            found,
            [
                (3, none.clone()),
                (4, none.clone()),
                (5, vec!["duplicate".to_owned()]),
                (6, vec!["invoice_used".to_owned()]),
                (7, vec!["courier".to_owned()]),
                (8, vec!["required".to_owned()]),
                (9, vec!["invoice_malformed".to_owned()]),
                (10, none),
                (11, vec!["invoice_malformed".to_owned()]),
                (12, vec!["required".to_owned()]),
            ]
        );
    }

    #[test]
    fn a_long_file_is_read_in_batches_and_a_longer_one_not_at_all() {
        let file = |rows: usize| {
            let mut lines = table(&[&["구매번호", "송장번호"]]);
            let row = |n| {
                (
                    n + 1,
                    vec![format!("20261121-{n:08}-1"), format!("{n:012}")],
                )
            };
            lines.extend((1..=rows).map(row));
            parts(lines, Some("kr.hanjin"))
        };
        let read = file(250).unwrap();
        let sizes: Vec<_> = read
            .iter()
            .map(|part| (part.rows.len(), part.next))
            .collect();
        assert_eq!(sizes, [(100, Some(101)), (100, Some(201)), (50, None)]);
        assert!(read.iter().all(|part| part.total == 250));
        assert!(file(ROWS_MOST).is_ok());
        let code = |found: AppResult<Vec<InvoicePart>>| {
            found
                .err()
                .map(|error| error.fields().first().map(|field| field.code.clone()))
        };
        assert_eq!(code(file(ROWS_MOST + 1)), Some(Some("too_many".to_owned())));
        assert_eq!(code(file(0)), Some(Some("no_rows".to_owned())));
        let other = table(&[&["이름", "값"]]);
        assert_eq!(
            code(parts(other, None)),
            Some(Some("no_heading".to_owned()))
        );
    }
}
