//! The cost and the features of a new kind of record: its endpoints, its history, its tables and its screens in the console.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use api::console::records::{Descriptor, of};
use application::resources::ConsoleRecord;
use event_store::{Projection, ProjectionError, Runner, StoredEvent};
use projections::records::Records;
use serde_json::{Value, json};
use sqlx::PgConnection;
use tokio_util::sync::CancellationToken;

use crate::console::records::bulk::is_changed_at_once;
use crate::console::records::lists::is_listed_as_it_says;
use crate::console::records::recipe::Recipe;
use crate::console::records::tables::comes_back_from_a_table;
use crate::support::{Account, Ask, TestApp};

/// Maximum number of lines of a declaration and its definition in the console together.
const LINES_MOST: usize = 82;

fn file(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Applies events of recipes to the read model of records, which reads only the product's own kinds.
struct Recipes;

#[event_store::async_trait]
impl Projection for Recipes {
    fn name(&self) -> &'static str {
        "recipe"
    }

    fn version(&self) -> u32 {
        1
    }

    fn create_sql(&self) -> &'static str {
        ""
    }

    fn kinds(&self) -> &'static [&'static str] {
        &["recipe"]
    }

    async fn apply(
        &self,
        tx: &mut PgConnection,
        batch: &[StoredEvent],
    ) -> Result<(), ProjectionError> {
        Records.apply(tx, batch).await
    }
}

/// Adds recipes to a running shop; returns their descriptor, with the URL of their endpoints.
async fn with_recipes(shop: &TestApp, staff: &Account, stopping: &CancellationToken) -> Value {
    let juice = json!({ "code": "JU", "name": "당근 주스", "_seller": staff.id, "price": 100, "shows": true });
    let product = shop.post("/api/console/shop/products", &juice);
    let product = product.as_(staff).send().await.expect(201).body["product"]["_id"].clone();
    let runner = Runner::new(shop.app.store.clone(), vec![Arc::new(Recipes)]);
    let stopped = stopping.clone().cancelled_owned();
    tokio::spawn(async move { runner.run(stopped).await });
    let (calls, _) = of(&Recipe::RESOURCE).split_for_parts();
    let url = shop.beside(calls).await;
    let mut kind = serde_json::to_value(Descriptor::of(&Recipe::RESOURCE)).unwrap();
    kind["path"] = json!(format!("{url}{}", kind["path"].as_str().unwrap()));
    kind["sample"] = json!({
        "name": "당근 주스", "_product": product,
        "steps": [{ "text": "씻는다", "minutes": 2 }, { "text": "짠다", "minutes": 1 }],
    });
    kind
}

#[test]
fn a_new_kind_takes_one_short_file_on_each_side() {
    let both = [
        "tests/it/console/records/recipe.rs",
        "../web/src/testing/recipe.ts",
    ];
    let lines: usize = both
        .map(|path| fs::read_to_string(file(path)).unwrap().lines().count())
        .iter()
        .sum();
    assert!(lines < LINES_MOST, "{lines} lines");
}

/// The tests of the console read it; `UPDATE_OPENAPI=1 cargo test -p api --test it new_kind` regenerates it.
#[test]
fn what_it_says_about_itself_is_what_the_console_is_tried_with() {
    let kept = file("../web/src/testing/recipe.json");
    let said = serde_json::to_value(Descriptor::of(&Recipe::RESOURCE)).unwrap();
    if std::env::var_os("UPDATE_OPENAPI").is_some() {
        fs::write(&kept, format!("{said:#}\n")).unwrap();
    }
    let kept: Value = serde_json::from_str(&fs::read_to_string(kept).unwrap()).unwrap();
    assert_eq!(kept, said);
}

#[tokio::test]
async fn it_gets_its_calls_its_history_and_its_tables() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let stopping = CancellationToken::new();
    let kind = with_recipes(&shop, &staff, &stopping).await;
    is_kept(&shop, &staff, &kind).await;
    is_listed_as_it_says(&shop, &staff, &kind).await;
    stopping.cancel();
}

#[tokio::test]
async fn many_of_it_are_worked_on_together() {
    let stopping = CancellationToken::new();
    for work in ["bulk", "table"] {
        let shop = TestApp::start().await;
        let staff = shop.console().await;
        let kind = with_recipes(&shop, &staff, &stopping).await;
        match work {
            "bulk" => is_changed_at_once(&shop, &staff, &kind).await,
            _ => comes_back_from_a_table(&shop, &staff, &kind).await,
        }
    }
    stopping.cancel();
}

/// It is created, shown, changed, removed and restored; all of this is in its history and in its list.
async fn is_kept(shop: &TestApp, staff: &Account, kind: &Value) {
    let path = kind["path"].as_str().unwrap();
    let sent = |ask: Ask| ask.as_(staff).send();
    let made = sent(shop.post(path, &kind["sample"])).await.expect(201);
    let id = made.body["recipe"]["_id"].as_str().unwrap().to_owned();
    let one = format!("{path}/{id}");
    assert_eq!(made.body["recipe"]["steps"][1]["text"], "짠다");

    let bad = json!({ "version": 1, "name": "" });
    let refused = sent(shop.put(&one, &bad)).await.expect(400);
    assert_eq!(
        refused.body["error"]["fields"][0]["field"], "name",
        "{}",
        refused.text
    );

    let steps = json!([{ "text": "씻는다", "minutes": 5 }]);
    let change = json!({ "version": 1, "steps": steps });
    let changed = sent(shop.put(&one, &change)).await.expect(200);
    assert_eq!(changed.body["recipe"]["version"], 2);
    sent(shop.delete(&one)).await.expect(200);
    let restored = sent(shop.post(&format!("{one}/restore"), &json!({ "version": 1 })))
        .await
        .expect(200);
    assert_eq!(restored.body["recipe"]["steps"], kind["sample"]["steps"]);

    let history = sent(shop.get(&format!("{one}/history"))).await.expect(200);
    let events = history.body["events"].as_array().unwrap();
    let types: Vec<&str> = events
        .iter()
        .map(|event| event["type"].as_str().unwrap())
        .collect();
    assert_eq!(
        types[..3],
        ["RecipeCreated", "RecipeRevised", "RecipeRemoved"]
    );
    assert_eq!(events[1]["changes"]["steps"]["to"], steps);
    sent(shop.delete(&one)).await.expect(200);
}
