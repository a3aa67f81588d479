//! POST /api/v1/me/destinations: one more destination.

use axum::extract::State;
use axum::http::StatusCode;
use projections::state::destinations;
use serde_json::json;
use uuid::Uuid;

use super::{DestinationAnswer, DestinationForm};
use crate::app::AppState;
use crate::http::{ApiError, ApiResult, Asked, Code, Json, Signed};

/// Destinations one member may keep.
const MOST: usize = 50;

/// Add a destination.
#[utoipa::path(
    post, path = "/api/v1/me/destinations", tag = "me", operation_id = "addMyDestination", security(("access" = [])),
    request_body = DestinationForm, responses((status = CREATED, body = DestinationAnswer), (status = BAD_REQUEST, description = "invalid"))
)]
pub async fn add(
    State(app): State<AppState>,
    who: Signed,
    Asked { body, .. }: Asked<DestinationForm>,
) -> ApiResult<(StatusCode, Json<DestinationAnswer>)> {
    let kept = destinations::list(app.pool(), who.member()).await?.len();
    if kept >= MOST {
        return Err(ApiError::new(Code::NotAllowedNow)
            .with_details(json!({ "reason": "too_many", "most": MOST })));
    }
    let body = DestinationForm {
        is_default: body.is_default || kept == 0,
        ..body
    };
    let id = Uuid::now_v7();
    let party = body.sealed(&app, who.member()).await?;
    destinations::add(
        app.pool(),
        who.member(),
        id,
        &party,
        body.is_default,
        app.clock.now(),
    )
    .await?;
    Ok((
        StatusCode::CREATED,
        Json(DestinationAnswer {
            destination: body.view(id),
        }),
    ))
}
