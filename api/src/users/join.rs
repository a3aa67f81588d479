//! POST /api/v1/users: joining. After an interruption, repeating the request with the same `Idempotency-Key` completes it.

use application::executor::CommandContext;
use application::members;
use application::members::join::SignUp;
use axum::extract::State;
use domain::Actor;
use domain::ids::{DocumentId, MemberId};
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::AppState;
use crate::http::{ApiResponse, ApiResult, Respond, ValidJson};

/// The new member.
#[derive(Serialize, ToSchema)]
pub struct JoinAnswer {
    /// The new member.
    user: JoinedUser,
}

/// A new member.
#[derive(Serialize, ToSchema)]
pub struct JoinedUser {
    /// Id of the member.
    #[serde(rename = "_id")]
    id: MemberId,
}

/// Join.
#[utoipa::path(
    post, path = "/api/v1/users", tag = "shop", operation_id = "join", request_body = SignUp,
    responses(
        (status = CREATED, body = JoinAnswer),
        (status = BAD_REQUEST, description = "invalid, with every field that has to be typed again"),
        (status = CONFLICT, description = "username_taken, nickname_taken")
    )
)]
pub(crate) async fn join(
    State(app): State<AppState>,
    ValidJson { body, origin }: ValidJson<SignUp>,
) -> ApiResult<ApiResponse<JoinAnswer>> {
    let command = CommandContext::new("join", Actor::Guest, &origin);
    let now = app.clock.now();
    let document = body
        .document_token()
        .and_then(|token| app.tokens.joining_document(token, now).ok())
        .map(DocumentId);
    let (id, done) = members::join::join(&app, &command, body, document).await?;
    Ok(done.created(JoinAnswer {
        user: JoinedUser { id },
    }))
}
