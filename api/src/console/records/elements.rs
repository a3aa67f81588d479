//! The endpoints of sub-resources: the elements of a list in records, one implementation for all of them.

use application::executor::CommandContext;
use application::resources::input::Draft;
use application::resources::list_query::Pairs;
use application::resources::sub_resources::SubResource;
use axum::extract::State;
use domain::record::Document;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::openapi::path::HttpMethod;
use utoipa::openapi::schema::{ArrayBuilder, ObjectBuilder, Schema};
use utoipa::openapi::{OpenApi, RefOr};
use utoipa::{PartialSchema, ToSchema};
use utoipa_axum::router::OpenApiRouter;

use super::calls::{JSON, RecordCall};
use super::named;
use super::openapi::{both, nothing_required, of as schema_of, operation};
use crate::app::AppState;
use crate::http::{
    ApiResponse, ApiResult, ConsistencyToken, Json, Page, Path, Query, RequestMeta, Respond,
    StaffOrSeller, ValidJson,
};

/// Fields of every element besides its own.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ElementLabel {
    /// Id: that of its owner, a dot, and its own within the owner.
    #[serde(rename = "_id")]
    pub id: String,
    /// Its place in the owner's list, from 0.
    pub index: u32,
    /// Seller of the owner.
    #[serde(rename = "_seller")]
    pub seller: String,
    /// Version of the owner; send it back with a change.
    pub version: u64,
    /// Creation of the owner.
    #[schema(format = DateTime)]
    pub created_at: String,
    /// Last change of the owner.
    #[schema(format = DateTime)]
    pub updated_at: String,
    /// Whether it was removed by this call.
    pub removed: bool,
}

/// Fields of a change besides the element's own.
#[derive(Debug, Deserialize, ToSchema)]
pub struct ElementChange {
    /// The version of the owner that the form started from; needed to change an element.
    pub version: Option<u64>,
    /// Its new place in the owner's list, from 0; at the end by default.
    pub index: Option<u32>,
}

/// What is left of an element that was removed.
#[derive(Debug, Serialize, ToSchema)]
pub struct RemovedElement {
    /// Its id.
    #[serde(rename = "_id")]
    pub id: String,
    /// Version of the owner.
    pub version: u64,
    /// True.
    pub removed: bool,
}

/// The routes of a sub-resource.
pub(super) fn of(part: &'static SubResource) -> OpenApiRouter<AppState> {
    let mut router = OpenApiRouter::new();
    describe(part, router.get_openapi_mut());
    for call in calls(part) {
        router = router.route(&call.path, call.route());
        let operation = operation(&call, part.schema_name);
        let paths = &mut router.get_openapi_mut().paths;
        paths.add_path_operation(call.path, vec![call.method], operation);
    }
    router
}

fn calls(part: &'static SubResource) -> Vec<RecordCall> {
    let (all, single) = (part.wire.path, format!("{}/{{id}}", part.wire.path));
    let name = part.schema_name;
    let (form, one) = (format!("{name}Form"), format!("{name}Answer"));
    vec![
        RecordCall::to(
            "list",
            HttpMethod::Get,
            all,
            move |app, who, page, query, wait| list(part, app, who, page, query, wait),
        )
        .asking(part.parameters())
        .answering("200", &format!("{name}ListAnswer")),
        RecordCall::to("show", HttpMethod::Get, &single, move |app, who, id| {
            show(part, app, who, id)
        })
        .answering("200", &one),
        RecordCall::to("create", HttpMethod::Post, all, move |app, who, body| {
            create(part, app, who, body)
        })
        .with(JSON, &form)
        .answering("201", &one),
        RecordCall::to(
            "revise",
            HttpMethod::Put,
            &single,
            move |app, who, id, body| revise(part, app, who, id, body),
        )
        .with(JSON, &form)
        .answering("200", &one),
        RecordCall::to(
            "remove",
            HttpMethod::Delete,
            &single,
            move |app, who, id, origin| remove(part, app, who, id, origin),
        )
        .answering("200", &format!("{name}RemovedAnswer")),
    ]
}

/// The elements of a list, of one owner or of all.
///
/// # Errors
/// `access_denied`, `invalid_query`.
async fn list(
    part: &'static SubResource,
    State(app): State<AppState>,
    who: StaffOrSeller,
    page: Page,
    Query(pairs): Query<Pairs>,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<Document>> {
    let fresh = wait.until(&app, part.resource()?.reads).await?;
    let found = part.list(&app, who.rows, &pairs, page.into()).await?;
    let mut body = named("summary", json!({ "totalCount": found.total_count }));
    let many: Vec<Value> = found.rows.into_iter().map(Value::Object).collect();
    body.extend(named(part.wire.many, many));
    Ok(fresh.answer(body))
}

/// One element, from the log.
///
/// # Errors
/// `not_found`, also for elements of others.
async fn show(
    part: &'static SubResource,
    State(app): State<AppState>,
    who: StaffOrSeller,
    Path(id): Path<String>,
) -> ApiResult<Json<Document>> {
    let shown = part.find(&app, who.rows, &id).await?;
    Ok(Json(named(part.wire.one, shown)))
}

/// Add an element to its owner.
///
/// # Errors
/// `invalid` with every invalid field; `not_found` for owners of others; `version_conflict`.
async fn create(
    part: &'static SubResource,
    State(app): State<AppState>,
    who: StaffOrSeller,
    ValidJson { body, origin }: ValidJson<Draft>,
) -> ApiResult<ApiResponse<Document>> {
    let command = CommandContext::new(part.resource()?.commands.revise, who.actor(), &origin);
    let (id, done) = part.create(&app, &command, who.editor(), body).await?;
    let shown = part.after_change(&app, who.rows, &id).await?;
    Ok(done.created(named(part.wire.one, shown)))
}

/// Change fields of an element; omitted fields stay unchanged.
///
/// # Errors
/// `invalid`, `not_found`, `version_conflict` with both versions.
async fn revise(
    part: &'static SubResource,
    State(app): State<AppState>,
    who: StaffOrSeller,
    Path(id): Path<String>,
    ValidJson { body, origin }: ValidJson<Draft>,
) -> ApiResult<ApiResponse<Document>> {
    let command = CommandContext::new(part.resource()?.commands.revise, who.actor(), &origin);
    let revised = part.revise(&app, &command, who.editor(), &id, body);
    let (id, done) = revised.await?;
    let shown = part.after_change(&app, who.rows, &id).await?;
    Ok(done.answer(named(part.wire.one, shown)))
}

/// Remove an element from its owner.
///
/// # Errors
/// `not_found`; `invalid` if the owner needs it.
async fn remove(
    part: &'static SubResource,
    State(app): State<AppState>,
    who: StaffOrSeller,
    Path(id): Path<String>,
    origin: RequestMeta,
) -> ApiResult<ApiResponse<Document>> {
    let command = CommandContext::new(part.resource()?.commands.revise, who.actor(), &origin);
    let done = part.remove(&app, &command, who.editor(), &id).await?;
    let gone = part.after_change(&app, who.rows, &id).await?;
    Ok(done.answer(named(part.wire.one, gone)))
}

/// The schema of an element, without the id it has within its owner.
fn without_id(schema: RefOr<Schema>) -> RefOr<Schema> {
    match schema {
        RefOr::T(Schema::Object(mut object)) => {
            object.properties.remove("_id");
            object.required.retain(|name| name != "_id");
            RefOr::T(Schema::Object(object))
        }
        other => other,
    }
}

/// Adds the schemas of a sub-resource to the OpenAPI document.
fn describe(part: &SubResource, document: &mut OpenApi) {
    let name = part.schema_name;
    let mut schemas = vec![
        ("ElementLabel".to_owned(), ElementLabel::schema()),
        ("ElementChange".to_owned(), ElementChange::schema()),
        ("RemovedElement".to_owned(), RemovedElement::schema()),
    ];
    (part.element.others)(&mut schemas);
    let own = without_id((part.element.schema)());
    let owner = || {
        let owner = ObjectBuilder::new().property(part.owner_field, String::schema());
        match part.counted {
            true => owner.property("stock", Option::<i64>::schema()),
            false => owner,
        }
    };
    let shown =
        both(own.clone(), schema_of("ElementLabel")).item(owner().required(part.owner_field));
    let form = both(nothing_required(own), schema_of("ElementChange")).item(owner());
    let answer = |field: &str, of: &str| {
        ObjectBuilder::new()
            .property(field, schema_of(of))
            .required(field)
    };
    let page = ArrayBuilder::new().items(schema_of(name));
    schemas.extend([
        (name.to_owned(), shown.into()),
        (format!("{name}Form"), form.into()),
        (format!("{name}Answer"), answer(part.wire.one, name).into()),
        (
            format!("{name}RemovedAnswer"),
            answer(part.wire.one, "RemovedElement").into(),
        ),
        (
            format!("{name}ListAnswer"),
            answer("summary", "Summary")
                .property(part.wire.many, page)
                .required(part.wire.many)
                .into(),
        ),
    ]);
    document
        .components
        .get_or_insert_default()
        .schemas
        .extend(schemas);
}
