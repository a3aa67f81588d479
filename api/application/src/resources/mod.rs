//! Records as the console keeps them: one implementation for all kinds, which are values ([`AdminResource`]).
//!
//! A kind is one file of [`kinds`]: its fields with their limits, its filters and sorts, who may do what, and what changes
//! together with it. Everything else works on the JSON document: [`write`] decides what is asked of a document before it is
//! written, [`load`] reads one from the log, [`mod@list_query`] understands what is asked of a list, [`bulk`] and [`import`] work
//! on many at once. The typed document appears where it is validated, and in the hooks of a kind.

mod addresses;
pub mod bulk;
pub mod cell_format;
pub mod columns;
pub mod import;
pub mod import_batches;
pub mod input;
pub mod kinds;
mod limits;
pub mod list_query;
pub mod load;
pub mod parts;
pub mod references;
pub mod schema;
pub mod write;

use std::borrow::Cow;

use domain::event::Context;
use domain::ids::MemberId;
use domain::record::{Document, Record, RecordCommand, RecordKind, Resource};
use event_store::{Expected, NewEvent, StreamAppend, StreamId, Versioned};
use futures::FutureExt;
use futures::future::{BoxFuture, ready};
use projections::record_lists::{Source, index};
use projections::records::{self, RecordRow};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};
use uuid::Uuid;

use self::input::Count;
use self::list_query::{narrowed_columns, sorted_columns};
use self::schema::ResourceSchema;
use crate::access::RowScope;
use crate::app::App;
use crate::error::{AppError, AppResult};
use crate::json::typed;

/// What the commands about a kind are called.
#[derive(Clone, Copy, Debug)]
pub struct Commands {
    /// Making one.
    pub create: &'static str,
    /// Changing one.
    pub revise: &'static str,
    /// Marking one as removed.
    pub remove: &'static str,
    /// Bringing an earlier document back.
    pub restore: &'static str,
    /// A row of a table.
    pub import: &'static str,
}

/// What a kind is called on the wire.
#[derive(Clone, Copy, Debug)]
pub struct WireNames {
    /// Where its calls are.
    pub path: &'static str,
    /// One.
    pub one: &'static str,
    /// Many.
    pub many: &'static str,
}

/// The schema of a type in the API's document.
#[derive(Clone, Copy, Debug)]
pub struct DocumentSchema {
    /// Its name.
    pub name: fn() -> Cow<'static, str>,
    /// Itself.
    pub schema: fn() -> RefOr<Schema>,
    /// Adds the schemas it names.
    pub others: fn(&mut Vec<(String, RefOr<Schema>)>),
}

impl DocumentSchema {
    /// The schema of `T`.
    pub const fn of<T: ToSchema>() -> Self {
        Self {
            name: T::name,
            schema: <T as PartialSchema>::schema,
            others: T::schemas,
        }
    }
}

/// A record that is about to be written.
#[derive(Clone, Copy, Debug)]
pub struct RecordWrite<'a> {
    /// Its id.
    pub id: &'a str,
    /// What it will be.
    pub after: &'a Document,
    /// What was counted with it.
    pub counts: &'a [Count],
    /// When, and by whom.
    pub context: &'a Context,
}

/// Gives new parts their ids, takes counts out of the document, says who set it up.
type Normalize = fn(id: &str, by: MemberId, fields: &mut Document) -> AppResult<Vec<Count>>;
/// Passes if it goes together with what other records say.
type Consistent = for<'a> fn(
    app: &'a App,
    id: &'a str,
    before: Option<&'a Document>,
    after: &'a Document,
) -> BoxFuture<'a, AppResult<()>>;
/// What is written to other streams in the same append.
type SideEffects =
    for<'a> fn(&'a App, RecordWrite<'a>) -> BoxFuture<'a, AppResult<Vec<StreamAppend>>>;
/// Why it has to stay, in Korean.
type RemovalBlocker =
    for<'a> fn(&'a App, &'a str, &'a Document) -> BoxFuture<'a, AppResult<Option<String>>>;
/// What it shows beside its document.
type EnrichOne = for<'a> fn(&'a App, &'a str, &'a Document) -> BoxFuture<'a, AppResult<Document>>;
/// Rows with what lists show beside the documents.
type EnrichList = fn(&App, Vec<RecordRow>) -> BoxFuture<'_, AppResult<Vec<RecordRow>>>;

/// A kind of record the console keeps. Documents given to its functions are complete ([`RecordKind::complete`]).
#[derive(Clone, Copy, Debug)]
pub struct AdminResource {
    /// The kind: its names, its rules.
    pub record: RecordKind,
    /// What it is called on the wire.
    pub wire: WireNames,
    /// What its commands are called.
    pub commands: Commands,
    /// What it says about itself.
    pub schema: ResourceSchema,
    /// Sellers keep their own, which the field `_seller` tells; otherwise only staff gets in.
    pub for_sellers: bool,
    /// Sellers choose among them (brands for their products), though only staff keeps them.
    pub readable_by_sellers: bool,
    /// Members write them: here nobody makes one, and only staff removes one or brings it back.
    pub member_authored: bool,
    /// Fields that are sealed; nobody is told them as they are.
    pub sealed: &'static [&'static str],
    /// Other records name it by its code, not by its id.
    pub named_by_code: bool,
    /// Where its list is read.
    pub source: Source,
    /// The read models its list is made of.
    pub reads: &'static [&'static str],
    /// The id of a new one.
    pub new_id: fn() -> String,
    /// The fields those with these rows may change; none: all of them.
    pub changeable: fn(RowScope) -> Option<&'static [&'static str]>,
    /// Gives new parts their ids, takes counts out of the document, says who set it up.
    pub normalize: Normalize,
    /// Passes if it goes together with what other records say: id, what it was, what it will be.
    pub consistent: Consistent,
    /// What is written to other streams in the same append.
    pub side_effects: SideEffects,
    /// Why it has to stay as long as an aggregate or a policy uses it, in Korean; none: nothing does.
    pub removal_blocker: RemovalBlocker,
    /// What it shows of aggregates, added to its document.
    pub enrich_one: EnrichOne,
    /// Rows with what lists show of aggregates beside the documents.
    pub enrich_list: EnrichList,
    /// Its document, for the API's own.
    pub document: DocumentSchema,
    /// What a change may say beside it.
    pub input: Option<DocumentSchema>,
    /// What it shows beside it.
    pub output: Option<DocumentSchema>,
    read: fn(Document) -> AppResult<Document>,
}

/// A type of document that the console keeps records of.
pub trait ConsoleRecord: Resource {
    /// Its kind.
    const RESOURCE: AdminResource;
}

/// A kind of record without fields and hooks: its type, its kind, where its calls are, one and many of it on the wire.
///
/// `admin_resource!(Popup: "popup" at "/api/console/popups", "popup", "popups")`
#[macro_export]
macro_rules! admin_resource {
    ($type:ty: $kind:literal at $path:literal, $one:literal, $many:literal) => {
        $crate::resources::AdminResource::of::<$type>(
            $crate::resources::WireNames {
                path: $path,
                one: $one,
                many: $many,
            },
            $crate::resources::Commands {
                create: concat!("create-", $kind),
                revise: concat!("revise-", $kind),
                remove: concat!("remove-", $kind),
                restore: concat!("restore-", $kind),
                import: concat!("import-", $kind),
            },
        )
    };
}

pub use admin_resource;

macro_rules! resources {
    (aggregates { $($name:ident: $state:ty,)+ } records { $($kind:ty,)+ }) => {
        /// Every kind of record.
        pub const ALL: &[&AdminResource] = &[$(&<$kind as ConsoleRecord>::RESOURCE,)+];
    };
}

domain::registered!(resources);

/// The resource of a stream kind.
pub fn find(kind: &str) -> Option<&'static AdminResource> {
    ALL.iter()
        .copied()
        .find(|resource| resource.record.kind == kind)
}

/// Makes what lists of kinds with many records need; false while a read model has no tables.
///
/// # Errors
/// Database errors.
pub async fn create_indexes(app: &App) -> AppResult<bool> {
    for resource in ALL.iter().filter(|resource| resource.schema.grows) {
        let sorted = sorted_columns(&resource.schema);
        let narrowed = narrowed_columns(&resource.schema);
        if !index(app.pool(), resource.source, &sorted, &narrowed).await? {
            return Ok(false);
        }
    }
    Ok(true)
}

impl AdminResource {
    /// A kind that only staff keeps, of which all fields may be changed and with which nothing else changes.
    pub const fn of<R>(wire: WireNames, commands: Commands) -> Self
    where
        R: Resource<Data = R> + Serialize + DeserializeOwned + ToSchema,
    {
        Self {
            record: RecordKind::of::<R>(),
            wire,
            commands,
            schema: ResourceSchema::of(&[]),
            for_sellers: false,
            readable_by_sellers: false,
            member_authored: false,
            sealed: &[],
            named_by_code: false,
            source: Source::Records(R::KIND),
            reads: &[records::NAME],
            new_id: || Uuid::now_v7().to_string(),
            changeable: |_| None,
            normalize: |_, _, _| Ok(Vec::new()),
            consistent: |_, _, _, _| ready(Ok(())).boxed(),
            side_effects: |_, _| ready(Ok(Vec::new())).boxed(),
            removal_blocker: |_, _, _| ready(Ok(None)).boxed(),
            enrich_one: |_, _, _| ready(Ok(Document::new())).boxed(),
            enrich_list: |_, rows| ready(Ok(rows)).boxed(),
            document: DocumentSchema::of::<R>(),
            input: None,
            output: None,
            read: |fields| {
                let record: R = typed(Value::Object(fields))?;
                document_of(&record)
            },
        }
    }

    /// The stream of a record.
    pub fn stream(&self, id: &str) -> StreamId {
        StreamId::new(self.record.kind, id)
    }

    /// These fields as a document of this kind.
    ///
    /// # Errors
    /// `invalid_body` naming the field of another shape.
    pub fn read(&self, fields: Document) -> AppResult<Document> {
        (self.read)(fields)
    }

    /// What an event of a record of this kind appends.
    fn append(
        &self,
        id: &str,
        loaded: &Versioned<Record>,
        command: RecordCommand<Document>,
    ) -> AppResult<StreamAppend> {
        let events = self.record.decide(&loaded.state, command)?;
        let events = events.iter().map(|event| {
            Ok(NewEvent {
                event_type: self.record.event_type(event).to_owned(),
                event_version: self.record.version.to_owned(),
                payload: serde_json::to_value(event)?,
                event_id: Uuid::now_v7(),
            })
        });
        Ok(StreamAppend {
            stream: self.stream(id),
            expected: Expected::Exact(loaded.version),
            events: events.collect::<AppResult<_>>()?,
        })
    }

    /// Whose a record is; none: the platform's.
    pub fn seller(&self, document: &Document) -> Option<MemberId> {
        let seller = document.get("_seller").filter(|_| self.for_sellers)?;
        seller.as_str()?.parse().ok()
    }

    /// Passes if this kind is for those with these rows.
    ///
    /// # Errors
    /// `access_denied`.
    pub fn may_keep(&self, rows: RowScope) -> AppResult<()> {
        match rows {
            RowScope::Seller(_) if !self.for_sellers => Err(AppError::denied(&["console"])),
            _ => Ok(()),
        }
    }

    /// The rows of this kind that those with these rows may look at.
    ///
    /// # Errors
    /// `access_denied`.
    pub fn may_see(&self, rows: RowScope) -> AppResult<RowScope> {
        match rows {
            RowScope::Seller(_) if self.readable_by_sellers => Ok(RowScope::All),
            rows => self.may_keep(rows).map(|()| rows),
        }
    }

    /// Passes if those with these rows may remove such a record, or bring one back.
    ///
    /// # Errors
    /// `access_denied`: what members wrote is for staff to remove, not for those it is about.
    pub fn may_remove(&self, rows: RowScope) -> AppResult<()> {
        match rows {
            RowScope::Seller(_) if self.member_authored => Err(AppError::denied(&["console"])),
            _ => Ok(()),
        }
    }

    /// Passes if this record is within these rows.
    ///
    /// # Errors
    /// `not_found`.
    pub fn reaches(&self, rows: RowScope, document: &Document) -> AppResult<()> {
        match (rows, self.seller(document)) {
            (RowScope::All, _) => Ok(()),
            (RowScope::Seller(_), Some(seller)) => rows.reaches(seller),
            (RowScope::Seller(_), None) => Err(AppError::not_found()),
        }
    }
}

/// A value as a document.
///
/// # Errors
/// It is no JSON object.
pub fn document_of(value: &impl Serialize) -> AppResult<Document> {
    match serde_json::to_value(value)? {
        Value::Object(document) => Ok(document),
        other => Err(AppError::internal(anyhow::anyhow!(
            "{other} is no document"
        ))),
    }
}
