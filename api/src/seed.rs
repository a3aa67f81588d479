//! `jangbu seed`: runs the crate `demo` in this program, with a set clock and without rate limits.

use std::net::SocketAddr;
use std::sync::Arc;

use application::App;
use application::access::Session;
use application::clock::PutClock;
use async_trait::async_trait;
use axum::extract::ConnectInfo;
use axum::{Extension, Router};
use demo::{Host, Progress, SeedOutcome, Size};
use time::OffsetDateTime;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::app::{AppBuilder, AppState};
use crate::http::request_context::Unlogged;
use crate::router::router;
use crate::settings::Settings;
use crate::worker;

/// Limit of requests while seeding.
const NO_LIMIT: u32 = 1_000_000;

/// Fills an empty log with a demonstration; `report` gets the progress.
///
/// # Errors
/// As [`demo::seed`].
pub async fn seed(
    size: Size,
    settings: &Settings,
    database: &str,
    report: impl Fn(Progress<'_>),
) -> anyhow::Result<SeedOutcome> {
    let (host, clock) = host(settings, database).await?;
    demo::seed(size, host, clock, report).await
}

/// Creates `count` more orders in an existing demonstration.
///
/// # Errors
/// As [`demo::more_orders`].
pub async fn more_orders(
    count: usize,
    settings: &Settings,
    database: &str,
    report: impl Fn(Progress<'_>),
) -> anyhow::Result<()> {
    let (host, clock) = host(settings, database).await?;
    demo::more_orders(count, host, clock, report).await
}

async fn host(
    settings: &Settings,
    database: &str,
) -> anyhow::Result<(Arc<AppState>, Arc<PutClock>)> {
    let clock = Arc::new(PutClock::at(OffsetDateTime::now_utc()));
    let mut settings = settings.clone();
    settings.limits.requests_per_second = NO_LIMIT;
    settings.limits.burst = NO_LIMIT;
    settings.limits.guesses_per_minute = NO_LIMIT;
    settings.limits.guesses_burst = NO_LIMIT;
    settings.limits.submissions_burst = NO_LIMIT;
    // The guests of the demonstration have no browser that runs the widget.
    settings.recaptcha = None;
    let app = AppBuilder::new(settings, database)
        .clock(clock.clone())
        .without_search()
        .build()
        .await?;
    Ok((Arc::new(app), clock))
}

#[async_trait]
impl Host for AppState {
    fn application(&self) -> Arc<App> {
        (**self).application()
    }

    fn router(&self) -> Router {
        let here = ConnectInfo(SocketAddr::from(([127, 0, 0, 1], 0)));
        router(self.clone())
            .layer(Extension(here))
            .layer(Extension(Unlogged))
    }

    fn access_token(&self, session: &Session) -> anyhow::Result<String> {
        Ok(self
            .tokens
            .access(session, Uuid::now_v7(), self.clock.now())?)
    }

    fn payment_url(&self) -> &str {
        &self.settings.payment.base_url
    }

    async fn work(&self, stopping: CancellationToken) -> anyhow::Result<()> {
        worker::work(self.clone(), stopping).await
    }
}
