//! Reviews: who may write, answer, read and remove them, and the points for them.

use domain::site::SiteSetting;
use serde_json::{Value, json};

use crate::support::pictures::{giving, picture_bytes};
use crate::support::reviews::{bought, declared, read};
use crate::support::{TestApp, until};

const REVIEWS: &str = "/api/v1/me/reviews";

fn words(purchase: &str, star: u8) -> Value {
    json!({
        "_purchase": purchase, "star": star, "subject": "아삭합니다", "content": "<b>또</b> 사겠습니다.",
        "images": [{ "url": "/files/0a1b.webp" }],
    })
}

/// Only the read model knows which reviews use a picture, so the request waits until it has the latest one.
#[tokio::test]
async fn a_picture_of_a_review_that_was_just_written_stays() {
    let shop = TestApp::start().await;
    let seller = shop.company("seller01").await;
    let hong = shop.sign_up("hong1234").await;
    let product = shop.console_product(&seller, "P-1").await;
    let purchase = bought(&shop, (&seller, &hong), &product, true).await;
    let images = format!("{REVIEWS}/images");
    let given = giving(&shop, &images, "image", "a.png", &picture_bytes(7)).as_(&hong);
    let picture = given.send().await.expect(201).body["file"].clone();
    let path = format!("{images}/{}", picture["_id"].as_str().unwrap());
    shop.settled().await;

    let still = shop.stands_still("reviews").await;
    let mut review = words(&purchase, 5);
    review["images"] = json!([{ "url": picture["url"] }]);
    let written = shop.post(REVIEWS, &review).as_(&hong).send().await;
    written.expect(201);
    let remove = shop.delete(&path).as_(&hong).send();
    let later = async {
        tokio::time::sleep(std::time::Duration::from_secs(1)).await;
        still.rollback().await.unwrap();
    };
    let (removed, ()) = tokio::join!(remove, later);
    assert_eq!(removed.expect(409).code(), "not_allowed_now");
}

async fn rewards(shop: &TestApp) -> Vec<i64> {
    sqlx::query_scalar(
        "SELECT (payload::jsonb #>> '{PointsGranted,amount}')::bigint FROM events WHERE event_type = 'PointsGranted' \
         AND payload::jsonb #>> '{PointsGranted,reason}' LIKE '%후기%'",
    )
    .fetch_all(shop.app.pool())
    .await
    .unwrap()
}

async fn rewarded(shop: &TestApp) -> Vec<i64> {
    until("a reward", async || {
        let found = rewards(shop).await;
        (!found.is_empty()).then_some(found)
    })
    .await
}

#[tokio::test]
async fn a_confirmed_purchase_is_reviewed_once_by_its_buyer_and_rewarded_once() {
    let shop = TestApp::start().await;
    let setting = json!({
        "name": "장부", "unpaidDeadlineMinutes": 60, "autoConfirmDays": 7,
        "reviewPoints": { "text": 50, "photo": 100 },
    });
    shop.record::<SiteSetting>("main", setting).await;
    let seller = shop.company("seller01").await;
    let hong = shop.sign_up("hong1234").await;
    let kim = shop.sign_up("kim12345").await;
    let product = shop.console_product(&seller, "P-REVIEW").await;
    let id = product["_id"].as_str().unwrap();
    let delivered = bought(&shop, (&seller, &hong), &product, false).await;
    let early = shop
        .post(REVIEWS, &words(&delivered, 5))
        .as_(&hong)
        .send()
        .await;
    assert_eq!(early.expect(409).code(), "purchase_not_confirmed");

    let purchase = bought(&shop, (&seller, &hong), &product, true).await;
    let writable = read(&shop, "/api/v1/me/reviews/writable", Some(&hong)).await;
    assert_eq!(writable.body["summary"]["totalCount"], 1);
    assert_eq!(writable.body["purchases"][0]["purchaseNo"], json!(purchase));
    // Ownership, and the rules of the text.
    shop.post(REVIEWS, &words(&purchase, 5))
        .send()
        .await
        .expect(401);
    let foreign = shop.post(REVIEWS, &words(&purchase, 5)).as_(&kim).send();
    foreign.await.expect(404);
    let mut wrong = words(&purchase, 6);
    wrong["subject"] = json!("가");
    wrong["images"] = json!([{ "url": "https://elsewhere.example/a.webp" }]);
    let refused = shop
        .post(REVIEWS, &wrong)
        .as_(&hong)
        .send()
        .await
        .expect(400);
    let fields: Vec<&str> = refused.body["error"]["fields"]
        .as_array()
        .unwrap()
        .iter()
        .map(|field| field["field"].as_str().unwrap())
        .collect();
    assert_eq!(fields, ["star", "subject", "images.0.url"]);
    // With the labels of the form: its headline is not called a title.
    assert_eq!(
        refused.body["error"]["fields"][1]["message"],
        "한 줄 평을 두 글자 이상 입력해 주세요."
    );

    // Four concurrent requests create one review.
    let body = words(&purchase, 4);
    let at_once = (0..4).map(|_| shop.post(REVIEWS, &body).as_(&hong).send());
    let replies = futures::future::join_all(at_once).await;
    let mut statuses: Vec<u16> = replies.iter().map(|reply| reply.status).collect();
    statuses.sort_unstable();
    assert_eq!(statuses, [201, 409, 409, 409]);
    let made = replies.iter().find(|reply| reply.status == 201).unwrap();
    let own = format!("{REVIEWS}/{}", made.body["review"]["_id"].as_str().unwrap());
    assert_eq!(rewarded(&shop).await, [100], "the picture counts");

    // The review and the summary are public.
    let path = format!("/api/v1/shop/reviews?_product={id}");
    let list = read(&shop, &path, None).await.expect(200);
    assert_eq!(list.body["summary"]["stars"], json!([0, 0, 0, 1, 0]));
    assert_eq!(list.body["summary"]["star"], 400);
    let shown = &list.body["reviews"][0];
    assert_eq!(shown["content"], "<b>또</b> 사겠습니다.");
    assert_eq!(shown["mine"], false);
    assert!(shown["author"].as_str().unwrap().contains('*'));
    let card = read(&shop, &format!("/api/v1/shop/products/{id}"), None).await;
    let meta = &card.body["product"]["meta"];
    assert_eq!(
        (&meta["reviewCount"], &meta["star"]),
        (&json!(1), &json!(400))
    );
    let page = shop.get(&format!("/shop/products/{id}")).send().await;
    assert!(page.text.contains("\"aggregateRating\""), "{}", page.text);
    assert!(page.text.contains("\"ratingValue\":\"4.00\""));

    // A review of another member is not found; the member's own can be changed, removed and restored.
    let other = words(&purchase, 2);
    shop.put(&own, &other).as_(&kim).send().await.expect(404);
    shop.delete(&own).as_(&kim).send().await.expect(404);
    shop.put(&own, &other).as_(&hong).send().await.expect(200);
    shop.delete(&own).as_(&hong).send().await.expect(200);
    let gone = read(&shop, &path, None).await;
    assert_eq!(gone.body["summary"]["count"], 0);
    shop.post(REVIEWS, &words(&purchase, 5))
        .as_(&hong)
        .send()
        .await
        .expect(201);
    shop.delete(&own).as_(&hong).send().await.expect(200);
    let back = shop
        .post(&format!("{own}/restore"), &json!({}))
        .as_(&hong)
        .send();
    assert_eq!(back.await.expect(200).body["review"]["star"], 5);

    // The seller can reply, and nothing else.
    let console = own.replace("/v1/me/", "/console/shop/");
    let seen = shop.get(&console).as_(&seller).send().await.expect(200);
    declared("review", &seen.body["review"]);
    let version = seen.body["review"]["version"].clone();
    let worse = json!({ "version": version, "star": 5, "shows": false });
    let refused = shop
        .put(&console, &worse)
        .as_(&seller)
        .send()
        .await
        .expect(400);
    assert_eq!(refused.body["error"]["fields"][0]["field"], "shows");
    shop.delete(&console).as_(&seller).send().await.expect(403);
    let answer = json!({ "version": version, "reply": "감사합니다." });
    shop.put(&console, &answer)
        .as_(&seller)
        .send()
        .await
        .expect(200);
    let operator = shop.console().await;
    let made_up = shop.post("/api/console/shop/reviews", &json!({}));
    made_up.as_(&operator).send().await.expect(405);
    let rival = shop.company("seller02").await;
    shop.get(&console).as_(&rival).send().await.expect(404);
    let theirs = read(&shop, "/api/console/shop/reviews", Some(&rival)).await;
    assert_eq!(theirs.body["summary"]["totalCount"], 0);
    let list = read(&shop, &path, Some(&hong)).await;
    assert_eq!(list.body["reviews"][0]["reply"], "감사합니다.");
    assert!(list.body["reviews"][0]["repliedAt"].is_string());

    // A review removed by staff stays removed.
    shop.delete(&console)
        .as_(&operator)
        .send()
        .await
        .expect(200);
    let again = shop
        .post(REVIEWS, &words(&purchase, 5))
        .as_(&hong)
        .send()
        .await;
    assert_eq!(again.expect(409).code(), "not_allowed_now");
    let back = shop
        .post(&format!("{own}/restore"), &json!({}))
        .as_(&hong)
        .send();
    back.await.expect(409);
    let writable = read(&shop, "/api/v1/me/reviews/writable", Some(&hong)).await;
    assert_eq!(writable.body["summary"]["totalCount"], 0);
    // The policy has processed all of these events.
    let settled = "SELECT coalesce(min(position), 0) >= (SELECT max(global_position) FROM events WHERE aggregate_type = 'review') \
        FROM projection_checkpoint WHERE name = 'policy_rewarding'";
    until(settled, async || {
        let there = sqlx::query_scalar(settled).fetch_one(shop.app.pool());
        there.await.unwrap_or(false).then_some(())
    })
    .await;
    assert_eq!(
        rewards(&shop).await,
        [100],
        "once, however often it came back"
    );
    let report = projections::verify::verify(&shop.app.store, |_| {})
        .await
        .unwrap();
    assert!(report.is_clean(), "{:#?}", report.differences);
}
