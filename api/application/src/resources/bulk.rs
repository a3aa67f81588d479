//! Bulk actions on records: remove, change or restore, each record with its own append. Rejected records are reported; the others are
//! processed.

use std::collections::{BTreeMap, BTreeSet};

use domain::forms::{FormErrors, SHORT_TEXT, Validate};
use domain::record::Document;
use domain::validation::FieldError;
use projections::record_lists::narrowed_ids_behind;
use serde::Deserialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::AdminResource;
use super::cell_format::put;
use super::list_query::{Pairs, SEARCH};
use super::parts::{BulkOutcome, PART_ASKED, failed, first_part, keep_answer, part};
use super::write::Edit;
use crate::access::{Editor, RowScope};
use crate::app::App;
use crate::error::{AppError, AppResult, Code};
use crate::executor::{CommandContext, CommandOutcome, RequestOrigin};

/// Maximum number of records named in a call.
pub const ROWS_MOST: usize = 1_000;
/// Action of a bulk request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum BulkAction {
    /// Mark them as removed.
    Delete,
    /// Change some of their fields.
    Update,
    /// Restore them unchanged.
    Restore,
}

/// All records that match a list's search and filters.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Matching {
    /// The search term.
    pub search_value: Option<String>,
    /// The filters, as in the list's query, e.g. `{ "area": "jeju" }`.
    pub filters: BTreeMap<String, Value>,
}

/// A bulk request: records, and the action on them.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BulkRequest {
    /// The action.
    pub action: BulkAction,
    /// For `update`: field name (dotted) to value.
    #[schema(value_type = Option<Object>)]
    pub fields: Option<Document>,
    /// The ids of the records.
    pub ids: Option<Vec<String>>,
    /// Alternatively, all records that match; processed in batches by id.
    pub matching: Option<Matching>,
    /// With `matching`: only records after this id, the `next` of the previous response.
    pub after: Option<String>,
    /// The reason.
    pub reason: Option<String>,
}

impl Validate for BulkRequest {
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

impl AdminResource {
    /// Changes, removes or restores records; the result is a [`BulkOutcome`].
    ///
    /// # Errors
    /// `invalid`, `invalid_query`, `access_denied`, `idempotency_key_reused`.
    pub async fn bulk(
        &self,
        app: &App,
        editor: Editor,
        origin: &RequestOrigin,
        many: BulkRequest,
    ) -> AppResult<CommandOutcome> {
        self.may_keep(editor.rows)?;
        let name = match many.action {
            BulkAction::Delete => self.commands.remove,
            BulkAction::Update => self.commands.revise,
            BulkAction::Restore => self.commands.restore,
        };
        let whole = CommandContext::new(name, editor.actor(), origin);
        if let Some(done) = app.executor.stored_outcome(&whole).await? {
            return Ok(done);
        }
        let fields = many.fields.unwrap_or_default();
        self.check_changeable(&fields)?;
        let (ids, next) = match (many.ids, many.matching) {
            (Some(ids), _) => {
                let mut seen = BTreeSet::new();
                let once = ids.into_iter().filter(|id| seen.insert(id.clone()));
                (once.collect(), None)
            }
            (None, matching) => {
                let after = many.after.unwrap_or_default();
                let matching = matching.unwrap_or_default();
                first_part(self.matched(app, editor.rows, matching, &after).await?)
            }
        };
        let mut outcome = BulkOutcome {
            next,
            ..BulkOutcome::default()
        };
        let mut position = None;
        for id in ids {
            let command = CommandContext::new(name, editor.actor(), &part(origin, &id));
            let command = match &many.reason {
                Some(reason) => command.with_reason(reason),
                None => command,
            };
            let done = match many.action {
                BulkAction::Delete => self.remove(app, &command, editor.rows, &id).await,
                BulkAction::Restore => self.restore(app, &command, editor.rows, &id, None).await,
                BulkAction::Update => {
                    let of = Edit {
                        by: editor.member,
                        rows: editor.rows,
                        id: &id,
                        started_from: None,
                    };
                    let edit = |document: &mut Document| {
                        for (field, value) in &fields {
                            put(document, field, Some(value.clone()));
                        }
                    };
                    self.edit(app, &command, of, &edit).await
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
        keep_answer(app, &whole, outcome, position).await
    }

    /// Checks that all of these fields may be changed by users.
    fn check_changeable(&self, fields: &Document) -> AppResult<()> {
        let said = &self.schema;
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

    async fn matched(
        &self,
        app: &App,
        rows: RowScope,
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
        let query = self.list_query(app, rows, &pairs).await?;
        if !after.is_empty() && !self.source.may_have(after) {
            let error = FieldError::new("after", "type", "형식이 올바르지 않습니다.");
            return Err(AppError::invalid(vec![error]));
        }
        Ok(narrowed_ids_behind(app.pool(), &query, after, PART_ASKED).await?)
    }
}
