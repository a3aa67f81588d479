//! Coupons in members' boxes, as staff gives, takes, brings back and prolongs them.

use application::clock::Clock;
use projections::verify::verify;
use serde_json::{Value, json};
use time::Duration;
use uuid::Uuid;

use crate::support::shop::order_form;
use crate::support::{Account, Reply, TestApp};

const COUPONS: &str = "/api/console/users/coupons";

struct Desk {
    shop: TestApp,
    staff: Account,
}

impl Desk {
    async fn open() -> Self {
        let shop = TestApp::start().await;
        let staff = shop.console().await;
        Self { shop, staff }
    }

    async fn give(&self, coupon: impl serde::Serialize, who: &str, memo: &str) -> Reply {
        let gift = json!({ "_coupon": coupon, "_user": who, "memo": memo });
        self.shop.post(COUPONS, &gift).as_(&self.staff).send().await
    }

    async fn take(&self, id: &str, memo: &str) -> Reply {
        let path = format!("{COUPONS}/{id}?memo={memo}");
        let ask = self.shop.ask(axum::http::Method::DELETE, &path);
        ask.as_(&self.staff).send().await
    }

    async fn change(&self, id: &str, change: &Value) -> Reply {
        let path = format!("{COUPONS}/{id}");
        let ask = self.shop.ask(axum::http::Method::PUT, &path);
        ask.json(change).as_(&self.staff).send().await
    }

    async fn get(&self, path: String, after: &Reply) -> Value {
        let ask = self.shop.get(&path).as_(&self.staff);
        let ask = ask.header("x-wait-position", &after.position());
        ask.send().await.expect(200).body
    }
}

fn id(reply: &Reply) -> String {
    reply.body["coupon"]["_id"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn staff_gives_takes_brings_back_and_prolongs_a_coupon() {
    let desk = Desk::open().await;
    let shop = &desk.shop;
    let hong = shop.sign_up("hong1234").await;
    let apples = shop.product(shop.seller().await, 10_000, 20).await;
    let coupon = shop.coupon(10, Some(2), None).await;
    let given = desk.give(coupon, &hong.id, "배송이 늦어 죄송합니다.").await;
    let given = given.expect(201);
    let row = &given.body["coupon"];
    assert_eq!((&row["state"], &row["round"]), (&json!("HELD"), &json!(1)));
    assert_eq!(row["memo"], "배송이 늦어 죄송합니다.");
    assert_eq!(row["username"], "hong1234");
    let box_of = async |tab: &str, after: &Reply| {
        let ask = shop
            .get(&format!("/api/v1/me/coupons?tab={tab}"))
            .as_(&hong);
        let ask = ask.header("x-wait-position", &after.position());
        ask.send().await.expect(200).body["coupons"][0].clone()
    };
    let mine = box_of("usable", &given).await;
    assert_eq!(mine["memo"], "배송이 늦어 죄송합니다.");

    let first = id(&given);
    let taken = desk.take(&first, "잘못 지급되었습니다.").await.expect(200);
    assert_eq!(taken.body["coupon"]["state"], "TAKEN");
    assert_eq!(box_of("usable", &taken).await, Value::Null);
    let mine = box_of("expired", &taken).await;
    assert_eq!(mine["state"], "taken");
    assert_eq!(mine["memo"], "잘못 지급되었습니다.");
    let mut form = order_form(apples, 1);
    form["coupons"] = json!([{ "_issued": first }]);
    let order = async || {
        shop.post("/api/v1/shop/orders", &form)
            .as_(&hong)
            .send()
            .await
    };
    assert_eq!(order().await.expect(409).code(), "coupon_taken");
    assert_eq!(
        desk.take(&first, "또").await.expect(409).code(),
        "coupon_taken"
    );
    let late = json!({ "endsAt": "2999-12-31", "memo": "늘려 드립니다." });
    let refused = desk.change(&first, &late).await.expect(409);
    assert_eq!(refused.code(), "coupon_taken");

    // one that is taken counts still, so the limit is not passed when it comes back
    let second = desk.give(coupon, &hong.id, "하나 더").await.expect(201);
    let third = desk.give(coupon, &hong.id, "하나 더").await.expect(409);
    assert_eq!(third.code(), "coupon_used_up");
    let back = json!({ "taken": false, "memo": "다시 드립니다." });
    let back = desk.change(&first, &back).await.expect(200);
    assert_eq!(back.body["coupon"]["state"], "HELD");
    let last = (shop.clock.now() + Duration::days(3)).date();
    let change = json!({ "endsAt": last.to_string(), "memo": "사흘 더" });
    let changed = desk.change(&first, &change).await.expect(200);
    let ends = format!("{last}T15:00:00Z");
    assert_eq!(changed.body["coupon"]["endsAt"], ends);
    let placed = order().await.expect(201);
    let number = placed.body["order"]["orderNo"].clone();
    let used = desk.get(format!("{COUPONS}/{first}"), &placed).await;
    let used = &used["coupon"];
    assert_eq!(
        (&used["state"], &used["orderNo"]),
        (&json!("USED"), &number)
    );
    // of the goods and the fare
    assert_eq!(used["discount"], 1_025);
    let sentence = used["sentence"].as_str().unwrap();
    assert!(sentence.starts_with("주문 전체에서 10% 할인"), "{sentence}");
    assert_eq!(
        desk.take(&first, "회수").await.expect(409).code(),
        "coupon_used"
    );
    assert_eq!(
        desk.change(&first, &late).await.expect(409).code(),
        "coupon_used"
    );

    let list = desk.get(format!("{COUPONS}?_user={}&state=HELD", hong.id), &placed);
    let list = list.await;
    assert_eq!(list["summary"]["totalCount"], 1);
    assert_eq!(list["coupons"][0]["_id"], second.body["coupon"]["_id"]);
    let list = desk.get(
        format!("{COUPONS}?_coupon={coupon}&sort=createdAt"),
        &placed,
    );
    assert_eq!(list.await["coupons"][0]["_id"], first);
    let order = placed.body["order"]["_id"].as_str().unwrap();
    let list = desk.get(format!("{COUPONS}?_order={order}"), &placed).await;
    assert_eq!(list["summary"]["totalCount"], 1);
    let none = desk.get(format!("{COUPONS}?createdAtTo=2020-01-01"), &placed);
    assert_eq!(none.await["summary"]["totalCount"], 0);
    let report = verify(&shop.app.store, |_| {}).await.unwrap();
    assert!(report.is_clean(), "{:?}", report.differences);
}

#[tokio::test]
async fn wrong_gifts_are_refused_by_field_and_nothing_is_written() {
    let desk = Desk::open().await;
    let shop = &desk.shop;
    let (hong, kim) = (
        shop.sign_up("hong1234").await,
        shop.sign_up("kim12345").await,
    );
    let coupon = shop.coupon(10, None, None).await;
    let given = desk.give(coupon, &hong.id, "드립니다").await.expect(201);
    let first = id(&given);
    let head = shop.app.store.head().await.unwrap();
    let nobody = Uuid::now_v7();
    let long = "가".repeat(201);
    for (reply, field, code) in [
        (
            desk.give(nobody, &hong.id, "드립니다").await,
            "_coupon",
            "unknown_coupon",
        ),
        (
            desk.give(coupon, &nobody.to_string(), "드립니다").await,
            "_user",
            "unknown_member",
        ),
        (desk.give(coupon, &hong.id, " ").await, "memo", "memo"),
        (desk.give(coupon, &hong.id, &long).await, "memo", "memo"),
        (
            desk.give(coupon, &hong.id, "<b>드립니다</b>").await,
            "memo",
            "memo",
        ),
        (desk.take(&first, "").await, "memo", "memo"),
        (desk.take(&first, "%3Cb%3E").await, "memo", "memo"),
        (
            desk.change(&first, &json!({ "memo": "그냥" })).await,
            "endsAt",
            "required",
        ),
        (
            desk.change(&first, &json!({ "endsAt": "2020-12-31", "memo": "그냥" }))
                .await,
            "endsAt",
            "in_the_past",
        ),
        (
            desk.change(&first, &json!({ "endsAt": "2026-02-30", "memo": "그냥" }))
                .await,
            "endsAt",
            "date",
        ),
        (
            desk.change(&first, &json!({ "taken": true, "memo": "그냥" }))
                .await,
            "taken",
            "unknown_value",
        ),
    ] {
        assert_eq!(reply.complaint(), (field, code), "{}", reply.text);
        let reply = reply.expect(400);
        let message = reply.body["error"]["fields"][0]["message"]
            .as_str()
            .unwrap();
        assert!(
            message
                .chars()
                .any(|letter| ('가'..='힣').contains(&letter))
        );
    }
    let unknown = desk.take(&nobody.to_string(), "회수").await.expect(404);
    assert_eq!(unknown.code(), "not_found");
    // a member is no staff, and neither is a seller
    let (_, seller) = (&kim, crate::support::console::seller(shop).await);
    for who in [&kim, &seller] {
        let list = shop.get(COUPONS).as_(who).send().await.expect(403);
        assert_eq!(list.code(), "access_denied");
        let gift = json!({ "_coupon": coupon, "_user": kim.id, "memo": "드립니다" });
        shop.post(COUPONS, &gift).as_(who).send().await.expect(403);
    }
    // a repeated key gives once; with another body it is refused
    let gift = |memo: &str| json!({ "_coupon": coupon, "_user": kim.id, "memo": memo });
    let keyed = async |memo: &str| {
        let ask = shop.post(COUPONS, &gift(memo)).as_(&desk.staff);
        ask.key("gift-1").send().await
    };
    let sellers = shop.app.store.head().await.unwrap();
    assert!(sellers >= head);
    let once = keyed("드립니다").await.expect(201);
    let again = keyed("드립니다").await.expect(201);
    assert_eq!(id(&once), id(&again));
    let other = keyed("다른 말").await.expect(422);
    assert_eq!(other.code(), "idempotency_key_reused");
    let take = async |memo: &str| {
        let path = format!("{COUPONS}/{first}?memo={memo}");
        let ask = shop.ask(axum::http::Method::DELETE, &path);
        ask.as_(&desk.staff).key("take-1").send().await
    };
    take("one").await.expect(200);
    take("one").await.expect(200);
    assert_eq!(
        take("other").await.expect(422).code(),
        "idempotency_key_reused"
    );
    let issued: i64 =
        sqlx::query_scalar("SELECT count(*) FROM events WHERE event_type = 'CouponIssued'")
            .fetch_one(shop.app.pool())
            .await
            .unwrap();
    assert_eq!(issued, 2);
}
