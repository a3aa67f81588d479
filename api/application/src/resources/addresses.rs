//! The addresses of a record: its links and its pictures, as its kind declares them. A link leads to a page of this shop or to
//! one of the web over https, a picture is a file of this shop or one of the web over https ([`domain::address`]).
//!
//! Values stored before this rule was introduced stay valid as long as the field is not changed.

use std::collections::BTreeMap;

use domain::address::{is_file, is_page};
use domain::record::{Change, Document};
use domain::validation::FieldError;
use serde_json::Value;

use super::cell_format::at;
use super::schema::{Field, FieldType};

/// Message for a link that is not allowed.
const NOT_A_PAGE: &str = "주소는 / 또는 https://로 시작해야 합니다.";
/// Message for a picture address that is not allowed.
const NOT_A_FILE: &str = "이 쇼핑몰에 올린 파일이거나 https://로 시작하는 주소여야 합니다.";

/// Validates the addresses in the changed fields of `document`.
pub(super) fn errors(
    fields: &[Field],
    document: &Document,
    changes: &BTreeMap<String, Change>,
) -> Vec<FieldError> {
    let mut errors = Vec::new();
    let changed = |field: &&Field| {
        let whole = field.name.split('.').next().unwrap_or(field.name);
        changes.contains_key(whole)
    };
    for field in fields.iter().filter(changed) {
        if let Some(value) = at(document, field.name) {
            look(field, field.name, value, &mut errors);
        }
    }
    errors
}

fn look(field: &Field, name: &str, value: &Value, errors: &mut Vec<FieldError>) {
    let is_right: fn(&str) -> bool = match field.holds {
        FieldType::Url => is_page,
        FieldType::Image | FieldType::Images | FieldType::File => is_file,
        FieldType::List => {
            for (line, row) in value.as_array().into_iter().flatten().enumerate() {
                let Value::Object(row) = row else { continue };
                for inner in field.of {
                    if let Some(value) = at(row, inner.name) {
                        let name = format!("{name}.{line}.{}", inner.name);
                        look(inner, &name, value, errors);
                    }
                }
            }
            return;
        }
        _ => return,
    };
    let message = if field.holds == FieldType::Url {
        NOT_A_PAGE
    } else {
        NOT_A_FILE
    };
    for (name, address) in written(name, value) {
        if !address.is_empty() && !is_right(address) {
            errors.push(FieldError::new(name, "not_an_address", message));
        }
    }
}

/// The addresses in the value of a field, each with its field name: the value itself, the address of a picture, or those of pictures.
fn written<'a>(name: &str, value: &'a Value) -> Vec<(String, &'a str)> {
    match value {
        Value::String(address) => vec![(name.to_owned(), address.as_str())],
        Value::Object(picture) => picture
            .get("url")
            .map(|url| written(&format!("{name}.url"), url))
            .unwrap_or_default(),
        Value::Array(items) => items
            .iter()
            .enumerate()
            .flat_map(|(line, item)| written(&format!("{name}.{line}"), item))
            .collect(),
        _ => Vec::new(),
    }
}
