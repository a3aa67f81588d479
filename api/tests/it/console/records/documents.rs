//! Whole documents: the fields of products, stores, levels, shipping groups and categories, and what shoppers see of them.

use serde_json::{Value, json};

use crate::support::console::product;
use crate::support::window::{made, put_up, seen};
use crate::support::{Account, TestApp};

/// Creates a product with these fields besides the usual ones; returns its id and the position.
async fn sold(shop: &TestApp, seller: &Account, code: &str, fields: Value) -> (String, String) {
    let mut form = product(1_000, Value::Null);
    form["code"] = json!(code);
    form.as_object_mut()
        .unwrap()
        .extend(fields.as_object().unwrap().clone());
    put_up(shop, seller, "shop/products", &form).await
}

#[tokio::test]
async fn a_product_shows_what_it_is_made_of_and_never_what_it_cost() {
    let shop = TestApp::start().await;
    let seller = shop.company("seller01").await;
    let mut materials = Vec::new();
    for (name, shows) in [("양모", true), ("비밀", false), ("면직물", true)] {
        let material =
            json!({ "name": name, "origin": "호주", "desc": "부드러움", "shows": shows });
        materials.push(put_up(&shop, &seller, "shop/materials", &material).await.0);
    }
    materials.reverse();
    let fields = json!({
        "cost": 432_100, "link": "https://example.com/guide", "materials": materials,
        "nutritions": [{ "name": "나트륨", "amount": "120mg", "percent": 6 }],
        "options": [{
            "name": "색상", "value": "레드", "price": 0, "enabled": true, "stock": 3, "code": "SKU-7",
            "image": { "url": "/pictures/a.webp" },
        }],
        "optionsConf": { "enabled": true }, "stock": null,
    });
    let (id, position) = sold(&shop, &seller, "WOOL", fields.clone()).await;
    let kept = shop
        .get(&format!("/api/console/shop/products/{id}"))
        .as_(&seller)
        .send()
        .await
        .expect(200);
    let kept = &kept.body["product"];
    for field in ["cost", "link", "materials", "nutritions"] {
        assert_eq!(kept[field], fields[field], "{field}");
    }
    assert_eq!(kept["options"][0]["code"], "SKU-7");

    let answer = seen(&shop, &position, &format!("shop/products/{id}")).await;
    let shown = &answer["product"];
    let names: Vec<&str> = shown["materials"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["name"].as_str().unwrap())
        .collect();
    assert_eq!(
        names,
        ["면직물", "양모"],
        "in its order, without hidden ones"
    );
    assert_eq!(shown["nutritions"], fields["nutritions"]);
    assert_eq!(shown["link"], "https://example.com/guide");
    assert_eq!(shown["options"][0]["image"]["url"], "/pictures/a.webp");
    for secret in ["432100", "SKU-7", "비밀"] {
        assert!(!answer.to_string().contains(secret), "{secret}");
    }
}

#[tokio::test]
async fn details_of_a_product_are_checked() {
    let shop = TestApp::start().await;
    let seller = shop.company("seller01").await;
    let option = |value: &str| json!({ "name": "색상", "value": value, "price": 0, "enabled": true, "code": "A" });
    let unknown = json!(["0193a1b2-0000-7000-8000-0000000000ff"]);
    for (fields, complaint) in [
        (json!({ "cost": -1 }), ("cost", "negative")),
        (
            json!({ "link": "javascript:alert(1)" }),
            ("link", "not_an_address"),
        ),
        (
            json!({ "options": [option("레드"), option("블루")] }),
            ("options.1.code", "duplicate"),
        ),
        (
            json!({ "variation": { "enabled": true, "code": "juice" } }),
            ("variation.spec", "required"),
        ),
        (
            json!({ "nutritions": [{ "name": "당류", "amount": "" }] }),
            ("nutritions.0.amount", "required"),
        ),
        (json!({ "materials": unknown }), ("materials", "unknown")),
    ] {
        let mut form = product(1_000, Value::Null);
        form.as_object_mut()
            .unwrap()
            .extend(fields.as_object().unwrap().clone());
        let refused = made(&shop, &seller, "shop/products", &form)
            .await
            .expect(400);
        assert_eq!(refused.complaint(), complaint, "{fields}");
    }
}

#[tokio::test]
async fn variations_lead_to_each_other_in_their_sequence() {
    let shop = TestApp::start().await;
    let (seller, other) = (
        shop.company("seller01").await,
        shop.company("seller02").await,
    );
    let variation = |spec: &str, enabled: bool| json!({ "enabled": enabled, "code": "juice", "list": ["용량"], "spec": spec });
    let small = json!({ "variation": variation("200ml", true), "sequence": 2 });
    let large = json!({ "variation": variation("1L", true), "sequence": 1 });
    let off = json!({ "variation": variation("2L", false) });
    let hidden = json!({ "variation": variation("3L", true), "shows": false });
    let foreign = json!({ "variation": variation("4L", true) });
    let (id, _) = sold(&shop, &seller, "J-200", small).await;
    for (code, fields) in [("J-1", large), ("J-2", off), ("J-3", hidden)] {
        sold(&shop, &seller, code, fields).await;
    }
    let (alone, position) = sold(&shop, &other, "J-4", foreign).await;
    let answer = seen(&shop, &position, &format!("shop/products/{id}")).await;
    let shown = &answer["product"]["variation"];
    assert_eq!(shown["list"], json!(["용량"]));
    let specs: Vec<&str> = shown["products"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["spec"].as_str().unwrap())
        .collect();
    assert_eq!(specs, ["1L", "200ml"]);
    assert_eq!(shown["products"][1]["_id"], json!(id));
    assert_eq!(shown["products"][0]["seller"]["nickname"], "seller01");
    let answer = seen(&shop, &position, &format!("shop/products/{alone}")).await;
    assert_eq!(answer["product"]["variation"], Value::Null);
}

#[tokio::test]
async fn a_store_has_a_company_and_a_picture_for_its_page() {
    let shop = TestApp::start().await;
    let seller = shop.company("seller01").await;
    let picture = |name: &str| json!({ "url": format!("/pictures/{name}.webp"), "alt": null });
    let mut store = json!({
        "name": "한강점", "address1": "여의동로 330", "thumb": picture("a"), "shows": true,
        "mainBanner": picture("b"), "companyName": "주식회사 한강",
    });
    let (id, position) = put_up(&shop, &seller, "shop/stores", &store).await;
    let shown = seen(&shop, &position, &format!("shop/stores/{id}")).await;
    for field in ["mainBanner", "companyName"] {
        assert_eq!(shown["store"][field], store[field], "{field}");
    }
    store["mainBanner"] = picture("");
    store["mainBanner"]["url"] = json!("");
    let refused = made(&shop, &seller, "shop/stores", &store)
        .await
        .expect(400);
    assert_eq!(refused.complaint(), ("mainBanner.url", "required"));
}

#[tokio::test]
async fn a_welcome_level_is_for_its_types_of_members_and_names_its_coupons() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let level = |code: &str, index: i32, scope: &[&str]| {
        json!({
            "code": code, "name": "등급 이름", "index": index, "isActive": true, "isWelcome": true, "scope": scope,
            "criteria": { "months": 6, "amount": 100_000, "orders": 3 },
        })
    };
    let (firms, _) = put_up(&shop, &staff, "levels", &level("firm", 0, &["COMPANY"])).await;
    put_up(&shop, &staff, "levels", &level("person", 1, &[])).await;
    let coupon = json!({
        "name": "승급 쿠폰", "unit": "AMOUNT", "value": 1_000,
        "issue": { "type": "instant", "event": { "type": "LEVEL_UP", "code": "firm" }, "isActive": true },
        "usage": { "type": "total", "isActive": true },
    });
    let (coupon, position) = put_up(&shop, &staff, "shop/coupons", &coupon).await;
    let kept = shop
        .get(&format!("/api/console/levels/{firms}"))
        .as_(&staff)
        .header("x-wait-position", &position)
        .send()
        .await
        .expect(200);
    let kept = &kept.body["level"];
    assert_eq!(kept["criteria"]["amount"], 100_000);
    assert_eq!(kept["coupons"], json!([coupon]));
    shop.sign_up("person01").await;
    shop.company("seller01").await;
    let codes: Vec<String> = sqlx::query_scalar(
        "SELECT payload::jsonb #>> '{MembershipLevelAssigned,code}' FROM events
         WHERE event_type = 'MembershipLevelAssigned' ORDER BY global_position",
    )
    .fetch_all(shop.app.pool())
    .await
    .unwrap();
    assert_eq!(codes, ["person", "firm"]);
    for (field, value, code) in [
        ("scope", json!(["OPERATOR"]), "unknown"),
        ("criteria", json!({ "months": 0 }), "out_of_range"),
    ] {
        let mut wrong = level("wrong", 2, &[]);
        wrong[field] = value;
        let refused = made(&shop, &staff, "levels", &wrong).await.expect(400);
        assert_eq!(refused.complaint().1, code, "{field}");
    }
}

#[tokio::test]
async fn a_shipping_group_is_for_the_goods_of_its_target_only() {
    let shop = TestApp::start().await;
    let seller = shop.company("seller01").await;
    let group = |name: &str, fields: Value| {
        let mut group = json!({ "name": name, "isActive": true, "options": [{ "name": "택배", "fixedAmount": 250 }] });
        group
            .as_object_mut()
            .unwrap()
            .extend(fields.as_object().unwrap().clone());
        group
    };
    let (id, _) = sold(&shop, &seller, "A-1", json!({})).await;
    // The product in the list of a group that goes by categories does not count.
    let refused = group(
        "카테고리",
        json!({ "targetType": "CATEGORIES", "products": [id] }),
    );
    let refused = made(&shop, &seller, "shop/shippings", &refused)
        .await
        .expect(400);
    assert_eq!(refused.complaint(), ("categories", "required"));
    let brand = json!({ "code": "baram", "name": "바람", "shows": true });
    put_up(&shop, &shop.console().await, "shop/brands", &brand).await;
    let named = group(
        "브랜드만",
        json!({ "targetType": "BRANDS", "brands": ["baram"], "products": [id] }),
    );
    put_up(&shop, &seller, "shop/shippings", &named).await;
    let all = group("모두", json!({ "targetType": "ALL", "brands": ["baram"] }));
    let (_, position) = put_up(&shop, &seller, "shop/shippings", &all).await;
    let shown = seen(&shop, &position, &format!("shop/products/{id}")).await;
    assert_eq!(shown["product"]["shipping"]["name"], "모두");
}

#[tokio::test]
async fn goods_are_ordered_to_the_areas_they_are_delivered_to() {
    let shop = TestApp::start().await;
    let (staff, seller) = (shop.console().await, shop.company("seller01").await);
    let island = json!({ "name": "제주도", "starts": "63000", "ends": "63644", "area": "jeju" });
    put_up(&shop, &staff, "shop/islands", &island).await;
    let group = json!({
        "name": "내륙 배송", "isActive": true, "isDefault": true,
        "options": [{ "name": "택배", "fixedAmount": 250, "areas__available": ["none", "island"] }],
    });
    put_up(&shop, &seller, "shop/shippings", &group).await;
    let (id, position) = sold(&shop, &seller, "A-1", json!({})).await;
    let shown = seen(&shop, &position, &format!("shop/products/{id}")).await;
    let options = &shown["product"]["shipping"]["options"];
    assert_eq!(options[0]["areas__available"], json!(["none", "island"]));
    let preview = |receiver: Value| {
        let form = json!({ "carts": [{ "_product": id, "quantity": 1 }], "receiver": receiver });
        shop.post("/api/v1/shop/orders/preview", &form)
            .header("x-wait-position", &position)
            .send()
    };
    for receiver in [Value::Null, json!({ "postcode": "06236" })] {
        preview(receiver).await.expect(200);
    }
    let refused = preview(json!({ "postcode": "63100" })).await.expect(400);
    assert_eq!(
        refused.complaint(),
        ("receiver.postcode", "area_not_served")
    );
    let error = &refused.body["error"];
    assert_eq!(error["details"]["purchaseNos"], json!(["1"]));
}

#[tokio::test]
async fn a_category_has_its_brands_with_their_logos() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    for (code, shows) in [("baram", true), ("hidden", false)] {
        let label = json!({ "url": format!("/pictures/{code}.webp") });
        let brand = json!({ "code": code, "name": "브랜드 이름", "shows": shows, "label": label });
        put_up(&shop, &staff, "shop/brands", &brand).await;
    }
    let category =
        json!({ "code": "bike", "name": "자전거", "brands": ["hidden", "baram"], "shows": true });
    let (_, position) = put_up(&shop, &staff, "shop/categories", &category).await;
    let shown = seen(&shop, &position, "shop/categories").await;
    assert_eq!(
        shown["categories"][0]["brands"],
        json!([{ "code": "baram", "name": "브랜드 이름", "label": { "url": "/pictures/baram.webp" } }])
    );
}
