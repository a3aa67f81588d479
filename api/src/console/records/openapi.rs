//! The calls of a kind in the API's document.

use utoipa::ToSchema;
use utoipa::openapi::path::{
    HttpMethod, OperationBuilder, Parameter, ParameterBuilder, ParameterIn,
};
use utoipa::openapi::request_body::RequestBodyBuilder;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::openapi::security::SecurityRequirement;
use utoipa::openapi::{ContentBuilder, OpenApi, Ref, RefOr, Required, ResponseBuilder};

use super::bulk::{Many, Outcome};
use super::describe::Action;
use super::import::{ImportForm, Imported};
use super::kinds::Kept;
use super::restore::Earlier;
use super::wanted::{SEARCH, SORT};

/// A body or an answer: its schema's name and its content type.
type Content = (String, &'static str);

const JSON: &str = "application/json";

/// Adds the calls of a kind and the schemas they speak of.
pub fn describe<R: Kept>(document: &mut OpenApi) {
    fn know<T: ToSchema>(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.push((T::name().into_owned(), T::schema()));
        T::schemas(schemas);
    }
    let mut schemas = Vec::new();
    know::<R>(&mut schemas);
    know::<Earlier>(&mut schemas);
    know::<Many>(&mut schemas);
    know::<Outcome>(&mut schemas);
    know::<ImportForm>(&mut schemas);
    know::<Imported>(&mut schemas);
    document
        .components
        .get_or_insert_default()
        .schemas
        .extend(schemas);

    let can = |action| R::DESCRIPTION.actions.contains(&action);
    let record = || Some((R::name().into_owned(), JSON));
    let one = format!("{}/{{id}}", R::PATH);
    let under = |what: &str| format!("{}/{what}", R::PATH);
    let mut add = |path: &str, method, operation: OperationBuilder| {
        document
            .paths
            .add_path_operation(path, vec![method], operation);
    };
    add(
        R::PATH,
        HttpMethod::Get,
        asking::<R>(call::<R>("list", None, None)),
    );
    add(
        R::PATH,
        HttpMethod::Post,
        call::<R>("create", record(), None),
    );
    add(&one, HttpMethod::Get, of_one(call::<R>("show", None, None)));
    add(
        &one,
        HttpMethod::Put,
        of_one(call::<R>("revise", record(), None)),
    );
    add(
        &one,
        HttpMethod::Delete,
        of_one(call::<R>("remove", None, None)),
    );
    let past = call::<R>("history", None, None);
    add(&under("{id}/history"), HttpMethod::Get, of_one(past));
    let back = call::<R>("restore", spoken::<Earlier>(JSON), None);
    add(&under("{id}/restore"), HttpMethod::Post, of_one(back));
    if can(Action::Bulk) {
        let bulk = call::<R>("bulk", spoken::<Many>(JSON), spoken::<Outcome>(JSON));
        add(&under("bulk"), HttpMethod::Post, bulk);
    }
    if can(Action::Export) {
        let export = asking::<R>(call::<R>("export", None, None)).parameter(query("format"));
        add(&under("export"), HttpMethod::Get, export);
    }
    if can(Action::Import) {
        let form = spoken::<ImportForm>("multipart/form-data");
        let import = call::<R>("import", form, spoken::<Imported>(JSON)).parameter(query("dryRun"));
        add(&under("import"), HttpMethod::Post, import);
    }
}

fn spoken<T: ToSchema>(kind: &'static str) -> Option<Content> {
    Some((T::name().into_owned(), kind))
}

fn call<R: Kept>(verb: &str, body: Option<Content>, answer: Option<Content>) -> OperationBuilder {
    let content = |name: String| {
        let schema: RefOr<Schema> = RefOr::Ref(Ref::from_schema_name(name));
        ContentBuilder::new().schema(Some(schema)).build()
    };
    let mut response = ResponseBuilder::new().description("");
    if let Some((name, kind)) = answer {
        response = response.content(kind, content(name));
    }
    let operation = OperationBuilder::new()
        .tag("console")
        .operation_id(Some(format!("{verb}{}", R::NAME)))
        .security(SecurityRequirement::new::<_, _, String>("access", []))
        .response("200", response);
    match body {
        Some((name, kind)) => operation.request_body(Some(
            RequestBodyBuilder::new()
                .content(kind, content(name))
                .build(),
        )),
        None => operation,
    }
}

fn of_one(operation: OperationBuilder) -> OperationBuilder {
    operation.parameter(
        ParameterBuilder::new()
            .name("id")
            .parameter_in(ParameterIn::Path)
            .required(Required::True),
    )
}

/// Everything a list can be asked for.
fn asking<R: Kept>(operation: OperationBuilder) -> OperationBuilder {
    let filters = R::DESCRIPTION
        .filters
        .iter()
        .flat_map(|filter| filter.parameters());
    let names = [SEARCH, SORT].map(str::to_owned).into_iter().chain(filters);
    names.fold(operation, |operation, name| {
        operation.parameter(query(&name))
    })
}

fn query(name: &str) -> Parameter {
    ParameterBuilder::new()
        .name(name)
        .parameter_in(ParameterIn::Query)
        .required(Required::False)
        .schema(Some(ObjectBuilder::new().schema_type(Type::String)))
        .build()
}
