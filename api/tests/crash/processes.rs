//! The processes of one shop, and how to kill them.

use std::collections::BTreeMap;
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use demo::people::PASSWORD;
use event_store::testing::free_port;
use reqwest::Client;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::process::{Child, Command};

use crate::seen::Good;
use crate::shopper::Shopper;

/// A process that can be killed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Victim {
    Server,
    Worker,
    Sandbox,
    Postgres,
}

impl Victim {
    pub const ALL: [Victim; 4] = [
        Victim::Server,
        Victim::Worker,
        Victim::Sandbox,
        Victim::Postgres,
    ];
}

/// URLs of the shop and its payment sandbox.
#[derive(Clone)]
pub struct Place {
    pub shop: String,
    pub sandbox: String,
    pub client: Client,
}

/// Server, worker, sandbox, and the Postgres they share.
pub struct Shop {
    folder: TempDir,
    place: Place,
    environment: Vec<(String, String)>,
    /// Whether faults are injected into the sandbox after each start; it loses the rules when it is killed.
    misbehaving: bool,
    server: Option<Child>,
    worker: Option<Child>,
    sandbox: Option<Child>,
}

impl Shop {
    /// Opens a seeded shop with production settings.
    pub async fn open() -> Self {
        let folder = tempfile::tempdir().unwrap();
        // As root without user namespaces, Postgres runs as another user, who needs access to the folder.
        std::fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).unwrap();
        let (shop, sandbox, mail) = (free_port(), free_port(), free_port());
        let data = folder.path().join("data");
        let mut environment: Vec<(String, String)> = [
            ("JANGBU_DATA_FOLDER", data.display().to_string()),
            ("JANGBU_SERVER_ADDRESS", format!("127.0.0.1:{shop}")),
            (
                "JANGBU_SERVER_PUBLIC_URL",
                format!("http://127.0.0.1:{shop}"),
            ),
            ("JANGBU_SANDBOX_ADDRESS", format!("127.0.0.1:{sandbox}")),
            ("JANGBU_SANDBOX_SMTP_ADDRESS", format!("127.0.0.1:{mail}")),
            (
                "JANGBU_SANDBOX_NOTICE_URL",
                format!("http://127.0.0.1:{shop}/api/plugins/nicepayments/notice"),
            ),
            ("JANGBU_DATABASE_DURABLE", "true".to_owned()),
            ("JANGBU_PAYMENT_READ_TIMEOUT_SECONDS", "5".to_owned()),
            (
                "JANGBU_LOG_LEVEL",
                "warn,application=debug,integrations=debug,lettre=trace,sandbox=debug".to_owned(),
            ),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .into();
        for limit in [
            "REQUESTS_PER_SECOND",
            "BURST",
            "GUESSES_PER_MINUTE",
            "GUESSES_BURST",
            "CONNECTIONS",
        ] {
            environment.push((format!("JANGBU_LIMITS_{limit}"), "1000000".to_owned()));
        }
        let client = Client::builder()
            .timeout(Duration::from_secs(20))
            .redirect(reqwest::redirect::Policy::none())
            .build()
            .unwrap();
        let place = Place {
            shop: format!("http://127.0.0.1:{shop}"),
            sandbox: format!("http://127.0.0.1:{sandbox}"),
            client,
        };
        let mut shop = Self {
            folder,
            place,
            environment,
            misbehaving: false,
            server: None,
            worker: None,
            sandbox: None,
        };
        shop.sandbox = Some(shop.start("sandbox", &[]));
        shop.answers(&format!("{}/sandbox/charges", shop.place.sandbox))
            .await;
        let seeded = shop.start("seed", &[]).wait().await.unwrap();
        assert!(
            seeded.success(),
            "jangbu seed failed:\n{}",
            shop.log("seed")
        );
        shop.revive().await;
        shop
    }

    pub fn place(&self) -> Place {
        self.place.clone()
    }

    fn start(&self, command: &str, arguments: &[&str]) -> Child {
        let log = std::fs::File::options()
            .create(true)
            .append(true)
            .open(self.folder.path().join(format!("{command}.log")))
            .unwrap();
        Command::new(env!("CARGO_BIN_EXE_jangbu"))
            .arg(command)
            .args(arguments)
            .current_dir(self.folder.path())
            .env_remove("DATABASE_URL")
            .envs(self.environment.iter().cloned())
            .stdin(Stdio::null())
            .stdout(log.try_clone().unwrap())
            .stderr(log)
            .kill_on_drop(true)
            .spawn()
            .unwrap()
    }

    fn log(&self, command: &str) -> String {
        std::fs::read_to_string(self.folder.path().join(format!("{command}.log")))
            .unwrap_or_default()
    }

    /// Output of all processes.
    pub fn logs(&self) -> String {
        ["serve", "worker", "sandbox"]
            .map(|command| format!("{command}:\n{}", self.log(command)))
            .join("\n")
    }

    /// kill -9, as the kernel does when memory runs out.
    pub async fn kill(&mut self, victim: Victim) {
        let child = match victim {
            Victim::Server => self.server.take(),
            Victim::Worker => self.worker.take(),
            Victim::Sandbox => self.sandbox.take(),
            Victim::Postgres => {
                if let Some(pid) = postmaster(&self.folder.path().join("data")) {
                    std::process::Command::new("kill")
                        .args(["-9", &pid])
                        .status()
                        .unwrap();
                }
                None
            }
        };
        if let Some(mut child) = child {
            child.kill().await.unwrap();
        }
    }

    /// Restarts the killed processes.
    pub async fn revive(&mut self) {
        if dead(&mut self.sandbox) {
            self.sandbox = Some(self.start("sandbox", &[]));
        }
        if dead(&mut self.server) {
            self.server = Some(self.start("serve", &["--no-worker"]));
        }
        if dead(&mut self.worker) {
            self.worker = Some(self.start("worker", &[]));
        }
        let ready = format!("{}/health", self.place.shop);
        self.answers(&ready).await;
        self.answers(&format!("{}/sandbox/charges", self.place.sandbox))
            .await;
        if self.misbehaving {
            self.place.misbehave().await;
        }
    }

    /// Makes the sandbox answer a fifth of the approvals and refunds late and some never, so that kills happen between the gateway's
    /// success and its recording here.
    pub async fn misbehave(&mut self, yes: bool) {
        self.misbehaving = yes;
        match yes {
            true => self.place.misbehave().await,
            false => self.place.behave().await,
        }
    }

    /// Waits, with a timeout, until the sandbox has executed a call (`approve`, `cancel`) and has not answered it; returns whether that
    /// happened. Notices are disabled, so the shop does not learn of it later.
    pub async fn owes_an_answer(&self, call: &str) -> bool {
        self.place.notices_to(None).await;
        let late = json!({ "call": call, "fault": "late", "milliseconds": 3_000, "times": 1 });
        self.place.rule(&late).await;
        for _ in 0..1_000 {
            let rules = self.place.rules().await;
            if rules.iter().any(|rule| rule["times"] == 0) {
                // It executes the call first.
                tokio::time::sleep(Duration::from_millis(100)).await;
                return true;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        false
    }

    async fn answers(&self, address: &str) {
        let since = Instant::now();
        while self.place.client.get(address).send().await.is_err() {
            if since.elapsed() > Duration::from_secs(120) {
                panic!(
                    "{address} does not answer\n{}\n{}",
                    self.log("serve"),
                    self.log("sandbox")
                );
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// `jangbu verify` beside the running shop.
    pub async fn verify(&self) {
        let verified = self.start("verify", &[]).wait().await.unwrap();
        let said = self.log("verify");
        println!("{said}");
        assert!(verified.success(), "jangbu verify found differences");
    }

    /// Waits until the sandbox has delivered its notices and the worker has completed open work, then stops everything.
    pub async fn close(mut self) {
        for child in [self.worker.take(), self.server.take(), self.sandbox.take()]
            .into_iter()
            .flatten()
        {
            let pid = child.id().unwrap_or_default().to_string();
            std::process::Command::new("kill")
                .args(["-INT", &pid])
                .status()
                .unwrap();
            drop(tokio::time::timeout(Duration::from_secs(15), child.wait_with_output()).await);
        }
    }
}

fn dead(child: &mut Option<Child>) -> bool {
    child
        .as_mut()
        .is_none_or(|child| child.try_wait().unwrap().is_some())
}

/// The running Postgres' process id, from its own pid file.
fn postmaster(data: &Path) -> Option<String> {
    let cluster: PathBuf = std::fs::read_dir(data)
        .ok()?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .find(|path| path.join("postmaster.pid").exists())?;
    Some(
        std::fs::read_to_string(cluster.join("postmaster.pid"))
            .ok()?
            .lines()
            .next()?
            .to_owned(),
    )
}

impl Place {
    /// Products and options for sale, with the stock left. Sets have no stock of their own: they take that of their parts.
    pub async fn stock(&self) -> BTreeMap<Good, i64> {
        let cards = self.get("/api/v1/shop/products?limit=100", None).await;
        let mut stock = BTreeMap::new();
        for card in cards["products"].as_array().unwrap() {
            let product = card["_id"].as_str().unwrap();
            let path = format!("/api/v1/shop/products/{product}");
            let detail = self.get(&path, None).await["product"].take();
            if detail["bundleds"]
                .as_array()
                .is_some_and(|parts| !parts.is_empty())
            {
                continue;
            }
            let options = detail["options"].as_array().into_iter().flatten();
            let mut offers: Vec<&Value> = options.collect();
            if offers.is_empty() {
                offers.push(&detail);
            }
            for offer in offers {
                let id = offer["_id"].as_str().unwrap();
                let good = Good {
                    product: product.to_owned(),
                    option: (id != product).then(|| id.to_owned()),
                };
                stock.insert(good, offer["stock"].as_i64().unwrap());
            }
        }
        assert!(!stock.is_empty(), "the seed has no products");
        stock
    }

    /// A member of the seed.
    pub fn person(&self, username: &str) -> Shopper {
        Shopper::new(
            self.clone(),
            STANDARD.encode(format!("{username}:{PASSWORD}")),
        )
    }

    /// The seed's shoppers.
    pub fn shoppers(&self) -> Vec<Shopper> {
        (1..=13)
            .map(|number| self.person(&format!("shopper{number:02}")))
            .collect()
    }

    /// A read that has to succeed; repeated until it does.
    pub async fn get(&self, path: &str, token: Option<&str>) -> Value {
        let since = Instant::now();
        loop {
            let mut request = self.client.get(format!("{}{path}", self.shop));
            if let Some(token) = token {
                request = request.bearer_auth(token);
            }
            if let Ok(answer) = request.send().await
                && answer.status().is_success()
                && let Ok(body) = answer.json().await
            {
                return body;
            }
            assert!(
                since.elapsed() < Duration::from_secs(120),
                "{path} does not answer"
            );
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }

    /// All charges of the sandbox.
    pub async fn charges(&self) -> Vec<Value> {
        let answer: Value = self
            .client
            .get(format!("{}/sandbox/charges", self.sandbox))
            .send()
            .await
            .unwrap()
            .json()
            .await
            .unwrap();
        answer["charges"].as_array().unwrap().clone()
    }

    async fn misbehave(&self) {
        self.behave().await;
        for rule in [
            json!({ "call": "approve", "fault": "late", "milliseconds": 800, "percent": 20 }),
            json!({ "call": "approve", "fault": "timeoutAfter", "percent": 5 }),
            json!({ "call": "cancel", "fault": "late", "milliseconds": 800, "percent": 20 }),
            json!({ "call": "cancel", "fault": "timeoutAfter", "percent": 5 }),
        ] {
            self.rule(&rule).await;
        }
    }

    /// Adds a fault rule to the sandbox.
    async fn rule(&self, rule: &Value) {
        let address = format!("{}/sandbox/faults", self.sandbox);
        let answer = self.client.post(address).json(rule).send().await.unwrap();
        let status = answer.status();
        assert!(status.is_success(), "{}", answer.text().await.unwrap());
    }

    /// Sets the sandbox's notice URL; none disables notices.
    async fn notices_to(&self, address: Option<&str>) {
        let asked = self
            .client
            .post(format!("{}/sandbox/settings", self.sandbox));
        let change = json!({ "noticeUrl": address });
        let answer = asked.json(&change).send().await.unwrap();
        assert!(answer.status().is_success());
    }

    /// The fault rules in force, with their remaining uses.
    async fn rules(&self) -> Vec<Value> {
        let address = format!("{}/sandbox/faults", self.sandbox);
        let answer = self.client.get(address).send().await.unwrap();
        let told: Value = answer.json().await.unwrap();
        told["faults"].as_array().unwrap().clone()
    }

    async fn behave(&self) {
        let address = format!("{}/api/plugins/nicepayments/notice", self.shop);
        self.notices_to(Some(&address)).await;
        self.client
            .delete(format!("{}/sandbox/faults", self.sandbox))
            .send()
            .await
            .unwrap();
    }
}
