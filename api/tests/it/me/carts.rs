//! Carts: a line is ordered once, also by concurrent requests; and an unpaid order is put back into the cart once.

use domain::ids::ProductId;
use serde_json::{Value, json};
use sqlx::{Connection, Executor, PgConnection};
use time::Duration;
use uuid::Uuid;

use crate::support::shop::{id_of, order_form};
use crate::support::{Account, Ask, Reply, TestApp, futures_of};

const ORDERS: &str = "/api/v1/shop/orders";
const CARTS: &str = "/api/v1/me/carts";

/// A key for each request; long enough for a guest's.
fn key(place: usize) -> String {
    format!("a-key-of-the-window-{place}")
}

fn placed(replies: &[Reply]) -> Vec<&Reply> {
    let placed: Vec<&Reply> = replies.iter().filter(|reply| reply.status == 201).collect();
    for refused in replies.iter().filter(|reply| reply.status != 201) {
        assert_eq!((refused.status, refused.code()), (409, "cart_ordered"));
    }
    placed
}

struct Shop {
    shop: TestApp,
    hong: Account,
    apples: ProductId,
}

impl Shop {
    async fn open(stock: u32) -> Self {
        let shop = TestApp::start().await;
        let seller = shop.seller().await;
        let apples = shop.product(seller, 1_000, stock).await;
        let hong = shop.sign_up("hong1234").await;
        Self { shop, hong, apples }
    }

    async fn add(&self, quantity: u32) -> String {
        let add = json!({ "_product": self.apples, "quantity": quantity });
        let added = self.shop.post(CARTS, &add).as_(&self.hong).send().await;
        let id = added.expect(200).body["cart"]["_id"].clone();
        id.as_str().unwrap().to_owned()
    }

    fn order_of(&self, lines: &[&str]) -> Value {
        let mut form = order_form(self.apples, 1);
        form["carts"] = json!([]);
        form["_carts"] = json!(lines);
        form
    }

    fn order(&self, form: &Value, key: &str) -> Ask {
        self.shop.post(ORDERS, form).as_(&self.hong).key(key)
    }

    /// Ids and quantities of the lines.
    async fn cart(&self) -> Vec<(String, i64)> {
        let cart = self
            .shop
            .get(CARTS)
            .as_(&self.hong)
            .send()
            .await
            .expect(200);
        let lines = cart.body["carts"].as_array().unwrap().clone();
        lines
            .iter()
            .map(|line| {
                let id = line["_id"].as_str().unwrap().to_owned();
                (id, line["quantity"].as_i64().unwrap())
            })
            .collect()
    }

    async fn orders_placed(&self) -> i64 {
        sqlx::query_scalar("SELECT count(*) FROM events WHERE event_type = 'OrderPlaced'")
            .fetch_one(self.shop.app.pool())
            .await
            .unwrap()
    }
}

#[tokio::test]
async fn eight_orders_of_one_cart_at_once_make_one() {
    let shop = Shop::open(100).await;
    let line = shop.add(3).await;
    let form = shop.order_of(&[&line]);
    let replies = futures_of(8, |place| shop.order(&form, &key(place)).send()).await;
    let won = placed(&replies);
    assert_eq!(won.len(), 1, "orders of one cart");
    let order = &won[0].body["order"];
    for refused in replies.iter().filter(|reply| reply.status == 409) {
        let details = &refused.body["error"]["details"];
        assert_eq!(details["_order"], order["_id"]);
        assert_eq!(details["orderNo"], order["orderNo"]);
        assert!(refused.text.contains("주문번호"), "{}", refused.text);
    }
    assert_eq!(shop.shop.left(shop.apples).await, 97, "taken once");
    assert_eq!(shop.orders_placed().await, 1);
    assert_eq!(shop.cart().await, []);

    // Each window retries with its key: the one that won gets its order, whatever the cart contains now.
    let again = futures_of(8, |place| shop.order(&form, &key(place)).send()).await;
    for (first, second) in replies.iter().zip(&again) {
        assert_eq!((first.status, first.code()), (second.status, second.code()));
        assert_eq!(first.body["order"], second.body["order"]);
    }
    assert_eq!(shop.orders_placed().await, 1);

    // An order form that is still open gets the same error, and others do not learn whose order it was.
    let preview = json!({ "_carts": [line] });
    let preview = shop.shop.post("/api/v1/shop/orders/preview", &preview);
    assert_eq!(preview.as_(&shop.hong).send().await.code(), "cart_ordered");
    let kim = shop.shop.sign_up("kim12345").await;
    let foreign = shop.shop.post(ORDERS, &form).as_(&kim).send().await;
    assert_eq!((foreign.status, foreign.code()), (404, "not_found"));

    // Seven days later, the line is reported as unknown.
    shop.shop.advance(Duration::days(7));
    let again = shop.shop.login("hong1234", &shop.hong.password).await;
    let token = again.body["accessToken"].as_str().unwrap().to_owned();
    let old = shop.shop.post(ORDERS, &form).token(&token).send().await;
    assert_eq!(old.code(), "not_found");
}

#[tokio::test]
async fn eight_repeats_of_one_order_at_once_answer_the_same() {
    let shop = Shop::open(100).await;
    let line = shop.add(3).await;
    let form = shop.order_of(&[&line]);
    let replies = futures_of(8, |_| shop.order(&form, &key(0)).send()).await;
    for reply in replies {
        let reply = reply.expect(201);
        assert_eq!(reply.body["order"]["payable"], 3_250);
    }
    assert_eq!(shop.orders_placed().await, 1);
    assert_eq!(shop.shop.left(shop.apples).await, 97);
}

/// A repeat that does not find the first execution yet, and then finds the cart emptied by it.
#[tokio::test(flavor = "multi_thread")]
async fn a_repeat_that_meets_the_cart_its_own_order_emptied_answers_that_order() {
    const WAITS: &str = "SELECT count(*) FROM pg_stat_activity \
                         WHERE wait_event_type = 'Lock' AND datname = current_database() AND query LIKE $1";
    let shop = Shop::open(100).await;
    let line = shop.add(3).await;
    let form = shop.order_of(&[&line]);
    let mut lines = PgConnection::connect(&shop.shop.database).await.unwrap();
    let mut carts = PgConnection::connect(&shop.shop.database).await.unwrap();
    lines
        .execute("BEGIN; LOCK TABLE ordered_lines IN SHARE MODE")
        .await
        .unwrap();
    let first = shop.order(&form, &key(0)).send();
    // The first one holds its line and does not end; later requests read the cart only after it has.
    let after_it = async {
        let insert = "INSERT INTO ordered_lines%";
        shop.shop.until_counted(WAITS, insert).await;
        let lock = "BEGIN; LOCK TABLE carts IN ACCESS EXCLUSIVE MODE; COMMIT";
        carts.execute(lock).await.unwrap();
    };
    let second = async {
        shop.shop
            .until_counted(WAITS, "BEGIN; LOCK TABLE carts%")
            .await;
        shop.order(&form, &key(0)).send().await
    };
    let release = async {
        shop.shop
            .until_counted(WAITS, "SELECT to_jsonb(c) FROM carts%")
            .await;
        lines.execute("ROLLBACK").await.unwrap();
    };
    let (first, (), second, ()) = tokio::join!(first, after_it, second, release);
    assert_eq!(id_of(&second.expect(201)), id_of(&first.expect(201)));
    assert_eq!(shop.orders_placed().await, 1);
}

#[tokio::test]
async fn lines_that_two_orders_share_go_with_one_of_them_and_the_others_stay() {
    let shop = Shop::open(100).await;
    let seller = shop.shop.seller().await;
    let pears = shop.shop.product(seller, 500, 100).await;
    let apples = shop.add(2).await;
    let add = json!({ "_product": pears, "quantity": 4 });
    let added = shop.shop.post(CARTS, &add).as_(&shop.hong).send().await;
    let pear = added.expect(200).body["cart"]["_id"].clone();
    let (both, one) = (
        shop.order_of(&[&apples, pear.as_str().unwrap()]),
        shop.order_of(&[&apples]),
    );
    let replies = futures_of(8, |place| {
        let form = if place % 2 == 0 { &both } else { &one };
        shop.order(form, &key(place)).send()
    })
    .await;
    let won = placed(&replies);
    assert_eq!(won.len(), 1);
    let took_both = won[0].body["order"]["payable"].as_i64().unwrap() > 2_250;
    assert_eq!(shop.cart().await.len(), usize::from(!took_both));
    assert_eq!(shop.shop.left(shop.apples).await, 98);
    let pears_left = if took_both { 96 } else { 100 };
    assert_eq!(shop.shop.left(pears).await, pears_left);
}

#[tokio::test]
async fn no_piece_of_a_cart_that_changes_meanwhile_is_lost_or_ordered_twice() {
    let shop = Shop::open(1_000).await;
    for round in 0..6 {
        let line = shop.add(5).await;
        let form = shop.order_of(&[&line]);
        let before = shop.shop.left(shop.apples).await;
        let fewer = round % 2 == 1;
        let change = async {
            if fewer {
                let set = json!({ "quantity": 2 });
                let path = format!("{CARTS}/{line}");
                let reply = shop.shop.put(&path, &set).as_(&shop.hong).send().await;
                reply.status == 200
            } else {
                shop.add(2).await;
                true
            }
        };
        let keys = [key(round * 10), key(round * 10 + 1)];
        let (one, changed, two) = tokio::join!(
            shop.order(&form, &keys[0]).send(),
            change,
            shop.order(&form, &keys[1]).send(),
        );
        let ordered = i64::from(before - shop.shop.left(shop.apples).await);
        let left: i64 = shop.cart().await.iter().map(|(_, pieces)| pieces).sum();
        let there = match (fewer, changed) {
            (false, _) => 7,
            (true, true) => 2,
            (true, false) => 5,
        };
        assert_eq!(ordered + left, there, "round {round}: {one:?} {two:?}");
        for reply in [&one, &two] {
            let known = ["cart_ordered", "cart_changed"].contains(&reply.code());
            assert!(reply.status == 201 || known, "{}", reply.text);
        }
        assert!([&one, &two].iter().filter(|one| one.status == 201).count() <= 1);
        // The rest is an ordinary line, although the old line is reported as ordered.
        for (id, _) in shop.cart().await {
            let rest = shop.order_of(&[&id]);
            let ordered = shop.order(&rest, &key(round * 10 + 2)).send().await;
            ordered.expect(201);
        }
    }
}

#[tokio::test]
async fn an_order_that_is_refused_leaves_the_cart_as_it_was() {
    let shop = Shop::open(2).await;
    let line = shop.add(5).await;
    let form = shop.order_of(&[&line]);
    let refused = shop.order(&form, &key(1)).send().await;
    assert_eq!(refused.code(), "sold_out");
    assert_eq!(shop.cart().await, [(line.clone(), 5)]);
    let set = json!({ "quantity": 2 });
    let path = format!("{CARTS}/{line}");
    shop.shop
        .put(&path, &set)
        .as_(&shop.hong)
        .send()
        .await
        .expect(200);
    shop.order(&form, &key(2)).send().await.expect(201);
    assert_eq!(shop.cart().await, []);
}

#[tokio::test]
async fn two_windows_of_a_guest_with_one_cart_make_one_order() {
    let shop = Shop::open(100).await;
    let seller = shop.shop.seller().await;
    let pears = shop.shop.product(seller, 500, 100).await;
    let cart = Uuid::new_v4();
    let of_cart = |product: ProductId, cart: Uuid| {
        let mut form = order_form(product, 2);
        form["_cart"] = json!(cart);
        form
    };
    let form = of_cart(shop.apples, cart);
    let order = |form: &Value, place: usize| shop.shop.post(ORDERS, form).key(&key(place));
    let replies = futures_of(8, |place| order(&form, place).send()).await;
    let won = placed(&replies);
    assert_eq!(won.len(), 1, "orders of one cart");
    assert_eq!(shop.shop.left(shop.apples).await, 98);
    for refused in replies.iter().filter(|reply| reply.status == 409) {
        assert_eq!(
            refused.body["error"]["details"]["orderNo"],
            won[0].body["order"]["orderNo"]
        );
        assert_eq!(refused.body.get("guestToken"), None);
    }
    let again = futures_of(8, |place| order(&form, place).send()).await;
    for (first, second) in replies.iter().zip(&again) {
        assert_eq!(first.status, second.status);
    }
    let preview = shop.shop.post("/api/v1/shop/orders/preview", &form);
    assert_eq!(preview.send().await.code(), "cart_ordered");
    // The lines left in the cart by that order are ordered next, and those of another cart too.
    order(&of_cart(pears, cart), 20).send().await.expect(201);
    order(&of_cart(shop.apples, Uuid::new_v4()), 21)
        .send()
        .await
        .expect(201);
    // And without a cart nothing is compared.
    for place in [22, 23] {
        let form = order_form(shop.apples, 1);
        order(&form, place).send().await.expect(201);
    }
}

#[tokio::test]
async fn signing_in_on_the_sheet_takes_the_lines_out_of_the_cart_they_moved_to() {
    let shop = Shop::open(100).await;
    let seller = shop.shop.seller().await;
    let pears = shop.shop.product(seller, 500, 100).await;
    // The guest's two pieces were added to the member's three; the pears were not moved.
    let line = shop.add(5).await;
    let mut form = order_form(shop.apples, 2);
    let carts = form["carts"].as_array_mut().unwrap();
    carts.push(json!({ "_product": pears, "quantity": 1 }));
    form["_cart"] = json!(Uuid::new_v4());
    let ordered = shop.order(&form, &key(1)).send().await.expect(201);
    let cart = shop.cart().await;
    let quantities: Vec<i64> = cart.iter().map(|(_, quantity)| *quantity).collect();
    assert_eq!(quantities, [3]);
    // A repeat takes nothing more, and a window with the line as it was is redirected to the order.
    shop.order(&form, &key(1)).send().await.expect(201);
    assert_eq!(shop.cart().await, cart);
    let other = shop.order(&shop.order_of(&[&line]), &key(2)).send().await;
    assert_eq!(other.code(), "cart_ordered");
    assert_eq!(
        other.body["error"]["details"]["orderNo"],
        ordered.body["order"]["orderNo"]
    );
    assert_eq!(shop.shop.left(shop.apples).await, 98);
}

#[tokio::test]
async fn an_unpaid_order_goes_back_into_the_cart_once() {
    let shop = Shop::open(100).await;
    let line = shop.add(3).await;
    let form = shop.order_of(&[&line]);
    let order = id_of(&shop.order(&form, &key(1)).send().await.expect(201));
    // Pieces added since stay.
    shop.add(2).await;
    let path = format!("/api/v1/me/orders/{order}/cart");
    let back = |place: usize| {
        shop.shop
            .post(&path, &json!({}))
            .as_(&shop.hong)
            .key(&key(place))
    };
    let kim = shop.shop.sign_up("kim12345").await;
    let foreign = shop.shop.post(&path, &json!({})).as_(&kim).send().await;
    assert_eq!(foreign.code(), "not_found");

    let replies = futures_of(8, |place| back(place).send()).await;
    let done: Vec<&Reply> = replies.iter().filter(|reply| reply.status == 200).collect();
    assert_eq!(done.len(), 1);
    assert_eq!(done[0].body["order"]["status"], "ORDER_CANCELED");
    for refused in replies.iter().filter(|reply| reply.status != 200) {
        assert_eq!((refused.status, refused.code()), (409, "not_allowed_now"));
    }
    let cart = shop.cart().await;
    let lines = done[0].body["_carts"].as_array().unwrap();
    assert_eq!(cart, [(lines[0].as_str().unwrap().to_owned(), 5)]);
    assert_eq!(shop.shop.left(shop.apples).await, 100);
    let again = futures_of(8, |place| back(place).send()).await;
    for (first, second) in replies.iter().zip(&again) {
        assert_eq!(first.status, second.status);
        assert_eq!(first.body["_carts"], second.body["_carts"]);
    }
    assert_eq!(shop.cart().await, cart, "a repeat puts nothing in");

    // The new line is ordered as any other, and a paid order stays.
    let form = shop.order_of(&[lines[0].as_str().unwrap()]);
    let order = id_of(&shop.order(&form, &key(50)).send().await.expect(201));
    shop.shop.pay(&shop.hong.token, &order).await.expect(303);
    let paid = shop
        .shop
        .post(&format!("/api/v1/me/orders/{order}/cart"), &json!({}));
    let paid = paid.as_(&shop.hong).send().await.expect(409);
    assert_eq!(paid.body["error"]["details"]["reason"], "order_paid");
    assert_eq!(shop.cart().await, []);
}

#[tokio::test]
async fn a_guest_s_unpaid_order_goes_back_too() {
    let shop = Shop::open(10).await;
    let ordered = shop.shop.post(ORDERS, &order_form(shop.apples, 3));
    let ordered = ordered.send().await.expect(201);
    let path = format!("/api/v1/me/orders/{}/cart", id_of(&ordered));
    let token = ordered.body["guestToken"].as_str().unwrap();
    let back = || shop.shop.post(&path, &json!({})).token(token).key(&key(7));
    let first = back().send().await.expect(200);
    assert_eq!(first.body["order"]["status"], "ORDER_CANCELED");
    assert_eq!(first.body["order"]["purchases"][0]["quantity"], 3);
    assert_eq!(first.body["_carts"], json!([]));
    assert_eq!(back().send().await.expect(200).body["_carts"], json!([]));
    assert_eq!(shop.shop.left(shop.apples).await, 10);
}

/// Access to a guest's order is given only with the phone number of the order, not for a key alone.
#[tokio::test]
async fn a_repeat_opens_a_guest_s_order_to_its_contact_only() {
    let shop = Shop::open(10).await;
    let form = order_form(shop.apples, 1);
    let ask = |form: &Value, place: usize| shop.shop.post(ORDERS, form).key(&key(place));
    let first = ask(&form, 1).send().await.expect(201);
    let again = ask(&form, 1).send().await.expect(201);
    assert_eq!(again.header("idempotent-replay"), Some("1"));
    assert_eq!(id_of(&again), id_of(&first));
    assert!(again.body["guestToken"].is_string());
    let mut others = form.clone();
    others["sender"]["phone"] = json!("010-9999-0000");
    let refused = ask(&others, 1).send().await.expect(422);
    assert_eq!(refused.code(), "idempotency_key_reused");

    // A stored result that belongs to the order of another guest.
    let theirs = ask(&others, 2).send().await.expect(201);
    sqlx::query(
        "UPDATE command_dedup SET result = (SELECT result FROM command_dedup WHERE key = $1) WHERE key = $2",
    )
    .bind(key(2))
    .bind(key(1))
    .execute(shop.shop.app.pool())
    .await
    .unwrap();
    let mixed = ask(&form, 1).send().await.expect(201);
    assert_eq!(id_of(&mixed), id_of(&theirs));
    assert_eq!(mixed.body.get("guestToken"), None, "{}", mixed.text);
}

#[tokio::test]
async fn eight_adds_at_once_make_one_line_of_eight() {
    let shop = TestApp::start().await;
    let seller = shop.seller().await;
    let apples = shop.product(seller, 1_000, 20).await;
    let hong = shop.sign_up("hong1234").await;
    let add = json!({ "_product": apples, "quantity": 1 });
    for reply in futures_of(8, |_| shop.post("/api/v1/me/carts", &add).as_(&hong).send()).await {
        reply.expect(200);
    }
    let cart = shop
        .get("/api/v1/me/carts")
        .as_(&hong)
        .send()
        .await
        .expect(200);
    assert_eq!(
        (
            cart.body["summary"]["totalCount"].clone(),
            cart.body["carts"][0]["quantity"].clone()
        ),
        (json!(1), json!(8))
    );
    assert_eq!(cart.body["quote"]["totals"]["payable"], 8_250);

    let line = cart.body["carts"][0]["_id"].clone();
    let mut form = order_form(apples, 1);
    form["carts"] = json!([]);
    form["_carts"] = json!([line, line]);
    let twice = shop.post("/api/v1/shop/orders", &form).as_(&hong);
    let twice = twice.send().await.expect(400);
    assert_eq!(twice.body["error"]["fields"][0]["field"], "_carts");
    form["_carts"] = json!([line]);
    shop.post("/api/v1/shop/orders", &form)
        .as_(&hong)
        .send()
        .await
        .expect(201);
    let cart = shop
        .get("/api/v1/me/carts")
        .as_(&hong)
        .send()
        .await
        .expect(200);
    assert_eq!(
        cart.body["summary"]["totalCount"], 0,
        "what was ordered leaves the cart"
    );
    let merged = shop.post("/api/v1/me/carts", &json!({ "carts": [{ "_product": apples, "quantity": 2 }, { "_product": apples, "quantity": 3 }] }));
    let merged = merged.as_(&hong).send().await.expect(200);
    assert_eq!(merged.body["carts"][0]["quantity"], 5);
    let kim = shop.sign_up("kim12345").await;
    let id = merged.body["carts"][0]["_id"].as_str().unwrap().to_owned();
    let of_kim = shop.post(
        "/api/v1/me/carts",
        &json!({ "_product": apples, "quantity": 1 }),
    );
    of_kim.as_(&kim).send().await.expect(200);
    let line = format!("/api/v1/me/carts/{id}");
    for ask in [
        shop.get(&line),
        shop.delete(&line),
        shop.put(&line, &json!({ "quantity": 1 })),
    ] {
        assert_eq!(ask.as_(&kim).send().await.code(), "not_found");
    }
    let changed = shop.put(&line, &json!({ "quantity": 7 })).as_(&hong);
    let changed = changed.send().await.expect(200);
    assert_eq!(changed.body["cart"]["quantity"], 7);
    let shown = shop.get(&line).as_(&hong).send().await.expect(200);
    assert_eq!(shown.body["cart"], changed.body["cart"]);
    assert_eq!(shown.body["cart"]["product"]["_id"], apples.to_string());
}
