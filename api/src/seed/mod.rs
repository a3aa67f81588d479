//! `jangbu seed`: a shop with goods, people, coupons and some weeks of orders, for demonstrations; or only more orders.
//!
//! Everything goes through the calls people use, so what is seeded is what the program really does: the seed asks the
//! program's own router, in the name of whoever does it, at the time it is said to have happened. Payments go through
//! the real client to the payment sandbox.

mod catalogue;
mod coupons;
mod crowd;
mod desk;
mod details;
mod dice;
mod front;
mod orders;
pub mod people;
mod searches;
mod standing;
mod stories;
mod variants;
mod voices;

use std::sync::Arc;
use std::time::Duration as Wait;

use anyhow::{Context, bail};
use event_store::Runner;
use projections::state::demo::{self, Demonstration};
use time::{Duration, OffsetDateTime};
use tokio_util::sync::CancellationToken;

use crate::app::{AppBuilder, AppState};
use crate::settings::Settings;
use crate::worker;
use application::clock::PutClock;
use desk::Desk;
use dice::Dice;
use orders::Others;
use people::People;

/// How far back the story begins; its shoppers begin to join, goods to come, the shop is dressed, and coupons are set up after the last
/// of the goods: all before the first order of [`LARGE_OVER`].
const BEGINS: Duration = Duration::days(102);
const JOINING: Duration = Duration::days(100);
const DRESSED: Duration = Duration::days(99);
const GOODS: Duration = Duration::days(98);
const SET_UP: Duration = Duration::hours(92 * 24 + 12);
/// How often one place may ask while seeding.
const NO_LIMIT: u32 = 1_000_000;
/// How long read models and refunds may take to come to rest at the end.
const PATIENCE: Wait = Wait::from_secs(60);

/// Orders of the large demonstration, and over how long.
const MANY: usize = 600;
const LARGE_OVER: Duration = Duration::days(90);
/// Over how long orders are spread that are made afterwards.
const MORE_OVER: Duration = Duration::days(30);

/// How much is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// 63 products of 6 sellers, three of them sets, 20 members, 30 orders: quick.
    Small,
    /// 303 products of 12 sellers, 200 members, 600 orders of 90 days.
    Large,
}

/// How far a seeding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told<'a> {
    /// What is told now.
    Part(&'a str),
    /// The orders are being told.
    Orders {
        /// The one it is at, from 1.
        done: usize,
        /// How many there will be.
        of: usize,
    },
}

/// What a seeding came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seeded {
    /// The log was empty and is full now.
    Filled,
    /// There is a log already; nothing was touched.
    HadEvents,
}

/// Why there is nothing to seed into.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotSeeded {
    /// An earlier seeding was cut off: half a demonstration is no use to anybody, and what is missing cannot be told any more.
    #[error(
        "데모 데이터를 넣다가 끊긴 데이터베이스입니다. 처음부터 다시 하려면 데이터 폴더를 지우고(make clean-data) 다시 실행해 주세요. (database.url을 쓰면 그 데이터베이스를 비웁니다.)"
    )]
    CutOff,
    /// Made-up orders are for demonstrations only.
    #[error("데모 상점이 아니어서 주문을 만들지 않았습니다.")]
    NoDemonstration,
}

/// Whether the log has events.
///
/// # Errors
/// The database's.
pub async fn has_events(app: &AppState) -> anyhow::Result<bool> {
    Ok(!app.store.read_all(0, i64::MAX, 1).await?.is_empty())
}

/// Fills an empty log with the small demonstration; `tell` hears how far it is.
///
/// # Errors
/// As [`seed_of`].
pub async fn seed(
    settings: &Settings,
    database: &str,
    tell: impl Fn(Told<'_>),
) -> anyhow::Result<Seeded> {
    seed_of(Size::Small, settings, database, tell).await
}

/// Fills an empty log; `tell` hears how far it is.
///
/// # Errors
/// [`NotSeeded::CutOff`]; the first call that was refused; the database's.
pub async fn seed_of(
    size: Size,
    settings: &Settings,
    database: &str,
    tell: impl Fn(Told<'_>),
) -> anyhow::Result<Seeded> {
    let now = OffsetDateTime::now_utc();
    let (app, clock) = app_at(now - BEGINS, settings, database).await?;
    if has_events(&app).await? {
        return match demo::state(app.pool()).await? {
            Demonstration::Begun => Err(NotSeeded::CutOff.into()),
            Demonstration::None | Demonstration::Finished => Ok(Seeded::HadEvents),
        };
    }
    demo::begin(app.pool(), now).await?;
    let desk = Desk::new(app, clock, now);
    working(&desk.app.clone(), story(desk, size, &tell)).await?;
    Ok(Seeded::Filled)
}

/// Makes `count` more orders in a demonstration that is there already.
///
/// # Errors
/// [`NotSeeded`]; the first call that was refused; the database's.
pub async fn more_orders(
    count: usize,
    settings: &Settings,
    database: &str,
    tell: impl Fn(Told<'_>),
) -> anyhow::Result<()> {
    let now = OffsetDateTime::now_utc();
    let (app, clock) = app_at(now, settings, database).await?;
    match demo::state(app.pool()).await? {
        Demonstration::None => return Err(NotSeeded::NoDemonstration.into()),
        Demonstration::Begun => return Err(NotSeeded::CutOff.into()),
        Demonstration::Finished => {}
    }
    let people = people::known(&app)
        .await?
        .ok_or(NotSeeded::NoDemonstration)?;
    let mut goods = catalogue::on_sale(&app).await?;
    let head: i64 = app.store.head().await?;
    // other stories than those told before
    let mut dice = Dice::new(head.unsigned_abs());
    let stories = stories::made_up(count, MORE_OVER, now, &goods, &people.shoppers, &mut dice);
    let mut desk = Desk::new(app, clock, now);
    working(&desk.app.clone(), async {
        let boxes = coupons::Boxes::new();
        orders::tell(
            &mut desk,
            &people,
            &mut goods,
            &boxes,
            &stories,
            Others::AtWork,
            &tell,
        )
        .await?;
        desk.go(Duration::ZERO);
        rest(&desk).await
    })
    .await
}

/// The program with a clock that is put, and nobody counting its requests.
async fn app_at(
    moment: OffsetDateTime,
    settings: &Settings,
    database: &str,
) -> anyhow::Result<(AppState, Arc<PutClock>)> {
    let clock = Arc::new(PutClock::at(moment));
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
    Ok((app, clock))
}

/// Tells while read models and policies do their work.
async fn working(
    app: &AppState,
    telling: impl Future<Output = anyhow::Result<()>>,
) -> anyhow::Result<()> {
    make_read_models(app).await?;
    let stopping = CancellationToken::new();
    let work = tokio::spawn(worker::work(app.clone(), stopping.clone()));
    let told = telling.await;
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

async fn story(mut desk: Desk, size: Size, tell: &impl Fn(Told<'_>)) -> anyhow::Result<()> {
    tell(Told::Part("사람과 기본 설정"));
    desk.go(BEGINS);
    let operator = people::operator_joins(&desk).await?;
    standing::set_up(&mut desk, &operator).await?;
    catalogue::sort_out(&mut desk, &operator).await?;
    front::begin(&mut desk, &operator).await?;
    let sellers = people::sellers_join(&mut desk, size).await?;
    standing::deliver(&mut desk, &sellers).await?;
    let shoppers = people::shoppers_join(&mut desk, size).await?;
    let people = People {
        operator,
        sellers,
        shoppers,
    };
    tell(Told::Part("상품과 진열"));
    desk.go(DRESSED);
    let mut goods = catalogue::fill(&mut desk, &people, size).await?;
    let sets = catalogue::put_together(&mut desk, &people, size, &goods).await?;
    let all = goods.clone().into_iter().chain(sets).collect();
    front::dress(&mut desk, &people, &all).await?;
    tell(Told::Part("쿠폰과 적립금"));
    let boxes = coupons::hand_out(&mut desk, &people, size).await?;
    let stories = match size {
        Size::Small => stories::told(desk.now),
        Size::Large => {
            let mut dice = Dice::new(90);
            let shoppers = &people.shoppers;
            stories::made_up(MANY, LARGE_OVER, desk.now, &goods, shoppers, &mut dice)
        }
    };
    orders::tell(
        &mut desk,
        &people,
        &mut goods,
        &boxes,
        &stories,
        Others::None,
        tell,
    )
    .await?;
    tell(Told::Part("마무리"));
    searches::made(&mut desk).await?;
    desk.go(Duration::ZERO);
    rest(&desk).await?;
    front::line_up_best_sellers(&mut desk, &people.operator).await?;
    rest(&desk).await?;
    demo::finish(desk.app.pool(), desk.now).await?;
    Ok(())
}

/// Waits until the read models are as far as the log and no refund is on its way.
async fn rest(desk: &Desk) -> anyhow::Result<()> {
    let until = tokio::time::Instant::now() + PATIENCE;
    loop {
        let head = desk.app.store.head().await?;
        let waited = desk
            .app
            .store
            .wait_for(&projections::NAMES, head, Wait::from_secs(5))
            .await?;
        let on_their_way = orders::refunds_on_their_way(&desk.app).await?;
        if matches!(waited, event_store::WaitOutcome::Reached(_)) && on_their_way == 0 {
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::stories::placed_over;
    use super::*;

    #[test]
    fn the_orders_of_the_large_demonstration_are_of_ninety_days() {
        assert!(
            BEGINS > JOINING && JOINING > DRESSED && DRESSED > GOODS && SET_UP > LARGE_OVER,
            "all is there before the first order"
        );
        let now = OffsetDateTime::UNIX_EPOCH + Duration::days(1_000);
        let mut dice = Dice::new(90);
        let ago: BTreeSet<i64> = (0..MANY)
            .map(|_| (now - placed_over(LARGE_OVER, now, &mut dice)).whole_days())
            .collect();
        assert!(ago.len() >= 88, "orders on {} days", ago.len());
        assert!(
            ago.first() == Some(&0) && ago.last() >= Some(&89),
            "{ago:?}"
        );
    }
}
