//! Crash proof of the outbox: the worker or the mail server is killed (kill -9) after the server has taken a mail and before the outcome
//! is recorded. No mail may be there twice.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::{Value, json};

use crate::Scale;
use crate::processes::{Place, Shop, Victim};

const FAULTS: &str = "/sandbox/mails/faults";

impl Place {
    async fn sandbox_post(&self, path: &str, body: &Value) -> bool {
        let call = self.client.post(format!("{}{path}", self.sandbox));
        let answer = call.json(body).send().await;
        answer.is_ok_and(|answer| answer.status().is_success())
    }

    async fn sandbox_get(&self, path: &str) -> Value {
        let call = self.client.get(format!("{}{path}", self.sandbox));
        match call.send().await {
            Ok(answer) => answer.json().await.unwrap_or_default(),
            Err(_) => Value::Null,
        }
    }

    /// Asks for a mail to the members with this address; false if there were too many requests for it.
    async fn forgot(&self, address: &str) -> bool {
        let call = self
            .client
            .post(format!("{}/api/v1/users/find-id", self.shop));
        let answer = call.json(&json!({ "email": address })).send().await;
        answer.is_ok_and(|answer| answer.status() == 204)
    }

    /// Mails by their `Message-ID`.
    async fn mails(&self) -> BTreeMap<String, usize> {
        let mails = self.sandbox_get("/sandbox/mails").await;
        let mut found = BTreeMap::new();
        for mail in mails["mails"].as_array().into_iter().flatten() {
            let id = mail["messageId"].as_str().unwrap().to_owned();
            *found.entry(id).or_default() += 1;
        }
        found
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_mail_is_sent_twice_when_worker_and_mail_server_are_killed() {
    let kills = Scale::asked_for().kills;
    let mut shop = Shop::open().await;
    let place = shop.place();
    let late = json!({ "step": "message", "fault": "late", "milliseconds": 4_000, "times": 1 });
    let mut owed = 0;
    for kill in 0..kills {
        assert!(place.sandbox_post(FAULTS, &late).await);
        let mut asked = 0;
        for number in 1..=13 {
            let address = format!("shopper{number:02}@example.com");
            asked += usize::from(asked == 0 && place.forgot(&address).await);
        }
        for _ in 0..1_000 {
            let rules = place.sandbox_get(FAULTS).await;
            let rules = rules["faults"].as_array().cloned().unwrap_or_default();
            if rules.iter().any(|rule| rule["times"] == 0) {
                owed += 1;
                break;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        // The mail is journalled before the server would answer.
        tokio::time::sleep(Duration::from_millis(200)).await;
        let victim = [Victim::Worker, Victim::Sandbox][kill % 2];
        shop.kill(victim).await;
        shop.revive().await;
        println!(
            "{kill:3}: killed {victim:?}, {} mails",
            place.mails().await.len()
        );
    }
    assert!(
        owed * 2 > kills,
        "{owed} of {kills} times between yes and outcome"
    );
    // Long enough for every retry that would be made at once.
    tokio::time::sleep(Duration::from_secs(20)).await;
    let mails = place.mails().await;
    let twice: Vec<_> = mails.iter().filter(|(_, many)| **many > 1).collect();
    assert!(twice.is_empty(), "sent twice: {twice:?}");
    assert!(mails.len() >= owed, "{} mails, {owed} taken", mails.len());
    let logs = shop.logs();
    for secret in ["@example.com", "/login/find-id"] {
        assert!(!logs.contains(secret), "{secret} is logged");
    }
    shop.verify().await;
    shop.close().await;
}
