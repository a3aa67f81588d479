//! One field of a record as the text of a cell, and back.
//!
//! The text is human-readable: main units, Seoul times, `Y` and `N`. [`read`] accepts what [`text`] writes and its conversions by
//! spreadsheet programs.

use domain::business_day;
use domain::record::Document;
use domain::validation::FieldError;
use serde_json::{Value, json};
use time::format_description::BorrowedFormatItem;
use time::format_description::well_known::{Iso8601, Rfc3339};
use time::macros::format_description;
use time::{Date, OffsetDateTime, PrimitiveDateTime, Time};

use super::schema::{Field, FieldType};

const MOMENT: &[BorrowedFormatItem<'_>] =
    format_description!("[year]-[month]-[day] [hour]:[minute]:[second]");
const MINUTE: &[BorrowedFormatItem<'_>] =
    format_description!("[year]-[month]-[day] [hour]:[minute]");
const DAY: &[BorrowedFormatItem<'_>] = format_description!("[year]-[month]-[day]");

/// The value of a unit field that means money.
const MONEY: &str = "AMOUNT";

/// The value at a dotted path.
pub fn at<'a>(document: &'a Document, path: &str) -> Option<&'a Value> {
    let mut parts = path.split('.');
    let mut value = document.get(parts.next()?)?;
    for part in parts {
        value = value.get(part)?;
    }
    Some(value)
}

/// Sets the value at a dotted path, or removes it: an omitted field gets its default. An object that becomes empty is removed too.
pub fn put(document: &mut Document, path: &str, value: Option<Value>) {
    let Some((first, rest)) = path.split_once('.') else {
        match value {
            Some(value) => document.insert(path.to_owned(), value),
            None => document.remove(path),
        };
        return;
    };
    if value.is_none() && !document.get(first).is_some_and(Value::is_object) {
        return;
    }
    let inner = document.entry(first).or_insert_with(|| json!({}));
    if !inner.is_object() {
        *inner = json!({});
    }
    let Some(object) = inner.as_object_mut() else {
        return;
    };
    put(object, rest, value);
    if object.is_empty() {
        document.remove(first);
    }
}

/// The path a cell's value is written to; the address, for a picture.
pub fn place(field: &Field) -> String {
    match field.holds {
        FieldType::Image => format!("{}.url", field.name),
        _ => field.name.to_owned(),
    }
}

/// Type of a field for this value of its unit: an amount if the unit is money.
fn held_in(field: &Field, unit: Option<&Value>) -> FieldType {
    match (field.unit, unit.and_then(Value::as_str)) {
        (Some(_), Some(MONEY)) => FieldType::Amount,
        _ => field.holds,
    }
}

/// The field for a row of a table whose unit cell contains `unit`.
///
/// # Errors
/// The unit is missing, so the meaning of the number is unknown.
pub fn in_unit(field: Field, unit: Option<&Value>) -> Result<Field, FieldError> {
    if field.unit.is_some() && unit.is_none() {
        let message = "할인 방식을 같은 줄에 함께 적어 주세요.";
        return Err(FieldError::new(field.name, "unit_missing", message));
    }
    let holds = held_in(&field, unit);
    Ok(Field { holds, ..field })
}

/// A field's text; empty without a value.
pub fn text(field: &Field, document: &Document) -> String {
    let Some(value) = at(document, &place(field)) else {
        return String::new();
    };
    let unit = field.unit.and_then(|unit| at(document, unit));
    // The document's own unit determines whether it is money, even if the field was resolved for another row.
    let holds = match field.unit {
        Some(_) => held_in(
            &Field {
                holds: FieldType::Integer,
                ..*field
            },
            unit,
        ),
        None => field.holds,
    };
    match (holds, value) {
        (_, Value::Null) => String::new(),
        (FieldType::Amount, Value::Number(number)) => number
            .as_i64()
            .map_or_else(|| number.to_string(), main_units),
        (FieldType::Boolean, Value::Bool(yes)) => if *yes { "Y" } else { "N" }.to_owned(),
        (FieldType::Datetime, Value::String(moment)) => seoul_text(moment),
        (FieldType::Tags | FieldType::References, Value::Array(items)) => joined(items),
        (FieldType::Numbers, Value::Array(items)) => {
            let numbers: Vec<String> = items.iter().map(Value::to_string).collect();
            numbers.join(", ")
        }
        (FieldType::Point, value) => point_text(value),
        (_, Value::String(text)) => text.clone(),
        (_, other) => other.to_string(),
    }
}

/// Hundredths in main units: `1234` is `12.34`.
fn main_units(hundredths: i64) -> String {
    let sign = if hundredths < 0 { "-" } else { "" };
    let all = hundredths.unsigned_abs();
    match (all / 100, all % 100) {
        (units, 0) => format!("{sign}{units}"),
        (units, rest) => format!("{sign}{units}.{rest:02}"),
    }
}

/// Coordinates in the usual notation: latitude, then longitude.
fn point_text(point: &Value) -> String {
    match (point.get("latitude"), point.get("longitude")) {
        (Some(latitude), Some(longitude)) => format!("{latitude}, {longitude}"),
        _ => point.to_string(),
    }
}

fn seoul_text(moment: &str) -> String {
    OffsetDateTime::parse(moment, &Rfc3339)
        .ok()
        .and_then(|at| at.to_offset(business_day::OFFSET).format(MOMENT).ok())
        .unwrap_or_else(|| moment.to_owned())
}

fn joined(items: &[Value]) -> String {
    let words: Option<Vec<&str>> = items
        .iter()
        .map(|item| {
            item.as_str().filter(|word| {
                !word.is_empty() && word.trim() == *word && !word.contains([',', '\n', '['])
            })
        })
        .collect();
    match words {
        Some(words) => words.join(", "),
        None => Value::from(items.to_vec()).to_string(),
    }
}

/// Parses a cell; none if the field is left out.
///
/// # Errors
/// The reason why it is not a value of this field.
pub fn read(field: &Field, cell: &str) -> Result<Option<Value>, FieldError> {
    let text = cell.trim();
    if text.is_empty() {
        return Ok(None);
    }
    let wrong = |message: &str| FieldError::new(field.name, "type", message);
    let value = match field.holds {
        FieldType::Integer | FieldType::Percent => number(text).map(Value::from),
        FieldType::Amount => hundredths(text).map(Value::from),
        FieldType::Numbers => text
            .split([',', '\n'])
            .map(|one| number(one.trim()))
            .collect(),
        FieldType::Boolean => yes_or_no(text).map(Value::from),
        FieldType::Datetime => moment(text).map(Value::from),
        FieldType::Date => day(text).map(Value::from),
        FieldType::Point => point(text),
        FieldType::Enum => chosen(field, text),
        FieldType::Text => chosen(field, text).or_else(|| Some(json!(cell))),
        FieldType::Tags | FieldType::References if !text.starts_with('[') => Some(
            text.split([',', '\n'])
                .map(str::trim)
                .filter(|word| !word.is_empty())
                .collect(),
        ),
        FieldType::Images if !text.starts_with('[') => Some(
            text.split([',', '\n'])
                .map(str::trim)
                .filter(|address| !address.is_empty())
                .map(|address| json!({ "url": address }))
                .collect(),
        ),
        FieldType::Tags
        | FieldType::References
        | FieldType::Images
        | FieldType::List
        | FieldType::Json => serde_json::from_str(text).ok(),
        _ => Some(json!(cell)),
    };
    let message = match field.holds {
        FieldType::Integer | FieldType::Percent => "숫자를 입력해 주세요.",
        FieldType::Numbers => "숫자를 쉼표로 나눠 입력해 주세요.",
        FieldType::Amount => "금액을 숫자로, 소수 둘째 자리까지 입력해 주세요.",
        FieldType::Boolean => "Y 또는 N을 입력해 주세요.",
        FieldType::Date => "날짜를 2026-01-31 형식으로 입력해 주세요.",
        FieldType::Datetime => "날짜를 2026-01-31 09:00 형식으로 입력해 주세요.",
        FieldType::Enum => "정해진 값 중 하나를 입력해 주세요.",
        FieldType::Point => "위도와 경도를 37.5665, 126.9780 형식으로 입력해 주세요.",
        _ => "형식이 올바르지 않습니다.",
    };
    value.map(Some).ok_or_else(|| wrong(message))
}

fn number(text: &str) -> Option<i64> {
    text.replace(',', "").parse().ok()
}

fn hundredths(text: &str) -> Option<i64> {
    let text = text.replace(',', "");
    let (negative, text) = match text.strip_prefix('-') {
        Some(rest) => (true, rest.to_owned()),
        None => (false, text),
    };
    let (units, rest) = text.split_once('.').unwrap_or((&text, ""));
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let rest = rest.trim_end_matches('0');
    if units.is_empty() || !digits(units) || !digits(rest) || rest.len() > 2 {
        return None;
    }
    let all: i64 = format!("{units}{rest:0<2}").parse().ok()?;
    Some(if negative { -all } else { all })
}

fn yes_or_no(text: &str) -> Option<bool> {
    match text.to_uppercase().as_str() {
        "Y" | "YES" | "TRUE" | "1" | "예" => Some(true),
        "N" | "NO" | "FALSE" | "0" | "아니오" => Some(false),
        _ => None,
    }
}

fn point(text: &str) -> Option<Value> {
    let (latitude, longitude) = text.split_once(',')?;
    let degrees = |text: &str| {
        text.trim()
            .parse()
            .ok()
            .filter(|degrees: &f64| degrees.is_finite())
    };
    Some(json!({ "latitude": degrees(latitude)?, "longitude": degrees(longitude)? }))
}

/// A day; of a timestamp at midnight, to which spreadsheets convert days, its date. Other timestamps are rejected.
fn day(text: &str) -> Option<String> {
    let day = Date::parse(text, DAY).ok().or_else(|| {
        let moment = PrimitiveDateTime::parse(text, MOMENT).ok()?;
        (moment.time() == Time::MIDNIGHT).then(|| moment.date())
    })?;
    day.format(DAY).ok()
}

fn moment(text: &str) -> Option<String> {
    if let Ok(at) = OffsetDateTime::parse(text, &Rfc3339) {
        return at.format(&Rfc3339).ok();
    }
    let local = PrimitiveDateTime::parse(text, MOMENT)
        .or_else(|_| PrimitiveDateTime::parse(text, MINUTE))
        .ok()
        .or_else(|| Some(Date::parse(text, &Iso8601::DATE).ok()?.midnight()))?;
    local
        .assume_offset(business_day::OFFSET)
        .format(&Rfc3339)
        .ok()
}

/// The choice of a field, by its value or its label.
fn chosen(field: &Field, text: &str) -> Option<Value> {
    let mut choices = field.values.iter();
    let choice = choices.find(|choice| choice.value == text || choice.label == text)?;
    Some(json!(choice.value))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::super::schema::{FieldChoice, choice};
    use super::*;

    fn document(value: Value) -> Document {
        value.as_object().cloned().unwrap()
    }

    #[test]
    fn what_is_written_is_read_again() {
        let rows = [
            (FieldType::Amount, json!(1_234), "12.34"),
            (FieldType::Amount, json!(-5), "-0.05"),
            (FieldType::Amount, json!(700), "7"),
            (FieldType::Integer, json!(-3), "-3"),
            (FieldType::Boolean, json!(true), "Y"),
            (
                FieldType::Datetime,
                json!("2026-05-01T00:00:00+09:00"),
                "2026-05-01 00:00:00",
            ),
            (FieldType::Date, json!("2026-09-25"), "2026-09-25"),
            (FieldType::Tags, json!(["가", "나 다"]), "가, 나 다"),
            (FieldType::Tags, json!(["가,나"]), "[\"가,나\"]"),
            (FieldType::Json, json!([1, 2]), "[1,2]"),
            (FieldType::Numbers, json!([1, 12]), "1, 12"),
            (
                FieldType::Point,
                json!({ "latitude": 37.5, "longitude": -0.25 }),
                "37.5, -0.25",
            ),
            (FieldType::Text, json!(" =1+1"), " =1+1"),
        ];
        for (holds, value, cell) in rows {
            let field = Field::of("x", "x", holds);
            let written = text(&field, &document(json!({ "x": value })));
            assert_eq!(written, cell);
            assert_eq!(read(&field, &written).unwrap(), Some(value));
        }
    }

    #[test]
    fn a_worth_is_written_and_read_as_its_unit_says() {
        let field = Field::worth("discount.value", "x", "discount.unit");
        for (unit, value, cell) in [("AMOUNT", 1_250, "12.50"), ("PERCENT", 20, "20")] {
            let row = document(json!({ "discount": { "unit": unit, "value": value } }));
            assert_eq!(text(&field, &row), cell);
            let meant = in_unit(field, Some(&json!(unit))).unwrap();
            assert_eq!(read(&meant, cell).unwrap(), Some(json!(value)));
            // The unit of one row does not affect how another row is written.
            assert_eq!(text(&meant, &row), cell);
        }
        assert_eq!(in_unit(field, None).unwrap_err().code, "unit_missing");
    }

    #[test]
    fn what_has_a_name_is_meant_by_it_and_only_an_enum_has_to_have_one() {
        const PLACES: &[FieldChoice] = &[choice("MAIN_1", "메인 1")];
        let place = Field::text("x", "x").named(PLACES);
        for (cell, value) in [
            ("메인 1", "MAIN_1"),
            ("MAIN_1", "MAIN_1"),
            ("SPRING", "SPRING"),
        ] {
            assert_eq!(read(&place, cell).unwrap(), Some(json!(value)), "{cell}");
        }
        let closed = Field::one_of("x", "x", PLACES);
        assert_eq!(read(&closed, "메인 1").unwrap(), Some(json!("MAIN_1")));
        assert!(read(&closed, "SPRING").is_err());
    }

    #[test]
    fn a_day_is_read_as_spreadsheets_write_it() {
        let field = Field::date("x", "x");
        let read = |cell| read(&field, cell);
        assert_eq!(
            read("2026-09-25 00:00:00").unwrap(),
            Some(json!("2026-09-25"))
        );
        for wrong in [
            "2026-09-25 09:00:00",
            "2026-02-29",
            "2026-268",
            "20260925",
            "9/25",
        ] {
            assert_eq!(read(wrong).unwrap_err().code, "type", "{wrong}");
        }
    }

    #[test]
    fn half_a_point_is_none() {
        let field = Field::of("x", "x", FieldType::Point);
        for wrong in ["37.5", "37.5,", "a, b", "37.5, 127, 3", "NaN, 1", "inf, 1"] {
            assert_eq!(read(&field, wrong).unwrap_err().code, "type", "{wrong}");
        }
    }

    #[test]
    fn amounts_are_never_rounded() {
        for wrong in [
            "1.234",
            "1e3",
            "--1",
            ".",
            "",
            "1.2.3",
            "9".repeat(20).as_str(),
        ] {
            assert_eq!(hundredths(wrong), None, "{wrong}");
        }
        assert_eq!(hundredths("1,234.5"), Some(123_450));
        assert_eq!(hundredths("0.10"), Some(10));
    }

    #[test]
    fn paths_grow_what_they_need_and_leave_nothing_empty() {
        let mut kept = document(json!({ "a": null }));
        put(&mut kept, "a.b.c", Some(json!(1)));
        assert_eq!(at(&kept, "a.b.c"), Some(&json!(1)));
        put(&mut kept, "a.b.c", None);
        assert!(kept.is_empty());
        put(&mut kept, "x.y", None);
        assert!(kept.is_empty());
    }
}
