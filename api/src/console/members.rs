//! GET /api/console/users, GET {id}: members by nickname, for staff to choose from.

use application::nickname_index::IndexedMember;
use application::resources::references::MEMBER;
use application::resources::schema::Field;
use axum::extract::State;
use domain::ids::MemberId;
use domain::member::MemberType;
use projections::members;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;

use super::records::{Descriptor, STAFF};
use crate::app::AppState;
use crate::http::{
    ApiResponse, ApiResult, AppError, ConsistencyToken, Page, Path, Query, Staff, Summary, routes,
};

/// The routes.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list))
        .routes(routes!(show))
}

/// The descriptor that the console needs to search members; it cannot create or change them, because members join themselves.
pub fn descriptor() -> Descriptor {
    Descriptor {
        name: MEMBER,
        path: "/api/console/users",
        one: "user",
        many: "users",
        title: "회원",
        scopes: STAFF,
        ledger: true,
        tree: false,
        search: &["name"],
        sorts: &["name"],
        default_sort: "name",
        filters: &[],
        fields: vec![Field::text("name", "별명").read_only()],
        actions: &[],
        staff_only: &[],
    }
}

/// Text of a member search.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", default)]
pub struct MemberQuery {
    /// A substring of a nickname.
    search_value: String,
}

/// A member in a choice of the console.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NamedMember {
    /// Id of the member.
    #[serde(rename = "_id")]
    id: MemberId,
    /// Nickname.
    name: String,
    /// Person, company or staff.
    user_type: MemberType,
}

/// A page of members.
#[derive(Serialize, ToSchema)]
pub struct NamedMembers {
    /// Number of members found.
    summary: Summary,
    /// The members of the page.
    users: Vec<NamedMember>,
}

/// One member.
#[derive(Serialize, ToSchema)]
pub struct NamedMemberAnswer {
    /// The member.
    user: NamedMember,
}

impl From<IndexedMember> for NamedMember {
    fn from(known: IndexedMember) -> Self {
        Self {
            id: known.id,
            name: known.nickname,
            user_type: known.member_type,
        }
    }
}

/// Members by nickname.
#[utoipa::path(
    get, path = "/api/console/users", tag = "console", operation_id = "listMembers",
    params(MemberQuery, Page), security(("access" = [])), responses((status = OK, body = NamedMembers))
)]
pub(crate) async fn list(
    State(app): State<AppState>,
    _who: Staff,
    Query(query): Query<MemberQuery>,
    page: Page,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<NamedMembers>> {
    let fresh = wait.until(&app, &[members::NAME]).await?;
    let found = app
        .nickname_index
        .find(&query.search_value, |_| true)
        .await?;
    let summary = Summary::counting(&found);
    let users = page.of(found).map(NamedMember::from).collect();
    Ok(fresh.answer(NamedMembers { summary, users }))
}

/// A member.
#[utoipa::path(
    get, path = "/api/console/users/{id}", tag = "console", operation_id = "showMember",
    params(("id" = MemberId, Path)), security(("access" = [])),
    responses((status = OK, body = NamedMemberAnswer), (status = NOT_FOUND, description = "not_found"))
)]
pub(crate) async fn show(
    State(app): State<AppState>,
    _who: Staff,
    Path(id): Path<MemberId>,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<NamedMemberAnswer>> {
    let fresh = wait.until(&app, &[members::NAME]).await?;
    let known = app.nickname_index.one(id).await?;
    let user = known.ok_or_else(AppError::not_found)?.into();
    Ok(fresh.answer(NamedMemberAnswer { user }))
}
