//! Records: documents people edit (products, levels, coupons, ...). One aggregate serves all of them.
//!
//! A [`Resource`] says what its document looks like and when it is valid; [`Record`] gives it events, history, diff and restore.
//! Events carry the document as JSON, so that fields a build does not know survive it; deciding always goes through the typed form.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::marker::PhantomData;

use cqrs_es::event_sink::EventSink;
use cqrs_es::{Aggregate, DomainEvent};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::event::{Context, Decider, EventNames};
use crate::money::Amount;
use crate::rounding::RoundingStep;
use crate::validation::RecordErrors;

/// A document: field name to value, names as on the wire.
pub type Document = Map<String, Value>;

/// What is wrong with one field, for a form to show.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FieldError {
    /// Path on the wire, e.g. `options.0.price`.
    pub field: String,
    /// Stable code, e.g. `too_short`.
    pub code: String,
    /// Korean prompt (spec V149).
    pub message: String,
}

impl FieldError {
    /// One complaint.
    pub fn new(field: impl Into<String>, code: &str, message: &str) -> Self {
        Self {
            field: field.into(),
            code: code.to_owned(),
            message: message.to_owned(),
        }
    }
}

/// A kind of document.
pub trait Resource: Debug + Clone + PartialEq + Send + Sync + 'static {
    /// Stream kind, e.g. `product`.
    const KIND: &'static str;
    /// Name in event types, e.g. `Product`.
    const NAME: &'static str;
    /// Stored event types: created, revised, removed. Use [`resource_names!`](crate::resource_names).
    const EVENT_TYPES: [&'static str; 3];
    /// Version of the stored events.
    const VERSION: &'static str = "1.0";
    /// What keeps its code unique; none: codes may repeat, or there are none.
    const UNIQUE: Option<UniqueCode> = None;
    /// The document.
    type Data: Serialize + DeserializeOwned + Debug + Clone + PartialEq + Send + Sync;

    /// Whether the document may be kept as it is.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    fn validate(data: &Self::Data) -> Result<(), Vec<FieldError>>;

    /// The amounts of money people enter in it, by field; each has to be a whole number of the shop's rounding steps.
    fn amounts(_data: &Self::Data) -> Vec<(String, Amount)> {
        Vec::new()
    }
}

/// A code that one record of a kind has at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UniqueCode {
    /// The scope of its reservation, as stored.
    pub scope: &'static str,
    /// The fields it is made of.
    pub fields: &'static [&'static str],
}

impl UniqueCode {
    /// The code of a document: the text of its fields, joined by `/`; none if one of them has no text.
    pub fn of(&self, document: &Document) -> Option<String> {
        let texts: Option<Vec<String>> = self
            .fields
            .iter()
            .map(|field| match document.get(*field)? {
                Value::String(text) => Some(text.clone()),
                Value::Number(number) => Some(number.to_string()),
                _ => None,
            })
            .collect();
        texts.map(|texts| texts.join("/").trim().to_owned())
    }
}

/// Passes if every amount in the document is a whole number of steps. Only the shop knows its step, so this is asked beside
/// [`Resource::validate`].
///
/// # Errors
/// `not_whole_steps` for every field that holds a part of a step.
pub fn whole_steps<R: Resource>(data: &R::Data, step: RoundingStep) -> Result<(), Vec<FieldError>> {
    let mut complaints = RecordErrors::default();
    for (field, amount) in R::amounts(data) {
        complaints.require(
            step.divides(amount),
            field,
            "not_whole_steps",
            "금액을 통화의 최소 단위에 맞춰 입력해 주세요.",
        );
    }
    complaints.finish()
}

/// Gives a [`Resource`] its names: `resource_names!("product", "Product");`
#[macro_export]
macro_rules! resource_names {
    ($kind:literal, $name:literal) => {
        const KIND: &'static str = $kind;
        const NAME: &'static str = $name;
        const EVENT_TYPES: [&'static str; 3] = [
            concat!($name, "Created"),
            concat!($name, "Revised"),
            concat!($name, "Removed"),
        ];
    };
}

/// How one field changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Change {
    /// What it was; null when it was not there.
    pub from: Value,
    /// What it is.
    pub to: Value,
}

/// What happened to a record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
pub enum RecordEvent<R: Resource> {
    /// Made; again after a removal to restore it.
    Created {
        /// The whole document.
        data: Document,
        /// Which kind; takes no room in the payload.
        #[serde(skip)]
        kind: PhantomData<fn() -> R>,
    },
    /// Changed; only the fields that changed.
    Revised {
        /// Field name to what it was and is.
        changes: BTreeMap<String, Change>,
    },
    /// Marked as removed; what refers to it still finds its name.
    Removed {},
}

impl<R: Resource> RecordEvent<R> {
    /// Made with this document.
    pub fn created(data: Document) -> Self {
        Self::Created {
            data,
            kind: PhantomData,
        }
    }
}

impl<R: Resource> DomainEvent for RecordEvent<R> {
    fn event_type(&self) -> String {
        let [created, revised, removed] = R::EVENT_TYPES;
        match self {
            Self::Created { .. } => created,
            Self::Revised { .. } => revised,
            Self::Removed {} => removed,
        }
        .to_owned()
    }

    fn event_version(&self) -> String {
        R::VERSION.to_owned()
    }
}

impl<R: Resource> EventNames for RecordEvent<R> {
    const NAMES: &'static [(&'static str, &'static str)] = {
        let [created, revised, removed] = R::EVENT_TYPES;
        &[
            (created, R::VERSION),
            (revised, R::VERSION),
            (removed, R::VERSION),
        ]
    };
    const TITLES: &'static [(&'static str, &'static str)] = {
        let [created, revised, removed] = R::EVENT_TYPES;
        &[
            (created, "등록했습니다"),
            (revised, "수정했습니다"),
            (removed, "삭제했습니다"),
        ]
    };
}

/// A record as it is now. The document stays readable after a removal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "", rename_all = "camelCase")]
pub struct Record<R: Resource> {
    /// The document; none before it is created.
    pub document: Option<Document>,
    /// Marked as removed.
    pub removed: bool,
    #[serde(skip)]
    kind: PhantomData<fn() -> R>,
}

impl<R: Resource> Default for Record<R> {
    fn default() -> Self {
        Self {
            document: None,
            removed: false,
            kind: PhantomData,
        }
    }
}

/// What can be asked of a record.
#[derive(Clone, Debug, PartialEq)]
pub enum RecordCommand<R: Resource> {
    /// Make it.
    Create(Box<R::Data>),
    /// Replace the document; only what changed is recorded.
    Revise(Box<R::Data>),
    /// Change some fields; the rest stays.
    Patch(Document),
    /// Mark it as removed.
    Remove,
    /// Bring back an earlier document, and the record itself if it was removed.
    Restore(Document),
}

/// Why a record refuses.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// Fields are wrong.
    #[error("{} field(s) are wrong", .0.len())]
    Invalid(Vec<FieldError>),
    /// There is a record with this id.
    #[error("the record exists already")]
    AlreadyCreated,
    /// There is none, or it was removed.
    #[error("there is no such record")]
    NotFound,
    /// The document does not have the shape of its kind.
    #[error("the document is malformed: {0}")]
    Malformed(String),
}

impl RecordError {
    /// Stable code for the wire.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Invalid(_) => "invalid",
            Self::AlreadyCreated => "already_created",
            Self::NotFound => "not_found",
            Self::Malformed(_) => "malformed",
        }
    }
}

impl<R: Resource> Aggregate for Record<R> {
    const TYPE: &'static str = R::KIND;
    type Command = (RecordCommand<R>, Context);
    type Event = RecordEvent<R>;
    type Error = RecordError;
    type Services = ();

    async fn handle(
        &mut self,
        (command, context): Self::Command,
        _services: &(),
        sink: &EventSink<Self>,
    ) -> Result<(), RecordError> {
        for event in self.decide(command, &context)? {
            sink.write(event, self).await;
        }
        Ok(())
    }

    fn apply(&mut self, event: RecordEvent<R>) {
        self.evolve(event);
    }
}

impl<R: Resource> Decider for Record<R> {
    type Input = RecordCommand<R>;

    fn decide(
        &self,
        act: RecordCommand<R>,
        _context: &Context,
    ) -> Result<Vec<RecordEvent<R>>, RecordError> {
        match act {
            RecordCommand::Create(_) if self.document.is_some() => Err(RecordError::AlreadyCreated),
            RecordCommand::Create(data) => Ok(vec![RecordEvent::created(valid::<R>(&data)?)]),
            RecordCommand::Revise(data) => self.revise(&valid::<R>(&data)?),
            RecordCommand::Patch(fields) => {
                let mut document = self.live()?.clone();
                document.extend(fields);
                self.revise(&valid::<R>(&read::<R>(document)?)?)
            }
            RecordCommand::Remove => {
                if self.document.is_some() && self.removed {
                    return Ok(vec![]);
                }
                self.live()?;
                Ok(vec![RecordEvent::Removed {}])
            }
            RecordCommand::Restore(document) => {
                if self.document.is_none() {
                    return Err(RecordError::NotFound);
                }
                let document = valid::<R>(&read::<R>(document)?)?;
                if self.removed {
                    Ok(vec![RecordEvent::created(document)])
                } else {
                    self.revise(&document)
                }
            }
        }
    }
}

impl<R: Resource> Record<R> {
    /// The typed document of a record that was not removed.
    ///
    /// # Errors
    /// [`RecordError::NotFound`] or [`RecordError::Malformed`].
    pub fn data(&self) -> Result<R::Data, RecordError> {
        read::<R>(self.live()?.clone())
    }

    /// What `event` makes of it.
    pub fn evolve(&mut self, event: RecordEvent<R>) {
        match event {
            RecordEvent::Created { data, .. } => {
                self.document = Some(data);
                self.removed = false;
            }
            RecordEvent::Revised { changes } => {
                let document = self.document.get_or_insert_default();
                for (field, change) in changes {
                    document.insert(field, change.to);
                }
            }
            RecordEvent::Removed {} => self.removed = true,
        }
    }

    fn live(&self) -> Result<&Document, RecordError> {
        match &self.document {
            Some(document) if !self.removed => Ok(document),
            _ => Err(RecordError::NotFound),
        }
    }

    fn revise(&self, document: &Document) -> Result<Vec<RecordEvent<R>>, RecordError> {
        let changes = diff(self.live()?, document);
        if changes.is_empty() {
            return Ok(vec![]);
        }
        Ok(vec![RecordEvent::Revised { changes }])
    }
}

/// The document after each event, oldest first: the history of a record.
pub fn history<R: Resource>(
    events: impl IntoIterator<Item = RecordEvent<R>>,
) -> Vec<(RecordEvent<R>, Record<R>)> {
    let mut record = Record::default();
    events
        .into_iter()
        .map(|event| {
            record.evolve(event.clone());
            (event, record.clone())
        })
        .collect()
}

/// The fields of `to` that differ from `from`; one that is not there is null. Fields only `from` has are ones this build does not
/// know, and stay.
pub fn diff(from: &Document, to: &Document) -> BTreeMap<String, Change> {
    to.iter()
        .map(|(field, value)| {
            let change = Change {
                from: from.get(field).cloned().unwrap_or(Value::Null),
                to: value.clone(),
            };
            (field.clone(), change)
        })
        .filter(|(_, change)| change.from != change.to)
        .collect()
}

fn valid<R: Resource>(data: &R::Data) -> Result<Document, RecordError> {
    R::validate(data).map_err(RecordError::Invalid)?;
    match serde_json::to_value(data) {
        Ok(Value::Object(document)) => Ok(document),
        Ok(_) => Err(RecordError::Malformed("not an object".to_owned())),
        Err(error) => Err(RecordError::Malformed(error.to_string())),
    }
}

fn read<R: Resource>(document: Document) -> Result<R::Data, RecordError> {
    serde_json::from_value(Value::Object(document))
        .map_err(|error| RecordError::Malformed(error.to_string()))
}
