//! The calls about records in the API's document: the same seven for every kind, with its own schema.

use axum::handler::Handler;
use serde::{Deserialize, Serialize};
use utoipa::openapi::path::{
    HttpMethod, Operation, OperationBuilder, ParameterBuilder, ParameterIn,
};
use utoipa::openapi::request_body::RequestBodyBuilder;
use utoipa::openapi::schema::{AllOfBuilder, ArrayBuilder, ObjectBuilder, Schema};
use utoipa::openapi::{ContentBuilder, Ref, RefOr, Required, ResponseBuilder};
use utoipa::{PartialSchema, ToSchema};

use super::bulk::{self, Many, Outcome};
use super::import::{self, ImportForm, ImportReport};
use super::kinds::AdminResource;
use super::list_query::{SEARCH, SORT};
use super::restore::{self, Earlier};
use super::schema::Action;
use super::{create, export, history, list, remove, revise, show};
use crate::app::AppState;
use crate::console::history::{HistoryActor, HistoryAnswer, HistoryEvent};
use crate::http::Summary;
use crate::http::operation::{OperationHandler, Signature};

/// What every record shows beside its own fields.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RecordLabel {
    /// The record.
    #[serde(rename = "_id")]
    pub id: String,
    /// Its version; a change sends it back.
    pub version: u64,
    /// When it was made.
    #[schema(format = DateTime)]
    pub created_at: String,
    /// When it was last changed.
    #[schema(format = DateTime)]
    pub updated_at: String,
    /// Whether it was removed.
    pub removed: bool,
}

/// What a change of a record says beside its fields.
#[derive(Debug, Deserialize, ToSchema)]
pub struct RecordVersion {
    /// The version the form started from.
    pub version: u64,
}

type NamedSchema = (String, RefOr<Schema>);

fn named<T: ToSchema>() -> NamedSchema {
    (T::name().into_owned(), T::schema())
}

fn with<T: ToSchema>(schemas: &mut Vec<NamedSchema>) {
    schemas.push(named::<T>());
    T::schemas(schemas);
}

fn of(name: &str) -> RefOr<Schema> {
    RefOr::Ref(Ref::from_schema_name(name))
}

fn both(one: RefOr<Schema>, other: RefOr<Schema>) -> AllOfBuilder {
    AllOfBuilder::new().item(one).item(other)
}

/// A change says only what changes.
fn nothing_required(schema: RefOr<Schema>) -> RefOr<Schema> {
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

/// What a kind sends or shows of ledgers, beside its document.
fn of_ledgers(all: AllOfBuilder, fields: Option<RefOr<Schema>>) -> RefOr<Schema> {
    let all = match fields {
        Some(fields) => all.item(fields),
        None => all,
    };
    RefOr::T(Schema::AllOf(all.build()))
}

/// Adds the calls about records of a kind to the document.
pub fn describe<R: AdminResource>(document: &mut utoipa::openapi::OpenApi) {
    let name = R::name().into_owned();
    let (record, revision) = (format!("{name}Record"), format!("{name}Revision"));
    let (one, many) = (format!("{record}Answer"), format!("{record}sAnswer"));
    let mut schemas = Vec::new();
    with::<R>(&mut schemas);
    with::<RecordLabel>(&mut schemas);
    with::<RecordVersion>(&mut schemas);
    with::<Summary>(&mut schemas);
    with::<HistoryAnswer>(&mut schemas);
    with::<HistoryEvent>(&mut schemas);
    with::<HistoryActor>(&mut schemas);
    with::<Earlier>(&mut schemas);
    with::<Many>(&mut schemas);
    with::<Outcome>(&mut schemas);
    with::<ImportForm>(&mut schemas);
    with::<ImportReport>(&mut schemas);
    R::beside_schemas(&mut schemas);
    let shown = both(of(&name), of("RecordLabel"));
    let asked = both(nothing_required(R::schema()), of("RecordVersion"));
    let beside = ObjectBuilder::new;
    let page = ArrayBuilder::new().items(of(&record));
    schemas.extend([
        (
            record.clone(),
            of_ledgers(shown, R::output_extension_schema()),
        ),
        (
            revision.clone(),
            of_ledgers(asked, R::input_extension_schema()),
        ),
        (
            one.clone(),
            beside()
                .property(R::ONE, of(&record))
                .required(R::ONE)
                .into(),
        ),
        (
            many.clone(),
            beside()
                .property("summary", of("Summary"))
                .required("summary")
                .property(R::MANY, page)
                .required(R::MANY)
                .into(),
        ),
    ]);
    document
        .components
        .get_or_insert_default()
        .schemas
        .extend(schemas);

    let under = |what: &str| format!("{}/{what}", R::PATH);
    let (all, single) = (R::PATH.to_owned(), under("{id}"));
    let past = under("{id}/history");
    let call = |verb, path: &String, method| Call {
        path: path.clone(),
        method,
        verb,
        body: None,
        answer: ("200", JSON, one.as_str()),
        queries: Vec::new(),
        signature: Signature::default(),
    };
    let (queries, form) = (asked_of_lists::<R>(), ImportForm::name());
    let mut calls = vec![
        call("list", &all, HttpMethod::Get)
            .asking(queries.clone())
            .answering("200", &many)
            .by(list::list::<R>),
        call("show", &single, HttpMethod::Get).by(show::show::<R>),
        call("revise", &single, HttpMethod::Put)
            .with(JSON, &revision)
            .by(revise::revise::<R>),
        call("history", &past, HttpMethod::Get)
            .answering("200", "HistoryAnswer")
            .by(history::history::<R>),
        call("restore", &under("{id}/restore"), HttpMethod::Post)
            .with(JSON, "Earlier")
            .by(restore::restore::<R>),
    ];
    let refused = |verb, path: &String, method| {
        call(verb, path, method)
            .answering("405", "ErrorBody")
            .by(create::refused::<R>)
    };
    match R::MEMBER_AUTHORED {
        true => calls.push(refused("create", &all, HttpMethod::Post)),
        false => {
            let create = call("create", &all, HttpMethod::Post).with(JSON, &name);
            calls.push(create.answering("201", &one).by(create::create::<R>));
        }
    }
    match R::DESCRIPTION.actions.contains(&Action::Delete) {
        true => calls.push(call("remove", &single, HttpMethod::Delete).by(remove::remove::<R>)),
        false => calls.push(refused("remove", &single, HttpMethod::Delete)),
    }
    for action in R::DESCRIPTION.actions {
        calls.push(match action {
            Action::Bulk => call("bulk", &under("bulk"), HttpMethod::Post)
                .with(JSON, "Many")
                .answering("200", "Outcome")
                .by(bulk::bulk::<R>),
            Action::Import => call("import", &under("import"), HttpMethod::Post)
                .with("multipart/form-data", &form)
                .asking(["dryRun", "table", "after"].map(str::to_owned).to_vec())
                .answering("200", "ImportReport")
                .by(import::import::<R>),
            Action::Export => {
                let narrowed = queries.iter().cloned().chain(["format".to_owned()]);
                Call {
                    answer: ("200", SHEET, ""),
                    ..call("export", &under("export"), HttpMethod::Get)
                        .asking(narrowed.collect())
                        .by(export::export::<R>)
                }
            }
            _ => continue,
        });
    }
    for call in calls {
        let (path, method) = (call.path.clone(), call.method.clone());
        document
            .paths
            .add_path_operation(path, vec![method], call.operation(&name));
    }
}

const JSON: &str = "application/json";
const SHEET: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/// Everything a list of the kind can be asked for.
fn asked_of_lists<R: AdminResource>() -> Vec<String> {
    let filters = R::DESCRIPTION
        .filters
        .iter()
        .flat_map(|filter| filter.parameters());
    [SEARCH, SORT]
        .map(str::to_owned)
        .into_iter()
        .chain(filters)
        .collect()
}

fn parameter(name: &str, within: ParameterIn, required: Required) -> ParameterBuilder {
    ParameterBuilder::new()
        .name(name)
        .parameter_in(within)
        .required(required)
        .schema(Some(String::schema()))
}

/// A call about records.
struct Call<'a> {
    path: String,
    method: HttpMethod,
    verb: &'static str,
    /// Content type and schema.
    body: Option<(&'static str, &'a str)>,
    /// Status, content type, and schema: none for a file.
    answer: (&'static str, &'static str, &'a str),
    queries: Vec<String>,
    /// Of its handler.
    signature: Signature,
}

fn signature_of<H, T>(_: H) -> Signature
where
    H: Handler<T, AppState> + OperationHandler<T>,
{
    H::signature()
}

impl<'a> Call<'a> {
    fn by<H, T>(mut self, handler: H) -> Self
    where
        H: Handler<T, AppState> + OperationHandler<T>,
    {
        self.signature = signature_of(handler);
        self
    }

    fn with(mut self, kind: &'static str, schema: &'a str) -> Self {
        self.body = Some((kind, schema));
        self
    }

    fn answering(mut self, status: &'static str, schema: &'a str) -> Self {
        self.answer = (status, JSON, schema);
        self
    }

    fn asking(mut self, queries: Vec<String>) -> Self {
        self.queries = queries;
        self
    }

    fn operation(self, kind: &str) -> Operation {
        let (status, content_type, schema) = self.answer;
        let schema = match schema {
            "" => String::schema(),
            name => of(name),
        };
        let content = ContentBuilder::new().schema(Some(schema)).build();
        let response = ResponseBuilder::new()
            .description("")
            .content(content_type, content);
        let mut operation = OperationBuilder::new()
            .tag("console")
            .operation_id(Some(format!("{}{kind}Record", self.verb)))
            .response(status, response);
        for query in &self.queries {
            operation = operation.parameter(parameter(query, ParameterIn::Query, Required::False));
        }
        if self.path.contains("{id}") {
            operation = operation.parameter(parameter("id", ParameterIn::Path, Required::True));
        }
        if let Some((kind, body)) = self.body {
            let content = ContentBuilder::new().schema(Some(of(body))).build();
            operation = operation.request_body(Some(
                RequestBodyBuilder::new()
                    .content(kind, content)
                    .required(Some(Required::True))
                    .build(),
            ));
        }
        let mut operation = operation.build();
        self.signature.tell(&mut operation);
        operation
    }
}
