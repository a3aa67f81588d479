//! The write path shared by all changes of records: single, bulk, and import.

use domain::event::Context;
use domain::forms::{FormErrors, Validate};
use domain::ids::MemberId;
use domain::record::{Document, Record, RecordCommand, diff};
use event_store::Versioned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::input::{Count, Draft, belongs_to};
use super::limits::within_limits;
use super::references::check_references;
use super::{AdminResource, RecordWrite};
use crate::access::{Editor, RowScope};
use crate::app::App;
use crate::error::{AppError, AppResult, Code};
use crate::executor::{AppendBatch, CommandContext, CommandOutcome};
use crate::html::clean_fields;

/// Stored result, returned when the idempotency key is replayed.
#[derive(Serialize, Deserialize)]
pub(super) struct CreateResult {
    /// Id of the created record.
    pub id: String,
}

/// The edited record, its editor, and the version they started from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edit<'a> {
    /// The editor.
    pub by: MemberId,
    /// The rows the editor may change.
    pub rows: RowScope,
    /// Id of the record.
    pub id: &'a str,
    /// The version they saw; none for the current one.
    pub started_from: Option<u64>,
}

/// An earlier document.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
pub struct RestoreRequest {
    /// The version with that document.
    pub version: u64,
}

impl Validate for RestoreRequest {
    fn check(&self, checks: &mut FormErrors) {
        checks.when(
            self.version >= 1,
            "version",
            "too_small",
            "되돌릴 버전을 선택해 주세요.",
        );
    }
}

impl RestoreRequest {
    /// Checks that this version exists in a record at version `now`.
    ///
    /// # Errors
    /// `invalid` with the field.
    pub fn within(self, now: u64) -> AppResult<()> {
        if self.version <= now {
            return Ok(());
        }
        Err(AppError::invalid_field(
            "version",
            "unknown",
            "그런 버전이 없습니다. 이력을 다시 열어 주세요.",
        ))
    }
}

impl AdminResource {
    /// Creates a record, with its side effects in the same append; returns its id.
    ///
    /// # Errors
    /// `access_denied`; `invalid` with every invalid field; `code_taken`.
    pub async fn create(
        &self,
        app: &App,
        command: &CommandContext,
        editor: Editor,
        draft: Draft,
    ) -> AppResult<(String, CommandOutcome)> {
        self.may_keep(editor.rows)?;
        let mut fields = draft.0;
        self.begin(editor.rows, &mut fields);
        let id = (self.new_id)();
        let counts = (self.normalize)(&id, editor.member, &mut fields)?;
        let record = self.acceptable(app, None, fields).await?;
        let (id, counts, record) = (&id, &counts, &record);
        let done = app
            .executor
            .transact(command, |context| async move {
                let loaded = self.load(app, id).await?;
                let command = RecordCommand::Create(Box::new(record.clone()));
                let write = RecordWrite {
                    id,
                    after: record,
                    counts,
                    context: &context,
                };
                let batch = self.decide(app, &loaded, command, write).await?;
                batch.with_result(CreateResult { id: id.clone() })
            })
            .await?;
        let CreateResult { id } = done.result()?;
        Ok((id, done))
    }

    /// Changes fields of a record; omitted fields stay unchanged. A record may be sent back as it was returned: its derived fields (stock,
    /// timestamps, owner) change nothing.
    ///
    /// # Errors
    /// `access_denied`, `invalid`, `not_found`, `version_conflict` with both versions, `code_taken`.
    pub async fn revise(
        &self,
        app: &App,
        command: &CommandContext,
        editor: Editor,
        id: &str,
        mut draft: Draft,
    ) -> AppResult<CommandOutcome> {
        self.may_keep(editor.rows)?;
        let started_from = draft.version()?;
        belongs_to(editor.rows, &mut draft.0);
        let of = Edit {
            by: editor.member,
            rows: editor.rows,
            id,
            started_from: Some(started_from),
        };
        self.edit(app, command, of, &|document| {
            document.extend(draft.0.clone())
        })
        .await
    }

    /// Changes a record: `edit` derives the new document from the present one.
    ///
    /// # Errors
    /// `invalid`, `not_found`, `version_conflict`, `code_taken`.
    pub(super) async fn edit(
        &self,
        app: &App,
        command: &CommandContext,
        of: Edit<'_>,
        edit: &(dyn Fn(&mut Document) + Sync),
    ) -> AppResult<CommandOutcome> {
        self.edit_with_result(app, command, of, &|document| {
            edit(document);
            Ok(Value::Null)
        })
        .await
    }

    /// As [`AdminResource::edit`]; `edit` may refuse, and returns the result to store with the command.
    ///
    /// # Errors
    /// Errors of `edit`; as [`AdminResource::edit`].
    pub(super) async fn edit_with_result(
        &self,
        app: &App,
        command: &CommandContext,
        of: Edit<'_>,
        edit: &(dyn Fn(&mut Document) -> AppResult<Value> + Sync),
    ) -> AppResult<CommandOutcome> {
        app.executor
            .transact(command, |context| async move {
                let loaded = self.load(app, of.id).await?;
                let stored = loaded.state.live()?;
                let before = self.record.complete(stored.clone())?;
                self.reaches(of.rows, &before)?;
                if let Some(version) = of.started_from {
                    self.unchanged_since(version, &loaded)?;
                }
                let mut document = stored.clone();
                let result = edit(&mut document)?;
                (self.seal_input)(app, &before, &mut document).await?;
                self.may_change(of.rows, &before, &diff(stored, &document))?;
                belongs_to(of.rows, &mut document);
                let counts = (self.normalize)(of.id, of.by, &mut document)?;
                let batch = self
                    .decide_revision(app, of.id, &loaded, document, &counts, &context)
                    .await?;
                batch.with_result(result)
            })
            .await
    }

    /// Marks a record as removed.
    ///
    /// # Errors
    /// `access_denied`, `not_found`; `in_use` while an aggregate or a policy uses it.
    pub async fn remove(
        &self,
        app: &App,
        command: &CommandContext,
        rows: RowScope,
        id: &str,
    ) -> AppResult<CommandOutcome> {
        self.may_keep(rows)?;
        self.may_remove(rows)?;
        app.executor
            .transact(command, |_| async move {
                let loaded = self.load(app, id).await?;
                let before = self.record.complete(loaded.state.live()?.clone())?;
                self.reaches(rows, &before)?;
                let append = self.append(id, &loaded, RecordCommand::Remove)?;
                if let Some(why) = (self.removal_blocker)(app, id, &before).await? {
                    return Err(AppError::new(Code::InUse).saying(why));
                }
                let batch = AppendBatch::of([append]);
                Ok(match self.reservation(&app.keys, &before) {
                    Some((scope, code)) => batch.release(scope, code, id),
                    None => batch,
                })
            })
            .await
    }

    /// Restores an earlier document of a record, and the record itself if it was removed; by default the document it was removed with. The
    /// document has to satisfy the current rules: documents of older rules or limits, or with references that no longer exist, are
    /// rejected.
    ///
    /// # Errors
    /// `access_denied`, `not_found`, `invalid` with every field that is not valid now, `code_taken`.
    pub async fn restore(
        &self,
        app: &App,
        command: &CommandContext,
        rows: RowScope,
        id: &str,
        earlier: Option<RestoreRequest>,
    ) -> AppResult<CommandOutcome> {
        self.may_keep(rows)?;
        app.executor
            .transact(command, |context| async move {
                let loaded = self.load(app, id).await?;
                let now = loaded.state.document.as_ref();
                let now = now.ok_or_else(AppError::not_found)?;
                self.reaches(rows, &self.read(now.clone())?)?;
                if loaded.state.removed {
                    self.may_remove(rows)?;
                }
                let earlier = earlier.unwrap_or(RestoreRequest {
                    version: loaded.version,
                });
                earlier.within(loaded.version)?;
                let mut document = self.document_at(app, id, earlier.version).await?;
                if let Some(changeable) = (self.changeable)(rows) {
                    // Members' texts are not restored: only fields that may be changed with these rows.
                    document.retain(|field, _| changeable.contains(&field.as_str()));
                    document = now.clone().into_iter().chain(document).collect();
                }
                clean_fields(&mut document, &self.schema.html());
                let back = self.acceptable(app, None, document.clone()).await?;
                self.reaches(rows, &back)?;
                let command = RecordCommand::Restore(document);
                let write = RecordWrite {
                    id,
                    after: &back,
                    counts: &[],
                    context: &context,
                };
                self.decide(app, &loaded, command, write).await
            })
            .await
    }

    /// The document of a record at a version.
    async fn document_at(&self, app: &App, id: &str, version: u64) -> AppResult<Document> {
        let mut record: Record = Record::default();
        for recorded in app.store.read_stream(&self.stream(id)).await? {
            if recorded.version <= version {
                record.evolve(recorded.payload.read()?);
            }
        }
        record.document.ok_or_else(AppError::not_found)
    }

    /// Checks that the record still has the version that the form started from.
    pub(super) fn unchanged_since(
        &self,
        started_from: u64,
        loaded: &Versioned<Record>,
    ) -> AppResult<()> {
        if started_from == loaded.version {
            return Ok(());
        }
        let mut told = loaded.state.document.clone().unwrap_or_default();
        told.retain(|field, _| !self.sealed.contains(&field.as_str()));
        let details = json!({ "sent": started_from, "version": loaded.version, "current": told });
        Err(AppError::new(Code::VersionConflict).with_details(details))
    }

    /// Decides the change of `loaded` to `document`.
    ///
    /// # Errors
    /// `invalid`, `not_found`.
    pub(super) async fn decide_revision(
        &self,
        app: &App,
        id: &str,
        loaded: &Versioned<Record>,
        document: Document,
        counts: &[Count],
        context: &Context,
    ) -> AppResult<AppendBatch> {
        let stored = loaded.state.document.as_ref();
        let after = self.acceptable(app, stored, document).await?;
        let command = RecordCommand::Revise(Box::new(after.clone()));
        let write = RecordWrite {
            id,
            after: &after,
            counts,
            context,
        };
        self.decide(app, loaded, command, write).await
    }

    /// Decides `command`, which changes `loaded` to the new document: the only place for the checks before a document is written, whether
    /// it is new, changed or restored.
    ///
    /// # Errors
    /// `invalid`, `not_found`.
    async fn decide(
        &self,
        app: &App,
        loaded: &Versioned<Record>,
        command: RecordCommand<Document>,
        write: RecordWrite<'_>,
    ) -> AppResult<AppendBatch> {
        let RecordWrite { id, after, .. } = write;
        let before = match loaded.state.live() {
            Ok(stored) => Some(self.record.complete(stored.clone())?),
            Err(_) => None,
        };
        let append = self.append(id, loaded, command)?;
        self.allowed(app, id, before.as_ref(), after).await?;
        let mut batch = AppendBatch::of((self.side_effects)(app, write).await?);
        batch.append(append);
        let reserved = self.reservation(&app.keys, after);
        let held = before
            .as_ref()
            .and_then(|before| self.reservation(&app.keys, before));
        if let Some(before) = before
            .as_ref()
            .filter(|_| self.named_by_code && held != reserved)
            && let Some(why) = (self.removal_blocker)(app, id, before).await?
        {
            // References by the old code would no longer find it.
            return Err(AppError::invalid_field("code", "in_use", &why));
        }
        Ok(match (held, reserved) {
            (Some((_, old)), Some((_, new))) if old == new => batch,
            (Some((scope, old)), Some((_, new))) => {
                batch.release(scope, old, id).reserve(scope, new, id)
            }
            (None, Some((scope, new))) => batch.reserve(scope, new, id),
            (_, None) => batch,
        })
    }

    /// Checks the rules that depend on more than the document itself: limits of changed fields, references, and consistency with other
    /// records.
    ///
    /// # Errors
    /// `invalid` with the fields.
    pub(super) async fn allowed(
        &self,
        app: &App,
        id: &str,
        before: Option<&Document>,
        after: &Document,
    ) -> AppResult<()> {
        within_limits(self, before, after)?;
        check_references(app, self, before, after).await?;
        (self.consistent)(app, id, before, after).await
    }
}
