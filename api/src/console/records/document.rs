//! The calls about records in the API's document: the same seven for every kind, with its own schema.

use serde::{Deserialize, Serialize};
use utoipa::openapi::path::{HttpMethod, OperationBuilder, ParameterBuilder, ParameterIn};
use utoipa::openapi::request_body::RequestBodyBuilder;
use utoipa::openapi::schema::{AllOfBuilder, ArrayBuilder, ObjectBuilder, Schema};
use utoipa::openapi::security::SecurityRequirement;
use utoipa::openapi::{ContentBuilder, Ref, RefOr, Required, ResponseBuilder};
use utoipa::{IntoParams, PartialSchema, ToSchema};

use super::kinds::Kept;
use super::list::Wanted;
use super::restore::Earlier;
use crate::console::history::{HistoryActor, HistoryAnswer, HistoryEvent};
use crate::http::Page;
use crate::shop::Summary;

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

type Named = (String, RefOr<Schema>);

fn named<T: ToSchema>() -> Named {
    (T::name().into_owned(), T::schema())
}

fn with<T: ToSchema>(schemas: &mut Vec<Named>) {
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
pub fn describe<R: Kept>(document: &mut utoipa::openapi::OpenApi) {
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
    R::beside_schemas(&mut schemas);
    let shown = both(of(&name), of("RecordLabel"));
    let asked = both(nothing_required(R::schema()), of("RecordVersion"));
    let beside = ObjectBuilder::new;
    let page = ArrayBuilder::new().items(of(&record));
    schemas.extend([
        (record.clone(), of_ledgers(shown, R::shown_beside())),
        (revision.clone(), of_ledgers(asked, R::asked_beside())),
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

    let all = R::PATH.to_owned();
    let single = format!("{all}/{{id}}");
    let (past, back) = (format!("{single}/history"), format!("{single}/restore"));
    let (get, post) = (HttpMethod::Get, HttpMethod::Post);
    let calls = [
        (&all, get.clone(), "list", None, "200", many.as_str()),
        (
            &all,
            post.clone(),
            "create",
            Some(name.as_str()),
            "201",
            &one,
        ),
        (&single, get.clone(), "show", None, "200", &one),
        (
            &single,
            HttpMethod::Put,
            "revise",
            Some(&revision),
            "200",
            &one,
        ),
        (&single, HttpMethod::Delete, "remove", None, "200", &one),
        (&past, get, "history", None, "200", "HistoryAnswer"),
        (&back, post, "restore", Some("Earlier"), "200", &one),
    ];
    for (path, method, verb, body, status, answer) in calls {
        let content = ContentBuilder::new().schema(Some(of(answer))).build();
        let response = ResponseBuilder::new()
            .description("")
            .content("application/json", content);
        let mut operation = OperationBuilder::new()
            .tag("console")
            .operation_id(Some(format!("{verb}{name}Record")))
            .security(SecurityRequirement::new::<_, _, String>("access", []))
            .response(status, response);
        if verb == "list" {
            let query = Wanted::into_params(|| Some(ParameterIn::Query));
            operation = operation.parameters(Some(query));
            operation = operation.parameters(Some(Page::into_params(|| None)));
        }
        if path.contains("{id}") {
            let id = ParameterBuilder::new()
                .name("id")
                .parameter_in(ParameterIn::Path)
                .required(Required::True)
                .schema(Some(String::schema()));
            operation = operation.parameter(id);
        }
        if let Some(body) = body {
            let content = ContentBuilder::new().schema(Some(of(body))).build();
            operation = operation.request_body(Some(
                RequestBodyBuilder::new()
                    .content("application/json", content)
                    .required(Some(Required::True))
                    .build(),
            ));
        }
        document
            .paths
            .add_path_operation(path, vec![method], operation);
    }
}
