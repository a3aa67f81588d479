//! All faults of a row of an imported table at once: the checks are those of the form, and none hides another.

use std::collections::BTreeSet;

use domain::event::Context;
use domain::record::{Document, RecordCommand, diff};
use domain::validation::FieldError;
use event_store::Versioned;
use serde_json::{Value, json};
use uuid::Uuid;

use super::cell_format::put;
use super::import::{Batch, Plan, RowAction, taken};
use super::import_lists::in_sheet;
use super::input::belongs_to;
use super::limits::within_limits;
use super::references::check_references;
use super::schema::{Field, FieldType};
use super::{AdminResource, RecordWrite};
use crate::error::{AppError, AppResult, Code};

/// Maximum number of fields that a document is read without.
const STAND_INS_MOST: usize = 50;

/// Faults, one for each field.
#[derive(Debug, Default)]
struct Faults(Vec<FieldError>);

impl Faults {
    /// Adds the fields of a refusal; failures are returned.
    fn add(&mut self, checked: AppResult<()>) -> AppResult<()> {
        let Err(error) = checked else {
            return Ok(());
        };
        if error.is_failure() {
            return Err(error);
        }
        if error.fields().is_empty() {
            let told = FieldError::new(super::columns::ID, error.code().as_str(), error.message());
            self.blame(told);
        }
        for told in error.fields() {
            self.blame(told.clone());
        }
        Ok(())
    }

    fn blame(&mut self, error: FieldError) {
        if !self.0.iter().any(|known| known.field == error.field) {
            self.0.push(error);
        }
    }
}

impl AdminResource {
    /// Completes the faults of a row by all checks that writing it would make, without writing. `freed` are the codes that rows above
    /// release.
    ///
    /// # Errors
    /// Failures only.
    pub(super) async fn tell_faults(
        &self,
        batch: &Batch<'_>,
        plan: &mut Plan,
        freed: &mut BTreeSet<[u8; 32]>,
    ) -> AppResult<()> {
        let mut faults = Faults::default();
        for error in std::mem::take(&mut plan.outcome.errors) {
            faults.blame(error);
        }
        if !plan.is_lost {
            self.check_row(batch, plan, freed, &mut faults).await?;
        }
        let errors = faults.0.into_iter();
        plan.outcome.errors = errors
            .map(|error| in_sheet(&plan.list_rows, error))
            .collect();
        if !plan.outcome.errors.is_empty() {
            plan.outcome.action = RowAction::Error;
            plan.outcome.changes = None;
        }
        Ok(())
    }

    async fn check_row(
        &self,
        batch: &Batch<'_>,
        plan: &Plan,
        freed: &mut BTreeSet<[u8; 32]>,
        faults: &mut Faults,
    ) -> AppResult<()> {
        let (app, editor) = (batch.app, batch.editor);
        let loaded = match &plan.id {
            Some(id) => self.load(app, id).await?,
            None => Versioned::default(),
        };
        if let Some(version) = plan.started_from.filter(|_| plan.id.is_some()) {
            faults.add(self.unchanged_since(version, &loaded))?;
        }
        let stored = loaded.state.document.clone();
        let mut document = stored.clone().unwrap_or_default();
        plan.edit(&mut document);
        let (id, before) = match (&plan.id, &stored) {
            (Some(id), Some(stored)) => {
                let before = self.record.complete(stored.clone())?;
                let changes = diff(stored, &document);
                faults.add(self.may_change(editor.rows, &before, &changes))?;
                belongs_to(editor.rows, &mut document);
                (id.clone(), Some(before))
            }
            _ => {
                self.begin(editor.rows, &mut document);
                ((self.new_id)(), None)
            }
        };
        let counts = match (self.normalize)(&id, editor.member, &mut document) {
            Ok(counts) => counts,
            Err(error) => {
                faults.add(Err(error))?;
                Vec::new()
            }
        };
        let record = self
            .readable(batch, stored.as_ref(), document, faults)
            .await?;
        let Some(record) = record else {
            return Ok(());
        };
        let command = match plan.id {
            Some(_) => RecordCommand::Revise(Box::new(record.clone())),
            None => RecordCommand::Create(Box::new(record.clone())),
        };
        let decided = self.record.decide(&loaded.state, command);
        faults.add(decided.map(drop).map_err(AppError::from))?;
        faults.add(within_limits(self, before.as_ref(), &record))?;
        faults.add(check_references(app, self, before.as_ref(), &record).await)?;
        faults.add((self.consistent)(app, &id, before.as_ref(), &record).await)?;
        let context = Context {
            now: app.clock.now(),
            actor: editor.actor(),
        };
        let write = RecordWrite {
            id: &id,
            after: &record,
            counts: &counts,
            context: &context,
        };
        faults.add((self.side_effects)(app, write).await.map(drop))?;
        if let Some(before) = &before
            && faults.0.is_empty()
        {
            let revised = self
                .decide_revision(app, &id, &loaded, record.clone(), &counts, &context)
                .await;
            faults.add(revised.map(drop))?;
            faults.add(self.code_is_free(batch, before, &record, freed).await)?;
        }
        Ok(())
    }

    /// The document as its type. For a field that is missing or of another type, which is a fault, a neutral value stands in, so that the
    /// others are checked, too.
    async fn readable(
        &self,
        batch: &Batch<'_>,
        stored: Option<&Document>,
        mut document: Document,
        faults: &mut Faults,
    ) -> AppResult<Option<Document>> {
        for _ in 0..STAND_INS_MOST {
            let error = match self.acceptable(batch.app, stored, document.clone()).await {
                Ok(record) => return Ok(Some(record)),
                Err(error) => error,
            };
            let is_shape = error.code() == Code::InvalidBody;
            let field = error.fields().first().map(|told| told.field.clone());
            faults.add(Err(error))?;
            if !is_shape {
                return Ok(self.read(document).ok());
            }
            let is_read =
                field.is_some_and(|path| stand_in(self.schema.fields, &mut document, &path));
            if !is_read {
                return Ok(None);
            }
        }
        Ok(None)
    }

    /// Checks that no other record has the code of a changed one.
    async fn code_is_free(
        &self,
        batch: &Batch<'_>,
        before: &Document,
        after: &Document,
        freed: &mut BTreeSet<[u8; 32]>,
    ) -> AppResult<()> {
        let app = batch.app;
        let code = |document| self.reservation(&app.keys, document);
        let (before, after) = (code(before), code(after));
        if let Some((scope, code)) = after.filter(|after| before != Some(*after))
            && !freed.contains(&code)
            && app.store.reserved_by(scope, &code).await?.is_some()
        {
            return Err(taken(scope));
        }
        if let Some((_, code)) = before.filter(|before| after != Some(*before)) {
            freed.insert(code);
        }
        Ok(())
    }
}

/// Puts a neutral value in the place of a field, also of a row of a list (`options.0.price`); false if there is no such field.
fn stand_in(fields: &[Field], document: &mut Document, path: &str) -> bool {
    let field = fields.iter().find(|field| {
        let rest = path.strip_prefix(field.name);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    });
    let Some(field) = field else {
        return false;
    };
    let rest = path.strip_prefix(field.name).unwrap_or_default();
    if let Some((place, name)) = rest.strip_prefix('.').and_then(|rest| rest.split_once('.')) {
        let rows = document.get_mut(field.name).and_then(Value::as_array_mut);
        let row = rows.and_then(|rows| rows.get_mut(place.parse::<usize>().ok()?));
        let row = row.and_then(Value::as_object_mut);
        return row.is_some_and(|row| stand_in(field.of, row, name));
    }
    let value = match field.holds {
        FieldType::Integer | FieldType::Amount | FieldType::Percent => Some(json!(0)),
        FieldType::Boolean => Some(json!(false)),
        FieldType::Reference => Some(json!(Uuid::nil())),
        FieldType::Enum => field.values.first().map(|choice| json!(choice.value)),
        FieldType::Image => Some(json!({})),
        FieldType::Text | FieldType::Longtext | FieldType::Html => Some(json!("00")),
        _ => None,
    };
    put(document, field.name, value);
    true
}
