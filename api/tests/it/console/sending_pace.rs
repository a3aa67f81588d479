//! The pace of a sending by text, by the clock of the machine: never faster than it was set, and each number gets one text.
//!
//! 150 members, 1,200 a minute; with `JANGBU_PROOFS=full` 10,000 members, 6,000 a minute.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use serde_json::json;

use super::bulk_points::crowd_with;
use super::sendings::{clean, text};
use crate::support::TestApp;
use crate::support::texts::TEXTED;

fn size() -> (usize, u32) {
    let full = std::env::var("JANGBU_PROOFS").is_ok_and(|proofs| proofs == "full");
    if full { (10_000, 6_000) } else { (150, 1_200) }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sending_by_text_keeps_its_pace_and_sends_none_twice() {
    let (many, pace) = size();
    let shop = TestApp::with(&[TEXTED]).await;
    let staff = shop.console().await;
    crowd_with(&shop, many, |place| format!("0103{place:07}")).await;
    let mut form = text(false);
    form["perMinute"] = json!(pace);
    let start = Instant::now();
    let ordered = shop.order_sending(&staff, &form).await.expect(201);
    let id = ordered.body["sending"]["_id"].clone();
    // The pause after a part makes up for the part: at most one part is ahead of the pace.
    let served = async || {
        let sql = "SELECT served FROM sendings";
        let served: Option<i64> = sqlx::query_scalar(sql)
            .fetch_optional(shop.app.pool())
            .await
            .unwrap();
        served.unwrap_or_default()
    };
    loop {
        let served = served().await;
        let milliseconds = i64::try_from(start.elapsed().as_millis()).unwrap();
        let allowed = 100 + milliseconds * i64::from(pace) / 60_000;
        assert!(served <= allowed, "{served} of {allowed}");
        if usize::try_from(served).unwrap() == many {
            break;
        }
        assert!(start.elapsed() < Duration::from_secs(600), "at {served}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let served_in = start.elapsed();
    let texts = loop {
        let reply = shop.get(&format!("{}/sandbox/texts", shop.sandbox));
        let texts = reply.send().await.expect(200).body["texts"].clone();
        let mut found: BTreeMap<String, usize> = BTreeMap::new();
        for text in texts.as_array().unwrap() {
            *found.entry(text["to"].to_string()).or_default() += 1;
        }
        if found.len() >= many {
            break found;
        }
        assert!(
            start.elapsed() < Duration::from_secs(600),
            "{}",
            found.len()
        );
        tokio::time::sleep(Duration::from_millis(500)).await;
    };
    let taken_in = start.elapsed();
    println!(
        "{many} texts at {pace} a minute: their turns took {served_in:?}, the last was taken after {taken_in:?}"
    );
    shop.settled().await;
    assert_eq!(texts.len(), many);
    let twice: Vec<_> = texts.iter().filter(|(_, many)| **many > 1).collect();
    assert!(twice.is_empty(), "sent twice: {twice:?}");
    let sending = shop.sending(&staff, &id).await;
    assert_eq!(sending["sending"]["skipped"], 0);
    clean(&shop).await;
}
