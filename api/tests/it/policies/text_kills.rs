//! Crash proof of texts: the worker or the gateway is killed (kill -9) after the gateway has taken a text and before the outcome is recorded.
//! No text may be there twice, and each is found again.
//!
//! 4 kills; 50 with `JANGBU_PROOFS=full`, or as many as `JANGBU_TEXT_KILLS` says.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use application::members::profiles::PROFILE;
use application::messages::{message_id, request};
use domain::ids::{MemberId, MessageId};
use domain::message::{
    Channel, MessageCause, MessageContent, MessageState, MessageTerms, Template,
};
use event_store::testing::free_port;
use projections::verify::verify;
use serde_json::{Value, json};

use crate::support::texts::TEXTED;
use crate::support::{TestApp, until};

fn kills() -> usize {
    let number = std::env::var("JANGBU_TEXT_KILLS").ok();
    let full = std::env::var("JANGBU_PROOFS").is_ok_and(|proofs| proofs == "full");
    let usual = if full { 50 } else { 4 };
    number
        .and_then(|number| number.parse().ok())
        .unwrap_or(usual)
}

/// Worker and gateway as processes of their own, beside the shop of the test.
struct Processes<'a> {
    shop: &'a TestApp,
    gateway: String,
    folder: tempfile::TempDir,
    worker: Option<Child>,
    sandbox: Option<Child>,
}

impl Processes<'_> {
    fn start(&self, command: &str, folder: &Path) -> Child {
        let address = self.gateway.strip_prefix("http://").unwrap();
        Command::new(env!("CARGO_BIN_EXE_jangbu"))
            .arg(command)
            .current_dir(folder)
            .env("JANGBU_DATA_FOLDER", folder)
            .env("JANGBU_SERVER_METRICS_ADDRESS", "")
            .env("JANGBU_SANDBOX_ADDRESS", address)
            .env(
                "JANGBU_SANDBOX_SMTP_ADDRESS",
                format!("127.0.0.1:{}", free_port()),
            )
            .env("JANGBU_WORKER_POLL_MILLISECONDS", "20")
            .env(TEXTED.0, TEXTED.1)
            .env("DATABASE_URL", &self.shop.database)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap()
    }

    /// Starts what is not running, and waits for the gateway.
    async fn revive(&mut self) {
        if self.sandbox.is_none() {
            self.sandbox = Some(self.start("sandbox", self.folder.path()));
        }
        if self.worker.is_none() {
            self.worker = Some(self.start("worker", &self.shop.app.settings.data_folder));
        }
        until("the gateway answers", async || {
            reqwest::get(&format!("{}/sandbox/texts", self.gateway))
                .await
                .ok()
                .map(drop)
        })
        .await;
    }

    async fn ask(&self, path: &str) -> Value {
        let answer = reqwest::get(format!("{}{path}", self.gateway)).await;
        answer.unwrap().json().await.unwrap()
    }

    /// The next text is taken at once and answered much later.
    async fn owe_an_answer(&self) {
        let late =
            json!({ "call": "sendSms", "fault": "late", "milliseconds": 10_000, "times": 1 });
        let url = format!("{}/sandbox/faults", self.gateway);
        let call = reqwest::Client::new().post(url).json(&late).send();
        call.await.unwrap().error_for_status().unwrap();
    }

    /// Texts by the id of their message.
    async fn texts(&self) -> BTreeMap<String, usize> {
        let texts = self.ask("/sandbox/texts").await;
        let mut found = BTreeMap::new();
        for text in texts["texts"].as_array().unwrap() {
            let id = text["customFields"]["message"].as_str().unwrap();
            *found.entry(id.to_owned()).or_default() += 1;
        }
        found
    }
}

/// A failed test leaves no processes.
impl Drop for Processes<'_> {
    fn drop(&mut self) {
        kill(&mut self.worker);
        kill(&mut self.sandbox);
    }
}

fn kill(process: &mut Option<Child>) {
    if let Some(mut process) = process.take() {
        process.kill().unwrap();
        process.wait().unwrap();
    }
}

/// Requests a text to a number of its own.
async fn told(shop: &TestApp, member: MemberId, number: usize) -> MessageId {
    let content = MessageContent {
        name: "홍길동".to_owned(),
        address: format!("0101234{number:04}"),
        variables: [
            ("orderNo".to_owned(), format!("20261121-{number}")),
            ("refund".to_owned(), "1,000".to_owned()),
        ]
        .into(),
    };
    let terms = MessageTerms {
        channel: Channel::Sms,
        template: Template::RefundCompletedSms,
        cause: MessageCause {
            kind: "member".to_owned(),
            id: member.0,
            event: None,
        },
        content: shop
            .app
            .keys
            .seal(member.0, PROFILE, &content)
            .await
            .unwrap(),
        expires_at: None,
    };
    let id = message_id(&format!("kill {number}"), "text");
    let command = TestApp::by_system("request-message");
    request(&shop.app, &command, id, terms).await.unwrap();
    id
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_text_is_sent_twice_when_worker_and_gateway_are_killed() {
    let gateway = format!("http://127.0.0.1:{}", free_port());
    let shop = TestApp::with(&[TEXTED, ("JANGBU_SMS_BASE_URL", &gateway)]).await;
    let member: MemberId = shop.sign_up("hong1234").await.id.parse().unwrap();
    let kills = kills();
    let mut processes = Processes {
        shop: &shop,
        gateway,
        folder: tempfile::tempdir().unwrap(),
        worker: None,
        sandbox: None,
    };
    shop.held_back(async {
        for number in 0..kills {
            processes.revive().await;
            processes.owe_an_answer().await;
            let id = told(&shop, member, number).await.to_string();
            // It is shown once it is on disk.
            until("the gateway has taken it", async || {
                processes.texts().await.contains_key(&id).then_some(())
            })
            .await;
            match number % 2 {
                0 => kill(&mut processes.worker),
                _ => kill(&mut processes.sandbox),
            }
        }
        processes.revive().await;
        // Long enough for an attempt that would be made at once.
        tokio::time::sleep(Duration::from_secs(3)).await;
        kill(&mut processes.worker);
    })
    .await;
    let open = shop.messages().await;
    let is_open = |state| matches!(state, MessageState::Sending | MessageState::Uncertain);
    let open = open.iter().filter(|(_, message)| is_open(message.state));
    assert_eq!(open.count(), kills, "each was killed before its outcome");
    // The worker of the test concludes them and asks for each.
    shop.advance(time::Duration::minutes(10));
    until("each is found again", async || {
        let messages = shop.messages().await;
        let mut states = messages.iter().map(|(_, message)| message.state);
        states
            .all(|state| matches!(state, MessageState::Sent | MessageState::Delivered))
            .then_some(())
    })
    .await;
    shop.advance(time::Duration::hours(1));
    shop.settled().await;
    let texts = processes.texts().await;
    let twice: Vec<_> = texts.iter().filter(|(_, many)| **many > 1).collect();
    assert!(twice.is_empty(), "sent twice: {twice:?}");
    assert_eq!(texts.len(), kills);
    let messages = shop.messages().await;
    assert!(messages.iter().all(|(_, message)| message.attempts == 1));
    assert!(verify(&shop.app.store, |_| {}).await.unwrap().is_clean());
}
