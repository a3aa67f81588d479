//! GET /health and /ready: whether the program lives, and whether it can do its work.

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

/// How long the search engine may take to answer.
const SEARCH_PATIENCE: Duration = Duration::from_millis(500);

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
    /// The database answers, and all read models are there. One that stands still shows what it showed: the shop serves on.
    ready: bool,
    /// The database answers.
    database: bool,
    /// The database is a standby: the shop shows what there is, and refuses what would write.
    standby: bool,
    /// The database takes writes, found out by one within the last seconds. It does not while it is a standby, set to read only,
    /// without room on its disk, or waiting for a standby that is away; the shop shows what there is meanwhile.
    writable: bool,
    /// Position of the newest event.
    position: i64,
    /// The read models and policies.
    projections: Vec<ReadModel>,
    /// The search engine. The shop is ready without it: everything but searches works.
    search: SearchState,
}

/// How the search engine is.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SearchState {
    /// `embedded` or `meilisearch`.
    engine: &'static str,
    /// It answers searches.
    available: bool,
    /// Everything up to here is in its index; none: it is away, or busy taking in a lot.
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

/// How far a read model is.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReadModel {
    /// Its name.
    name: String,
    /// Everything up to here is in it.
    position: i64,
    /// Positions it is behind the newest event.
    behind: i64,
    /// It stopped at an event it cannot take.
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

/// Alive.
#[utoipa::path(get, path = "/health", tag = "operations", operation_id = "health", responses((status = OK, body = Health)))]
pub(crate) async fn health() -> Json<Health> {
    Json(Health { status: "ok" })
}

/// What it should be ready for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ReadyFor {
    /// To show what there is.
    Reads,
    /// To take orders, too.
    Writes,
}

/// Kind of readiness to check.
#[derive(Debug, Deserialize, IntoParams)]
pub struct ReadyQuery {
    /// What it should be ready for: `reads` unless told otherwise.
    #[serde(rename = "for")]
    #[param(inline)]
    ready_for: Option<ReadyFor>,
}

/// Ready for requests; with `for=writes`, for those that write.
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
