//! Security headers of every response.

use crate::support::TestApp;

#[tokio::test]
async fn an_answer_of_the_api_allows_a_browser_nothing() {
    let shop = TestApp::start().await;
    for path in ["/health", "/api/v1/me/info", "/api/v1/nothing"] {
        let reply = shop.get(path).send().await;
        assert_eq!(
            reply.header("x-content-type-options"),
            Some("nosniff"),
            "{path}"
        );
        assert_eq!(
            reply.header("referrer-policy"),
            Some("strict-origin-when-cross-origin")
        );
        assert_eq!(reply.header("cache-control"), Some("no-store"));
        assert!(
            reply
                .header("content-security-policy")
                .unwrap()
                .contains("frame-ancestors 'none'")
        );
        assert_eq!(reply.header("strict-transport-security"), None);
        assert_eq!(reply.header("access-control-allow-origin"), None);
    }
}

#[tokio::test]
async fn only_a_shop_behind_https_insists_on_it() {
    let shop = TestApp::with(&[("JANGBU_SERVER_PUBLIC_URL", "https://shop.example.com")]).await;
    assert!(
        shop.get("/health")
            .send()
            .await
            .header("strict-transport-security")
            .is_some()
    );
}

#[tokio::test]
async fn a_page_has_a_policy_with_a_nonce_of_its_own_and_an_unknown_one_is_404() {
    let shop = TestApp::start().await;
    let first = shop.get("/login").send().await;
    let second = shop.get("/login").send().await;
    assert!(
        matches!(first.status, 200 | 503),
        "503 while web/dist is not built"
    );
    assert!(
        first
            .header("content-type")
            .unwrap()
            .starts_with("text/html")
    );
    let nonce = |reply: &crate::support::Reply| {
        let policy = reply.header("content-security-policy").unwrap().to_owned();
        let from = policy.find("'nonce-").unwrap();
        policy[from..].split('\'').nth(1).unwrap().to_owned()
    };
    assert_ne!(nonce(&first), nonce(&second));
    let policy = first.header("content-security-policy").unwrap();
    assert!(
        policy.contains(&shop.sandbox),
        "the payment window comes from there: {policy}"
    );
    assert_eq!(first.header("cache-control"), Some("private, no-cache"));
    let unknown = shop.get("/no/such/page").send().await.expect(404);
    assert!(
        unknown
            .header("content-type")
            .unwrap()
            .starts_with("text/html")
    );
    let asset = shop.get("/assets/none.js").send().await.expect(404);
    assert_eq!(asset.header("cache-control"), Some("no-cache"));
    let api = shop.get("/api/no/such/call").send().await.expect(404);
    assert_eq!(api.header("content-type"), Some("application/json"));
}
