//! The limits a kind declares for its fields.

use domain::record::{Document, diff};
use domain::validation::FieldError;
use serde_json::Value;

use super::cell_format::at;
use super::schema::{ADDRESS_MOST, Field, FieldType};
use super::{AdminResource, addresses};
use crate::error::{AppError, AppResult};

/// Checks that every field is within the limits its kind declares, and that every changed address is valid.
///
/// # Errors
/// `invalid` with every invalid field.
pub(super) fn within_limits(
    resource: &AdminResource,
    before: Option<&Document>,
    document: &Document,
) -> AppResult<()> {
    let nothing = Document::new();
    let changes = diff(before.unwrap_or(&nothing), document);
    let mut errors = addresses::errors(resource.schema.fields, document, &changes);
    complain(resource.schema.fields, document, "", &mut errors);
    match errors.is_empty() {
        true => Ok(()),
        false => Err(AppError::invalid(errors)),
    }
}

fn complain(fields: &[Field], document: &Document, within: &str, errors: &mut Vec<FieldError>) {
    for field in fields {
        let Some(value) = at(document, field.name) else {
            continue;
        };
        let name = format!("{within}{}", field.name);
        for (name, text, most) in texts(field, &name, value) {
            if usize::try_from(most).is_ok_and(|most| text.chars().count() > most) {
                let message = format!("{most}자 이내로 입력해 주세요.");
                errors.push(FieldError::new(name, "too_long", &message));
            }
        }
        if let Some(number) = value.as_i64() {
            if let Some(least) = field.min.filter(|least| number < *least) {
                let message = format!("{least} 이상으로 입력해 주세요.");
                errors.push(FieldError::new(&name, "too_small", &message));
            }
            if let Some(most) = field.max.filter(|most| number > *most) {
                let message = format!("{most} 이하로 입력해 주세요.");
                errors.push(FieldError::new(&name, "too_large", &message));
            }
        }
        if field.holds == FieldType::List {
            for (line, row) in value.as_array().into_iter().flatten().enumerate() {
                if let Value::Object(row) = row {
                    complain(field.of, row, &format!("{name}.{line}."), errors);
                }
            }
        }
    }
}

/// The texts in a field's value, each with its name and its maximum length.
fn texts<'a>(field: &Field, name: &str, value: &'a Value) -> Vec<(String, &'a str, u32)> {
    let Some(most) = field.max_length else {
        return Vec::new();
    };
    match value {
        Value::String(text) => vec![(name.to_owned(), text.as_str(), most)],
        Value::Object(picture) => [("url", ADDRESS_MOST), ("alt", most)]
            .into_iter()
            .filter_map(|(part, most)| {
                let text = picture.get(part)?.as_str()?;
                Some((format!("{name}.{part}"), text, most))
            })
            .collect(),
        Value::Array(rows) => rows
            .iter()
            .enumerate()
            .flat_map(|(line, row)| texts(field, &format!("{name}.{line}"), row))
            .collect(),
        _ => Vec::new(),
    }
}
