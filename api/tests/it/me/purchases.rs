//! Purchases of the member.

use serde_json::{Value, json};

use crate::support::TestApp;
use crate::support::shop::{id_of, order_form};

#[tokio::test]
async fn my_purchases_are_counted_and_paged_one_by_one() {
    let shop = TestApp::start().await;
    let seller = shop.seller().await;
    let (apples, pears) = (
        shop.product(seller, 1_000, 10).await,
        shop.product(seller, 2_000, 10).await,
    );
    let hong = shop.sign_up("hong1234").await;
    let mut form = order_form(apples, 1);
    form["carts"] =
        json!([{ "_product": apples, "quantity": 1 }, { "_product": pears, "quantity": 2 }]);
    let mut placed = Vec::new();
    for _ in 0..2 {
        let reply = shop
            .post("/api/v1/shop/orders", &form)
            .as_(&hong)
            .send()
            .await
            .expect(201);
        placed.push(reply);
        shop.advance(time::Duration::minutes(1));
    }
    let mine = async |query: &str| {
        shop.get(&format!("/api/v1/me/purchases?{query}"))
            .header("x-wait-position", &placed[1].position())
            .as_(&hong)
            .send()
            .await
            .expect(200)
            .body
    };
    let number = |order: usize, line: u8| {
        json!(format!(
            "{}-{line}",
            placed[order].body["order"]["orderNo"].as_str().unwrap()
        ))
    };
    let all = mine("").await;
    assert_eq!(all["summary"]["totalCount"], 4);
    let numbers: Vec<&Value> = all["purchases"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| &row["purchaseNo"])
        .collect();
    assert_eq!(
        numbers,
        [&number(1, 1), &number(1, 2), &number(0, 1), &number(0, 2)]
    );
    let page = mine("skip=1&limit=2").await;
    assert_eq!(page["summary"]["totalCount"], 4);
    assert_eq!(page["purchases"].as_array().unwrap().len(), 2);
    assert_eq!(page["purchases"][0]["purchaseNo"], number(1, 2));
    let shipped = mine("filter=shipped").await;
    assert_eq!(shipped["summary"]["totalCount"], 0);

    let id = id_of(&placed[0]);
    let reason = json!({ "reason": "마음이 바뀌었어요" });
    let canceled = shop.post(&format!("/api/v1/me/orders/{id}/cancel"), &reason);
    let canceled = canceled.as_(&hong).send().await.expect(200);
    let of = async |list: &str, query: &str| {
        let reply = shop.get(&format!("/api/v1/me/{list}?{query}"));
        let reply = reply.header("x-wait-position", &canceled.position());
        reply.as_(&hong).send().await
    };
    for (list, of_canceled) in [("orders", 1), ("purchases", 2)] {
        for (step, count) in [
            ("completed", of_canceled),
            ("requested", 0),
            ("rejected", 0),
        ] {
            let found = of(list, &format!("filter=cancel&step={step}")).await;
            let found = found.expect(200).body["summary"]["totalCount"].take();
            assert_eq!(found, json!(count), "{list} {step} (spec V104)");
        }
        for wrong in [
            "step=requested",
            "filter=shipped&step=completed",
            "filter=cancel&step=x",
        ] {
            let refused = of(list, wrong).await.expect(400);
            assert_eq!(refused.code(), "invalid_query", "{wrong}");
            assert_eq!(
                refused.body["error"]["fields"][0]["field"], "step",
                "{wrong}"
            );
        }
    }
}
