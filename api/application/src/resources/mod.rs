//! Records of the console: one implementation for all kinds, which are values ([`AdminResource`]).
//!
//! A kind without code of its own is declared whole in the domain ([`DeclaredRecord`]); another one is one file of [`kinds`]: its fields with their limits, its filters and sorts, permissions, and side effects. Everything else
//! works on the JSON document: [`write`] makes the checks before a document is written, [`load`] reads one from the log, [`mod@list_query`]
//! parses list queries, [`bulk`] and [`import`] process many records at once. The typed document appears where it is validated, and in the
//! hooks of a kind.

mod addresses;
pub mod bulk;
pub mod cell_format;
pub mod columns;
mod element_ids;
pub mod import;
pub mod import_batches;
mod import_cells;
mod import_faults;
mod import_lists;
mod import_names;
mod import_report;
pub mod import_runs;
pub mod input;
pub mod kinds;
mod limits;
pub mod list_query;
pub mod load;
pub mod parts;
pub mod references;
pub mod sub_resources;
pub mod table_form;
pub mod write;

pub use domain::schema;

use std::borrow::Cow;
use std::marker::PhantomData;

use domain::event::Context;
use domain::ids::MemberId;
pub use domain::record::WireNames;
use domain::record::{
    DeclaredRecord, Document, Record, RecordCommand, RecordKind, Resource, SellerAccess,
};
use event_store::{Expected, NewEvent, StreamAppend, StreamId, Versioned};
use futures::FutureExt;
use futures::future::{BoxFuture, ready};
use projections::record_lists::{AUTHOR, Source, index};
use projections::records::{self, RecordRow};
use projections::waiting;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};
use uuid::Uuid;

use self::input::Count;
use self::list_query::{narrowed_columns, sorted_columns};
use self::schema::ResourceSchema;
use self::table_form::TableForm;
use crate::access::RowScope;
use crate::app::App;
use crate::error::{AppError, AppResult};
use crate::json::typed;

/// Names of the commands of a kind.
#[derive(Clone, Copy, Debug)]
pub struct Commands {
    /// Creates a record.
    pub create: &'static str,
    /// Changes a record.
    pub revise: &'static str,
    /// Marks a record as removed.
    pub remove: &'static str,
    /// Restores an earlier document.
    pub restore: &'static str,
    /// Imports a row of a table.
    pub import: &'static str,
}

/// The schema of a type in the OpenAPI document.
#[derive(Clone, Copy, Debug)]
pub struct DocumentSchema {
    /// Its name.
    pub name: fn() -> Cow<'static, str>,
    /// The schema.
    pub schema: fn() -> RefOr<Schema>,
    /// Adds the schemas it refers to.
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

/// A record to be written.
#[derive(Clone, Copy, Debug)]
pub struct RecordWrite<'a> {
    /// Its id.
    pub id: &'a str,
    /// The new document.
    pub after: &'a Document,
    /// The stock counts sent with it.
    pub counts: &'a [Count],
    /// Time and actor.
    pub context: &'a Context,
}

/// Assigns ids to new parts, moves counts out of the document, and sets the creator.
type Normalize = fn(id: &str, by: MemberId, fields: &mut Document) -> AppResult<Vec<Count>>;
/// Seals what the form has as plain text. Arguments: the document before, and the one to be written.
type SealInput = for<'a> fn(
    app: &'a App,
    before: &'a Document,
    fields: &'a mut Document,
) -> BoxFuture<'a, AppResult<()>>;
/// Checks that it is consistent with other records.
type Consistent = for<'a> fn(
    app: &'a App,
    id: &'a str,
    before: Option<&'a Document>,
    after: &'a Document,
) -> BoxFuture<'a, AppResult<()>>;
/// Appends to other streams in the same append.
type SideEffects =
    for<'a> fn(&'a App, RecordWrite<'a>) -> BoxFuture<'a, AppResult<Vec<StreamAppend>>>;
/// The reason why it cannot be removed, in Korean.
type RemovalBlocker =
    for<'a> fn(&'a App, &'a str, &'a Document) -> BoxFuture<'a, AppResult<Option<String>>>;
/// Fields shown besides its document.
type EnrichOne = for<'a> fn(&'a App, &'a str, &'a Document) -> BoxFuture<'a, AppResult<Document>>;
/// Rows with the fields that lists show besides the documents.
type EnrichList = fn(&App, Vec<RecordRow>) -> BoxFuture<'_, AppResult<Vec<RecordRow>>>;

/// A kind of record of the console. Documents given to its functions are complete ([`RecordKind::complete`]).
#[derive(Clone, Copy, Debug)]
pub struct AdminResource {
    /// The kind: names and rules.
    pub record: RecordKind,
    /// Its names on the wire.
    pub wire: WireNames,
    /// The names of its commands.
    pub commands: Commands,
    /// Its schema.
    pub schema: ResourceSchema,
    /// Sellers manage their own, identified by the field `_seller`; otherwise only staff has access.
    pub for_sellers: bool,
    /// Sellers can read them (brands for their products), though only staff manages them.
    pub readable_by_sellers: bool,
    /// Records written by members: the console cannot create them, and only staff can remove or restore them.
    pub member_authored: bool,
    /// Sealed fields; their content is not shown.
    pub sealed: &'static [&'static str],
    /// Other records refer to it by its code, not by its id.
    pub named_by_code: bool,
    /// The source of its list.
    pub source: Source,
    /// The read models that its list depends on.
    pub reads: &'static [&'static str],
    /// Generates the id of a new record.
    pub new_id: fn() -> String,
    /// The fields that users with these rows may change; none for all.
    pub changeable: fn(RowScope) -> Option<&'static [&'static str]>,
    /// Assigns ids to new parts, moves counts out of the document, and sets the creator.
    pub normalize: Normalize,
    /// Seals what a form has as plain text, before its changes are checked.
    pub seal_input: SealInput,
    /// Checks that it is consistent with other records; arguments: id, document before, document after.
    pub consistent: Consistent,
    /// Appends to other streams in the same append.
    pub side_effects: SideEffects,
    /// The reason why it cannot be removed while an aggregate or a policy uses it, in Korean; none if it can.
    pub removal_blocker: RemovalBlocker,
    /// Its document with the nested fields that documents saved before they existed do not have, as it is shown.
    pub fill: fn(Document) -> AppResult<Document>,
    /// Data of aggregates added to its document.
    pub enrich_one: EnrichOne,
    /// Rows with the data of aggregates that lists show besides the documents.
    pub enrich_list: EnrichList,
    /// Its document, for the OpenAPI document.
    pub document: DocumentSchema,
    /// Additional fields of a change request.
    pub input: Option<DocumentSchema>,
    /// Additional fields of a response.
    pub output: Option<DocumentSchema>,
    /// What its tables have besides its fields.
    pub table: TableForm,
    read: fn(Document) -> AppResult<Document>,
}

/// A type of document that is a record of the console.
pub trait ConsoleRecord: Resource {
    /// Its kind.
    const RESOURCE: AdminResource;
}

/// A kind of record without fields and hooks, from its type, kind, path, and singular and plural on the wire.
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

/// A kind that is declared whole.
struct Declaration<R>(PhantomData<R>);

impl<R: DeclaredRecord> Declaration<R> {
    const RESOURCE: AdminResource = {
        let [create, revise, remove, restore, import] = R::COMMANDS;
        AdminResource {
            schema: R::SCHEMA,
            for_sellers: matches!(R::SELLERS, SellerAccess::Own),
            readable_by_sellers: matches!(R::SELLERS, SellerAccess::Read),
            named_by_code: R::NAMED_BY_CODE,
            ..AdminResource::of::<R>(
                R::WIRE,
                Commands {
                    create,
                    revise,
                    remove,
                    restore,
                    import,
                },
            )
        }
    };
}

macro_rules! resources {
    (
        aggregates { $($name:ident: $state:ty,)+ }
        records { $($kind:ty,)+ }
        declared { $($declared:ty,)+ }
    ) => {
        /// Every kind of record.
        pub const ALL: &[&AdminResource] = &[
            $(&<$kind as ConsoleRecord>::RESOURCE,)+
            $(&Declaration::<$declared>::RESOURCE,)+
        ];
    };
}

domain::registered!(resources);

/// The resource of a stream kind.
pub fn find(kind: &str) -> Option<&'static AdminResource> {
    ALL.iter()
        .copied()
        .find(|resource| resource.record.kind == kind)
}

/// Creates the indexes for lists of kinds with many records; false while a read model has no tables.
///
/// # Errors
/// Database errors.
pub async fn create_indexes(app: &App) -> AppResult<bool> {
    for resource in ALL.iter().filter(|resource| resource.schema.grows) {
        let sorted = sorted_columns(&resource.schema);
        let mut narrowed = narrowed_columns(&resource.schema);
        if resource.member_authored && matches!(resource.source, Source::Records(_)) {
            // a member's own list
            narrowed.push(AUTHOR);
        }
        if !index(app.pool(), resource.source, &sorted, &narrowed).await? {
            return Ok(false);
        }
    }
    let are_waiting = waiting::create_indexes(app.pool()).await?;
    Ok(are_waiting && sub_resources::lists::create_element_indexes(app).await?)
}

impl AdminResource {
    /// A kind that only staff manages, with all fields changeable and no side effects.
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
            seal_input: |_, _, _| ready(Ok(())).boxed(),
            consistent: |_, _, _, _| ready(Ok(())).boxed(),
            side_effects: |_, _| ready(Ok(Vec::new())).boxed(),
            removal_blocker: |_, _, _| ready(Ok(None)).boxed(),
            fill: Ok,
            enrich_one: |_, _, _| ready(Ok(Document::new())).boxed(),
            enrich_list: |_, rows| ready(Ok(rows)).boxed(),
            document: DocumentSchema::of::<R>(),
            input: None,
            output: None,
            table: TableForm::NONE,
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

    /// Parses these fields as a document of this kind.
    ///
    /// # Errors
    /// `invalid_body` with the field of the wrong type.
    pub fn read(&self, fields: Document) -> AppResult<Document> {
        (self.read)(fields)
    }

    /// Decides a command on a record of this kind; the result is its append.
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

    /// The seller a record belongs to; none if it belongs to the shop.
    pub fn seller(&self, document: &Document) -> Option<MemberId> {
        let seller = document.get("_seller").filter(|_| self.for_sellers)?;
        seller.as_str()?.parse().ok()
    }

    /// Checks that users with these rows have access to this kind.
    ///
    /// # Errors
    /// `access_denied`.
    pub fn may_keep(&self, rows: RowScope) -> AppResult<()> {
        match rows {
            RowScope::Seller(_) if !self.for_sellers => Err(AppError::denied(&["console"])),
            _ => Ok(()),
        }
    }

    /// The rows of this kind that users with these rows may read.
    ///
    /// # Errors
    /// `access_denied`.
    pub fn may_see(&self, rows: RowScope) -> AppResult<RowScope> {
        match rows {
            RowScope::Seller(_) if self.readable_by_sellers => Ok(RowScope::All),
            rows => self.may_keep(rows).map(|()| rows),
        }
    }

    /// Checks that users with these rows may remove or restore such a record.
    ///
    /// # Errors
    /// `access_denied`; content written by members can be removed only by staff, not by the sellers it is about.
    pub fn may_remove(&self, rows: RowScope) -> AppResult<()> {
        match rows {
            RowScope::Seller(_) if self.member_authored => Err(AppError::denied(&["console"])),
            _ => Ok(()),
        }
    }

    /// Checks that this record is within these rows.
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
/// It is not a JSON object.
pub fn document_of(value: &impl Serialize) -> AppResult<Document> {
    match serde_json::to_value(value)? {
        Value::Object(document) => Ok(document),
        other => Err(AppError::internal(anyhow::anyhow!(
            "{other} is no document"
        ))),
    }
}
