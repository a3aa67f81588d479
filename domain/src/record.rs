//! Records: editable documents (products, levels, coupons, ...), all implemented by one aggregate.
//!
//! A [`Resource`] defines the document type and its validation; [`Record`] adds events, history, diff and restore. Events carry the
//! document as JSON, so that fields unknown to a build survive; decisions always validate the typed form.
//!
//! Code that works on records of any kind uses the kind as a value ([`RecordKind`]) and the record without its type (`Record`, which is
//! `Record<()>`).

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
use crate::schema::ResourceSchema;
use crate::unit_of_work::StreamState;
use crate::validation::{FieldError, RecordErrors};

/// A document: field names as on the wire, with their values.
pub type Document = Map<String, Value>;

/// A kind of record.
pub trait Resource: Debug + Clone + PartialEq + Send + Sync + 'static {
    /// Stream kind, e.g. `product`.
    const KIND: &'static str;
    /// Name in event types, e.g. `Product`.
    const NAME: &'static str;
    /// Korean title, e.g. `상품`.
    const TITLE: &'static str;
    /// Stored event types: created, revised, removed. Use [`resource_names!`](crate::resource_names).
    const EVENT_TYPES: [&'static str; 3];
    /// Names of its commands: create, revise, remove, restore, import a row. Use [`resource_names!`](crate::resource_names).
    const COMMANDS: [&'static str; 5];
    /// Version of the stored events.
    const VERSION: &'static str = "1.0";
    /// The unique code of its records; none if codes may repeat or there are none.
    const UNIQUE: Option<UniqueCode> = None;
    /// Type of the document.
    type Data: Serialize + DeserializeOwned + Debug + Clone + PartialEq + Send + Sync;

    /// Validates a document.
    ///
    /// # Errors
    /// All field errors.
    fn validate(data: &Self::Data) -> Result<(), Vec<FieldError>>;

    /// The money amounts entered by people, by field; each must be a whole multiple of the shop's rounding step.
    fn amounts(_data: &Self::Data) -> Vec<(String, Amount)> {
        Vec::new()
    }
}

/// Names of a kind on the wire.
#[derive(Clone, Copy, Debug)]
pub struct WireNames {
    /// Path of its endpoints.
    pub path: &'static str,
    /// Singular.
    pub one: &'static str,
    /// Plural.
    pub many: &'static str,
}

/// Access of sellers to the records of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SellerAccess {
    /// Only staff has access.
    None,
    /// Sellers read them, staff manages them.
    Read,
    /// Sellers manage their own, identified by the field `_seller`.
    Own,
}

/// A kind of record that its declaration describes whole: its console needs no code of its own.
///
/// With the line of [`registered!`](crate::registered) this is all that the server needs of it.
pub trait DeclaredRecord: Resource<Data = Self> + Serialize + DeserializeOwned + ToSchema {
    /// Its names on the wire.
    const WIRE: WireNames;
    /// Its fields, filters, sorts and actions.
    const SCHEMA: ResourceSchema;
    /// The access of sellers.
    const SELLERS: SellerAccess = SellerAccess::None;
    /// Whether other records refer to it by its code, not by its id.
    const NAMED_BY_CODE: bool = false;
}

/// A code that is unique among the records of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UniqueCode {
    /// The scope of its reservation, as stored.
    pub scope: &'static str,
    /// The fields it consists of.
    pub fields: &'static [&'static str],
    /// The Korean sentence at the last of the fields if another record has it.
    pub taken: &'static str,
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

/// Checks that every amount in the document is a whole multiple of `step`. The step is a setting of the shop, so this is checked in
/// addition to [`Resource::validate`].
///
/// # Errors
/// `not_whole_steps` for every field with another amount.
pub fn whole_steps<R: Resource>(data: &R::Data, step: RoundingStep) -> Result<(), Vec<FieldError>> {
    let mut errors = RecordErrors::default();
    for (field, amount) in R::amounts(data) {
        errors.require(
            step.divides(amount),
            field,
            "not_whole_steps",
            "금액을 통화의 최소 단위에 맞춰 입력해 주세요.",
        );
    }
    errors.finish()
}

/// A kind of record as a value.
#[derive(Clone, Copy, Debug)]
pub struct RecordKind {
    /// Stream kind.
    pub kind: &'static str,
    /// Its Korean title.
    pub title: &'static str,
    /// Its stored event types: created, revised, removed.
    pub event_types: [&'static str; 3],
    /// Version of the stored events.
    pub version: &'static str,
    /// The unique code of its records, if any.
    pub unique: Option<UniqueCode>,
    complete: fn(Document) -> Result<Document, RecordError>,
    valid: fn(Document) -> Result<Document, RecordError>,
    whole_steps: fn(Document, RoundingStep) -> Result<(), RecordError>,
}

impl RecordKind {
    /// The kind of this type.
    pub const fn of<R: Resource>() -> Self {
        Self {
            kind: R::KIND,
            title: R::TITLE,
            event_types: R::EVENT_TYPES,
            version: R::VERSION,
            unique: R::UNIQUE,
            complete: |document| written::<R>(&read::<R>(document)?),
            valid: |document| valid::<R>(&read::<R>(document)?),
            whole_steps: |document, step| {
                whole_steps::<R>(&read::<R>(document)?, step).map_err(RecordError::Invalid)
            },
        }
    }

    /// A document completed with the defaults of missing fields, without fields unknown to this build.
    ///
    /// # Errors
    /// [`RecordError::Malformed`].
    pub fn complete(&self, document: Document) -> Result<Document, RecordError> {
        (self.complete)(document)
    }

    /// As [`whole_steps`], of a document.
    ///
    /// # Errors
    /// [`RecordError::Invalid`] or [`RecordError::Malformed`].
    pub fn whole_steps(&self, document: Document, step: RoundingStep) -> Result<(), RecordError> {
        (self.whole_steps)(document, step)
    }

    /// Decides a command on a record of this kind: the events to append.
    ///
    /// # Errors
    /// The rule violated.
    pub fn decide(
        &self,
        record: &Record,
        command: RecordCommand<Document>,
    ) -> Result<Vec<RecordEvent>, RecordError> {
        record.decide_document(command, self.valid, Ok)
    }

    /// The stored type of an event of this kind.
    pub const fn event_type(&self, event: &RecordEvent) -> &'static str {
        event.type_of(self.event_types)
    }
}

/// Defines the names of a [`Resource`]: `resource_names!("product", "Product", "상품");`
#[macro_export]
macro_rules! resource_names {
    ($kind:literal, $name:literal, $title:literal) => {
        const KIND: &'static str = $kind;
        const NAME: &'static str = $name;
        const TITLE: &'static str = $title;
        const EVENT_TYPES: [&'static str; 3] = [
            concat!($name, "Created"),
            concat!($name, "Revised"),
            concat!($name, "Removed"),
        ];
        const COMMANDS: [&'static str; 5] = [
            concat!("create-", $kind),
            concat!("revise-", $kind),
            concat!("remove-", $kind),
            concat!("restore-", $kind),
            concat!("import-", $kind),
        ];
    };
}

/// Change of one field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Change {
    /// The previous value; null if the field was missing.
    pub from: Value,
    /// The new value.
    pub to: Value,
}

/// Events of a record of the kind `R`, or of any kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
pub enum RecordEvent<R = ()> {
    /// The record was created, or restored after a removal.
    Created {
        /// The whole document.
        data: Document,
        /// Marker of the resource type; not serialised.
        #[serde(skip)]
        kind: PhantomData<fn() -> R>,
    },
    /// Fields were changed; contains only these.
    Revised {
        /// Previous and new values, by field name.
        changes: BTreeMap<String, Change>,
    },
    /// The record was marked as removed; references to it still resolve.
    Removed {},
}

impl<R> RecordEvent<R> {
    /// A creation with this document.
    pub fn created(data: Document) -> Self {
        Self::Created {
            data,
            kind: PhantomData,
        }
    }

    const fn type_of(&self, [created, revised, removed]: [&'static str; 3]) -> &'static str {
        match self {
            Self::Created { .. } => created,
            Self::Revised { .. } => revised,
            Self::Removed {} => removed,
        }
    }
}

impl<R: Resource> DomainEvent for RecordEvent<R> {
    fn event_type(&self) -> String {
        self.type_of(R::EVENT_TYPES).to_owned()
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

/// Current state of a record of the kind `R`, or of any kind. The document stays readable after a removal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "", rename_all = "camelCase")]
pub struct Record<R = ()> {
    /// The document; none before the record is created.
    pub document: Option<Document>,
    /// Whether the record is marked as removed.
    pub removed: bool,
    #[serde(skip)]
    kind: PhantomData<fn() -> R>,
}

impl<R> Default for Record<R> {
    fn default() -> Self {
        Self {
            document: None,
            removed: false,
            kind: PhantomData,
        }
    }
}

/// Commands accepted by a record; `D` is the type of its document.
#[derive(Clone, Debug, PartialEq)]
pub enum RecordCommand<D> {
    /// Create the record.
    Create(Box<D>),
    /// Replace the document; only the changes are recorded.
    Revise(Box<D>),
    /// Change some fields and keep the others.
    Patch(Document),
    /// Mark it as removed.
    Remove,
    /// Restore an earlier document, and the record itself if it was removed.
    Restore(Document),
}

/// Reasons why a record rejects a command.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// Fields are invalid.
    #[error("{} field(s) are invalid", .0.len())]
    Invalid(Vec<FieldError>),
    /// A record with this id exists.
    #[error("the record already exists")]
    AlreadyCreated,
    /// The record does not exist or was removed.
    #[error("there is no such record")]
    NotFound,
    /// The document does not match the type of its kind.
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
    type Command = (RecordCommand<R::Data>, Context);
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
    type Input = RecordCommand<R::Data>;

    fn decide(
        &self,
        command: RecordCommand<R::Data>,
        _context: &Context,
    ) -> Result<Vec<RecordEvent<R>>, RecordError> {
        self.decide_document(command, |data| valid::<R>(&data), read::<R>)
    }
}

impl<R: Resource> Record<R> {
    /// The typed document of a record that is not removed.
    ///
    /// # Errors
    /// [`RecordError::NotFound`] or [`RecordError::Malformed`].
    pub fn data(&self) -> Result<R::Data, RecordError> {
        read::<R>(self.live()?.clone())
    }
}

impl<R> Record<R> {
    /// Applies `event` to the state.
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

    /// The document of a record that is not removed.
    ///
    /// # Errors
    /// [`RecordError::NotFound`].
    pub fn live(&self) -> Result<&Document, RecordError> {
        match &self.document {
            Some(document) if !self.removed => Ok(document),
            _ => Err(RecordError::NotFound),
        }
    }

    /// Decides a command whose documents are of type `D`: `valid` checks one and converts it to a document, `read` parses one.
    fn decide_document<D>(
        &self,
        command: RecordCommand<D>,
        valid: impl Fn(D) -> Result<Document, RecordError>,
        read: impl Fn(Document) -> Result<D, RecordError>,
    ) -> Result<Vec<RecordEvent<R>>, RecordError> {
        match command {
            RecordCommand::Create(_) if self.document.is_some() => Err(RecordError::AlreadyCreated),
            RecordCommand::Create(data) => Ok(vec![RecordEvent::created(valid(*data)?)]),
            RecordCommand::Revise(data) => self.revise(&valid(*data)?),
            RecordCommand::Patch(fields) => {
                let mut document = self.live()?.clone();
                document.extend(fields);
                self.revise(&valid(read(document)?)?)
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
                let document = valid(read(document)?)?;
                if self.removed {
                    Ok(vec![RecordEvent::created(document)])
                } else {
                    self.revise(&document)
                }
            }
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

impl StreamState for Record {
    fn restore(&mut self, snapshot: &Value) -> Result<(), serde_json::Error> {
        *self = Deserialize::deserialize(snapshot)?;
        Ok(())
    }

    fn replay(&mut self, payload: &str) -> Result<(), serde_json::Error> {
        self.evolve(serde_json::from_str(payload)?);
        Ok(())
    }

    fn snapshot(&self) -> Result<Value, serde_json::Error> {
        serde_json::to_value(self)
    }
}

/// The document after each event, oldest first.
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

/// The fields of `to` that differ from `from`; missing values are null. Fields present only in `from` are unknown to this build and
/// are kept.
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
    written::<R>(data)
}

fn written<R: Resource>(data: &R::Data) -> Result<Document, RecordError> {
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
