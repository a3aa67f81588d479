//! Pictures of the goods of a return or exchange: who may see them, which claims may use them, and their erasure.

use application::members::closing::erase_records;
use application::orders::claim_pictures::sweep;
use serde_json::{Value, json};
use time::Duration;

use super::exchanges::Shirts;
use super::parcel::Parcel;
use crate::support::dump::dump;
use crate::support::pictures::{giving, on_disk, picture_bytes};
use crate::support::{Account, Reply, TestApp};

fn pictures_of(purchase_no: &str) -> String {
    format!("/api/v1/me/purchases/{purchase_no}/pictures")
}

fn application(pictures: &[Value]) -> Value {
    json!({
        "reason": "상품이 설명과 달라요", "fault": "SELLER", "pictures": pictures,
        "pickup": {
            "name": "홍길동", "phone": "010-1234-5678", "postcode": "06236", "address1": "서울특별시 강남구 테헤란로 152",
        },
    })
}

impl Parcel {
    async fn add_picture(&self, line: usize, shade: u8) -> Value {
        let path = pictures_of(&self.line(line));
        let given = giving(&self.shop, &path, "image", "a.png", &picture_bytes(shade));
        let given = given.as_(&self.hong).send().await.expect(201);
        given.body["picture"].clone()
    }

    async fn apply(&self, line: usize, pictures: &[Value]) -> Reply {
        let path = format!("/api/v1/me/purchases/{}/return", self.line(line));
        let asked = self.shop.post(&path, &application(pictures));
        asked.as_(&self.hong).send().await
    }

    async fn read(&self, who: &Account, line: usize, picture: &Value) -> Reply {
        let no = self.line(line);
        let path = match who.id == self.hong.id {
            true => pictures_of(&no),
            false => format!("/api/console/shop/purchases/{no}/pictures"),
        };
        let path = format!("{path}/{}", picture.as_str().unwrap());
        self.shop.get(&path).as_(who).send().await
    }
}

async fn rows(shop: &TestApp) -> i64 {
    sqlx::query_scalar("SELECT count(*) FROM claim_pictures")
        .fetch_one(shop.app.pool())
        .await
        .unwrap()
}

#[tokio::test]
async fn pictures_are_seen_by_the_buyer_the_seller_and_staff_alone() {
    let here = Parcel::start().await;
    here.delivered().await;
    let shown = [here.add_picture(2, 7).await, here.add_picture(2, 8).await];
    let order = here.apply(2, &shown).await.expect(200).body["order"].take();
    assert_eq!(order["claims"][0]["pictures"], json!(shown));

    let staff = here.shop.console().await;
    let other = here.shop.company("seller02").await;
    for who in [&here.hong, &here.seller, &staff] {
        let read = here.read(who, 2, &shown[0]).await.expect(200);
        assert_eq!(read.header("content-type"), Some("image/webp"));
        assert_eq!(read.header("cache-control"), Some("private, no-store"));
    }
    for (who, line, code) in [
        (&other, 2, "not_found"),
        // Not of a claim on this purchase.
        (&here.seller, 1, "not_found"),
    ] {
        let refused = here.read(who, line, &shown[0]).await;
        assert_eq!(refused.expect(404).code(), code, "{}", who.username);
    }
    let stranger = here.shop.sign_up("stranger1").await;
    let path = format!(
        "{}/{}",
        pictures_of(&here.line(2)),
        shown[0].as_str().unwrap()
    );
    let refused = here.shop.get(&path).as_(&stranger).send().await;
    assert_eq!(refused.expect(404).code(), "not_found");
    here.shop.get(&path).send().await.expect(401);
    // A picture without a claim is visible only to the buyer.
    let spare = here.add_picture(1, 9).await;
    here.read(&here.hong, 2, &spare).await.expect(200);
    let early = here.read(&staff, 2, &spare).await;
    assert_eq!(early.expect(404).code(), "not_found");

    let path = format!("/api/console/shop/orders/{}", here.order);
    for who in [&here.seller, &staff] {
        let order = here.shop.get(&path).as_(who).send().await.expect(200);
        assert_eq!(order.body["order"]["claims"][0]["pictures"], json!(shown));
    }
    // The pictures have no public address, and their stored content is not readable.
    assert_eq!(on_disk(&here.shop), Vec::<String>::new());
    assert!(!dump(here.shop.app.pool()).await.contains("UklGR"), "WebP");
}

#[tokio::test]
async fn a_sixth_picture_anothers_one_and_one_that_is_used_are_named() {
    let here = Parcel::start().await;
    here.delivered().await;
    let mut six = Vec::new();
    for shade in 0..6 {
        six.push(here.add_picture(1, shade).await);
    }
    let head = here.shop.app.store.head().await.unwrap();
    let others = {
        let order = here.order_again().await;
        here.shop.pay(&here.hong.token, &order).await.expect(303);
        let order = here.shop.my_order(&here.hong.token, &order).await;
        let no = order["purchases"][0]["purchaseNo"].as_str().unwrap();
        let prepare = json!({ "orderStatus": "ORDER_CONFIRM" });
        here.shop.work(&here.seller, no, prepare).await.expect(200);
        here.shop
            .ship(&here.seller, no, "123456789012")
            .await
            .expect(200);
        let given = giving(
            &here.shop,
            &pictures_of(no),
            "image",
            "a.png",
            &picture_bytes(50),
        );
        let given = given.as_(&here.hong).send().await.expect(201);
        given.body["picture"].clone()
    };
    let head = here.shop.app.store.head().await.unwrap().max(head);
    let twice = [six[0].clone(), six[0].clone()];
    let unknown = json!("0193a1b2-0000-7000-8000-000000000021");
    for (pictures, code) in [
        (&six[..], "too_many"),
        (&twice[..], "used"),
        (&[others][..], "not_found"),
        (&[unknown][..], "not_found"),
    ] {
        let refused = here.apply(1, pictures).await.expect(400);
        assert_eq!(refused.complaint(), ("pictures", code));
        assert!(refused.text.contains("사진"), "{}", refused.text);
    }
    let malformed = here.apply(1, &[json!("a.png")]).await.expect(400);
    assert_eq!(malformed.code(), "invalid_body");
    assert_eq!(here.shop.app.store.head().await.unwrap(), head);

    here.apply(1, &six[..5]).await.expect(200);
    let refused = here.apply(2, &six[4..]).await.expect(400);
    assert_eq!(refused.complaint(), ("pictures", "used"));
    here.apply(2, &six[5..]).await.expect(200);
}

#[tokio::test]
async fn what_is_no_picture_is_refused_when_it_is_uploaded_and_anything_before_the_goods_are_sent()
{
    let here = Parcel::start().await;
    let path = pictures_of(&here.line(1));
    let given = giving(&here.shop, &path, "image", "a.png", &picture_bytes(1));
    let early = given.as_(&here.hong).send().await.expect(409);
    assert_eq!(early.code(), "not_allowed_now");
    here.delivered().await;
    for (bytes, status, code) in [
        (b"%PDF-1.7 nothing".as_slice(), 415, "unsupported_type"),
        (b"<svg/>", 415, "unsupported_type"),
        (b"\x89PNG\r\n\x1a\nbroken", 400, "broken_image"),
    ] {
        let given = giving(&here.shop, &path, "image", "a.png", bytes);
        let refused = given.as_(&here.hong).send().await.expect(status);
        assert_eq!(refused.complaint(), ("image", code));
    }
    let stranger = here.shop.sign_up("stranger1").await;
    let given = giving(&here.shop, &path, "image", "a.png", &picture_bytes(1));
    let refused = given.as_(&stranger).send().await;
    assert_eq!(refused.expect(404).code(), "not_found");
    assert_eq!(rows(&here.shop).await, 0);
}

#[tokio::test]
async fn pictures_no_claim_took_go_after_a_day_and_the_others_with_their_people() {
    let mut here = Parcel::start().await;
    here.delivered().await;
    let [taken, spare] = [here.add_picture(1, 1).await, here.add_picture(1, 2).await];
    here.apply(1, std::slice::from_ref(&taken))
        .await
        .expect(200);
    // As if the program had stopped before it was marked.
    sqlx::query("UPDATE claim_pictures SET claimed = false")
        .execute(here.shop.app.pool())
        .await
        .unwrap();
    assert_eq!(sweep(&here.shop.app).await.unwrap(), 0, "not before a day");
    here.shop.advance(Duration::days(1));
    here.sign_in_again().await;
    let young = here.add_picture(2, 3).await;
    // The worker may have been faster.
    sweep(&here.shop.app).await.unwrap();
    assert_eq!(rows(&here.shop).await, 3, "an hour later than named");
    let late = here.apply(2, std::slice::from_ref(&spare)).await;
    assert_eq!(late.expect(400).complaint(), ("pictures", "not_found"));
    here.shop.advance(Duration::hours(2));
    here.sign_in_again().await;
    sweep(&here.shop.app).await.unwrap();
    assert_eq!(rows(&here.shop).await, 2);
    here.read(&here.hong, 1, &taken).await.expect(200);
    here.read(&here.hong, 1, &young).await.expect(200);
    let gone = here.read(&here.hong, 1, &spare).await;
    assert_eq!(gone.expect(404).code(), "not_found");

    here.shop.settled().await;
    let copy: Value = sqlx::query_scalar("SELECT to_jsonb(c) FROM claim_pictures c WHERE claimed")
        .fetch_one(here.shop.app.pool())
        .await
        .unwrap();
    let member = here.hong.id.parse().unwrap();
    erase_records(&here.shop.app, member).await.unwrap();
    here.shop.app.keys.forget_cached();
    assert_eq!(rows(&here.shop).await, 0);
    // Also if a backup restores the row.
    sqlx::query(
        "INSERT INTO claim_pictures SELECT * FROM jsonb_populate_record(NULL::claim_pictures, $1)",
    )
    .bind(&copy)
    .execute(here.shop.app.pool())
    .await
    .unwrap();
    let unreadable = here.read(&here.hong, 1, &taken).await;
    assert_eq!(unreadable.expect(404).code(), "not_found");
}

#[tokio::test]
async fn an_exchange_has_pictures_too() {
    let here = Shirts::start().await;
    let path = pictures_of(&here.line(1));
    let given = giving(&here.shop, &path, "image", "a.png", &picture_bytes(4));
    let given = given.as_(&here.hong).send().await.expect(201);
    let picture = given.body["picture"].clone();
    let mut body = here.body(1, 1, "SELLER");
    body["pictures"] = json!([picture]);
    let order = here.ask(1, &body).await.expect(200).body["order"].take();
    assert_eq!(order["claims"][0]["pictures"], json!([picture]));
    let path = format!(
        "/api/console/shop/purchases/{}/pictures/{}",
        here.line(2),
        picture.as_str().unwrap()
    );
    let read = here.shop.get(&path).as_(&here.seller).send().await;
    assert_eq!(read.expect(200).header("content-type"), Some("image/webp"));
}
