//! A shop on a standby is readable, rejects writes, and continues when the standby is promoted.

use event_store::testing::{Server, until};
use serde_json::json;

use crate::support::shop::id_of;
use crate::support::{Place, TestApp};

async fn shop_on(place: Place, server: &Server) -> TestApp {
    place.open(&server.url("jangbu")).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_standby_shows_the_shop_and_takes_it_over() {
    let (mut primary, standby) = Server::pair("jangbu").await.unwrap();
    let place = Place::with(&[]).await;
    let shop = shop_on(place, &primary).await;
    let seller = shop.seller().await;
    let product = shop.product(seller, 10_000, 10).await;
    let buyer = shop.sign_up("standby01").await;
    let order = shop.order(&buyer, product, 1).await.expect(201);
    let (position, order) = (order.position(), id_of(&order));
    shop.get(&format!("/api/v1/me/orders/{order}"))
        .as_(&buyer)
        .header("x-wait-position", &position)
        .send()
        .await
        .expect(200);

    // The primary's data is there, and names can be decrypted.
    let mirror = shop_on(Place::like(&shop).await, &standby).await;
    let address = format!("/api/v1/me/orders/{order}");
    let mut seen = None;
    until("the order is there", async || {
        let asked = mirror.get(&address).as_(&buyer);
        let reply = asked.header("x-wait-position", &position).once().await;
        let is_there = reply.status == 200 && reply.header("x-stale").is_none();
        seen = Some(reply);
        is_there
    })
    .await;
    let seen = seen.unwrap();
    assert!(seen.text.contains("홍길동"), "{}", seen.text);
    for path in [
        "/api/v1/shop/products",
        "/api/v1/me/orders",
        "/api/v1/me/info",
    ] {
        mirror.get(path).as_(&buyer).send().await.expect(200);
    }
    let ready = mirror.get("/ready").send().await.expect(200);
    assert_eq!(ready.body["standby"], json!(true));
    assert_eq!(ready.body["writable"], json!(false));
    mirror.get("/ready?for=writes").send().await.expect(503);

    // Nothing is settled there that the primary has not settled, although its sequence is ahead of the rows.
    let (head, settled) = (
        mirror.app.store.head().await.unwrap(),
        mirror.app.store.settle().await.unwrap(),
    );
    assert!(settled <= head, "{settled} > {head}");

    // Writes are rejected: by their method, and by the database where the method does not show it.
    let cart = json!({ "_product": product, "quantity": 1 });
    let refused = mirror
        .post("/api/v1/me/carts", &cart)
        .as_(&buyer)
        .send()
        .await
        .expect(503);
    assert_eq!(
        (refused.code(), refused.header("retry-after")),
        ("read_only", Some("10"))
    );
    let refused = mirror
        .login(&buyer.username, &buyer.password)
        .await
        .expect(503);
    assert_eq!(refused.code(), "read_only");
    let leases: i64 = sqlx::query_scalar(
        "SELECT count(*) FROM pg_stat_activity WHERE application_name LIKE 'event-store %'",
    )
    .fetch_one(mirror.app.pool())
    .await
    .unwrap();
    assert_eq!(leases, 0, "no worker on a standby");

    // The primary fails.
    drop(shop);
    primary.kill();
    standby.take_over().await.unwrap();
    until("the shop goes on", async || !mirror.app.standby.is()).await;
    until("it takes orders", async || {
        mirror.get("/ready?for=writes").once().await.status == 200
    })
    .await;
    let next = mirror.order(&buyer, product, 1).await.expect(201);
    assert!(next.position().parse::<i64>().unwrap() > position.parse().unwrap());
    let mine = mirror
        .get("/api/v1/me/orders")
        .as_(&buyer)
        .header("x-wait-position", &next.position())
        .send()
        .await
        .expect(200);
    assert_eq!(
        mine.body["summary"]["totalCount"],
        json!(2),
        "{}",
        mine.text
    );
}

/// The primary waits at every commit for an absent standby: nothing fails, and nothing completes.
#[tokio::test(flavor = "multi_thread")]
async fn a_synchronous_standby_that_is_absent_is_told_and_the_shop_shown() {
    let primary = Server::start(&[]).unwrap();
    primary.execute(&["CREATE DATABASE jangbu"]).await.unwrap();
    let shop = shop_on(Place::with(&[]).await, &primary).await;
    let for_writes = async || shop.get("/ready?for=writes").once().await.status;
    until("it takes writes", async || for_writes().await == 200).await;
    let reload = "SELECT pg_reload_conf()";
    let absent = "ALTER SYSTEM SET synchronous_standby_names = 'absent'";
    primary.execute(&[absent, reload]).await.unwrap();
    until("it is noticed", async || for_writes().await == 503).await;
    let ready = shop.get("/ready").once().await.expect(200);
    assert_eq!(
        (&ready.body["writable"], &ready.body["standby"]),
        (&json!(false), &json!(false))
    );
    shop.get("/api/v1/shop/products").once().await.expect(200);
    let usual = "ALTER SYSTEM RESET synchronous_standby_names";
    primary.execute(&[usual, reload]).await.unwrap();
    until("it takes writes again", async || for_writes().await == 200).await;
    shop.sign_up("standby02").await;
}
