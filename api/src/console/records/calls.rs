//! The endpoints of a kind of record: routed to the handlers shared by all kinds, and described in the OpenAPI document.

use application::resources::AdminResource;
use application::resources::list_query::{SEARCH, SORT};
use application::resources::schema::Action;
use axum::extract::DefaultBodyLimit;
use axum::handler::Handler;
use axum::response::Response;
use axum::routing::MethodRouter;
use futures::future::BoxFuture;
use utoipa::ToSchema;
use utoipa::openapi::path::HttpMethod;
use utoipa_axum::PathItemExt;
use utoipa_axum::router::OpenApiRouter;

use super::import::{BYTES_MOST, ImportForm};
use super::openapi::{SchemaNames, describe, operation};
use super::{bulk, create, export, history, import, list, remove, restore, revise, show};
use crate::app::AppState;
use crate::http::operation::{OperationHandler, Signature};
use crate::http::routes::Call;

pub(super) const JSON: &str = "application/json";
const FORM: &str = "multipart/form-data";
const SHEET: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/// An endpoint of a kind of record.
pub(super) struct RecordCall {
    pub path: String,
    pub method: HttpMethod,
    /// First word of its operation id.
    pub verb: &'static str,
    /// Content type and schema of the request body.
    pub body: Option<(&'static str, String)>,
    /// Status, content type, and schema of the response; without a schema it is a file.
    pub answer: (&'static str, &'static str, String),
    pub queries: Vec<String>,
    /// Signature of its handler.
    pub signature: Signature,
    handler: Call<AppState>,
    /// Maximum size of its body in bytes, if larger than the default.
    bytes_most: Option<usize>,
}

impl RecordCall {
    pub(super) fn to<H, T>(verb: &'static str, method: HttpMethod, path: &str, handler: H) -> Self
    where
        H: Handler<T, AppState, Future = BoxFuture<'static, Response>> + OperationHandler<T> + Sync,
    {
        Self {
            path: path.to_owned(),
            method,
            verb,
            body: None,
            answer: ("200", JSON, String::new()),
            queries: Vec::new(),
            signature: H::signature(),
            handler: Call::to(handler),
            bytes_most: None,
        }
    }

    pub(super) fn with(mut self, content_type: &'static str, schema: &str) -> Self {
        self.body = Some((content_type, schema.to_owned()));
        self
    }

    pub(super) fn answering(mut self, status: &'static str, schema: &str) -> Self {
        self.answer = (status, JSON, schema.to_owned());
        self
    }

    pub(super) fn asking(mut self, queries: Vec<String>) -> Self {
        self.queries = queries;
        self
    }

    pub(super) fn route(&self) -> MethodRouter<AppState> {
        let route = MethodRouter::new()
            .on::<_, ()>(self.method.clone().to_method_filter(), self.handler.clone());
        match self.bytes_most {
            Some(most) => route.layer(DefaultBodyLimit::max(most)),
            None => route,
        }
    }
}

/// The routes of a kind.
pub fn of(resource: &'static AdminResource) -> OpenApiRouter<AppState> {
    let names = SchemaNames::of(resource);
    let mut router = OpenApiRouter::new();
    describe(resource, &names, router.get_openapi_mut());
    for call in calls(resource, &names) {
        router = router.route(&call.path, call.route());
        let operation = operation(&call, &format!("{}Record", names.document));
        let paths = &mut router.get_openapi_mut().paths;
        paths.add_path_operation(call.path, vec![call.method], operation);
    }
    router
}

/// All query parameters of the list of a kind.
fn asked_of_lists(resource: &AdminResource) -> Vec<String> {
    let filters = resource
        .schema
        .filters
        .iter()
        .flat_map(|filter| filter.parameters());
    [SEARCH, SORT]
        .map(str::to_owned)
        .into_iter()
        .chain(filters)
        .collect()
}

fn calls(resource: &'static AdminResource, names: &SchemaNames) -> Vec<RecordCall> {
    let under = |what: &str| format!("{}/{what}", resource.wire.path);
    let (all, single) = (resource.wire.path, under("{id}"));
    let queries = asked_of_lists(resource);
    let can = |action| resource.schema.actions.contains(&action);
    let refused = |verb, method, path: &str| {
        RecordCall::to(verb, method, path, move |who| {
            create::refused(resource, who)
        })
        .answering("405", "ErrorBody")
    };
    let mut calls = vec![
        RecordCall::to(
            "list",
            HttpMethod::Get,
            all,
            move |app, who, page, query, wait| list::list(resource, app, who, page, query, wait),
        )
        .asking(queries.clone())
        .answering("200", &names.many),
        RecordCall::to("show", HttpMethod::Get, &single, move |app, who, id| {
            show::show(resource, app, who, id)
        })
        .answering("200", &names.one),
        RecordCall::to(
            "revise",
            HttpMethod::Put,
            &single,
            move |app, who, id, body| revise::revise(resource, app, who, id, body),
        )
        .with(JSON, &names.revision)
        .answering("200", &names.one),
        RecordCall::to(
            "history",
            HttpMethod::Get,
            &under("{id}/history"),
            move |app, who, id| history::history(resource, app, who, id),
        )
        .answering("200", "HistoryAnswer"),
        RecordCall::to(
            "restore",
            HttpMethod::Post,
            &under("{id}/restore"),
            move |app, who, id, body| restore::restore(resource, app, who, id, body),
        )
        .with(JSON, "RestoreRequest")
        .answering("200", &names.one),
    ];
    calls.push(match resource.member_authored {
        true => refused("create", HttpMethod::Post, all),
        false => RecordCall::to("create", HttpMethod::Post, all, move |app, who, body| {
            create::create(resource, app, who, body)
        })
        .with(JSON, &names.document)
        .answering("201", &names.one),
    });
    calls.push(match can(Action::Delete) {
        true => RecordCall::to(
            "remove",
            HttpMethod::Delete,
            &single,
            move |app, who, id, origin| remove::remove(resource, app, who, id, origin),
        )
        .answering("200", &names.one),
        false => refused("remove", HttpMethod::Delete, &single),
    });
    if can(Action::Bulk) {
        let bulk = RecordCall::to(
            "bulk",
            HttpMethod::Post,
            &under("bulk"),
            move |app, who, body| bulk::bulk(resource, app, who, body),
        );
        calls.push(bulk.with(JSON, "BulkRequest").answering("200", "Outcome"));
    }
    if can(Action::Import) {
        let import = RecordCall::to(
            "import",
            HttpMethod::Post,
            &under("import"),
            move |app, who, query, request| import::import(resource, app, who, query, request),
        );
        calls.push(RecordCall {
            bytes_most: Some(BYTES_MOST + 64 * 1024),
            ..import
                .with(FORM, &ImportForm::name())
                .asking(
                    ["dryRun", "table", "after", "existing"]
                        .map(str::to_owned)
                        .to_vec(),
                )
                .answering("200", "ImportReport")
        });
    }
    if can(Action::Export) {
        let narrowed = queries.into_iter().chain(["format".to_owned()]);
        let export = RecordCall::to(
            "export",
            HttpMethod::Get,
            &under("export"),
            move |app, who, query, wait| export::export(resource, app, who, query, wait),
        );
        calls.push(RecordCall {
            answer: ("200", SHEET, String::new()),
            ..export.asking(narrowed.collect())
        });
    }
    calls
}
