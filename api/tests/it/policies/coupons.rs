//! Coupons that an event issues: once, in the rounds, to the members and in the time their rules say.

use application::executor::CommandContext;
use application::policies::Policy;
use application::policies::instant_coupons::InstantCoupons;
use domain::Actor;
use domain::coupon::Coupon;
use domain::ids::MemberId;
use domain::member::{Member, MemberCommand};
use domain::order::{Order, OrderEvent};
use domain::site::Level;
use event_store::StreamId;
use projections::verify::verify;
use serde_json::{Value, json};
use uuid::Uuid;

use super::points::{confirm, deliver};
use crate::support::shop::id_of;
use crate::support::{Account, TestApp};

async fn instant(shop: &TestApp, name: &str, event: Value, issue: Value) {
    let mut rule = json!({ "type": "instant", "isActive": true, "event": event });
    let fields = rule.as_object_mut().unwrap();
    fields.extend(issue.as_object().unwrap().clone());
    let coupon = json!({
        "name": name, "unit": "AMOUNT", "value": 500, "issue": rule,
        "usage": { "type": "total", "isActive": true },
    });
    shop.record::<Coupon>(&Uuid::now_v7().to_string(), coupon)
        .await;
}

/// Names of the coupons in the member's box once everything is read, sorted.
async fn names(shop: &TestApp, who: &Account) -> Vec<String> {
    let head = async || shop.app.store.head().await.unwrap();
    let policy = ["policy_coupons"];
    let patience = std::time::Duration::from_secs(20);
    let waited = shop
        .app
        .store
        .wait_for(&policy, head().await, patience)
        .await;
    assert!(waited.unwrap().position() > 0);
    let coupons = shop.get("/api/v1/me/coupons?limit=50").as_(who);
    let coupons = coupons.header("x-wait-position", &head().await.to_string());
    let body = coupons.send().await.expect(200).body;
    let coupons = body["coupons"].as_array().unwrap();
    let names = coupons.iter().map(|one| one["name"].as_str().unwrap());
    let mut names: Vec<String> = names.map(str::to_owned).collect();
    names.sort();
    names
}

#[tokio::test]
async fn joining_and_rising_issue_coupons_once() {
    let shop = TestApp::start().await;
    for (code, index) in [("silver", 1), ("gold", 2)] {
        let level = json!({
            "code": code, "name": code, "index": index, "isActive": true, "isWelcome": code == "silver",
        });
        shop.record::<Level>(&Uuid::now_v7().to_string(), level)
            .await;
    }
    let join = || json!({ "type": "USER_JOIN" });
    instant(&shop, "가입", join(), json!({})).await;
    instant(&shop, "가입 둘", join(), json!({ "isActive": false })).await;
    let silver = json!({ "target": { "type": "USER_LEVELS", "_levels": ["silver"] } });
    instant(&shop, "실버 가입", join(), silver).await;
    let gold = json!({ "target": { "type": "USER_LEVELS", "_levels": ["gold"] } });
    instant(&shop, "골드 가입", join(), gold).await;
    let over = json!({ "endsAt": "2020-01-01T00:00:00Z" });
    instant(&shop, "지난 가입", join(), over).await;
    let rise = |code| json!({ "type": "LEVEL_UP", "code": code });
    instant(&shop, "골드 승급", rise("gold"), json!({})).await;
    instant(&shop, "실버 승급", rise("silver"), json!({})).await;
    let hong = shop.sign_up("hong1234").await;
    assert_eq!(names(&shop, &hong).await, ["가입", "실버 가입"]);
    let member: MemberId = hong.id.parse().unwrap();
    for code in ["gold", "silver"] {
        let command = CommandContext::for_actor("test", Actor::System);
        let act = MemberCommand::AssignLevel {
            code: code.to_owned(),
        };
        let done = shop.app.executor.execute::<Member>(&command, member, act);
        done.await.unwrap();
    }
    let all = ["가입", "골드 승급", "실버 가입"];
    assert_eq!(names(&shop, &hong).await, all, "a fall issues nothing");
    // read again, all is as it was
    let stream = StreamId::of::<Member>(member);
    for event in shop.app.store.read_stream(&stream).await.unwrap() {
        InstantCoupons.react(&shop.app, &event).await.unwrap();
    }
    assert_eq!(names(&shop, &hong).await, all);
}

#[tokio::test]
async fn rounds_are_counted_for_each_member_and_coupons_come_together() {
    let shop = TestApp::start().await;
    let apples = shop.product(shop.seller().await, 10_000, 20).await;
    let (hong, kim) = (
        shop.sign_up("hong1234").await,
        shop.sign_up("kim12345").await,
    );
    let bought = || json!({ "type": "PURCHASE_COMPLETE" });
    let second = json!({ "round": { "type": "bounded", "includeds": [2] } });
    instant(&shop, "두 번째", bought(), second).await;
    let other = json!({ "round": { "type": "infinite", "excludeds": [2] } });
    instant(&shop, "두 번째 빼고", bought(), other).await;
    let once = json!({ "round": { "type": "single" } });
    instant(&shop, "첫 번째", bought(), once).await;
    let buy = async |who: &Account| {
        let order = id_of(&shop.order(who, apples, 1).await.expect(201));
        shop.pay(&who.token, &order).await.expect(303);
        deliver(&shop, &order).await;
        confirm(&shop, who, &order).await;
        order
    };
    buy(&hong).await;
    assert_eq!(names(&shop, &hong).await, ["두 번째 빼고", "첫 번째"]);
    let order = buy(&hong).await;
    let two = ["두 번째", "두 번째 빼고", "첫 번째"];
    assert_eq!(names(&shop, &hong).await, two);
    let stream = StreamId::of::<Order>(&order);
    for event in shop.app.store.read_stream(&stream).await.unwrap() {
        if matches!(
            event.event::<Order>().unwrap(),
            OrderEvent::PurchaseCompleted { .. }
        ) {
            InstantCoupons.react(&shop.app, &event).await.unwrap();
        }
    }
    assert_eq!(names(&shop, &hong).await, two, "read again");
    buy(&hong).await;
    let three = ["두 번째", "두 번째 빼고", "두 번째 빼고", "첫 번째"];
    assert_eq!(names(&shop, &hong).await, three);
    buy(&kim).await;
    assert_eq!(names(&shop, &kim).await, ["두 번째 빼고", "첫 번째"]);
    let report = verify(&shop.app.store, |_| {}).await.unwrap();
    assert!(report.is_clean(), "{:?}", report.differences);
}
