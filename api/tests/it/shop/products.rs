//! Lists of products: filters, counts, ranking, and related data.

use application::clock::Clock;
use domain::catalogue::Product;
use domain::ids::ProductId;
use serde_json::{Value, json};
use time::Duration;
use time::format_description::well_known::Rfc3339;
use uuid::Uuid;

use crate::support::{Account, TestApp, until};

/// Creates a product; missing fields get defaults.
pub async fn product(shop: &TestApp, seller: &Account, fields: Value) -> Value {
    let mut form = json!({ "code": format!("P-{}", Uuid::now_v7()), "name": "사과 한 상자", "price": 1_000, "shows": true, "stock": 5 });
    for (field, value) in fields.as_object().unwrap() {
        form[field.as_str()] = value.clone();
    }
    let made = shop
        .post("/api/console/shop/products", &form)
        .as_(seller)
        .send()
        .await
        .expect(201);
    let mut product = made.body["product"].clone();
    product["position"] = json!(made.position());
    product
}

/// A shop with two categories, two brands, a lower shipping fee from 20.00 on, and five products.
pub struct Shelf {
    pub shop: TestApp,
    seller: Account,
    pub staff: Account,
    /// The seller's shipping group.
    group: String,
    position: String,
}

pub async fn shelf() -> Shelf {
    let shop = TestApp::start().await;
    let (staff, seller) = (shop.console().await, shop.company("seller01").await);
    for (code, name, parent) in [
        ("bike", "자전거", ""),
        ("bike-road", "로드", "bike"),
        ("juice", "주스", ""),
    ] {
        let category = json!({ "code": code, "name": name, "parent": parent });
        shop.post("/api/console/shop/categories", &category)
            .as_(&staff)
            .send()
            .await
            .expect(201);
    }
    for (code, name) in [("baram", "바람"), ("achim", "아침")] {
        let brand = json!({ "code": code, "name": name, "shows": true });
        shop.post("/api/console/shop/brands", &brand)
            .as_(&staff)
            .send()
            .await
            .expect(201);
    }
    let option = json!({ "name": "택배", "chargeType": "price-range", "pricesRange": [{ "price": 0, "amount": 300 }, { "price": 2_000, "amount": 0 }] });
    let group =
        json!({ "name": "기본 배송", "isDefault": true, "isActive": true, "options": [option] });
    let group = shop
        .post("/api/console/shop/shippings", &group)
        .as_(&seller)
        .send()
        .await
        .expect(201);
    let group = group.body["shipping"]["_id"].as_str().unwrap().to_owned();
    let mut position = String::new();
    for fields in [
        json!({ "name": "로드 하나", "price": 3_000, "categories": ["bike-road"], "brand": "baram", "groups": ["SPRING"], "relatedGroupCode": "road" }),
        json!({ "name": "로드 둘", "price": 4_000, "categories": ["bike-road", "bike"], "brand": "baram", "stock": 0, "relatedGroupCode": "road" }),
        json!({ "name": "자전거 바구니", "price": 1_500, "categories": ["bike"], "groups": ["SPRING", "SALE"] }),
        json!({ "name": "사과 주스", "price": 500, "categories": ["juice"], "brand": "achim" }),
        json!({ "name": "배 주스", "price": 2_000, "categories": ["juice"], "brand": "achim" }),
    ] {
        position = product(&shop, &seller, fields).await["position"]
            .as_str()
            .unwrap()
            .to_owned();
    }
    Shelf {
        shop,
        seller,
        staff,
        group,
        position,
    }
}

impl Shelf {
    pub async fn list(&self, query: &str) -> Value {
        let path = format!("/api/v1/shop/products?{query}");
        self.shop
            .get(&path)
            .header("x-wait-position", &self.position)
            .send()
            .await
            .expect(200)
            .body
    }

    async fn names(&self, query: &str) -> Vec<String> {
        let body = self.list(&format!("sort=PRICE_ASC&{query}")).await;
        let names: Vec<String> = body["products"]
            .as_array()
            .unwrap()
            .iter()
            .map(|card| card["name"].as_str().unwrap().to_owned())
            .collect();
        assert_eq!(body["summary"]["totalCount"], json!(names.len()), "{query}");
        names
    }
}

#[tokio::test]
async fn lists_are_narrowed_by_everything_at_once() {
    let shelf = shelf().await;
    assert_eq!(
        shelf.names("").await,
        [
            "사과 주스",
            "자전거 바구니",
            "배 주스",
            "로드 하나",
            "로드 둘"
        ]
    );
    assert_eq!(
        shelf.names("category=bike").await,
        ["자전거 바구니", "로드 하나", "로드 둘"],
        "with what is under it"
    );
    assert_eq!(
        shelf.names("categories=bike-road,juice").await,
        ["사과 주스", "배 주스", "로드 하나", "로드 둘"]
    );
    assert_eq!(shelf.names("category=nothing").await, Vec::<String>::new());
    assert_eq!(shelf.names("brand=baram").await, ["로드 하나", "로드 둘"]);
    assert_eq!(
        shelf.names("brand=baram,achim&inStock=true").await,
        ["사과 주스", "배 주스", "로드 하나"]
    );
    assert_eq!(
        shelf.names("groups=SPRING").await,
        ["자전거 바구니", "로드 하나"]
    );
    assert_eq!(shelf.names("groups=SALE,OTHER").await, ["자전거 바구니"]);
    assert_eq!(
        shelf.names("freeShipping=true").await,
        ["배 주스", "로드 하나", "로드 둘"],
        "the threshold counts"
    );
    assert_eq!(
        shelf
            .names("freeShipping=true&inStock=true&category=bike&priceMax=3000")
            .await,
        ["로드 하나"]
    );
    assert_eq!(
        shelf.names("priceMin=1500&priceMax=2000").await,
        ["자전거 바구니", "배 주스"]
    );
    let brands = shelf
        .shop
        .get("/api/v1/shop/brands?code=achim")
        .send()
        .await
        .expect(200);
    let brand = brands.body["brands"][0]["_id"].as_str().unwrap();
    assert_eq!(brands.body["brands"][0]["productCount"], 2);
    assert_eq!(
        shelf.names(&format!("_brand={brand}")).await,
        ["사과 주스", "배 주스"]
    );
    assert!(shelf.names("_brand=nothing").await.is_empty());
    for wrong in [
        "freeShipping=maybe",
        "sort=RANDOM",
        "priceMin=cheap",
        "_seller=x",
    ] {
        shelf
            .shop
            .get(&format!("/api/v1/shop/products?{wrong}"))
            .send()
            .await
            .expect(400);
    }
    let hostile = "brand=%27%3B--&groups=%22%7D&categories=%2C%2C&_id=x&inStock=true&facets=true&freeShipping=true";
    assert_eq!(shelf.list(hostile).await["summary"]["totalCount"], 0);
}

#[tokio::test]
async fn a_search_is_narrowed_and_stays_in_its_order() {
    let shelf = shelf().await;
    let word = "searchValue=%EC%A3%BC%EC%8A%A4";
    until("the engine finds both", async || {
        let found = shelf.list(word).await;
        (found["summary"]["totalCount"] == 2).then_some(())
    })
    .await;
    assert_eq!(shelf.names(word).await, ["사과 주스", "배 주스"]);
    assert_eq!(
        shelf.names(&format!("{word}&freeShipping=true")).await,
        ["배 주스"]
    );
    assert!(shelf.names(&format!("{word}&brand=baram")).await.is_empty());
    // Filters, sort orders and facets apply to searches in the same way.
    let roads = shelf.list("category=bike-road").await;
    let roads: Vec<&str> = roads["products"]
        .as_array()
        .unwrap()
        .iter()
        .map(|card| card["_id"].as_str().unwrap())
        .collect();
    let roads = roads.join(",");
    for narrowed in [
        "sort=PRICE_DESC",
        "sort=REVIEW",
        "sort=LATEST",
        "sort=NAME&category=bike",
        "sort=NAME&categories=bike-road,juice",
        "sort=NAME&category=nothing",
        "sort=NAME&brand=baram",
        "sort=NAME&brand=baram,achim&inStock=true",
        "sort=NAME&_brand=nothing",
        "sort=NAME&groups=SPRING",
        "sort=NAME&groups=SALE,OTHER",
        "sort=NAME&freeShipping=true&priceMin=3500",
        "sort=NAME&inStock=true&priceMin=3000&priceMax=3500",
        "sort=PRICE_ASC&limit=1&skip=1",
    ] {
        let listed = format!("_id={roads}&facets=true&{narrowed}");
        let found = format!("searchValue=%EB%A1%9C&facets=true&{narrowed}");
        until(narrowed, async || {
            let (listed, found) = (shelf.list(&listed).await, shelf.list(&found).await);
            let same =
                found["summary"] == listed["summary"] && found["products"] == listed["products"];
            same.then_some(())
        })
        .await;
    }
    let best = shelf.list(&format!("{word}&facets=true&limit=1")).await;
    let plain = shelf.list(&format!("{word}&limit=1")).await;
    assert_eq!(
        best["products"][0]["_id"], plain["products"][0]["_id"],
        "the best match stays first"
    );
    assert_eq!(
        best["summary"]["facets"]["brands"],
        json!([{ "code": "achim", "name": "아침", "count": 2 }])
    );
    // A change of a product's shipping group is fed to the index, although the product itself does not change.
    let free = json!({ "options": [{ "name": "택배", "fixedAmount": 0 }], "version": 1 });
    let path = format!("/api/console/shop/shippings/{}", shelf.group);
    shelf
        .shop
        .put(&path, &free)
        .as_(&shelf.seller)
        .send()
        .await
        .expect(200);
    until("both travel for nothing", async || {
        let found = shelf.list(&format!("{word}&freeShipping=true")).await;
        (found["summary"]["totalCount"] == 2).then_some(())
    })
    .await;
}

#[tokio::test]
async fn a_search_knows_what_travels_for_nothing_at_any_moment() {
    let shelf = shelf().await;
    let ids = shelf.list("category=juice&sort=PRICE_ASC").await["products"].clone();
    let later = |minutes: i64| {
        let moment = shelf.shop.clock.now() + Duration::minutes(minutes);
        moment.format(&Rfc3339).unwrap()
    };
    // For ten minutes the apple ships for free; the pear does not any more when that ends, but does again later.
    let mut told = 0;
    for (product, fare, begins, ends) in [(0, 0, 10, 20), (1, 400, 20, 30)] {
        let group = json!({
            "name": "기간 배송", "isActive": true, "startsAt": later(begins), "endsAt": later(ends),
            "products": [ids[product]["_id"]], "options": [{ "name": "택배", "fixedAmount": fare }],
        });
        let made = shelf.shop.post("/api/console/shop/shippings", &group);
        let made = made.as_(&shelf.seller).send().await.expect(201);
        told = made.position().parse().unwrap();
    }
    until("the engine is told of both groups", async || {
        let position = shelf.shop.app.search.position().await.unwrap();
        (position >= told).then_some(())
    })
    .await;
    let head = shelf.shop.app.store.head().await.unwrap();
    let both = &["사과 주스", "배 주스"][..];
    for free in [&both[1..], both, &[], &both[1..]] {
        for narrowed in ["category=juice", "searchValue=%EC%A3%BC%EC%8A%A4"] {
            let found = shelf.names(&format!("{narrowed}&freeShipping=true")).await;
            assert_eq!(found, free, "{narrowed}");
        }
        shelf.shop.advance(Duration::minutes(10));
    }
    assert_eq!(
        shelf.shop.app.store.head().await.unwrap(),
        head,
        "by itself"
    );
}

/// The engine is updated with a delay; until then hidden products must not be shown.
#[tokio::test]
async fn what_was_hidden_is_not_shown_though_the_engine_finds_it() {
    let shelf = shelf().await;
    let word = "searchValue=%EC%A3%BC%EC%8A%A4";
    until("the engine finds both", async || {
        let found = shelf.list(word).await;
        (found["summary"]["totalCount"] == 2).then_some(())
    })
    .await;
    // The read model is ahead of the engine, which was not updated.
    sqlx::query("UPDATE products SET shows = false WHERE name = '사과 주스'")
        .execute(shelf.shop.app.pool())
        .await
        .unwrap();
    let found = shelf.list(word).await;
    let names: Vec<&Value> = found["products"]
        .as_array()
        .unwrap()
        .iter()
        .map(|card| &card["name"])
        .collect();
    assert_eq!(names, ["배 주스"]);
}

#[tokio::test]
async fn facets_count_what_everything_else_lets_through() {
    let shelf = shelf().await;
    let facets = shelf.list("facets=true").await["summary"]["facets"].clone();
    assert_eq!(
        facets["brands"],
        json!([{ "code": "achim", "name": "아침", "count": 2 }, { "code": "baram", "name": "바람", "count": 2 }])
    );
    let category = |facets: &Value, code: &str| {
        facets["categories"]
            .as_array()
            .unwrap()
            .iter()
            .find(|facet| facet["code"] == code)
            .map(|facet| facet["count"].clone())
    };
    assert_eq!(
        category(&facets, "bike"),
        Some(json!(3)),
        "a product in a category and under it counts once"
    );
    assert_eq!(category(&facets, "bike-road"), Some(json!(2)));
    assert_eq!(facets["price"], json!({ "min": 500, "max": 4_000 }));
    let facets =
        shelf.list("facets=true&brand=baram&priceMax=3000").await["summary"]["facets"].clone();
    assert_eq!(
        facets["brands"],
        json!([{ "code": "achim", "name": "아침", "count": 2 }, { "code": "baram", "name": "바람", "count": 1 }])
    );
    assert_eq!(category(&facets, "juice"), None);
    assert_eq!(
        facets["price"],
        json!({ "min": 3_000, "max": 4_000 }),
        "the bounds do not narrow themselves"
    );
    assert!(shelf.list("").await["summary"].get("facets").is_none());
}

#[tokio::test]
async fn a_hidden_brand_is_named_nowhere() {
    let shelf = shelf().await;
    let brands = shelf
        .shop
        .get("/api/v1/shop/brands?code=achim")
        .send()
        .await
        .expect(200);
    let brand = brands.body["brands"][0]["_id"].as_str().unwrap();
    let juice = &shelf.list("category=juice").await["products"][0]["_id"];
    let detail = format!("/api/v1/shop/products/{}", juice.as_str().unwrap());
    let shown = shelf.shop.get(&detail).send().await.expect(200);
    assert_eq!(shown.body["product"]["brandName"], "아침");
    let hidden = json!({ "shows": false, "version": 1 });
    let path = format!("/api/console/shop/brands/{brand}");
    let hidden = shelf.shop.put(&path, &hidden).as_(&shelf.staff).send();
    let hidden = hidden.await.expect(200);
    let position = hidden.position();
    let read = async |path: &str| {
        let read = shelf.shop.get(path).header("x-wait-position", &position);
        read.send().await.expect(200).body
    };
    let detail = read(&detail).await;
    assert_eq!(detail["product"]["brandName"], json!(null));
    let list = read("/api/v1/shop/products?facets=true").await;
    assert_eq!(
        list["summary"]["facets"]["brands"],
        json!([{ "code": "baram", "name": "바람", "count": 2 }])
    );
}

#[tokio::test]
async fn the_detail_shows_relateds_and_who_sells_it() {
    let shelf = shelf().await;
    let found = shelf.list("brand=baram&sort=PRICE_ASC").await;
    let (one, two) = (
        found["products"][0]["_id"].clone(),
        found["products"][1]["_id"].clone(),
    );
    let basket = shelf.list("groups=SALE").await["products"][0]["_id"].clone();
    let named = json!({ "relateds": [basket, one], "version": 1 });
    let path = format!("/api/console/shop/products/{}", one.as_str().unwrap());
    let revised = shelf
        .shop
        .put(&path, &named)
        .as_(&shelf.seller)
        .send()
        .await
        .expect(200);
    let path = format!("/api/v1/shop/products/{}", one.as_str().unwrap());
    let detail = shelf
        .shop
        .get(&path)
        .header("x-wait-position", &revised.position())
        .send()
        .await
        .expect(200)
        .body["product"]
        .clone();
    let relateds: Vec<&Value> = detail["relateds"]
        .as_array()
        .unwrap()
        .iter()
        .map(|card| &card["_id"])
        .collect();
    assert_eq!(
        relateds,
        [&basket, &two],
        "those named, then its group; never itself"
    );
    assert_eq!(
        (
            &detail["sellerCard"]["productCount"],
            &detail["sellerCard"]["nickname"]
        ),
        (&json!(5), &json!("seller01"))
    );
}

/// Whether a product is in stock is decided in SQL for lists and in Rust for cards: they agree, also about sets.
#[tokio::test]
async fn in_stock_means_the_same_in_lists_and_on_cards() {
    let shop = TestApp::start().await;
    let seller = shop.seller().await;
    let (full, empty) = (
        shop.product(seller, 100, 3).await,
        shop.product(seller, 100, 0).await,
    );
    let set = |kind: &str, parts: &[(ProductId, u32)]| {
        let parts: Vec<Value> = parts
            .iter()
            .map(|(id, quantity)| json!({ "_product": id, "quantity": quantity }))
            .collect();
        json!({ "code": Uuid::now_v7(), "name": "묶음 상품", "_seller": seller, "price": 500, "shows": true, "type": kind, "bundleds": parts })
    };
    let option = |enabled: bool| json!({ "_id": Uuid::now_v7(), "name": "색상", "value": Uuid::now_v7(), "price": 0, "enabled": enabled });
    let optioned = |enabled: bool| json!({ "code": Uuid::now_v7(), "name": "옵션 상품", "_seller": seller, "price": 500, "shows": true, "optionsConf": { "enabled": true }, "options": [option(enabled), option(false)] });
    for document in [
        set("PRODUCT_BUNDLE", &[(full, 3)]),
        set("PRODUCT_BUNDLE", &[(full, 4)]),
        set("PRODUCT_BUNDLE", &[(full, 1), (empty, 1)]),
        set("VARIETY_BUNDLE", &[(full, 1), (empty, 1)]),
        set("VARIETY_BUNDLE", &[(full, 4), (empty, 1)]),
        set("VARIETY_BUNDLE", &[]),
        optioned(true),
        optioned(false),
    ] {
        shop.record::<Product>(&Uuid::now_v7().to_string(), document)
            .await;
    }
    let list = async |query: &str| {
        shop.get(&format!("/api/v1/shop/products?limit=100&{query}"))
            .send()
            .await
            .expect(200)
            .body["products"]
            .as_array()
            .unwrap()
            .clone()
    };
    let all = until("all ten are listed", async || {
        let all = list("").await;
        (all.len() == 10).then_some(all)
    })
    .await;
    let ids =
        |cards: &[Value]| -> Vec<Value> { cards.iter().map(|card| card["_id"].clone()).collect() };
    let there: Vec<Value> = all
        .iter()
        .filter(|card| card["soldOut"] == false)
        .cloned()
        .collect();
    assert_eq!(
        there.len(),
        3,
        "the full one, a set of three, a choice with one left"
    );
    assert_eq!(ids(&list("inStock=true").await), ids(&there));
}
