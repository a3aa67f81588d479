//! The browser's return from the payment window.

use axum::http::Method;
use serde_json::{Value, json};

use crate::support::payments::{events, shop_with_order};
use crate::support::shop::id_of;

#[tokio::test]
async fn a_refusal_is_told_and_the_next_attempt_may_succeed() {
    let (shop, hong, order) = shop_with_order().await;
    shop.fault(json!({ "call": "approve", "fault": "refuse", "code": "3095", "times": 1 }))
        .await;
    let back = shop.pay(&hong.token, &order).await.expect(303);
    assert_eq!(
        back.header("location"),
        Some(format!("/shop/result?order={order}&error=payment_refused").as_str())
    );
    shop.pay(&hong.token, &order).await.expect(303);
    assert_eq!(
        shop.my_order(&hong.token, &order).await["status"],
        "ORDER_PAYMENT"
    );
}

#[tokio::test]
async fn what_the_browser_brings_is_believed_only_if_the_service_signed_it() {
    let (shop, hong, order) = shop_with_order().await;
    let window = shop.window(&hong.token, &order).await;
    let good = shop.authenticate(&window).await;
    for (field, value) in [
        ("amount", json!("1")),
        ("signature", json!("00")),
        ("clientId", json!("other")),
        ("authToken", json!("x")),
    ] {
        let mut bad = good.clone();
        bad[field] = value;
        let back = shop.come_back(&bad).await.expect(303);
        assert!(
            back.header("location")
                .unwrap()
                .contains("error=payment_refused"),
            "{field} {back:?}"
        );
    }
    let mut foreign = good.clone();
    foreign["orderId"] = json!("20260101-ABCDEFGH-1");
    let back = shop.come_back(&foreign).await.expect(303);
    assert_eq!(
        back.header("location"),
        Some("/shop/result?error=not_found")
    );
    assert_eq!(
        (
            events(&shop, "PaymentApprovalRequested").await,
            shop.charges().await["charged"].clone()
        ),
        (0, json!(0))
    );
    shop.come_back(&good).await.expect(303);
    assert_eq!(
        shop.my_order(&hong.token, &order).await["status"],
        "ORDER_PAYMENT"
    );
}

/// The return address of a window, without the shop's host.
fn way_back(window: &Value) -> String {
    let url = reqwest::Url::parse(window["returnUrl"].as_str().unwrap()).unwrap();
    format!("{}?{}", url.path(), url.query().unwrap())
}

#[tokio::test]
async fn a_closed_window_leads_to_its_order_and_to_no_other() {
    let (shop, hong, order) = shop_with_order().await;
    let guest = shop
        .post(
            "/api/v1/shop/orders",
            &crate::support::shop::order_form(
                shop.product(shop.seller().await, 1_000, 10).await,
                1,
            ),
        )
        .send()
        .await
        .expect(201);
    let (guests, guest_token) = (
        id_of(&guest),
        guest.body["guestToken"].as_str().unwrap().to_owned(),
    );
    let closed = json!({ "authResultCode": "9999", "authResultMsg": "닫힘", "mallReserved": "" });
    let refused = json!({ "authResultCode": "3095", "authResultMsg": "거절", "mallReserved": "" });
    for (token, order) in [(&hong.token, &order), (&guest_token, &guests)] {
        let address = way_back(&shop.window(token, order).await);
        for (form, error) in [(&closed, "window_closed"), (&refused, "payment_refused")] {
            let back = shop.come_back_to(&address, form).await.expect(303);
            let target = format!("/shop/result?order={order}&error={error}");
            assert_eq!(back.header("location"), Some(target.as_str()));
        }
        // The requests of the result page, and the window it opens again.
        let seen = shop
            .post(&format!("/api/v1/shop/orders/{order}/process"), &json!({}))
            .token(token)
            .send()
            .await
            .expect(200);
        let next = seen.body["order"]["nextActions"].as_array().unwrap();
        assert!(next.contains(&json!("pay")), "{next:?}");
        // The page itself, on a reload or a step back.
        let page = shop.get(&address).send().await;
        assert!(matches!(page.status, 200 | 503), "{}", page.status);
    }
    // Another order's id with this authentication code is ignored, and so is a malformed address.
    let mine = way_back(&shop.window(&hong.token, &order).await);
    let changed = mine.replace(&order, &guests);
    for address in [
        changed.as_str(),
        "/plugins/nicepayments/response?order=%zz&seal=1",
        "/plugins/nicepayments/response?order=1&order=2",
    ] {
        let back = shop.come_back_to(address, &closed).await.expect(303);
        assert_eq!(
            back.header("location"),
            Some("/shop/result?error=window_closed")
        );
    }
    // The right address without a form.
    let back = shop
        .ask(Method::POST, &mine)
        .body("application/x-www-form-urlencoded", String::new())
        .send()
        .await
        .expect(303);
    assert!(back.header("location").unwrap().contains(&order));
    for page in ["/plugins/nicepayments/request", "/plugins/nice/pay/result"] {
        assert!(matches!(shop.get(page).send().await.status, 200 | 503));
    }
    // The payment continues in the window that was closed, with its own address.
    let window = shop.window(&hong.token, &order).await;
    let form = shop.authenticate(&window).await;
    let back = shop.come_back_to(&mine, &form).await.expect(303);
    assert_eq!(
        back.header("location"),
        Some(format!("/shop/result?order={order}").as_str())
    );
}
