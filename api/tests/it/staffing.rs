//! Whoever runs the shop lets members into the back office, and out of it.

use api::audit::forget;
use api::users::staff::{self, Wish};
use domain::member::{Member, Scope};
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
    let fresh = shop.get("/api/auth/accessToken").token(&hong.refresh);
    let fresh = fresh.send().await.expect(200);
    assert_eq!(fresh.body["payload"]["scope"], json!([]));
    assert_eq!(fresh.body["payload"]["level"], "PERSON");
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
