//! Metrics for the operator, at a separate address.

use std::sync::Arc;

use api::app::AppBuilder;
use api::audit::seal;
use api::metrics::Search;
use search_index::EmbeddedEngine;
use serde_json::{Value, json};

use crate::support::shop::id_of;
use crate::support::{TestApp, served, until};

/// The lines of the page with this prefix.
fn lines<'a>(page: &'a str, begin: &str) -> Vec<&'a str> {
    page.lines()
        .filter(|line| line.starts_with(begin))
        .collect()
}

#[tokio::test]
async fn numbers_are_shown_at_their_own_address_and_say_nothing_about_anybody() {
    api::metrics::begin().unwrap();
    let shop = TestApp::start().await;
    // The shop's public address has no such page.
    let public = shop.get("/metrics").send().await;
    assert!(
        !public.body.to_string().contains("jangbu_"),
        "{:?}",
        public.body
    );

    let seller = shop.seller().await;
    let product = shop.product(seller, 10_000, 10).await;
    let buyer = shop.sign_up("hongmetrics").await;
    let order = id_of(&shop.order(&buyer, product, 1).await.expect(201));
    shop.pay(&buyer.token, &order).await;
    shop.get("/api/v1/shop/products?searchValue=nothing")
        .send()
        .await
        .expect(200);
    shop.get(&format!("/api/v1/me/orders/{order}"))
        .as_(&buyer)
        .send()
        .await
        .expect(200);

    let operator = served(api::metrics::router(shop.app.clone(), Search::Here)).await;
    let page = reqwest::get(format!("{operator}/metrics"))
        .await
        .unwrap()
        .text()
        .await
        .unwrap();
    for wanted in [
        "jangbu_requests_total{method=\"GET\",route=\"/api/v1/me/orders/{id}\",status=\"200\"}",
        "jangbu_request_seconds_bucket{method=\"POST\",route=\"/api/v1/shop/orders\",status=\"201\"",
        "jangbu_appends_total{command=\"place-order\",outcome=\"appended\"}",
        "jangbu_payments_total{outcome=\"PaymentApproved\"}",
        "jangbu_projection_lag_events{projection=\"orders\"}",
        "jangbu_projection_lag_seconds{projection=\"orders\"}",
        "jangbu_projection_stopped{projection=\"orders\"} 0",
        "jangbu_projection_parked_streams{projection=\"orders\"} 0",
        "jangbu_projection_held_events{projection=\"orders\"} 0",
        "jangbu_settled_horizon_age_seconds",
        "jangbu_search_seconds_count",
        "jangbu_search_lag_seconds",
        "jangbu_database_up 1",
    ] {
        assert!(!lines(&page, wanted).is_empty(), "{wanted} in {page}");
    }
    let form = crate::support::sign_up_form("hongmetrics");
    for said in ["name", "phone", "email"].map(|field| form.get(field).and_then(Value::as_str)) {
        assert!(!page.contains(said.unwrap()), "{said:?}");
    }
    assert!(
        !page.contains(&order),
        "no ids, they would be lines without end"
    );
}

#[tokio::test]
async fn an_index_that_is_behind_says_by_how_much() {
    api::metrics::begin().unwrap();
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let seller = shop.seller().await;
    shop.product(seller, 10_000, 10).await;
    shop.product(seller, 10_000, 10).await;
    let search = async |shop: &TestApp| {
        let path = "/api/console/system/projections";
        let all = shop.get(path).as_(&staff).send().await.expect(200).body;
        let rows = all["projections"].as_array().unwrap();
        rows.iter().find(|row| row["kind"] == "search").unwrap()["lag"].clone()
    };
    // Documents that are not written yet are not waited for by the index.
    shop.settled().await;
    until("everything is in it", async || {
        (search(&shop).await == json!({ "events": 0, "seconds": 0.0 })).then_some(())
    })
    .await;
    // Another, empty index that is not fed; the first pending document is an hour old.
    let behind = AppBuilder::new((*shop.app.settings).clone(), &shop.database)
        .search(Arc::new(EmbeddedEngine::in_memory().unwrap()))
        .build()
        .await
        .unwrap();
    let older = "UPDATE events SET recorded_at = recorded_at - interval '1 hour'
         WHERE global_position = (SELECT min(position) FROM search_documents)";
    let changed = sqlx::query(older).execute(shop.app.pool()).await.unwrap();
    assert_eq!(changed.rows_affected(), 1);
    let operator = served(api::metrics::router(behind, Search::Here)).await;
    // Other shops of this process use the same gauges.
    until("two documents, an hour behind", async || {
        let page = reqwest::get(format!("{operator}/metrics")).await.unwrap();
        let page = page.text().await.unwrap();
        let seconds = lines(&page, "jangbu_search_lag_seconds")
            .first()?
            .split(' ')
            .nth(1)?;
        let behind = (3_600.0..3_700.0).contains(&seconds.parse::<f64>().unwrap());
        (behind && page.contains("jangbu_search_lag_documents 2\n")).then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_stands_still_shows_in_the_numbers() {
    api::metrics::begin().unwrap();
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let operator = served(api::metrics::router(shop.app.clone(), Search::Here)).await;
    let page = async || -> String {
        let page = reqwest::get(format!("{operator}/metrics")).await.unwrap();
        page.text().await.unwrap()
    };
    let shown = async |line: &'static str| {
        until(line, async || page().await.contains(line).then_some(())).await;
    };
    let seller = shop.seller().await;
    let broken = "ALTER TABLE p_stock_v2 ADD CONSTRAINT broken CHECK (available < 0) NOT VALID";
    sqlx::query(broken).execute(shop.app.pool()).await.unwrap();
    let broken = "ALTER TABLE p_categories_v1 ADD CONSTRAINT broken CHECK (false) NOT VALID";
    sqlx::query(broken).execute(shop.app.pool()).await.unwrap();
    shop.product(seller, 10_000, 10).await;
    let category = json!({ "code": "bike", "name": "자전거" });
    let made = shop.post("/api/console/shop/categories", &category);
    made.as_(&staff).send().await.expect(201);
    shown("jangbu_projection_stopped{projection=\"stock\"} 1").await;
    shown("jangbu_projection_parked_streams{projection=\"categories\"} 1").await;
    shown("jangbu_search_up 1").await;
    shown("jangbu_search_lag_documents 0").await;
    shown("jangbu_search_lag_seconds 0").await;

    seal::attempt(&shop.app).await;
    shown("jangbu_log_sealed 1").await;
    // The blocks that this machine has seen are removed.
    let gone = sqlx::query("TRUNCATE log_blocks");
    gone.execute(shop.app.pool()).await.unwrap();
    seal::attempt(&shop.app).await;
    shown("jangbu_log_sealed 0").await;
}
