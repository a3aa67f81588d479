//! The front of the shop: what staff puts there, and what shoppers see of it now.

use domain::member::Member;
use domain::order::Order;
use serde_json::{Value, json};

use crate::shop_support::{id_of, order_form};
use crate::support::{Account, Reply, TestApp};

/// Makes a record in the console.
async fn made(shop: &TestApp, staff: &Account, path: &str, document: &Value) -> Reply {
    shop.post(&format!("/api/console/{path}"), document)
        .as_(staff)
        .send()
        .await
}

fn banner(device: &str) -> Value {
    let slide = json!({ "image": { "url": "/pictures/JU-01.webp" }, "url": "/shop/products" });
    json!({ "code": "MAIN_1", "name": "메인", "device": device, "slides": [slide], "display": { "enabled": true } })
}

#[tokio::test]
async fn codes_are_unique_a_banners_per_device_and_terms_per_edition() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    made(&shop, &staff, "banners", &banner("PC"))
        .await
        .expect(201);
    made(&shop, &staff, "banners", &banner("MOBILE"))
        .await
        .expect(201);
    let again = made(&shop, &staff, "banners", &banner("PC"))
        .await
        .expect(409);
    assert_eq!(again.code(), "code_taken");
    let terms = |edition: u32| json!({ "code": "service", "name": "이용약관", "content": "제1조", "edition": edition, "startsAt": "2026-01-01T00:00:00+09:00" });
    made(&shop, &staff, "terms", &terms(1)).await.expect(201);
    made(&shop, &staff, "terms", &terms(2)).await.expect(201);
    let again = made(&shop, &staff, "terms", &terms(2)).await.expect(409);
    assert_eq!(again.code(), "code_taken");
}

#[tokio::test]
async fn links_never_lead_to_scripts_and_periods_have_an_order() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    for address in [
        "javascript:alert(1)",
        "//evil.example",
        "data:text/html,x",
        "/a b",
        "https://",
        "http://example.com/",
        "\\\\evil",
    ] {
        let mut wrong = banner("PC");
        wrong["slides"][0]["url"] = json!(address);
        let refused = made(&shop, &staff, "banners", &wrong).await.expect(400);
        assert_eq!(
            refused.complaint(),
            ("slides.0.url", "not_an_address"),
            "{address}"
        );
    }
    let mut wrong = banner("PC");
    wrong["display"] = json!({ "enabled": true, "hasPeriod": true, "startedAt": "2026-06-01T00:00:00Z", "endedAt": "2026-05-01T00:00:00Z" });
    let refused = made(&shop, &staff, "banners", &wrong).await.expect(400);
    assert_eq!(refused.complaint(), ("display.endedAt", "out_of_order"));
}

#[tokio::test]
async fn a_product_names_a_brand_that_is_there() {
    let shop = TestApp::start().await;
    let (staff, seller) = (shop.console().await, shop.company("seller01").await);
    let product =
        json!({ "code": "A-1", "name": "사과", "price": 100, "shows": true, "brand": "baram" });
    let refused = made(&shop, &seller, "shop/products", &product)
        .await
        .expect(400);
    assert_eq!(refused.complaint(), ("brand", "unknown"));
    let brand = json!({ "code": "baram", "name": "바람", "shows": true });
    let brand = made(&shop, &staff, "shop/brands", &brand).await.expect(201);
    let product = made(&shop, &seller, "shop/products", &product)
        .await
        .expect(201);
    // A brand that is gone does not keep what names it from being changed.
    let gone = brand.body["brand"]["_id"].as_str().unwrap();
    shop.delete(&format!("/api/console/shop/brands/{gone}"))
        .as_(&staff)
        .send()
        .await
        .expect(200);
    let own = product.body["product"]["_id"].as_str().unwrap();
    shop.put(
        &format!("/api/console/shop/products/{own}"),
        &json!({ "price": 200, "version": 1 }),
    )
    .as_(&seller)
    .send()
    .await
    .expect(200);
}

/// A record of the console, made; answers its id.
async fn put_up(shop: &TestApp, staff: &Account, path: &str, document: &Value) -> (String, String) {
    let reply = made(shop, staff, path, document).await.expect(201);
    let one = reply.body.as_object().unwrap().values().next().unwrap();
    (one["_id"].as_str().unwrap().to_owned(), reply.position())
}

/// What anybody sees.
async fn seen(shop: &TestApp, position: &str, path: &str) -> Value {
    shop.get(&format!("/api/v1/{path}"))
        .header("x-wait-position", position)
        .send()
        .await
        .expect(200)
        .body
}

#[tokio::test]
async fn only_what_is_shown_now_is_seen_and_each_screen_has_its_own_banner() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let now = time::OffsetDateTime::now_utc();
    let text = |at: time::OffsetDateTime| {
        at.format(&time::format_description::well_known::Rfc3339)
            .unwrap()
    };
    let from_tomorrow = json!({
        "enabled": true, "hasPeriod": true, "startedAt": text(now + time::Duration::DAY), "endedAt": text(now + time::Duration::days(2)),
    });
    let mut mobile = banner("MOBILE");
    mobile["display"] = from_tomorrow.clone();
    put_up(&shop, &staff, "banners", &banner("PC")).await;
    put_up(&shop, &staff, "banners", &mobile).await;
    let popup = |name: &str, display: &Value| json!({ "name": name, "content": "<p>쉽니다</p>", "width": 300, "height": 400, "display": display });
    put_up(
        &shop,
        &staff,
        "popups",
        &popup("지금", &json!({ "enabled": true })),
    )
    .await;
    put_up(
        &shop,
        &staff,
        "popups",
        &popup("꺼짐", &json!({ "enabled": false })),
    )
    .await;
    put_up(&shop, &staff, "popups", &popup("내일", &from_tomorrow)).await;
    let band = json!({ "code": "main", "name": "띠배너", "content": "무료 배송", "display": from_tomorrow });
    put_up(&shop, &staff, "bandBanners", &band).await;
    let advertisement = |name: &str, index: i32| json!({ "name": name, "image": { "url": "/pictures/JU-01.webp" }, "index": index, "display": { "enabled": true } });
    put_up(
        &shop,
        &staff,
        "bannerAdvertisements",
        &advertisement("첫째 광고", 2),
    )
    .await;
    put_up(
        &shop,
        &staff,
        "bannerAdvertisements",
        &advertisement("둘째 광고", 1),
    )
    .await;
    let (_, position) = put_up(
        &shop,
        &staff,
        "bannerAdvertisements",
        &advertisement("셋째 광고", 3),
    )
    .await;

    let names = |body: &Value, many: &str| -> Vec<String> {
        let rows = body[many].as_array().unwrap().iter();
        rows.map(|row| row["name"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(
        seen(&shop, &position, "banners/MAIN_1").await["banner"]["device"],
        "PC"
    );
    assert!(seen(&shop, &position, "banners/MAIN_1?device=MOBILE").await["banner"].is_null());
    assert!(seen(&shop, &position, "banners/NOWHERE").await["banner"].is_null());
    assert_eq!(
        names(&seen(&shop, &position, "popups").await, "popups"),
        ["지금"]
    );
    assert!(
        names(
            &seen(&shop, &position, "bandBanners?code=main").await,
            "bandBanners"
        )
        .is_empty()
    );
    let ads = shop
        .get("/api/v1/bannerAdvertisements?isDeleted=false")
        .header("limit", "2")
        .send()
        .await
        .expect(200);
    assert_eq!(
        names(&ads.body, "bannerAdvertisements"),
        ["셋째 광고", "첫째 광고"]
    );
    assert_eq!(ads.body["summary"]["totalCount"], 3);
    shop.get("/api/v1/banners/MAIN_1?device=WATCH")
        .send()
        .await
        .expect(400);

    shop.advance(time::Duration::hours(25));
    assert_eq!(
        seen(&shop, &position, "banners/MAIN_1?device=MOBILE").await["banner"]["device"],
        "MOBILE"
    );
    assert_eq!(
        names(&seen(&shop, &position, "popups").await, "popups"),
        ["지금", "내일"]
    );
    assert_eq!(
        names(
            &seen(&shop, &position, "bandBanners?code=main").await,
            "bandBanners"
        ),
        ["띠배너"]
    );
    assert!(
        names(
            &seen(&shop, &position, "bandBanners?code=other").await,
            "bandBanners"
        )
        .is_empty()
    );
    shop.advance(time::Duration::days(2));
    assert_eq!(
        names(&seen(&shop, &position, "popups").await, "popups"),
        ["지금"]
    );
}

#[tokio::test]
async fn terms_are_shown_in_the_edition_in_force() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let now = time::OffsetDateTime::now_utc();
    let edition = |edition: u32, starts: time::OffsetDateTime| {
        let starts = starts
            .format(&time::format_description::well_known::Rfc3339)
            .unwrap();
        json!({ "code": "service", "name": "이용약관", "content": format!("제{edition}판"), "edition": edition, "required": true, "startsAt": starts })
    };
    put_up(
        &shop,
        &staff,
        "terms",
        &edition(1, now - time::Duration::DAY),
    )
    .await;
    let (_, position) = put_up(
        &shop,
        &staff,
        "terms",
        &edition(2, now + time::Duration::DAY),
    )
    .await;
    assert_eq!(
        seen(&shop, &position, "terms/service").await["terms"]["content"],
        "제1판"
    );
    // what people agreed to is remembered
    let agreed = async |username: &str| {
        let id = shop.sign_up(username).await.id;
        let member = shop.app.store.load::<Member>(&id).await.unwrap().state;
        let terms = member.terms.into_iter();
        terms
            .map(|terms| (terms.code, terms.version))
            .collect::<Vec<_>>()
    };
    let editions = |service: u64| {
        [("age", 0), ("service", service), ("privacy", 0)]
            .map(|(code, edition)| (code.to_owned(), edition))
            .to_vec()
    };
    assert_eq!(agreed("hong1234").await, editions(1));
    shop.advance(time::Duration::days(2));
    assert_eq!(agreed("kim12345").await, editions(2));
    assert_eq!(
        seen(&shop, &position, "terms/service").await["terms"]["edition"],
        2
    );
    shop.get("/api/v1/terms/nothing").send().await.expect(404);
}

#[tokio::test]
async fn an_order_keeps_the_editions_it_was_placed_under() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let seller = shop.seller().await;
    let apples = shop.product(seller, 1_000, 10).await;
    let edition = |edition: u32, starts: &str| json!({ "code": "purchase", "name": "구매 조건", "content": "제1조", "edition": edition, "startsAt": starts });
    put_up(&shop, &staff, "terms", &edition(1, "2020-01-01T00:00:00Z")).await;
    let (_, position) = put_up(&shop, &staff, "terms", &edition(2, "2021-01-01T00:00:00Z")).await;
    put_up(&shop, &staff, "terms", &edition(3, "2999-01-01T00:00:00Z")).await;
    seen(&shop, &position, "terms/purchase").await;
    let placed = shop.post("/api/v1/shop/orders", &order_form(apples, 1));
    let placed = placed.send().await;
    let id = id_of(&placed.expect(201));
    let order = shop.app.store.load::<Order>(&id).await.unwrap().state;
    let agreed = order.terms.unwrap().terms.into_iter();
    let agreed: Vec<_> = agreed.map(|term| (term.code, term.version)).collect();
    // 0: there was no such text, and that is kept, too
    let kept = [("purchase", 2), ("privacy", 0), ("privacy-third", 0)];
    assert_eq!(
        agreed,
        kept.map(|(code, version)| (code.to_owned(), version))
    );
}

#[tokio::test]
async fn brands_are_found_by_code_and_by_the_letter_they_are_filed_under() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let mut position = String::new();
    for (code, name, shows) in [
        ("samchuly", "삼천리", true),
        ("alton", "Alton", true),
        ("ssi", "씨앗", true),
        ("hidden", "숨은", false),
    ] {
        let brand = json!({ "code": code, "name": name, "shows": shows });
        (_, position) = put_up(&shop, &staff, "shop/brands", &brand).await;
    }
    let found = async |query: &str| -> Vec<String> {
        let body = seen(&shop, &position, &format!("shop/brands?{query}")).await;
        let brands = body["brands"].as_array().unwrap().iter();
        brands
            .map(|brand| brand["code"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(found("").await, ["alton", "samchuly", "ssi"]);
    assert_eq!(
        found("chars=%E3%85%85").await,
        ["samchuly", "ssi"],
        "ㅅ, also for ㅆ"
    );
    assert_eq!(found("chars=a").await, ["alton"]);
    assert_eq!(found("code=ssi").await, ["ssi"]);
    assert!(found("code=hidden").await.is_empty());
}

#[tokio::test]
async fn displays_and_showrooms_show_what_is_for_sale_in_their_order() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let seller = shop.seller().await;
    let (first, second, hidden) = (
        shop.product(seller, 1_000, 5).await,
        shop.product(seller, 2_000, 5).await,
        shop.product(seller, 3_000, 5).await,
    );
    let gone = json!({ "code": "GONE", "name": "숨은 상품", "_seller": seller, "price": 100, "shows": false });
    shop.record::<domain::catalogue::Product>(&hidden.to_string(), gone)
        .await;
    let display = |code: &str, shows: bool| json!({ "code": code, "name": "진열", "_products": [second, hidden, first], "shows": shows });
    put_up(
        &shop,
        &staff,
        "shop/displays",
        &display("MAIN_FEATURED", true),
    )
    .await;
    put_up(
        &shop,
        &staff,
        "shop/displays",
        &display("BEST_REVIEW", true),
    )
    .await;
    put_up(&shop, &staff, "shop/displays", &display("POPULAR", false)).await;
    let room = json!({ "code": "city", "name": "도심", "image": { "url": "/pictures/JU-01.webp" }, "_products": [second, first], "shows": true });
    let (id, position) = put_up(&shop, &staff, "shop/showrooms", &room).await;
    let body = seen(&shop, &position, "shop/displays").await;
    let displays = body["displays"].as_array().unwrap();
    assert_eq!(
        displays.len(),
        1,
        "BEST_REVIEW is hidden (spec V114), POPULAR switched off: {body}"
    );
    let ids: Vec<&Value> = displays[0]["products"]
        .as_array()
        .unwrap()
        .iter()
        .map(|card| &card["_id"])
        .collect();
    assert_eq!(ids, [&json!(second), &json!(first)]);
    assert!(
        seen(&shop, &position, "shop/displays?code=POPULAR,BEST_REVIEW").await["displays"]
            .as_array()
            .unwrap()
            .is_empty()
    );
    shop.get("/api/v1/shop/displays/BEST_REVIEW/categories")
        .send()
        .await
        .expect(404);
    for key in [id.as_str(), "city"] {
        let room = seen(&shop, &position, &format!("shop/showrooms/{key}")).await;
        assert_eq!(
            room["showroom"]["products"][0]["_id"],
            json!(second),
            "{key}"
        );
    }
    shop.get("/api/v1/shop/showrooms/nothing")
        .send()
        .await
        .expect(404);
}

#[tokio::test]
async fn stores_are_shown_by_their_index_or_by_how_near_they_are() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let (hangang, jeju) = (
        shop.company("hangang1").await,
        shop.company("jejuride").await,
    );
    let store = |seller: &Account, name: &str, index: i32, place: Value| {
        json!({
            "_seller": seller.id, "name": name, "address1": "강변로 1", "thumb": { "url": "/pictures/JU-01.webp" },
            "geolocation": place, "shows": true, "index": index, "isRecommended": index > 1,
        })
    };
    let (yeouido, airport) = (
        json!({ "latitude": 37.5284, "longitude": 126.9349 }),
        json!({ "latitude": 33.5070, "longitude": 126.4930 }),
    );
    for (seller, name, index, place) in [
        (&hangang, "여의도점", 1, yeouido),
        (&jeju, "공항점", 3, airport),
        (&hangang, "자리 없는 곳", 2, Value::Null),
    ] {
        put_up(
            &shop,
            &staff,
            "shop/stores",
            &store(seller, name, index, place),
        )
        .await;
    }
    let mut hidden = store(&hangang, "닫은 곳", 9, Value::Null);
    hidden["shows"] = json!(false);
    let (hidden, position) = put_up(&shop, &staff, "shop/stores", &hidden).await;

    let found = async |query: &str| {
        let body = seen(&shop, &position, &format!("shop/stores?{query}")).await;
        let stores = body["stores"].as_array().unwrap().clone();
        assert_eq!(
            body["summary"]["totalCount"],
            json!(stores.len()),
            "{query}"
        );
        stores
    };
    let names = async |query: &str| -> Vec<String> {
        let text = |store: &Value| store["name"].as_str().unwrap().to_owned();
        found(query).await.iter().map(text).collect()
    };
    assert_eq!(names("").await, ["공항점", "자리 없는 곳", "여의도점"]);
    let seoul = "near=37.5665,126.978";
    assert_eq!(names(seoul).await, ["공항점", "여의도점"]);
    assert_eq!(
        names(&format!("{seoul}&sort=distance")).await,
        ["여의도점", "공항점"]
    );
    // 200 km (spec V269): Jeju is farther, Yeouido is 5.7 km away
    let near = found(&format!("{seoul}&within=200")).await;
    assert_eq!((near.len(), &near[0]["nickname"]), (1, &json!("hangang1")));
    let km = near[0]["distance"].as_f64().unwrap();
    assert!((5.0..6.5).contains(&km), "{km}");
    assert!(found("").await[0]["distance"].is_null());
    assert_eq!(names("recommended=true").await, ["공항점", "자리 없는 곳"]);
    assert_eq!(
        names("searchKey=nickname&searchValue=JEJU").await,
        ["공항점"]
    );
    assert!(names("searchKey=name&searchValue=jeju").await.is_empty());

    let read = |path: String| shop.get(&path).header("x-wait-position", &position).send();
    let one = found("").await[0]["_id"].as_str().unwrap().to_owned();
    let shown = read(format!("/api/v1/shop/stores/{one}")).await.expect(200);
    assert_eq!(shown.body["store"]["name"], "공항점");
    read(format!("/api/v1/shop/stores/{hidden}"))
        .await
        .expect(404);
    for wrong in [
        "near=37.5",
        "near=91,0",
        "near=NaN,0",
        "sort=name",
        "within=-1",
    ] {
        let refused = read(format!("/api/v1/shop/stores?{wrong}"))
            .await
            .expect(400);
        assert_eq!(refused.code(), "invalid_query", "{wrong}");
    }
    // a seller keeps the own one, but not its place among the others
    let own = store(&jeju, "협재점", 9, Value::Null);
    let kept = made(&shop, &jeju, "shop/stores", &own).await.expect(201);
    let kept = &kept.body["store"];
    assert_eq!(
        (&kept["index"], &kept["isRecommended"], &kept["_seller"]),
        (&json!(0), &json!(false), &json!(jeju.id))
    );
    let path = format!("/api/console/shop/stores/{}", kept["_id"].as_str().unwrap());
    let many = json!({
        "action": "update", "ids": [kept["_id"]], "fields": { "index": 9, "name": "협재 본점" },
    });
    let path_of_many = "/api/console/shop/stores/bulk";
    let refused = shop.post(path_of_many, &many).as_(&jeju).send().await;
    let refused = refused.expect(200).body;
    assert_eq!(
        (&refused["done"], &refused["failed"][0]["message"]),
        (&json!([]), &json!("변경할 수 없는 항목입니다."))
    );
    let unchanged = shop.get(&path).as_(&jeju).send().await.expect(200);
    assert_eq!(unchanged.body["store"], *kept);
    // also where its document is of a time before there was such a thing
    sqlx::query("UPDATE events SET payload = (payload::jsonb #- '{Created,data,isRecommended}')::json WHERE aggregate_id = $1")
        .bind(kept["_id"].as_str().unwrap())
        .execute(shop.app.pool())
        .await
        .unwrap();
    let first = json!({ "version": 1, "isRecommended": true });
    let refused = shop.put(&path, &first).as_(&jeju).send().await.expect(400);
    assert_eq!(refused.complaint(), ("isRecommended", "read_only"));
    shop.put(&path, &first)
        .as_(&hangang)
        .send()
        .await
        .expect(404);
    shop.put(&path, &first).as_(&staff).send().await.expect(200);
    let nowhere = store(
        &hangang,
        "없는 곳",
        1,
        json!({ "latitude": 91, "longitude": 0 }),
    );
    let refused = made(&shop, &staff, "shop/stores", &nowhere)
        .await
        .expect(400);
    assert_eq!(refused.complaint(), ("geolocation", "not_a_place"));
}

#[tokio::test]
async fn followed_banners_are_counted_for_staff_only() {
    let shop = TestApp::start().await;
    let (staff, seller) = (shop.console().await, shop.company("seller01").await);
    let banner = made(&shop, &staff, "banners", &banner("PC"))
        .await
        .expect(201);
    let slide = banner.body["banner"]["slides"][0]["_id"]
        .as_str()
        .unwrap()
        .to_owned();
    let popup =
        json!({ "name": "설 안내", "content": "<p>쉽니다</p>", "width": 300, "height": 400 });
    let (popup, position) = put_up(&shop, &staff, "popups", &popup).await;
    seen(&shop, &position, "popups").await;
    let follow = async |body: Value| shop.post("/api/v1/bannerLogs", &body).send().await;
    for _ in 0..3 {
        follow(json!({ "_slide": slide })).await.expect(204);
    }
    follow(json!({ "_popup": popup })).await.expect(204);
    shop.advance(time::Duration::days(1));
    follow(json!({ "_popup": popup })).await.expect(204);
    assert_eq!(
        follow(json!({})).await.expect(400).complaint().1,
        "exactly_one"
    );
    assert_eq!(
        follow(json!({ "_slide": slide, "_popup": popup }))
            .await
            .expect(400)
            .complaint()
            .1,
        "exactly_one"
    );
    follow(json!({ "_slide": popup })).await.expect(404);
    follow(json!({ "_storyCard": uuid::Uuid::now_v7() }))
        .await
        .expect(404);

    let analytics = "/api/console/analytics/banners";
    let staff = shop.account(&staff.username, &staff.password).await;
    let seller = shop.account(&seller.username, &seller.password).await;
    shop.get(analytics).as_(&seller).send().await.expect(403);
    let told = shop
        .get(analytics)
        .as_(&staff)
        .send()
        .await
        .expect(200)
        .body;
    assert_eq!(told["summary"], json!({ "totalCount": 2, "clicks": 5 }));
    let first = &told["banners"][0];
    assert_eq!(
        (
            &first["subject"],
            &first["count"],
            &first["code"],
            &first["name"]
        ),
        (
            &json!("_slide"),
            &json!(3),
            &json!("MAIN_1"),
            &json!("메인")
        )
    );
    assert_eq!(told["banners"][1]["days"].as_array().unwrap().len(), 2);
    let tomorrow = (shop.app.clock.now() + time::Duration::days(2)).date();
    let later = shop
        .get(&format!("{analytics}?from={tomorrow}"))
        .as_(&staff)
        .send()
        .await
        .expect(200);
    assert_eq!(later.body["summary"]["clicks"], 0);
}
