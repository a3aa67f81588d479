//! POST /api/v1/users/existence: whether a sign-in name or a nickname is in use, by the same rules as joining. E-mail addresses and phone
//! numbers need not be unique, and it is not disclosed whether an account has one.

use application::members::names::{nickname_hash, username_hash};
use application::reservations::{NICKNAME, USERNAME};
use axum::extract::State;
use domain::forms::{self, FormErrors, Validate};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app::AppState;
use crate::http::{ApiResult, Json, ValidJson};

/// Names to check; at least one of the two.
#[derive(Deserialize, ToSchema)]
pub struct ExistenceForm {
    /// A sign-in name (spec V128, V129).
    username: Option<String>,
    /// A nickname (spec V142, V143).
    nickname: Option<String>,
}

impl Validate for ExistenceForm {
    fn check(&self, checks: &mut FormErrors) {
        checks
            .optional("username", self.username.as_deref(), forms::USERNAME)
            .optional("nickname", self.nickname.as_deref(), forms::NICKNAME)
            .when(
                self.username.is_some() || self.nickname.is_some(),
                "username",
                "required",
                forms::USERNAME.message,
            );
    }
}

/// Whether it is in use.
#[derive(Serialize, ToSchema)]
pub struct Existence {
    /// Whether one of them is in use, so that joining with it would be rejected.
    exists: bool,
}

/// Check whether a name is in use.
#[utoipa::path(
    post, path = "/api/v1/users/existence", tag = "shop", operation_id = "userExistence",
    request_body = ExistenceForm, responses((status = OK, body = Existence), (status = BAD_REQUEST, description = "invalid: a name nobody can have"))
)]
pub(crate) async fn existence(
    State(app): State<AppState>,
    ValidJson { body, .. }: ValidJson<ExistenceForm>,
) -> ApiResult<Json<Existence>> {
    let names = [
        body.username
            .map(|name| (USERNAME, username_hash(&app.keys, &name))),
        body.nickname
            .map(|name| (NICKNAME, nickname_hash(&app.keys, &name))),
    ];
    let mut exists = false;
    for (scope, hash) in names.into_iter().flatten() {
        exists |= app.store.reserved_by(scope, &hash).await?.is_some();
    }
    Ok(Json(Existence { exists }))
}
