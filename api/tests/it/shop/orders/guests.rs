//! Guests: they order, pay and find the order again; their unpaid orders are limited by phone number and by address.

use domain::ids::ProductId;
use domain::shipping::ShippingGroup;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::shop::{id_of, order_form};
use crate::support::{Reply, TestApp, futures_of};

const ORDERS: &str = "/api/v1/shop/orders";

/// Limits: three orders and ten pieces per phone number, five orders and fourteen pieces per address.
async fn shop() -> (TestApp, ProductId) {
    let shop = TestApp::with(&[
        ("JANGBU_ORDERS_GUEST_UNPAID_ORDERS", "3"),
        ("JANGBU_ORDERS_GUEST_UNPAID_PIECES", "10"),
        ("JANGBU_ORDERS_GUEST_ADDRESS_UNPAID_ORDERS", "5"),
        ("JANGBU_ORDERS_GUEST_ADDRESS_UNPAID_PIECES", "14"),
    ])
    .await;
    let seller = shop.seller().await;
    let apples = shop.product(seller, 1_000, 100).await;
    (shop, apples)
}

fn form(apples: ProductId, phone: &str, quantity: u32) -> Value {
    let mut form = order_form(apples, quantity);
    form["sender"]["phone"] = json!(phone);
    form
}

fn refused(reply: &Reply, by: &str) {
    assert_eq!((reply.status, reply.code()), (409, "unpaid_limit"));
    assert_eq!(reply.body["error"]["details"]["by"], by, "{}", reply.text);
}

#[tokio::test]
async fn a_phone_holds_so_many_unpaid_orders_whatever_comes_at_once() {
    let (shop, apples) = shop().await;
    let one = form(apples, "010-1111-2222", 1);
    let replies = futures_of(10, |_| shop.post(ORDERS, &one).send()).await;
    let placed: Vec<&Reply> = replies.iter().filter(|reply| reply.status == 201).collect();
    assert_eq!(placed.len(), 3);
    for reply in replies.iter().filter(|reply| reply.status != 201) {
        refused(reply, "phone");
        assert!(
            reply.text.contains("결제하거나 취소한 뒤"),
            "{}",
            reply.text
        );
    }
    assert_eq!(shop.left(apples).await, 97);
    // Independent of the format of the number.
    let spelled = form(apples, "01011112222", 1);
    refused(&shop.post(ORDERS, &spelled).send().await, "phone");

    // Paid and canceled orders do not count, even if the read models lag behind.
    let token = placed[0].body["guestToken"].as_str().unwrap();
    shop.pay(token, &id_of(placed[0])).await.expect(303);
    shop.post(ORDERS, &one).send().await.expect(201);
    refused(&shop.post(ORDERS, &one).send().await, "phone");
    let token = placed[1].body["guestToken"].as_str().unwrap();
    let reason = json!({ "reason": "마음이 바뀌었어요" });
    let cancel = format!("/api/v1/me/orders/{}/cancel", id_of(placed[1]));
    shop.post(&cancel, &reason)
        .token(token)
        .send()
        .await
        .expect(200);
    shop.post(ORDERS, &one).send().await.expect(201);
}

#[tokio::test]
async fn a_phone_holds_so_many_pieces() {
    let (shop, apples) = shop().await;
    let form_of = |quantity| form(apples, "010-1111-2222", quantity);
    refused(&shop.post(ORDERS, &form_of(11)).send().await, "phone");
    shop.post(ORDERS, &form_of(6)).send().await.expect(201);
    refused(&shop.post(ORDERS, &form_of(5)).send().await, "phone");
    shop.post(ORDERS, &form_of(4)).send().await.expect(201);
    assert_eq!(shop.left(apples).await, 90);
}

#[tokio::test]
async fn an_address_holds_so_much_however_many_phones_it_names() {
    let (shop, apples) = shop().await;
    let replies = futures_of(20, |place| {
        let form = form(apples, &format!("010-2222-{place:04}"), 1);
        let ask = shop.post(ORDERS, &form);
        async { ask.send().await }
    })
    .await;
    let placed = replies.iter().filter(|reply| reply.status == 201).count();
    assert_eq!(placed, 5);
    for reply in replies.iter().filter(|reply| reply.status != 201) {
        refused(reply, "address");
    }
    assert_eq!(shop.left(apples).await, 95);
    // Members are not limited.
    let hong = shop.sign_up("hong1234").await;
    for _ in 0..4 {
        shop.order(&hong, apples, 5).await.expect(201);
    }
}

/// Orders of different products share no stock whose lock would serialise them.
#[tokio::test(flavor = "multi_thread")]
async fn orders_of_different_goods_at_once_are_counted_one_after_the_other() {
    let (shop, _) = shop().await;
    let seller = shop.seller().await;
    let mut forms = Vec::new();
    for _ in 0..8 {
        let goods = shop.product(seller, 1_000, 10).await;
        forms.push(form(goods, "010-1111-2222", 1));
    }
    let orders = futures_of(8, |place| shop.post(ORDERS, &forms[place]).send());
    let replies = shop.undecided(orders).await;
    let placed = replies.iter().filter(|reply| reply.status == 201).count();
    assert_eq!(placed, 3);
    for reply in replies.iter().filter(|reply| reply.status != 201) {
        refused(reply, "phone");
    }
}

/// An order with nothing to pay is not limited.
#[tokio::test]
async fn what_costs_nothing_is_not_unpaid() {
    let (shop, apples) = shop().await;
    let one = form(apples, "010-1111-2222", 1);
    for _ in 0..3 {
        shop.post(ORDERS, &one).send().await.expect(201);
    }
    refused(&shop.post(ORDERS, &one).send().await, "phone");
    let seller = Uuid::now_v7();
    let group = json!({
        "name": "무료 배송", "_seller": seller, "isDefault": true, "isActive": true,
        "options": [{ "name": "택배", "chargeType": "fixed", "fixedAmount": 0 }],
    });
    shop.record::<ShippingGroup>(&Uuid::now_v7().to_string(), group)
        .await;
    let gift = form(shop.product(seller, 0, 100).await, "010-1111-2222", 1);
    let free = shop.post(ORDERS, &gift).send().await.expect(201);
    assert_eq!(free.body["order"]["status"], "ORDER_PAYMENT");
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
