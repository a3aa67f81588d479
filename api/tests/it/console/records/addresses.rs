//! Addresses in records are restricted to the shop's own files and https, and are never scripts.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::support::TestApp;
use crate::support::kinds::{BY_MEMBERS, another, kinds, made, text};

/// The path of a field for addresses, how its value is built from an address, and the path of its error.
type AddressField = (String, fn(&str) -> Value, &'static str);

/// The address fields of a record.
fn addresses(fields: &Value, within: &str) -> Vec<AddressField> {
    let mut found: Vec<AddressField> = Vec::new();
    for field in fields.as_array().unwrap() {
        let path = format!("{within}{}", text(field, "name"));
        match text(field, "type") {
            "url" | "file" => found.push((path, |address| json!(address), "")),
            "image" => found.push((
                path,
                |address| json!({ "url": address, "alt": null }),
                ".url",
            )),
            "images" => found.push((
                path,
                |address| json!([{ "url": address, "alt": null }]),
                ".0.url",
            )),
            "list" => found.extend(addresses(&field["of"], &format!("{path}.0."))),
            _ => {}
        }
    }
    found
}

fn with(document: &Value, path: &str, value: Value) -> Value {
    let mut document = document.clone();
    let mut place = &mut document;
    for part in path.split('.') {
        place = match part.parse::<usize>() {
            Ok(line) => &mut place[line],
            Err(_) => &mut place[part],
        };
    }
    *place = value;
    document
}

#[tokio::test]
async fn no_record_leads_to_scripts_or_to_what_others_can_exchange() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let mut asked = BTreeSet::new();
    for kind in kinds() {
        if BY_MEMBERS.contains(&text(&kind, "name")) {
            continue;
        }
        for (n, (path, around, at)) in addresses(&kind["fields"], "").into_iter().enumerate() {
            asked.insert(format!("{} {path}", text(&kind, "name")));
            let document = another(&kind, 0);
            let mut wrong = vec![
                "javascript:alert(1)",
                "data:text/html,<script>1</script>",
                "http://example.com/a.webp",
                "//evil.example/a.webp",
                "/\\evil.example/a.webp",
                "https://",
            ];
            if !at.is_empty() {
                // A picture is a file: other endpoints of the shop are not allowed.
                wrong.push("/api/v1/me/info");
            }
            for address in wrong {
                let document = with(&document, &path, around(address));
                let refused = made(&shop, &staff, &kind, &document).await.expect(400);
                let field = format!("{path}{at}");
                assert_eq!(
                    refused.complaint(),
                    (field.as_str(), "not_an_address"),
                    "{address}"
                );
            }
            if n == 0 {
                let document = with(&document, &path, around("https://example.com/a.webp"));
                made(&shop, &staff, &kind, &document).await.expect(201);
            }
        }
    }
    assert!(asked.len() >= 15, "{asked:?}");
    assert!(asked.contains("product thumb") && asked.contains("banner slides.0.url"));

    let picture = |url: &str| json!({ "code": "bike", "name": "자전거", "visual": { "url": url } });
    let categories = "/api/console/shop/categories";
    let refused = shop
        .post(categories, &picture("http://example.com/a.webp"))
        .as_(&staff);
    let refused = refused.send().await.expect(400);
    assert_eq!(refused.complaint(), ("visual.url", "not_an_address"));
    let made = shop
        .post(categories, &picture("/pictures/BK-01.webp"))
        .as_(&staff);
    made.send().await.expect(201);
}

/// Addresses accepted by an older program stay readable, and do not prevent changes of other fields; the field itself is validated when it
/// is changed.
#[tokio::test]
async fn addresses_of_old_stay_until_somebody_touches_them() {
    let shop = TestApp::start().await;
    let (staff, seller) = (shop.console().await, shop.company("seller01").await);
    let id = uuid::Uuid::now_v7().to_string();
    let content = "<p>옛 글 <img src=\"http://example.com/a.webp\"></p>";
    let old = json!({ "code": "A-1", "name": "옛 상품", "_seller": seller.id, "price": 100, "shows": true,
        "thumb": { "url": "http://example.com/a.webp", "alt": null }, "content": content });
    shop.record::<domain::catalogue::Product>(&id, old).await;
    let path = format!("/api/console/shop/products/{id}");
    let put = async |change: Value| shop.put(&path, &change).as_(&staff).send().await;
    let changed = put(json!({ "name": "새 이름", "version": 1 }))
        .await
        .expect(200);
    let product = &changed.body["product"];
    assert_eq!(product["thumb"]["url"], "http://example.com/a.webp");
    assert_eq!(product["content"], content);
    let mut whole = product.clone();
    whole["price"] = json!(200);
    put(whole).await.expect(200);
    let touched = json!({ "url": "http://example.com/a.webp", "alt": "앞모습" });
    let refused = put(json!({ "thumb": touched, "version": 3 }))
        .await
        .expect(400);
    assert_eq!(refused.complaint(), ("thumb.url", "not_an_address"));
    let mended = json!({ "url": "/files/0a1b.webp", "alt": "앞모습" });
    let rewritten = format!("{content}<p>새 글</p>");
    let mended = put(json!({ "thumb": mended, "content": rewritten, "version": 3 }))
        .await
        .expect(200);
    assert_eq!(
        mended.body["product"]["content"],
        "<p>옛 글 <img></p><p>새 글</p>"
    );
}
