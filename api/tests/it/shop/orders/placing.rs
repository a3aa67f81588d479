//! Placing an order: from the stock to the refund, over HTTP, with the sandbox as the payment gateway.

use domain::catalogue::Product;
use domain::ids::ProductId;
use serde_json::json;
use uuid::Uuid;

use crate::support::shop::{id_of, order_form};
use crate::support::{TestApp, futures_of};

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
    // Without holding it back, the worker would execute the refund before the response.
    let canceled = shop
        .held_back(shop.post(&path, &cancel).as_(&hong).send())
        .await
        .expect(200);
    assert_eq!(
        canceled.body["order"]["purchases"][0]["claimStatus"],
        "CANCEL_REQUESTED"
    );
    assert_eq!(shop.left(apples).await, 10);
    // The order comes from the log, its payments from the read model: the response combines them, but they are not read at the same time.
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

#[tokio::test]
async fn the_answer_has_the_payment_window_that_was_asked_for() {
    let shop = TestApp::start().await;
    let seller = shop.seller().await;
    let apples = shop.product(seller, 1_000, 10).await;
    let hong = shop.sign_up("hong1234").await;
    let key = "order-key-0123456789";
    let place = || {
        shop.post(
            "/api/v1/shop/orders?startPayment=true",
            &order_form(apples, 1),
        )
        .key(key)
    };
    let placed = place().as_(&hong).send().await.expect(201);
    let order = id_of(&placed);
    let payment = placed.body["payment"].clone();
    assert_eq!(payment["amount"], placed.body["order"]["payable"]);
    assert_eq!(payment["buyerName"], "홍길동");
    let again = place().as_(&hong).send().await.expect(201);
    assert_eq!(
        again.body["payment"]["_id"], payment["_id"],
        "no second one"
    );
    let prepared = shop
        .post(
            "/api/plugins/nicepayments/generate/order",
            &json!({ "_order": order }),
        )
        .as_(&hong)
        .send()
        .await
        .expect(200);
    assert_eq!(prepared.body["payment"], payment);
    shop.pay(&hong.token, &order).await.expect(303);
    let paid = place().as_(&hong).send().await.expect(201);
    assert_eq!(id_of(&paid), order);
    assert_eq!(paid.body.get("payment"), None, "nothing is left to pay");

    let placed = place().send().await.expect(201);
    assert_eq!(placed.body["payment"]["buyerName"], "홍길동");
    let plain = shop
        .post("/api/v1/shop/orders", &order_form(apples, 1))
        .send()
        .await
        .expect(201);
    assert_eq!(plain.body.get("payment"), None, "it was not asked for");
}

/// Lines are identified by their index in the request, from 0, as everywhere.
#[tokio::test]
async fn the_line_that_lacks_its_option_is_named_by_its_place() {
    let shop = TestApp::start().await;
    let seller = shop.seller().await;
    let apples = shop.product(seller, 1_000, 10).await;
    let coat = ProductId(Uuid::now_v7());
    let option = json!({ "_id": Uuid::now_v7(), "name": "크기", "value": "큰 것", "price": 0, "enabled": true });
    let form = json!({ "code": "COAT", "name": "외투", "_seller": seller, "price": 5_000, "shows": true,
        "optionsConf": { "enabled": true }, "options": [option] });
    shop.record::<Product>(&coat.to_string(), form).await;
    let hong = shop.sign_up("hong1234").await;
    let line = |product: ProductId| json!({ "_product": product, "quantity": 1 });
    for (carts, field) in [
        ([line(coat), line(apples)], "carts.0._option"),
        ([line(apples), line(coat)], "carts.1._option"),
    ] {
        let mut form = order_form(apples, 1);
        form["carts"] = json!(carts);
        for path in ["/api/v1/shop/orders/preview", "/api/v1/shop/orders"] {
            let refused = shop.post(path, &form).as_(&hong).send().await.expect(400);
            assert_eq!(refused.complaint(), (field, "option_required"), "{path}");
        }
    }
}
