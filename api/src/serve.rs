//! `jangbu serve`: the shop over HTTP, and its background work unless another process does that.

use std::future::Future;
use std::net::SocketAddr;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use crate::app::AppState;
use crate::router::router;
use crate::{addresses, search_feed, worker};

/// How long requests at work may take to end when the program is told to stop.
const GRACE: Duration = Duration::from_secs(10);
/// How often clients that have been quiet are forgotten.
const ROUND: Duration = Duration::from_secs(60);

/// What a process does beside answering requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Duty {
    /// Requests only: `jangbu worker` runs somewhere.
    Requests,
    /// The worker's work too.
    RequestsAndWork,
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
    // Whoever looks for an address first does not wait until all are unpacked.
    std::thread::spawn(addresses::all);
    let stopping = CancellationToken::new();
    let work = tokio::spawn(background(app.clone(), duty, stopping.clone()));
    let service = router(app).into_make_service_with_connect_info::<SocketAddr>();
    let requests =
        axum::serve(listener, service).with_graceful_shutdown(stopping.clone().cancelled_owned());
    let requests = tokio::spawn(async move { requests.await });
    tokio::select! {
        () = stop => {}
        () = stopping.cancelled() => {}
    }
    stopping.cancel();
    match timeout(GRACE, requests).await {
        Ok(ended) => ended??,
        Err(_) => tracing::warn!("requests were still at work after {GRACE:?}"),
    }
    work.await?
}

/// Work that ends by itself is a failure of the program, so the requests end with it.
async fn background(app: AppState, duty: Duty, stopping: CancellationToken) -> anyhow::Result<()> {
    let _stop_all = stopping.clone().drop_guard();
    let searchable = search_feed::run(app.clone(), stopping.clone());
    let tidy = forget_quiet_clients(app.clone(), stopping.clone());
    match duty {
        Duty::Requests => {
            let promoted = stopping.run_until_cancelled(app.promoted());
            let (promoted, (), ()) = tokio::join!(promoted, searchable, tidy);
            promoted.unwrap_or(Ok(()))
        }
        Duty::RequestsAndWork => {
            let working = worker::work(app.clone(), stopping.clone());
            tokio::join!(working, searchable, tidy).0
        }
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
