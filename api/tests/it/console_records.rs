//! Records in the console: made, changed by one at a time, removed, brought back, and never a stranger's.

use std::collections::BTreeMap;

use api::console::records;
use event_store::testing::until;
use serde_json::{Value, json};

use crate::support::{Account, Ask, Reply, TestApp};

async fn show(shop: &TestApp, who: &Account, path: &str) -> Reply {
    shop.get(path).as_(who).send().await
}

#[tokio::test]
async fn every_kind_of_record_has_the_same_calls() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let seller = shop.company("seller01").await.id;
    let usage =
        json!({ "type": "total", "isActive": true, "limit": { "shop": { "count__sum": 20 } } });
    let setting = json!({ "name": "장부상회", "unpaidDeadlineMinutes": 60, "autoConfirmDays": 7 });
    let picture = json!({ "url": "/pictures/JU-01.webp", "alt": "주스" });
    let kinds: [(&str, &str, &str, Value); 15] = [
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
            "/api/console/terms",
            "terms",
            "terms",
            json!({ "code": "service", "name": "이용약관", "content": "제1조", "edition": 1, "startsAt": "2026-01-01T00:00:00+09:00" }),
        ),
    ];
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
            // the shop cannot be without it
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
async fn stock_is_counted_with_the_product_and_a_code_has_one_owner() {
    let shop = TestApp::start().await;
    let seller = shop.company("seller01").await;
    let option = |value: &str, stock: u32| json!({ "name": "크기", "value": value, "price": 0, "enabled": true, "stock": stock });
    let form = json!({
        "code": "B-1", "name": "배 한 상자", "price": 500, "shows": true, "optionsConf": { "enabled": true, "sort": "OTHER" },
        "discount": { "unit": "PERCENT", "value": 15 },
        "options": [option("소", 3), option("대", 5)],
    });
    let path = "/api/console/shop/products";
    let made = shop.post(path, &form).as_(&seller).send().await.expect(201);
    let counts = made.body["product"]["stock"].as_array().unwrap().clone();
    assert_eq!(
        counts
            .iter()
            .map(|count| count["available"].as_i64().unwrap())
            .collect::<Vec<_>>(),
        [3, 5]
    );
    let taken = shop.post(path, &form).as_(&seller).send().await.expect(409);
    assert_eq!(taken.code(), "code_taken");

    let own = format!("{path}/{}", made.body["product"]["_id"].as_str().unwrap());
    let recount = json!({ "version": 1, "name": "배 두 상자", "stock": [{ "_stock": counts[0]["_stock"], "quantity": 30 }] });
    let revised = shop
        .put(&own, &recount)
        .as_(&seller)
        .send()
        .await
        .expect(200);
    assert_eq!(revised.body["product"]["stock"][0]["available"], 30);
    let listed = shop
        .get(path)
        .as_(&seller)
        .header("x-wait-position", &revised.position())
        .send()
        .await;
    for product in [&revised.body["product"], &listed.body["products"][0]] {
        assert_eq!(
            (&product["salePrice"], &product["discountRate"]),
            (&json!(425), &json!(15))
        );
    }
    let last = shop.app.store.read_all(0, i64::MAX, 10_000).await.unwrap();
    let [.., one, two] = last.as_slice() else {
        panic!("two events")
    };
    assert_eq!(
        one.metadata.command_id, two.metadata.command_id,
        "one append"
    );
    let stranger =
        json!({ "version": 2, "stock": [{ "_stock": uuid::Uuid::now_v7(), "quantity": 1 }] });
    let refused = shop
        .put(&own, &stranger)
        .as_(&seller)
        .send()
        .await
        .expect(400);
    assert_eq!(
        refused.body["error"]["fields"][0]["field"],
        "stock.0._stock"
    );
    let pile = |more: Value| {
        let mut pile = json!({ "_stock": counts[0]["_stock"] });
        pile.as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        json!({ "version": 2, "stock": [pile] })
    };
    for (count, code) in [
        (json!({}), "required"),
        // orders took some since the form was opened
        (json!({ "quantity": 40, "available": 3 }), "changed"),
    ] {
        let refused = shop.put(&own, &pile(count)).as_(&seller).send();
        let refused = refused.await.expect(400);
        let complaint = &refused.body["error"]["fields"][0];
        assert_eq!(complaint["field"], "stock.0.quantity");
        assert_eq!(complaint["code"], code);
    }
    let seen = pile(json!({ "quantity": 30, "available": 30 }));
    shop.put(&own, &seen).as_(&seller).send().await.expect(200);

    shop.put(&own, &json!({ "version": 2, "code": "B-2" }))
        .as_(&seller)
        .send()
        .await
        .expect(200);
    let next = shop.post(path, &form).as_(&seller).send().await.expect(201);
    let back = shop
        .post(&format!("{own}/restore"), &json!({ "version": 1 }))
        .as_(&seller)
        .send()
        .await
        .expect(409);
    assert_eq!(
        (back.code(), &back.body["error"]["fields"][0]["field"]),
        ("code_taken", &json!("code"))
    );
    shop.delete(&format!(
        "{path}/{}",
        next.body["product"]["_id"].as_str().unwrap()
    ))
    .as_(&seller)
    .send()
    .await
    .expect(200);
    shop.post(&format!("{own}/restore"), &json!({ "version": 1 }))
        .as_(&seller)
        .send()
        .await
        .expect(200);
}

#[tokio::test]
async fn what_names_something_that_is_gone_does_not_come_back() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let sent = async |ask: Ask, status: u16| ask.as_(&staff).send().await.expect(status);
    let (brands, categories, products) = (
        "/api/console/shop/brands",
        "/api/console/shop/categories",
        "/api/console/shop/products",
    );
    let brand = json!({ "code": "baram", "name": "바람", "shows": true });
    let category = json!({ "code": "bike", "name": "자전거" });
    let made = sent(shop.post(brands, &brand), 201).await;
    let brand_at = format!("{brands}/{}", made.body["brand"]["_id"].as_str().unwrap());
    let made = sent(shop.post(categories, &category), 201).await;
    let category_at = format!(
        "{categories}/{}",
        made.body["category"]["_id"].as_str().unwrap()
    );

    let form = json!({
        "code": "B-1", "name": "로드 하나", "_seller": staff.id, "price": 500, "shows": true,
        "brand": "baram", "categories": ["bike"],
    });
    let made = sent(shop.post(products, &form), 201).await;
    let own = format!(
        "{products}/{}",
        made.body["product"]["_id"].as_str().unwrap()
    );
    let without = json!({ "version": 1, "brand": null, "categories": [] });
    sent(shop.put(&own, &without), 200).await;
    sent(shop.delete(&brand_at), 200).await;
    sent(shop.delete(&category_at), 200).await;

    let again = json!({ "version": 1 });
    let restore = format!("{own}/restore");
    let wrong = |reply: &Reply| -> Vec<(String, String)> {
        let fields = reply.body["error"]["fields"].as_array().unwrap().iter();
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        fields
            .map(|one| (text(&one["field"]), text(&one["code"])))
            .collect()
    };
    let gone = ["categories", "brand"].map(|field| (field.to_owned(), "unknown".to_owned()));
    let refused = sent(shop.post(&restore, &again), 400).await;
    assert_eq!(wrong(&refused), gone);
    let told = refused.body["error"]["fields"][0]["message"]
        .as_str()
        .unwrap();
    assert!(told.contains("bike"), "{told}");
    // a removed one comes back by the same rules, and so is one written that names what never was
    sent(shop.delete(&own), 200).await;
    let refused = sent(shop.post(&restore, &again), 400).await;
    assert_eq!(wrong(&refused), gone);
    let display = json!({ "code": "MERIT", "name": "진열", "_products": [uuid::Uuid::now_v7()], "shows": true });
    let refused = sent(shop.post("/api/console/shop/displays", &display), 400).await;
    assert_eq!(
        wrong(&refused),
        [("_products".to_owned(), "unknown".to_owned())]
    );

    sent(shop.post(brands, &brand), 201).await;
    sent(shop.post(categories, &category), 201).await;
    let back = sent(shop.post(&restore, &again), 200).await;
    assert_eq!(back.body["product"]["categories"], json!(["bike"]));
}

#[tokio::test]
async fn what_is_longer_than_today_allows_does_not_come_back() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let level = json!({ "code": "gold", "name": "골드", "index": 2, "isActive": true });
    let made = shop.post("/api/console/levels", &level).as_(&staff);
    let made = made.send().await.expect(201);
    let id = made.body["level"]["_id"].as_str().unwrap();
    let own = format!("/api/console/levels/{id}");
    // written when names had no end
    sqlx::query(
        "INSERT INTO events (aggregate_type, aggregate_id, sequence, event_type, event_version, payload, metadata)
         SELECT aggregate_type, aggregate_id, 2, 'LevelRevised', event_version,
                jsonb_build_object('Revised', jsonb_build_object('changes', jsonb_build_object('name',
                    jsonb_build_object('from', '골드', 'to', repeat('금', 101))))), metadata
         FROM events WHERE aggregate_type = 'level' AND aggregate_id = $1",
    )
    .bind(id)
    .execute(shop.app.pool())
    .await
    .unwrap();
    let short = json!({ "version": 2, "name": "금금" });
    shop.put(&own, &short).as_(&staff).send().await.expect(200);
    let restore = async |version: u64| {
        let asked = json!({ "version": version });
        let ask = shop.post(&format!("{own}/restore"), &asked).as_(&staff);
        ask.send().await
    };
    let refused = restore(2).await.expect(400);
    let field = &refused.body["error"]["fields"][0];
    assert_eq!(
        (refused.code(), &field["field"], &field["code"]),
        ("invalid", &json!("name"), &json!("too_long"))
    );
    for nowhere in [0, 4, u64::MAX] {
        let refused = restore(nowhere).await.expect(400);
        assert_eq!(
            refused.body["error"]["fields"][0]["field"], "version",
            "{nowhere}"
        );
    }
    let back = restore(1).await.expect(200);
    assert_eq!(back.body["level"]["name"], "골드");
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
async fn the_category_tree_grows_moves_and_makes_no_cycle() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let path = "/api/console/shop/categories";
    let add = async |code: &str, parent: &str| {
        let form = json!({ "code": code, "name": format!("분류 {code}"), "parent": parent });
        shop.post(path, &form).as_(&staff).send().await
    };
    let id = |reply: &Reply| reply.body["category"]["_id"].as_str().unwrap().to_owned();
    let top = id(&add("a", "").await.expect(201));
    let below = id(&add("b", "a").await.expect(201));
    add("c", &below).await.expect(201);
    assert_eq!(add("c", "a").await.expect(409).code(), "code_taken");
    add("d", "c").await.expect(400);
    let cycle = shop
        .put(
            &format!("{path}/{top}"),
            &json!({ "parent": below, "version": 3 }),
        )
        .as_(&staff)
        .send()
        .await
        .expect(400);
    assert_eq!(cycle.body["error"]["fields"][0]["field"], "parent");
    let late = shop
        .put(
            &format!("{path}/{top}"),
            &json!({ "name": "새 이름", "version": 1 }),
        )
        .as_(&staff)
        .send()
        .await
        .expect(409);
    assert_eq!(
        (late.code(), &late.body["error"]["details"]["version"]),
        ("version_conflict", &json!(3))
    );
    shop.put(
        &format!("{path}/{below}"),
        &json!({ "name": "옮김", "parent": "", "version": 3 }),
    )
    .as_(&staff)
    .send()
    .await
    .expect(200);
    let tree = show(&shop, &staff, path).await.expect(200);
    assert_eq!(
        (
            tree.body["categories"].as_array().unwrap().len(),
            &tree.body["version"]
        ),
        (2, &json!(5))
    );
    shop.delete(&format!("{path}/{below}"))
        .as_(&staff)
        .send()
        .await
        .expect(200);
    show(&shop, &staff, &format!("{path}/{below}"))
        .await
        .expect(404);
    for nowhere in [99, u64::MAX] {
        let asked = json!({ "version": nowhere });
        let ask = shop.post(&format!("{path}/{below}/restore"), &asked);
        let refused = ask.as_(&staff).send().await.expect(400);
        assert_eq!(refused.body["error"]["fields"][0]["field"], "version");
    }
    let back = shop
        .post(&format!("{path}/{below}/restore"), &json!({ "version": 3 }))
        .as_(&staff)
        .send()
        .await
        .expect(200);
    assert_eq!(
        (
            &back.body["category"]["name"],
            &back.body["category"]["depth"]
        ),
        (&json!("분류 b"), &json!(2))
    );
    let history = show(&shop, &staff, &format!("{path}/{below}/history"))
        .await
        .expect(200);
    assert_eq!(history.body["events"].as_array().unwrap().len(), 5);
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
        records::index(&shop.app).await.unwrap()
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
    // both find no index, and wait for somebody who writes
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
        records::index(&shop.app),
        records::index(&shop.app),
        written
    );
    assert!(one.unwrap() && two.unwrap());
    assert_eq!(made().await.len(), before.len());
}

#[tokio::test]
async fn a_category_stands_where_it_is_put_and_goes_back_from_there() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let path = "/api/console/shop/categories";
    let mut ids = BTreeMap::new();
    for code in ["a", "b", "c"] {
        let form = json!({ "code": code, "name": format!("분류 {code}") });
        let made = shop.post(path, &form).as_(&staff).send().await.expect(201);
        let id = made.body["category"]["_id"].as_str().unwrap().to_owned();
        ids.insert(code, id);
    }
    let put = async |code: &str, form: Value| {
        let one = format!("{path}/{}", ids[code]);
        shop.put(&one, &form).as_(&staff).send().await
    };
    let order = async || {
        let tree = show(&shop, &staff, path).await.expect(200);
        let rows = tree.body["categories"].as_array().unwrap().clone();
        let codes: Vec<&str> = rows.iter().filter_map(|row| row["code"].as_str()).collect();
        codes.concat()
    };
    let first = put("c", json!({ "before": ids["a"], "version": 3 })).await;
    let version = first.expect(200).body["version"].clone();
    assert_eq!(order().await, "cab");
    // to the same place again: nothing happens
    let again = put("c", json!({ "before": ids["a"], "version": version })).await;
    assert_eq!(again.expect(200).body["version"], version);
    // back again, from the version the move made
    put(
        "c",
        json!({ "parent": "", "before": "", "version": version }),
    )
    .await
    .expect(200);
    assert_eq!(order().await, "abc");
    // who was faster is not overwritten by the way back
    let late = put("c", json!({ "before": "", "version": version })).await;
    assert_eq!(late.expect(409).code(), "version_conflict");
    for nowhere in [
        "a",
        "00000000-0000-0000-0000-000000000009",
        ids["b"].as_str(),
    ] {
        let refused = put("b", json!({ "before": nowhere })).await.expect(400);
        assert_eq!(refused.body["error"]["fields"][0]["field"], "before");
    }
    // three levels and no more: what is under a category comes along
    for (code, parent) in [("d", "a"), ("e", "d")] {
        let form = json!({ "code": code, "name": format!("분류 {code}"), "parent": parent });
        shop.post(path, &form).as_(&staff).send().await.expect(201);
    }
    for form in [
        json!({ "parent": ids["b"] }),
        json!({ "parent": ids["b"], "before": "" }),
    ] {
        let refused = put("a", form).await.expect(400);
        assert_eq!(refused.complaint(), ("parent", "category_too_deep"));
    }
    assert_eq!(order().await, "abc");
    put("b", json!({ "parent": ids["a"], "before": "" }))
        .await
        .expect(200);
    assert_eq!(order().await, "ac");
}
