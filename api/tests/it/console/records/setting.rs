//! The site setting: its currency, and the step that amounts are rounded to.

use serde_json::{Value, json};

use crate::support::TestApp;
use crate::support::console::{percent, product, seller};

const KRW: [(&str, &str); 3] = [
    ("JANGBU_CURRENCY_CODE", "KRW"),
    ("JANGBU_CURRENCY_EXPONENT", "0"),
    ("JANGBU_CURRENCY_STEP", "100"),
];

fn setting(code: &str, exponent: u8, step: i64) -> Value {
    json!({
        "name": "장부상회", "unpaidDeadlineMinutes": 60, "autoConfirmDays": 7,
        "currency": { "code": code, "exponent": exponent, "step": step },
    })
}

#[tokio::test]
async fn a_shop_in_won_takes_and_shows_whole_won_only() {
    let shop = TestApp::with(&KRW).await;
    let staff = shop.console().await;
    let dollars = shop
        .post("/api/console/setting", &setting("USD", 2, 1))
        .as_(&staff)
        .send()
        .await
        .expect(400);
    assert_eq!(dollars.body["error"]["fields"][0]["field"], "currency.code");
    let cents = shop
        .post("/api/console/setting", &setting("KRW", 0, 1))
        .as_(&staff)
        .send()
        .await
        .expect(400);
    assert_eq!(cents.body["error"]["fields"][0]["code"], "not_whole_units");
    shop.post("/api/console/setting", &setting("KRW", 0, 100))
        .as_(&staff)
        .send()
        .await
        .expect(201);
    let seller = seller(&shop).await;
    let uneven = json!({ "unit": "AMOUNT", "value": 150, "limit": null });
    let refused = shop
        .post("/api/console/shop/products", &product(1_234_550, uneven))
        .as_(&seller)
        .send()
        .await
        .expect(400);
    let fields: Vec<(&str, &str)> = refused.body["error"]["fields"]
        .as_array()
        .unwrap()
        .iter()
        .map(|field| {
            (
                field["field"].as_str().unwrap(),
                field["code"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        fields,
        [
            ("price", "not_whole_steps"),
            ("discount.value", "not_whole_steps")
        ]
    );
    let made = shop
        .post(
            "/api/console/shop/products",
            &product(1_234_500, percent(15)),
        )
        .as_(&seller)
        .send()
        .await
        .expect(201);
    let id = made.body["product"]["_id"].as_str().unwrap().to_owned();
    let uneven = json!({ "version": made.body["product"]["version"], "price": 1_234_550 });
    shop.put(&format!("/api/console/shop/products/{id}"), &uneven)
        .as_(&seller)
        .send()
        .await
        .expect(400);

    // ₩12,345 less 15% is ₩10,493.25: the card shows 10,493, and both price bounds of the list use that.
    for (bounds, found) in [
        ("priceMin=1049300&priceMax=1049300", 1),
        ("priceMin=1049400", 0),
        ("priceMax=1049200", 0),
    ] {
        let list = shop
            .get(&format!("/api/v1/shop/products?{bounds}"))
            .header("X-Wait-Position", &made.position())
            .send()
            .await
            .expect(200);
        assert_eq!(list.body["summary"]["totalCount"], found, "{bounds}");
        if found == 1 {
            assert_eq!(list.body["products"][0]["salePrice"], 1_049_300);
        }
    }
    let form = json!({ "carts": [{ "_product": id, "quantity": 3 }] });
    let preview = shop
        .post("/api/v1/shop/orders/preview", &form)
        .send()
        .await
        .expect(200);
    assert_eq!(preview.body["quote"]["totals"]["payable"], 3_147_900);
    // Prices include tax: no tax is shown as an addition.
    assert_eq!(preview.body["quote"]["totals"].get("tax"), None);
}
