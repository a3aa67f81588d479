//! `jangbu seed`: a shop with goods, people, coupons and some weeks of orders, for demonstrations.
//!
//! Everything goes through the calls people use, so what is seeded is what the program really does: the seed asks the
//! program's own router, in the name of whoever does it, at the time it is said to have happened. Payments go through
//! the real client to the payment sandbox.

mod catalogue;
mod coupons;
mod desk;
mod front;
mod orders;
pub mod people;
mod standing;

use std::sync::Arc;
use std::time::Duration as Wait;

use anyhow::{Context, bail};
use event_store::Runner;
use projections::state::demo;
use time::{Duration, OffsetDateTime};
use tokio_util::sync::CancellationToken;

use crate::app::{AppBuilder, AppState};
use crate::clock::PutClock;
use crate::settings::Settings;
use crate::worker;
use desk::Desk;

/// How far back the story begins.
const BEGINS: Duration = Duration::days(60);
/// How often one place may ask while seeding.
const NO_LIMIT: u32 = 1_000_000;
/// How long read models and refunds may take to come to rest at the end.
const PATIENCE: Wait = Wait::from_secs(60);

/// What a seeding came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seeded {
    /// The log was empty and is full now.
    Filled,
    /// There is a log already; nothing was touched.
    HadEvents,
}

/// Whether the log has events.
///
/// # Errors
/// The database's.
pub async fn has_events(app: &AppState) -> anyhow::Result<bool> {
    Ok(!app.store.read_all(0, i64::MAX, 1).await?.is_empty())
}

/// Fills an empty log; `tell` hears how far it is.
///
/// # Errors
/// The first call that was refused; the database's.
pub async fn seed(
    settings: &Settings,
    database: &str,
    tell: impl Fn(&str),
) -> anyhow::Result<Seeded> {
    let now = OffsetDateTime::now_utc();
    let clock = Arc::new(PutClock::at(now - BEGINS));
    let mut settings = settings.clone();
    settings.limits.requests_per_second = NO_LIMIT;
    settings.limits.burst = NO_LIMIT;
    settings.limits.guesses_per_minute = NO_LIMIT;
    settings.limits.guesses_burst = NO_LIMIT;
    let app = AppBuilder::new(settings, database)
        .clock(clock.clone())
        .without_search()
        .build()
        .await?;
    if has_events(&app).await? {
        return Ok(Seeded::HadEvents);
    }
    fill(app, clock, now, &tell).await?;
    Ok(Seeded::Filled)
}

/// Tells the whole story into an application whose clock is `clock`; read models and policies run meanwhile.
///
/// # Errors
/// As [`seed`].
pub async fn fill(
    app: AppState,
    clock: Arc<PutClock>,
    now: OffsetDateTime,
    tell: &impl Fn(&str),
) -> anyhow::Result<()> {
    make_read_models(&app).await?;
    let stopping = CancellationToken::new();
    let work = tokio::spawn(worker::work(app.clone(), stopping.clone()));
    let told = story(Desk::new(app, clock, now), tell).await;
    stopping.cancel();
    work.await?.context("the read models")?;
    told
}

/// Policies look into the read models at once, so their tables are made first.
async fn make_read_models(app: &AppState) -> anyhow::Result<()> {
    let made = CancellationToken::new();
    let runner = Runner::new(app.store.clone(), projections::all());
    let making = runner.run(made.clone().cancelled_owned());
    let waiting = async {
        let waited = tokio::time::timeout(PATIENCE, until_made(app)).await;
        made.cancel();
        waited
    };
    let (making, waited) = tokio::join!(making, waiting);
    waited.context("the tables of the read models")??;
    Ok(making?)
}

async fn until_made(app: &AppState) -> anyhow::Result<()> {
    loop {
        let checkpoints = app.store.checkpoints().await?;
        let made = |name: &&str| {
            checkpoints
                .iter()
                .any(|known| known.active && known.name == **name)
        };
        if projections::NAMES.iter().all(made) {
            return Ok(());
        }
        tokio::time::sleep(Wait::from_millis(20)).await;
    }
}

async fn story(mut desk: Desk, tell: &impl Fn(&str)) -> anyhow::Result<()> {
    tell("사람과 기본 설정");
    desk.go(BEGINS);
    let people = people::join(&mut desk).await?;
    standing::set_up(&mut desk, &people).await?;
    front::begin(&mut desk, &people).await?;
    tell("분류와 상품");
    desk.go(Duration::days(52));
    let goods = catalogue::fill(&mut desk, &people).await?;
    front::dress(&mut desk, &people, &goods).await?;
    tell("쿠폰과 포인트");
    desk.go(Duration::days(45));
    let coupons = coupons::hand_out(&mut desk, &people).await?;
    orders::tell(&mut desk, &people, &goods, &coupons, tell).await?;
    tell("마무리");
    desk.go(Duration::ZERO);
    rest(&desk).await?;
    demo::begin(desk.app.pool(), desk.now).await?;
    Ok(())
}

/// Waits until the read models are as far as the log and no refund is on its way.
async fn rest(desk: &Desk) -> anyhow::Result<()> {
    let until = tokio::time::Instant::now() + PATIENCE;
    loop {
        let head: i64 = sqlx::query_scalar("SELECT coalesce(max(global_position), 0) FROM events")
            .fetch_one(desk.app.pool())
            .await?;
        let waited = desk
            .app
            .store
            .wait_for(&projections::NAMES, head, Wait::from_secs(5))
            .await?;
        let on_their_way = orders::refunds_on_their_way(&desk.app).await?;
        if matches!(waited, event_store::Waited::Reached(_)) && on_their_way == 0 {
            return Ok(());
        }
        if tokio::time::Instant::now() > until {
            bail!(
                "after {PATIENCE:?} {on_their_way} refunds are not done, or the read models are behind"
            );
        }
        tokio::time::sleep(Wait::from_millis(100)).await;
    }
}
