//! From the shelf to the refund, over HTTP, with the sandbox as the payment service.

use serde_json::{Value, json};
use uuid::Uuid;

use crate::shop_support::{id_of, order_form};
use crate::support::{TestApp, until};

#[tokio::test]
async fn an_order_is_placed_paid_and_refunded() {
    let shop = TestApp::start().await;
    let seller = shop.seller().await;
    let apples = shop.product(seller, 1_000, 10).await;
    let hong = shop.sign_up("hong1234").await;

    let preview = shop
        .post("/api/v1/shop/orders/preview", &order_form(apples, 3))
        .as_(&hong)
        .send()
        .await
        .expect(200);
    assert_eq!(preview.body["quote"]["totals"]["payable"], 3_250);

    let placed = shop.order(&hong, apples, 3).await.expect(201);
    let order = id_of(&placed);
    assert_eq!(placed.body["order"]["payable"], 3_250);
    assert_eq!(shop.left(apples).await, 7);

    let back = shop.pay(&hong.token, &order).await.expect(303);
    assert_eq!(
        back.header("location"),
        Some(format!("/shop/result?order={order}").as_str())
    );
    let paid = shop.my_order(&hong.token, &order).await;
    assert_eq!(paid["status"], "ORDER_PAYMENT");
    assert_eq!(paid["sender"]["name"], "홍길동");
    assert_eq!(shop.charges().await["balance"], 3_250);

    let cancel = json!({ "reason": "마음이 바뀌었어요" });
    let path = format!("/api/v1/me/orders/{order}/cancel");
    // the worker would carry the refund out while the answer is made
    let canceled = shop
        .held_back(shop.post(&path, &cancel).as_(&hong).send())
        .await
        .expect(200);
    assert_eq!(
        canceled.body["order"]["purchases"][0]["claimStatus"],
        "CANCEL_REQUESTED"
    );
    assert_eq!(shop.left(apples).await, 10);
    // the order is the log's, its payments are the read model's: they come together, but are not read at once
    shop.until(&hong.token, &order, "the refund never came", |order| {
        order["payments"][0]["refunded"] == 3_250
            && order["purchases"][0]["claimStatus"] == "CANCEL_COMPLETED"
    })
    .await;
    assert_eq!(shop.charges().await["balance"], 0);
}

#[tokio::test]
async fn a_price_that_changed_is_shown_again_before_anything_happens() {
    let shop = TestApp::start().await;
    let seller = shop.seller().await;
    let apples = shop.product(seller, 1_000, 10).await;
    let mut form = order_form(apples, 1);
    form["payable"] = json!(1_000);
    let refused = shop
        .post("/api/v1/shop/orders", &form)
        .send()
        .await
        .expect(409);
    assert_eq!(refused.code(), "price_changed");
    assert_eq!(
        refused.body["error"]["details"]["quote"]["totals"]["payable"],
        1_250
    );
    assert_eq!(shop.left(apples).await, 10);
}

#[tokio::test]
async fn a_guest_orders_pays_and_finds_the_order_again() {
    let shop = TestApp::start().await;
    let seller = shop.seller().await;
    let apples = shop.product(seller, 1_000, 10).await;
    let placed = shop
        .post("/api/v1/shop/orders", &order_form(apples, 1))
        .send()
        .await
        .expect(201);
    let order = id_of(&placed);
    let token = placed.body["guestToken"].as_str().unwrap().to_owned();
    shop.pay(&token, &order).await.expect(303);
    assert_eq!(
        shop.my_order(&token, &order).await["status"],
        "ORDER_PAYMENT"
    );

    let number = placed.body["order"]["orderNo"].as_str().unwrap();
    let found = shop
        .post(
            "/api/v1/shop/orders/lookup",
            &json!({ "orderNo": number, "phone": "01012345678" }),
        )
        .send()
        .await
        .expect(200);
    assert_eq!(found.body["order"]["_id"], order.as_str());
    let wrong = shop
        .post(
            "/api/v1/shop/orders/lookup",
            &json!({ "orderNo": number, "phone": "01000000000" }),
        )
        .send()
        .await;
    assert_eq!(wrong.status, 404);

    let other = shop
        .post("/api/v1/shop/orders", &order_form(apples, 1))
        .send()
        .await
        .expect(201);
    let foreign = shop
        .get(&format!("/api/v1/me/orders/{order}"))
        .token(other.body["guestToken"].as_str().unwrap())
        .send()
        .await;
    assert_eq!(foreign.status, 404);
    let kim = shop.sign_up("kim12345").await;
    for path in ["", "/cancel", "/confirm"] {
        let reply = match path {
            "" => {
                shop.get(&format!("/api/v1/me/orders/{order}"))
                    .as_(&kim)
                    .send()
                    .await
            }
            _ => {
                shop.post(
                    &format!("/api/v1/me/orders/{order}{path}"),
                    &json!({ "reason": "남의 주문" }),
                )
                .as_(&kim)
                .send()
                .await
            }
        };
        assert_eq!(reply.status, 404, "{path}");
    }
}

#[tokio::test]
async fn every_field_of_the_form_that_is_wrong_is_named() {
    let shop = TestApp::start().await;
    let form = json!({
        "carts": [{ "_product": Uuid::now_v7(), "quantity": 0 }],
        "sender": {
            "name": "홍", "phone": "010-1", "email": "no-address", "postcode": "0623a", "address1": "서",
            "address2": "가".repeat(101), "title": "가".repeat(101),
        },
        "receiver": { "name": "", "phone": "", "postcode": "1", "address1": "" },
    });
    let refused = shop
        .post("/api/v1/shop/orders", &form)
        .send()
        .await
        .expect(400);
    let fields: Vec<&str> = refused.body["error"]["fields"]
        .as_array()
        .unwrap()
        .iter()
        .map(|field| field["field"].as_str().unwrap())
        .collect();
    for field in [
        "carts.0.quantity",
        "sender.name",
        "sender.phone",
        "sender.email",
        "sender.postcode",
        "sender.address1",
        "sender.address2",
        "sender.title",
        "receiver.name",
        "receiver.phone",
        "receiver.postcode",
        "receiver.address1",
        "_terms",
    ] {
        assert!(fields.contains(&field), "{field} is not among {fields:?}");
    }
}

#[tokio::test]
async fn nobody_orders_without_the_terms_of_an_order_or_by_others() {
    let shop = TestApp::start().await;
    let seller = shop.seller().await;
    let apples = shop.product(seller, 1_000, 10).await;
    for (terms, code, message) in [
        (json!([]), "terms", "필수 약관에 동의해 주세요."),
        (
            json!(["purchase", "privacy"]),
            "terms",
            "필수 약관에 동의해 주세요.",
        ),
        (
            json!(["purchase", "privacy", "privacy-third", "moon"]),
            "unknown_terms",
            "동의할 약관을 다시 확인해 주세요.",
        ),
    ] {
        let mut form = order_form(apples, 1);
        form["_terms"] = terms;
        shop.post("/api/v1/shop/orders/preview", &form)
            .send()
            .await
            .expect(200);
        let refused = shop.post("/api/v1/shop/orders", &form);
        let refused = refused.send().await.expect(400);
        assert_eq!(refused.code(), "invalid");
        let wrong = json!([{ "field": "_terms", "code": code, "message": message }]);
        assert_eq!(refused.body["error"]["fields"], wrong);
    }
    assert_eq!(shop.left(apples).await, 10);
}

#[tokio::test]
async fn what_is_gone_hidden_or_unknown_cannot_be_ordered() {
    let shop = TestApp::start().await;
    let seller = shop.seller().await;
    let apples = shop.product(seller, 1_000, 2).await;
    let refused = shop
        .post("/api/v1/shop/orders", &order_form(apples, 3))
        .send()
        .await
        .expect(409);
    assert_eq!(refused.code(), "sold_out");
    assert_eq!(refused.body["error"]["details"]["available"], 2);
    let hidden =
        json!({ "code": "H", "name": "숨긴 사과", "_seller": seller, "price": 1, "shows": false });
    shop.record::<domain::catalogue::Product>(&apples.to_string(), hidden)
        .await;
    let refused = shop
        .post("/api/v1/shop/orders", &order_form(apples, 1))
        .send()
        .await
        .expect(409);
    assert_eq!(refused.code(), "not_on_sale");
    let refused = shop
        .post(
            "/api/v1/shop/orders",
            &order_form(domain::ids::ProductId(Uuid::now_v7()), 1),
        )
        .send()
        .await;
    assert_eq!(refused.code(), "not_on_sale");
}

#[tokio::test]
async fn the_same_key_orders_once() {
    let shop = TestApp::start().await;
    let seller = shop.seller().await;
    let apples = shop.product(seller, 1_000, 10).await;
    let key = "order-key-0123456789";
    let orders = futures_of(8, |_| {
        shop.post("/api/v1/shop/orders", &order_form(apples, 1))
            .key(key)
            .send()
    })
    .await;
    let first = id_of(&orders[0]);
    for reply in &orders {
        assert_eq!((reply.status, id_of(reply)), (201, first.clone()));
    }
    assert_eq!(shop.left(apples).await, 9);
    let other = shop
        .post("/api/v1/shop/orders", &order_form(apples, 2))
        .key(key)
        .send()
        .await;
    assert_eq!(
        (other.status, other.code()),
        (422, "idempotency_key_reused")
    );
}

/// Runs so many at once.
pub async fn futures_of<F: Future<Output = T>, T>(
    many: usize,
    each: impl Fn(usize) -> F,
) -> Vec<T> {
    futures::future::join_all((0..many).map(each)).await
}

#[tokio::test]
async fn the_catalogue_is_read_by_category_name_and_code() {
    let shop = TestApp::start().await;
    let seller = shop.seller().await;
    let apples = shop.product(seller, 1_000, 2).await;
    let listed = until("the apples are found", async || {
        let listed = shop.get("/api/v1/shop/products?searchValue=사과");
        let listed = listed.send().await.body;
        (listed["summary"]["totalCount"] == 1).then_some(listed)
    })
    .await;
    assert_eq!(listed["products"][0]["_id"], apples.to_string());
    let shown = shop
        .get(&format!("/api/v1/shop/products/{apples}"))
        .send()
        .await
        .expect(200);
    assert_eq!(shown.body["product"]["stock"], 2);
    for path in [
        "/api/v1/setting",
        "/api/v1/shop/categories",
        "/api/v1/shop/islands",
        "/api/v1/shop/shippings",
        "/api/v1/shop/coupons",
    ] {
        shop.get(path).send().await.expect(200);
    }
    let by_code = shop
        .get(&format!(
            "/api/v1/shop/products?code=P-{apples}&sort=PRICE_ASC"
        ))
        .send()
        .await
        .expect(200);
    assert_eq!(by_code.body["summary"]["totalCount"], 1);
}

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
