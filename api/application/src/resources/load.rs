//! A record read from the log rather than a read model, so never stale, with its timestamps.

use domain::record::{Document, Record, RecordEvent};
use event_store::{StoredEvent, Versioned};
use projections::records::RecordRow;
use serde_json::{Value, json};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use super::AdminResource;
use crate::access::RowScope;
use crate::app::App;
use crate::error::{AppError, AppResult};

/// A record with its events.
pub struct RecordHistory {
    resource: &'static AdminResource,
    id: String,
    /// Its events, oldest first, each with the record after it.
    pub steps: Vec<Step>,
}

/// One event of a record.
pub struct Step {
    /// As stored in the log.
    pub recorded: StoredEvent,
    /// Decoded as an event of the record.
    pub event: RecordEvent,
    /// The record after it.
    pub after: Record,
}

impl AdminResource {
    /// The record with this id as it is now; `Record::default()` if there is none.
    ///
    /// # Errors
    /// Database errors.
    pub async fn load(&self, app: &App, id: &str) -> AppResult<Versioned<Record>> {
        Ok(app.store.load_stream(&self.stream(id)).await?)
    }

    /// The record with this id and its events, also a removed one.
    ///
    /// # Errors
    /// `not_found`.
    pub async fn history(&'static self, app: &App, id: &str) -> AppResult<RecordHistory> {
        let mut record = Record::default();
        let mut steps = Vec::new();
        for recorded in app.store.read_stream(&self.stream(id)).await? {
            let event: RecordEvent = recorded.payload.read()?;
            record.evolve(event.clone());
            steps.push(Step {
                recorded,
                event,
                after: record.clone(),
            });
        }
        if steps.is_empty() {
            Err(AppError::not_found())
        } else {
            Ok(RecordHistory {
                resource: self,
                id: id.to_owned(),
                steps,
            })
        }
    }

    /// A record as the console shows it, also a removed one.
    ///
    /// # Errors
    /// `not_found`.
    pub async fn shown(&'static self, app: &App, id: &str) -> AppResult<Document> {
        self.history(app, id).await?.shown(app).await
    }

    /// A record within these rows as the console shows it.
    ///
    /// # Errors
    /// `access_denied`; `not_found`, also for records of others and removed ones.
    pub async fn find(&'static self, app: &App, rows: RowScope, id: &str) -> AppResult<Document> {
        let rows = self.may_see(rows)?;
        let record = self.history(app, id).await?;
        let document = record.last()?.after.live()?.clone();
        self.reaches(rows, &self.record.complete(document)?)?;
        record.shown(app).await
    }

    /// All events of a record within these rows, also of a removed one.
    ///
    /// # Errors
    /// `access_denied`; `not_found`.
    pub async fn past(
        &'static self,
        app: &App,
        rows: RowScope,
        id: &str,
    ) -> AppResult<RecordHistory> {
        self.may_keep(rows)?;
        let record = self.history(app, id).await?;
        self.reaches(rows, &record.document()?)?;
        Ok(record)
    }
}

impl RecordHistory {
    fn last(&self) -> AppResult<&Step> {
        self.steps.last().ok_or_else(AppError::not_found)
    }

    /// The whole document now, or before the record was removed.
    fn document(&self) -> AppResult<Document> {
        let document = self.last()?.after.document.clone();
        self.resource.read(document.unwrap_or_default())
    }

    async fn shown(&self, app: &App) -> AppResult<Document> {
        let last = self.last()?;
        let whole = self.document()?;
        let extras = (self.resource.enrich_one)(app, &self.id, &whole).await?;
        let mut shown = last.after.document.clone().unwrap_or_default();
        shown.retain(|field, _| !self.resource.sealed.contains(&field.as_str()));
        shown.extend(extras);
        let first = self.steps.first().unwrap_or(last);
        let times = [
            moment(first.recorded.metadata.occurred_at)?,
            moment(last.recorded.metadata.occurred_at)?,
        ];
        label(
            &mut shown,
            &self.id,
            last.recorded.version,
            times,
            last.after.removed,
        );
        Ok(shown)
    }
}

/// A row as lists show it.
///
/// # Errors
/// Never for times of this age.
pub fn listed(row: RecordRow) -> AppResult<Document> {
    let times = [moment(row.created_at)?, moment(row.updated_at)?];
    let mut shown = row.data;
    label(&mut shown, &row.id, row.version, times, row.removed);
    Ok(shown)
}

/// A time on the wire.
///
/// # Errors
/// Never for times of this age.
pub fn moment(at: OffsetDateTime) -> AppResult<String> {
    at.format(&Rfc3339).map_err(AppError::internal)
}

/// Adds the fields that every record shows besides its own.
fn label(
    shown: &mut Document,
    id: &str,
    version: impl Into<Value>,
    [created, updated]: [String; 2],
    removed: bool,
) {
    shown.insert("_id".to_owned(), json!(id));
    shown.insert("version".to_owned(), version.into());
    shown.insert("createdAt".to_owned(), json!(created));
    shown.insert("updatedAt".to_owned(), json!(updated));
    shown.insert("removed".to_owned(), json!(removed));
}
