//! GET /health and /ready: whether the program lives, and whether it can do its work.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::AppState;
use crate::http::Json;

/// It lives.
#[derive(Serialize, ToSchema)]
pub struct Health {
    /// Always `ok`.
    status: &'static str,
}

/// Whether it can do its work.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Readiness {
    /// Everything below is fine.
    ready: bool,
    /// The database answers.
    database: bool,
    /// The read models.
    projections: Vec<ReadModel>,
}

/// How far a read model is.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReadModel {
    /// Its name.
    name: String,
    /// Everything up to here is in it.
    position: i64,
    /// It stopped at an event it cannot take.
    failing: bool,
}

/// Alive.
#[utoipa::path(get, path = "/health", tag = "operations", operation_id = "health", responses((status = OK, body = Health)))]
pub async fn health() -> Json<Health> {
    Json(Health { status: "ok" })
}

/// Ready for requests.
#[utoipa::path(
    get, path = "/ready", tag = "operations", operation_id = "ready",
    responses((status = OK, body = Readiness), (status = SERVICE_UNAVAILABLE, body = Readiness))
)]
pub async fn ready(State(app): State<AppState>) -> Response {
    let checkpoints = app.store.checkpoints().await;
    let database = checkpoints.is_ok();
    let projections: Vec<ReadModel> = checkpoints
        .unwrap_or_default()
        .into_iter()
        .filter(|checkpoint| checkpoint.active)
        .map(|checkpoint| ReadModel {
            failing: checkpoint.last_error.is_some(),
            name: checkpoint.name,
            position: checkpoint.position,
        })
        .collect();
    let ready = database && projections.iter().all(|model| !model.failing);
    let status = if ready {
        StatusCode::OK
    } else {
        StatusCode::SERVICE_UNAVAILABLE
    };
    (
        status,
        Json(Readiness {
            ready,
            database,
            projections,
        }),
    )
        .into_response()
}
