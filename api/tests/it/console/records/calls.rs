//! Records in the console: created, changed with optimistic locking, removed, restored, and inaccessible to others.

use application::resources::create_indexes;
use event_store::testing::until;
use serde_json::{Value, json};

use crate::console::records::show;
use crate::support::TestApp;
use crate::support::kinds::{another, can, kinds, text};

#[tokio::test]
async fn every_kind_of_record_has_the_same_calls() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let seller = shop.company("seller01").await.id;
    let usage =
        json!({ "type": "total", "isActive": true, "limit": { "shop": { "count__sum": 20 } } });
    let setting = json!({ "name": "장부상회", "unpaidDeadlineMinutes": 60, "autoConfirmDays": 7 });
    let picture = json!({ "url": "/pictures/JU-01.webp", "alt": "주스" });
    let written: [(&str, &str, &str, Value); 17] = [
        (
            "/api/console/shop/products",
            "product",
            "products",
            json!({ "code": "A-1", "name": "사과", "price": 100, "shows": true, "_seller": seller }),
        ),
        (
            "/api/console/shop/shippings",
            "shipping",
            "shippings",
            json!({ "name": "택배", "_seller": seller, "isActive": true, "options": [{ "name": "택배" }] }),
        ),
        (
            "/api/console/shop/islands",
            "island",
            "islands",
            json!({ "name": "제주", "starts": "63000", "ends": "63644", "area": "jeju" }),
        ),
        (
            "/api/console/shop/coupons",
            "coupon",
            "coupons",
            json!({ "name": "할인", "unit": "PERCENT", "value": 5, "issue": { "isActive": true }, "usage": usage }),
        ),
        (
            "/api/console/levels",
            "level",
            "levels",
            json!({ "code": "gold", "name": "골드", "index": 2, "isActive": true }),
        ),
        ("/api/console/setting", "setting", "settings", setting),
        (
            "/api/console/shop/holidays",
            "holiday",
            "holidays",
            json!({ "date": "2026-09-25", "name": "추석" }),
        ),
        (
            "/api/console/shop/brands",
            "brand",
            "brands",
            json!({ "code": "baram", "name": "바람", "shows": true }),
        ),
        (
            "/api/console/shop/displays",
            "display",
            "displays",
            json!({ "code": "MERIT", "name": "열 가지 이유", "items": [{ "title": "비타민" }], "shows": true }),
        ),
        (
            "/api/console/shop/showrooms",
            "showroom",
            "showrooms",
            json!({ "code": "city", "name": "도심", "image": picture, "shows": true }),
        ),
        (
            "/api/console/shop/stores",
            "store",
            "stores",
            json!({ "name": "여의도점", "_seller": seller, "address1": "여의동로 330", "thumb": picture, "shows": true }),
        ),
        (
            "/api/console/banners",
            "banner",
            "banners",
            json!({ "code": "MAIN_1", "name": "메인", "device": "PC", "slides": [{ "image": picture }] }),
        ),
        (
            "/api/console/bandBanners",
            "bandBanner",
            "bandBanners",
            json!({ "code": "main", "name": "띠배너", "content": "무료 배송" }),
        ),
        (
            "/api/console/bannerAdvertisements",
            "bannerAdvertisement",
            "bannerAdvertisements",
            json!({ "name": "광고", "image": picture }),
        ),
        (
            "/api/console/popups",
            "popup",
            "popups",
            json!({ "name": "설 안내", "content": "<p>쉽니다</p>", "width": 300, "height": 400 }),
        ),
        (
            "/api/console/center/notifications",
            "notification",
            "notifications",
            json!({ "name": "설 배송 안내", "category": "DELIVERY", "content": "<p>쉽니다</p>" }),
        ),
        (
            "/api/console/terms",
            "terms",
            "terms",
            json!({ "code": "service", "name": "이용약관", "content": "제1조", "edition": 1, "startsAt": "2026-01-01T00:00:00+09:00" }),
        ),
    ];
    // Every other kind with the sample of its first event.
    let declared = kinds();
    let of_samples = declared
        .iter()
        .filter(|kind| can(kind, "create"))
        .filter(|kind| !written.iter().any(|(path, ..)| *path == text(kind, "path")))
        .map(|kind| {
            let (path, one, many) = (text(kind, "path"), text(kind, "one"), text(kind, "many"));
            (path, one, many, another(kind, 0))
        });
    let kinds: Vec<(&str, &str, &str, Value)> = written.iter().cloned().chain(of_samples).collect();
    for (path, one, many, document) in kinds {
        let mut wrong = document.clone();
        wrong["name"] = json!("김");
        let refused = shop.post(path, &wrong).as_(&staff).send().await.expect(400);
        assert_eq!(
            (refused.code(), &refused.body["error"]["fields"][0]["field"]),
            ("invalid", &json!("name")),
            "{path}"
        );
        wrong["name"] = json!(7);
        let refused = shop.post(path, &wrong).as_(&staff).send().await.expect(400);
        assert_eq!(
            (refused.code(), &refused.body["error"]["fields"][0]["field"]),
            ("invalid_body", &json!("name")),
            "{path}"
        );

        let made = shop
            .post(path, &document)
            .as_(&staff)
            .key(one)
            .send()
            .await
            .expect(201);
        let again = shop
            .post(path, &document)
            .as_(&staff)
            .key(one)
            .send()
            .await
            .expect(201);
        let id = made.body[one]["_id"].as_str().unwrap().to_owned();
        assert_eq!(
            (
                again.body[one]["_id"].as_str(),
                again.header("idempotent-replay")
            ),
            (Some(id.as_str()), Some("1")),
            "{path}"
        );
        let own = format!("{path}/{id}");
        assert_eq!(
            show(&shop, &staff, &own).await.expect(200).body[one]["version"],
            1
        );

        let revised = shop
            .put(&own, &json!({ "name": "새 이름", "version": 1 }))
            .as_(&staff)
            .send()
            .await
            .expect(200);
        assert_eq!(
            (&revised.body[one]["name"], &revised.body[one]["version"]),
            (&json!("새 이름"), &json!(2)),
            "{path}"
        );
        let conflict = shop
            .put(&own, &json!({ "name": "다른 이름", "version": 1 }))
            .as_(&staff)
            .send()
            .await
            .expect(409);
        let details = &conflict.body["error"]["details"];
        assert_eq!(conflict.code(), "version_conflict");
        assert_eq!(
            (
                &details["sent"],
                &details["version"],
                &details["current"]["name"]
            ),
            (&json!(1), &json!(2), &json!("새 이름"))
        );
        shop.put(&own, &json!({ "name": "다른 이름" }))
            .as_(&staff)
            .send()
            .await
            .expect(400);

        let listed = shop
            .get(path)
            .as_(&staff)
            .header("x-wait-position", &revised.position())
            .send()
            .await
            .expect(200);
        assert_eq!(
            (
                &listed.body["summary"]["totalCount"],
                &listed.body[many][0]["name"]
            ),
            (&json!(1), &json!("새 이름")),
            "{path}"
        );

        if one == "setting" {
            // The shop requires this record.
            let refused = shop.delete(&own).as_(&staff).send().await.expect(405);
            assert_eq!(refused.code(), "method_not_allowed");
            show(&shop, &staff, &own).await.expect(200);
            continue;
        }
        let removed = shop.delete(&own).as_(&staff).send().await.expect(200);
        show(&shop, &staff, &own).await.expect(404);
        let listed = shop
            .get(path)
            .as_(&staff)
            .header("x-wait-position", &removed.position())
            .send()
            .await
            .expect(200);
        assert_eq!(listed.body["summary"]["totalCount"], 0, "{path}");
        let back = shop
            .post(&format!("{own}/restore"), &json!({ "version": 1 }))
            .as_(&staff)
            .send()
            .await
            .expect(200);
        assert_eq!(
            (&back.body[one]["name"], &back.body[one]["removed"]),
            (&document["name"], &json!(false)),
            "{path}"
        );

        let history = show(&shop, &staff, &format!("{own}/history"))
            .await
            .expect(200);
        let events = history.body["events"].as_array().unwrap();
        let titles: Vec<&str> = events
            .iter()
            .map(|event| event["title"].as_str().unwrap())
            .collect();
        assert_eq!(
            titles,
            [
                "등록했습니다",
                "수정했습니다",
                "삭제했습니다",
                "복원했습니다"
            ],
            "{path}"
        );
        assert_eq!(
            events[1]["changes"]["name"],
            json!({ "from": document["name"], "to": "새 이름" })
        );
        assert_eq!(
            (&events[1]["actor"]["kind"], &events[1]["document"]["name"]),
            (&json!("operator"), &json!("새 이름"))
        );
    }
}

#[tokio::test]
async fn a_seller_keeps_own_records_only() {
    let shop = TestApp::start().await;
    let (seller, other, staff) = (
        shop.company("seller01").await,
        shop.company("seller02").await,
        shop.console().await,
    );
    let product = shop.console_product(&seller, "A-1").await;
    let path = format!(
        "/api/console/shop/products/{}",
        product["_id"].as_str().unwrap()
    );
    assert_eq!(product["_seller"], json!(seller.id));
    show(&shop, &other, &path).await.expect(404);
    show(&shop, &other, &format!("{path}/history"))
        .await
        .expect(404);
    shop.put(&path, &json!({ "price": 1, "version": 1 }))
        .as_(&other)
        .send()
        .await
        .expect(404);
    shop.delete(&path).as_(&other).send().await.expect(404);
    shop.post(&format!("{path}/restore"), &json!({ "version": 1 }))
        .as_(&other)
        .send()
        .await
        .expect(404);
    let stolen = json!({ "_seller": other.id, "price": 900, "version": 1 });
    let kept = shop
        .put(&path, &stolen)
        .as_(&seller)
        .send()
        .await
        .expect(200);
    assert_eq!(
        (
            &kept.body["product"]["_seller"],
            &kept.body["product"]["price"]
        ),
        (&json!(seller.id), &json!(900))
    );
    let list = shop
        .get("/api/console/shop/products")
        .header("x-wait-position", &kept.position());
    assert_eq!(
        list.as_(&other).send().await.expect(200).body["summary"]["totalCount"],
        0
    );
    for path in [
        "/api/console/levels",
        "/api/console/setting",
        "/api/console/shop/holidays",
        "/api/console/shop/islands",
        "/api/console/shop/showrooms",
    ] {
        assert_eq!(
            show(&shop, &seller, path).await.expect(403).code(),
            "access_denied",
            "{path}"
        );
    }
    show(&shop, &staff, &path).await.expect(200);
}

#[tokio::test]
async fn who_registered_a_coupon_is_not_for_people_to_say() {
    let shop = TestApp::start().await;
    let (seller, staff) = (shop.company("seller01").await, shop.console().await);
    let coupon = json!({
        "name": "할인", "unit": "PERCENT", "value": 5, "issue": { "isActive": true },
        "usage": { "isActive": true, "type": "total" }, "_issuer": seller.id,
    });
    let path = "/api/console/shop/coupons";
    let made = shop.post(path, &coupon).as_(&staff).send().await;
    let made = made.expect(201).body["coupon"].clone();
    assert_eq!(made["_issuer"], json!(staff.id));
    let path = format!("{path}/{}", made["_id"].as_str().unwrap());
    let other = json!({ "version": 1, "_issuer": seller.id });
    let refused = shop.put(&path, &other).as_(&staff).send().await;
    assert_eq!(refused.expect(400).complaint(), ("_issuer", "read_only"));
}

#[tokio::test]
async fn two_who_save_at_once_are_told_apart() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let level = json!({ "code": "gold", "name": "골드", "index": 2, "isActive": true });
    let made = shop
        .post("/api/console/levels", &level)
        .as_(&staff)
        .send()
        .await
        .expect(201);
    let path = format!(
        "/api/console/levels/{}",
        made.body["level"]["_id"].as_str().unwrap()
    );
    let saves = (0..8).map(|index| {
        let change = json!({ "version": 1, "name": format!("골드 {index}") });
        shop.put(&path, &change).as_(&staff).send()
    });
    let replies = futures::future::join_all(saves).await;
    let saved = replies.iter().filter(|reply| reply.status == 200).count();
    let conflicts = replies
        .iter()
        .filter(|reply| reply.code() == "version_conflict")
        .count();
    assert_eq!((saved, conflicts), (1, 7));
}

#[tokio::test]
async fn servers_that_start_together_all_make_the_indexes_of_lists() {
    let shop = TestApp::start().await;
    let pool = shop.app.pool();
    let made = async || -> Vec<(String, String)> {
        let sql = "SELECT tablename::text, indexname::text FROM pg_indexes WHERE indexname LIKE tablename || '_product_%'";
        sqlx::query_as(sql).fetch_all(pool).await.unwrap()
    };
    until("the shop's own worker has made them", async || {
        create_indexes(&shop.app).await.unwrap()
    })
    .await;
    let before = made().await;
    assert!(before.len() > 5);
    for (_, name) in &before {
        sqlx::query(&format!("DROP INDEX \"{name}\""))
            .execute(pool)
            .await
            .unwrap();
    }
    // Both find no index, and wait for an open writing transaction.
    let mut writer = event_store::begin(pool).await.unwrap();
    let table = &before[0].0;
    sqlx::query(&format!("LOCK TABLE {table} IN ROW EXCLUSIVE MODE"))
        .execute(&mut *writer)
        .await
        .unwrap();
    let written = async {
        shop.until_waiting(2).await;
        writer.commit().await.unwrap();
    };
    let (one, two, ()) = tokio::join!(
        create_indexes(&shop.app),
        create_indexes(&shop.app),
        written
    );
    assert!(one.unwrap() && two.unwrap());
    assert_eq!(made().await.len(), before.len());
}
