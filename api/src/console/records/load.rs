//! A record read from the log rather than a read model, so never stale, with its timestamps.

use domain::record::{Document, Record, RecordEvent};
use event_store::{StoredEvent, StreamId};
use serde_json::{Value, json};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use super::kinds::AdminResource;
use crate::app::AppState;
use crate::http::{AppError, AppResult};

/// A record with its events.
pub struct RecordHistory<R: AdminResource> {
    /// Its events, oldest first, each with the record after it.
    pub steps: Vec<Step<R>>,
}

/// One event of a record.
pub struct Step<R: AdminResource> {
    /// As it is in the log.
    pub recorded: StoredEvent,
    /// As the record knows it.
    pub event: RecordEvent<R>,
    /// The record after it.
    pub after: Record<R>,
}

/// The record with this id, also a removed one.
///
/// # Errors
/// `not_found`.
pub(crate) async fn stored<R: AdminResource>(
    app: &AppState,
    id: &str,
) -> AppResult<RecordHistory<R>> {
    let stream = StreamId::of::<Record<R>>(id);
    let mut record = Record::<R>::default();
    let mut steps = Vec::new();
    for recorded in app.store.read_stream(&stream).await? {
        let event = recorded.event::<Record<R>>()?;
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
        Ok(RecordHistory { steps })
    }
}

impl<R: AdminResource> RecordHistory<R> {
    fn last(&self) -> AppResult<&Step<R>> {
        self.steps.last().ok_or_else(AppError::not_found)
    }

    /// The record now, unless it was removed.
    ///
    /// # Errors
    /// `not_found`.
    pub fn live(&self) -> AppResult<R> {
        Ok(self.last()?.after.data()?)
    }

    /// The record now or before it was removed: whose it was.
    ///
    /// # Errors
    /// `not_found`.
    pub fn data(&self) -> AppResult<R> {
        let document = self.last()?.after.document.clone().unwrap_or_default();
        super::input::record_of(document)
    }

    /// As the console shows it.
    ///
    /// # Errors
    /// The database's.
    pub async fn shown(&self, app: &AppState, id: &str) -> AppResult<Document> {
        let last = self.last()?;
        let mut shown = self.data()?.enrich_one(app, id).await?;
        let mut document = last.after.document.clone().unwrap_or_default();
        document.retain(|field, _| !R::SEALED.contains(&field.as_str()));
        shown.extend(document);
        let first = self.steps.first().unwrap_or(last);
        label(
            &mut shown,
            id,
            last.recorded.version,
            times(first, last)?,
            last.after.removed,
        );
        Ok(shown)
    }
}

fn times<R: AdminResource>(first: &Step<R>, last: &Step<R>) -> AppResult<[String; 2]> {
    Ok([
        moment(first.recorded.metadata.occurred_at)?,
        moment(last.recorded.metadata.occurred_at)?,
    ])
}

/// A time on the wire.
///
/// # Errors
/// Never for times of this age.
pub fn moment(at: OffsetDateTime) -> AppResult<String> {
    at.format(&Rfc3339).map_err(AppError::internal)
}

/// Adds what every record shows beside its own fields.
pub fn label(
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

/// One thing under its name.
pub fn named(name: &str, thing: impl Into<Value>) -> Document {
    Document::from_iter([(name.to_owned(), thing.into())])
}
