//! Events, exhibitions and tag events in the shop: ongoing and ended by the clock, with products and coupons.

use serde_json::{Value, json};
use time::Duration;
use time::format_description::well_known::Rfc3339;

use crate::support::TestApp;
use crate::support::window::{put_up, seen};

fn names(body: &Value, many: &str) -> Vec<String> {
    let rows = body[many].as_array().unwrap();
    rows.iter()
        .map(|row| row["name"].as_str().unwrap().to_owned())
        .collect()
}

#[tokio::test]
async fn an_event_is_ended_by_the_clock_and_its_coupons_with_it() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let seller = shop.seller().await;
    let product = shop.product(seller, 1_000, 5).await;
    let now = shop.app.clock.now();
    let at = |days| (now + Duration::days(days)).format(&Rfc3339).unwrap();
    let coupon = json!({ "name": "주행 쿠폰", "unit": "PERCENT", "value": 5, "onDisplay": true,
        "issue": { "type": "request", "isActive": true }, "usage": { "type": "product", "isActive": true } });
    let (coupon, _) = put_up(&shop, &staff, "shop/coupons", &coupon).await;
    let event = |name: &str, starts: i64, ends: i64, shows: bool| {
        json!({ "name": name, "desc": "소개", "content": "<p>내용</p>", "thumb": { "url": "/pictures/a.webp" },
            "startsAt": at(starts), "endsAt": at(ends), "shows": shows, "_products": [product], "_coupons": [coupon] })
    };
    for (name, starts, ends, shows) in [
        ("지난 이벤트", -9, -1, true),
        ("다음 이벤트", 1, 9, true),
        ("숨은 이벤트", -1, 9, false),
    ] {
        put_up(
            &shop,
            &staff,
            "shop/events",
            &event(name, starts, ends, shows),
        )
        .await;
    }
    let ongoing = event("첫 주행", -1, 2, true);
    let (id, position) = put_up(&shop, &staff, "shop/events", &ongoing).await;

    let all = seen(&shop, &position, "shop/events").await;
    assert_eq!(names(&all, "events"), ["첫 주행", "지난 이벤트"]);
    assert_eq!(all["summary"]["totalCount"], 2);
    let filtered = async |filter: &str| {
        let body = seen(&shop, &position, &format!("shop/events?filter={filter}")).await;
        names(&body, "events")
    };
    assert_eq!(filtered("ONGOING").await, ["첫 주행"]);
    assert_eq!(filtered("ENDED").await, ["지난 이벤트"]);
    assert_eq!(filtered("ALL").await.len(), 2);

    let one = format!("shop/events/{id}");
    let body = seen(&shop, &position, &one).await;
    let event = &body["event"];
    assert_eq!(event["state"], "ONGOING");
    assert_eq!(event["products"][0]["_id"], json!(product));
    assert_eq!(event["coupons"][0]["_id"], json!(coupon));
    assert_eq!(event["content"], "<p>내용</p>");

    shop.advance(Duration::days(3));
    let body = seen(&shop, &position, &one).await;
    assert_eq!(body["event"]["state"], "ENDED");
    assert_eq!(body["event"]["coupons"], json!([]));
    assert_eq!(filtered("ONGOING").await, ["다음 이벤트"]);
    assert_eq!(filtered("ENDED").await.len(), 2);
    shop.get("/api/v1/shop/events/none")
        .send()
        .await
        .expect(404);
    shop.get("/api/v1/shop/events?filter=x")
        .send()
        .await
        .expect(400);
}

#[tokio::test]
async fn exhibitions_tag_events_and_category_details_are_read_by_guests() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let thumb = json!({ "url": "/pictures/a.webp" });
    let exhibition = json!({ "name": "봄 라이딩", "thumb": thumb, "shows": true });
    let (id, position) = put_up(&shop, &staff, "shop/exhibitions", &exhibition).await;
    let list = seen(&shop, &position, "shop/exhibitions").await;
    assert_eq!(names(&list, "exhibitions"), ["봄 라이딩"]);
    let one = seen(&shop, &position, &format!("shop/exhibitions/{id}")).await;
    assert_eq!(one["exhibition"]["products"], json!([]));
    assert_eq!(one["exhibition"].get("tag"), None);

    let tag = json!({ "name": "한강", "tag": "한강라이딩", "thumb": thumb, "shows": true });
    let (id, position) = put_up(&shop, &staff, "shop/tag-events", &tag).await;
    let list = seen(&shop, &position, "shop/tag-events?filter=ONGOING").await;
    assert_eq!(list["tagEvents"][0]["tag"], "한강라이딩");
    let one = seen(&shop, &position, &format!("shop/tag-events/{id}")).await;
    assert_eq!(one["tagEvent"]["name"], "한강");
    for (tag, code) in [("#한강", "not_a_tag"), ("", "required")] {
        let wrong = json!({ "name": "한강", "tag": tag, "thumb": thumb });
        let refused = shop
            .post("/api/console/shop/tag-events", &wrong)
            .as_(&staff);
        let refused = refused.send().await.expect(400);
        assert_eq!(refused.complaint(), ("tag", code), "{tag}");
    }

    let road = json!({ "code": "road", "name": "로드" });
    let made = shop.post("/api/console/shop/categories", &road).as_(&staff);
    made.send().await.expect(201);
    let detail = |name: &str, category: Value, shows: bool| json!({ "name": name, "category": category, "shows": shows });
    put_up(
        &shop,
        &staff,
        "shop/category-details",
        &detail("숨은 안내", json!("road"), false),
    )
    .await;
    put_up(
        &shop,
        &staff,
        "shop/category-details",
        &detail("모두의 안내", Value::Null, true),
    )
    .await;
    let (id, position) = put_up(
        &shop,
        &staff,
        "shop/category-details",
        &detail("로드 안내", json!("road"), true),
    )
    .await;
    let of = async |query: &str| {
        let body = seen(&shop, &position, &format!("shop/category-details{query}")).await;
        let mut names = names(&body, "categoryDetails");
        names.sort();
        names
    };
    assert_eq!(of("?category=road").await, ["로드 안내", "모두의 안내"]);
    assert_eq!(of("?category=mini").await, ["모두의 안내"]);
    let one = seen(&shop, &position, &format!("shop/category-details/{id}")).await;
    assert_eq!(one["categoryDetail"]["category"], "road");
}
