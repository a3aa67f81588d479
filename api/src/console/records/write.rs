//! What every way to change a record has in common: the form of one, bulk, and import.

use domain::event::Context;
use domain::ids::MemberId;
use domain::record::{Document, Record, RecordCommand, diff};
use domain::validation::FieldError;
use event_store::Versioned;
use serde::Serialize;
use serde_json::Value;

use super::addresses;
use super::cell_format::at;
use super::input::{Count, acceptable, may_change, may_remove, reaches, reservation};
use super::kinds::AdminResource;
use super::references::check_references;
use super::revise::unchanged_since;
use super::schema::{ADDRESS_MOST, Field, FieldType};
use crate::app::AppState;
use crate::http::{ApiResponse, AppError, AppResult, Code, Respond, RowScope};
use application::executor::{AppendBatch, CommandContext, CommandOutcome, decide};

/// What it takes that `loaded` says what `document` does.
///
/// # Errors
/// `invalid`, `not_found`.
pub(crate) async fn to_say<R: AdminResource>(
    app: &AppState,
    id: &str,
    loaded: &Versioned<Record<R>>,
    document: Document,
    counts: &[Count],
    context: &Context,
) -> AppResult<AppendBatch> {
    let after: R = acceptable(app, loaded.state.document.as_ref(), document).await?;
    let act = RecordCommand::Revise(Box::new(after.clone()));
    to_do(app, id, loaded, act, &after, counts, context).await
}

/// What it takes that `act` makes `after` of `loaded`, whatever it was before: one place for everything that is asked of
/// a document before it is written, be it new, changed or brought back.
///
/// # Errors
/// `invalid`, `not_found`.
pub(crate) async fn to_do<R: AdminResource>(
    app: &AppState,
    id: &str,
    loaded: &Versioned<Record<R>>,
    act: RecordCommand<R>,
    after: &R,
    counts: &[Count],
    context: &Context,
) -> AppResult<AppendBatch> {
    let state = &loaded.state;
    let before = match &state.document {
        Some(_) if !state.removed => Some(state.data()?),
        _ => None,
    };
    let append = decide(id, loaded, act, context)?;
    allowed(app, id, before.as_ref(), after).await?;
    let mut change = AppendBatch::of(after.side_effects(app, id, counts, context).await?);
    change.append(append);
    let reserved = reservation(&app.keys, after)?;
    let held = match &before {
        Some(before) => reservation(&app.keys, before)?,
        None => None,
    };
    if let Some(before) = before
        .as_ref()
        .filter(|_| R::NAMED_BY_CODE && held != reserved)
        && let Some(why) = before.removal_blocker(app, id).await?
    {
        // who goes by the old code would find nothing under it
        return Err(AppError::invalid_field("code", "in_use", &why));
    }
    Ok(match (held, reserved) {
        (Some((_, old)), Some((_, new))) if old == new => change,
        (Some((scope, old)), Some((_, new))) => {
            change.release(scope, old, id).reserve(scope, new, id)
        }
        (None, Some((scope, new))) => change.reserve(scope, new, id),
        (_, None) => change,
    })
}

/// Marks a record as removed.
///
/// # Errors
/// `not_found`; `in_use`.
pub(crate) async fn remove_one<R: AdminResource>(
    app: &AppState,
    command: &CommandContext,
    rows: RowScope,
    id: &str,
) -> AppResult<CommandOutcome> {
    may_remove::<R>(rows)?;
    app.executor
        .transact(command, |context| async move {
            let loaded = app.store.load::<Record<R>>(id).await?;
            let before = loaded.state.data()?;
            reaches(rows, &before)?;
            let append = decide(id, &loaded, RecordCommand::Remove, &context)?;
            if let Some(why) = before.removal_blocker(app, id).await? {
                return Err(AppError::new(Code::InUse).saying(why));
            }
            let change = AppendBatch::of([append]);
            Ok(match reservation(&app.keys, &before)? {
                Some((scope, code)) => change.release(scope, code, id),
                None => change,
            })
        })
        .await
}

/// Who edits which record, and from where they started.
#[derive(Clone, Copy, Debug)]
pub struct Edit<'a> {
    /// Who.
    pub by: MemberId,
    /// Whose rows they may touch.
    pub rows: RowScope,
    /// Which one.
    pub id: &'a str,
    /// The version they saw; none: whatever it is now.
    pub started_from: Option<u64>,
}

/// Changes a record: `edit` makes the new document of the one there is.
///
/// # Errors
/// `invalid`, `not_found`, `version_conflict`, `code_taken`.
pub(crate) async fn edit_one<R: AdminResource>(
    app: &AppState,
    command: &CommandContext,
    of: Edit<'_>,
    edit: impl Fn(&mut Document) + Sync,
) -> AppResult<CommandOutcome> {
    let edit = &edit;
    app.executor
        .transact(command, |context| async move {
            let loaded = app.store.load::<Record<R>>(of.id).await?;
            let before: R = loaded.state.data()?;
            reaches(of.rows, &before)?;
            if let Some(version) = of.started_from {
                unchanged_since(version, &loaded)?;
            }
            let stored = loaded.state.document.clone().unwrap_or_default();
            let mut document = stored.clone();
            edit(&mut document);
            may_change(of.rows, &before, &diff(&stored, &document))?;
            if let RowScope::Seller(seller) = of.rows {
                document.insert("_seller".to_owned(), Value::from(seller.to_string()));
            }
            let counts = R::normalize(of.id, of.by, &mut document)?;
            to_say::<R>(app, of.id, &loaded, document, &counts, &context).await
        })
        .await
}

/// The answer of a command of many parts, whose last one is at `position`. It is kept: a repeat gets the same answer,
/// whatever is there by then.
///
/// # Errors
/// The database's.
pub(crate) async fn told_once<T: Clone + Serialize + Send + Sync>(
    app: &AppState,
    whole: &CommandContext,
    answer: T,
    position: Option<i64>,
) -> AppResult<ApiResponse<T>> {
    let mut done = app
        .executor
        .transact(whole, |_| {
            let answer = answer.clone();
            async move { AppendBatch::default().with_result(answer) }
        })
        .await?;
    done.position = position;
    Ok(done.answer(answer))
}

/// Passes if `after` may be what `before` was, whatever its own rules say: by the limits of its fields, and by what is there
/// beside it.
///
/// # Errors
/// `invalid` with the fields.
pub(crate) async fn allowed<R: AdminResource>(
    app: &AppState,
    id: &str,
    before: Option<&R>,
    after: &R,
) -> AppResult<()> {
    within_limits(before, after)?;
    check_references(app, before, after).await?;
    after.consistent(app, id, before).await
}

/// Passes if every field is within the limits its kind declares, and every address that `before` did not say is one.
///
/// # Errors
/// `invalid` with every field that is not.
fn within_limits<R: AdminResource>(before: Option<&R>, record: &R) -> AppResult<()> {
    let document = whole(record)?;
    let known = before.map(whole).transpose()?.unwrap_or_default();
    let changes = diff(&known, &document);
    let mut errors = addresses::errors(R::DESCRIPTION.fields, &document, &changes);
    complain(R::DESCRIPTION.fields, &document, "", &mut errors);
    match errors.is_empty() {
        true => Ok(()),
        false => Err(AppError::invalid(errors)),
    }
}

fn whole<R: AdminResource>(record: &R) -> AppResult<Document> {
    let document = serde_json::to_value(record)?;
    Ok(document.as_object().cloned().unwrap_or_default())
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

/// The texts of a field's value, each with its name and the most letters it may have.
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
