//! The API's own description.

use std::fs;
use std::path::Path;

use crate::support::TestApp;

/// `UPDATE_OPENAPI=1 cargo test -p api openapi` writes it anew.
#[test]
fn the_openapi_document_the_web_app_is_made_from_is_current() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../web/openapi.json");
    let now = format!("{}\n", api::router::openapi().to_pretty_json().unwrap());
    if std::env::var_os("UPDATE_OPENAPI").is_some() {
        fs::write(&file, &now).unwrap();
    }
    let kept = fs::read_to_string(&file).unwrap_or_default();
    assert!(
        kept == now,
        "web/openapi.json is old; run UPDATE_OPENAPI=1 cargo test -p api --test it openapi"
    );
}

/// `UPDATE_OPENAPI=1 cargo test -p api resources` writes it anew.
#[test]
fn the_resources_the_console_is_made_from_are_current() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../web/resources.json");
    let known = api::console::records::resources::all();
    let now = format!("{}\n", serde_json::to_string_pretty(&known).unwrap());
    if std::env::var_os("UPDATE_OPENAPI").is_some() {
        fs::write(&file, &now).unwrap();
    }
    let kept = fs::read_to_string(&file).unwrap_or_default();
    assert!(
        kept == now,
        "web/resources.json is old; run UPDATE_OPENAPI=1 cargo test -p api --test it resources"
    );
}

#[test]
fn every_error_code_is_in_the_document() {
    let document = api::router::openapi().to_json().unwrap();
    for code in api::http::Code::ALL {
        assert!(document.contains(code.as_str()), "{}", code.as_str());
    }
}

#[tokio::test]
async fn the_document_can_be_fetched_and_browsed_without_a_network() {
    let shop = TestApp::start().await;
    let document = shop.get("/api/openapi.json").send().await.expect(200);
    assert_eq!(document.body["info"]["title"], "Jangbu");
    assert!(document.body["paths"]["/api/v1/users"]["post"].is_object());
    shop.get("/api/docs").send().await.expect(303);
    let page = shop.get("/api/docs/").send().await.expect(200);
    assert!(
        page.header("content-security-policy")
            .unwrap()
            .contains("script-src 'self'")
    );
    assert!(
        !page.text.contains("https://"),
        "loads something from elsewhere"
    );
    shop.get("/api/docs/swagger-ui-bundle.js")
        .send()
        .await
        .expect(200);
}
