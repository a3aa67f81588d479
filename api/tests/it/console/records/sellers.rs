//! Sellers can access only their own records, with any endpoint.

use serde_json::json;

use crate::support::TestApp;
use crate::support::kinds::{can, kinds, listed, some, text};
use crate::support::tables::{exported, import, written};

#[tokio::test]
async fn a_seller_only_reaches_own_rows_by_any_way() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let seller = shop.company("seller01").await;
    let seen = shop
        .get("/api/console/resources")
        .as_(&seller)
        .send()
        .await
        .expect(200);
    let seen: Vec<&str> = seen.body["resources"]
        .as_array()
        .unwrap()
        .iter()
        .map(|kind| text(kind, "name"))
        .collect();
    let theirs = [
        "product",
        "shipping",
        "coupon",
        "store",
        "review",
        "inquire",
        "answer-template",
        "category-detail",
        "material",
        "purchase",
        "delivery",
        "seller",
    ];
    assert_eq!(seen, theirs);
    for kind in kinds()
        .iter()
        .filter(|kind| can(kind, "bulk") && can(kind, "create"))
    {
        let path = text(kind, "path");
        let (foreign, at) = some(&shop, &staff, kind, 1).await;
        let bulk = json!({ "action": "delete", "ids": foreign });
        let ours = seen.contains(&text(kind, "name"));
        let status = if ours { 200 } else { 403 };
        // Sellers choose from brands.
        let may_look = ours || text(kind, "name") == "brand";
        let reply = listed(&shop, &seller, kind, "", &at).await;
        reply.expect(if may_look { 200 } else { 403 });
        let reply = shop
            .post(&format!("{path}/bulk"), &bulk)
            .as_(&seller)
            .send()
            .await
            .expect(status);
        shop.get(&format!("{path}/export"))
            .as_(&seller)
            .send()
            .await
            .expect(status);
        let table = written(&exported(&shop, &staff, kind, &at).await);
        let imported = import(&shop, &seller, kind, "dryRun=false", &table)
            .await
            .expect(status);
        if ours {
            assert_eq!(
                (&reply.body["done"], &reply.body["failed"][0]["code"]),
                (&json!([]), &json!("not_found"))
            );
            assert_eq!(
                listed(&shop, &seller, kind, "", &at).await.body["summary"]["totalCount"],
                0
            );
            assert_eq!(
                exported(&shop, &seller, kind, &at).await.len(),
                2,
                "headings only"
            );
            assert_eq!(
                imported.body["rows"][0]["errors"][0]["code"], "not_found",
                "{}",
                imported.text
            );
        }
        shop.get(&format!("{path}/{}", foreign[0]))
            .as_(&staff)
            .send()
            .await
            .expect(200);
    }
}
