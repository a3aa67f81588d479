//! POST /api/v1/me/destinations: adds a destination.

use axum::extract::State;
use axum::http::StatusCode;
use domain::validation::FieldError;
use projections::state::destinations::{self, MOST};
use serde_json::json;
use uuid::Uuid;

use super::{DestinationAnswer, DestinationForm};
use crate::app::AppState;
use crate::http::{ApiResult, AppError, Code, CurrentMember, Json, ValidJson};

/// Add a destination.
#[utoipa::path(
    post, path = "/api/v1/me/destinations", tag = "me", operation_id = "addMyDestination", security(("access" = [])),
    request_body = DestinationForm, responses((status = CREATED, body = DestinationAnswer), (status = BAD_REQUEST, description = "invalid"), (status = CONFLICT, description = "not_allowed_now"))
)]
pub(crate) async fn add(
    State(app): State<AppState>,
    who: CurrentMember,
    ValidJson { body, .. }: ValidJson<DestinationForm>,
) -> ApiResult<(StatusCode, Json<DestinationAnswer>)> {
    let id = Uuid::now_v7();
    let party = body.sealed(&app, who.member()).await?;
    let is_default = destinations::add(
        app.pool(),
        who.member(),
        id,
        &party,
        body.is_default,
        app.clock.now(),
    )
    .await?
    .ok_or_else(|| {
        let message = format!(
            "배송지는 {MOST}개까지 저장할 수 있습니다. 사용하지 않는 배송지를 삭제해 주세요."
        );
        AppError::new(Code::NotAllowedNow)
            .with_details(json!({ "reason": "too_many", "most": MOST }))
            .with_fields(vec![FieldError::new("title", "too_many", &message)])
    })?;
    let body = DestinationForm { is_default, ..body };
    Ok((
        StatusCode::CREATED,
        Json(DestinationAnswer {
            destination: body.view(id),
        }),
    ))
}
