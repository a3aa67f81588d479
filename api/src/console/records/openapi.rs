//! The endpoints of records in the OpenAPI document: the same for every kind, with its own schema.

use application::resources::bulk::BulkRequest;
use application::resources::import::ImportReport;
use application::resources::parts::BulkOutcome;
use application::resources::write::RestoreRequest;
use application::resources::{AdminResource, DocumentSchema};
use serde::{Deserialize, Serialize};
use utoipa::openapi::path::{Operation, OperationBuilder, ParameterBuilder, ParameterIn};
use utoipa::openapi::request_body::RequestBodyBuilder;
use utoipa::openapi::schema::{AllOfBuilder, ArrayBuilder, ObjectBuilder, Schema};
use utoipa::openapi::{ContentBuilder, OpenApi, Ref, RefOr, Required, ResponseBuilder};
use utoipa::{PartialSchema, ToSchema};

use super::calls::RecordCall;
use super::import::ImportForm;
use crate::console::history::{HistoryActor, HistoryAnswer, HistoryEvent};
use crate::http::Summary;

/// Fields of every record besides its own.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RecordLabel {
    /// Id of the record.
    #[serde(rename = "_id")]
    pub id: String,
    /// Its version; send it back with a change.
    pub version: u64,
    /// Time of creation.
    #[schema(format = DateTime)]
    pub created_at: String,
    /// Time of the last change.
    #[schema(format = DateTime)]
    pub updated_at: String,
    /// Whether it is removed.
    pub removed: bool,
}

/// Fields of a change besides the record's own.
#[derive(Debug, Deserialize, ToSchema)]
pub struct RecordVersion {
    /// The version the form started from.
    pub version: u64,
}

pub(super) type NamedSchema = (String, RefOr<Schema>);

pub(super) fn with(schemas: &mut Vec<NamedSchema>, schema: DocumentSchema) {
    schemas.push(((schema.name)().into_owned(), (schema.schema)()));
    (schema.others)(schemas);
}

pub(super) fn of(name: &str) -> RefOr<Schema> {
    RefOr::Ref(Ref::from_schema_name(name))
}

pub(super) fn both(one: RefOr<Schema>, other: RefOr<Schema>) -> AllOfBuilder {
    AllOfBuilder::new().item(one).item(other)
}

/// Makes all fields optional: a change contains only changed fields.
pub(super) fn nothing_required(schema: RefOr<Schema>) -> RefOr<Schema> {
    match schema {
        RefOr::T(Schema::Object(mut object)) => {
            object.required.clear();
            RefOr::T(Schema::Object(object))
        }
        RefOr::T(Schema::AllOf(mut all)) => {
            all.items = all.items.into_iter().map(nothing_required).collect();
            RefOr::T(Schema::AllOf(all))
        }
        other => other,
    }
}

/// Adds the fields of a kind that come from aggregates, besides its document.
fn of_ledgers(all: AllOfBuilder, fields: Option<DocumentSchema>) -> RefOr<Schema> {
    let all = match fields {
        Some(fields) => all.item((fields.schema)()),
        None => all,
    };
    RefOr::T(Schema::AllOf(all.build()))
}

/// The names of the schemas of a kind.
pub(super) struct SchemaNames {
    /// Its document.
    pub document: String,
    /// A change of it.
    pub revision: String,
    /// The response with one record.
    pub one: String,
    /// The response with a list.
    pub many: String,
    record: String,
}

impl SchemaNames {
    pub(super) fn of(resource: &AdminResource) -> Self {
        let document = (resource.document.name)().into_owned();
        let record = format!("{document}Record");
        Self {
            revision: format!("{document}Revision"),
            one: format!("{record}Answer"),
            many: format!("{record}sAnswer"),
            document,
            record,
        }
    }
}

/// Adds the schemas of a kind to the OpenAPI document.
pub(super) fn describe(resource: &AdminResource, names: &SchemaNames, document: &mut OpenApi) {
    let mut schemas = Vec::new();
    for schema in [
        resource.document,
        DocumentSchema::of::<RecordLabel>(),
        DocumentSchema::of::<RecordVersion>(),
        DocumentSchema::of::<Summary>(),
        DocumentSchema::of::<HistoryAnswer>(),
        DocumentSchema::of::<HistoryEvent>(),
        DocumentSchema::of::<HistoryActor>(),
        DocumentSchema::of::<RestoreRequest>(),
        DocumentSchema::of::<BulkRequest>(),
        DocumentSchema::of::<BulkOutcome>(),
        DocumentSchema::of::<ImportForm>(),
        DocumentSchema::of::<ImportReport>(),
    ] {
        with(&mut schemas, schema);
    }
    for beside in resource.input.iter().chain(&resource.output) {
        (beside.others)(&mut schemas);
    }
    let shown = both(of(&names.document), of("RecordLabel"));
    let asked = both(
        nothing_required((resource.document.schema)()),
        of("RecordVersion"),
    );
    let answer = |name: &str| ObjectBuilder::new().required(name);
    let (one, many) = (resource.wire.one, resource.wire.many);
    let page = ArrayBuilder::new().items(of(&names.record));
    schemas.extend([
        (names.record.clone(), of_ledgers(shown, resource.output)),
        (names.revision.clone(), of_ledgers(asked, resource.input)),
        (
            names.one.clone(),
            answer(one).property(one, of(&names.record)).into(),
        ),
        (
            names.many.clone(),
            answer("summary")
                .property("summary", of("Summary"))
                .property(many, page)
                .required(many)
                .into(),
        ),
    ]);
    document
        .components
        .get_or_insert_default()
        .schemas
        .extend(schemas);
}

fn parameter(name: &str, within: ParameterIn, required: Required) -> ParameterBuilder {
    ParameterBuilder::new()
        .name(name)
        .parameter_in(within)
        .required(required)
        .schema(Some(String::schema()))
}

/// The OpenAPI operation of an endpoint; `of_what` is what it works on, for its operation id.
pub(super) fn operation(call: &RecordCall, of_what: &str) -> Operation {
    let (status, content_type, schema) = &call.answer;
    let schema = match schema.as_str() {
        "" => String::schema(),
        name => of(name),
    };
    let content = ContentBuilder::new().schema(Some(schema)).build();
    let response = ResponseBuilder::new()
        .description("")
        .content(*content_type, content);
    let mut operation = OperationBuilder::new()
        .tag("console")
        .operation_id(Some(format!("{}{of_what}", call.verb)))
        .response(*status, response);
    for query in &call.queries {
        operation = operation.parameter(parameter(query, ParameterIn::Query, Required::False));
    }
    if call.path.contains("{id}") {
        operation = operation.parameter(parameter("id", ParameterIn::Path, Required::True));
    }
    if let Some((kind, body)) = &call.body {
        let content = ContentBuilder::new().schema(Some(of(body))).build();
        operation = operation.request_body(Some(
            RequestBodyBuilder::new()
                .content(*kind, content)
                .required(Some(Required::True))
                .build(),
        ));
    }
    let mut operation = operation.build();
    call.signature.clone().tell(&mut operation);
    operation
}
