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
