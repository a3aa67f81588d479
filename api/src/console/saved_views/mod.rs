//! /api/console/views: saved views of lists. Staff can read shared views; only the owner can change a view.

use axum::extract::State;
use axum::http::StatusCode;
use domain::forms::{FormErrors, NAME, REQUIRED, Validate};
use domain::ids::MemberId;
use projections::state::saved_views::{self, SavedView};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use uuid::Uuid;

use crate::app::AppState;
use crate::http::routes;
use crate::http::{
    ApiResult, AppError, AppResult, Json, Path, Query, RowScope, StaffOrSeller, ValidJson,
};

/// Maximum length of a query.
const QUERY_MOST: usize = 2_000;
/// Maximum number of columns.
const COLUMNS_MOST: usize = 100;

/// The routes.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list, create))
        .routes(routes!(revise, remove))
}

/// Page of the saved views.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct SavedViewListQuery {
    /// The page, e.g. the name of a resource.
    page: String,
}

/// A view to save.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct ViewForm {
    /// The page.
    page: String,
    /// Name of the view.
    name: String,
    /// Query string of the address.
    #[serde(default)]
    query: String,
    /// The columns shown, in order; empty for the default columns.
    #[serde(default)]
    columns: Vec<String>,
    /// Whether all staff can see it.
    #[serde(default)]
    shared: bool,
}

impl Validate for ViewForm {
    fn check(&self, checks: &mut FormErrors) {
        let short = |text: &String| (1..=100).contains(&text.chars().count());
        checks
            .text("page", &self.page, REQUIRED)
            .text("name", &self.name, NAME)
            .when(
                self.query.chars().count() <= QUERY_MOST,
                "query",
                "too_long",
                "조회 조건이 너무 깁니다.",
            )
            .when(
                self.columns.len() <= COLUMNS_MOST && self.columns.iter().all(short),
                "columns",
                "too_many",
                "표시할 항목을 다시 선택해 주세요.",
            );
    }
}

/// A view.
#[derive(Serialize, ToSchema)]
pub struct View {
    /// Id of the view.
    #[serde(rename = "_id")]
    id: Uuid,
    /// The page.
    page: String,
    /// Name of the view.
    name: String,
    /// Query string of the address.
    query: String,
    /// The columns shown, in order; empty for the default columns.
    columns: Vec<String>,
    /// Whether all staff can see it.
    shared: bool,
    /// Whether it belongs to the caller.
    mine: bool,
}

/// The views of a page.
#[derive(Serialize, ToSchema)]
pub struct ViewsAnswer {
    views: Vec<View>,
}

/// One view.
#[derive(Serialize, ToSchema)]
pub struct ViewAnswer {
    view: View,
}

impl View {
    fn of(view: SavedView, asker: MemberId) -> Self {
        Self {
            id: view.id,
            mine: view.owner == asker,
            page: view.page,
            name: view.name,
            query: view.query,
            columns: view.columns,
            shared: view.shared,
        }
    }
}

/// Sellers cannot share views, neither with each other nor with staff.
fn is_staff(who: &StaffOrSeller) -> bool {
    who.rows == RowScope::All
}

async fn keep(
    app: &AppState,
    who: &StaffOrSeller,
    id: Uuid,
    form: ViewForm,
) -> AppResult<ViewAnswer> {
    if form.shared && !is_staff(who) {
        let message = "관리자만 보기를 공유할 수 있습니다.";
        return Err(AppError::invalid_field("shared", "not_allowed", message));
    }
    let owner = who.session.user;
    let view = SavedView {
        id,
        owner,
        page: form.page,
        name: form.name,
        query: form.query,
        columns: form.columns,
        shared: form.shared,
    };
    if !saved_views::keep(app.pool(), &view, app.clock.now()).await? {
        let message = "보기는 화면마다 50개까지 저장할 수 있습니다.";
        return Err(AppError::invalid_field("name", "too_many", message));
    }
    Ok(ViewAnswer {
        view: View::of(view, owner),
    })
}

/// Saved views of a page.
#[utoipa::path(
    get, path = "/api/console/views", tag = "console", operation_id = "listViews",
    params(SavedViewListQuery), security(("access" = [])), responses((status = OK, body = ViewsAnswer))
)]
pub(crate) async fn list(
    State(app): State<AppState>,
    who: StaffOrSeller,
    Query(query): Query<SavedViewListQuery>,
) -> ApiResult<Json<ViewsAnswer>> {
    let asker = who.session.user;
    let found = saved_views::list(app.pool(), asker, &query.page, is_staff(&who)).await?;
    let views = found
        .into_iter()
        .map(|view| View::of(view, asker))
        .collect();
    Ok(Json(ViewsAnswer { views }))
}

/// Save a view.
#[utoipa::path(
    post, path = "/api/console/views", tag = "console", operation_id = "createView",
    request_body = ViewForm, security(("access" = [])), responses((status = CREATED, body = ViewAnswer))
)]
pub(crate) async fn create(
    State(app): State<AppState>,
    who: StaffOrSeller,
    ValidJson { body, .. }: ValidJson<ViewForm>,
) -> ApiResult<(StatusCode, Json<ViewAnswer>)> {
    let kept = keep(&app, &who, Uuid::now_v7(), body).await?;
    Ok((StatusCode::CREATED, Json(kept)))
}

/// Change the caller's own view.
#[utoipa::path(
    put, path = "/api/console/views/{id}", tag = "console", operation_id = "reviseView",
    params(("id" = Uuid, Path)), request_body = ViewForm, security(("access" = [])),
    responses((status = OK, body = ViewAnswer))
)]
pub(crate) async fn revise(
    State(app): State<AppState>,
    who: StaffOrSeller,
    Path(id): Path<Uuid>,
    ValidJson { body, .. }: ValidJson<ViewForm>,
) -> ApiResult<Json<ViewAnswer>> {
    let asker = who.session.user;
    let found = saved_views::find(app.pool(), asker, id, is_staff(&who)).await?;
    match found {
        Some(view) if view.owner == asker => Ok(Json(keep(&app, &who, id, body).await?)),
        Some(_) => Err(AppError::new(crate::http::Code::AccessDenied).into()),
        None => Err(AppError::not_found().into()),
    }
}

/// Remove the caller's own view.
#[utoipa::path(
    delete, path = "/api/console/views/{id}", tag = "console", operation_id = "removeView",
    params(("id" = Uuid, Path)), security(("access" = [])), responses((status = OK, body = ViewsAnswer))
)]
pub(crate) async fn remove(
    State(app): State<AppState>,
    who: StaffOrSeller,
    Path(id): Path<Uuid>,
) -> ApiResult<Json<ViewsAnswer>> {
    let asker = who.session.user;
    let staff = is_staff(&who);
    let view = saved_views::find(app.pool(), asker, id, staff)
        .await?
        .ok_or_else(AppError::not_found)?;
    if !saved_views::remove(app.pool(), asker, id).await? {
        return Err(AppError::new(crate::http::Code::AccessDenied).into());
    }
    let left = saved_views::list(app.pool(), asker, &view.page, staff).await?;
    let views = left.into_iter().map(|view| View::of(view, asker)).collect();
    Ok(Json(ViewsAnswer { views }))
}
