//! GET /metrics for Prometheus, at a separate address: number and latency of requests, and lag; no personal data.
//!
//! Counters of events are named here and incremented where they occur. Values that the database knows (the lag of read models, the age of
//! the oldest writer) are queried at each scrape.

use std::net::SocketAddr;
use std::sync::OnceLock;
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use event_store::StoreError;
use metrics::{counter, gauge, histogram};
use metrics_exporter_prometheus::{BuildError, PrometheusBuilder, PrometheusHandle};
use projections::search_documents;
use projections::state::deadline_refusals;
use tokio::net::TcpListener;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use crate::app::AppState;

/// Upper bounds of the latency buckets, seconds.
const SECONDS: [f64; 11] = [
    0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0,
];
/// Maximum wait for the search engine's progress.
const ENGINE_PATIENCE: Duration = Duration::from_secs(2);

static RECORDER: OnceLock<PrometheusHandle> = OnceLock::new();

/// Counts a response. `route` is the template (`/api/v1/me/orders/{id}`), never the address itself.
pub fn answered(method: &str, route: &str, status: u16, took: Duration) {
    let labels = [
        ("method", method.to_owned()),
        ("route", route.to_owned()),
        ("status", status.to_string()),
    ];
    counter!("jangbu_requests_total", &labels).increment(1);
    histogram!("jangbu_request_seconds", &labels).record(took.as_secs_f64());
}

/// Records the duration of a search.
pub fn searched(took: Duration) {
    histogram!("jangbu_search_seconds").record(took.as_secs_f64());
}

/// Changes the number of open connections.
pub fn connections(more: f64) {
    gauge!("jangbu_connections").increment(more);
}

/// Counts a connection refused because its client address has reached the limit.
pub fn connection_refused() {
    counter!("jangbu_connections_refused_total").increment(1);
}

/// Records whether sealing the log succeeded.
pub fn sealed(well: bool) {
    gauge!("jangbu_log_sealed").set(if well { 1.0 } else { 0.0 });
}

/// Installs the recorder in this process; further calls return the same handle.
///
/// # Errors
/// There are no buckets, or another recorder is installed.
pub fn begin() -> anyhow::Result<&'static PrometheusHandle> {
    if let Some(handle) = RECORDER.get() {
        return Ok(handle);
    }
    let recorder = PrometheusBuilder::new()
        .set_buckets(&SECONDS)
        .map(PrometheusBuilder::build_recorder)
        .map_err(|error: BuildError| anyhow::anyhow!("metrics: {error}"))?;
    let handle = RECORDER.get_or_init(|| recorder.handle());
    // Of concurrent calls, the first one's recorder stays.
    if metrics::set_global_recorder(recorder).is_err() {
        tracing::debug!("somebody counts already");
    }
    Ok(handle)
}

/// Whether this process has the search engine, and can report its progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Search {
    /// It serves searches.
    Here,
    /// Another process does.
    Elsewhere,
}

/// The metrics endpoint, for a separate listener.
pub fn router(app: AppState, search: Search) -> Router {
    let page = Router::new().route("/metrics", get(show));
    page.with_state((app, search))
}

/// Records metrics, and serves them at the configured address until cancelled. If the address is in use, a warning is logged and the shop
/// runs without the endpoint.
///
/// # Errors
/// As [`begin`].
pub(crate) async fn listen(
    app: AppState,
    search: Search,
    stopping: CancellationToken,
) -> anyhow::Result<()> {
    let Some(address) = app.settings.server.metrics_address else {
        return Ok(());
    };
    begin()?;
    match TcpListener::bind(address).await {
        Ok(listener) => {
            tokio::spawn(async move {
                let service =
                    router(app, search).into_make_service_with_connect_info::<SocketAddr>();
                let stop = stopping.cancelled_owned();
                let served = axum::serve(listener, service).with_graceful_shutdown(stop);
                if let Err(error) = served.await {
                    tracing::warn!(%error, "metrics are not shown any more");
                }
            });
        }
        Err(error) => tracing::warn!(%address, %error, "metrics are not shown"),
    }
    Ok(())
}

async fn show(State((app, search)): State<(AppState, Search)>) -> Response {
    let Some(handle) = RECORDER.get() else {
        return StatusCode::SERVICE_UNAVAILABLE.into_response();
    };
    let reached = look(&app).await;
    gauge!("jangbu_database_up").set(if reached.is_ok() { 1.0 } else { 0.0 });
    if let Err(error) = reached {
        tracing::warn!(%error, "the database does not say how far it is");
    }
    if search == Search::Here {
        look_at_search(&app).await;
    }
    let kind = "text/plain; version=0.0.4; charset=utf-8";
    ([(header::CONTENT_TYPE, kind)], handle.render()).into_response()
}

fn number(count: i64) -> f64 {
    u32::try_from(count).map_or(f64::INFINITY, f64::from)
}

/// Queries the position of the search engine; without a response, it counts as 0.
async fn look_at_search(app: &AppState) {
    let reached = timeout(ENGINE_PATIENCE, app.search.position()).await;
    let reached = reached.ok().and_then(Result::ok);
    gauge!("jangbu_search_up").set(if reached.is_some() { 1.0 } else { 0.0 });
    let after = reached.unwrap_or(0);
    if let Ok(waiting) = search_documents::waiting(app.pool(), after).await {
        gauge!("jangbu_search_lag_documents").set(number(waiting.documents));
        gauge!("jangbu_search_lag_seconds").set(waiting.seconds);
    }
}

/// Queries the progress of all projections.
async fn look(app: &AppState) -> Result<(), StoreError> {
    for state in app.store.projection_states().await? {
        if !state.active {
            continue;
        }
        let stopped = if state.stopped_at.is_some() { 1.0 } else { 0.0 };
        for (name, value) in [
            ("jangbu_projection_lag_events", number(state.lag_events)),
            ("jangbu_projection_lag_seconds", state.lag_seconds),
            ("jangbu_projection_stopped", stopped),
            (
                "jangbu_projection_parked_streams",
                number(state.parked_streams),
            ),
            ("jangbu_projection_held_events", number(state.held_events)),
        ] {
            gauge!(name, "projection" => state.name.clone()).set(value);
        }
    }
    for rebuild in app.store.rebuild_states().await? {
        let rate = if rebuild.phase == "reading" {
            rebuild.rate
        } else {
            0
        };
        gauge!("jangbu_rebuild_events_per_second", "projection" => rebuild.name).set(number(rate));
    }
    // The table does not exist before the first start is complete.
    if let Ok(given_up) = deadline_refusals::count_given_up(app.pool()).await {
        gauge!("jangbu_deadlines_given_up").set(number(given_up));
    }
    gauge!("jangbu_settled_horizon_age_seconds").set(app.store.horizon_age().await?);
    Ok(())
}
