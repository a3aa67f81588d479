//! GET /health and /ready: whether the program runs, and whether it can serve requests.

use std::time::Duration;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use event_store::Checkpoint;
use search_index::Query as Search;
use serde::{Deserialize, Serialize};
use tokio::time::timeout;
use utoipa::{IntoParams, ToSchema};

use crate::app::AppState;
use crate::http::{Json, Query};

/// Maximum wait for the search engine.
const SEARCH_PATIENCE: Duration = Duration::from_millis(500);

/// Liveness.
#[derive(Serialize, ToSchema)]
pub struct Health {
    /// Always `ok`.
    status: &'static str,
}

/// Readiness.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Readiness {
    /// Whether the database responds and all read models exist. A stopped read model still serves its last state, so it does not make the
    /// shop unready.
    ready: bool,
    /// Whether the database responds.
    database: bool,
    /// Whether the database is a standby: then the shop is read-only.
    standby: bool,
    /// Whether the database accepts writes, tested within the last seconds. It does not while it is a standby, read-only, out of disk
    /// space, or waiting for an unreachable synchronous standby; the shop is read-only meanwhile.
    writable: bool,
    /// Position of the newest event.
    position: i64,
    /// The read models and policies.
    projections: Vec<ReadModel>,
    /// The search engine. The shop is ready without it: only searches fail.
    search: SearchState,
}

/// State of the search engine.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SearchState {
    /// `embedded` or `meilisearch`.
    engine: &'static str,
    /// Whether it serves searches.
    available: bool,
    /// Position up to which its index is complete; null if it is unavailable or busy indexing.
    position: Option<i64>,
}

impl SearchState {
    async fn of(app: &AppState) -> Self {
        let nothing = Search {
            limit: 0,
            ..Search::default()
        };
        let (answer, position) = tokio::join!(
            timeout(SEARCH_PATIENCE, app.search.search(nothing)),
            timeout(SEARCH_PATIENCE, app.search.position()),
        );
        Self {
            engine: app.search.name(),
            available: matches!(answer, Ok(Ok(_))),
            position: position.ok().and_then(Result::ok),
        }
    }
}

/// Progress of a read model or policy.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReadModel {
    /// Its name.
    name: String,
    /// The position up to which it is complete.
    position: i64,
    /// Number of positions behind the newest event.
    behind: i64,
    /// Whether it stopped at an event it cannot process.
    failing: bool,
}

impl Readiness {
    fn of(head: i64, checkpoints: Vec<Checkpoint>, search: SearchState) -> Self {
        let shown = checkpoints
            .into_iter()
            .filter(|checkpoint| checkpoint.active);
        let projections: Vec<ReadModel> = shown
            .map(|checkpoint| ReadModel {
                failing: checkpoint.last_error.is_some(),
                behind: head.saturating_sub(checkpoint.position).max(0),
                name: checkpoint.name,
                position: checkpoint.position,
            })
            .collect();
        let fine = |name: &&str| projections.iter().any(|model| model.name == **name);
        Self {
            ready: projections::NAMES.iter().all(fine),
            database: true,
            standby: false,
            writable: false,
            position: head,
            projections,
            search,
        }
    }
}

/// Liveness.
#[utoipa::path(get, path = "/health", tag = "operations", operation_id = "health", responses((status = OK, body = Health)))]
pub(crate) async fn health() -> Json<Health> {
    Json(Health { status: "ok" })
}

/// Kind of readiness.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ReadyFor {
    /// For reads.
    Reads,
    /// For writes too.
    Writes,
}

/// Kind of readiness to check.
#[derive(Debug, Deserialize, IntoParams)]
pub struct ReadyQuery {
    /// Kind of readiness; default: `reads`.
    #[serde(rename = "for")]
    #[param(inline)]
    ready_for: Option<ReadyFor>,
}

/// Readiness for requests; with `for=writes`, for requests that write.
#[utoipa::path(
    get, path = "/ready", tag = "operations", operation_id = "ready", params(ReadyQuery),
    responses((status = OK, body = Readiness), (status = SERVICE_UNAVAILABLE, body = Readiness))
)]
pub(crate) async fn ready(
    State(app): State<AppState>,
    Query(query): Query<ReadyQuery>,
) -> Response {
    let search = SearchState::of(&app).await;
    let mut readiness = match tokio::try_join!(app.store.head(), app.store.checkpoints()) {
        Ok((head, checkpoints)) => Readiness::of(head, checkpoints, search),
        Err(_) => Readiness {
            ready: false,
            database: false,
            standby: false,
            writable: false,
            position: 0,
            projections: Vec::new(),
            search,
        },
    };
    readiness.standby = app.standby.is();
    readiness.writable = readiness.database && app.writable.of(&app.store).await;
    let is_ready = match query.ready_for {
        Some(ReadyFor::Writes) => readiness.ready && readiness.writable,
        Some(ReadyFor::Reads) | None => readiness.ready,
    };
    let status = match is_ready {
        true => StatusCode::OK,
        false => StatusCode::SERVICE_UNAVAILABLE,
    };
    (status, Json(readiness)).into_response()
}
