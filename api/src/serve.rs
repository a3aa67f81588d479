//! `jangbu serve`: the shop over HTTP, and its background work unless another process runs it.

use application::alarm_hub;
use std::future::Future;
use std::net::SocketAddr;
use std::pin::pin;
use std::time::Duration;

use anyhow::Context as _;
use axum::Router;
use axum::body::Body;
use axum::extract::{ConnectInfo, Request};
use axum::serve::Listener;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;

use crate::app::AppState;
use crate::http::connections::Connections;
use crate::router::router;
use crate::settings::is_local;
use crate::{addresses, search_feed, worker};

/// Maximum time for running requests to complete at shutdown.
const GRACE: Duration = Duration::from_secs(10);
/// Interval at which idle clients are removed from the rate limits.
const ROUND: Duration = Duration::from_secs(60);
/// Delay after the start before preparing data that no request needs yet.
const AT_REST: Duration = Duration::from_secs(10);

/// Work of a process besides requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Duty {
    /// Requests only: `jangbu worker` runs elsewhere.
    Requests,
    /// Requests and the worker's work.
    RequestsAndWork,
}

/// Raises the limit of open files and connections to the maximum that the system allows; the initial limit is often only a thousand. A
/// failure is logged as a warning.
pub fn raise_open_files() {
    if let Err(error) = rlimit::increase_nofile_limit(rlimit::INFINITY) {
        tracing::warn!(%error, "the limit of open files stays as it is");
    }
}

/// Listens at an address.
///
/// # Errors
/// The address is not available; the error contains it.
pub async fn listen(address: SocketAddr) -> anyhow::Result<TcpListener> {
    TcpListener::bind(address)
        .await
        .with_context(|| format!("cannot listen at {address}"))
}

/// Warns if passwords are sent over a network without encryption (docs/decisions/0036).
fn warn_of_plain_http(public_url: &str) {
    if !public_url.starts_with("https://") && !is_local(public_url) {
        tracing::warn!(
            public_url,
            "passwords and tokens cross the network unencrypted: put TLS in front of the shop and set server.public_url to https"
        );
    }
}

/// Serves requests at `listener` until `stop`, then completes the running ones.
///
/// # Errors
/// Listening fails, or the background work ends unexpectedly.
pub async fn serve(
    app: AppState,
    listener: TcpListener,
    duty: Duty,
    stop: impl Future<Output = ()> + Send,
) -> anyhow::Result<()> {
    warn_of_plain_http(&app.settings.server.public_url);
    let stopping = CancellationToken::new();
    let work = tokio::spawn(background(app.clone(), duty, stopping.clone()));
    let requests = tokio::spawn(answer(app, listener, stopping.clone()));
    tokio::select! {
        () = stop => {}
        () = stopping.cancelled() => {}
    }
    stopping.cancel();
    match timeout(GRACE, requests).await {
        Ok(ended) => ended?,
        Err(_) => tracing::warn!("requests were still at work after {GRACE:?}"),
    }
    work.await?
}

/// Accepts connections until cancelled, then waits for the running requests. Unlike `axum::serve` it closes connections that do not send
/// headers in time, and limits the connections of one address.
async fn answer(app: AppState, mut listener: TcpListener, stopping: CancellationToken) {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(app.settings.server.header_timeout);
    let counted = Connections::new(&app.settings);
    let router = router(app);
    let mut open = JoinSet::new();
    loop {
        tokio::select! {
            () = stopping.cancelled() => break,
            (stream, client) = Listener::accept(&mut listener) => {
                // A refused connection is closed immediately.
                if let Some(connection) = counted.open(client.ip()) {
                    let (http, router, stopping) = (http.clone(), router.clone(), stopping.clone());
                    open.spawn(async move {
                        converse(&http, router, stream, client, &stopping).await;
                        drop(connection);
                    });
                }
            }
            Some(_) = open.join_next() => {}
        }
    }
    drop(listener);
    while open.join_next().await.is_some() {}
}

/// Serves the requests of one connection, until it ends or, after cancellation, the running request is answered.
async fn converse(
    http: &http1::Builder,
    router: Router,
    stream: TcpStream,
    client: SocketAddr,
    stopping: &CancellationToken,
) {
    let service = router.map_request(move |request: Request<Incoming>| {
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(ConnectInfo(client));
        request
    });
    let service = TowerToHyperService::new(service);
    let mut conversation = pin!(http.serve_connection(TokioIo::new(stream), service));
    let ended = tokio::select! {
        ended = conversation.as_mut() => ended,
        () = stopping.cancelled() => {
            conversation.as_mut().graceful_shutdown();
            conversation.await
        }
    };
    if let Err(error) = ended {
        tracing::debug!(%error, "a connection was cut");
    }
}

/// If the background work ends unexpectedly, that is a failure of the program, so the requests end with it.
async fn background(app: AppState, duty: Duty, stopping: CancellationToken) -> anyhow::Result<()> {
    let _stop_all = stopping.clone().drop_guard();
    let searchable = search_feed::run(app.clone(), stopping.clone());
    let tidy = forget_quiet_clients(app.clone(), stopping.clone());
    let alarms = alarm_hub::run(app.alarm_hub.clone(), app.store.clone(), stopping.clone());
    let aside = async { tokio::join!(searchable, tidy, alarms, unpack_addresses(&stopping)) };
    match duty {
        Duty::Requests => {
            let promoted = stopping.run_until_cancelled(app.promoted());
            tokio::join!(promoted, aside).0.unwrap_or(Ok(()))
        }
        Duty::RequestsAndWork => {
            let working = worker::work(app.clone(), stopping.clone());
            tokio::join!(working, aside).0
        }
    }
}

/// Unpacks the addresses, so that the first address search does not wait; after a delay, because the start of a server has more urgent
/// work.
async fn unpack_addresses(stopping: &CancellationToken) {
    if stopping
        .run_until_cancelled(tokio::time::sleep(AT_REST))
        .await
        .is_some()
    {
        // A detached thread, which the shutdown does not wait for.
        std::thread::spawn(addresses::all);
    }
}

async fn forget_quiet_clients(app: AppState, stopping: CancellationToken) {
    while stopping
        .run_until_cancelled(tokio::time::sleep(ROUND))
        .await
        .is_some()
    {
        app.limits.forget_quiet();
    }
}
