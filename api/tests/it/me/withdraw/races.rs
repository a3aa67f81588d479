//! Closing an account concurrently with other operations.

use domain::ids::ProductId;
use domain::stock::Stock;
use event_store::{Append, LockSet, LockedStreams, StreamId};

use crate::me::withdraw::withdraw;
use crate::support::{Account, Reply, TestApp};

/// An account is closed while an order is being placed; returns both responses.
async fn while_ordered(
    shop: &TestApp,
    buyer: &Account,
    product: ProductId,
    leaver: &Account,
) -> (Reply, Reply) {
    // The stock is counted meanwhile, so the order has to wait for its lock.
    let (counted, counting) = std::sync::mpsc::channel::<()>();
    let store = shop.app.store.clone();
    let pile = LockSet::exclusive([StreamId::of::<Stock>(product)]);
    let holding = tokio::spawn(async move {
        let decide = move |_: &LockedStreams, (): ()| {
            tokio::task::block_in_place(|| counting.recv().ok());
            Err::<Append, &str>("nothing is counted")
        };
        let counted = store.append_locked(None, &pile, &(), decide);
        counted.await.unwrap_err();
    });
    let pause = |millis| tokio::time::sleep(std::time::Duration::from_millis(millis));
    pause(300).await;
    let (ordered, left, ()) = tokio::join!(
        shop.order(buyer, product, 1),
        async {
            pause(700).await;
            withdraw(shop, leaver, &leaver.password).await
        },
        async {
            pause(3_000).await;
            counted.send(()).unwrap();
        }
    );
    holding.await.unwrap();
    (ordered, left)
}

/// Closing an account holds a connection and uses others: concurrent closings never use up the pool, however long they take.
#[tokio::test]
async fn more_ask_to_leave_at_once_than_there_are_connections() {
    let shop = TestApp::start().await;
    let who = shop.sign_up("hurried1").await;
    // The read model of their orders lags behind.
    let mut late = event_store::begin(shop.app.pool()).await.unwrap();
    sqlx::query("SELECT FROM projection_checkpoint WHERE name = 'orders' FOR UPDATE")
        .execute(&mut *late)
        .await
        .unwrap();
    let other = shop.sign_up("shopping").await;
    let asking = futures::future::join_all((0..16).map(|_| withdraw(&shop, &who, &who.password)));
    let meanwhile = async {
        tokio::time::sleep(std::time::Duration::from_secs(1)).await;
        shop.get("/api/v1/me/info")
            .as_(&other)
            .send()
            .await
            .expect(200);
        late.commit().await.unwrap();
    };
    let (asked, ()) = futures::future::join(asking, meanwhile).await;
    let statuses: Vec<u16> = asked.iter().map(|reply| reply.status).collect();
    assert!(statuses.contains(&200), "{statuses:?}");
    assert!(statuses.iter().all(|status| *status < 500), "{statuses:?}");
}

/// One of the two sees the other, whichever is first.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn nobody_orders_and_leaves_at_the_same_moment() {
    let shop = TestApp::start().await;
    let seller = shop.seller().await;
    let product = shop.product(seller, 10_000, 10).await;
    let who = shop.sign_up("hurried1").await;
    let (ordered, left) = while_ordered(&shop, &who, product, &who).await;
    let both = (ordered.status, left.status);
    assert!([(201, 409), (401, 200)].contains(&both), "{both:?}");
}

/// Which of the two takes a lock first depends on the ids, so it is repeated with other sellers until each was first once.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn nobody_buys_from_who_leaves_at_the_same_moment() {
    let shop = TestApp::start().await;
    let buyer = shop.sign_up("hurried2").await;
    let (mut orders_first, mut leaves_first) = (false, false);
    for round in 0..12 {
        let seller = shop.company(&format!("goingco{round}")).await;
        let product = shop.console_product(&seller, &format!("P-{round}")).await;
        let product: ProductId = product["_id"].as_str().unwrap().parse().unwrap();
        let (ordered, left) = while_ordered(&shop, &buyer, product, &seller).await;
        match (ordered.status, left.status) {
            (201, 409) => {
                assert_eq!(left.code(), "not_allowed_now");
                orders_first = true;
            }
            (409, 200) => {
                assert_eq!(ordered.code(), "not_on_sale");
                assert_eq!(shop.left(product).await, 10);
                leaves_first = true;
            }
            both => panic!("{both:?}: {} {}", ordered.text, left.text),
        }
        if orders_first && leaves_first {
            return;
        }
    }
    panic!("the same of the two was first every time: ordered {orders_first}, left {leaves_first}");
}
