//! POST bulk: removes, changes or brings back many records, each with an append of its own. What refuses is told, the rest is done.

use application::executor::RequestOrigin;
use std::collections::{BTreeMap, BTreeSet};

use axum::extract::State;
use domain::forms::{FormErrors, SHORT_TEXT, Validate};
use domain::record::Document;
use domain::validation::FieldError;
use projections::record_lists::narrowed_ids_behind;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::cell_format::put;
use super::input::{asking, may_keep};
use super::kinds::AdminResource;
use super::list_query::{Pairs, SEARCH, list_query};
use super::restore::restore_one;
use super::write::{Edit, edit_one, remove_one, told_once};
use crate::app::AppState;
use crate::http::{
    ApiResponse, ApiResult, AppError, AppResult, Code, Respond, StaffOrSeller, ValidJson,
};
use application::executor::CommandContext;

/// Records a call may name at most.
pub const ROWS_MOST: usize = 1_000;
/// What matches is done so many at a time: about a second's work, so that whoever waits sees it go on.
const PART: usize = 50;
/// One more tells that there are more.
pub(crate) const PART_ASKED: i64 = 51;

/// What to do with them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum BulkAction {
    /// Mark them as removed.
    Delete,
    /// Change some fields of theirs.
    Update,
    /// Bring them back as they were removed.
    Restore,
}

/// All that a list shows.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Matching {
    /// What is searched for.
    pub search_value: Option<String>,
    /// The filters as the list's query has them, e.g. `{ "area": "jeju" }`.
    pub filters: BTreeMap<String, Value>,
}

/// Many records, and what to do with them.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Many {
    /// What to do.
    pub action: BulkAction,
    /// For `update`: field name (dotted) to value.
    #[schema(value_type = Option<Object>)]
    pub fields: Option<Document>,
    /// These records.
    pub ids: Option<Vec<String>>,
    /// Or all of these, a part at a time in the order of their ids.
    pub matching: Option<Matching>,
    /// With `matching`: only those behind this id, `next` of the answer before.
    pub after: Option<String>,
    /// Why.
    pub reason: Option<String>,
}

impl Validate for Many {
    fn check(&self, checks: &mut FormErrors) {
        let one_way = self.ids.is_some() != self.matching.is_some();
        let changes = self
            .fields
            .as_ref()
            .is_some_and(|fields| !fields.is_empty());
        let few = self.ids.as_ref().is_none_or(|ids| ids.len() <= ROWS_MOST);
        checks
            .when(one_way, "ids", "required", "대상을 선택해 주세요.")
            .when(few, "ids", "too_many", TOO_MANY)
            .when(
                changes || self.action != BulkAction::Update,
                "fields",
                "required",
                "변경할 항목을 입력해 주세요.",
            )
            .optional("reason", self.reason.as_deref(), SHORT_TEXT);
    }
}

const TOO_MANY: &str = "한 번에 1,000건까지 처리할 수 있습니다. 조건을 좁혀 주세요.";

/// A record that was not changed, and why.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct BulkFailure {
    /// Which one.
    pub id: String,
    /// The code of the refusal.
    pub code: String,
    /// What a person is told.
    pub message: String,
}

/// What became of them, or of a part of them.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
pub struct Outcome {
    /// Those that were done, by their ids (purchases: numbers).
    pub done: Vec<String>,
    /// Those that were not.
    pub failed: Vec<BulkFailure>,
    /// Behind which of them it goes on; none: that was all.
    pub next: Option<String>,
}

/// Change or remove many records.
///
/// # Errors
/// `invalid`, `invalid_query`, `access_denied`, `idempotency_key_reused`.
pub(crate) async fn bulk<R: AdminResource>(
    State(app): State<AppState>,
    who: StaffOrSeller,
    ValidJson { body, origin }: ValidJson<Many>,
) -> ApiResult<ApiResponse<Outcome>> {
    may_keep::<R>(&who)?;
    let name = match body.action {
        BulkAction::Delete => R::COMMANDS.remove,
        BulkAction::Update => R::COMMANDS.revise,
        BulkAction::Restore => R::COMMANDS.restore,
    };
    let whole = CommandContext::new(name, who.actor(), &origin);
    if let Some(done) = app.executor.stored_outcome(&whole).await? {
        return Ok(done.answer(done.result()?));
    }
    let fields = body.fields.unwrap_or_default();
    changeable::<R>(&fields)?;
    let (ids, next) = match (body.ids, body.matching) {
        (Some(ids), _) => {
            let mut seen = BTreeSet::new();
            let once = ids.into_iter().filter(|id| seen.insert(id.clone()));
            (once.collect(), None)
        }
        (None, matching) => {
            let after = body.after.unwrap_or_default();
            first_part(matched::<R>(&app, &who, matching.unwrap_or_default(), &after).await?)
        }
    };
    let mut outcome = Outcome {
        next,
        ..Outcome::default()
    };
    let mut position = None;
    for id in ids {
        let command = CommandContext::new(name, who.actor(), &part(&origin, &id));
        let command = match &body.reason {
            Some(reason) => command.with_reason(reason),
            None => command,
        };
        let done = match body.action {
            BulkAction::Delete => remove_one::<R>(&app, &command, who.rows, &id).await,
            BulkAction::Restore => restore_one::<R>(&app, &command, who.rows, &id, None).await,
            BulkAction::Update => {
                let of = Edit {
                    by: asking(&who),
                    rows: who.rows,
                    id: &id,
                    started_from: None,
                };
                let edit = |document: &mut Document| {
                    for (field, value) in &fields {
                        put(document, field, Some(value.clone()));
                    }
                };
                edit_one::<R>(&app, &command, of, edit).await
            }
        };
        match done {
            Ok(done) => {
                position = position.max(done.position);
                outcome.done.push(id);
            }
            Err(error) => outcome.failed.push(failed(id, &error)),
        }
    }
    Ok(told_once(&app, &whole, outcome, position).await?)
}

/// The part that is done now, and where it goes on.
pub(crate) fn first_part(mut found: Vec<String>) -> (Vec<String>, Option<String>) {
    let more = found.len() > PART;
    found.truncate(PART);
    let next = found.last().filter(|_| more).cloned();
    (found, next)
}

/// One record's part of a command: done once, also if the whole was broken off and is sent again.
pub(crate) fn part(origin: &RequestOrigin, of: &str) -> RequestOrigin {
    RequestOrigin {
        key: origin.key.as_ref().map(|key| format!("{key}/{of}")),
        ..origin.clone()
    }
}

/// What a person is told of a refusal.
pub(crate) fn failed(id: String, error: &AppError) -> BulkFailure {
    let field = error.fields().first();
    BulkFailure {
        id,
        code: error.code().as_str().to_owned(),
        message: field.map_or_else(|| error.message().to_owned(), |field| field.message.clone()),
    }
}

/// Passes if people may change all of these.
fn changeable<R: AdminResource>(fields: &Document) -> AppResult<()> {
    let said = R::DESCRIPTION;
    let unknown: Vec<FieldError> = fields
        .keys()
        .filter(|name| said.field(name).is_none_or(|field| field.read_only))
        .map(|name| {
            FieldError::new(
                format!("fields.{name}"),
                "unknown_field",
                "변경할 수 없는 항목입니다.",
            )
        })
        .collect();
    match unknown.is_empty() {
        true => Ok(()),
        false => Err(AppError::invalid(unknown)),
    }
}

async fn matched<R: AdminResource>(
    app: &AppState,
    who: &StaffOrSeller,
    matching: Matching,
    after: &str,
) -> AppResult<Vec<String>> {
    let mut pairs: Pairs = Vec::new();
    for (name, value) in matching.filters {
        let text = match value {
            Value::String(text) => text,
            Value::Number(number) => number.to_string(),
            Value::Bool(yes) => yes.to_string(),
            Value::Null | Value::Array(_) | Value::Object(_) => {
                let error = FieldError::new(name, "type", "형식이 올바르지 않습니다.");
                return Err(AppError::new(Code::InvalidQuery).with_fields(vec![error]));
            }
        };
        pairs.push((name, text));
    }
    pairs.extend(matching.search_value.map(|text| (SEARCH.to_owned(), text)));
    let query = list_query::<R>(app, who.rows, &pairs).await?;
    if !after.is_empty() && !R::SOURCE.may_have(after) {
        let error = FieldError::new("after", "type", "형식이 올바르지 않습니다.");
        return Err(AppError::invalid(vec![error]));
    }
    Ok(narrowed_ids_behind(app.pool(), &query, after, PART_ASKED).await?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_goes_on_behind_the_last_one_while_there_are_more() {
        let found = |n: usize| -> Vec<String> { (1..=n).map(|no| format!("{no:03}")).collect() };
        for (asked, done, next) in [
            (0, 0, None),
            (PART, PART, None),
            (PART + 1, PART, Some("050")),
        ] {
            let (part, on) = first_part(found(asked));
            assert_eq!((part.len(), on.as_deref()), (done, next), "{asked}");
        }
    }
}
