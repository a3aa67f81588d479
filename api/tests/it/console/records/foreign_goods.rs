//! References to records of other sellers: a set takes stock only from its own seller, whatever is attempted, and a set that becomes
//! invalid later is not on sale.

use domain::catalogue::Product;
use domain::ids::ProductId;
use projections::verify::verify;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::shop::order_form;
use crate::support::{Account, Reply, TestApp};

const PRODUCTS: &str = "/api/console/shop/products";

fn set(code: &str, kind: &str, parts: Value) -> Value {
    json!({ "code": code, "name": "모음 상품", "price": 1, "shows": true, "type": kind, "bundleds": parts })
}

fn part(product: &Value, option: Value, quantity: u32) -> Value {
    json!([{ "_product": product["_id"], "_option": option, "quantity": quantity }])
}

fn id(product: &Value) -> ProductId {
    product["_id"].as_str().unwrap().parse().unwrap()
}

async fn make(shop: &TestApp, who: &Account, document: &Value) -> Reply {
    shop.post(PRODUCTS, document).as_(who).send().await
}

async fn change(shop: &TestApp, who: &Account, product: &Value, mut change: Value) -> Reply {
    let path = format!("{PRODUCTS}/{}", product["_id"].as_str().unwrap());
    let shown = shop.get(&path).as_(who).send().await.expect(200);
    change["version"] = shown.body["product"]["version"].clone();
    shop.put(&path, &change).as_(who).send().await
}

async fn faults(shop: &TestApp) -> Vec<String> {
    let report = verify(&shop.app.store, |_| {}).await.unwrap();
    let differences = report.differences.into_iter();
    differences
        .map(|one| format!("{}: {}", one.model, one.key))
        .collect()
}

/// A product with one option, ten in stock.
async fn optioned(shop: &TestApp, seller: &Account, code: &str) -> Value {
    let option =
        json!({ "name": "색상", "value": "빨강", "price": 0, "enabled": true, "stock": 10 });
    let form = json!({ "code": code, "name": "옵션 상품", "price": 500, "shows": true,
        "optionsConf": { "enabled": true, "sort": "OTHER", "criteria": ["색상"] }, "options": [option] });
    make(shop, seller, &form).await.expect(201).body["product"].clone()
}

#[tokio::test]
async fn a_set_takes_nothing_but_its_sellers_own() {
    let shop = TestApp::start().await;
    let (staff, thief, owner) = (
        shop.console().await,
        shop.company("thief001").await,
        shop.company("owner001").await,
    );
    let own = shop.console_product(&thief, "T-1").await;
    let prey = shop.console_product(&owner, "O-1").await;
    let (own_options, prey_options) = (
        optioned(&shop, &thief, "T-2").await,
        optioned(&shop, &owner, "O-2").await,
    );
    let sound = set("T-3", "PRODUCT_BUNDLE", part(&own, Value::Null, 2));
    let sound = make(&shop, &thief, &sound).await.expect(201).body["product"].clone();
    let prey_option = &prey_options["options"][0]["_id"];
    let attacks = [
        (part(&prey, Value::Null, 1), ("_product", "not_the_sellers")),
        (
            part(&prey_options, prey_option.clone(), 1),
            ("_product", "not_the_sellers"),
        ),
        // The seller's own product, with the stock aggregate of another seller.
        (
            part(&own, prey_option.clone(), 1),
            ("_option", "unknown_option"),
        ),
        (
            part(&own, prey["_id"].clone(), 1),
            ("_option", "unknown_option"),
        ),
        (
            part(&own_options, prey_option.clone(), 1),
            ("_option", "unknown_option"),
        ),
        (
            part(&own_options, Value::Null, 1),
            ("_option", "unknown_option"),
        ),
        (part(&sound, Value::Null, 1), ("_product", "nested")),
        (part(&own, Value::Null, 1_000), ("quantity", "quantity")),
    ];
    for (n, (parts, (field, code))) in attacks.iter().enumerate() {
        let expected = format!("bundleds.0.{field}");
        for kind in ["PRODUCT_BUNDLE", "VARIETY_BUNDLE"] {
            let mut wanted = set(&format!("X-{n}"), kind, parts.clone());
            for shows in [true, false] {
                wanted["shows"] = json!(shows);
                let refused = make(&shop, &thief, &wanted).await.expect(400);
                assert_eq!(
                    refused.complaint(),
                    (expected.as_str(), *code),
                    "{n} {kind}"
                );
            }
            // Staff cannot mix sellers either.
            wanted["_seller"] = json!(thief.id);
            let refused = make(&shop, &staff, &wanted).await.expect(400);
            assert_eq!(
                refused.complaint(),
                (expected.as_str(), *code),
                "{n} {kind}"
            );
        }
        let refused = change(&shop, &thief, &sound, json!({ "bundleds": parts })).await;
        assert_eq!(
            refused.expect(400).complaint(),
            (expected.as_str(), *code),
            "{n}"
        );
        let many =
            json!({ "action": "update", "ids": [sound["_id"]], "fields": { "bundleds": parts } });
        let told = shop
            .post(&format!("{PRODUCTS}/bulk"), &many)
            .as_(&thief)
            .send()
            .await;
        assert_eq!(told.expect(200).body["done"], json!([]), "{n}");
        // By way of a type without parts.
        let plain = set(&format!("Y-{n}"), "NORMAL_PRODUCT", parts.clone());
        let plain = make(&shop, &thief, &plain).await;
        if plain.status == 201 {
            let plain = &plain.body["product"];
            let refused = change(&shop, &thief, plain, json!({ "type": "PRODUCT_BUNDLE" })).await;
            assert_eq!(
                refused.expect(400).complaint(),
                (expected.as_str(), *code),
                "{n}"
            );
            // It takes no stock while it keeps its type.
            let ordered = shop
                .post("/api/v1/shop/orders", &order_form(id(plain), 1))
                .send()
                .await;
            assert_eq!(ordered.expect(409).code(), "sold_out", "{n}");
        }
    }
    let mut cheap = set("Z-1", "PRODUCT_BUNDLE", part(&own, Value::Null, 1));
    cheap["price"] = json!(-1);
    let refused = make(&shop, &thief, &cheap).await.expect(400);
    assert_eq!(refused.complaint(), ("price", "negative"));
    assert_eq!(shop.left(id(&prey)).await, 10);
    shop.post("/api/v1/shop/orders", &order_form(id(&sound), 2))
        .send()
        .await
        .expect(201);
    assert_eq!(shop.left(id(&own)).await, 6);
    shop.settled().await;
    assert_eq!(faults(&shop).await, Vec::<String>::new());
}

#[tokio::test]
async fn a_set_whose_part_changed_hands_is_off_sale_everywhere_until_it_is_mended() {
    let shop = TestApp::start().await;
    let (staff, seller, other) = (
        shop.console().await,
        shop.company("seller01").await,
        shop.company("other001").await,
    );
    let buyer = shop.sign_up("buyer001").await;
    let one = shop.console_product(&seller, "A-1").await;
    let two = optioned(&shop, &seller, "A-2").await;
    let parts = json!([
        { "_product": one["_id"], "quantity": 2 },
        { "_product": two["_id"], "_option": two["options"][0]["_id"], "quantity": 1 },
    ]);
    let whole = set("S-1", "PRODUCT_BUNDLE", parts);
    let whole = make(&shop, &seller, &whole).await.expect(201).body["product"].clone();
    let whole_id = id(&whole);
    shop.settled().await;
    let put = json!({ "_product": whole_id, "quantity": 1 });
    let line = shop
        .post("/api/v1/me/carts", &put)
        .as_(&buyer)
        .send()
        .await
        .expect(200);
    assert_eq!(line.body["cart"]["soldOut"], false);
    shop.order(&buyer, whole_id, 1).await.expect(201);
    assert_eq!(shop.left(id(&one)).await, 8);

    // Staff give the set to another seller, who has none of its parts.
    let handed = change(&shop, &staff, &whole, json!({ "_seller": other.id })).await;
    assert_eq!(
        handed.expect(400).complaint(),
        ("bundleds.0._product", "not_the_sellers")
    );

    // Staff give one of its parts to another seller.
    let given = json!({ "_seller": other.id });
    change(&shop, &staff, &one, given).await.expect(200);
    for path in ["", "/preview"] {
        let refused = shop
            .post(
                &format!("/api/v1/shop/orders{path}"),
                &order_form(whole_id, 1),
            )
            .as_(&buyer)
            .send()
            .await
            .expect(409);
        assert_eq!(refused.code(), "not_on_sale");
        assert_eq!(refused.body["error"]["details"]["reason"], "bundle");
    }
    shop.post("/api/v1/me/carts", &put)
        .as_(&buyer)
        .send()
        .await
        .expect(404);
    assert_eq!(shop.left(id(&one)).await, 8);
    shop.settled().await;
    let said = async || {
        let get = async |path: String| shop.get(&path).as_(&buyer).send().await.expect(200).body;
        let listed = get(format!("/api/v1/shop/products?_id={whole_id}")).await;
        let in_stock = get(format!("/api/v1/shop/products?inStock=true&_id={whole_id}")).await;
        let page = get(format!("/api/v1/shop/products/{whole_id}")).await;
        let cart = get("/api/v1/me/carts".to_owned()).await;
        let document: Value =
            sqlx::query_scalar("SELECT document FROM search_documents WHERE product = $1")
                .bind(whole_id.0)
                .fetch_one(shop.app.pool())
                .await
                .unwrap();
        let found = json!([
            listed["products"][0]["soldOut"],
            page["product"]["soldOut"],
            cart["carts"][0]["soldOut"],
            document["soldOut"]
        ]);
        (found, in_stock["summary"]["totalCount"].clone())
    };
    let off = (json!([true, true, true, true]), json!(0));
    assert_eq!(said().await, off);

    // The error is shown to its seller, in the list and in the form.
    let own = format!("{PRODUCTS}/{whole_id}");
    let told =
        "판매 중지: 1번째 구성 상품을 확인해 주세요. 다른 판매자의 상품은 세트에 넣을 수 없습니다.";
    let shown = shop.get(&own).as_(&seller).send().await.expect(200);
    assert_eq!(shown.body["product"]["bundleFault"], told);
    let rows = shop.get(PRODUCTS).as_(&seller).send().await.expect(200);
    let rows = rows.body["products"].as_array().unwrap().clone();
    let fault = |code: &str| {
        let mut rows = rows.iter().filter(|row| row["code"] == code);
        rows.next().unwrap()["bundleFault"].clone()
    };
    assert_eq!((fault("S-1"), fault("A-2")), (json!(told), Value::Null));

    // `verify` reports it, and staff take it off sale.
    let named = faults(&shop).await;
    assert_eq!(named.len(), 1, "{named:?}");
    assert!(named[0].starts_with("goods: S-1 "), "{named:?}");
    // Fields unrelated to its parts can be changed meanwhile.
    change(&shop, &seller, &whole, json!({ "desc": "곧 다시 팝니다" }))
        .await
        .expect(200);
    change(&shop, &staff, &whole, json!({ "shows": false }))
        .await
        .expect(200);
    shop.settled().await;
    assert_eq!(faults(&shop).await, Vec::<String>::new());
    let refused = change(&shop, &staff, &whole, json!({ "shows": true }))
        .await
        .expect(400);
    assert_eq!(
        refused.complaint(),
        ("bundleds.0._product", "not_the_sellers")
    );
    // It cannot be restored from its history either.
    let back = shop
        .post(&format!("{own}/restore"), &json!({ "version": 1 }))
        .as_(&seller);
    let refused = back.send().await.expect(400);
    assert_eq!(
        refused.complaint(),
        ("bundleds.0._product", "not_the_sellers")
    );
    let mended =
        json!({ "shows": true, "bundleds": part(&two, two["options"][0]["_id"].clone(), 1) });
    change(&shop, &seller, &whole, mended).await.expect(200);
    shop.settled().await;
    assert_eq!(
        said().await,
        (json!([false, false, false, false]), json!(1))
    );
    shop.order(&buyer, whole_id, 1).await.expect(201);
}

#[tokio::test]
async fn a_set_is_off_sale_while_a_part_is_removed_or_a_set_itself() {
    let shop = TestApp::start().await;
    let seller = shop.company("seller01").await;
    let one = shop.console_product(&seller, "A-1").await;
    let two = shop.console_product(&seller, "A-2").await;
    let whole = set("S-1", "PRODUCT_BUNDLE", part(&one, Value::Null, 1));
    let whole = make(&shop, &seller, &whole).await.expect(201).body["product"].clone();
    let order = async || {
        let ordered = shop
            .post("/api/v1/shop/orders", &order_form(id(&whole), 1))
            .send()
            .await;
        (ordered.status, ordered.code().to_owned())
    };
    assert_eq!(order().await.0, 201);
    let off = (409, "not_on_sale".to_owned());
    let as_set = json!({ "type": "PRODUCT_BUNDLE", "bundleds": part(&two, Value::Null, 1) });
    change(&shop, &seller, &one, as_set).await.expect(200);
    assert_eq!(order().await, off);
    change(
        &shop,
        &seller,
        &one,
        json!({ "type": "NORMAL_PRODUCT", "bundleds": [] }),
    )
    .await
    .expect(200);
    assert_eq!(order().await.0, 201);
    let path = format!("{PRODUCTS}/{}", id(&one));
    shop.delete(&path).as_(&seller).send().await.expect(200);
    assert_eq!(order().await, off);
    // A seller who removes their own record causes no verification error.
    shop.settled().await;
    assert_eq!(faults(&shop).await, Vec::<String>::new());
}

#[tokio::test]
async fn an_option_is_sold_from_no_other_products_stock() {
    let shop = TestApp::start().await;
    let (thief, owner) = (
        shop.company("thief001").await,
        shop.company("owner001").await,
    );
    shop.console_product(&thief, "T-1").await;
    let plain = shop.console_product(&owner, "O-1").await;
    let prey = optioned(&shop, &owner, "O-2").await;
    // An option without a stock count: its stock aggregate has no owner yet.
    let uncounted = json!({ "code": "O-3", "name": "새 상품", "price": 500, "shows": true, "optionsConf": { "enabled": true },
        "options": [{ "name": "색상", "value": "파랑", "price": 0, "enabled": true }] });
    let uncounted = make(&shop, &owner, &uncounted).await.expect(201).body["product"].clone();
    shop.settled().await;
    let option = |id: &Value| json!([{ "_id": id, "name": "색상", "value": "빨강", "price": 0, "enabled": true }]);
    let form = |options: Value| json!({ "code": "T-2", "name": "빈 상자", "price": 1, "shows": true, "optionsConf": { "enabled": true }, "options": options });
    let own = optioned(&shop, &thief, "T-3").await;
    for taken in [
        &prey["options"][0]["_id"],
        &uncounted["options"][0]["_id"],
        &plain["_id"],
    ] {
        let refused = make(&shop, &thief, &form(option(taken))).await.expect(400);
        assert_eq!(refused.complaint(), ("options.0._id", "taken"));
        let refused = change(&shop, &thief, &own, json!({ "options": option(taken) })).await;
        assert_eq!(refused.expect(400).complaint(), ("options.0._id", "taken"));
    }
    // Stock of a removed option still counts as the owner's.
    let rest = json!({ "options": [], "optionsConf": { "enabled": false } });
    let given_up = optioned(&shop, &owner, "O-4").await;
    change(&shop, &owner, &given_up, rest).await.expect(200);
    shop.settled().await;
    let of_old = option(&given_up["options"][0]["_id"]);
    let refused = make(&shop, &thief, &form(of_old)).await.expect(400);
    assert_eq!(refused.complaint(), ("options.0._id", "taken"));
    // Accepted by an older program: it cannot be sold, and `verify` reports it.
    let old = Uuid::now_v7();
    let mut document = form(option(&prey["options"][0]["_id"]));
    document["_seller"] = json!(thief.id);
    shop.record::<Product>(&old.to_string(), document).await;
    let mut order = order_form(ProductId(old), 1);
    order["carts"][0]["_option"] = prey["options"][0]["_id"].clone();
    let refused = shop
        .post("/api/v1/shop/orders", &order)
        .send()
        .await
        .expect(409);
    assert_eq!(refused.code(), "not_on_sale");
    assert_eq!(refused.body["error"]["details"]["reason"], "other_goods");
    let prey_option: ProductId = prey["options"][0]["_id"].as_str().unwrap().parse().unwrap();
    assert_eq!(shop.left(prey_option).await, 10);
    shop.settled().await;
    let named = faults(&shop).await;
    assert_eq!(named.len(), 1, "{named:?}");
    assert!(named[0].starts_with("goods: T-2 "), "{named:?}");
    // A set that refers to another seller's product, with a stock aggregate of its own seller.
    let mut set = set(
        "T-4",
        "PRODUCT_BUNDLE",
        part(&plain, own["options"][0]["_id"].clone(), 1),
    );
    set["_seller"] = json!(thief.id);
    shop.record::<Product>(&Uuid::now_v7().to_string(), set)
        .await;
    shop.settled().await;
    let named = faults(&shop).await;
    assert!(
        named.len() == 2 && named.iter().any(|one| one.starts_with("goods: T-4 ")),
        "{named:?}"
    );
}

#[tokio::test]
async fn groups_and_coupons_are_for_their_sellers_goods_and_nobody_enters_anothers_page() {
    let shop = TestApp::start().await;
    let (staff, seller, other) = (
        shop.console().await,
        shop.company("seller01").await,
        shop.company("other001").await,
    );
    let (own, foreign) = (
        shop.console_product(&seller, "A-1").await,
        shop.console_product(&other, "B-1").await,
    );
    let group = |product: &Value| {
        json!({ "name": "특별 배송", "isActive": true, "products": [product["_id"]],
        "options": [{ "name": "택배", "fixedAmount": 0 }] })
    };
    let coupon = |product: &Value| {
        json!({ "name": "모음 할인", "unit": "PERCENT", "value": 5, "issue": { "isActive": true },
        "usage": { "isActive": true, "type": "product", "target": { "type": "PRODUCTS", "_products": [product["_id"]] } } })
    };
    type Form<'a> = &'a dyn Fn(&Value) -> Value;
    let forms: [(&str, &str, Form); 2] = [
        ("shippings", "products", &group),
        ("coupons", "usage.target._products", &coupon),
    ];
    for (path, field, form) in forms {
        let path = format!("/api/console/shop/{path}");
        let post = async |who: &Account, form: Value| shop.post(&path, &form).as_(who).send().await;
        post(&seller, form(&own)).await.expect(201);
        let refused = post(&seller, form(&foreign)).await.expect(400);
        assert_eq!(refused.complaint(), (field, "not_the_sellers"));
        let mut given = form(&foreign);
        given["_seller"] = json!(seller.id);
        let refused = post(&staff, given).await.expect(400);
        assert_eq!(refused.complaint(), (field, "not_the_sellers"));
    }
    // A coupon of the platform applies to products of all sellers.
    let platform = shop
        .post("/api/console/shop/coupons", &coupon(&foreign))
        .as_(&staff);
    platform.send().await.expect(201);

    // The code of a related group includes only products of the same seller.
    let code = json!({ "relatedGroupCode": "road" });
    change(&shop, &seller, &own, code.clone()).await.expect(200);
    change(&shop, &other, &foreign, code.clone())
        .await
        .expect(200);
    let mine = json!({ "code": "A-2", "name": "같은 묶음", "price": 500, "shows": true, "relatedGroupCode": "road" });
    let mine = make(&shop, &seller, &mine).await.expect(201).body["product"].clone();
    shop.settled().await;
    let page = shop
        .get(&format!("/api/v1/shop/products/{}", id(&own)))
        .send()
        .await
        .expect(200);
    let relateds = page.body["product"]["relateds"].as_array().unwrap();
    let shown: Vec<&Value> = relateds.iter().map(|card| &card["_id"]).collect();
    assert_eq!(shown, [&mine["_id"]]);
    // The owner of a page decides what it shows.
    change(
        &shop,
        &seller,
        &own,
        json!({ "relateds": [foreign["_id"]] }),
    )
    .await
    .expect(200);
    // Displays are managed by staff: displays and showrooms are not accessible to sellers.
    for path in ["displays", "showrooms"] {
        let path = format!("/api/console/shop/{path}");
        let refused = shop
            .post(&path, &json!({ "_products": [foreign["_id"]] }))
            .as_(&seller);
        assert_eq!(refused.send().await.expect(403).code(), "access_denied");
    }
}
