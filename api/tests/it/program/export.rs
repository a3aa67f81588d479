//! The log as a file: `jangbu export`.

use api::audit::export::{self, Format, Range};
use serde_json::Value;

use crate::support::TestApp;

#[tokio::test(flavor = "multi_thread")]
async fn what_is_exported_is_the_log_without_anybody_in_it() {
    let shop = TestApp::start().await;
    let seller = shop.seller().await;
    let product = shop.product(seller, 10_000, 10).await;
    let who = shop.sign_up("exported").await;
    shop.order(&who, product, 1).await.expect(201);
    let written = async |format, kind: Option<&str>, up_to| -> (u64, String) {
        let range = Range {
            after: 0,
            up_to,
            kind: kind.map(str::to_owned),
        };
        let mut out = Vec::new();
        let count = export::run(&shop.app.store, &range, format, &mut out)
            .await
            .unwrap();
        (count, String::from_utf8(out).unwrap())
    };
    let all = async |up_to: i64| -> Vec<i64> {
        let sql = "SELECT global_position FROM events WHERE global_position <= $1 ORDER BY 1";
        let all = sqlx::query_scalar(sql).bind(up_to);
        all.fetch_all(shop.app.pool()).await.unwrap()
    };
    let head = shop.app.store.head().await.unwrap();
    let (count, lines) = written(Format::Jsonl, None, head).await;
    let positions: Vec<i64> = lines
        .lines()
        .map(|line| {
            let event: Value = serde_json::from_str(line).unwrap();
            event["position"].as_i64().unwrap()
        })
        .collect();
    assert_eq!(positions, all(head).await);
    assert_eq!(usize::try_from(count).unwrap(), positions.len());
    let (count, _) = written(Format::Jsonl, None, i64::MAX).await;
    assert!(usize::try_from(count).unwrap() >= positions.len());
    let (count, _) = written(Format::Jsonl, None, 5).await;
    assert_eq!(usize::try_from(count).unwrap(), all(5).await.len());
    assert!(!lines.contains("\"sealed\"") && lines.contains("OrderPlaced"));
    let (count, table) = written(Format::Csv, Some("order"), i64::MAX).await;
    assert_eq!((count, table.lines().count()), (1, 2));
    let mut rows = csv::Reader::from_reader(table.as_bytes());
    let titles = rows.headers().unwrap().clone();
    let row = rows.records().next().unwrap().unwrap();
    let of = |title: &str| -> &str {
        let at = titles.iter().position(|one| one == title).unwrap();
        &row[at]
    };
    assert_eq!(of("type"), "OrderPlaced");
    let event = lines.lines().find_map(|line| {
        let event: Value = serde_json::from_str(line).unwrap();
        (event["type"] == "OrderPlaced").then_some(event)
    });
    let event = event.unwrap();
    assert_eq!(titles.len(), event.as_object().unwrap().len());
    for title in ["eventId", "commandId", "correlationId", "command"] {
        assert_eq!(of(title), event[title].as_str().unwrap(), "{title}");
    }
    assert_eq!(of("trace"), event["trace"].as_str().unwrap_or_default());
    // Reasons are free text, and may contain personal data.
    assert!(!titles.iter().any(|title| title == "reason"));
}
