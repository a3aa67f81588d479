//! The OpenAPI document.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use domain::shown::Ago;
use serde::Serialize;
use serde_json::{Value, json};

use crate::support::TestApp;

/// Checks that a file the web app is generated from is current; `UPDATE_OPENAPI=1 cargo test -p api --test it http::documents` regenerates
/// it.
fn is_current(file: &str, mut now: String) {
    now.push('\n');
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../web")
        .join(file);
    if std::env::var_os("UPDATE_OPENAPI").is_some() {
        fs::write(&path, &now).unwrap();
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    let how = "UPDATE_OPENAPI=1 cargo test -p api --test it http::documents";
    assert!(kept == now, "web/{file} is old; run {how}");
}

fn pretty(value: &impl Serialize) -> String {
    serde_json::to_string_pretty(value).unwrap()
}

#[test]
fn the_openapi_document_the_web_app_is_made_from_is_current() {
    let document = api::router::openapi().to_pretty_json().unwrap();
    is_current("openapi.json", document);
}

#[test]
fn the_words_for_statuses_the_web_app_shows_are_the_domains() {
    is_current("src/i18n/statuses.json", pretty(&domain::order::words()));
}

#[test]
fn the_reasons_a_buyer_may_choose_from_are_the_domains() {
    let reasons = domain::order::CANCEL_REASONS;
    is_current("src/i18n/cancel-reasons.json", pretty(&reasons));
    let returns =
        domain::order::RETURN_REASONS.map(|(text, fault)| json!({ "text": text, "fault": fault }));
    is_current("src/i18n/return-reasons.json", pretty(&returns));
}

#[test]
fn the_special_characters_of_a_password_are_the_domains() {
    let special = json!({ "passwordSpecials": domain::forms::SPECIAL });
    is_current("src/lib/rules.json", pretty(&special));
}

/// Test data for relative times in the web app: times at every boundary, with the texts of the domain.
#[test]
fn how_long_ago_something_was_is_told_as_the_domain_tells_it() {
    const DAY: u64 = 86_400;
    let days = [1, 2, 7, 8, 14, 365, 366, 367, 730, 800].map(|days| days * DAY);
    let seconds = [0, 59, 60, 119, 3_599, 3_600, DAY - 1]
        .into_iter()
        .chain(days.into_iter().flat_map(|at| [at - 1, at]));
    let told: Vec<Value> = seconds
        .map(|seconds| json!({ "seconds": seconds, "ago": Ago::of_seconds(seconds) }))
        .collect();
    is_current("src/testing/ago.json", pretty(&told));
}

#[test]
fn the_resources_the_console_is_made_from_are_current() {
    let known = api::console::records::resources::all();
    is_current("resources.json", pretty(&known));
}

#[test]
fn every_error_code_is_in_the_document() {
    let document = api::router::openapi().to_json().unwrap();
    for code in api::http::Code::ALL {
        assert!(document.contains(code.as_str()), "{}", code.as_str());
    }
}

fn document() -> Value {
    serde_json::to_value(api::router::openapi()).unwrap()
}

/// Every endpoint: path, method, operation.
fn calls(document: &Value) -> Vec<(&str, &str, &Value)> {
    let paths = document["paths"].as_object().unwrap();
    paths
        .iter()
        .flat_map(|(path, methods)| {
            let methods = methods.as_object().unwrap().iter();
            methods.map(move |(method, call)| (path.as_str(), method.as_str(), call))
        })
        .collect()
}

fn references<'a>(value: &'a Value, found: &mut Vec<&'a str>) {
    match value {
        Value::Object(fields) => {
            found.extend(fields.get("$ref").and_then(Value::as_str));
            fields.values().for_each(|field| references(field, found));
        }
        Value::Array(items) => items.iter().for_each(|item| references(item, found)),
        _ => {}
    }
}

#[test]
fn every_reference_of_the_document_leads_somewhere() {
    let document = document();
    let mut found = Vec::new();
    references(&document, &mut found);
    assert!(found.len() > 100, "the walk found {}", found.len());
    let lost: BTreeSet<&str> = found
        .into_iter()
        .filter(|to| {
            to.strip_prefix('#')
                .is_none_or(|pointer| document.pointer(pointer).is_none())
        })
        .collect();
    assert!(lost.is_empty(), "{lost:?}");
}

/// The Rust files under a folder.
fn sources(folder: &Path, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => sources(&path, found),
            false => found.extend(fs::read_to_string(&path)),
        }
    }
}

/// Two types with the same name would be one schema in the document, and one of them would be documented incorrectly.
#[test]
fn every_schema_has_a_name_of_its_own() {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    for member in ["api", "projections", "domain"] {
        sources(&workspace.join(member).join("src"), &mut files);
    }
    let mut seen = BTreeSet::new();
    let mut twice = BTreeSet::new();
    for file in &files {
        let mut described = false;
        let mut name = None;
        for line in file.lines().map(str::trim) {
            if line.starts_with("#[derive(") {
                described = line.contains("ToSchema");
            } else if let Some((_, rest)) = line.split_once("schema(as = ") {
                name = rest.split([')', ',']).next();
            } else if let Some(rest) = line
                .strip_prefix("pub struct ")
                .or_else(|| line.strip_prefix("pub enum "))
            {
                let own = rest.split([' ', '(', '<', ';', '{']).next();
                if described
                    && let Some(schema) = name.take().or(own)
                    && !seen.insert(schema)
                {
                    twice.insert(schema);
                }
                described = false;
            }
        }
    }
    assert!(seen.len() > 100, "found {}", seen.len());
    assert!(twice.is_empty(), "{twice:?}");
}

#[test]
fn every_call_has_a_name_of_its_own() {
    let document = document();
    let mut seen = BTreeSet::new();
    for (path, method, call) in calls(&document) {
        let name = call["operationId"].as_str().unwrap_or_default();
        assert!(!name.is_empty(), "{method} {path} has no operationId");
        assert!(seen.insert(name), "{method} {path} is called {name} too");
    }
}

#[test]
fn every_answer_with_a_body_says_what_is_in_it() {
    let document = document();
    for (path, method, call) in calls(&document) {
        let answers = call["responses"].as_object().unwrap();
        for (status, answer) in answers.iter().filter(|(status, _)| status.starts_with('2')) {
            let told = answer["content"].as_object();
            if status == "204" {
                assert!(told.is_none(), "{method} {path}: {status} has no body");
                continue;
            }
            let told = told.unwrap_or_else(|| panic!("{method} {path}: {status} says nothing"));
            for (kind, content) in told {
                let schema = &content["schema"];
                let says = schema["$ref"].is_string()
                    || schema["properties"].is_object()
                    || (kind != "application/json" && schema["type"].is_string());
                assert!(says, "{method} {path}: {status} {kind} is {schema}");
            }
        }
    }
}

#[test]
fn every_place_in_a_path_is_declared_and_nothing_else_is() {
    let document = document();
    for (path, method, call) in calls(&document) {
        let places: BTreeSet<&str> = path
            .split('/')
            .filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'))
            .collect();
        let declared: BTreeSet<&str> = call["parameters"]
            .as_array()
            .into_iter()
            .flatten()
            .filter(|parameter| parameter["in"] == "path")
            .map(|parameter| {
                assert_eq!(parameter["required"], true, "{method} {path}");
                assert!(parameter["schema"].is_object(), "{method} {path}");
                parameter["name"].as_str().unwrap()
            })
            .collect();
        assert_eq!(places, declared, "{method} {path}");
    }
}

#[tokio::test]
async fn the_document_can_be_fetched_and_browsed_without_a_network() {
    let shop = TestApp::start().await;
    let document = shop.get("/api/openapi.json").send().await.expect(200);
    assert_eq!(document.body["info"]["title"], "Jangbu");
    assert!(document.body["paths"]["/api/v1/users"]["post"].is_object());
    shop.get("/api/docs").send().await.expect(303);
    let page = shop.get("/api/docs/").send().await.expect(200);
    assert!(
        page.header("content-security-policy")
            .unwrap()
            .contains("script-src 'self'")
    );
    assert!(
        !page.text.contains("https://"),
        "loads something from elsewhere"
    );
    shop.get("/api/docs/swagger-ui-bundle.js")
        .send()
        .await
        .expect(200);
}
