//! The operator adds and removes scopes of members.

use api::audit::forget;
use api::users::staff::{self, Wish};
use application::AppResult;
use application::executor::CommandContext;
use domain::Actor;
use domain::ids::MemberId;
use domain::member::{Member, MemberCommand, Scope};
use domain::unit_of_work::UnitOfWork;
use event_store::StreamId;
use serde_json::json;

use crate::support::{Account, TestApp};

fn give(scope: Scope) -> Wish {
    Wish {
        give: vec![scope],
        reason: Some("첫 운영자".to_owned()),
        ..Wish::default()
    }
}

fn take(scope: Scope) -> Wish {
    Wish {
        take: vec![scope],
        ..Wish::default()
    }
}

async fn sees_orders(shop: &TestApp, who: &Account) -> u16 {
    let list = shop.get("/api/console/shop/orders");
    list.as_(who).send().await.status
}

#[tokio::test]
async fn a_member_is_let_into_the_back_office_and_out_of_it_again() {
    let shop = TestApp::start().await;
    let hong = shop.sign_up("hong1234").await;
    assert_eq!(sees_orders(&shop, &hong).await, 403);

    let told = staff::run(&shop.app, "hong1234", give(Scope::Console)).await;
    assert!(told.unwrap().ends_with("): console"));
    let hong = shop.account("hong1234", &hong.password).await;
    assert_eq!(sees_orders(&shop, &hong).await, 200);

    let told = staff::run(&shop.app, &hong.id, take(Scope::Console)).await;
    assert!(told.unwrap().ends_with("권한 없음"));
    let renewed = shop.get("/api/auth/accessToken").token(&hong.refresh);
    assert_eq!(renewed.send().await.expect(401).code(), "token_invalid");
    let fresh = shop.login("hong1234", &hong.password).await.expect(200);
    assert_eq!(fresh.body["payload"]["scope"], json!([]));
    assert_eq!(fresh.body["payload"]["level"], "PERSON");
}

/// Removes a scope like a process that stops before it has ended the sign-ins.
async fn take_and_stop(shop: &TestApp, who: &Account, scope: Scope) {
    let command = CommandContext::for_actor("change-scopes", Actor::System);
    let member: MemberId = who.id.parse().unwrap();
    let change = |work: &mut UnitOfWork| -> AppResult<()> {
        let state = work.state::<Member>(member);
        let scopes = state.scopes.iter().copied();
        let scopes: Vec<Scope> = scopes.filter(|one| *one != scope).collect();
        let level = state.level_with(&scopes);
        work.decide::<Member>(member, MemberCommand::ChangeScopes { scopes, level })?;
        Ok(())
    };
    shop.app.executor.commit(&command, change).await.unwrap();
}

/// A token that outlives its scope can read, but not change anything.
#[tokio::test]
async fn whoever_was_let_out_changes_nothing_with_the_token_they_still_have() {
    let shop = TestApp::start().await;
    let (staff, seller) = (shop.console().await, shop.company("seller01").await);
    let buyer = shop.sign_up("buyer001").await;
    let product = shop.console_product(&seller, "A-1").await;
    let order = shop.paid_order(&buyer, &product).await;
    let path = format!(
        "/api/console/shop/products/{}",
        product["_id"].as_str().unwrap()
    );
    let payment: String = sqlx::query_scalar(
        "SELECT aggregate_id FROM events WHERE aggregate_type = 'payment' LIMIT 1",
    )
    .fetch_one(shop.app.pool())
    .await
    .unwrap();
    for (who, scope) in [(&staff, Scope::Console), (&seller, Scope::Company)] {
        take_and_stop(&shop, who, scope).await;
    }
    let category = json!({ "code": "bike", "name": "자전거" });
    let reason = json!({ "reason": "취소합니다", "purchaseNos": [order.purchase()] });
    let answer = json!({ "action": "delete", "ids": [product["_id"]] });
    for (who, calls) in [
        (
            &staff,
            vec![
                shop.put(&path, &json!({ "price": 1, "version": 1 })),
                shop.delete(&path),
                shop.post("/api/console/shop/categories", &category),
                shop.post("/api/console/shop/products/bulk", &answer),
                shop.post(
                    &format!("/api/console/shop/orders/{}/cancel", order.id),
                    &reason,
                ),
                shop.put(
                    &format!("/api/console/shop/purchases/{}", order.purchase()),
                    &json!({ "status": "PURCHASE_SCHEDULE" }),
                ),
            ],
        ),
        (
            &seller,
            vec![
                shop.put(&path, &json!({ "price": 1, "version": 1 })),
                shop.delete(&path),
                shop.post(
                    "/api/console/shop/products",
                    &json!({ "code": "A-2", "name": "새 상품", "price": 1, "shows": true }),
                ),
                shop.post("/api/console/shop/products/bulk", &answer),
            ],
        ),
    ] {
        shop.get(&path).as_(who).send().await.expect(200);
        for call in calls {
            let refused = call.as_(who).send().await;
            assert_eq!(
                (refused.status, refused.code()),
                (403, "access_denied"),
                "{}",
                refused.text
            );
        }
    }
    // At the payment endpoints too: the payment of another member is not found.
    let give_up = json!({ "_payment": payment, "reason": "취소합니다" });
    let refused = shop
        .post("/api/plugins/nicepayments/cancel", &give_up)
        .as_(&staff)
        .send();
    assert_eq!(refused.await.expect(404).code(), "not_found");
    let shown = shop.my_order(&buyer.token, &order.id).await;
    assert_eq!(shown["status"], "ORDER_PAYMENT");

    // With the scope added again, the same token can.
    staff::run(&shop.app, &seller.id, give(Scope::Company))
        .await
        .unwrap();
    let change = json!({ "price": 900, "version": 1 });
    shop.put(&path, &change)
        .as_(&seller)
        .send()
        .await
        .expect(200);
}

#[tokio::test]
async fn the_log_says_who_changed_scopes_and_why_and_nothing_when_nothing_changed() {
    let shop = TestApp::start().await;
    let hong = shop.sign_up("hong1234").await;
    for _ in 0..2 {
        staff::run(&shop.app, "hong1234", give(Scope::Company))
            .await
            .unwrap();
    }
    staff::run(&shop.app, "hong1234", Wish::default())
        .await
        .unwrap();
    let stream = StreamId::of::<Member>(&hong.id);
    let events = shop.app.store.read_stream(&stream).await.unwrap();
    let [_, changed] = events.as_slice() else {
        panic!("{events:?}");
    };
    assert_eq!(changed.event_type, "ScopesChanged");
    assert_eq!(changed.metadata.actor["kind"], "system");
    assert_eq!(changed.metadata.reason.as_deref(), Some("첫 운영자"));
}

#[tokio::test]
async fn only_who_is_there_gets_scopes_and_all_who_have_any_are_listed() {
    let shop = TestApp::start().await;
    let hong = shop.sign_up("hong1234").await;
    let refused = staff::run(&shop.app, "nobody99", give(Scope::Console)).await;
    let refused = refused.unwrap_err().to_string();
    assert!(refused.starts_with("no member nobody99"), "{refused}");
    let unknown = staff::scope("root").unwrap_err();
    assert!(unknown.contains("`console` or `company`"), "{unknown}");

    staff::run(&shop.app, "hong1234", give(Scope::Console))
        .await
        .unwrap();
    shop.until_counted(
        "SELECT count(*) FROM members WHERE id = $1::uuid AND scopes <> '{}'",
        &hong.id,
    )
    .await;
    let listed = staff::list(&shop.app).await.unwrap();
    assert_eq!(listed, format!("hong1234 ({}): console", hong.id));

    forget::run(&shop.app, "hong1234").await.unwrap();
    let gone = staff::run(&shop.app, &hong.id, give(Scope::Console)).await;
    gone.unwrap_err();
}
