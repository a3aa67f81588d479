//! POST bulk: removes, changes or brings back many records, each with an append of its own. What refuses is told, the rest is done.

use std::collections::{BTreeMap, BTreeSet};

use axum::extract::State;
use domain::forms::{Checks, Form, SHORT_TEXT};
use domain::record::{Document, FieldError};
use projections::records::narrowed_ids;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::cells::put;
use super::change::{Edit, edit_one, remove_one, told_once};
use super::draft::{asking, may_keep};
use super::kinds::Kept;
use super::restore::restore_one;
use super::wanted::{Pairs, SEARCH, wanted};
use crate::app::AppState;
use crate::commands::Command;
use crate::http::{Answer, ApiError, ApiResult, Asked, Code, ConsoleOrCompany, Origin};

/// Records of one call at most.
pub const ROWS_MOST: usize = 1_000;

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
    /// Or all of these.
    pub matching: Option<Matching>,
    /// Why.
    pub reason: Option<String>,
}

impl Form for Many {
    fn check(&self, checks: &mut Checks) {
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

/// A record that stayed as it was, and why.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Failed {
    /// Which one.
    pub id: String,
    /// The code of the refusal.
    pub code: String,
    /// What a person is told.
    pub message: String,
}

/// What became of them.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
pub struct Outcome {
    /// How many were done.
    pub done: usize,
    /// Those that were not.
    pub failed: Vec<Failed>,
}

/// Change or remove many records.
///
/// # Errors
/// `invalid`, `invalid_query`, `access_denied`, `idempotency_key_reused`.
pub(crate) async fn bulk<R: Kept>(
    State(app): State<AppState>,
    who: ConsoleOrCompany,
    Asked { body, origin }: Asked<Many>,
) -> ApiResult<Answer<Outcome>> {
    may_keep::<R>(&who)?;
    let name = match body.action {
        BulkAction::Delete => R::COMMANDS.remove,
        BulkAction::Update => R::COMMANDS.revise,
        BulkAction::Restore => R::COMMANDS.restore,
    };
    let whole = Command::new(name, who.actor(), &origin);
    if let Some(done) = app.commander.done_already(&whole).await? {
        return Ok(done.answer(done.result()?));
    }
    let fields = body.fields.unwrap_or_default();
    changeable::<R>(&fields)?;
    let ids = match (body.ids, body.matching) {
        (Some(ids), _) => {
            let mut seen = BTreeSet::new();
            ids.into_iter()
                .filter(|id| seen.insert(id.clone()))
                .collect()
        }
        (None, matching) => matched::<R>(&app, &who, matching.unwrap_or_default()).await?,
    };
    let mut outcome = Outcome::default();
    let mut position = None;
    for id in ids {
        let command = Command::new(name, who.actor(), &part(&origin, &id));
        let command = match &body.reason {
            Some(reason) => command.because(reason),
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
                outcome.done = outcome.done.saturating_add(1);
                position = position.max(done.position);
            }
            Err(error) => outcome.failed.push(failed(id, &error)),
        }
    }
    told_once(&app, &whole, outcome, position).await
}

/// One record's part of a command: done once, also if the whole was broken off and is sent again.
pub(crate) fn part(origin: &Origin, of: &str) -> Origin {
    Origin {
        key: origin.key.as_ref().map(|key| format!("{key}/{of}")),
        ..origin.clone()
    }
}

/// What a person is told of a refusal.
pub(crate) fn failed(id: String, error: &ApiError) -> Failed {
    let field = error.fields().first();
    Failed {
        id,
        code: error.code().as_str().to_owned(),
        message: field.map_or_else(|| error.message().to_owned(), |field| field.message.clone()),
    }
}

/// Passes if people may change all of these.
fn changeable<R: Kept>(fields: &Document) -> ApiResult<()> {
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
        false => Err(ApiError::invalid(unknown)),
    }
}

async fn matched<R: Kept>(
    app: &AppState,
    who: &ConsoleOrCompany,
    matching: Matching,
) -> ApiResult<Vec<String>> {
    let mut pairs: Pairs = Vec::new();
    for (name, value) in matching.filters {
        let text = match value {
            Value::String(text) => text,
            Value::Number(number) => number.to_string(),
            Value::Bool(yes) => yes.to_string(),
            Value::Null | Value::Array(_) | Value::Object(_) => {
                let error = FieldError::new(name, "type", "형식이 올바르지 않습니다.");
                return Err(ApiError::new(Code::InvalidQuery).with_fields(vec![error]));
            }
        };
        pairs.push((name, text));
    }
    pairs.extend(matching.search_value.map(|text| (SEARCH.to_owned(), text)));
    let wanted = wanted::<R>(app, who.rows, &pairs).await?;
    let most = i64::try_from(ROWS_MOST).map_err(ApiError::internal)? + 1;
    let ids = narrowed_ids(app.pool(), &wanted, most).await?;
    if ids.len() > ROWS_MOST {
        return Err(ApiError::invalid_field("matching", "too_many", TOO_MANY));
    }
    Ok(ids)
}
