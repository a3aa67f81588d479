//! GET /api/v1/users/{id}: the public data of a member, as their mini-shop needs it (spec C408). Nothing personal: what the search by
//! nickname shows of everyone, too.

use application::members::profiles::profiles;
use axum::extract::State;
use domain::ids::MemberId;
use domain::member::MemberType;
use projections::members;
use serde::Serialize;
use utoipa::ToSchema;

use super::list::UserCard;
use crate::app::AppState;
use crate::http::{ApiResponse, ApiResult, AppError, ConsistencyToken, Path};

/// The public data of one member.
#[derive(Serialize, ToSchema)]
pub struct UserAnswer {
    /// The member.
    user: UserCard,
}

/// The public data of a member; staff and closed accounts have none.
#[utoipa::path(
    get, path = "/api/v1/users/{id}", tag = "shop", operation_id = "showUser", params(("id" = MemberId, Path)),
    responses((status = OK, body = UserAnswer), (status = NOT_FOUND, description = "not_found"))
)]
pub(crate) async fn show(
    State(app): State<AppState>,
    Path(id): Path<MemberId>,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<UserAnswer>> {
    let fresh = wait.until(&app, &[members::NAME]).await?;
    let found = members::member(app.pool(), id).await?;
    let row = found
        .filter(|row| row.left_at.is_none() && row.member_type != MemberType::Operator)
        .ok_or_else(AppError::not_found)?;
    let mut opened = profiles(&app, [id]).await?;
    let profile = opened.remove(&id).ok_or_else(AppError::not_found)?;
    Ok(fresh.answer(UserAnswer {
        user: UserCard {
            id,
            nickname: profile.nickname,
            member_type: row.member_type,
            sells: !row.scopes.is_empty(),
        },
    }))
}
