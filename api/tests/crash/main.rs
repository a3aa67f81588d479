//! Crash proofs. Of mail: [`mails`]. Of money: server, worker, payment sandbox and Postgres are killed (kill -9) at random while shoppers order and pay.
//!
//! Afterwards four sources have to agree: the responses to the clients, the sandbox's charges, the log
//! (read over HTTP) and `jangbu verify`, which replays the log. The cluster runs with production
//! settings (fsync and synchronous_commit on). Every fifth kill takes the server after the payment service has charged
//! an order and before it has answered, or the worker after it has refunded a canceled piece.
//!
//! `JANGBU_PROOFS=full` makes it 500 orders and 50 kills; otherwise it is a tenth of that.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test"
)]

mod audit;
mod faults;
mod mails;
mod processes;
mod seen;
mod shopper;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use processes::{Shop, Victim};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use seen::{Good, ShopSnapshot};
use shopper::{Purchase, Shopper};
use tokio::task::JoinSet;

/// Size of the run.
struct Scale {
    orders: usize,
    kills: usize,
}

impl Scale {
    fn asked_for() -> Self {
        match std::env::var("JANGBU_PROOFS").as_deref() {
            Ok("full") => Self {
                orders: 500,
                kills: 50,
            },
            _ => Self {
                orders: 60,
                kills: 6,
            },
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_lost_or_charged_twice_when_everything_is_killed() {
    let scale = Scale::asked_for();
    let seed = std::env::var("JANGBU_PROOF_SEED")
        .ok()
        .and_then(|seed| seed.parse().ok())
        .unwrap_or(20_261_121_u64);
    println!(
        "{} orders, {} kills, seed {seed}",
        scale.orders, scale.kills
    );
    let mut chance = StdRng::seed_from_u64(seed);

    let mut shop = Shop::open().await;
    let place = shop.place();
    let shoppers: Vec<Shopper> = place.shoppers();
    let operator = place.person("operator");
    let before = ShopSnapshot::at_rest(&place, &shoppers, &operator).await;
    let goods: Arc<Vec<Good>> = Arc::new(before.stock.keys().cloned().collect());
    shop.misbehave(true).await;

    let left = Arc::new(AtomicUsize::new(scale.orders));
    // One order is held back for each kill, so that orders are still in progress at every kill.
    let gate = Arc::new(tokio::sync::Semaphore::new(scale.orders - scale.kills));
    let mut buying = JoinSet::new();
    for (number, seed) in (0..scale.orders).zip(seed + 1..) {
        let (shopper, goods) = (shoppers[number % shoppers.len()].clone(), goods.clone());
        let (left, gate) = (left.clone(), Arc::clone(&gate));
        let mut chance = StdRng::seed_from_u64(seed);
        buying.spawn(async move {
            gate.acquire_owned().await.unwrap().forget();
            let purchase = shopper.buy(&goods, number, &mut chance).await;
            left.fetch_sub(1, Ordering::Relaxed);
            (number, purchase)
        });
    }

    let (mut kills, mut owed) = (0, 0);
    while kills < scale.kills {
        tokio::time::sleep(Duration::from_millis(chance.random_range(200..1500))).await;
        let mut victim = Victim::ALL[chance.random_range(0..Victim::ALL.len())];
        assert!(left.load(Ordering::Relaxed) > 0, "nobody is ordering");
        if kills % 5 == 0 {
            // The server requests approvals, the worker refunds.
            let (of, call) =
                [(Victim::Server, "approve"), (Victim::Worker, "cancel")][kills / 5 % 2];
            victim = of;
            owed += usize::from(shop.owes_an_answer(call).await);
        }
        shop.kill(victim).await;
        kills += 1;
        gate.add_permits(1);
        println!(
            "{kills:3}: killed {victim:?}, {} orders to go",
            left.load(Ordering::Relaxed)
        );
        tokio::time::sleep(Duration::from_millis(chance.random_range(0..700))).await;
        shop.revive().await;
        let done = || scale.orders - left.load(Ordering::Relaxed);
        some_work(done, kills * scale.orders / (scale.kills + 1)).await;
    }
    println!("{owed} times between the payment service's yes and what came of it");
    assert!(owed > 0, "nobody was charged when the server died");
    let mut purchases: Vec<(usize, Purchase)> = Vec::new();
    while let Some(bought) = buying.join_next().await {
        match bought {
            Ok(purchase) => purchases.push(purchase),
            Err(error) => panic!("{error}\n{}", shop.logs()),
        }
    }
    purchases.sort_by_key(|(number, _)| *number);
    let purchases: Vec<Purchase> = purchases.into_iter().map(|(_, one)| one).collect();

    shop.misbehave(false).await;
    audit::everything_agrees(&place, (&shoppers, &operator), &before, &purchases).await;
    shop.verify().await;
    shop.close().await;
}

/// Waits, with a timeout, until that many orders are done, so that the kills are spread over the whole run.
async fn some_work(done: impl Fn() -> usize, wanted: usize) {
    for _ in 0..50 {
        if done() >= wanted {
            return;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}
