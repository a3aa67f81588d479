//! Leaving: nothing of a person stays but what the law wants, and that goes when its time is over.

use std::io;
use std::path::PathBuf;

use api::audit::verify::told;
use api::audit::{forget, rotate};
use api::backup::{backup_keys, restore_keys};
use api::settings::keys::Keys;
use domain::Purpose;
use domain::ids::ProductId;
use domain::member::Member;
use domain::stock::Stock;
use event_store::{Append, KeyRing, LockedStreams, MasterKey, Store, StoreOptions, StreamId};
use projections::state::erasure::TABLES;
use projections::state::search_rebuilds;
use projections::verify::{VerifyOptions, verify, verify_as};
use search_index::Query;
use serde_json::{Value, json};
use time::Duration;
use uuid::Uuid;

use crate::console_seed::dump;
use crate::files::{giving, on_disk, picture_bytes};
use crate::shop_support::{id_of, order_form};
use crate::support::{Account, Reply, TestApp, files_in, sign_up_form, until};
use crate::voices::{bought, read};

/// Everything the shop was told about them.
const PERSONAL: [&str; 9] = [
    "홍길동",
    "김받음",
    "leaver01",
    "01012345678",
    "01087654321",
    "hong@example.com",
    "테헤란로",
    "비밀편지.png",
    WHY,
];

/// Why they cancel, in their own words.
const WHY: &str = "비밀사유";

async fn withdraw(shop: &TestApp, who: &Account, password: &str) -> Reply {
    let form = json!({ "password": password, "reason": "PRIVACY" });
    let reply = shop.post("/api/v1/me/withdraw", &form);
    reply.as_(who).send().await
}

/// Tables whose columns say whose a row is, and that nobody lets go of.
async fn kept_tables(shop: &TestApp) -> Vec<String> {
    let columns: Vec<(String, String)> = sqlx::query_as(
        "SELECT c.table_name::text, c.column_name::text FROM information_schema.columns c
         JOIN information_schema.tables t USING (table_schema, table_name)
         WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE' AND c.table_name NOT LIKE 'p\\_%'
           AND c.data_type = 'uuid' AND c.column_name IN ('member', 'owner', 'buyer', 'author', 'user', '_user') ORDER BY 1",
    )
    .fetch_all(shop.app.pool())
    .await
    .unwrap();
    columns
        .into_iter()
        .filter(|(table, column)| !TABLES.contains(&(table.as_str(), column.as_str())))
        .map(|(table, _)| table)
        .collect()
}

/// How many rows of the tables to be let go of are theirs.
async fn rows_left(shop: &TestApp, member: &str) -> Vec<(&'static str, i64)> {
    let member: Uuid = member.parse().unwrap();
    let mut left = Vec::new();
    for (table, column) in TABLES {
        let sql = format!("SELECT count(*) FROM {table} WHERE {column} = $1");
        let count = sqlx::query_scalar(&sql).bind(member);
        left.push((table, count.fetch_one(shop.app.pool()).await.unwrap()));
    }
    left
}

/// What their keys that are still there are for.
async fn keys_left(shop: &TestApp, member: &str) -> Vec<String> {
    let sql = "SELECT purpose FROM keys.data_key WHERE subject = $1::uuid AND wrapped IS NOT NULL";
    let keys = sqlx::query_scalar(sql).bind(member);
    keys.fetch_all(shop.app.pool()).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn who_leaves_is_forgotten_and_the_books_still_balance() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let seller = shop.seller().await;
    let product = shop.product(seller, 10_000, 10).await;
    let who = shop.sign_up("leaver01").await;
    lives(&shop, &who, product).await;
    let order = id_of(&shop.order(&who, product, 1).await.expect(201));
    assert_eq!(on_disk(&shop).len(), 1);
    assert!(
        rows_left(&shop, &who.id)
            .await
            .iter()
            .filter(|(_, rows)| *rows > 0)
            .count()
            >= 6
    );

    // not with a wrong password, not without one, not while an order is under way
    for (password, status) in [("wrong123!", 400), ("", 400), (who.password.as_str(), 409)] {
        withdraw(&shop, &who, password).await.expect(status);
    }
    shop.post(
        &format!("/api/v1/me/orders/{order}/cancel"),
        &json!({ "reason": WHY }),
    )
    .as_(&who)
    .send()
    .await
    .expect(200);
    let left = withdraw(&shop, &who, &who.password).await.expect(200);
    assert_eq!(left.body["withdrawn"], json!(true));

    // no way in, no rows, no files
    shop.login(&who.username, &who.password).await.expect(401);
    shop.get("/api/v1/me/info")
        .as_(&who)
        .send()
        .await
        .expect(404);
    withdraw(&shop, &who, &who.password).await.expect(404);
    for (table, rows) in rows_left(&shop, &who.id).await {
        assert_eq!(rows, 0, "{table}");
    }
    assert_eq!(on_disk(&shop), Vec::<String>::new());
    assert_eq!(keys_left(&shop, &who.id).await, ["statutory"]);
    // whoever comes under the name is somebody else
    let again = shop.sign_up("leaver01").await;
    assert_ne!(again.id, who.id);
    forget::run(&shop.app, "leaver01").await.unwrap();

    // the order's people stay for as long as the law wants; who acted is said to have left
    let path = format!("/api/console/shop/orders/{order}");
    let seen = async || -> Value {
        let staff = shop.account(&staff.username, &staff.password).await;
        shop.get(&path).as_(&staff).send().await.expect(200).body["order"].clone()
    };
    assert_eq!(seen().await["sender"]["name"], json!("홍길동"));
    let history = shop
        .get(&format!("{path}/history"))
        .as_(&staff)
        .send()
        .await
        .expect(200);
    assert!(history.text.contains("탈퇴한 회원"), "{}", history.text);

    shop.advance(Duration::days(5 * 366));
    let erased = "SELECT count(*) FROM events WHERE event_type = 'StatutoryDataErased' AND aggregate_id = $1";
    shop.until_counted(erased, &who.id).await;
    until("no key is left", async || {
        let left = keys_left(&shop, &who.id).await;
        left.is_empty().then_some(())
    })
    .await;
    shop.app.keys.forget_cached();
    assert_eq!(seen().await["sender"], Value::Null);

    // nothing anywhere, not even among the keys, and everything still adds up
    let text = dump(shop.app.pool()).await;
    let found: Vec<&str> = PERSONAL
        .into_iter()
        .filter(|word| text.contains(word))
        .collect();
    assert_eq!(found, Vec::<&str>::new());
    let asked = VerifyOptions {
        keys: Some(&shop.app.keys),
        at: Some(shop.app.store.settle().await.unwrap()),
        ..VerifyOptions::default()
    };
    let report = verify_as(&shop.app.store, &asked, |_| {}).await.unwrap();
    assert!(report.is_clean(), "{}", told(&report));
}

#[tokio::test(flavor = "multi_thread")]
async fn why_a_buyer_cancels_in_their_own_words_stands_nowhere_in_clear() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let seller = shop.company("seller01").await;
    let buyer = shop.sign_up("buyer001").await;
    let product = shop.console_product(&seller, "P-WHY").await;
    let order = shop.paid_order(&buyer, &product).await;
    let purchase = order.purchase();
    let prepared = json!({ "orderStatus": "ORDER_CONFIRM" });
    let prepared = shop.work(&seller, &purchase, prepared).await;
    prepared.expect(200);
    let ask = json!({ "_purchases": [purchase], "reason": format!(" {WHY} ") });
    let asked = shop.post("/api/v1/me/purchases/cancel", &ask).as_(&buyer);
    let asked = asked.send().await.expect(200);
    assert_eq!(asked.body["order"]["purchases"][0]["claim"]["reason"], WHY);

    // whoever has to do with the order reads them, whichever way they look
    let (mine, theirs) = ("/api/v1/me", "/api/console/shop");
    let position = shop.app.store.head().await.unwrap();
    let pages = [
        (&buyer, format!("{mine}/orders/{}", order.id)),
        (&buyer, format!("{mine}/orders?filter=cancel")),
        (&buyer, format!("{mine}/purchases/{purchase}")),
        (&buyer, format!("{mine}/purchases?filter=cancel")),
        (&seller, format!("{theirs}/purchases?tab=cancel")),
        (&staff, format!("{theirs}/purchases/{purchase}")),
        (&staff, format!("{theirs}/purchases/export?format=csv")),
        (&staff, format!("{theirs}/orders")),
        (&staff, format!("{theirs}/orders/{}", order.id)),
        (
            &staff,
            format!("{theirs}/orders/{}/asof?position={position}", order.id),
        ),
    ];
    for (who, page) in &pages {
        let seen = read(&shop, page, Some(who)).await.expect(200);
        assert!(seen.text.contains(WHY), "{page}: {}", seen.text);
    }

    // an order that is not paid is canceled as a whole; a reason the shop offers is nobody's
    let product: ProductId = product["_id"].as_str().unwrap().parse().unwrap();
    for (why, stored, told) in [
        (WHY, "object", None),
        ("배송이 늦어요", "string", Some("배송이 늦어요")),
    ] {
        let unpaid = id_of(&shop.order(&buyer, product, 1).await.expect(201));
        let path = format!("{mine}/orders/{unpaid}/cancel");
        let canceled = shop.post(&path, &json!({ "reason": why })).as_(&buyer);
        canceled.send().await.expect(200);
        let (kept, because): (String, Option<String>) = sqlx::query_as(
            "SELECT jsonb_typeof(payload::jsonb #> '{OrderCanceled,reason}'), metadata ->> 'reason' FROM events
             WHERE aggregate_id = $1 AND event_type = 'OrderCanceled'",
        )
        .bind(&unpaid)
        .fetch_one(shop.app.pool())
        .await
        .unwrap();
        assert_eq!((kept.as_str(), because.as_deref()), (stored, told), "{why}");
    }

    // a guest's words are sealed with the key of their order
    let placed = shop.post("/api/v1/shop/orders", &order_form(product, 1));
    let placed = placed.send().await.expect(201);
    let (guests, token) = (id_of(&placed), placed.body["guestToken"].as_str().unwrap());
    let path = format!("{mine}/orders/{guests}/cancel");
    let canceled = shop.post(&path, &json!({ "reason": WHY })).token(token);
    canceled.send().await.expect(200);
    let subject: String = sqlx::query_scalar(
        "SELECT payload::jsonb #>> '{OrderCanceled,reason,subject}' FROM events
         WHERE aggregate_id = $1 AND event_type = 'OrderCanceled'",
    )
    .bind(&guests)
    .fetch_one(shop.app.pool())
    .await
    .unwrap();
    assert_eq!(subject, guests);

    // why an attempt to pay is given up is not kept at all
    let unpaid = id_of(&shop.order(&buyer, product, 1).await.expect(201));
    shop.window(&buyer.token, &unpaid).await;
    let page = format!("{mine}/orders/{unpaid}");
    let seen = read(&shop, &page, Some(&buyer)).await.expect(200);
    let give_up = json!({ "_payment": seen.body["order"]["payments"][0]["_id"], "reason": WHY });
    let given_up = shop.post("/api/plugins/nicepayments/cancel", &give_up);
    let given_up = given_up.as_(&buyer).send().await.expect(200);
    let status = &given_up.body["order"]["payments"][0]["status"];
    assert_eq!(status, "PAYMENT_CANCELED");

    // granted, refunded, and told to nobody
    let grant = json!({ "claimStatus": "CANCEL_COMPLETED" });
    shop.work(&seller, &purchase, grant).await.expect(200);
    let refunded = |order: &Value| order["payments"][0]["refunded"] == order["payable"];
    shop.until(&buyer.token, &order.id, "refunded", refunded)
        .await;
    let history = format!("{theirs}/orders/{}/history", order.id);
    let history = read(&shop, &history, Some(&staff)).await.expect(200);
    assert!(
        history.text.contains(r#""reason":"●●●""#),
        "{}",
        history.text
    );
    let charges = shop.charges().await.to_string();
    let dumped = dump(shop.app.pool()).await;
    for text in [&history.text, &charges, &dumped] {
        assert!(!text.contains(WHY));
    }
    let report = verify(&shop.app.store, |_| {}).await.unwrap();
    assert!(report.is_clean(), "{}", told(&report));

    let id = buyer.id.parse().unwrap();
    let keys = &shop.app.keys;
    keys.destroy(id, Purpose::Statutory).await.unwrap();
    for (who, page) in &pages {
        let seen = read(&shop, page, Some(who)).await.expect(200);
        assert!(seen.text.contains("●●●"), "{page}: {}", seen.text);
    }
}

/// Leaves a trace everywhere.
async fn lives(shop: &TestApp, who: &Account, product: ProductId) {
    let body = json!({ "_product": product });
    for path in ["/api/v1/me/likes", "/api/v1/me/watches"] {
        let status = shop.post(path, &body).as_(who).send().await.status;
        assert!((200..300).contains(&status), "{path}: {status}");
    }
    let cart = json!({ "_product": product, "quantity": 1 });
    shop.post("/api/v1/me/carts", &cart)
        .as_(who)
        .send()
        .await
        .expect(200);
    let home = json!({ "name": "김받음", "phone": "010-8765-4321", "postcode": "06236", "address1": "서울시 강남구 테헤란로 1" });
    shop.post("/api/v1/me/destinations", &home)
        .as_(who)
        .send()
        .await
        .expect(201);
    let quiet = json!({ "isShow": true, "disabledCategories": [] });
    shop.put("/api/v1/me", &json!({ "noti": quiet }))
        .as_(who)
        .send()
        .await;
    giving(
        shop,
        "/api/v1/files",
        "image",
        "비밀편지.png",
        &picture_bytes(7),
    )
    .as_(who)
    .send()
    .await
    .expect(201);
}

/// The files that may tell of `word`: all of an index inside the program, which packs its words; of a server's, whose folder
/// `MEILISEARCH_DB_PATH` names if this machine has it, those it can be read in. An error if an index vanishes meanwhile.
fn telling_of(shop: &TestApp, word: &str) -> io::Result<Vec<PathBuf>> {
    let server = shop.app.settings.search.meilisearch_url.is_some();
    let folder = match std::env::var("MEILISEARCH_DB_PATH") {
        Ok(folder) if server => PathBuf::from(folder),
        Err(_) if server => return Ok(Vec::new()),
        _ => shop.app.settings.search_folder(),
    };
    let word = word.as_bytes();
    let tells = |bytes: &[u8]| match server {
        true => bytes.windows(word.len()).any(|part| part == word),
        false => !bytes.is_empty(),
    };
    let files = files_in(&folder)?.into_iter();
    let telling = files.filter(|(_, bytes)| tells(bytes));
    Ok(telling.map(|(name, _)| name).collect())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_seller_who_left_is_no_longer_in_the_search_engine() {
    let shop = TestApp::searched().await;
    // a server keeps what earlier runs of this left behind
    let name = format!("pom{:08x}", Uuid::new_v4().as_fields().0);
    let seller = shop.company(&name).await;
    let product = shop.product(seller.id.parse().unwrap(), 10_000, 10).await;
    // goods are found by who sells them
    let found = async |wanted: bool| -> Option<()> {
        let query = Query {
            text: Some(name.clone()),
            limit: 10,
            ..Query::default()
        };
        // a server's index can be asked once it is set up
        let found = shop.app.search.search(query).await.ok()?;
        (found.ids.contains(&product.0) == wanted).then_some(())
    };
    until("found by who sells it", async || found(true).await).await;
    let telling = telling_of(&shop, &name).unwrap();
    let unseen = shop.app.search.is_shared() && std::env::var("MEILISEARCH_DB_PATH").is_err();
    assert_eq!(telling.is_empty(), unseen);
    let documents = async || -> i64 {
        let left = rows_left(&shop, &seller.id).await;
        let found = left.iter().find(|(table, _)| *table == "documents");
        found.unwrap().1
    };
    assert_eq!(documents().await, 1, "their registration copy");
    forget::run(&shop.app, &seller.id).await.unwrap();
    until("found no more", async || found(false).await).await;
    // words of who is gone stay on no disk: the index is built anew
    let rebuilt = seller.id.parse().unwrap();
    let index = until("the index is built anew", async || {
        let asked = search_rebuilds::find(shop.app.pool(), rebuilt).await;
        asked.unwrap().filter(|index| index.ended_at.is_some())
    })
    .await;
    assert_eq!(index.error, None);
    until("found no more", async || found(false).await).await;
    until("no file of then is left", async || {
        let mut still = telling_of(&shop, &name).ok()?.into_iter();
        (!still.any(|file| telling.contains(&file))).then_some(())
    })
    .await;
    assert_eq!(documents().await, 0);
    let reserved: Vec<String> =
        sqlx::query_scalar("SELECT scope FROM reservations WHERE owner = $1")
            .bind(&seller.id)
            .fetch_all(shop.app.pool())
            .await
            .unwrap();
    assert_eq!(reserved, Vec::<String>::new());
    let report = verify(&shop.app.store, |_| {}).await.unwrap();
    assert!(report.is_clean(), "{}", told(&report));
    let page = format!("/api/v1/shop/products/{product}");
    read(&shop, &page, None).await.expect(404);
    shop.ended().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_who_left_wrote_stays_without_a_name_a_picture_or_a_late_row() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let seller = shop.company("seller01").await;
    let writer = shop.sign_up("writer01").await;
    let product = shop.console_product(&seller, "P-LEFT").await;
    let id = product["_id"].as_str().unwrap();
    let given = giving(
        &shop,
        "/api/v1/shop/review-images",
        "image",
        "나.png",
        &picture_bytes(9),
    );
    let given = given.as_(&writer).send().await.expect(201);
    let purchase = bought(&shop, (&seller, &writer), &product, true).await;
    let review = json!({
        "_purchase": purchase, "star": 4, "subject": "아삭합니다", "content": "또 사겠습니다.",
        "images": [{ "url": given.body["file"]["url"] }],
    });
    let question =
        json!({ "_product": id, "subject": "몰래여쭙니다", "content": "제 번호는 공일공" });
    for (path, body) in [("me/reviews", &review), ("shop/inquires", &question)] {
        let path = format!("/api/v1/{path}");
        let made = shop.post(&path, body).as_(&writer).send().await;
        made.expect(201);
    }
    let reviews = format!("/api/v1/shop/reviews?_product={id}");
    let images = format!("/api/v1/shop/review-images?_product={id}");
    let inquires = format!("/api/v1/shop/inquires?_product={id}");
    let before = read(&shop, &reviews, None).await.expect(200);
    assert!(before.body["reviews"][0]["author"].is_string());
    let before = read(&shop, &images, None).await.expect(200);
    assert_eq!(before.body["reviewImages"].as_array().unwrap().len(), 1);
    withdraw(&shop, &writer, &writer.password).await.expect(200);

    let shown = read(&shop, &reviews, None).await.expect(200).body["reviews"][0].clone();
    assert_eq!(shown["content"], "또 사겠습니다.");
    assert_eq!(
        (&shown["author"], &shown["images"]),
        (&Value::Null, &json!([]))
    );
    let pictures = read(&shop, &images, None).await.expect(200);
    assert_eq!(pictures.body["reviewImages"], json!([]));
    assert_eq!(on_disk(&shop), Vec::<String>::new());
    let asked = read(&shop, &inquires, None).await.expect(200).body["inquires"][0].clone();
    for field in ["author", "subject", "content"] {
        assert_eq!(asked[field], Value::Null, "{field}");
    }
    for (path, many) in [("reviews", "reviews"), ("inquires", "inquires")] {
        let path = format!("/api/console/shop/{path}");
        let seen = read(&shop, &path, Some(&staff)).await.expect(200);
        assert_eq!(
            seen.body[many][0]["nickname"], "탈퇴한 회원",
            "{}",
            seen.text
        );
    }

    // the token they still have buys nothing, and what it makes is swept away
    let order = json!({
        "carts": [{ "_product": id, "quantity": 1 }], "paymentMethod": "card", "_terms": [],
    });
    let ordered = shop.post("/api/v1/shop/orders/preview", &order);
    ordered.as_(&writer).send().await.expect(401);
    let liked = shop.post("/api/v1/me/likes", &json!({ "_product": id }));
    assert!(liked.as_(&writer).send().await.status < 300);
    let head = shop.app.store.head().await.unwrap();
    let patience = std::time::Duration::from_secs(10);
    let members = [projections::members::NAME];
    shop.app
        .store
        .wait_for(&members, head, patience)
        .await
        .unwrap();
    application::members::closing::sweep(&shop.app)
        .await
        .unwrap();
    for (table, rows) in rows_left(&shop, &writer.id).await {
        assert_eq!(rows, 0, "{table}");
    }
}

/// Somebody leaves while an order is in the middle of being placed; what is said to both.
async fn while_ordered(
    shop: &TestApp,
    buyer: &Account,
    product: ProductId,
    leaver: &Account,
) -> (Reply, Reply) {
    // somebody counts the goods meanwhile: the order has to wait for them
    let (counted, counting) = std::sync::mpsc::channel::<()>();
    let store = shop.app.store.clone();
    let pile = StreamId::of::<Stock>(product);
    let holding = tokio::spawn(async move {
        let decide = move |_: &LockedStreams| {
            tokio::task::block_in_place(|| counting.recv().ok());
            Err::<Append, &str>("nothing is counted")
        };
        store.append_locked(&[pile], decide).await.unwrap_err();
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

/// Leaving holds a connection and uses others: together they never hold so many that none is left, however long it takes.
#[tokio::test]
async fn more_ask_to_leave_at_once_than_there_are_connections() {
    let shop = TestApp::start().await;
    let who = shop.sign_up("hurried1").await;
    // what is known of their orders is late
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

/// Which of the two holds what first depends on the ids, so it is tried with one seller after the other until either was first.
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

#[tokio::test(flavor = "multi_thread")]
async fn what_somebody_sold_who_left_is_on_no_shelf_and_comes_back_under_another_seller() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let buyer = shop.sign_up("patient1").await;
    let seller = shop.company("goingco9").await;
    let heir = shop.company("comingco").await;
    shop.console_product(&heir, "P-HEIR").await;
    let product = shop.console_product(&seller, "P-GONE").await;
    let id = product["_id"].as_str().unwrap();
    let page = format!("/api/v1/shop/products/{id}");
    read(&shop, &page, None).await.expect(200);
    withdraw(&shop, &seller, &seller.password).await.expect(200);
    read(&shop, &page, None).await.expect(404);
    let listed = read(&shop, "/api/v1/shop/products?code=P-GONE", None).await;
    assert_eq!(listed.expect(200).body["summary"]["totalCount"], 0);
    let refused = shop.order(&buyer, id.parse().unwrap(), 1).await.expect(409);
    assert_eq!(refused.code(), "not_on_sale");
    // it says so of itself, and why
    let told = format!("/api/console/history/record/{id}");
    let told = read(&shop, &told, Some(&staff)).await;
    assert!(told.text.contains("판매자 탈퇴"), "{}", told.text);

    // neither the token they still have nor staff puts it back as theirs
    let kept = format!("/api/console/shop/products/{id}");
    let shown = json!({ "version": 2, "shows": true });
    let refused = shop.put(&kept, &shown).as_(&seller).send().await;
    assert_eq!(refused.expect(401).code(), "login_required");
    let refused = shop.put(&kept, &shown).as_(&staff).send().await;
    assert_eq!(refused.expect(400).complaint().1, "left");
    let given = json!({ "version": 2, "shows": true, "_seller": heir.id });
    let given = shop.put(&kept, &given).as_(&staff).send().await;
    given.expect(200);
    read(&shop, &page, None).await.expect(200);
    shop.order(&buyer, id.parse().unwrap(), 1).await.expect(201);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_company_takes_its_review_pictures_along_and_leaves_what_it_showed() {
    let shop = TestApp::start().await;
    let company = shop.company("goingco1").await;
    let give = async |path: &str, part: &str, shade: u8| {
        let given = giving(&shop, path, part, "사진.png", &picture_bytes(shade));
        given.as_(&company).send().await.expect(201);
    };
    give("/api/console/files", "image", 21).await;
    let shown = on_disk(&shop);
    assert!(!shown.is_empty());
    give("/api/v1/shop/review-images", "image", 22).await;
    assert!(on_disk(&shop).len() > shown.len());
    forget::run(&shop.app, &company.id).await.unwrap();
    assert_eq!(on_disk(&shop), shown);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_a_guest_was_is_forgotten_five_years_after_the_last_thing_that_happened() {
    let shop = TestApp::start().await;
    let seller = shop.seller().await;
    let product = shop.product(seller, 10_000, 10).await;
    let form = order_form(product, 1);
    let order = id_of(
        &shop
            .post("/api/v1/shop/orders", &form)
            .send()
            .await
            .expect(201),
    );
    let until = async |sql: &str| shop.until_counted(sql, &order).await;
    let folder = tempfile::tempdir().unwrap();
    let older = folder.path().join("keys");
    backup_keys(&shop.app, &older).await.unwrap();
    shop.advance(Duration::days(2));
    until("SELECT count(*) FROM events WHERE aggregate_id = $1 AND event_type = 'OrderCanceled'")
        .await;
    until("SELECT count(*) FROM deadlines WHERE id = $1 AND due_at - now() > interval '1827 days'")
        .await;
    // five years after it was placed, but not yet after it was canceled
    shop.advance(Duration::days(5 * 365));
    tokio::time::sleep(std::time::Duration::from_millis(600)).await;
    assert_eq!(keys_left(&shop, &order).await, ["statutory"]);
    shop.advance(Duration::days(2));
    until(
        "SELECT count(*) FROM events WHERE aggregate_id = $1 AND event_type = 'GuestRecordsErased'",
    )
    .await;
    until("SELECT count(*) FROM keys.data_key WHERE subject = $1::uuid AND wrapped IS NULL").await;
    shop.app.keys.forget_cached();
    let staff = shop.console().await;
    let path = format!("/api/console/shop/orders/{order}");
    let seen = shop.get(&path).as_(&staff).send().await.expect(200);
    assert_eq!(seen.body["order"]["sender"], Value::Null);
    let hashes: i64 =
        sqlx::query_scalar("SELECT count(*) FROM order_contacts WHERE order_id = $1::uuid")
            .bind(&order)
            .fetch_one(shop.app.pool())
            .await
            .unwrap();
    assert_eq!(hashes, 0);
    let asked = VerifyOptions {
        keys: Some(&shop.app.keys),
        at: Some(shop.app.store.settle().await.unwrap()),
        ..VerifyOptions::default()
    };
    let report = verify_as(&shop.app.store, &asked, |_| {}).await.unwrap();
    assert!(report.is_clean(), "{}", told(&report));

    // the log knows it, too: where the mark of the destroyed key is lost, an older backup does not bring the key back
    sqlx::query("DELETE FROM keys.data_key WHERE subject = $1::uuid")
        .bind(&order)
        .execute(shop.app.pool())
        .await
        .unwrap();
    restore_keys(&shop.app.settings, &shop.database, &older, None)
        .await
        .unwrap();
    assert!(keys_left(&shop, &order).await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn another_master_key_opens_everything_and_a_change_cut_off_is_finished() {
    let shop = TestApp::start().await;
    let who = shop.sign_up("rotated1").await;
    let (settings, database, folder) = shop.close();
    assert!(!settings.sets_master_key(), "the test is about made keys");
    let store = Store::connect(&database, StoreOptions::default())
        .await
        .unwrap();
    let (file, next) = Keys::files(&settings.data_folder);
    let old_text = std::fs::read_to_string(&file).unwrap();
    let old = settings.keys().unwrap();
    let opens = async |keys: &Keys| -> bool {
        let master = MasterKey::from_bytes(keys.master_key);
        let Ok(ring) = KeyRing::load(store.pool().clone(), master).await else {
            return false;
        };
        let member = store.load::<Member>(&who.id).await.unwrap().state;
        let profile = ring.open(&member.profile.unwrap()).await.unwrap();
        profile.value().unwrap().username == who.username
    };

    let told = rotate::run(&store, &settings).await.unwrap();
    assert!(told.contains("다시 감쌌습니다"), "{told}");
    let new = settings.keys().unwrap();
    assert_ne!(new.master_key, old.master_key);
    assert_eq!(
        (new.token_key, new.chain_key),
        (old.token_key, old.chain_key)
    );
    assert!(!next.exists());
    assert_eq!((opens(&old).await, opens(&new).await), (false, true));

    // cut off after the keys were wrapped: the file of the new keys has not taken its place yet
    std::fs::rename(&file, &next).unwrap();
    std::fs::write(&file, &old_text).unwrap();
    let told = rotate::run(&store, &settings).await.unwrap();
    assert!(told.contains("중단되었던"), "{told}");
    assert_eq!(settings.keys().unwrap().master_key, new.master_key);
    assert!(opens(&settings.keys().unwrap()).await);

    // cut off before: the new keys were made and nothing is wrapped by them
    let made = new.with_master([7; 32]);
    std::fs::write(&next, made.to_text().unwrap()).unwrap();
    rotate::run(&store, &settings).await.unwrap();
    assert_eq!(settings.keys().unwrap().master_key, [7; 32]);
    assert!(opens(&settings.keys().unwrap()).await);

    // keys of another shop change nothing
    std::fs::write(&file, old.with_master([8; 32]).to_text().unwrap()).unwrap();
    assert!(rotate::run(&store, &settings).await.is_err());
    assert!(opens(&made).await);
    drop(folder);
}

/// A table somebody adds and forgets here keeps its rows for ever, so the look itself is tried, too.
#[tokio::test]
async fn every_table_of_members_rows_is_let_go_of() {
    let shop = TestApp::start().await;
    // what sellers gave to be shown stays; the rest is removed with what is in it
    assert_eq!(kept_tables(&shop).await, ["files"]);
    sqlx::query("CREATE TABLE planted (member uuid NOT NULL)")
        .execute(shop.app.pool())
        .await
        .unwrap();
    assert_eq!(kept_tables(&shop).await, ["files", "planted"]);
    assert!(
        sign_up_form("x")["name"]
            .as_str()
            .is_some_and(|name| PERSONAL.contains(&name))
    );
}
