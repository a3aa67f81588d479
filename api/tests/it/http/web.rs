//! The shop as seen by search engines, shared links and old bookmarks.

use application::clock::Clock;
use domain::business_day;
use projections::verify::verify;
use serde_json::{Value, json};

use crate::support::{Account, Reply, TestApp, until};

/// A name that would break out of any text in which it is not escaped.
const HOSTILE: &str =
    "사과</script><script>alert(1)</script>\"><img src=x onerror='alert(2)'>&amp;";
const AWAY: &str = "https://shop.example.com";

async fn open_shop() -> (TestApp, Account) {
    let shop = TestApp::with(&[("JANGBU_SERVER_PUBLIC_URL", AWAY)]).await;
    let staff = shop.console().await;
    (shop, staff)
}

/// Creates a record in the console; returns its id once every read model has it.
async fn made(shop: &TestApp, staff: &Account, path: &str, document: &Value) -> String {
    let path = format!("/api/console/{path}");
    let reply = shop.post(&path, document).as_(staff).send().await;
    let reply = reply.expect(201);
    caught_up(shop, &reply).await;
    let one = reply.body.as_object().unwrap().values().next().unwrap();
    one["_id"].as_str().unwrap().to_owned()
}

async fn caught_up(shop: &TestApp, reply: &Reply) {
    for list in ["brands", "products"] {
        shop.get(&format!("/api/v1/shop/{list}"))
            .header("x-wait-position", &reply.position())
            .send()
            .await
            .expect(200);
    }
}

/// An existing page; 503 while the app is not built.
async fn page(shop: &TestApp, path: &str) -> Reply {
    let reply = shop.get(path).send().await;
    assert!(matches!(reply.status, 200 | 503), "{path}: {}", reply.text);
    assert_eq!(
        reply.header("content-type"),
        Some("text/html; charset=utf-8")
    );
    reply
}

/// The texts between two marks.
fn between<'a>(text: &'a str, from: &str, to: &str) -> Vec<&'a str> {
    text.split(from)
        .skip(1)
        .map(|rest| rest.split(to).next().unwrap())
        .collect()
}

/// The JSON-LD of a page.
fn facts(html: &str) -> Vec<Value> {
    between(html, "application/ld+json\">", "</script>")
        .into_iter()
        .map(|fact| serde_json::from_str(fact).unwrap())
        .collect()
}

fn fact<'a>(facts: &'a [Value], kind: &str) -> &'a Value {
    facts.iter().find(|fact| fact["@type"] == kind).unwrap()
}

#[tokio::test]
async fn a_product_is_described_before_any_script_runs_and_its_words_stay_words() {
    let (shop, staff) = open_shop().await;
    let seller = shop.company("seller01").await;
    let brand = json!({ "code": "baram", "name": "바람", "shows": true });
    made(&shop, &staff, "shop/brands", &brand).await;
    let product = json!({
        "code": "A-1", "name": HOSTILE, "desc": HOSTILE, "price": 123_450, "shows": true, "brand": "baram",
        "thumb": { "url": "/pictures/BK-CITY-01.webp" },
    });
    let id = made(&shop, &seller, "shop/products", &product).await;
    let reply = page(&shop, &format!("/shop/products/{id}?utm_source=x")).await;
    let html = &reply.text;

    let policy = reply.header("content-security-policy").unwrap();
    let nonce = between(policy, "'nonce-", "'")[0];
    assert!(!policy.contains("script-src 'self' 'unsafe-inline'"));
    assert_eq!(
        html.matches("<script").count(),
        html.matches(&format!("<script nonce=\"{nonce}\"")).count(),
        "no script of anybody else's: {html}"
    );
    assert!(!html.contains("<img src=x") && !html.contains("'alert(2)'>"));
    assert_eq!(html.matches("<title>").count(), 1);
    let canonical = format!("<link rel=\"canonical\" href=\"{AWAY}/shop/products/{id}\">");
    assert!(html.contains(&canonical), "{html}");
    for tag in [
        "property=\"og:type\" content=\"product\"",
        "property=\"og:locale\" content=\"ko_KR\"",
        "content=\"https://shop.example.com/pictures/BK-CITY-01.webp\"",
    ] {
        assert!(html.contains(tag), "{tag}: {html}");
    }
    assert!(!html.contains("noindex"));

    let facts = facts(html);
    let product = fact(&facts, "Product");
    assert_eq!(product["name"], HOSTILE, "the whole name, as it is");
    assert_eq!(product["brand"]["name"], "바람");
    assert_eq!(product["offers"]["price"], "1234.50");
    assert_eq!(product["offers"]["priceCurrency"], "USD");
    assert_eq!(
        product["offers"]["availability"],
        "https://schema.org/OutOfStock"
    );
    let trail = fact(&facts, "BreadcrumbList")["itemListElement"].clone();
    assert_eq!(trail.as_array().unwrap().len(), 2);

    let plain = between(html, "<noscript>", "</noscript>")[0];
    assert!(plain.contains("<a href=\"/shop/brands/baram\">바람</a>"));
    assert!(plain.contains("&lt;/script&gt;"));
}

#[tokio::test]
async fn the_front_and_lists_speak_for_themselves_and_private_pages_ask_to_be_left_out() {
    let (shop, staff) = open_shop().await;
    let seller = shop.company("seller01").await;
    let product = json!({ "code": "A-1", "name": "사과", "price": 100, "shows": true });
    let id = made(&shop, &seller, "shop/products", &product).await;
    let room = json!({
        "code": "city", "name": "도심", "desc": "도시를 달리다", "image": { "url": "/pictures/JU-01.webp" },
        "_products": [id], "shows": true,
    });
    made(&shop, &staff, "shop/showrooms", &room).await;

    let home = page(&shop, "/").await.text;
    let facts_home = facts(&home);
    assert!(fact(&facts_home, "Organization")["url"] == format!("{AWAY}/"));
    let action = &fact(&facts_home, "WebSite")["potentialAction"];
    assert_eq!(action["@type"], "SearchAction");
    assert!(home.contains(&format!("<a href=\"/shop/products/{id}\">사과</a>")));
    assert!(home.contains("<title>장부</title>"), "{home}");

    let list = page(&shop, "/shop/products?page=2&sort=NAME").await.text;
    let canonical = format!("rel=\"canonical\" href=\"{AWAY}/shop/products?page=2\"");
    assert!(list.contains(&canonical), "{list}");
    let searched = page(&shop, "/shop/products?searchValue=%3Cscript%3E").await;
    assert!(searched.text.contains("content=\"noindex\""));
    assert!(!searched.text.contains("<script>"));

    let room = page(&shop, "/shop/showrooms/city").await.text;
    assert!(room.contains("<title>도심 | 장부</title>"), "{room}");
    assert!(room.contains("content=\"도시를 달리다\""));
    assert!(room.contains(&format!("{AWAY}/shop/showrooms/city")));

    for closed in ["/login", "/mypage", "/console", "/shop/order", "/search"] {
        let html = page(&shop, closed).await.text;
        assert!(html.contains("content=\"noindex\""), "{closed}");
    }
}

/// The responses embedded in the page, as text and parsed: for everybody, and for guests.
fn brought(html: &str) -> (&str, Value) {
    let text = between(html, "id=\"__DATA__\">", "</script>")[0];
    (text, serde_json::from_str(text).unwrap())
}

#[tokio::test]
async fn a_page_brings_the_answers_a_guest_would_get_and_nobody_elses() {
    let (shop, staff) = open_shop().await;
    let seller = shop.company("seller01").await;
    let reader = shop.sign_up("shopper01").await;
    let name = format!("{HOSTILE}\u{2028}\u{2029}");
    let product = json!({ "code": "A-1", "name": name, "price": 100, "shows": true, "stock": 5 });
    let id = made(&shop, &seller, "shop/products", &product).await;
    let banner = json!({
        "code": "MAIN_1", "name": "봄맞이", "device": "MOBILE", "display": { "enabled": true, "hasPeriod": false },
        "slides": [{ "image": { "url": "https://example.com/A&B.webp", "alt": "" }, "url": "/", "target": "_self" }],
    });
    made(&shop, &staff, "banners", &banner).await;
    shop.post("/api/v1/me/likes", &json!({ "_product": id }))
        .as_(&reader)
        .send()
        .await;

    for path in [
        "/".to_owned(),
        format!("/shop/products/{id}"),
        "/shop/products?page=1&sort=NAME&brand=&utm_source=x".to_owned(),
    ] {
        let plain = page(&shop, &path).await;
        let signed = shop.get(&path).as_(&reader).send().await;
        let (text, answers) = brought(&plain.text);
        assert!(!text.contains(['<', '>', '\u{2028}', '\u{2029}']), "{text}");
        assert_eq!(
            brought(&signed.text).1,
            answers,
            "the same for whoever asks"
        );
        assert!(text.contains(&id) || path == "/", "{path}: {text}");
        let kept = plain.header("cache-control");
        assert_eq!(kept, Some("private, no-cache"), "no one else's cache");
        for audience in ["always", "everybody", "guests"] {
            for (address, answer) in answers[audience].as_object().unwrap() {
                let asked = shop.get(address).send().await.expect(200);
                assert_eq!(&asked.body, answer, "{address}");
                if audience != "guests" {
                    let asked = shop.get(address).as_(&reader).send().await.expect(200);
                    assert_eq!(&asked.body, answer, "{address} to a member");
                }
            }
        }
    }
    let home = brought(&page(&shop, "/").await.text).1;
    let config = "/api/plugins/nicepayments/config";
    assert!(home["always"][config]["config"]["methods"].is_array());
    let mut everybodys = home["everybody"].as_object().unwrap().keys();
    let ranking = everybodys.find(|address| address.starts_with("/api/v1/shop/logs?"));
    let day = business_day::day(shop.clock.now()).previous_day().unwrap();
    let yesterdays = format!("/api/v1/shop/logs?createdAt={day}%2C{day}&limit=10&type=SEARCH");
    assert_eq!(ranking, Some(&yesterdays), "as the app writes it");
    let list = page(&shop, "/shop/products?page=2").await.text;
    let address = "/api/v1/shop/products?facets=true&limit=20&skip=20";
    assert!(brought(&list).1["guests"].get(address).is_some(), "{list}");
    let home = page(&shop, "/").await.text;
    assert!(
        home.contains("href=\"https://example.com/A&amp;B.webp\" media=\"(width &lt; 64rem)\"")
    );
    assert!(home.contains("<noscript><h1>장부</h1>"), "{home}");
    for bare in ["/shop/products?searchValue=a", "/login", "/no/such/page"] {
        let html = shop.get(bare).send().await.text;
        assert!(!html.contains("/api/v1/shop/products"), "{bare}: {html}");
    }
}

#[tokio::test]
async fn what_is_not_there_says_so() {
    let (shop, staff) = open_shop().await;
    let seller = shop.company("seller01").await;
    let product = |code: &str, shows: bool| json!({ "code": code, "name": "사과", "price": 100, "shows": shows });
    let hidden = made(&shop, &seller, "shop/products", &product("A-1", false)).await;
    let removed = made(&shop, &seller, "shop/products", &product("A-2", true)).await;
    let brand = |code: &str, shows: bool| json!({ "code": code, "name": "바람", "shows": shows });
    made(&shop, &staff, "shop/brands", &brand("shown", true)).await;
    made(&shop, &staff, "shop/brands", &brand("hidden", false)).await;
    page(&shop, &format!("/shop/products/{removed}")).await;
    page(&shop, "/shop/brands/shown").await;
    let gone = shop
        .delete(&format!("/api/console/shop/products/{removed}"))
        .as_(&seller)
        .send()
        .await
        .expect(200);
    caught_up(&shop, &gone).await;
    for (path, status) in [
        (format!("/shop/products/{removed}"), 410),
        (format!("/shop/products/{hidden}"), 404),
        ("/shop/products/nothing".to_owned(), 404),
        (
            "/shop/products/00000000-0000-7000-8000-000000000000".to_owned(),
            404,
        ),
        ("/shop/brands/hidden".to_owned(), 404),
        ("/shop/brands/nothing".to_owned(), 404),
        ("/shop/products?category=nothing".to_owned(), 404),
        ("/shop/showrooms/nothing".to_owned(), 404),
        ("/terms/nothing".to_owned(), 404),
        ("/no/such/page".to_owned(), 404),
    ] {
        let reply = shop.get(&path).send().await;
        assert_eq!(reply.status, status, "{path}");
        assert_eq!(
            reply.header("content-type"),
            Some("text/html; charset=utf-8"),
            "the app's page: {path}"
        );
        assert!(reply.text.contains("noindex"), "{path}");
        assert!(!reply.text.contains("rel=\"canonical\""), "{path}");
    }
    for path in [
        "/assets/none-1234.js",
        "/pictures/none.webp",
        "/favicon.ico",
    ] {
        let reply = shop.get(path).send().await.expect(404);
        assert_eq!(
            reply.header("content-type"),
            Some("text/plain; charset=utf-8"),
            "{path}"
        );
    }
}

#[tokio::test]
async fn old_spellings_lead_to_the_new_one_and_never_away() {
    let shop = TestApp::start().await;
    for (from, to) in [
        ("/shop", "/shop/products"),
        ("/shop/", "/shop/products"),
        ("/shop?category=a&x=%20", "/shop/products?category=a&x=%20"),
        ("/shop/products/", "/shop/products"),
        ("/shop/brands//?a=b", "/shop/brands?a=b"),
    ] {
        let reply = shop.get(from).send().await.expect(301);
        assert_eq!(reply.header("location"), Some(to), "{from}");
    }
    for away in [
        "//evil.example/",
        "//shop/",
        "/%5Cevil.example/",
        "/no/such/page/",
    ] {
        let reply = shop.get(&format!("{}{away}", shop.url)).send().await;
        assert_eq!(reply.status, 404, "{away}");
        assert_eq!(reply.header("location"), None);
    }
}

#[tokio::test]
async fn what_got_another_code_is_found_at_its_old_address_unless_somebody_else_is_there_now() {
    let (shop, staff) = open_shop().await;
    for kind in ["brands", "showrooms"] {
        let image = json!({ "url": "/pictures/JU-01.webp", "alt": "" });
        let document = json!({ "code": "wind", "name": "바람", "shows": true, "image": image });
        let id = made(&shop, &staff, &format!("shop/{kind}"), &document).await;
        let at = |code: &str| format!("/shop/{kind}/{code}");
        // Twice: each old address redirects to the final one, with its query.
        for (version, code) in [(1, "breeze"), (2, "new-wind")] {
            let renamed = json!({ "version": version, "code": code });
            let path = format!("/api/console/shop/{kind}/{id}");
            let reply = shop.put(&path, &renamed).as_(&staff).send().await;
            reply.expect(200);
        }
        let new = at("new-wind");
        for old in ["wind", "breeze"] {
            until("the old address leads on", async || {
                let reply = shop.get(&format!("{}?page=2", at(old))).send().await;
                let moved = format!("{new}?page=2");
                (reply.status == 301 && reply.header("location") == Some(moved.as_str()))
                    .then_some(())
            })
            .await;
        }
        page(&shop, &new).await;
        // A code that is assigned again belongs to its new owner.
        made(&shop, &staff, &format!("shop/{kind}"), &document).await;
        until("the new one is there", async || {
            let reply = shop.get(&at("wind")).send().await;
            matches!(reply.status, 200 | 503).then_some(())
        })
        .await;
        // And hidden records are nowhere.
        let hidden = json!({ "version": 3, "shows": false });
        let path = format!("/api/console/shop/{kind}/{id}");
        let reply = shop.put(&path, &hidden).as_(&staff).send().await;
        reply.expect(200);
        until("nothing is told of what is hidden", async || {
            (shop.get(&at("breeze")).send().await.status == 404).then_some(())
        })
        .await;
        shop.get(&at("never")).send().await.expect(404);
    }
    let report = verify(&shop.app.store, |_| {}).await.unwrap();
    assert!(report.is_clean(), "{:?}", report.differences);
    assert!(report.models["earlier_codes"] > 0);
}

#[tokio::test]
async fn search_engines_are_told_what_there_is_and_what_is_closed() {
    let (shop, staff) = open_shop().await;
    let seller = shop.company("seller01").await;
    let product = |code: &str, shows: bool| json!({ "code": code, "name": "사과", "price": 100, "shows": shows });
    let shown = made(&shop, &seller, "shop/products", &product("A-1", true)).await;
    let hidden = made(&shop, &seller, "shop/products", &product("A-2", false)).await;
    let brand = json!({ "code": "baram", "name": "바람", "shows": true });
    made(&shop, &staff, "shop/brands", &brand).await;
    let map = shop.get("/sitemap.xml").send().await.expect(200);
    assert_eq!(
        map.header("content-type"),
        Some("application/xml; charset=utf-8")
    );
    let addresses = between(&map.text, "<loc>", "</loc>");
    for path in [
        "/",
        "/shop/products",
        "/shop/brands/baram",
        &format!("/shop/products/{shown}"),
    ] {
        assert!(
            addresses.contains(&format!("{AWAY}{path}").as_str()),
            "{path}: {addresses:?}"
        );
    }
    for closed in [
        hidden.as_str(),
        "/mypage",
        "/console",
        "/cart",
        "/login",
        ":",
    ] {
        let found = addresses
            .iter()
            .any(|at| at.trim_start_matches("https:").contains(closed));
        assert!(!found, "{closed}: {addresses:?}");
    }
    shop.get("/sitemap-1.xml").send().await.expect(404);
    let robots = shop.get("/robots.txt").send().await.expect(200);
    assert!(robots.text.contains("Disallow: /console\n"));
    assert!(
        robots
            .text
            .contains(&format!("Sitemap: {AWAY}/sitemap.xml"))
    );
    for (path, first) in [("/sitemap.xml", &map), ("/robots.txt", &robots)] {
        assert_eq!(first.header("cache-control"), Some("public, max-age=600"));
        let again = shop
            .get(path)
            .header("if-none-match", first.header("etag").unwrap())
            .send()
            .await
            .expect(304);
        assert!(again.text.is_empty());
    }
}

#[tokio::test]
async fn a_page_is_asked_about_again_and_its_files_never() {
    let shop = TestApp::start().await;
    let first = page(&shop, "/shop/brands").await;
    assert_eq!(first.header("cache-control"), Some("private, no-cache"));
    if first.status != 200 {
        return; // pages are not cached while the app is not built
    }
    let tag = first.header("etag").unwrap();
    let same = shop
        .get("/shop/brands")
        .header("if-none-match", tag)
        .send()
        .await
        .expect(304);
    assert_eq!(
        same.header("content-security-policy"),
        None,
        "the kept page's scripts carry the kept policy's nonce"
    );
    let other = shop.get("/shop/showrooms").header("if-none-match", tag);
    other.send().await.expect(200);
    let asset = between(&first.text, "src=\"/assets/", "\"")[0];
    let asset = shop.get(&format!("/assets/{asset}")).send().await;
    let asset = asset.expect(200);
    assert_eq!(
        asset.header("cache-control"),
        Some("public, max-age=31536000, immutable")
    );
    for coding in ["br", "gzip"] {
        let packed = shop
            .get("/shop/brands")
            .header("accept-encoding", coding)
            .send();
        assert_eq!(packed.await.header("content-encoding"), Some(coding));
    }
}

#[tokio::test]
async fn a_built_picture_comes_in_the_widths_of_the_shop_and_no_others() {
    let shop = TestApp::start().await;
    let picture = |size: &str| reqwest::get(format!("{}/pictures/BK-CITY-01{size}.webp", shop.url));
    let whole = picture("").await.unwrap();
    if whole.status() != 200 {
        return; // the app is not built
    }
    let whole = whole.bytes().await.unwrap();
    let (first, again) = tokio::join!(picture("-400"), picture("-400"));
    let (first, again) = (first.unwrap(), again.unwrap());
    assert_eq!(first.headers()["content-type"], "image/webp");
    assert_eq!(first.headers()["cache-control"], "no-cache");
    let tag = first.headers()["etag"].to_str().unwrap().to_owned();
    let drawn = first.bytes().await.unwrap();
    let seen = image::load_from_memory(&drawn).unwrap();
    assert_eq!((seen.width(), seen.height()), (400, 400));
    assert!(drawn.len() < whole.len(), "{}", drawn.len());
    assert_eq!(again.bytes().await.unwrap(), drawn);
    let known = shop.get("/pictures/BK-CITY-01-400.webp");
    known.header("if-none-match", &tag).send().await.expect(304);
    for wide in ["-800", "-1600"] {
        let wide = picture(wide).await.unwrap().bytes().await.unwrap();
        assert_eq!(wide, whole, "it is not wider");
    }
    for strange in ["-300", "-0400", "-+400", "-4294967696", "-", "-400-200"] {
        let strange = picture(strange).await.unwrap();
        assert_eq!(strange.status(), 404, "{}", strange.url());
    }
    for path in ["/pictures/NONE-400.webp", "/pictures/-400.webp"] {
        shop.get(path).send().await.expect(404);
    }
}
