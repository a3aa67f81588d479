//! Sub-resources: the elements of a list in a record are found, created, changed and removed as records are, by revisions of their owner.

use application::resources::sub_resources::SubResource;
use application::resources::sub_resources::declared::SUB_RESOURCES;
use domain::shipping::ShippingGroup;
use projections::verify::verify;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::console::records::show;
use crate::support::{Account, Reply, TestApp};

const PRODUCTS: &str = "/api/console/shop/products";
const SHIPPINGS: &str = "/api/console/shop/shippings";

/// What is tested with a sub-resource.
struct Case {
    /// A new element.
    form: Value,
    /// A change of it.
    change: Value,
    /// A change that is refused, and the field that is named.
    wrong: (Value, &'static str),
    /// A query that finds the changed element, and one that finds none.
    queries: [String; 2],
}

async fn product(shop: &TestApp, who: &Account, code: &str) -> Value {
    let form = json!({ "code": code, "name": "자전거", "price": 100, "shows": true });
    let made = shop.post(PRODUCTS, &form).as_(who).send().await;
    made.expect(201).body["product"].clone()
}

async fn owner(shop: &TestApp, who: &Account, part: &SubResource) -> Value {
    if part.owner == "product" {
        let mut form =
            json!({ "code": part.schema_name, "name": "자전거", "price": 100, "shows": true });
        if part.counted {
            form["optionsConf"] = json!({ "enabled": true });
            form["options"] =
                json!([{ "name": "색상", "value": "검정", "price": 0, "enabled": true }]);
        }
        let made = shop.post(PRODUCTS, &form).as_(who).send().await;
        return made.expect(201).body["product"].clone();
    }
    let form = json!({ "name": "배송", "isActive": true, "options": [{ "name": "기본" }] });
    let made = shop.post(SHIPPINGS, &form).as_(who).send().await;
    made.expect(201).body["shipping"].clone()
}

fn case(part: &SubResource, [one, other]: [&Value; 2]) -> Case {
    let named = |field: &str| Case {
        form: json!({ field: one }),
        change: json!({ field: other }),
        wrong: (json!({ field: Uuid::now_v7() }), field_of(part)),
        queries: [
            format!("{field}={}", other.as_str().unwrap()),
            format!("{field}={}", one.as_str().unwrap()),
        ],
    };
    let texts = |form: Value, change: Value, wrong: Value, field, queries: [&str; 2]| Case {
        form,
        change,
        wrong: (wrong, field),
        queries: queries.map(str::to_owned),
    };
    match part.schema_name {
        "ProductBundled" => Case {
            form: json!({ "_bundled": one, "quantity": 1 }),
            change: json!({ "quantity": 3 }),
            ..texts(
                Value::Null,
                Value::Null,
                json!({ "quantity": 0 }),
                "quantity",
                ["sort=-createdAt", "searchValue=없음"],
            )
        },
        "ProductChoicee" => named("_choicee"),
        "ProductRelated" => named("_related"),
        "ProductOptionElement" => texts(
            json!({ "name": "색상", "value": "빨강", "price": 0, "enabled": true, "stock": 3 }),
            json!({ "value": "파랑", "enabled": false }),
            json!({ "value": "" }),
            "value",
            ["enabled=false&searchValue=파랑", "searchValue=빨강"],
        ),
        "ProductSupply" => texts(
            json!({ "name": "충전기", "quantity": 1 }),
            json!({ "name": "설명서" }),
            json!({ "quantity": 0 }),
            "quantity",
            ["searchValue=설명", "searchValue=충전"],
        ),
        "ShippingMethodTerms" => texts(
            json!({ "method": "GENERAL", "name": "택배" }),
            json!({ "desc": "평일에만" }),
            json!({ "name": "" }),
            "name",
            ["method=GENERAL", "method=PICK_UP"],
        ),
        "ShippingOptionElement" => texts(
            json!({ "name": "방문", "method": "PICK_UP" }),
            json!({ "fixedAmount": 500 }),
            json!({ "region": "없는 곳" }),
            "region",
            ["method=PICK_UP&chargeType=fixed", "method=EXPRESS"],
        ),
        "ShippingRegionElement" => texts(
            json!({ "name": "수도권", "starts": "01000", "ends": "18600" }),
            json!({ "name": "서울", "ends": "08866" }),
            json!({ "ends": "00999" }),
            "ends",
            ["searchValue=서울", "searchValue=수도"],
        ),
        other => panic!("{other} has no case"),
    }
}

fn field_of(part: &SubResource) -> &'static str {
    match part.schema_name {
        "ProductChoicee" => "_choicee",
        _ => "_related",
    }
}

fn field(reply: &Reply) -> &Value {
    &reply.body["error"]["fields"][0]["field"]
}

fn with(mut form: Value, more: Value) -> Value {
    let more = more.as_object().unwrap().clone();
    form.as_object_mut().unwrap().extend(more);
    form
}

async fn listed(shop: &TestApp, who: &Account, part: &SubResource, query: &str, at: &str) -> Value {
    let asked = shop.get(&format!("{}?{query}", part.wire.path)).as_(who);
    let asked = asked.header("x-wait-position", at).send().await;
    asked.expect(200).body
}

#[tokio::test]
async fn every_sub_resource_is_kept_in_its_owner() {
    let shop = TestApp::start().await;
    let (seller, other) = (
        shop.company("seller01").await,
        shop.company("seller02").await,
    );
    let staff = shop.console().await;
    let [one, another] = [
        product(&shop, &seller, "ONE").await,
        product(&shop, &seller, "OTHER").await,
    ];
    for part in SUB_RESOURCES {
        let path = part.wire.path;
        let name = part.wire.one;
        let owner = owner(&shop, &seller, part).await;
        let id = owner["_id"].as_str().unwrap();
        let case = case(part, [&one["_id"], &another["_id"]]);
        let own = format!("{}={id}", part.owner_field);
        let before = owner[part.list].as_array().unwrap().len();

        let form = with(case.form.clone(), json!({ part.owner_field: id }));
        let without = shop.post(path, &case.form).as_(&seller).send().await;
        let without = without.expect(400);
        assert_eq!(field(&without), part.owner_field, "{path}");
        let foreign = shop.post(path, &form).as_(&other).send().await;
        assert_eq!(foreign.expect(404).code(), "not_found", "{path}");
        let made = shop.post(path, &form).as_(&seller).key(path).send().await;
        let made = made.expect(201);
        let again = shop.post(path, &form).as_(&seller).key(path).send().await;
        assert_eq!(again.expect(201).body, made.body, "{path}");
        let element = &made.body[name];
        for (field, value) in case.form.as_object().unwrap() {
            assert_eq!(&element[field], value, "{path} {field}");
        }
        let single = format!("{path}/{}", element["_id"].as_str().unwrap());
        assert!(single.starts_with(&format!("{path}/{id}.")), "{single}");
        assert_eq!(
            show(&shop, &seller, &single).await.expect(200).body,
            made.body
        );
        show(&shop, &other, &single).await.expect(404);

        let version = &element["version"];
        let (wrong, named) = case.wrong;
        let wrong = with(wrong, json!({ "version": version }));
        let wrong = shop.put(&single, &wrong).as_(&seller).send().await;
        assert_eq!(field(&wrong.expect(400)), named, "{path}");
        let stale = with(case.change.clone(), json!({ "version": 1 }));
        let stale = shop.put(&single, &stale).as_(&seller).send().await;
        let stale = stale.expect(409);
        assert_eq!(stale.code(), "version_conflict");
        assert_eq!(&stale.body["error"]["details"]["version"], version);
        shop.put(&single, &case.change)
            .as_(&seller)
            .send()
            .await
            .expect(400);
        let change = with(case.change.clone(), json!({ "version": version }));
        let foreign = shop.put(&single, &change).as_(&other).send().await;
        foreign.expect(404);
        let changed = shop.put(&single, &change).as_(&seller).send().await;
        let changed = changed.expect(200);
        let element = &changed.body[name];
        for (field, value) in case.change.as_object().unwrap() {
            assert_eq!(&element[field], value, "{path} {field}");
        }
        // What was sent back as it was shown changes nothing.
        let single = format!("{path}/{}", element["_id"].as_str().unwrap());
        let same = shop.put(&single, element).as_(&seller).send().await;
        assert_eq!(same.expect(200).body, changed.body, "{path}");

        let at = changed.position();
        let [found, none] = &case.queries;
        let all = listed(&shop, &seller, part, &own, &at).await;
        assert_eq!(all["summary"]["totalCount"], before + 1, "{path}");
        let found = listed(&shop, &staff, part, &format!("{own}&{found}"), &at).await;
        let rows = found[part.wire.many].as_array().unwrap();
        assert_eq!(rows.len(), 1, "{path}: {found}");
        assert_eq!(&rows[0], element, "{path}");
        let query = format!("{own}&{none}");
        let none = listed(&shop, &staff, part, &query, &at).await;
        assert_eq!(none["summary"]["totalCount"], 0, "{path}");
        let of_other = listed(&shop, &other, part, "", &at).await;
        assert_eq!(of_other["summary"]["totalCount"], 0, "{path}");
        for sort in part.sorts {
            listed(&shop, &staff, part, &format!("{own}&sort=-{sort}"), &at).await;
            let asked = shop.get(&format!("{path}?sort={sort}")).as_(&staff);
            assert_eq!(asked.send().await.expect(400).code(), "invalid_query");
        }

        shop.delete(&single).as_(&other).send().await.expect(404);
        let gone = shop.delete(&single).as_(&seller).send().await.expect(200);
        assert_eq!(gone.body[name]["removed"], true, "{path}");
        show(&shop, &seller, &single).await.expect(404);
        shop.delete(&single).as_(&seller).send().await.expect(404);

        let history = format!(
            "{}/{id}/history",
            if part.owner == "product" {
                PRODUCTS
            } else {
                SHIPPINGS
            }
        );
        let history = show(&shop, &seller, &history).await.expect(200);
        let events = history.body["events"].as_array().unwrap();
        let lists = events
            .iter()
            .filter(|event| event["changes"].get(part.list).is_some());
        assert_eq!((events.len(), lists.count()), (4, 3), "{path}");
    }
    let report = verify(&shop.app.store, |_| {}).await.unwrap();
    assert!(report.differences.is_empty(), "{:?}", report.differences);
}

#[tokio::test]
async fn elements_stored_without_ids_keep_those_they_were_shown_with() {
    let shop = TestApp::start().await;
    let seller = shop.company("seller01").await;
    let id = Uuid::now_v7().to_string();
    let data = json!({ "name": "옛 배송", "_seller": seller.id, "isActive": true,
        "options": [{ "name": "택배" }, { "name": "방문" }] });
    shop.record_of_older_program::<ShippingGroup>(&id, data)
        .await;
    let path = format!("{SHIPPINGS}/options");
    let second = format!("{path}/{id}.2");
    let shown = show(&shop, &seller, &second).await.expect(200);
    assert_eq!(shown.body["option"]["name"], "방문");
    // A form that does not know the ids: one row is removed, one is new.
    let form = json!({ "version": 1, "options": [{ "name": "방문", "fixedAmount": 5 }, { "name": "퀵" }] });
    let saved = shop.put(&format!("{SHIPPINGS}/{id}"), &form).as_(&seller);
    let saved = saved.send().await.expect(200);
    let shown = show(&shop, &seller, &second).await.expect(200);
    assert_eq!(
        (
            &shown.body["option"]["name"],
            &shown.body["option"]["fixedAmount"]
        ),
        (&json!("방문"), &json!(5))
    );
    show(&shop, &seller, &format!("{path}/{id}.1"))
        .await
        .expect(404);
    let options = saved.body["shipping"]["options"].as_array().unwrap();
    assert_eq!(options[0]["_id"], "2");
    assert_ne!(options[1]["_id"], "1");
    // The same element twice would not be found.
    let [one, set] = [
        product(&shop, &seller, "ONE").await,
        product(&shop, &seller, "SET").await,
    ];
    let form = json!({ "_product": set["_id"], "_related": one["_id"] });
    let relateds = format!("{PRODUCTS}/relateds");
    shop.post(&relateds, &form)
        .as_(&seller)
        .send()
        .await
        .expect(201);
    let twice = shop
        .post(&relateds, &form)
        .as_(&seller)
        .send()
        .await
        .expect(400);
    assert_eq!(
        (twice.code(), field(&twice)),
        ("invalid", &json!("_related"))
    );
}
