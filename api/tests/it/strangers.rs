//! Somebody else's order, payment and coupon: another member, another guest and nobody at all get nowhere with them, are told
//! nothing of them and change nothing. Its owner does each of it with the very same request.

use axum::http::Method;
use serde_json::{Value, json};

use crate::shop_support::{id_of, order_form};
use crate::support::{Ask, TestApp};

/// A request: method, path, body.
type Call = (Method, String, Value);

fn ask(shop: &TestApp, (method, path, body): &Call, token: Option<&str>) -> Ask {
    let asked = shop.ask(method.clone(), path);
    let asked = match body {
        Value::Null => asked,
        body => asked.json(body),
    };
    match token {
        Some(token) => asked.token(token),
        None => asked,
    }
}

#[tokio::test]
async fn nobody_gets_at_the_order_the_payment_or_the_coupon_of_somebody_else() {
    let shop = TestApp::start().await;
    let seller = shop.seller().await;
    let apples = shop.product(seller, 1_000, 20).await;
    let (hong, kim) = (
        shop.sign_up("hong1234").await,
        shop.sign_up("kim12345").await,
    );
    let coupon = shop.coupon(10, None, None).await;
    let drawn = shop.post("/api/v1/me/coupons", &json!({ "_coupon": coupon }));
    let drawn = drawn.as_(&hong).send().await.expect(201);
    let mut with_coupon = order_form(apples, 1);
    with_coupon["coupons"] = json!([{ "_issued": drawn.body["coupon"]["_id"] }]);

    let placed = shop.order(&hong, apples, 2).await.expect(201);
    let (order, no) = (id_of(&placed), placed.body["order"]["orderNo"].clone());
    let no = no.as_str().unwrap();
    let window = shop.window(&hong.token, &order).await;
    let payment = window["_id"].as_str().unwrap();
    let form = shop.authenticate(&window).await;
    let given_up = id_of(&shop.order(&hong, apples, 1).await.expect(201));
    let open = shop.window(&hong.token, &given_up).await["_id"].clone();

    let get = |path: String| (Method::GET, path, Value::Null);
    let post = |path: &str, body: Value| (Method::POST, path.to_owned(), body);
    let reason = "마음이 바뀌었어요";
    let wanted = json!({ "_order": order });
    // in the order in which the owner can do them all
    let calls: [Call; 9] = [
        get(format!("/api/v1/me/purchases/{no}-1")),
        get(format!("/api/v1/me/payments/{payment}")),
        post(&format!("/api/v1/shop/orders/{order}/process"), json!({})),
        post("/api/plugins/nicepayments/generate/order", wanted.clone()),
        post("/api/plugins/pay/generate", wanted),
        post("/api/plugins/pay/approval", form.clone()),
        post(
            "/api/v1/me/purchases/cancel",
            json!({ "_purchases": [format!("{no}-1")], "reason": reason }),
        ),
        post(
            "/api/plugins/nicepayments/cancel",
            json!({ "_payment": open, "reason": reason }),
        ),
        post("/api/v1/shop/orders", with_coupon),
    ];

    let others = shop.post("/api/v1/shop/orders", &order_form(apples, 1));
    let others = others.send().await.expect(201);
    let guest = others.body["guestToken"].as_str().unwrap();
    let head = shop.app.store.head().await.unwrap();
    let strangers = [
        ("kim", Some(kim.token.as_str())),
        ("guest", Some(guest)),
        ("nobody", None),
    ];
    let secrets = [
        no,
        payment,
        "홍길동",
        "김받음",
        "010-1234-5678",
        "01012345678",
        "사과",
    ];
    for call in &calls {
        for (who, token) in strangers {
            let reply = ask(&shop, call, token).send().await;
            let what = format!(
                "{who}: {} {}: {} {}",
                call.0, call.1, reply.status, reply.text
            );
            let closed: &[u16] = match who {
                "kim" => &[403, 404],
                _ => &[401, 403, 404],
            };
            assert!(closed.contains(&reply.status), "{what}");
            assert_ne!(reply.code(), "-", "{what}");
            for secret in secrets {
                assert!(!reply.text.contains(secret), "{secret}: {what}");
            }
        }
    }
    let now = shop.app.store.head().await.unwrap();
    assert_eq!(now, head, "a stranger changed something");
    assert_eq!(shop.charges().await["charged"], 0);
    for call in &calls {
        let reply = ask(&shop, call, Some(&hong.token)).send().await;
        let what = format!("{} {}: {} {}", call.0, call.1, reply.status, reply.text);
        assert!([200, 201].contains(&reply.status), "{what}");
    }
}
