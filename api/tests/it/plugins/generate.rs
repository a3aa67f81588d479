//! Preparing a payment.

use serde_json::json;

use crate::support::TestApp;
use crate::support::shop::id_of;

#[tokio::test]
async fn a_payment_is_prepared_for_what_the_document_names_and_nothing_else() {
    let shop = TestApp::start().await;
    let apples = shop.product(shop.seller().await, 1_000, 10).await;
    let hong = shop.sign_up("hong1234").await;
    let order = id_of(&shop.order(&hong, apples, 1).await.expect(201));
    let document = serde_json::to_value(api::router::openapi()).unwrap();
    let path = "/api/plugins/nicepayments/generate/{type}";
    let place = &document["paths"][path]["post"]["parameters"];
    let place = place.as_array().unwrap().iter();
    let mut place = place.filter(|one| one["name"] == "type");
    let place = place.next().unwrap();
    let schema = match place["schema"]["$ref"].as_str() {
        Some(named) => document.pointer(named.trim_start_matches('#')).unwrap(),
        None => &place["schema"],
    };
    let named = schema["enum"].as_array().unwrap();
    for (of, status) in named
        .iter()
        .map(|of| (of.as_str().unwrap(), 200))
        .chain([("listing", 404)])
    {
        let form = json!({ "_order": order });
        let asked = shop.post(&path.replace("{type}", of), &form).as_(&hong);
        asked.send().await.expect(status);
    }
}
