//! Every declared kind of record, and documents of each created from its own declaration.
//!
//! A new kind needs no change here: its sample is the stored one of its first event, in `domain/samples`.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use api::console::records::descriptors;
use serde_json::{Value, json};

use crate::support::{Account, Reply, TestApp};

/// The descriptors of the kinds.
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

/// A document of this kind: the stored sample, with the fields that samples lack and without references that a test shop does not have.
pub fn sample(kind: &Value) -> Value {
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
        // Options get their ids when they are created: two products have none in common.
        "product" => {
            for option in document["options"].as_array_mut().unwrap() {
                option.as_object_mut().unwrap().remove("_id");
                option["code"] = json!("BK-100-RED-M");
                option["image"] = json!({ "url": "/pictures/a.webp", "alt": null });
            }
            document["nutritions"] = json!([{ "name": "나트륨", "amount": "120mg", "percent": 6 }]);
            document["supplies"] = json!([{ "name": "충전기", "quantity": 1 }]);
        }
        "shipping" => {
            for option in document["options"].as_array_mut().unwrap() {
                option["returnAmount"] = json!(2500);
                option["areas__available"] = json!(["none"]);
            }
            document["methods"] =
                json!([{ "method": "GENERAL", "name": "택배", "desc": "월요일에서 금요일" }]);
            document["regions"] = json!([{ "name": "수도권", "starts": "01000", "ends": "18600" }]);
            document["warehouse"] = json!({
                "name": "본사 창고", "code": "W1", "postcode": "06236", "address1": "강남대로 1", "address2": "2층",
                "geolocation": { "longitude": 127.0, "latitude": 37.5 },
            });
        }
        "coupon" => {
            for rule in ["issue", "usage"] {
                document[rule]["target"]["type"] = json!("ALL");
            }
        }
        "site-setting" => document["company"]["bankAccount"] = json!("국민은행 000000-00-000000"),
        _ => {}
    }
    name_nothing(&kind["fields"], &mut document);
    document
}

/// Removes references: a test shop does not have their targets.
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

/// The same document with another code, for kinds with unique codes: the `n`th of its kind.
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
        "tag-event" => document["tag"] = json!(format!("tag{n}")),
        "review-display" => document["code"] = json!(["MAIN", "BEST", "EVENT"][n]),
        // One for each template, with what its text has to have.
        "message-template" => {
            document["template"] = json!(["ORDER_PLACED", "PURCHASE_SHIPPED", "NOTICE"][n]);
            document["subject"] = json!(format!("안내 {n}"));
            if n == 2 {
                document["content"] = json!("{{greeting}}\n{{content}}");
            }
        }
        "holiday" => document["date"] = json!(format!("2026-09-{:02}", 21 + n)),
        _ if document["code"].is_string() => document["code"] = json!(format!("code-{n}")),
        _ => {}
    }
    document["name"] = json!(format!("이름 {n}"));
    document
}

pub async fn made(shop: &TestApp, who: &Account, kind: &Value, document: &Value) -> Reply {
    let mut document = document.clone();
    // The creator is the seller.
    if document.get("_seller").is_some_and(Value::is_null) {
        document["_seller"] = json!(who.id);
    }
    shop.post(text(kind, "path"), &document)
        .as_(who)
        .send()
        .await
}

pub async fn listed(shop: &TestApp, who: &Account, kind: &Value, query: &str, at: &str) -> Reply {
    shop.get(&format!("{}?{query}", text(kind, "path")))
        .as_(who)
        .header("x-wait-position", at)
        .send()
        .await
}

pub fn ids(reply: &Reply, kind: &Value) -> Vec<String> {
    reply.body[text(kind, "many")]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["_id"].as_str().unwrap().to_owned())
        .collect()
}

/// Creates some records of a kind: returns their ids, and the position after them.
pub async fn some(
    shop: &TestApp,
    who: &Account,
    kind: &Value,
    many: usize,
) -> (Vec<String>, String) {
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

/// Every path of a document that is a value, or the declared field it belongs to.
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

/// Checks that a kind's declared fields are those of a document.
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
        // The samples have a row in every list, except lists that would contradict the rest of the sample.
        if let Some(row) = rows.first() {
            agree(&of, &field["of"], row, &[]);
        }
    }
}

/// Kinds that cannot be created in the back office.
pub const BY_MEMBERS: [&str; 5] = ["review", "inquire", "question", "contact", "inquiry"];
