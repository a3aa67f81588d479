//! Demonstration data: a shop with products, members, coupons and some weeks of orders; or more orders for one that exists.
//!
//! The data is created through the endpoints that users call, so it is what the program really does: every request goes to the program's
//! own router, as the member concerned, at its simulated time. Payments go through the real client to the payment sandbox. Steps without an
//! endpoint (the first operator, gifts for new members) are commands of the system.
//!
//! The program is the [`Host`]; this crate does not depend on how it is built.

mod catalogue;
mod claims;
mod client;
mod corrections;
mod coupons;
mod feedback;
mod goods;
mod holidays;
mod order_plans;
mod orders;
pub mod people;
mod points;
mod rng;
mod searches;
mod site;
mod storefront;

use std::sync::Arc;
use std::time::Duration as Wait;

use anyhow::{Context, bail};
use application::App;
use application::access::Session;
use application::clock::PutClock;
use async_trait::async_trait;
use axum::Router;
use event_store::Runner;
use projections::state::demo::{self, Demonstration};
use time::Duration;
use tokio_util::sync::CancellationToken;

use client::ApiClient;
use orders::ShopActivity;
use people::People;
use rng::SeededRng;

/// Age of the first event; then the ages at which shoppers begin to join, banners are created, products begin to be added and coupons are
/// created (after the last product): all before the first order of [`LARGE_PERIOD`].
const BEGINS: Duration = Duration::days(102);
const JOINING: Duration = Duration::days(100);
const DRESSED: Duration = Duration::days(99);
const GOODS: Duration = Duration::days(98);
const SET_UP: Duration = Duration::hours(92 * 24 + 12);
/// How long read models and refunds may take to complete at the end.
const MAX_WAIT: Wait = Wait::from_secs(60);

/// Orders of the large demonstration, and the period they are spread over.
const LARGE_ORDERS: usize = 600;
const LARGE_PERIOD: Duration = Duration::days(90);
/// The period that orders added later are spread over.
const MORE_PERIOD: Duration = Duration::days(30);

/// Amount of data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// 63 products of 6 sellers, three of them sets, 20 members, 44 orders: quick.
    Small,
    /// 303 products of 12 sellers, 200 members, 600 orders of 90 days.
    Large,
}

/// Progress of seeding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress<'a> {
    /// The step that begins, in Korean.
    Part(&'a str),
    /// An order is being placed.
    Order {
        /// Its number, from 1.
        number: usize,
        /// Number of all orders.
        total: usize,
    },
}

/// Result of seeding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeedOutcome {
    /// The log was empty and has the demonstration now.
    Filled,
    /// The log had events; nothing was changed.
    NotEmpty,
}

/// Why a database cannot be seeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SeedError {
    /// An earlier seeding was interrupted and cannot be resumed.
    #[error(
        "데모 데이터를 넣다가 끊긴 데이터베이스입니다. 처음부터 다시 하려면 데이터 폴더를 지우고(make clean-data) 다시 실행해 주세요. (database.url을 쓰면 그 데이터베이스를 비웁니다.)"
    )]
    Interrupted,
    /// Generated orders are for demonstrations only.
    #[error("데모 상점이 아니어서 주문을 만들지 않았습니다.")]
    NotADemonstration,
}

/// The program that the demonstration runs in, without rate limits.
#[async_trait]
pub trait Host: Send + Sync + 'static {
    /// Dependencies of the use cases: for commands without an endpoint, and for reads of the log and the read models.
    fn application(&self) -> Arc<App>;

    /// The program's router, without logging of requests.
    fn router(&self) -> Router;

    /// The access token a member with this session would get by signing in.
    ///
    /// # Errors
    /// It cannot be signed.
    fn access_token(&self, session: &Session) -> anyhow::Result<String>;

    /// Base URL of the payment sandbox.
    fn payment_url(&self) -> &str;

    /// Runs the background work (read models, policies, deadlines) until cancelled.
    ///
    /// # Errors
    /// A read model or a policy is declared incorrectly.
    async fn work(&self, stopping: CancellationToken) -> anyhow::Result<()>;
}

/// Whether the log has events.
async fn has_events(app: &App) -> anyhow::Result<bool> {
    Ok(!app.store.read_all(0, i64::MAX, 1).await?.is_empty())
}

/// Fills an empty log, in a program whose clock is `clock`, set to the present; `report` gets the progress.
///
/// # Errors
/// [`SeedError::Interrupted`]; the first rejected request; database errors.
pub async fn seed(
    size: Size,
    host: Arc<dyn Host>,
    clock: Arc<PutClock>,
    report: impl Fn(Progress<'_>),
) -> anyhow::Result<SeedOutcome> {
    let client = ApiClient::new(host, clock);
    let (app, now) = (client.app.clone(), client.now);
    client.go_back(BEGINS);
    if has_events(&app).await? {
        return match demo::state(app.pool()).await? {
            Demonstration::Begun => Err(SeedError::Interrupted.into()),
            Demonstration::None | Demonstration::Finished => Ok(SeedOutcome::NotEmpty),
        };
    }
    demo::begin(app.pool(), now).await?;
    let host = client.host.clone();
    with_worker(host, make_everything(client, size, &report)).await?;
    Ok(SeedOutcome::Filled)
}

/// Creates `count` more orders in an existing demonstration; otherwise as [`seed`].
///
/// # Errors
/// [`SeedError`]; the first rejected request; database errors.
pub async fn more_orders(
    count: usize,
    host: Arc<dyn Host>,
    clock: Arc<PutClock>,
    report: impl Fn(Progress<'_>),
) -> anyhow::Result<()> {
    let mut client = ApiClient::new(host, clock);
    let (app, now) = (client.app.clone(), client.now);
    match demo::state(app.pool()).await? {
        Demonstration::None => return Err(SeedError::NotADemonstration.into()),
        Demonstration::Begun => return Err(SeedError::Interrupted.into()),
        Demonstration::Finished => {}
    }
    let people = people::find_existing(&app)
        .await?
        .ok_or(SeedError::NotADemonstration)?;
    let mut goods = goods::on_sale(&app).await?;
    let head: i64 = app.store.head().await?;
    // A seed that generates other orders than those created before.
    let mut rng = SeededRng::new(head.unsigned_abs());
    let shoppers = &people.shoppers;
    let plans = order_plans::generate(count, MORE_PERIOD, now, &goods, shoppers, &mut rng);
    let host = client.host.clone();
    with_worker(host, async {
        let coupons = coupons::MemberCoupons::new();
        orders::perform_all(
            &mut client,
            &people,
            &mut goods,
            &coupons,
            &plans,
            ShopActivity::Open,
            &report,
        )
        .await?;
        client.go_back(Duration::ZERO);
        wait_until_settled(&client).await
    })
    .await
}

/// Runs `seeding` while read models and policies run.
async fn with_worker(
    host: Arc<dyn Host>,
    seeding: impl Future<Output = anyhow::Result<()>>,
) -> anyhow::Result<()> {
    make_read_models(&host.application()).await?;
    let stopping = CancellationToken::new();
    let until = stopping.clone();
    let work = tokio::spawn(async move { host.work(until).await });
    let result = seeding.await;
    stopping.cancel();
    work.await?.context("the read models")?;
    result
}

/// Creates the tables of the read models first, because policies read them at once.
async fn make_read_models(app: &App) -> anyhow::Result<()> {
    let stopping = CancellationToken::new();
    let runner = Runner::new(app.store.clone(), projections::all());
    let running = runner.run(stopping.clone().cancelled_owned());
    let waiting = async {
        let waited = tokio::time::timeout(MAX_WAIT, until_read_models_exist(app)).await;
        stopping.cancel();
        waited
    };
    let (run, waited) = tokio::join!(running, waiting);
    waited.context("the tables of the read models")??;
    Ok(run?)
}

async fn until_read_models_exist(app: &App) -> anyhow::Result<()> {
    loop {
        let checkpoints = app.store.checkpoints().await?;
        let exists = |name: &&str| {
            checkpoints
                .iter()
                .any(|known| known.active && known.name == **name)
        };
        if projections::NAMES.iter().all(exists) {
            return Ok(());
        }
        tokio::time::sleep(Wait::from_millis(20)).await;
    }
}

async fn make_everything(
    mut client: ApiClient,
    size: Size,
    report: &impl Fn(Progress<'_>),
) -> anyhow::Result<()> {
    report(Progress::Part("사람과 기본 설정"));
    client.go_back(BEGINS);
    let operator = people::operator_joins(&client).await?;
    site::set_up(&mut client, &operator).await?;
    holidays::create(&mut client, &operator).await?;
    goods::create_categories(&mut client, &operator).await?;
    storefront::create_brands_and_terms(&mut client, &operator).await?;
    let sellers = people::sellers_join(&mut client, size).await?;
    site::create_shippings(&mut client, &sellers).await?;
    let shoppers = people::shoppers_join(&mut client, size).await?;
    let people = People {
        operator,
        sellers,
        shoppers,
    };
    report(Progress::Part("상품과 진열"));
    client.go_back(DRESSED);
    let mut goods = goods::create_products(&mut client, &people, size).await?;
    let sets = goods::create_sets(&mut client, &people, size, &goods).await?;
    let all = goods.iter().chain(&sets);
    let ids = all.map(|(code, good)| (code.as_str(), good.id.as_str()));
    storefront::dress(&mut client, &people, &ids.collect()).await?;
    report(Progress::Part("쿠폰과 적립금"));
    let coupons = coupons::hand_out(&mut client, &people, size).await?;
    points::grant_by_hand(&mut client, &people).await?;
    let plans = match size {
        Size::Small => order_plans::small_shop(client.now),
        Size::Large => {
            let mut rng = SeededRng::new(90);
            let (now, shoppers) = (client.now, &people.shoppers);
            order_plans::generate(LARGE_ORDERS, LARGE_PERIOD, now, &goods, shoppers, &mut rng)
        }
    };
    orders::perform_all(
        &mut client,
        &people,
        &mut goods,
        &coupons,
        &plans,
        ShopActivity::Closed,
        report,
    )
    .await?;
    report(Progress::Part("마무리"));
    searches::search(&mut client).await?;
    client.go_back(Duration::ZERO);
    points::grant_for_days(&mut client, &people).await?;
    wait_until_settled(&client).await?;
    coupons::celebrate(&mut client, &people).await?;
    feedback::ask_the_shop(&mut client, &people).await?;
    storefront::line_up_best_sellers(&mut client, &people.operator).await?;
    wait_until_settled(&client).await?;
    demo::finish(client.app.pool(), client.now).await?;
    Ok(())
}

/// Waits until the read models have reached the head of the log and no refund is outstanding.
async fn wait_until_settled(client: &ApiClient) -> anyhow::Result<()> {
    let until = tokio::time::Instant::now() + MAX_WAIT;
    loop {
        let store = &client.app.store;
        let head = store.head().await?;
        let waited = store
            .wait_for(&projections::NAMES, head, Wait::from_secs(5))
            .await?;
        let refunds = orders::outstanding_refunds(&client.app).await?;
        if matches!(waited, event_store::WaitOutcome::Reached(_)) && refunds == 0 {
            return Ok(());
        }
        if tokio::time::Instant::now() > until {
            bail!(
                "after {MAX_WAIT:?} {refunds} refunds are not done, or the read models are behind"
            );
        }
        tokio::time::sleep(Wait::from_millis(100)).await;
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use time::OffsetDateTime;

    use super::order_plans::placed_within;
    use super::*;

    #[test]
    fn the_orders_of_the_large_demonstration_are_of_ninety_days() {
        assert!(
            BEGINS > JOINING && JOINING > DRESSED && DRESSED > GOODS && SET_UP > LARGE_PERIOD,
            "all is there before the first order"
        );
        let now = OffsetDateTime::UNIX_EPOCH + Duration::days(1_000);
        let mut rng = SeededRng::new(90);
        let ago: BTreeSet<i64> = (0..LARGE_ORDERS)
            .map(|_| (now - placed_within(LARGE_PERIOD, now, &mut rng)).whole_days())
            .collect();
        assert!(ago.len() >= 88, "orders on {} days", ago.len());
        assert!(
            ago.first() == Some(&0) && ago.last() >= Some(&89),
            "{ago:?}"
        );
    }
}
