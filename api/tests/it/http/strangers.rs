//! Data of others: another member, another guest and an anonymous caller get no access, no information and change nothing. The owner
//! succeeds with the same requests.

use std::collections::BTreeSet;

use axum::http::Method;
use serde_json::{Value, json};

use crate::support::pictures::{giving, picture_bytes};
use crate::support::reviews::{bought, read};
use crate::support::shop::{id_of, order_form};
use crate::support::{Ask, TestApp, until};

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
    // In an order in which the owner can execute all of them.
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

/// Identifiers in responses: ids, and purchase numbers.
fn names_in(answer: &Value, names: &mut BTreeSet<String>) {
    match answer {
        Value::Object(fields) => {
            for (field, value) in fields {
                match value.as_str() {
                    Some(name) if ["_id", "purchaseNo"].contains(&field.as_str()) => {
                        names.insert(name.to_owned());
                    }
                    _ => names_in(value, names),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| names_in(item, names)),
        _ => {}
    }
}

/// The endpoints come from the OpenAPI document: for a new one with a placeholder, this test needs an example that a member owns.
#[tokio::test]
async fn nothing_a_member_has_is_read_or_changed_by_another() {
    let shop = TestApp::start().await;
    let seller = shop.company("seller01").await;
    let (hong, kim) = (
        shop.sign_up("hong1234").await,
        shop.sign_up("kim12345").await,
    );
    let product = shop.console_product(&seller, "P-1").await;
    let purchase = bought(&shop, (&seller, &hong), &product, true).await;
    let coupon = shop.coupon(10, None, None).await;
    let form = json!({
        "code": "class", "name": "자전거 교실", "display": { "enabled": true }, "fields": [{ "type": "TEXT", "name": "할 말" }],
    });
    let staff = shop.console().await;
    let form = shop.post("/api/console/forms", &form).as_(&staff).send();
    let form = form.await.expect(201).body["form"]["_id"].clone();
    // A body for all endpoints: unknown fields are ignored.
    let account = json!({ "code": "004", "accountNumber": "12345678", "accountHolder": "김도둑" });
    let body = json!({
        "_product": product["_id"], "_purchase": purchase, "purchaseNo": purchase, "_coupon": coupon, "quantity": 1, "star": 5,
        "subject": "여쭙니다", "content": "아삭합니까?", "title": "집", "name": "김받음", "phone": "010-8765-4321", "postcode": "06236",
        "address1": "서울시 강남구 테헤란로 1", "reason": "마음이 바뀌었어요", "account": account, "currentPassword": hong.password, "shows": true,
        "fault": "BUYER", "category": "ORDER", "_form": form, "version": 1, "answers": {}, "agreed": true, "pickup": { "name": "김받음", "phone": "010-8765-4321", "postcode": "06236", "address1": "테헤란로 1" },
    });
    let mut names = BTreeSet::new();
    for path in [
        "me/carts",
        "me/destinations",
        "me/coupons",
        "me/reviews",
        "shop/inquires",
        "center/questions",
        "me/inquiries",
    ] {
        let made = shop.post(&format!("/api/v1/{path}"), &body).as_(&hong);
        let made = made.send().await;
        assert!(made.status < 300, "{path}: {}", made.text);
    }
    let picture = "/api/v1/me/reviews/images";
    let picture = giving(&shop, picture, "image", "a.png", &picture_bytes(7)).as_(&hong);
    names_in(&picture.send().await.expect(201).body, &mut names);
    until("hong is told", async || {
        let told = read(&shop, "/api/v1/me/alarms", Some(&hong)).await;
        (told.body["alarms"] != json!([])).then_some(())
    })
    .await;

    let document = serde_json::to_value(api::router::openapi()).unwrap();
    let mut calls: Vec<(Method, &str)> = Vec::new();
    let mut shelves = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        // A like has the id of its product, and an entry that of its event, which are public; documents are tested where companies join, pictures of goods where claims are
        // tested, and the stream of alarms, which has no end, with the alarms.
        let is_mine = path.starts_with("/api/v1/me/")
            && !path.starts_with("/api/v1/me/likes/")
            && !path.starts_with("/api/v1/me/events/")
            && !path.starts_with("/api/v1/me/documents")
            && path != "/api/v1/me/alarms/stream"
            && !path.starts_with("/api/v1/me/purchases/{purchaseNo}/pictures");
        for method in item.as_object().unwrap().keys().filter(|_| is_mine) {
            let method: Method = method.to_uppercase().parse().unwrap();
            match path.contains('{') {
                true => calls.push((method, path)),
                false if method == Method::GET => shelves.push(path),
                false => {}
            }
        }
    }
    let seen = async || {
        let mut seen = Vec::new();
        for path in &shelves {
            seen.push(read(&shop, path, Some(&hong)).await.expect(200).body);
        }
        json!(seen)
    };
    shop.settled().await;
    let before = seen().await;
    names_in(&before, &mut names);
    let named = |path: &str, name: &str| {
        let (start, rest) = path.split_once('{').unwrap();
        format!("{start}{name}{}", rest.split_once('}').unwrap().1)
    };
    let asked = async |who: &str, (method, path): &(Method, &str), name: &str| {
        let call = (method.clone(), named(path, name), body.clone());
        let call = match *method {
            Method::GET => (call.0, call.1, Value::Null),
            _ => call,
        };
        ask(&shop, &call, Some(who)).send().await
    };
    let mut open = Vec::new();
    for call in &calls {
        for name in &names {
            let reply = asked(&kim.token, call, name).await;
            if ![403, 404].contains(&reply.status) {
                open.push(format!("{call:?} {name}: {} {}", reply.status, reply.text));
            }
        }
    }
    assert!(open.is_empty(), "{}", open.join("\n"));
    assert_eq!(seen().await, before, "a stranger changed something");

    // Removals come late, and restores last.
    calls.sort_by_key(|(method, path)| match path.ends_with("/restore") {
        true => 2,
        false => u8::from(*method == Method::DELETE),
    });
    let mut closed = Vec::new();
    for call in &calls {
        let mut answers = BTreeSet::new();
        for name in &names {
            answers.insert(asked(&hong.token, call, name).await.status);
        }
        if ![200, 204, 409].iter().any(|own| answers.contains(own)) {
            closed.push(format!("{call:?}: {answers:?}"));
        }
    }
    assert!(closed.is_empty(), "{}", closed.join("\n"));
}
