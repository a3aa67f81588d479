//! Search, and search terms.

use api::search_feed::rebuild_from_outside;
use domain::business_day;
use projections::state::search_terms::forget_old;
use projections::verify::verify;
use search_index::{EmbeddedEngine, Engine, ProductDocument, Query};
use serde_json::{Value, json};
use time::{Duration, Time};
use uuid::Uuid;

use crate::support::{Reply, TestApp, until};

/// Counts a term as a visitor with this browser.
async fn look(shop: &TestApp, visitor: &str, kind: &str, value: &str) -> Reply {
    shop.post(
        "/api/v1/shop/logs",
        &json!({ "type": kind, "value": value }),
    )
    .header("user-agent", visitor)
    .send()
    .await
}

async fn ranking(shop: &TestApp, query: &str) -> Value {
    let path = format!("/api/v1/shop/logs?{query}");
    shop.get(&path).send().await.expect(200).body["logs"].clone()
}

impl TestApp {
    /// Waits until a search finds this number of products: the engine is fed asynchronously.
    async fn finds(&self, words: &str, count: i64) {
        until(&format!("{count} of {words}"), async || {
            let query = format!("/api/v1/shop/products?searchValue={words}");
            let found = self.get(&query).send().await.expect(200).body;
            (found["summary"]["totalCount"] == count).then_some(())
        })
        .await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn yesterdays_terms_are_ranked_against_the_day_before() {
    let shop = TestApp::start().await;
    let rows = |counts: &[(&'static str, usize)]| -> Vec<(&'static str, usize)> { counts.to_vec() };
    for day in [
        rows(&[("자전거", 3), ("헬멧", 2), ("장갑", 1), ("안장", 1)]),
        rows(&[("헬멧", 4), ("자전거", 3), ("장갑", 2), ("주스", 1)]),
    ] {
        for (term, visitors) in day {
            for visitor in 0..visitors {
                let visitor = format!("browser {visitor}");
                look(&shop, &visitor, "search", term).await.expect(201);
                // Once per visitor and day, in any spelling.
                look(&shop, &visitor, "SEARCH", &format!(" {term}\t"))
                    .await
                    .expect(201);
            }
        }
        shop.advance(Duration::days(1));
    }
    let logs = ranking(&shop, "type=search").await;
    let expected = json!([
        { "_id": "헬멧", "count": 4, "diff": 1 },
        { "_id": "자전거", "count": 3, "diff": -1 },
        { "_id": "장갑", "count": 2, "diff": 1 },
        { "_id": "주스", "count": 1 },
    ]);
    assert_eq!(logs, expected);
    let two = shop
        .get("/api/v1/shop/logs")
        .header("limit", "2")
        .send()
        .await
        .expect(200);
    assert_eq!(two.body["logs"].as_array().unwrap().len(), 2);
    let yesterday = business_day::day(shop.app.clock.now()) - Duration::days(1);
    let both = ranking(
        &shop,
        &format!(
            "type=SEARCH&createdAt={},{yesterday}",
            yesterday - Duration::days(1)
        ),
    )
    .await;
    assert_eq!(both[0], json!({ "_id": "자전거", "count": 6 }));
    assert_eq!(ranking(&shop, "type=TAG").await, json!([]));
    for wrong in [
        "type=OTHER",
        "createdAt=today,tomorrow",
        "createdAt=2026-01-02,2026-01-01",
        "createdAt=2026-01-01",
    ] {
        let refused = shop
            .get(&format!("/api/v1/shop/logs?{wrong}"))
            .send()
            .await
            .expect(400);
        assert_eq!(refused.code(), "invalid", "{wrong}");
    }

    let kept: Vec<Vec<u8>> = sqlx::query_scalar("SELECT visitor FROM term_facts")
        .fetch_all(shop.app.pool())
        .await
        .unwrap();
    assert!(kept.iter().all(|visitor| visitor.len() == 16));
    let today = business_day::day(shop.app.clock.now());
    assert_eq!(forget_old(shop.app.pool(), today).await.unwrap(), 0);
    let salts: i64 = sqlx::query_scalar("SELECT count(*) FROM visitor_salts")
        .fetch_one(shop.app.pool())
        .await
        .unwrap();
    assert_eq!(salts, 0, "the salts of days that are over");
    let far = today + Duration::days(400);
    let all = u64::try_from(kept.len()).unwrap();
    assert_eq!(forget_old(shop.app.pool(), far).await.unwrap(), all);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_ranking_is_of_seouls_day() {
    let shop = TestApp::start().await;
    // Half an hour before midnight in Seoul; in UTC the day has nine and a half hours left.
    let now = shop.app.clock.now().to_offset(business_day::OFFSET);
    let late = now.replace_time(Time::from_hms(23, 30, 0).unwrap()) + Duration::days(1);
    shop.advance(late - now);
    look(&shop, "b", "search", "밤참").await.expect(201);
    assert_eq!(ranking(&shop, "type=search").await, json!([]));
    shop.advance(Duration::hours(1));
    look(&shop, "b", "search", "새벽배송").await.expect(201);
    assert_eq!(
        ranking(&shop, "type=search").await,
        json!([{ "_id": "밤참", "count": 1 }])
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn hostile_terms_are_cleaned_or_refused() {
    let shop = TestApp::start().await;
    for (value, expected) in [
        ("#출퇴근", "출퇴근"),
        ("\u{202e}자전\u{7}거\n가방", "자전거 가방"),
    ] {
        let counted = look(&shop, "b", "TAG", value).await.expect(201);
        assert_eq!(
            counted.body["log"],
            json!({ "_id": expected, "type": "TAG" })
        );
    }
    // Search terms that are not shown to others.
    let long = "가".repeat(51);
    for value in [
        "🚲",
        "👨‍👩‍👧",
        "H&M",
        "<script>alert(1)</script>",
        "me@example.com",
        "010-1234-5678",
        "!!",
        long.as_str(),
    ] {
        let noted = look(&shop, "b", "search", value).await.expect(200);
        assert_eq!(noted.body, json!({ "log": null }), "{value}");
        let tag = shop.post("/api/v1/shop/tag-logs", &json!({ "value": value }));
        let noted = tag.send().await.expect(200);
        assert_eq!(noted.body, json!({ "log": null }), "{value}");
        let term: String = form_urlencoded::byte_serialize(value.as_bytes()).collect();
        let found = shop.get(&format!("/api/v1/shop/products?searchValue={term}"));
        found.send().await.expect(200);
    }
    for value in ["", "#"] {
        let refused = look(&shop, "b", "search", value).await.expect(400);
        assert_eq!(
            refused.body["error"]["fields"][0]["field"], "value",
            "{value}"
        );
    }
    let nul = look(&shop, "b", "search", "자전\u{0}거").await.expect(400);
    assert_eq!(nul.code(), "invalid_body");
    look(&shop, "b", "visit", "자전거").await.expect(400);
    let saved = json!({ "type": "tag", "value": "#주말" });
    shop.post("/api/v1/shop/logs/saving", &saved)
        .send()
        .await
        .expect(201);
    shop.post("/api/v1/shop/tag-logs", &json!({ "value": "주말" }))
        .send()
        .await
        .expect(201);
    shop.advance(Duration::days(1));
    let tags = shop.get("/api/v1/shop/tag-logs").send().await.expect(200);
    assert_eq!(tags.body["tagLogs"].as_array().unwrap().len(), 3);
    assert_eq!(ranking(&shop, "type=search").await, json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_search_answers_what_the_shopper_may_want_next() {
    let shop = TestApp::seeded().await;
    let found = until("자 is found", async || {
        let asked = shop.get("/api/v1/shop/products?searchValue=자&facets=true");
        let found = asked.send().await.expect(200).body;
        (found["summary"]["totalCount"].as_i64() > Some(0)).then_some(found)
    })
    .await;
    assert!(
        !found["suggestions"].as_array().unwrap().is_empty(),
        "{found}"
    );
    assert!(
        !found["summary"]["facets"]["categories"]
            .as_array()
            .unwrap()
            .is_empty(),
        "{found}"
    );
    let ready = shop.get("/ready").send().await.expect(200).body;
    assert_eq!(ready["search"]["engine"], "embedded");
    assert_eq!(ready["search"]["available"], true);
    assert!(ready["search"]["position"].as_i64() > Some(0), "{ready}");
    let cheap = shop
        .get("/api/v1/shop/products?searchValue=자&sort=PRICE_ASC&limit=100")
        .send()
        .await
        .expect(200)
        .body;
    until("the most reviewed come first", async || {
        let asked = shop.get("/api/v1/shop/products?searchValue=자&sort=REVIEW&limit=100");
        let found = asked.send().await.expect(200).body;
        let cards = found["products"].as_array().unwrap().iter();
        let counts: Vec<i64> = cards
            .map(|card| card["meta"]["reviewCount"].as_i64().unwrap())
            .collect();
        let reviewed = counts.first() > Some(&0);
        (reviewed && counts.is_sorted_by(|one, next| one >= next)).then_some(())
    })
    .await;
    let prices: Vec<i64> = cheap["products"]
        .as_array()
        .unwrap()
        .iter()
        .map(|card| card["salePrice"].as_i64().unwrap())
        .collect();
    assert!(prices.is_sorted() && prices.len() > 1, "{prices:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_narrowed_search_sees_what_comes_after_a_thousand_better_matches() {
    let shop = TestApp::searched().await;
    let seller = shop.seller().await;
    let apples = shop.product(seller, 90_000, 10).await;
    shop.finds("사과", 1).await;
    // Only the engine has these products: better and cheaper matches, sold out, in none of the shop's lists.
    let better = (0..1_500).map(|_| {
        let document = json!({
            "id": Uuid::now_v7(), "code": "B", "name": "사과", "keywords": [], "brand": null, "sellerId": null,
            "sellerName": null, "categories": [], "price": 100, "salePrice": 100, "type": "NORMAL_PRODUCT", "shows": true,
            "soldOut": true, "createdAt": 1, "_position": 1
        });
        serde_json::from_value::<ProductDocument>(document).unwrap()
    });
    shop.app.search.upsert(better.collect()).await.unwrap();
    shop.app.search.commit(0).await.unwrap();
    shop.finds("사과", 1_501).await;
    for narrowed in [
        "facets=true&priceMin=80000",
        "inStock=true",
        "inStock=true&facets=true&sort=PRICE_ASC",
        "priceMin=80000&sort=REVIEW",
    ] {
        let path = format!("/api/v1/shop/products?searchValue=사과&{narrowed}");
        until(narrowed, async || {
            let found = shop.get(&path).send().await.expect(200).body;
            let (total, first) = (&found["summary"]["totalCount"], &found["products"][0]);
            (total == 1 && first["_id"] == json!(apples)).then_some(())
        })
        .await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_brand_is_found_by_the_name_it_has_now() {
    let shop = TestApp::searched().await;
    let staff = shop.console().await;
    let seller = shop.seller().await;
    let brand = json!({ "code": "thunder", "name": "번개표", "nameEn": "Bungae", "shows": true });
    let made = shop
        .post("/api/console/shop/brands", &brand)
        .as_(&staff)
        .send()
        .await
        .expect(201);
    let bicycle = shop.product(seller, 1_000, 10).await;
    let product = format!("/api/console/shop/products/{bicycle}");
    shop.put(&product, &json!({ "brand": "thunder", "version": 1 }))
        .as_(&staff)
        .send()
        .await
        .expect(200);
    shop.finds("번개표", 1).await;
    shop.finds("bungae", 1).await;
    let brand = format!(
        "/api/console/shop/brands/{}",
        made.body.as_object().unwrap().values().next().unwrap()["_id"]
            .as_str()
            .unwrap()
    );
    shop.put(&brand, &json!({ "name": "두바퀴", "version": 1 }))
        .as_(&staff)
        .send()
        .await
        .expect(200);
    shop.finds("두바퀴", 1).await;
    shop.finds("번개표", 0).await;
    let seen = verify(&shop.app.store, |_| {}).await.unwrap();
    assert!(seen.is_clean(), "{:#?}", seen.differences);
    shop.ended().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_index_is_built_anew_by_the_running_shop_or_without_one() {
    let shop = TestApp::seeded().await;
    rebuild_from_outside(&shop.app.settings, &shop.database)
        .await
        .unwrap();
    let everything = Query {
        include_hidden: true,
        ..Query::default()
    };
    let by_the_shop = shop.app.search.search(everything.clone()).await.unwrap();
    assert!(by_the_shop.total > 0);
    let (settings, database, _folder) = shop.close();
    assert!(
        !settings.search_folder().exists(),
        "the running shop had its index in memory"
    );
    rebuild_from_outside(&settings, &database).await.unwrap();
    let built = EmbeddedEngine::open(settings.search_folder())
        .await
        .unwrap();
    assert!(built.position().await.unwrap() > 0);
    let found = built.search(everything).await.unwrap();
    assert_eq!(found.total, by_the_shop.total);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_shop_stays_open_while_the_search_server_is_away() {
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let nowhere = format!("http://{}", closed.local_addr().unwrap());
    drop(closed);
    let shop = TestApp::with(&[("MEILISEARCH_URL", nowhere.as_str())]).await;
    let found = shop
        .get("/api/v1/shop/products?searchValue=자전거")
        .send()
        .await
        .expect(503);
    assert_eq!(found.code(), "search_unavailable");
    shop.get("/api/v1/shop/products").send().await.expect(200);
    let ready = shop.get("/ready").send().await.expect(200).body;
    assert_eq!(
        ready["search"],
        json!({ "engine": "meilisearch", "available": false, "position": null })
    );
}
