//! What a record refers to: records of other kinds, by their ids or codes, as its kind declares them. Where a field says so
//! ([`Field::own`]), what it names has to be the record's own seller's.

use std::collections::BTreeSet;

use domain::catalogue::tree::{CategoryTree, STREAM_ID};
use domain::ids::MemberId;
use domain::record::{Document, Record};
use domain::validation::FieldError;
use serde_json::Value;

use super::cell_format::at;
use super::kinds::AdminResource;
use super::schema::Field;
use super::{missing, others};
use crate::app::AppState;
use crate::http::{AppError, AppResult};

/// Keys that a field refers to.
struct RecordReference {
    field: String,
    kind: &'static str,
    own: bool,
    keys: Vec<String>,
}

/// Passes if everything is there that `after` names and `before` did not, and is its seller's where it has to be. Whoever gets
/// a record gets nothing it names with it, so for another seller all of it is new.
///
/// # Errors
/// `invalid` with every field that names what nobody has, or another seller.
pub(crate) async fn check_references<R: AdminResource>(
    app: &AppState,
    before: Option<&R>,
    after: &R,
) -> AppResult<()> {
    let already: BTreeSet<(&str, String)> = before
        .map(named)
        .transpose()?
        .into_iter()
        .flatten()
        .flat_map(|named| named.keys.into_iter().map(move |key| (named.kind, key)))
        .collect();
    let moved = before.is_some_and(|before| before.seller() != after.seller());
    let mut errors = Vec::new();
    for RecordReference {
        field,
        kind,
        own,
        keys,
    } in named(after)?
    {
        let all: BTreeSet<String> = keys.into_iter().collect();
        let is_new = |key: &&String| !already.contains(&(kind, String::clone(key)));
        let new: BTreeSet<String> = all.iter().filter(is_new).cloned().collect();
        let gone = missing(app, kind, new.clone()).await?;
        let foreign = match after.seller().filter(|_| own) {
            Some(seller) => {
                let asked = if moved { all } else { new };
                let asked = asked.into_iter().filter(|key| !gone.contains(key));
                others(app, kind, asked.collect(), seller).await?
            }
            None => Vec::new(),
        };
        errors.extend(not_the_sellers(field.clone(), &foreign));
        errors.extend(complaint(field, &gone));
    }
    match errors.is_empty() {
        true => Ok(()),
        false => Err(AppError::invalid(errors)),
    }
}

/// Passes if there is something of this kind under each of `keys`, which `field` names.
///
/// # Errors
/// `invalid` naming those that nothing has.
pub(crate) async fn all_there(
    app: &AppState,
    field: &str,
    kind: &str,
    keys: BTreeSet<String>,
) -> AppResult<()> {
    let gone = missing(app, kind, keys).await?;
    match complaint(field.to_owned(), &gone) {
        None => Ok(()),
        Some(complaint) => Err(AppError::invalid(vec![complaint])),
    }
}

fn complaint(field: String, gone: &[String]) -> Option<FieldError> {
    let message = format!(
        "등록되어 있지 않습니다: {}. 다시 선택해 주세요.",
        gone.join(", ")
    );
    (!gone.is_empty()).then(|| FieldError::new(field, "unknown", &message))
}

fn not_the_sellers(field: String, foreign: &[String]) -> Option<FieldError> {
    let message = "다른 판매자의 것은 지정할 수 없습니다. 다시 선택하거나 비워 주세요.";
    (!foreign.is_empty()).then(|| FieldError::new(field, "not_the_sellers", message))
}

/// What a record names, field by field. What nobody types is nobody's to choose again, and is left out.
fn named<R: AdminResource>(record: &R) -> AppResult<Vec<RecordReference>> {
    let mut found = Vec::new();
    if let Value::Object(document) = serde_json::to_value(record)? {
        collect(R::DESCRIPTION.fields, &document, "", &mut found);
    }
    Ok(found)
}

fn collect(
    fields: &'static [Field],
    document: &Document,
    within: &str,
    found: &mut Vec<RecordReference>,
) {
    for field in fields.iter().filter(|field| !field.read_only) {
        let Some(value) = at(document, field.name) else {
            continue;
        };
        let name = format!("{within}{}", field.name);
        let many = value.as_array();
        if let Some(kind) = field.resource {
            let keys = many.map_or(std::slice::from_ref(value), Vec::as_slice);
            let keys = keys.iter().filter_map(Value::as_str);
            found.push(RecordReference {
                field: name,
                kind,
                own: field.own,
                keys: keys.map(str::to_owned).collect(),
            });
            continue;
        }
        for (line, row) in many.into_iter().flatten().enumerate() {
            if let Value::Object(row) = row {
                collect(field.of, row, &format!("{name}.{line}."), found);
            }
        }
    }
}

/// Those of `keys` that no record of this kind has.
pub(super) async fn missing_of<R: AdminResource>(
    app: &AppState,
    keys: BTreeSet<String>,
) -> AppResult<Vec<String>> {
    let codes = R::UNIQUE.filter(|_| R::NAMED_BY_CODE);
    let mut missing = Vec::new();
    for key in keys {
        let is_there = match codes {
            Some(unique) => {
                let hash = app.keys.lookup_hash(unique.scope, key.trim());
                app.store.reserved_by(unique.scope, &hash).await?.is_some()
            }
            None => {
                let record = app.store.load::<Record<R>>(&key).await?.state;
                record.document.is_some() && !record.removed
            }
        };
        if !is_there {
            missing.push(key);
        }
    }
    Ok(missing)
}

/// Those of `keys`, which are all there, that another than this seller has.
pub(super) async fn others_of<R: AdminResource>(
    app: &AppState,
    keys: BTreeSet<String>,
    seller: MemberId,
) -> AppResult<Vec<String>> {
    let mut others = Vec::new();
    for key in keys {
        let record = app.store.load::<Record<R>>(&key).await?.state;
        // what was removed since is nobody's
        let Ok(record) = record.data() else {
            continue;
        };
        if record.seller() != Some(seller) {
            others.push(key);
        }
    }
    Ok(others)
}

/// Those of `codes` that no category has.
pub(super) async fn missing_categories(
    app: &AppState,
    codes: BTreeSet<String>,
) -> AppResult<Vec<String>> {
    if codes.is_empty() {
        return Ok(Vec::new());
    }
    let tree = app.store.load::<CategoryTree>(STREAM_ID).await?.state;
    let unknown = |code: &String| tree.by_code(code).is_none();
    Ok(codes.into_iter().filter(unknown).collect())
}
