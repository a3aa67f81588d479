//! The declaration of a kind of record agrees with its documents: their fields, accepted input, and rejections.

use api::console::records::resources;
use serde_json::{Value, json};

use crate::support::kinds::{BY_MEMBERS, agree, another, can, kinds, made, sample, text};
use crate::support::reviews::bought;
use crate::support::{Account, TestApp};

#[tokio::test]
async fn declarations_and_documents_have_the_same_fields() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    for kind in kinds() {
        // These are created in the shop, where they are tested, too.
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

/// A document that was read from `path` is sent back unchanged: nothing is changed or written.
async fn goes_back_as_it_is(shop: &TestApp, who: &Account, path: &str) {
    let shown = shop.get(path).as_(who).send().await.expect(200);
    let mut form = shown.body.clone();
    let answer = form.as_object_mut().unwrap();
    // The version of the tree is returned beside the category.
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

/// Whether `kind` offers this action to sellers.
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

/// The value at `path`; missing objects are created.
fn place<'a>(document: &'a mut Value, path: &str) -> &'a mut Value {
    path.split('.')
        .fold(document, |at, part| match part.parse::<usize>() {
            Ok(line) => &mut at[line],
            Err(_) => &mut at[part],
        })
}

/// Variants of this document, each with one text that is too long; and the path of that text.
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
            // The alternative text of a brand's logo is its name.
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
