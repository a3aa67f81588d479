//! Every kind of invalid request has its own error, in one format.

use std::time::Duration;

use api::http::{ApiError, ApiResult, AppError};
use axum::Router;
use axum::response::IntoResponse;
use axum::routing::{get, post};
use serde_json::json;
use tokio::sync::Notify;

use crate::support::{TestApp, sign_up_form};

#[tokio::test]
async fn a_body_that_cannot_be_read_is_told_apart_from_one_that_breaks_a_rule() {
    let shop = TestApp::start().await;
    let send = |kind: &'static str, body: &str| {
        shop.ask(reqwest::Method::POST, "/api/v1/users")
            .body(kind, body.to_owned())
            .send()
    };
    let malformed = send("application/json", "{\"username\":").await.expect(400);
    assert_eq!(malformed.code(), "malformed_json");
    let typed = send("application/json", r#"{"username":7}"#)
        .await
        .expect(400);
    assert_eq!(typed.code(), "invalid_body");
    assert_eq!(typed.body["error"]["fields"][0]["field"], "username");
    assert_eq!(typed.body["error"]["fields"][0]["code"], "type");
    let missing = send("application/json", r#"{"username":"hong1234"}"#)
        .await
        .expect(400);
    assert_eq!(
        missing.body["error"]["fields"][0],
        json!({ "field": "password", "code": "required", "message": "필수 항목입니다." })
    );
    assert_eq!(
        send("text/plain", "{}").await.expect(415).code(),
        "unsupported_media_type"
    );
    let huge = format!("{{\"username\":\"{}\"}}", "a".repeat(300 * 1024));
    assert_eq!(
        send("application/json", &huge).await.expect(413).code(),
        "too_large"
    );
    let deep = format!("{{\"extra\":{}", "[".repeat(100_000));
    assert_eq!(
        send("application/json", &deep).await.expect(400).code(),
        "malformed_json"
    );
}

#[tokio::test]
async fn every_refusal_has_a_message_and_an_id_that_is_in_the_header_too() {
    let shop = TestApp::start().await;
    for (path, status, code) in [
        ("/api/v1/nothing", 404, "not_found"),
        ("/api/v1/me/info", 401, "login_required"),
        ("/api/nothing/at/all", 404, "not_found"),
    ] {
        let reply = shop.get(path).send().await.expect(status);
        assert_eq!(reply.code(), code, "{path}");
        assert!(
            reply.body["error"]["message"]
                .as_str()
                .is_some_and(|message| !message.is_empty())
        );
        assert_eq!(
            reply.body["error"]["requestId"].as_str(),
            reply.header("x-request-id")
        );
        assert_eq!(reply.header("content-type"), Some("application/json"));
    }
    let wrong = shop.delete("/api/v1/me/withdraw").send().await.expect(405);
    assert_eq!(wrong.code(), "method_not_allowed");
    assert_eq!(wrong.header("allow"), Some("POST"));
}

#[tokio::test]
async fn a_failure_of_ours_tells_nothing_but_its_code() {
    let shop = TestApp::start().await;
    let hong = shop.sign_up("hong1234").await;
    sqlx::query("ALTER TABLE refresh_tokens RENAME COLUMN family TO gone")
        .execute(shop.app.pool())
        .await
        .unwrap();
    let failed = shop.login(&hong.username, &hong.password).await.expect(500);
    assert_eq!(failed.code(), "internal");
    let error = failed.body["error"].as_object().unwrap();
    let mut names: Vec<_> = error.keys().map(String::as_str).collect();
    names.sort_unstable();
    assert_eq!(names, ["code", "message", "requestId"]);
    assert!(!failed.text.contains("refresh_tokens"));
}

#[tokio::test]
async fn a_database_that_is_in_the_way_is_no_fault_of_ours() {
    let shop = TestApp::start().await;
    for sql in [
        "SELECT pg_terminate_backend(pg_backend_pid())",
        "DO $$ BEGIN RAISE deadlock_detected; END $$",
        "DO $$ BEGIN RAISE lock_not_available; END $$",
        "DO $$ BEGIN RAISE too_many_connections; END $$",
    ] {
        let done = sqlx::query(sql).execute(shop.app.pool()).await;
        let error = ApiError::from(done.unwrap_err());
        assert_eq!(error.into_response().status(), 503, "{sql}");
    }
}

#[tokio::test]
async fn too_many_requests_are_told_when_to_come_again() {
    let shop = TestApp::with(&[
        ("JANGBU_LIMITS_GUESSES_PER_MINUTE", "1"),
        ("JANGBU_LIMITS_GUESSES_BURST", "3"),
    ])
    .await;
    let mut replies = Vec::new();
    for _ in 0..4 {
        replies.push(shop.login("nobody12", "abcd123!").await);
    }
    assert_eq!(
        replies.iter().filter(|reply| reply.status == 401).count(),
        3
    );
    let limited = replies.pop().unwrap().expect(429);
    assert_eq!(limited.code(), "too_many_requests");
    assert!(
        limited
            .header("retry-after")
            .unwrap()
            .parse::<u64>()
            .unwrap()
            > 0
    );
    // The strict limit applies only to guesses.
    shop.get("/api/v1/me/info").send().await.expect(401);
    shop.post("/api/v1/users", &sign_up_form("hong1234"))
        .send()
        .await
        .expect(429);
}

#[tokio::test]
async fn a_living_shop_says_so() {
    let shop = TestApp::start().await;
    let ready = shop.get("/ready").send().await.expect(200);
    assert_eq!(ready.body["ready"], json!(true));
    assert_eq!(
        shop.get("/health").send().await.expect(200).body["status"],
        "ok"
    );
}

#[tokio::test]
async fn a_panic_and_a_talkative_failure_keep_their_words_inside() {
    let shop = TestApp::start().await;
    let talkative = || {
        ApiError::from(
            AppError::internal(anyhow::anyhow!("secret"))
                .saying("secret")
                .with_details(json!("secret")),
        )
    };
    let broken = Router::new()
        .route(
            "/api/panic",
            get(async || -> &'static str { panic!("the secret word") }),
        )
        .route(
            "/api/talkative",
            get(async move || -> ApiResult<()> { Err(talkative()) }),
        );
    let url = shop.beside(broken).await;
    for path in ["/api/panic", "/api/talkative"] {
        let reply = shop.get(&format!("{url}{path}")).send().await.expect(500);
        assert_eq!(reply.code(), "internal");
        assert!(!reply.text.contains("secret"), "{}", reply.text);
    }
}

#[tokio::test]
async fn a_command_goes_on_when_its_client_hangs_up() {
    static BEGUN: Notify = Notify::const_new();
    static GONE: Notify = Notify::const_new();
    static FINISHED: Notify = Notify::const_new();
    async fn slow() -> &'static str {
        BEGUN.notify_one();
        GONE.notified().await;
        tokio::time::sleep(Duration::from_millis(200)).await;
        FINISHED.notify_one();
        "done"
    }
    let shop = TestApp::start().await;
    let url = shop
        .beside(Router::new().route("/api/slow", post(slow)))
        .await;
    let asked = reqwest::Client::new()
        .post(format!("{url}/api/slow"))
        .send();
    let client = tokio::spawn(asked);
    BEGUN.notified().await;
    client.abort();
    assert!(client.await.unwrap_err().is_cancelled());
    GONE.notify_one();
    let finished = tokio::time::timeout(Duration::from_secs(20), FINISHED.notified());
    assert!(finished.await.is_ok(), "the command goes on");
}
