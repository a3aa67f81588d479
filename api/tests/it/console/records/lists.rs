//! Lists of records: search, filters and sort orders as each kind declares.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::support::kinds::{can, ids, kinds, listed, some, text};
use crate::support::{Account, Reply, TestApp};

#[tokio::test]
async fn every_kind_is_searched_narrowed_and_sorted_as_it_says() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    for kind in kinds().iter().filter(|kind| can(kind, "create")) {
        is_listed_as_it_says(&shop, &staff, kind).await;
    }
}

/// Three records of a kind are searched, filtered and sorted.
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
        // It is about another read model than the record: console::waiting.
        if (text(kind, "name"), name) == ("product", "stock") {
            continue;
        }
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
