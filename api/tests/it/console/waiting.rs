//! What waits for staff and sellers: each count is that of the list it leads to, and a seller's are their own.

use serde_json::{Value, json};
use time::Duration;

use crate::support::{Account, TestApp};

const PATH: &str = "/api/console/analytics/waiting";

async fn waiting(shop: &TestApp, who: &Account) -> Value {
    shop.settled().await;
    shop.get(PATH).as_(who).send().await.expect(200).body
}

/// The number of rows of a list.
async fn listed(shop: &TestApp, who: &Account, list: &str) -> Value {
    let reply = shop.get(&format!("/api/console/{list}")).as_(who).send();
    reply.await.expect(200).body["summary"]["totalCount"].clone()
}

#[tokio::test]
async fn what_waits_is_counted_like_the_lists_it_leads_to() {
    let shop = TestApp::start().await;
    let (seller, other) = (
        shop.company("seller01").await,
        shop.company("seller02").await,
    );
    let buyer = shop.sign_up("buyer001").await;
    let staff = shop.console().await;
    let calm = waiting(&shop, &staff).await;
    assert_eq!(
        calm,
        json!({
            "claims": { "cancel": 0, "exchange": 0, "return": 0 },
            "parcels": { "new": 0, "preparing": 0, "late": 0, "dueToday": 0 },
            "stock": { "out": 0, "low": 0 },
            "answers": { "inquires": 0, "questions": 0, "inquiries": 0, "contacts": 0 },
            "refunds": { "due": 0, "unknown": 0, "refused": 0 },
            "givenUpMessages": 0,
            "today": { "orders": 0, "quantity": 0, "sales": 0, "canceled": 0 },
            "yesterday": { "orders": 0, "quantity": 0, "sales": 0, "canceled": 0 },
        })
    );

    let product = shop.console_product(&seller, "A-1").await;
    let bread = shop.console_product(&other, "B-1").await;
    // Ten in stock, of which each order takes two.
    let kept = shop.paid_order(&buyer, &product).await;
    let asked_back = shop.paid_order(&buyer, &product).await;
    shop.paid_order(&buyer, &product).await;
    shop.paid_order(&buyer, &bread).await;
    let prepare = json!({ "orderStatus": "ORDER_CONFIRM" });
    for order in [&kept, &asked_back] {
        let purchase = order.purchase();
        let work = shop.work(&seller, &purchase, prepare.clone());
        work.await.expect(200);
    }
    let cancel = json!({ "reason": "마음이 바뀌었어요" });
    let path = format!("/api/v1/me/orders/{}/cancel", asked_back.id);
    shop.post(&path, &cancel)
        .as_(&buyer)
        .send()
        .await
        .expect(200);
    let question = json!({
        "_product": product["_id"], "subject": "언제 오나요", "content": "내일 필요합니다", "secret": false,
    });
    let ask = shop.post("/api/v1/shop/inquires", &question).as_(&buyer);
    ask.send().await.expect(201);
    let empty =
        json!({ "code": "A-2", "name": "다 팔린 것", "price": 100, "shows": true, "stock": 0 });
    let made = shop.post("/api/console/shop/products", &empty).as_(&seller);
    made.send().await.expect(201);
    let hidden =
        json!({ "code": "A-3", "name": "숨긴 것", "price": 100, "shows": false, "stock": 0 });
    let made = shop
        .post("/api/console/shop/products", &hidden)
        .as_(&seller);
    made.send().await.expect(201);

    let own = waiting(&shop, &seller).await;
    assert_eq!(own["claims"]["cancel"], 1);
    assert_eq!(
        own["parcels"],
        json!({ "new": 1, "preparing": 1, "late": 0, "dueToday": 0 })
    );
    assert_eq!(own["stock"], json!({ "out": 1, "low": 1 }));
    assert_eq!(own["answers"]["inquires"], 1);
    assert_eq!(
        (
            &own["refunds"],
            &own["answers"]["questions"],
            &own["givenUpMessages"]
        ),
        (&Value::Null, &Value::Null, &Value::Null)
    );
    assert_eq!(own["today"]["orders"], 3);
    for (count, list) in [
        (
            &own["claims"]["cancel"],
            "shop/purchases?tab=cancel&pending=true",
        ),
        (
            &own["claims"]["return"],
            "shop/purchases?tab=return&pending=true",
        ),
        (&own["parcels"]["new"], "shop/purchases?dispatch=new"),
        (
            &own["parcels"]["preparing"],
            "shop/purchases?dispatch=preparing",
        ),
        (&own["stock"]["out"], "shop/products?shows=true&stock=OUT"),
        (&own["stock"]["low"], "shop/products?shows=true&stock=LOW"),
        (
            &own["answers"]["inquires"],
            "shop/inquires?state=ANSWER_AWAITING",
        ),
    ] {
        assert_eq!(count, &listed(&shop, &seller, list).await, "{list}");
    }

    let others = waiting(&shop, &other).await;
    assert_eq!(others["claims"]["cancel"], 0);
    assert_eq!(others["parcels"]["new"], 1);
    assert_eq!(others["stock"], json!({ "out": 0, "low": 0 }));
    assert_eq!(others["answers"]["inquires"], 0);
    assert_eq!(others["today"]["orders"], 1);
    let all = waiting(&shop, &staff).await;
    assert_eq!(all["parcels"]["new"], 2);
    assert_eq!(all["today"]["orders"], 4);
    assert_eq!(
        all["refunds"]["due"],
        listed(&shop, &staff, "shop/refunds?state=due").await
    );
    shop.get(PATH).as_(&buyer).send().await.expect(403);

    // Two weeks later everything is late.
    shop.advance(Duration::DAY * 14);
    let late = waiting(
        &shop,
        &shop.account(&seller.username, &seller.password).await,
    )
    .await;
    assert_eq!(
        late["parcels"],
        json!({ "new": 0, "preparing": 0, "late": 2, "dueToday": 0 })
    );
    assert_eq!(
        (&late["today"]["orders"], &late["yesterday"]["orders"]),
        (&json!(0), &json!(0))
    );
}

#[tokio::test]
async fn yesterday_is_compared_up_to_the_same_time_of_day() {
    let shop = TestApp::start().await;
    let seller = shop.company("seller01").await;
    let buyer = shop.sign_up("buyer001").await;
    let product = shop.console_product(&seller, "A-1").await;
    shop.paid_order(&buyer, &product).await;
    shop.advance(Duration::DAY - Duration::MINUTE);
    let seller = shop.account(&seller.username, &seller.password).await;
    let before = waiting(&shop, &seller).await;
    shop.advance(Duration::MINUTE * 2);
    let after = waiting(&shop, &seller).await;
    assert_eq!(
        before["yesterday"]["orders"], 0,
        "it was paid later that day"
    );
    assert_eq!(after["yesterday"]["orders"], 1);
    assert_eq!(after["today"]["orders"], 0);
}
