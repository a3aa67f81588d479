//! `jangbu serve`: the shop over HTTP, and its background work unless another process does that.

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

/// How long requests at work may take to end when the program is told to stop.
const GRACE: Duration = Duration::from_secs(10);
/// How often clients that have been quiet are forgotten.
const ROUND: Duration = Duration::from_secs(60);
/// How long after its start a server has time for what nobody has asked for yet.
const AT_REST: Duration = Duration::from_secs(10);

/// What a process does beside answering requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Duty {
    /// Requests only: `jangbu worker` runs somewhere.
    Requests,
    /// The worker's work too.
    RequestsAndWork,
}

/// Lets this process have as many files and connections open as the system allows it: what it starts with is often no more than a
/// thousand. A system that does not let it is worth a warning.
pub fn raise_open_files() {
    if let Err(error) = rlimit::increase_nofile_limit(rlimit::INFINITY) {
        tracing::warn!(%error, "the limit of open files stays as it is");
    }
}

/// Listens at an address.
///
/// # Errors
/// When that cannot be had; the error names it.
pub async fn listen(address: SocketAddr) -> anyhow::Result<TcpListener> {
    TcpListener::bind(address)
        .await
        .with_context(|| format!("cannot listen at {address}"))
}

/// Says so where passwords would cross a network readable by everybody on it (docs/decisions/0036).
fn warn_of_plain_http(public_url: &str) {
    if !public_url.starts_with("https://") && !is_local(public_url) {
        tracing::warn!(
            public_url,
            "passwords and tokens cross the network unencrypted: put TLS in front of the shop and set server.public_url to https"
        );
    }
}

/// Answers requests at `listener` until `stop`, then ends those at work.
///
/// # Errors
/// When listening fails, or the background work ends by itself.
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

/// Takes connections until told to stop, then waits for the requests under way. Unlike `axum::serve` it ends connections that do
/// not send headers in time, and takes only so many from one address.
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
                // what is refused is closed at once
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

/// Answers the requests of one connection, until it ends or the request under way when told to stop is answered.
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

/// Work that ends by itself is a failure of the program, so the requests end with it.
async fn background(app: AppState, duty: Duty, stopping: CancellationToken) -> anyhow::Result<()> {
    let _stop_all = stopping.clone().drop_guard();
    let searchable = search_feed::run(app.clone(), stopping.clone());
    let tidy = forget_quiet_clients(app.clone(), stopping.clone());
    let aside = async { tokio::join!(searchable, tidy, unpack_addresses(&stopping)) };
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

/// Whoever looks for an address first should not wait until all are unpacked, and the start of a server has more to do.
async fn unpack_addresses(stopping: &CancellationToken) {
    if stopping
        .run_until_cancelled(tokio::time::sleep(AT_REST))
        .await
        .is_some()
    {
        // Nothing waits for a thread like this when the server stops.
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
