//! Banners, band banners, advertisements and popups: created by staff, and visible to shoppers according to their period.

use serde_json::{Value, json};

use crate::support::TestApp;
use crate::support::window::{banner, made, put_up, seen};

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
    assert_eq!(again.complaint(), ("device", "code_taken"));
    let terms = |edition: u32| json!({ "code": "service", "name": "이용약관", "content": "제1조", "edition": edition, "startsAt": "2026-01-01T00:00:00+09:00" });
    made(&shop, &staff, "terms", &terms(1)).await.expect(201);
    made(&shop, &staff, "terms", &terms(2)).await.expect(201);
    let again = made(&shop, &staff, "terms", &terms(2)).await.expect(409);
    assert_eq!(again.complaint(), ("edition", "code_taken"));
}

#[tokio::test]
async fn a_place_has_one_display_and_a_second_is_refused_in_its_own_words() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    for (path, document, field, sentence) in [
        (
            "main/reviews",
            json!({ "code": "MAIN", "name": "메인 후기" }),
            "code",
            "이 위치에는 이미 진열이 있습니다.",
        ),
        (
            "shop/displays",
            json!({ "code": "BEST_SELLER", "name": "많이 팔린 상품" }),
            "code",
            "이 위치에는 이미 진열이 있습니다.",
        ),
        (
            "shop/tag-events",
            json!({ "tag": "라이딩", "name": "라이딩 이벤트", "thumb": { "url": "/pictures/JU-01.webp" } }),
            "tag",
            "이 태그에는 이미 이벤트가 있습니다.",
        ),
    ] {
        made(&shop, &staff, path, &document).await.expect(201);
        let again = made(&shop, &staff, path, &document).await.expect(409);
        assert_eq!(again.complaint(), (field, "code_taken"), "{path}");
        assert_eq!(again.body["error"]["message"], sentence, "{path}");
        let of_field = &again.body["error"]["fields"][0]["message"];
        assert_eq!(of_field, sentence, "{path}");
    }
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
