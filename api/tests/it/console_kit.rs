//! The console's kit, kind by kind: what every declared kind of record can do is tried from its own declaration.
//!
//! A new kind needs nothing here: its sample is the stored one of its first event, in `domain/samples`.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use api::console::records::{descriptors, resources};
use serde_json::{Map, Value, json};

use crate::support::{Account, Reply, TestApp};
use crate::voices::bought;

/// The kinds on the wire.
pub fn kinds() -> Vec<Value> {
    let said = serde_json::to_value(descriptors()).unwrap();
    said.as_array().unwrap().clone()
}

pub fn text<'a>(kind: &'a Value, name: &str) -> &'a str {
    kind[name].as_str().unwrap()
}

pub fn can(kind: &Value, action: &str) -> bool {
    kind["actions"].as_array().unwrap().contains(&json!(action))
}

/// A document of this kind: the stored sample, with what samples leave out and without what a test shop does not have.
fn sample(kind: &Value) -> Value {
    if kind["sample"].is_object() {
        return kind["sample"].clone();
    }
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../domain/samples");
    let name: String = text(kind, "name")
        .split('-')
        .map(|word| word[..1].to_uppercase() + &word[1..])
        .collect();
    let file = samples.join(format!("{name}Created.1.0.json"));
    let stored: Value = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
    let mut document = stored["Created"]["data"].clone();
    match text(kind, "name") {
        "popup" => document["image"] = json!({ "url": "/pictures/a.webp", "alt": null }),
        "display" => {
            document["items"][0]["image"] = json!({ "url": "/pictures/a.webp", "alt": null })
        }
        // options are numbered when they are made: two products have none in common
        "product" => {
            for option in document["options"].as_array_mut().unwrap() {
                option.as_object_mut().unwrap().remove("_id");
            }
        }
        "shipping" => {
            document["warehouse"] = json!({
                "name": "본사 창고", "code": "W1", "postcode": "06236", "address1": "강남대로 1", "address2": "2층",
                "geolocation": { "longitude": 127.0, "latitude": 37.5 },
            });
        }
        _ => {}
    }
    name_nothing(&kind["fields"], &mut document);
    document
}

/// Leaves out what a document names: a test shop does not have it.
fn name_nothing(fields: &Value, document: &mut Value) {
    for field in fields.as_array().unwrap() {
        let refers = |field: &Value| field["resource"].is_string();
        let rows_refer = field["of"]
            .as_array()
            .is_some_and(|of| of.iter().any(refers));
        if !refers(field) && !rows_refer {
            continue;
        }
        let pointer = format!("/{}", text(field, "name").replace('.', "/"));
        if let Some(value) = document.pointer_mut(&pointer) {
            *value = if value.is_array() {
                json!([])
            } else {
                Value::Null
            };
        }
    }
}

/// The same under another code, where codes are unique: the `n`th of its kind.
pub fn another(kind: &Value, n: usize) -> Value {
    let mut document = sample(kind);
    match text(kind, "name") {
        "display" => {
            let places = [
                "MERIT",
                "POPULAR",
                "NEW_ARRIVAL",
                "BEST_SELLER",
                "RECOMMENDATION",
            ];
            document["code"] = json!(places[n]);
        }
        _ if document["code"].is_string() => document["code"] = json!(format!("code-{n}")),
        _ => {}
    }
    document["name"] = json!(format!("이름 {n}"));
    document
}

/// The path of a field that takes addresses, what is put there around an address, and where in that it is complained about.
type AddressField = (String, fn(&str) -> Value, &'static str);

/// Where a record takes addresses.
fn addresses(fields: &Value, within: &str) -> Vec<AddressField> {
    let mut found: Vec<AddressField> = Vec::new();
    for field in fields.as_array().unwrap() {
        let path = format!("{within}{}", text(field, "name"));
        match text(field, "type") {
            "url" | "file" => found.push((path, |address| json!(address), "")),
            "image" => found.push((
                path,
                |address| json!({ "url": address, "alt": null }),
                ".url",
            )),
            "images" => found.push((
                path,
                |address| json!([{ "url": address, "alt": null }]),
                ".0.url",
            )),
            "list" => found.extend(addresses(&field["of"], &format!("{path}.0."))),
            _ => {}
        }
    }
    found
}

fn with(document: &Value, path: &str, value: Value) -> Value {
    let mut document = document.clone();
    let mut place = &mut document;
    for part in path.split('.') {
        place = match part.parse::<usize>() {
            Ok(line) => &mut place[line],
            Err(_) => &mut place[part],
        };
    }
    *place = value;
    document
}

#[tokio::test]
async fn no_record_leads_to_scripts_or_to_what_others_can_exchange() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let mut asked = BTreeSet::new();
    for kind in kinds() {
        if BY_MEMBERS.contains(&text(&kind, "name")) {
            continue;
        }
        for (n, (path, around, at)) in addresses(&kind["fields"], "").into_iter().enumerate() {
            asked.insert(format!("{} {path}", text(&kind, "name")));
            let document = another(&kind, 0);
            let mut wrong = vec![
                "javascript:alert(1)",
                "data:text/html,<script>1</script>",
                "http://example.com/a.webp",
                "//evil.example/a.webp",
                "/\\evil.example/a.webp",
                "https://",
            ];
            if !at.is_empty() {
                // a picture is a file: the shop's calls are none
                wrong.push("/api/v1/me/info");
            }
            for address in wrong {
                let document = with(&document, &path, around(address));
                let refused = made(&shop, &staff, &kind, &document).await.expect(400);
                let field = format!("{path}{at}");
                assert_eq!(
                    refused.complaint(),
                    (field.as_str(), "not_an_address"),
                    "{address}"
                );
            }
            if n == 0 {
                let document = with(&document, &path, around("https://example.com/a.webp"));
                made(&shop, &staff, &kind, &document).await.expect(201);
            }
        }
    }
    assert!(asked.len() >= 15, "{asked:?}");
    assert!(asked.contains("product thumb") && asked.contains("banner slides.0.url"));

    let picture = |url: &str| json!({ "code": "bike", "name": "자전거", "visual": { "url": url } });
    let categories = "/api/console/shop/categories";
    let refused = shop
        .post(categories, &picture("http://example.com/a.webp"))
        .as_(&staff);
    let refused = refused.send().await.expect(400);
    assert_eq!(refused.complaint(), ("visual.url", "not_an_address"));
    let made = shop
        .post(categories, &picture("/pictures/BK-01.webp"))
        .as_(&staff);
    made.send().await.expect(201);
}

/// What an older program let in stays readable, and does not keep other fields from being changed; the field itself is mended
/// when somebody changes it.
#[tokio::test]
async fn addresses_of_old_stay_until_somebody_touches_them() {
    let shop = TestApp::start().await;
    let (staff, seller) = (shop.console().await, shop.company("seller01").await);
    let id = uuid::Uuid::now_v7().to_string();
    let content = "<p>옛 글 <img src=\"http://example.com/a.webp\"></p>";
    let old = json!({ "code": "A-1", "name": "옛 상품", "_seller": seller.id, "price": 100, "shows": true,
        "thumb": { "url": "http://example.com/a.webp", "alt": null }, "content": content });
    shop.record::<domain::catalogue::Product>(&id, old).await;
    let path = format!("/api/console/shop/products/{id}");
    let put = async |change: Value| shop.put(&path, &change).as_(&staff).send().await;
    let changed = put(json!({ "name": "새 이름", "version": 1 }))
        .await
        .expect(200);
    let product = &changed.body["product"];
    assert_eq!(product["thumb"]["url"], "http://example.com/a.webp");
    assert_eq!(product["content"], content);
    let mut whole = product.clone();
    whole["price"] = json!(200);
    put(whole).await.expect(200);
    let touched = json!({ "url": "http://example.com/a.webp", "alt": "앞모습" });
    let refused = put(json!({ "thumb": touched, "version": 3 }))
        .await
        .expect(400);
    assert_eq!(refused.complaint(), ("thumb.url", "not_an_address"));
    let mended = json!({ "url": "/files/0a1b.webp", "alt": "앞모습" });
    let rewritten = format!("{content}<p>새 글</p>");
    let mended = put(json!({ "thumb": mended, "content": rewritten, "version": 3 }))
        .await
        .expect(200);
    assert_eq!(
        mended.body["product"]["content"],
        "<p>옛 글 <img></p><p>새 글</p>"
    );
}

async fn made(shop: &TestApp, who: &Account, kind: &Value, document: &Value) -> Reply {
    let mut document = document.clone();
    // whoever makes it sells it
    if document.get("_seller").is_some_and(Value::is_null) {
        document["_seller"] = json!(who.id);
    }
    shop.post(text(kind, "path"), &document)
        .as_(who)
        .send()
        .await
}

async fn listed(shop: &TestApp, who: &Account, kind: &Value, query: &str, at: &str) -> Reply {
    shop.get(&format!("{}?{query}", text(kind, "path")))
        .as_(who)
        .header("x-wait-position", at)
        .send()
        .await
}

fn ids(reply: &Reply, kind: &Value) -> Vec<String> {
    reply.body[text(kind, "many")]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["_id"].as_str().unwrap().to_owned())
        .collect()
}

/// Some of a kind: their ids, and the position after them.
async fn some(shop: &TestApp, who: &Account, kind: &Value, many: usize) -> (Vec<String>, String) {
    let (mut ids, mut at) = (Vec::new(), String::new());
    for n in 0..many {
        let reply = made(shop, who, kind, &another(kind, n)).await;
        assert_eq!(reply.status, 201, "{}: {}", kind["name"], reply.text);
        at = reply.position();
        let id = &reply.body[text(kind, "one")]["_id"];
        ids.push(id.as_str().unwrap().to_owned());
    }
    (ids, at)
}

/// Every path of a document that is a value, or what a declared field stands for.
fn paths(value: &Value, within: &str, declared: &BTreeSet<String>, found: &mut BTreeSet<String>) {
    for (name, inner) in value.as_object().unwrap() {
        let path = format!("{within}{name}");
        match inner {
            Value::Object(object) if !declared.contains(&path) && !object.is_empty() => {
                paths(inner, &format!("{path}."), declared, found);
            }
            _ => {
                found.insert(path);
            }
        }
    }
}

/// A kind's declared fields are those of a document.
pub fn agree(of: &str, fields: &Value, document: &Value, beside: &[&str]) {
    let fields = fields.as_array().unwrap();
    let declared: BTreeSet<String> = fields
        .iter()
        .map(|field| text(field, "name").to_owned())
        .collect();
    let mut wire = BTreeSet::new();
    paths(document, "", &declared, &mut wire);
    for name in beside {
        wire.remove(*name);
    }
    assert_eq!(wire, declared, "{of}");
    for field in fields.iter().filter(|field| field["of"].is_array()) {
        let pointer = format!("/{}", text(field, "name").replace('.', "/"));
        let rows = document.pointer(&pointer).unwrap().as_array().unwrap();
        let of = format!("{of}.{}", text(field, "name"));
        // the specification's samples have a row of everything but what would contradict the rest of the sample
        if let Some(row) = rows.first() {
            agree(&of, &field["of"], row, &[]);
        }
    }
}

/// Kinds nobody makes in the back office.
const BY_MEMBERS: [&str; 2] = ["review", "inquire"];

#[tokio::test]
async fn declarations_and_documents_have_the_same_fields() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    for kind in kinds() {
        // what members write is made in the shop; `voices` looks at it
        if BY_MEMBERS.contains(&text(&kind, "name")) {
            continue;
        }
        let mut document = sample(&kind);
        if text(&kind, "name") == "product" {
            let part = made(&shop, &staff, &kind, &another(&kind, 1)).await;
            let part = &part.body["product"]["_id"];
            document["bundleds"] = json!([{ "_product": part, "_option": null, "quantity": 1 }]);
        }
        let reply = made(&shop, &staff, &kind, &document).await;
        assert_eq!(reply.status, 201, "{}: {}", kind["name"], reply.text);
        let document = &reply.body[text(&kind, "one")];
        let beside = ["_id", "version", "removed"];
        agree(text(&kind, "name"), &kind["fields"], document, &beside);
    }
}

/// What is shown at `path` is sent back whole: nothing is changed by it, and nothing is written.
async fn goes_back_as_it_is(shop: &TestApp, who: &Account, path: &str) {
    let shown = shop.get(path).as_(who).send().await.expect(200);
    let mut form = shown.body.clone();
    let answer = form.as_object_mut().unwrap();
    // the tree's version stands beside the category
    let version = answer.remove("version");
    let (_, record) = answer.iter_mut().next().unwrap();
    if let Some(version) = version {
        record["version"] = version;
    }
    let sent = shop.put(path, &record.clone()).as_(who).send().await;
    let sent = sent.expect(200);
    assert_eq!(sent.body, shown.body, "{path}");
    assert_eq!(sent.header("x-position"), None, "{path}: {}", sent.text);
}

#[tokio::test]
async fn what_a_record_shows_can_be_sent_back_and_changes_nothing() {
    let shop = TestApp::start().await;
    let (staff, seller) = (shop.console().await, shop.company("seller01").await);
    for kind in kinds() {
        let path = text(&kind, "path");
        for (n, who) in [&staff, &seller].into_iter().enumerate() {
            let scope = ["console", "company"][n];
            let may = kind["scopes"].as_array().unwrap().contains(&json!(scope));
            if !may || BY_MEMBERS.contains(&text(&kind, "name")) {
                continue;
            }
            let made = made(&shop, who, &kind, &another(&kind, n))
                .await
                .expect(201);
            let id = made.body[text(&kind, "one")]["_id"].as_str().unwrap();
            let own = format!("{path}/{id}");
            goes_back_as_it_is(&shop, who, &own).await;
            goes_back_as_it_is(&shop, &staff, &own).await;
        }
    }

    let buyer = shop.sign_up("buyer001").await;
    let product = shop.console_product(&seller, "A-1").await;
    let purchase = bought(&shop, (&seller, &buyer), &product, true).await;
    let asked =
        json!({ "_product": product["_id"], "subject": "질문입니다", "content": "언제 오나요" });
    let said = json!({ "_purchase": purchase, "star": 5, "subject": "좋아요", "content": "또 사요",
        "images": [{ "url": "/files/0a1b.webp" }] });
    for (call, form, one, path) in [
        (
            "/api/v1/shop/inquires",
            asked,
            "inquire",
            "/api/console/shop/inquires",
        ),
        (
            "/api/v1/me/reviews",
            said,
            "review",
            "/api/console/shop/reviews",
        ),
    ] {
        let made = shop.post(call, &form).as_(&buyer).send().await.expect(201);
        let own = format!("{path}/{}", made.body[one]["_id"].as_str().unwrap());
        goes_back_as_it_is(&shop, &seller, &own).await;
        let reply = json!({ "version": 1, "reply": "고맙습니다." });
        shop.put(&own, &reply).as_(&staff).send().await.expect(200);
        goes_back_as_it_is(&shop, &staff, &own).await;
    }

    let tree = "/api/console/shop/categories";
    let above =
        json!({ "code": "bike", "name": "자전거", "visual": { "url": "/pictures/a.webp" } });
    let below = json!({ "code": "road", "name": "로드", "parent": "bike" });
    for category in [above, below] {
        let made = shop.post(tree, &category).as_(&staff).send().await;
        let id = made.expect(201).body["category"]["_id"].clone();
        goes_back_as_it_is(&shop, &staff, &format!("{tree}/{}", id.as_str().unwrap())).await;
    }
}

/// Whether `kind` offers this to sellers.
fn offered(kind: &Value, action: &str) -> bool {
    let has = |list: &str| {
        kind[list]
            .as_array()
            .is_some_and(|of| of.contains(&json!(action)))
    };
    has("actions") && !has("staffOnly")
}

#[tokio::test]
async fn a_seller_is_offered_exactly_what_is_not_refused() {
    let shop = TestApp::start().await;
    let (seller, buyer) = (
        shop.company("seller01").await,
        shop.sign_up("buyer001").await,
    );
    let product = shop.console_product(&seller, "A-1").await;
    let purchase = bought(&shop, (&seller, &buyer), &product, true).await;
    let asked =
        json!({ "_product": product["_id"], "subject": "질문입니다", "content": "언제 오나요" });
    let said = json!({ "_purchase": purchase, "star": 5, "subject": "좋아요", "content": "또 사요", "images": [] });
    let written = [
        ("inquire", "/api/v1/shop/inquires", asked),
        ("review", "/api/v1/me/reviews", said),
    ];
    let mut looked_at = 0;
    for kind in kinds() {
        if !kind["scopes"]
            .as_array()
            .unwrap()
            .contains(&json!("company"))
        {
            continue;
        }
        let (path, one) = (text(&kind, "path"), text(&kind, "one"));
        let reply = match written
            .iter()
            .find(|(name, ..)| *name == text(&kind, "name"))
        {
            Some((_, call, form)) => shop.post(call, form).as_(&buyer).send().await,
            None => made(&shop, &seller, &kind, &another(&kind, 1)).await,
        };
        let id = reply.expect(201).body[one]["_id"]
            .as_str()
            .unwrap()
            .to_owned();
        let many = json!({ "action": "delete", "ids": [id] });
        let done = shop
            .post(&format!("{path}/bulk"), &many)
            .as_(&seller)
            .send()
            .await;
        let removed = done.expect(200).body["failed"] == json!([]);
        assert_eq!(removed, offered(&kind, "delete"), "{one}: many at once");
        if removed {
            let back = json!({ "action": "restore", "ids": [id] });
            shop.post(&format!("{path}/bulk"), &back)
                .as_(&seller)
                .send()
                .await
                .expect(200);
        }
        let done = shop
            .delete(&format!("{path}/{id}"))
            .as_(&seller)
            .send()
            .await;
        assert_eq!(
            done.status == 200,
            offered(&kind, "delete"),
            "{one}: {}",
            done.text
        );
        looked_at += 1;
    }
    assert!(looked_at >= 5, "{looked_at}");
}

/// Longer than any text may be, and short enough for a request.
fn endless() -> String {
    "가".repeat(70_000)
}

/// The place `path` names; what is not there yet is made.
fn place<'a>(document: &'a mut Value, path: &str) -> &'a mut Value {
    path.split('.')
        .fold(document, |at, part| match part.parse::<usize>() {
            Ok(line) => &mut at[line],
            Err(_) => &mut at[part],
        })
}

/// Documents like this one with an endless text, one for each text of these fields; and where that is.
fn endless_texts(fields: &Value, within: &str, document: &Value) -> Vec<(String, Value)> {
    let mut found = Vec::new();
    for field in fields.as_array().unwrap() {
        let path = format!("{within}{}", text(field, "name"));
        if field["readOnly"] == true {
            continue;
        }
        let long = endless();
        let address = format!("/{long}");
        let ways = match text(field, "type") {
            "text" | "longtext" | "html" | "color" => vec![("", json!(long))],
            "url" => vec![("", json!(address))],
            "tags" => vec![(".0", json!([long]))],
            // a brand's sign says nothing but its name
            "image" if path == "label" => vec![(".url", json!({ "url": address }))],
            "image" => vec![
                (".url", json!({ "url": address, "alt": null })),
                (".alt", json!({ "url": "/a.webp", "alt": long })),
            ],
            "images" => vec![
                (".0.url", json!([{ "url": address, "alt": null }])),
                (".0.alt", json!([{ "url": "/a.webp", "alt": long }])),
            ],
            "list" if !place(&mut document.clone(), &path)[0].is_null() => {
                let row = format!("{path}.0.");
                found.extend(endless_texts(&field["of"], &row, document));
                continue;
            }
            _ => continue,
        };
        for (part, value) in ways {
            let mut wrong = document.clone();
            *place(&mut wrong, &path) = value;
            found.push((format!("{path}{part}"), wrong));
        }
    }
    found
}

#[tokio::test]
async fn no_text_of_a_record_is_endless() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let mut tried = 0;
    for kind in kinds().iter().filter(|kind| can(kind, "create")) {
        let whole = another(kind, 0);
        for (named, document) in endless_texts(&kind["fields"], "", &whole) {
            let refused = made(&shop, &staff, kind, &document).await;
            let what = format!("{} {named}: {:.300}", kind["name"], refused.text);
            assert_eq!(refused.status, 400, "{what}");
            let fields = refused.body["error"]["fields"].as_array().unwrap();
            assert!(fields.iter().any(|one| one["field"] == named), "{what}");
            tried += 1;
        }
    }
    assert!(tried > 90, "{tried}");

    let tree = "/api/console/shop/categories";
    let plain = json!({ "code": "bike", "name": "자전거", "visual": { "url": "/a.webp" } });
    for named in ["code", "name", "visual.url"] {
        let mut wrong = plain.clone();
        *place(&mut wrong, named) = json!(endless());
        let refused = shop.post(tree, &wrong).as_(&staff).send().await.expect(400);
        assert_eq!(refused.body["error"]["fields"][0]["field"], named);
    }
}

#[test]
fn declarations_name_what_exists() {
    let known = serde_json::to_value(resources::all()).unwrap()["resources"].clone();
    let known = known.as_array().unwrap();
    let names: Vec<&str> = known.iter().map(|kind| text(kind, "name")).collect();
    for kind in known {
        let fields: Vec<&Value> = kind["fields"].as_array().unwrap().iter().collect();
        let has = |name: &Value| fields.iter().any(|field| field["name"] == *name);
        let ledger = kind["ledger"] == true;
        for name in kind["search"].as_array().unwrap() {
            assert!(has(name), "{} searches {name}", kind["name"]);
        }
        let usual = text(kind, "defaultSort").trim_start_matches('-');
        for name in kind["sorts"].as_array().unwrap() {
            assert!(has(name), "{} sorts {name}", kind["name"]);
        }
        assert!(usual.is_empty() || kind["sorts"].as_array().unwrap().contains(&json!(usual)));
        for filter in kind["filters"].as_array().unwrap() {
            let tab = ledger && filter["name"] == "tab";
            assert!(
                tab || has(&filter["name"]),
                "{} filters {filter}",
                kind["name"]
            );
            assert_eq!(
                filter["type"] == "enum",
                filter["values"].is_array(),
                "{filter}"
            );
        }
        let refers = fields
            .iter()
            .copied()
            .chain(kind["filters"].as_array().unwrap());
        for resource in refers.filter_map(|one| one["resource"].as_str()) {
            assert!(
                names.contains(&resource),
                "{} refers to {resource}",
                kind["name"]
            );
        }
    }
}

#[tokio::test]
async fn every_kind_is_searched_narrowed_and_sorted_as_it_says() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    for kind in kinds().iter().filter(|kind| can(kind, "create")) {
        is_listed_as_it_says(&shop, &staff, kind).await;
    }
}

/// Three of a kind are searched, narrowed and sorted.
pub async fn is_listed_as_it_says(shop: &TestApp, staff: &Account, kind: &Value) {
    let (ids_made, at) = some(shop, staff, kind, 3).await;
    let everything: BTreeSet<&String> = ids_made.iter().collect();
    for sort in kind["sorts"].as_array().unwrap() {
        let sort = sort.as_str().unwrap();
        let up = ids(
            &listed(shop, staff, kind, &format!("sort={sort}"), &at)
                .await
                .expect(200),
            kind,
        );
        let down = ids(
            &listed(shop, staff, kind, &format!("sort=-{sort}"), &at)
                .await
                .expect(200),
            kind,
        );
        assert_eq!(
            up.iter().collect::<BTreeSet<_>>(),
            everything,
            "{} {sort}",
            kind["name"]
        );
        let back: Vec<String> = down.into_iter().rev().collect();
        assert_eq!(up, back, "{} {sort}", kind["name"]);
    }
    let by_name = ids(&listed(shop, staff, kind, "sort=name", &at).await, kind);
    assert_eq!(by_name, ids_made, "{}", kind["name"]);
    let first = &listed(shop, staff, kind, "sort=name", &at).await.body[text(kind, "many")][0];
    for filter in kind["filters"].as_array().unwrap() {
        let name = text(filter, "name");
        let value = first
            .pointer(&format!("/{}", name.replace('.', "/")))
            .cloned()
            .unwrap_or_default();
        let (hit, miss) = match text(filter, "type") {
            "boolean" => {
                let yes = value == true;
                (format!("{name}={yes}"), format!("{name}={}", !yes))
            }
            "enum" => {
                let mut other = filter["values"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|choice| text(choice, "value"));
                let other = other.rfind(|word| value != *word).unwrap();
                (
                    format!("{name}={}", value.as_str().unwrap()),
                    format!("{name}={other}"),
                )
            }
            "range" => {
                let number = value.as_i64().unwrap();
                (
                    format!("{name}Min={number}&{name}Max={number}"),
                    format!("{name}Min={}", number + 1),
                )
            }
            "period" => match value.as_str() {
                Some(moment) => {
                    let day = &moment[..10];
                    (
                        format!("{name}From=2000-01-01&{name}To=2999-01-01"),
                        format!(
                            "{name}To={}",
                            if day < "2020" {
                                "1970-01-01"
                            } else {
                                "2001-01-01"
                            }
                        ),
                    )
                }
                None => continue,
            },
            _ => {
                let word = match &value {
                    Value::Array(words) if !words.is_empty() => {
                        words[0].as_str().unwrap().to_owned()
                    }
                    Value::String(word) => word.clone(),
                    _ => continue,
                };
                (format!("{name}={word}"), format!("{name}=nobody"))
            }
        };
        let found = ids(
            &listed(shop, staff, kind, &hit, &at).await.expect(200),
            kind,
        );
        assert!(found.contains(&ids_made[0]), "{} {hit}", kind["name"]);
        let found = ids(
            &listed(shop, staff, kind, &miss, &at).await.expect(200),
            kind,
        );
        assert!(!found.contains(&ids_made[0]), "{} {miss}", kind["name"]);
        if matches!(text(filter, "type"), "boolean" | "enum") {
            refused(
                listed(shop, staff, kind, &format!("{name}=nonsense"), &at).await,
                name,
            );
        }
    }
    let found = ids(
        &listed(shop, staff, kind, "searchValue=%EC%9D%B4%EB%A6%84%201", &at).await,
        kind,
    );
    assert_eq!(found, [ids_made[1].clone()], "{}", kind["name"]);
    refused(listed(shop, staff, kind, "sort=data", &at).await, "sort");
    refused(listed(shop, staff, kind, "secret=1", &at).await, "secret");
}

fn refused(reply: Reply, field: &str) {
    let reply = reply.expect(400);
    assert_eq!(
        (
            reply.code(),
            reply.body["error"]["fields"][0]["field"].as_str()
        ),
        ("invalid_query", Some(field))
    );
}

#[tokio::test]
async fn many_are_changed_and_removed_at_once_each_with_its_own_event() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    for kind in kinds()
        .iter()
        .filter(|kind| can(kind, "bulk") && can(kind, "create"))
    {
        is_changed_at_once(&shop, &staff, kind).await;
    }
}

#[tokio::test]
async fn all_that_match_are_changed_a_part_at_a_time_each_once() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let brand = kinds().into_iter().find(|kind| kind["name"] == "brand");
    let brand = brand.unwrap();
    let (mut made, at) = some(&shop, &staff, &brand, 51).await;
    made.sort();
    let seen = listed(&shop, &staff, &brand, "", &at).await;
    assert_eq!(seen.body["summary"]["totalCount"], 51);
    let path = format!("{}/bulk", text(&brand, "path"));
    let mut all = json!({ "action": "delete", "matching": { "filters": {} } });
    let ask = |all: &Value| shop.post(&path, all).as_(&staff).send();
    let first = ask(&all).await.expect(200);
    assert_eq!(
        (&first.body["done"], &first.body["next"]),
        (&json!(made[..50]), &json!(made[49]))
    );
    all["after"] = first.body["next"].clone();
    let last = ask(&all).await.expect(200);
    assert_eq!(
        last.body,
        json!({ "done": [made[50]], "failed": [], "next": null })
    );
    let products = "/api/console/shop/products/bulk";
    all["after"] = json!("nowhere");
    let unclear = shop.post(products, &all).as_(&staff).send();
    let unclear = unclear.await.expect(400);
    assert_eq!(unclear.body["error"]["fields"][0]["field"], "after");
}

#[tokio::test]
async fn one_is_found_by_its_code_among_many() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let brand = kinds().into_iter().find(|kind| kind["name"] == "brand");
    let brand = brand.unwrap();
    let (made, at) = some(&shop, &staff, &brand, 3).await;
    let one = shop
        .get(&format!("{}/{}", text(&brand, "path"), made[1]))
        .as_(&staff);
    let one = one.send().await.expect(200);
    let code = one.body["brand"]["code"].as_str().unwrap();
    let found = listed(&shop, &staff, &brand, &format!("code={code}"), &at).await;
    assert_eq!(ids(&found, &brand), [made[1].clone()], "{}", found.text);
    let part = &code[..code.len() - 1];
    let found = listed(&shop, &staff, &brand, &format!("code={part}"), &at).await;
    assert_eq!(found.body["summary"]["totalCount"], 0);
}

/// Three of a kind are changed and removed together.
pub async fn is_changed_at_once(shop: &TestApp, staff: &Account, kind: &Value) {
    let path = format!("{}/bulk", text(kind, "path"));
    let (made, at) = some(shop, staff, kind, 3).await;
    let nobody = uuid::Uuid::now_v7().to_string();
    let form = json!({ "action": "update", "fields": { "name": "한꺼번에" }, "reason": "이름 정리",
        "ids": [made[0], made[0], made[1], nobody] });
    let bulk = || shop.post(&path, &form).as_(staff).key("bulk-update").send();
    let reply = bulk().await.expect(200);
    assert_eq!(
        (&reply.body["done"], &reply.body["failed"][0]["code"]),
        (&json!(made[..2]), &json!("not_found")),
        "{}",
        reply.text
    );
    let again = bulk().await.expect(200);
    assert_eq!(
        (again.body, again.headers.get("idempotent-replay").is_some()),
        (reply.body.clone(), true)
    );
    let history = shop
        .get(&format!("{}/{}/history", text(kind, "path"), made[0]))
        .as_(staff)
        .send()
        .await;
    let events = history.body["events"].as_array().unwrap();
    assert_eq!(
        (
            events.len(),
            &events[1]["reason"],
            &events[1]["actor"]["kind"]
        ),
        (2, &json!("이름 정리"), &json!("operator"))
    );
    let found = listed(
        shop,
        staff,
        kind,
        "searchValue=%ED%95%9C%EA%BA%BC%EB%B2%88%EC%97%90",
        &reply.position(),
    )
    .await;
    assert_eq!(found.body["summary"]["totalCount"], 2, "{at}");

    let all =
        json!({ "action": "delete", "matching": { "searchValue": "한꺼번에", "filters": {} } });
    let reply = shop.post(&path, &all).as_(staff).send().await.expect(200);
    assert_eq!(
        (&reply.body["done"], &reply.body["failed"]),
        (&json!(made[..2]), &json!([]))
    );
    let left = listed(shop, staff, kind, "", &reply.position()).await;
    assert_eq!(ids(&left, kind), [made[2].clone()], "{}", kind["name"]);
    come_back(shop, staff, kind, &made, &reply.position()).await;

    for (wrong, field) in [
        (
            json!({ "action": "update", "ids": [], "fields": { "_id": "x" } }),
            "fields._id",
        ),
        (
            json!({ "action": "delete", "ids": vec!["x"; 1_001] }),
            "ids",
        ),
        (json!({ "action": "delete" }), "ids"),
        (
            json!({ "action": "delete", "matching": { "filters": { "secret": 1 } } }),
            "secret",
        ),
    ] {
        let reply = shop.post(&path, &wrong).as_(staff).send().await.expect(400);
        assert_eq!(
            reply.body["error"]["fields"][0]["field"], field,
            "{}",
            reply.text
        );
    }
}

/// The first two of `made` were removed: they are listed, and come back together.
async fn come_back(shop: &TestApp, staff: &Account, kind: &Value, made: &[String], at: &str) {
    let gone = listed(shop, staff, kind, "removed=true", at).await;
    let mut found = ids(&gone, kind);
    found.sort();
    assert_eq!(found, made[..2], "{}", gone.text);
    let records = gone.body[text(kind, "many")].as_array().unwrap();
    assert!(records.iter().all(|one| one["removed"] == true));
    let path = text(kind, "path");
    let unclear = shop.get(&format!("{path}?removed=perhaps")).as_(staff);
    unclear.send().await.expect(400);
    let back = json!({ "action": "restore",
        "matching": { "searchValue": "한꺼번에", "filters": { "removed": "true" } } });
    let back = shop.post(&format!("{path}/bulk"), &back).as_(staff).send();
    let back = back.await.expect(200);
    assert_eq!(
        (&back.body["done"], &back.body["failed"]),
        (&json!(made[..2]), &json!([]))
    );
    for (query, count) in [("", 3), ("removed=true", 0)] {
        let now = listed(shop, staff, kind, query, &back.position()).await;
        assert_eq!(now.body["summary"]["totalCount"], count, "{query}");
    }
}

const BOUNDARY: &str = "jangbu-test-boundary";

async fn import(shop: &TestApp, who: &Account, kind: &Value, query: &str, file: &[u8]) -> Reply {
    let mut body = format!(
        "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\"\r\n\r\n"
    )
    .into_bytes();
    body.extend_from_slice(file);
    body.extend_from_slice(format!("\r\n--{BOUNDARY}--\r\n").as_bytes());
    shop.ask(
        reqwest::Method::POST,
        &format!("{}/import?{query}", text(kind, "path")),
    )
    .as_(who)
    .body(&format!("multipart/form-data; boundary={BOUNDARY}"), body)
    .send()
    .await
}

/// The list as csv, row by row.
async fn exported(shop: &TestApp, who: &Account, kind: &Value, at: &str) -> Vec<Vec<String>> {
    let reply = shop
        .get(&format!(
            "{}/export?format=csv&sort=name",
            text(kind, "path")
        ))
        .as_(who)
        .header("x-wait-position", at)
        .send()
        .await
        .expect(200);
    let name = reply.header("content-disposition").unwrap().to_owned();
    assert!(
        name.starts_with("attachment; filename=\"") && name.ends_with(".csv\""),
        "{name}"
    );
    let text = reply.text.strip_prefix('\u{feff}').unwrap_or(&reply.text);
    csv::ReaderBuilder::new()
        .has_headers(false)
        .from_reader(text.as_bytes())
        .records()
        .map(|row| row.unwrap().iter().map(str::to_owned).collect())
        .collect()
}

fn written(rows: &[Vec<String>]) -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for row in rows {
        writer.write_record(row).unwrap();
    }
    writer.into_inner().unwrap()
}

#[tokio::test]
async fn an_exported_table_comes_back_as_exactly_what_was_changed_in_it() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    for kind in kinds().iter().filter(|kind| can(kind, "import")) {
        comes_back_from_a_table(&shop, &staff, kind).await;
    }
}

/// Three of a kind leave as a table and come back.
pub async fn comes_back_from_a_table(shop: &TestApp, staff: &Account, kind: &Value) {
    let (made, at) = some(shop, staff, kind, 3).await;
    let mut rows = exported(shop, staff, kind, &at).await;
    assert_eq!(rows.len(), 5, "{}", kind["name"]);
    let name = rows[1].iter().position(|cell| cell == "name").unwrap();
    rows[2][name] = "바꾼 이름".to_owned();
    rows[4][name] = "=2+3 이름".to_owned();
    let mut fresh = rows[3].clone();
    let table = written(&rows);

    let preview = import(shop, staff, kind, "dryRun=true", &table)
        .await
        .expect(200);
    let summary = json!({ "rows": 3, "creates": 0, "updates": 2, "unchanged": 1, "errors": 0 });
    assert_eq!(
        preview.body["summary"], summary,
        "{} {}",
        kind["name"], preview.text
    );
    let change = json!({ "name": { "from": "이름 0", "to": "바꾼 이름" } });
    assert_eq!(preview.body["rows"][0]["changes"], change);
    let versions = |reply: &Reply| -> Vec<Value> {
        reply.body[text(kind, "many")]
            .as_array()
            .unwrap()
            .iter()
            .map(|row| row["version"].clone())
            .collect()
    };
    let before = listed(shop, staff, kind, "sort=createdAt", &at).await;
    assert_eq!(versions(&before), [1, 1, 1]);

    let real = import(shop, staff, kind, "dryRun=false", &table)
        .await
        .expect(200);
    assert_eq!(real.body["summary"], summary, "{}", real.text);
    let after = listed(shop, staff, kind, "sort=createdAt", &real.position()).await;
    assert_eq!(versions(&after), [2, 1, 2], "{}", kind["name"]);
    let history = shop
        .get(&format!("{}/{}/history", text(kind, "path"), made[2]))
        .as_(staff)
        .send()
        .await;
    let changes = history.body["events"][1]["changes"]
        .as_object()
        .unwrap()
        .clone();
    assert_eq!(
        changes,
        Map::from_iter([(
            "name".to_owned(),
            json!({ "from": "이름 2", "to": "=2+3 이름" })
        )]),
        "{}",
        kind["name"]
    );
    let shown = exported(shop, staff, kind, &real.position()).await;
    assert!(
        shown.iter().flatten().all(|cell| !cell.starts_with('=')),
        "{}",
        kind["name"]
    );

    // the same table again changes nothing; a stale row that says something else is refused
    let again = import(shop, staff, kind, "dryRun=true", &table)
        .await
        .expect(200);
    assert_eq!(again.body["summary"]["unchanged"], 3, "{}", again.text);
    let mut stale = rows.clone();
    stale[2][name] = "또 다른 이름".to_owned();
    // a new row: without an id, and without a unique code it is a mistake where codes are unique
    fresh[0] = String::new();
    fresh[name] = "김".to_owned();
    stale.push(fresh);
    let refused = import(shop, staff, kind, "dryRun=true", &written(&stale))
        .await
        .expect(200);
    assert_eq!(
        refused.body["summary"]["errors"], 2,
        "{} {}",
        kind["name"], refused.text
    );
    assert_eq!(
        refused.body["rows"][0]["errors"][0]["code"], "version_conflict",
        "{}",
        refused.text
    );
    let second = &refused.body["rows"][1]["errors"][0];
    let twice = second["field"] == "_id" && second["code"] == "duplicate";
    assert!(twice || second["field"] == "name", "{}", refused.text);
}

#[tokio::test]
async fn of_two_rows_with_one_code_the_second_is_wrong_before_and_when_it_is_for_good() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let kinds = kinds();
    let kind = kinds.iter().find(|kind| kind["name"] == "brand").unwrap();
    let table = "code,name\nsame,첫째 브랜드\nsame,둘째 브랜드\n".as_bytes();
    let summary = json!({ "rows": 2, "creates": 1, "updates": 0, "unchanged": 0, "errors": 1 });
    let mut at = String::new();
    for dry_run in [true, false] {
        let query = format!("dryRun={dry_run}");
        let reply = import(&shop, &staff, kind, &query, table).await.expect(200);
        assert_eq!(reply.body["summary"], summary, "{query} {}", reply.text);
        let wrong = &reply.body["rows"][1]["errors"][0];
        assert_eq!(wrong["code"], "duplicate", "{query} {}", reply.text);
        if !dry_run {
            at = reply.position();
        }
    }
    let rows = exported(&shop, &staff, kind, &at).await;
    assert!(rows.iter().flatten().any(|cell| cell == "첫째 브랜드"));
    assert!(!rows.iter().flatten().any(|cell| cell == "둘째 브랜드"));
}

/// The other parts of a table that was sent, until the last, or so many.
async fn further(
    shop: &TestApp,
    who: &Account,
    kind: &Value,
    query: &str,
    (first, most): (Reply, usize),
) -> Vec<Reply> {
    let mut parts = vec![first];
    while let Some(last) = parts.last()
        && let Some(next) = last.body["next"].as_u64()
        && parts.len() < most
    {
        let table = text(&last.body, "table");
        let path = format!(
            "{}/import?{query}&table={table}&after={next}",
            text(kind, "path")
        );
        let part = shop.post(&path, &json!({})).as_(who).send().await;
        parts.push(part.expect(200));
    }
    parts
}

/// One number of the summary, over all parts.
fn sum(parts: &[Reply], name: &str) -> u64 {
    let numbers = parts
        .iter()
        .map(|part| part.body["summary"][name].as_u64().unwrap());
    numbers.sum()
}

#[tokio::test]
async fn a_long_table_is_sent_once_done_in_parts_and_done_again_without_harm() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let kinds = kinds();
    // a kind without a code: nothing but the row itself says which record it made
    let kind = kinds.iter().find(|kind| kind["name"] == "island").unwrap();
    let mut rows = vec![vec![
        "name".to_owned(),
        "area".to_owned(),
        "starts".to_owned(),
        "ends".to_owned(),
    ]];
    rows.extend((0..520).map(|no| {
        let zip = format!("{}", 10_000 + no);
        vec![format!("섬 {no}"), "jeju".to_owned(), zip.clone(), zip]
    }));
    rows[3][1] = "화성".to_owned();
    rows[400][1] = "화성".to_owned();
    let table = written(&rows);

    let look = import(&shop, &staff, kind, "dryRun=true", &table)
        .await
        .expect(200);
    assert_eq!(look.body["total"], 520, "{}", look.text);
    let looked = further(&shop, &staff, kind, "dryRun=true", (look, 9)).await;
    assert_eq!(looked.len(), 3);
    let wrong: Vec<u64> = looked
        .iter()
        .flat_map(|part| part.body["rows"].as_array().unwrap())
        .filter(|row| row["action"] == "error")
        .map(|row| row["row"].as_u64().unwrap())
        .collect();
    assert_eq!((sum(&looked, "creates"), wrong), (518, vec![4, 401]));

    // stopped after the first part, and all of it sent again: what is done stays as it is
    let real = import(&shop, &staff, kind, "dryRun=false", &table)
        .await
        .expect(200);
    assert_eq!(sum(&[real], "creates"), 249);
    let again = import(&shop, &staff, kind, "dryRun=false", &table)
        .await
        .expect(200);
    let again = further(&shop, &staff, kind, "dryRun=false", (again, 9)).await;
    let counted = ["creates", "updates", "unchanged", "errors"].map(|name| sum(&again, name));
    assert_eq!(counted, [269, 0, 249, 2]);
    let at = again.last().unwrap().position();
    let list = listed(&shop, &staff, kind, "", &at).await;
    assert_eq!(list.body["summary"]["totalCount"], 518);

    // what was wrong is put right: only that is new
    rows[3][1] = "jeju".to_owned();
    let right = import(&shop, &staff, kind, "dryRun=true", &written(&rows))
        .await
        .expect(200);
    assert_eq!(sum(&[right], "creates"), 1);

    // a table is its owner's, and of its kind
    let seller = shop.company("seller01").await;
    let product = kinds.iter().find(|kind| kind["name"] == "product").unwrap();
    let theirs = import(
        &shop,
        &staff,
        product,
        "dryRun=true",
        "name\n상품\n".as_bytes(),
    )
    .await;
    let (islands, products) = (text(&again[0].body, "table"), text(&theirs.body, "table"));
    for (who, kind, table, after) in [
        (&seller, product, products, 0),
        (&staff, product, islands, 0),
        (&staff, kind, islands, 7),
    ] {
        let path = format!("{}/import?table={table}&after={after}", text(kind, "path"));
        let refused = shop.post(&path, &json!({})).as_(who).send().await;
        assert_eq!(
            refused.expect(400).body["error"]["fields"][0]["code"],
            "gone"
        );
    }
}

#[tokio::test]
async fn xlsx_says_the_same_and_hostile_files_are_refused() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let kind = kinds()
        .into_iter()
        .find(|kind| kind["name"] == "island")
        .unwrap();
    let (_, at) = some(&shop, &staff, &kind, 3).await;
    let file = reqwest::Client::new()
        .get(format!("{}{}/export", shop.url, text(&kind, "path")))
        .bearer_auth(&staff.token)
        .header("x-wait-position", &at)
        .send()
        .await
        .unwrap()
        .bytes()
        .await
        .unwrap();
    let same = import(&shop, &staff, &kind, "dryRun=true", &file)
        .await
        .expect(200);
    assert_eq!(
        same.body["summary"],
        json!({ "rows": 3, "creates": 0, "updates": 0, "unchanged": 3, "errors": 0 }),
        "{}",
        same.text
    );

    let many = format!("name\n{}", "가나\n".repeat(50_001));
    let wide = "name,".repeat(300);
    for file in [
        b"".as_slice(),
        b"PK\x03\x04nonsense",
        b"\xff\xfe\x00\x01",
        b"no,heading\n1,2",
        many.as_bytes(),
        wide.as_bytes(),
        b"name,secret\n1,2",
        b"name,name\n1,2",
    ] {
        let reply = import(&shop, &staff, &kind, "dryRun=false", file)
            .await
            .expect(400);
        assert_eq!(reply.code(), "invalid");
    }
    let large = vec![b'a'; 21 * 1024 * 1024];
    import(&shop, &staff, &kind, "dryRun=true", &large)
        .await
        .expect(413);
}

#[tokio::test]
async fn a_seller_only_reaches_own_rows_by_any_way() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let seller = shop.company("seller01").await;
    let seen = shop
        .get("/api/console/resources")
        .as_(&seller)
        .send()
        .await
        .expect(200);
    let seen: Vec<&str> = seen.body["resources"]
        .as_array()
        .unwrap()
        .iter()
        .map(|kind| text(kind, "name"))
        .collect();
    let theirs = [
        "product", "shipping", "coupon", "store", "review", "inquire", "purchase", "seller",
    ];
    assert_eq!(seen, theirs);
    for kind in kinds()
        .iter()
        .filter(|kind| can(kind, "bulk") && can(kind, "create"))
    {
        let path = text(kind, "path");
        let (foreign, at) = some(&shop, &staff, kind, 1).await;
        let bulk = json!({ "action": "delete", "ids": foreign });
        let ours = seen.contains(&text(kind, "name"));
        let status = if ours { 200 } else { 403 };
        // brands are chosen from
        let may_look = ours || text(kind, "name") == "brand";
        let reply = listed(&shop, &seller, kind, "", &at).await;
        reply.expect(if may_look { 200 } else { 403 });
        let reply = shop
            .post(&format!("{path}/bulk"), &bulk)
            .as_(&seller)
            .send()
            .await
            .expect(status);
        shop.get(&format!("{path}/export"))
            .as_(&seller)
            .send()
            .await
            .expect(status);
        let table = written(&exported(&shop, &staff, kind, &at).await);
        let imported = import(&shop, &seller, kind, "dryRun=false", &table)
            .await
            .expect(status);
        if ours {
            assert_eq!(
                (&reply.body["done"], &reply.body["failed"][0]["code"]),
                (&json!([]), &json!("not_found"))
            );
            assert_eq!(
                listed(&shop, &seller, kind, "", &at).await.body["summary"]["totalCount"],
                0
            );
            assert_eq!(
                exported(&shop, &seller, kind, &at).await.len(),
                2,
                "headings only"
            );
            assert_eq!(
                imported.body["rows"][0]["errors"][0]["code"], "not_found",
                "{}",
                imported.text
            );
        }
        shop.get(&format!("{path}/{}", foreign[0]))
            .as_(&staff)
            .send()
            .await
            .expect(200);
    }
}

#[tokio::test]
async fn views_are_read_by_those_they_are_shared_with_and_changed_by_their_owner() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let seller = shop.company("seller01").await;
    let form = json!({ "page": "brand", "name": "내 보기", "query": "sort=-name", "columns": ["name", "code"], "shared": true });
    let view = shop
        .post("/api/console/views", &form)
        .as_(&staff)
        .send()
        .await
        .expect(201);
    let own = format!(
        "/api/console/views/{}",
        view.body["view"]["_id"].as_str().unwrap()
    );
    assert_eq!(
        (&view.body["view"]["mine"], &view.body["view"]["columns"]),
        (&json!(true), &json!(["name", "code"]))
    );
    let views = shop
        .get("/api/console/views?page=brand")
        .as_(&staff)
        .send()
        .await
        .expect(200);
    assert_eq!(views.body["views"].as_array().unwrap().len(), 1);
    let others = shop
        .get("/api/console/views?page=brand")
        .as_(&seller)
        .send()
        .await
        .expect(200);
    assert_eq!(others.body["views"], json!([]));
    shop.put(&own, &form).as_(&seller).send().await.expect(404);
    shop.delete(&own).as_(&seller).send().await.expect(404);
    shop.post("/api/console/views", &form)
        .as_(&seller)
        .send()
        .await
        .expect(400);
    shop.get("/api/console/views")
        .as_(&staff)
        .send()
        .await
        .expect(400);
    shop.put(&own, &json!({ "page": "brand", "name": "다른 이름" }))
        .as_(&staff)
        .send()
        .await
        .expect(200);
    let left = shop.delete(&own).as_(&staff).send().await.expect(200);
    assert_eq!(left.body["views"], json!([]));
}
