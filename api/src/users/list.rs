//! GET /api/v1/users: members by nickname (spec V212). No other personal data is returned.

use application::nickname_index::IndexedMember;
use axum::extract::State;
use domain::ids::MemberId;
use domain::member::MemberType;
use projections::members;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::app::AppState;
use crate::http::{ApiResponse, ApiResult, ConsistencyToken, Page, Query, Summary};

/// The field that is searched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum UserKey {
    /// The nickname.
    #[default]
    Nickname,
}

/// Text of a user search.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
pub struct UserQuery {
    /// The field in which `searchValue` is searched.
    #[serde(default, rename = "searchKey")]
    #[param(inline)]
    _search_key: UserKey,
    /// A substring of a nickname; without it the result is empty, so that the members cannot be listed.
    #[serde(default)]
    search_value: String,
}

/// The public data of a member.
#[derive(Serialize, ToSchema)]
pub struct UserCard {
    /// Id of the member.
    #[serde(rename = "_id")]
    pub(super) id: MemberId,
    /// Nickname.
    pub(super) nickname: String,
    /// Person or company.
    #[serde(rename = "type")]
    pub(super) member_type: MemberType,
    /// Whether the member sells; their products are found by this id.
    pub(super) sells: bool,
}

/// A page of members.
#[derive(Serialize, ToSchema)]
pub struct Users {
    /// Number of members found.
    summary: Summary,
    /// The members of the page.
    users: Vec<UserCard>,
}

/// Members by nickname.
#[utoipa::path(
    get, path = "/api/v1/users", tag = "shop", operation_id = "listUsers", params(UserQuery, Page),
    responses((status = OK, body = Users))
)]
pub(crate) async fn list(
    State(app): State<AppState>,
    Query(query): Query<UserQuery>,
    page: Page,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<Users>> {
    let fresh = wait.until(&app, &[members::NAME]).await?;
    let found = match query.search_value.trim() {
        "" => Vec::new(),
        term => {
            app.nickname_index
                .find(term, |known| known.member_type != MemberType::Operator)
                .await?
        }
    };
    let summary = Summary::counting(&found);
    let card = |known: IndexedMember| UserCard {
        id: known.id,
        sells: known.sells(),
        nickname: known.nickname,
        member_type: known.member_type,
    };
    let users = page.of(found).map(card).collect();
    Ok(fresh.answer(Users { summary, users }))
}
