//! POST /api/v1/users/existence: whether a sign-in name or a nickname is in use.

use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{NICKNAME, USERNAME, nickname_hash, username_hash};
use crate::app::AppState;
use crate::http::{ApiError, ApiResult, Json};

/// One of the two.
#[derive(Deserialize, ToSchema)]
pub struct Wanted {
    /// A sign-in name.
    username: Option<String>,
    /// A nickname.
    nickname: Option<String>,
}

/// Whether it is in use.
#[derive(Serialize, ToSchema)]
pub struct Existence {
    /// It is in use.
    exists: bool,
}

/// Is this name in use?
#[utoipa::path(
    post, path = "/api/v1/users/existence", tag = "shop", operation_id = "userExistence",
    request_body = Wanted, responses((status = OK, body = Existence))
)]
pub(crate) async fn existence(
    State(app): State<AppState>,
    Json(wanted): Json<Wanted>,
) -> ApiResult<Json<Existence>> {
    let holder = match (&wanted.username, &wanted.nickname) {
        (Some(username), _) => {
            app.store
                .reserved_by(USERNAME, &username_hash(&app.keys, username))
                .await?
        }
        (None, Some(nickname)) => {
            app.store
                .reserved_by(NICKNAME, &nickname_hash(&app.keys, nickname))
                .await?
        }
        (None, None) => {
            return Err(ApiError::invalid_field(
                "username",
                "required",
                domain::forms::USERNAME.message,
            ));
        }
    };
    Ok(Json(Existence {
        exists: holder.is_some(),
    }))
}
