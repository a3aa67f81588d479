//! Read-your-writes.

use std::time::{Duration, Instant};

use api::app::AppState;
use api::http::{ApiResponse, ApiResult, ConsistencyToken};
use axum::Router;
use axum::extract::State;
use axum::routing::get;
use serde_json::{Value, json};

use crate::support::{TestApp, sign_up_form};

/// Number of members in the read model.
async fn members(
    State(app): State<AppState>,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<Value>> {
    let fresh = wait.until(&app, &[projections::members::NAME]).await?;
    let count: i64 = sqlx::query_scalar("SELECT count(*) FROM members")
        .fetch_one(app.pool())
        .await?;
    Ok(fresh.answer(json!(count)))
}

#[tokio::test]
async fn a_read_sees_the_command_before_it() {
    let shop = TestApp::start().await;
    let url = format!(
        "{}/api/members",
        shop.beside(Router::new().route("/api/members", get(members)))
            .await
    );
    for number in 1..=5 {
        let joined = shop
            .post("/api/v1/users", &sign_up_form(&format!("hong{number}234")))
            .send()
            .await
            .expect(201);
        let position = joined.position();
        let seen = shop
            .get(&url)
            .header("x-wait-position", &position)
            .send()
            .await
            .expect(200);
        assert_eq!(seen.body, json!(number));
        assert!(seen.position().parse::<i64>().unwrap() >= position.parse().unwrap());
        assert_eq!(seen.header("x-stale"), None);
    }
    let idle = shop.get(&url).send().await.expect(200);
    assert_eq!(idle.header("x-position"), None);
}

#[tokio::test]
async fn a_read_that_waits_in_vain_says_that_it_is_stale() {
    let shop = TestApp::start().await;
    let url = format!(
        "{}/api/members",
        shop.beside(Router::new().route("/api/members", get(members)))
            .await
    );
    let begun = Instant::now();
    let stale = shop
        .get(&url)
        .header("x-wait-position", "999999999")
        .once()
        .await
        .expect(200);
    assert!((Duration::from_millis(1400)..Duration::from_millis(4000)).contains(&begun.elapsed()));
    assert_eq!(stale.header("x-stale"), Some("1"));
    assert_eq!(stale.header("x-position"), None);
    let rubbish = shop
        .get(&url)
        .header("x-wait-position", "soon")
        .send()
        .await
        .expect(400);
    assert_eq!(rubbish.code(), "invalid_query");
}
