//! Crash proof of the import of tracking numbers: the server is killed (kill -9) in the middle of parts. Nothing is shipped twice, nothing is
//! lost, refusals included, each row is counted once, and the seller goes on with the part whose answer did not come.
//!
//! 240 parcels; 1,000 with `JANGBU_PROOFS=full`. Each part but the last is killed once.

use std::collections::BTreeMap;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use event_store::testing::free_port;
use projections::verify::verify;
use serde_json::Value;

use super::parcels::{file_of, to_ship};
use crate::support::{Account, TestApp, until};

fn parcels() -> usize {
    let full = std::env::var("JANGBU_PROOFS").is_ok_and(|proofs| proofs == "full");
    if full { 1_000 } else { 240 }
}

/// A server on the shop's database that is killed and started again.
struct Server<'a> {
    shop: &'a TestApp,
    seller: &'a Account,
    port: u16,
    client: reqwest::Client,
    process: Option<Child>,
}

impl Server<'_> {
    async fn start(&mut self) {
        let folder = &self.shop.app.settings.data_folder;
        let mut command = Command::new(env!("CARGO_BIN_EXE_jangbu"));
        command
            .args(["serve", "--no-worker"])
            .current_dir(folder)
            .env("JANGBU_DATA_FOLDER", folder)
            .env("JANGBU_SERVER_ADDRESS", format!("127.0.0.1:{}", self.port))
            .env("JANGBU_SERVER_METRICS_ADDRESS", "")
            .env("DATABASE_URL", &self.shop.database)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        self.process = Some(command.spawn().unwrap());
        let ready = format!("http://127.0.0.1:{}/ready", self.port);
        until("the server answers", async || {
            let answer = self.client.get(&ready).send().await.ok()?;
            answer.status().is_success().then_some(())
        })
        .await;
    }

    fn kill(&mut self) {
        if let Some(mut process) = self.process.take() {
            process.kill().unwrap();
            process.wait().unwrap();
        }
    }

    /// Asks for a part; none if the connection breaks.
    async fn import(&self, query: &str, file: &str, key: &str) -> Option<Value> {
        let path = "/api/console/shop/purchases/import";
        let url = format!("http://127.0.0.1:{}{path}{query}", self.port);
        let body = format!(
            "--jangbu\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\"\r\n\r\n{file}\r\n--jangbu--\r\n"
        );
        let call = self
            .client
            .post(url)
            .bearer_auth(&self.seller.token)
            .header("idempotency-key", key)
            .header("content-type", "multipart/form-data; boundary=jangbu")
            .body(body);
        let answer = call.send().await.ok()?;
        let status = answer.status();
        let text = answer.text().await.ok()?;
        assert!(status.is_success(), "{status} {text}");
        Some(serde_json::from_str(&text).unwrap())
    }
}

/// A failed test leaves no process.
impl Drop for Server<'_> {
    fn drop(&mut self) {
        self.kill();
    }
}

/// The orders with numbers between them that no order has, and those alone.
fn with_unknown(orders: &[String]) -> (Vec<String>, Vec<String>) {
    let unknown = (0..orders.len().div_ceil(40)).map(|place| format!("20200101-AAAA{place:04}"));
    let unknown: Vec<String> = unknown.collect();
    let listed = orders.chunks(40).zip(&unknown).flat_map(|(some, no)| {
        let mut some = some.to_vec();
        some.push(no.clone());
        some
    });
    (listed.collect(), unknown)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_import_goes_on_after_its_server_was_killed_and_ships_each_parcel_once() {
    let (shop, seller, _, _, orders) = to_ship(parcels()).await;
    let mut server = Server {
        shop: &shop,
        seller: &seller,
        port: free_port(),
        client: reqwest::Client::new(),
        process: None,
    };
    server.start().await;
    let (listed, unknown) = with_unknown(&orders);
    let plan = server
        .import("?dryRun=true", &file_of(&listed), "plan")
        .await;
    let table = plan.unwrap()["table"].as_str().unwrap().to_owned();
    let (mut after, mut part, mut kills, mut halves) = (0, 0_u64, 0, 0);
    let (mut counted, mut refused) = ([0, 0, 0], Vec::new());
    let shipped = async || -> i64 {
        let sql = "SELECT count(*) FROM events WHERE event_type = 'PurchaseShipped'";
        let count = sqlx::query_scalar(sql).fetch_one(shop.app.pool()).await;
        count.unwrap()
    };
    loop {
        let (query, key) = (
            format!("?table={table}&after={after}"),
            format!("ship-{after}"),
        );
        let before = shipped().await;
        // Killed once some of the part is written.
        let died = {
            let asked = server.import(&query, "", &key);
            let some_written = async {
                let wanted = before + 20 + i64::try_from(part * 13 % 60).unwrap();
                while shipped().await < wanted {
                    tokio::time::sleep(Duration::from_millis(2)).await;
                }
            };
            tokio::select! {
                answer = asked => Some(answer.unwrap()),
                () = some_written => None,
            }
        };
        let report = match died {
            Some(report) => report,
            None => {
                server.kill();
                kills += 1;
                let written = shipped().await - before;
                halves += i32::from(written < 95);
                server.start().await;
                server.import(&query, "", &key).await.unwrap()
            }
        };
        // The same answer again, from what is stored.
        let again = server.import(&query, "", &key).await.unwrap();
        assert_eq!(again["summary"], report["summary"]);
        assert_eq!(again["rows"], report["rows"]);
        for (sum, name) in counted.iter_mut().zip(["rows", "updates", "errors"]) {
            *sum += report["summary"][name].as_u64().unwrap();
        }
        let rows = report["rows"].as_array().unwrap().iter();
        let errors = rows.filter(|row| !row["errors"].as_array().unwrap().is_empty());
        refused.extend(errors.map(|row| row["id"].as_str().unwrap().to_owned()));
        part += 1;
        match report["next"].as_u64() {
            Some(next) => after = next,
            None => break,
        }
    }
    server.kill();
    println!(
        "{} parcels, {kills} kills, {halves} in the middle of a part",
        orders.len()
    );
    assert!(halves > 0, "no kill was in the middle of a part");
    // What was shipped before a kill is no other outcome than what was shipped after it.
    let expected = [listed.len(), orders.len(), unknown.len()];
    assert_eq!(counted.map(|sum| usize::try_from(sum).unwrap()), expected);
    assert_eq!(refused, unknown, "no refusal is lost");
    let sql = "SELECT payload #>> '{PurchaseShipped,purchaseNo}', payload #>> '{PurchaseShipped,invoiceNo}' \
               FROM events WHERE event_type = 'PurchaseShipped'";
    let shipped: Vec<(String, String)> = sqlx::query_as(sql)
        .fetch_all(shop.app.pool())
        .await
        .unwrap();
    assert_eq!(shipped.len(), orders.len(), "each is shipped once");
    let shipped: BTreeMap<String, String> = shipped.into_iter().collect();
    for (number, order) in (1..).zip(&listed).filter(|(_, no)| !unknown.contains(no)) {
        let number: u64 = number;
        let parcel = shipped.get(&format!("{order}-1"));
        assert_eq!(parcel, Some(&format!("6400{number:08}")), "{order}");
    }
    shop.settled().await;
    assert!(verify(&shop.app.store, |_| {}).await.unwrap().is_clean());
}
