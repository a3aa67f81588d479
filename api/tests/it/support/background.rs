//! Background tasks of a test's shop: its server and its worker.
//!
//! A test must pass at any speed of the worker. `JANGBU_TEST_WORKER=slow` pauses the worker most of the time, and `fast` the server
//! instead: then the worker has completed everything between two steps of a request.

use std::env;
use std::future::Future;
use std::thread;
use std::time::Duration;

use api::app::{AppBuilder, AppState};
use tokio::runtime::Builder;
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

/// How long a slowed task may run without a pause.
const TURN: Duration = Duration::from_millis(1);

/// Length of a pause: usually short, and occasionally long enough for other tasks to complete, so that sooner or later this happens between
/// any two steps.
fn pause() -> Duration {
    match rand::random_range(0..6) {
        0 => Duration::from_millis(250),
        _ => Duration::from_millis(3),
    }
}

/// Speed of the worker.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    Usual,
    Slow,
    Fast,
}

impl Pace {
    /// From the environment.
    pub fn asked() -> Self {
        match env::var("JANGBU_TEST_WORKER").as_deref() {
            Ok("slow") => Self::Slow,
            Ok("fast") => Self::Fast,
            Ok(other) if !other.is_empty() => {
                panic!("JANGBU_TEST_WORKER is slow or fast, not {other}")
            }
            _ => Self::Usual,
        }
    }

    /// Polling interval of the worker, in milliseconds.
    pub fn poll(self) -> &'static str {
        match self {
            Self::Usual => "250",
            Self::Slow => "1500",
            Self::Fast => "5",
        }
    }
}

/// A background task that runs until it is stopped.
pub struct Running {
    stop: CancellationToken,
    done: oneshot::Receiver<anyhow::Result<()>>,
}

impl Running {
    /// Starts it, with its own stop signal.
    pub fn start<F>(
        app: AppState,
        stop: CancellationToken,
        work: impl FnOnce(AppState, CancellationToken) -> F + Send + 'static,
    ) -> Self
    where
        F: Future<Output = anyhow::Result<()>> + Send + 'static,
    {
        let (tell, done) = oneshot::channel();
        let work = work(app, stop.clone());
        tokio::spawn(async move {
            let _ = tell.send(work.await);
        });
        Self { stop, done }
    }

    /// Starts it on a thread, with its own runtime and connections, and pauses it repeatedly.
    pub fn held_up<F>(
        app: &AppState,
        database: &str,
        stop: CancellationToken,
        work: impl FnOnce(AppState, CancellationToken) -> F + Send + 'static,
    ) -> Self
    where
        F: Future<Output = anyhow::Result<()>>,
    {
        let (tell, done) = oneshot::channel();
        let another = AppBuilder::new((*app.settings).clone(), database)
            .clock(app.clock.clone())
            .search(app.search.clone())
            .connections(12);
        let stopping = stop.clone();
        thread::spawn(move || {
            let runtime = Builder::new_current_thread().enable_all().build().unwrap();
            let result = runtime.block_on(async move {
                let mut work = Box::pin(work(another.build().await.unwrap(), stopping));
                loop {
                    tokio::select! {
                        result = &mut work => return result,
                        () = tokio::time::sleep(TURN) => thread::sleep(pause()),
                    }
                }
            });
            let _ = tell.send(result);
        });
        Self { stop, done }
    }

    /// Stops it and waits for its end.
    pub async fn ended(self) {
        self.stop.cancel();
        self.done.await.unwrap().unwrap();
    }
}
