//! Closing a member's account: no personal data is left, and the general ledger still balances.

use api::audit::forget;
use api::audit::verify::report_text;
use domain::Purpose;
use domain::ids::ProductId;
use projections::verify::{VerifyOptions, verify, verify_as};
use serde_json::{Value, json};
use time::Duration;

use crate::me::withdraw::{
    PERSONAL, WHY, kept_tables, keys_left, lives, rows_left, unnoticed, withdraw,
};
use crate::support::dump::dump;
use crate::support::pictures::{giving, on_disk, picture_bytes};
use crate::support::reviews::{bought, read};
use crate::support::shop::{id_of, order_form};
use crate::support::{Account, TestApp, sign_up_form, until};

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

    // Not with a wrong password, not without one, not while an order is in progress.
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

    // No sign-in, no rows, no files.
    shop.login(&who.username, &who.password).await.expect(401);
    let me = async |who: &Account| shop.get("/api/v1/me/info").as_(who).send().await;
    me(&who).await.expect(401);
    withdraw(&shop, &who, &who.password).await.expect(401);
    let who = unnoticed(&shop, who);
    me(&who).await.expect(404);
    withdraw(&shop, &who, &who.password).await.expect(404);
    for (table, rows) in rows_left(&shop, &who.id).await {
        assert_eq!(rows, 0, "{table}");
    }
    assert_eq!(on_disk(&shop), Vec::<String>::new());
    assert_eq!(keys_left(&shop, &who.id).await, ["statutory"]);
    // An account opened later under the same name is unrelated.
    let again = shop.sign_up("leaver01").await;
    assert_ne!(again.id, who.id);
    forget::run(&shop.app, "leaver01").await.unwrap();

    // The parties of the order are kept for the statutory period; the actor is shown as a former member.
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

    // No trace anywhere, not even among the keys, and everything still adds up.
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
    assert!(report.is_clean(), "{}", report_text(&report));
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

    // The parties involved in the order can read them, at every endpoint.
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

    // An unpaid order is canceled as a whole; a predefined reason contains no personal data.
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

    // A guest's texts are sealed with the key of their order.
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

    // The reason for abandoning a payment is not stored at all.
    let unpaid = id_of(&shop.order(&buyer, product, 1).await.expect(201));
    shop.window(&buyer.token, &unpaid).await;
    let page = format!("{mine}/orders/{unpaid}");
    let seen = read(&shop, &page, Some(&buyer)).await.expect(200);
    let give_up = json!({ "_payment": seen.body["order"]["payments"][0]["_id"], "reason": WHY });
    let given_up = shop.post("/api/plugins/nicepayments/cancel", &give_up);
    let given_up = given_up.as_(&buyer).send().await.expect(200);
    let status = &given_up.body["order"]["payments"][0]["status"];
    assert_eq!(status, "PAYMENT_CANCELED");

    // Approved and refunded, without a notification.
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
    assert!(report.is_clean(), "{}", report_text(&report));

    let id = buyer.id.parse().unwrap();
    let keys = &shop.app.keys;
    keys.destroy(id, Purpose::Statutory).await.unwrap();
    for (who, page) in &pages {
        let seen = read(&shop, page, Some(who)).await.expect(200);
        assert!(seen.text.contains("●●●"), "{page}: {}", seen.text);
    }
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
    let asked = json!({ "category": "MEMBER", "subject": "제주소는 어디", "content": "연락처를 바꿔 주세요" });
    let asked = shop.post("/api/v1/center/questions", &asked).as_(&writer);
    let asked = asked.send().await.expect(201).body["question"]["_id"].clone();
    let question = format!("/api/console/center/questions/{}", asked.as_str().unwrap());
    let answer = json!({ "version": 1, "reply": "바꿔 드렸습니다" });
    let answered = shop.put(&question, &answer).as_(&staff).send().await;
    assert_eq!(
        answered.expect(200).body["question"]["reply"],
        "바꿔 드렸습니다"
    );
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
    let seen = read(&shop, &question, Some(&staff)).await.expect(200);
    for field in ["subject", "content", "reply"] {
        assert_eq!(seen.body["question"][field], Value::Null, "{field}");
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

    // The remaining token cannot order, and rows it creates before its end is known to all processes are removed.
    let writer = unnoticed(&shop, writer);
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

/// Rows of a table that is added and forgotten here would stay permanently, so the check itself is tested too.
#[tokio::test]
async fn every_table_of_members_rows_is_let_go_of() {
    let shop = TestApp::start().await;
    // Public files of sellers stay; the rest is removed with its content.
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
