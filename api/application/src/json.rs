//! JSON of requests, parsed as a type, with errors that name the field.

use domain::validation::FieldError;
use serde::de::DeserializeOwned;

use crate::error::{AppError, AppResult, Code};

/// Converts a JSON value, or names the field with the wrong type.
///
/// # Errors
/// `invalid_body` naming the field.
pub fn typed<T: DeserializeOwned>(value: serde_json::Value) -> AppResult<T> {
    serde_path_to_error::deserialize(value).map_err(|error| {
        let path = dotted(&error.path().to_string());
        wrong_shape(&path, &error.into_inner())
    })
}

/// Converts `options[0].price` to the form's spelling `options.0.price`.
pub fn dotted(path: &str) -> String {
    path.replace('[', ".").replace(']', "")
}

/// Names the field with the wrong type; missing fields are reported as such.
pub fn wrong_shape(path: &str, error: &serde_json::Error) -> AppError {
    let text = error.to_string();
    let missing = text
        .strip_prefix("missing field `")
        .and_then(|rest| rest.split('`').next());
    let (field, code, message) = match missing {
        Some(name) if path == "." => (name.to_owned(), "required", "필수 항목입니다."),
        Some(name) => (format!("{path}.{name}"), "required", "필수 항목입니다."),
        None => (path.to_owned(), "type", "형식이 올바르지 않습니다."),
    };
    AppError::new(Code::InvalidBody).with_fields(vec![FieldError::new(field, code, message)])
}
