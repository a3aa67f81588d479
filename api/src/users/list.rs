//! GET /api/v1/users: members found by their nickname (spec V212). Who they are beside that is told to nobody.

use application::nickname_index::IndexedMember;
use axum::extract::State;
use domain::ids::MemberId;
use domain::member::MemberType;
use projections::members;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::app::AppState;
use crate::http::{ApiResponse, ApiResult, ConsistencyToken, Page, Query, Summary};

/// What is looked into.
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
    /// What `searchValue` is looked for in.
    #[serde(default, rename = "searchKey")]
    #[param(inline)]
    _search_key: UserKey,
    /// A part of a nickname; without it nobody is found: the members are no list to be taken along.
    #[serde(default)]
    search_value: String,
}

/// A member as anybody may see them.
#[derive(Serialize, ToSchema)]
pub struct UserCard {
    /// Who.
    #[serde(rename = "_id")]
    id: MemberId,
    /// What they call themselves.
    nickname: String,
    /// Person or company.
    #[serde(rename = "type")]
    member_type: MemberType,
    /// They sell: their goods are found by their id.
    sells: bool,
}

/// A page of members.
#[derive(Serialize, ToSchema)]
pub struct Users {
    /// How many there are.
    summary: Summary,
    /// They.
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
