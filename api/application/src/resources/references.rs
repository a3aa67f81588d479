//! References of a record: to records of other kinds, by id or code, as its kind declares them. Where a field requires it ([`Field::own`]),
//! the target has to belong to the record's own seller.

use std::collections::BTreeSet;

use domain::catalogue::tree::{CategoryTree, STREAM_ID};
use domain::ids::MemberId;
use domain::member::Member;
use domain::record::Document;
use domain::validation::FieldError;
use serde_json::Value;

use super::cell_format::at;
use super::schema::Field;
use super::{AdminResource, find};
use crate::app::App;
use crate::error::{AppError, AppResult};

/// The target of references to sellers.
pub const SELLER: &str = "seller";
/// The target of references to members.
pub const MEMBER: &str = "member";

/// Keys that a field refers to.
struct RecordReference {
    field: String,
    kind: &'static str,
    own: bool,
    keys: Vec<String>,
}

/// Checks that all new references in `after` exist, and belong to the record's seller where required. When a record is given to another
/// seller, all references count as new, since their targets do not change owner with it.
///
/// # Errors
/// `invalid` with every field that refers to an unknown target, or to one of another seller.
pub async fn check_references(
    app: &App,
    resource: &AdminResource,
    before: Option<&Document>,
    after: &Document,
) -> AppResult<()> {
    let already: BTreeSet<(&str, String)> = before
        .map(|before| named(resource, before))
        .into_iter()
        .flatten()
        .flat_map(|named| named.keys.into_iter().map(move |key| (named.kind, key)))
        .collect();
    let seller = resource.seller(after);
    let moved = before.is_some_and(|before| resource.seller(before) != seller);
    let mut errors = Vec::new();
    for RecordReference {
        field,
        kind,
        own,
        keys,
    } in named(resource, after)
    {
        let all: BTreeSet<String> = keys.into_iter().collect();
        let is_new = |key: &&String| !already.contains(&(kind, String::clone(key)));
        let new: BTreeSet<String> = all.iter().filter(is_new).cloned().collect();
        let gone = missing(app, kind, new.clone()).await?;
        let foreign = match seller.filter(|_| own) {
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

/// Checks that a target of this kind exists for each of `keys`, which come from `field`.
///
/// # Errors
/// `invalid` with the unknown keys.
pub async fn all_there(
    app: &App,
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
    let message = unknown_message(&gone.join(", "));
    (!gone.is_empty()).then(|| FieldError::new(field, "unknown", &message))
}

/// The message about a reference to nothing.
pub(super) fn unknown_message(gone: &str) -> String {
    format!("등록되어 있지 않습니다: {gone}. 다시 선택해 주세요.")
}

fn not_the_sellers(field: String, foreign: &[String]) -> Option<FieldError> {
    let message = "다른 판매자의 것은 지정할 수 없습니다. 다시 선택하거나 비워 주세요.";
    (!foreign.is_empty()).then(|| FieldError::new(field, "not_the_sellers", message))
}

/// The references of a record, by field. Read-only fields are left out: the user cannot choose their value.
fn named(resource: &AdminResource, document: &Document) -> Vec<RecordReference> {
    let mut found = Vec::new();
    collect(resource.schema.fields, document, "", &mut found);
    found
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

/// The `keys`, ids or codes, that do not exist in this kind.
async fn missing(app: &App, kind: &str, keys: BTreeSet<String>) -> AppResult<Vec<String>> {
    match kind {
        SELLER => missing_members(app, keys, |member| !member.scopes.is_empty()).await,
        MEMBER => missing_members(app, keys, |_| true).await,
        _ => match find(kind) {
            Some(resource) => missing_records(app, resource, keys).await,
            None => missing_categories(app, keys).await,
        },
    }
}

/// The `keys` without such a member; read from the log, so members who have just joined are included.
async fn missing_members(
    app: &App,
    keys: BTreeSet<String>,
    is_meant: fn(&Member) -> bool,
) -> AppResult<Vec<String>> {
    let mut missing = Vec::new();
    for key in keys {
        let member = app.store.load::<Member>(&key).await?.state;
        if !member.has_joined() || !is_meant(&member) {
            missing.push(key);
        }
    }
    Ok(missing)
}

/// The `keys` without a record of this kind.
async fn missing_records(
    app: &App,
    resource: &AdminResource,
    keys: BTreeSet<String>,
) -> AppResult<Vec<String>> {
    let codes = resource.record.unique.filter(|_| resource.named_by_code);
    let mut missing = Vec::new();
    for key in keys {
        let is_there = match codes {
            Some(unique) => {
                let hash = app.keys.lookup_hash(unique.scope, key.trim());
                app.store.reserved_by(unique.scope, &hash).await?.is_some()
            }
            None => resource.load(app, &key).await?.state.live().is_ok(),
        };
        if !is_there {
            missing.push(key);
        }
    }
    Ok(missing)
}

/// The existing `keys` that do not belong to this seller.
async fn others(
    app: &App,
    kind: &str,
    keys: BTreeSet<String>,
    seller: MemberId,
) -> AppResult<Vec<String>> {
    let Some(resource) = find(kind) else {
        return Ok(Vec::new());
    };
    let mut others = Vec::new();
    for key in keys {
        // Records removed meanwhile belong to no seller.
        if let Ok(document) = resource.load(app, &key).await?.state.live()
            && resource.seller(document) != Some(seller)
        {
            others.push(key);
        }
    }
    Ok(others)
}

/// The `codes` without a category.
async fn missing_categories(app: &App, codes: BTreeSet<String>) -> AppResult<Vec<String>> {
    if codes.is_empty() {
        return Ok(Vec::new());
    }
    let tree = app.store.load::<CategoryTree>(STREAM_ID).await?.state;
    let unknown = |code: &String| tree.by_code(code).is_none();
    Ok(codes.into_iter().filter(unknown).collect())
}
