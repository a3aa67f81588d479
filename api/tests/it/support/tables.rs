//! Tables of records: uploaded, downloaded and created.

use serde_json::Value;

use crate::support::kinds::text;
use crate::support::{Account, Reply, TestApp};

const BOUNDARY: &str = "jangbu-test-boundary";

pub async fn import(
    shop: &TestApp,
    who: &Account,
    kind: &Value,
    query: &str,
    file: &[u8],
) -> Reply {
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

/// The list as csv rows.
pub async fn exported(shop: &TestApp, who: &Account, kind: &Value, at: &str) -> Vec<Vec<String>> {
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

pub fn written(rows: &[Vec<String>]) -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for row in rows {
        writer.write_record(row).unwrap();
    }
    writer.into_inner().unwrap()
}
