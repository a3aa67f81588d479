//! A disaster drill with shoppers who order continuously: every read model is rebuilt, one of them cannot be written and stops, a member's
//! account is closed and erased, the primary fails and its standby takes over.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, RwLock};
use std::time::{Duration, Instant};

use application::members::names::username_hash;
use application::reservations::USERNAME;
use domain::member::Member;
use event_store::projection::Rebuild;
use event_store::testing::{Server, until};
use reqwest::{Client, Method, StatusCode};
use serde_json::{Value, json};
use tokio::task::JoinHandle;
use tokio::time::sleep;
use uuid::Uuid;

use crate::support::shop::order_form;
use crate::support::{Account, Place, TestApp};

const SHOPPERS: usize = 3;
const STOCK: u32 = 100_000;
/// Pause of a shopper between orders.
const THINKING: Duration = Duration::from_millis(200);
/// Maximum wait for an event of the drill.
const SOON: Duration = Duration::from_secs(60);
/// Maximum wait for a response while there is a primary: not a measurement, but far below a standstill.
const PATIENCE: Duration = Duration::from_secs(10);
/// Responses required during an event of the drill.
const ENOUGH: usize = 2 * SHOPPERS;

/// URL that shoppers use at present.
type Door = Arc<RwLock<String>>;

/// For each request: its start, and the time of its response, if any.
type VerifyOptions = Arc<Mutex<Vec<(Instant, Option<Instant>)>>>;

/// Shoppers who order until stopped.
struct Crowd {
    door: Door,
    closing: Arc<AtomicBool>,
    asked: VerifyOptions,
    people: Vec<(Account, JoinHandle<BTreeSet<String>>)>,
}

impl Crowd {
    async fn comes(shop: &TestApp, form: Value) -> Self {
        let door: Door = Arc::new(RwLock::new(shop.url.clone()));
        let (closing, asked) = <(Arc<AtomicBool>, VerifyOptions)>::default();
        let mut people = Vec::new();
        for number in 0..SHOPPERS {
            let account = shop.sign_up(&format!("drill{number:02}")).await;
            let one = Shopper {
                client: Client::new(),
                door: door.clone(),
                token: account.token.clone(),
                asked: asked.clone(),
            };
            let (closing, form) = (closing.clone(), form.clone());
            people.push((
                account,
                tokio::spawn(async move {
                    let mut orders = BTreeSet::new();
                    while !closing.load(Ordering::Relaxed) {
                        orders.insert(one.orders(&form).await);
                        one.looks_around().await;
                        sleep(THINKING).await;
                    }
                    orders
                }),
            ));
        }
        Self {
            door,
            closing,
            asked,
            people,
        }
    }

    /// Repeats an event of the drill until enough requests were sent and answered during it, with short waits only. Returns its start.
    async fn during(&self, what: &str, mut happens: impl AsyncFnMut() -> Instant) {
        let (first, mut within) = (Instant::now(), 0);
        while within < ENOUGH {
            assert!(first.elapsed() < SOON, "{what}: nobody is served");
            let begun = happens().await;
            within += self.answered_since(begun);
        }
        let longest = self.longest_wait_since(first);
        assert!(longest < PATIENCE, "{what}: somebody waited {longest:?}");
    }

    /// Number of responses to requests sent since then.
    fn answered_since(&self, then: Instant) -> usize {
        let asked = self.asked.lock().unwrap();
        let since = asked
            .iter()
            .filter(|(begun, answered)| *begun >= then && answered.is_some());
        since.count()
    }

    /// Of the requests that were pending then or sent since.
    fn longest_wait_since(&self, then: Instant) -> Duration {
        let (asked, now) = (self.asked.lock().unwrap(), Instant::now());
        let waits = asked.iter().filter_map(|(begun, answered)| {
            let until = answered.unwrap_or(now);
            (until >= then).then(|| until - *begun)
        });
        waits.max().unwrap_or_default()
    }

    /// Stops the shoppers; returns the orders acknowledged to each.
    async fn goes(self) -> Vec<(Account, BTreeSet<String>)> {
        self.closing.store(true, Ordering::Relaxed);
        let mut told = Vec::new();
        for (account, shopping) in self.people {
            told.push((account, shopping.await.unwrap()));
        }
        told
    }
}

/// A shopper.
struct Shopper {
    client: Client,
    door: Door,
    token: String,
    asked: VerifyOptions,
}

impl Shopper {
    /// Places an order, repeating the same one until it is acknowledged; returns its id.
    async fn orders(&self, form: &Value) -> String {
        let key = Uuid::now_v7().to_string();
        let placed = self.asks(
            Method::POST,
            "/api/v1/shop/orders",
            Some((&key, form)),
            StatusCode::CREATED,
        );
        let placed = placed.await;
        placed["order"]["_id"].as_str().unwrap().to_owned()
    }

    async fn looks_around(&self) {
        for path in ["/api/v1/shop/products", "/api/v1/me/orders"] {
            self.asks(Method::GET, path, None, StatusCode::OK).await;
        }
    }

    /// Repeats a request until there is a response; "unavailable" and a refused connection do not count, any status but the expected one is
    /// an error.
    async fn asks(
        &self,
        method: Method,
        path: &str,
        body: Option<(&str, &Value)>,
        wanted: StatusCode,
    ) -> Value {
        let begun = Instant::now();
        let mine = {
            let mut asked = self.asked.lock().unwrap();
            asked.push((begun, None));
            asked.len() - 1
        };
        loop {
            let url = format!("{}{path}", self.door.read().unwrap());
            let mut asked = self
                .client
                .request(method.clone(), url)
                .bearer_auth(&self.token)
                .timeout(Duration::from_secs(10));
            if let Some((key, body)) = body {
                asked = asked.header("idempotency-key", key).json(body);
            }
            if let Ok(answer) = asked.send().await {
                let status = answer.status();
                let text = answer.text().await.unwrap_or_default();
                if status == wanted {
                    self.asked.lock().unwrap()[mine].1 = Some(Instant::now());
                    return serde_json::from_str(&text).unwrap();
                }
                assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE, "{path}: {text}");
            }
            assert!(begun.elapsed() < SOON, "{path}: no answer");
            sleep(Duration::from_millis(50)).await;
        }
    }
}

/// A primary that waits for its standby before it acknowledges a commit, and the standby.
async fn servers() -> (Server, Server) {
    let (primary, standby) = Server::pair("jangbu").await.unwrap();
    primary.wait_for_standby().await.unwrap();
    (primary, standby)
}

/// All read models with `JANGBU_PROOFS=full`; otherwise those that ordering depends on.
async fn read_models_are_built_anew(shop: &TestApp) {
    let full = std::env::var("JANGBU_PROOFS").is_ok_and(|proofs| proofs == "full");
    let bought_by = ["orders", "stock", "products"];
    let wanted = projections::all()
        .into_iter()
        .filter(|one| full || bought_by.contains(&one.name()));
    for projection in wanted {
        Rebuild::of(&shop.app.store, projection)
            .run()
            .await
            .unwrap();
    }
}

/// Orders continue; readers get the stale marker until the cause is fixed and the read model resumed.
async fn a_read_model_stops_and_is_resumed(shop: &TestApp, staff: &Account) {
    let path = "/api/console/system/projections";
    let state = async || -> Value {
        let all = shop.get(path).as_(staff).send().await.expect(200).body;
        let rows = all["projections"].as_array().unwrap();
        rows.iter().find(|row| row["name"] == "stock").unwrap()["state"].clone()
    };
    let (broken, mended) = (
        "ALTER TABLE p_stock_v2 ADD CONSTRAINT broken CHECK (available < 0) NOT VALID",
        "ALTER TABLE p_stock_v2 DROP CONSTRAINT broken",
    );
    sqlx::query(broken).execute(shop.app.pool()).await.unwrap();
    until("it stops", async || state().await == "stopped").await;
    sleep(Duration::from_millis(500)).await;
    sqlx::query(mended).execute(shop.app.pool()).await.unwrap();
    shop.post(&format!("{path}/stock/resume"), &json!({}))
        .as_(staff)
        .send()
        .await
        .expect(200);
    until("it goes on", async || state().await == "live").await;
}

async fn somebody_leaves(shop: &TestApp, who: &Account) {
    let form = json!({ "password": who.password, "reason": "PRIVACY" });
    shop.post("/api/v1/me/withdraw", &form)
        .as_(who)
        .send()
        .await
        .expect(200);
}

/// The primary fails with all unsent data; shoppers switch to the standby.
async fn the_primary_dies(crowd: &Crowd, primary: &mut Server, standby: &Server, mirror: &TestApp) {
    primary.kill();
    mirror.url.clone_into(&mut crowd.door.write().unwrap());
    standby.take_over().await.unwrap();
    until("the shop goes on", async || !mirror.app.standby.is()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn people_shop_on_while_everything_happens_and_nothing_is_lost_doubled_or_leaked() {
    let (mut primary, standby) = servers().await;
    let shop = Place::with(&[]).await.open(&primary.url("jangbu")).await;
    let staff = shop.console().await;
    let seller = shop.seller().await;
    let product = shop.product(seller, 10_000, STOCK).await;
    let mut left = Vec::new();
    let crowd = Crowd::comes(&shop, order_form(product, 1)).await;

    let rebuild = async || {
        let begun = Instant::now();
        read_models_are_built_anew(&shop).await;
        begun
    };
    crowd.during("rebuild", rebuild).await;
    let stop = async || {
        let begun = Instant::now();
        a_read_model_stops_and_is_resumed(&shop, &staff).await;
        begun
    };
    crowd.during("stop", stop).await;
    let leave = async || {
        let who = shop.sign_up(&format!("leaver{:02}", left.len())).await;
        let profile = shop.app.store.load::<Member>(&who.id).await.unwrap();
        let profile = profile.state.profile.unwrap();
        let opened = shop.app.keys.open(&profile).await.unwrap();
        assert_eq!(opened.value().unwrap().username, who.username);
        let begun = Instant::now();
        somebody_leaves(&shop, &who).await;
        left.push((who, profile));
        begun
    };
    crowd.during("leaving", leave).await;
    let mirror = Place::like(&shop).await.open(&standby.url("jangbu")).await;
    the_primary_dies(&crowd, &mut primary, &standby, &mirror).await;
    let since = Instant::now();
    let served = async || crowd.answered_since(since) >= ENOUGH;
    until("people are served where the standby was", served).await;
    drop(shop);
    let told = crowd.goes().await;

    // Nothing is lost or duplicated: shoppers find exactly the acknowledged orders.
    let mut sold = 0;
    let head = mirror.app.store.head().await.unwrap().to_string();
    for (account, orders) in &told {
        let mut found = BTreeSet::new();
        for skip in (0..=orders.len()).step_by(100) {
            let path = format!("/api/v1/me/orders?skip={skip}&limit=100");
            let page = mirror
                .get(&path)
                .as_(account)
                .header("x-wait-position", &head)
                .send()
                .await
                .expect(200);
            for order in page.body["orders"].as_array().unwrap() {
                let id = order["_id"].as_str().unwrap().to_owned();
                assert!(found.insert(id), "{order} is listed twice");
            }
        }
        assert_eq!(&found, orders);
        sold += u32::try_from(orders.len()).unwrap();
    }
    assert_eq!(mirror.left(product).await, STOCK - sold);
    let report = projections::verify::verify(&mirror.app.store, |_| {})
        .await
        .unwrap();
    assert!(report.is_clean(), "{:#?}", report.differences);

    // Nothing is disclosed: on the promoted standby too, data of the closed account cannot be decrypted, and its sign-in is rejected.
    let keys = "SELECT count(*) FROM keys.data_key WHERE subject = $1::uuid AND wrapped IS NOT NULL AND purpose <> 'statutory'";
    for (leaver, profile) in &left {
        let keys = sqlx::query_scalar::<_, i64>(keys).bind(&leaver.id);
        assert_eq!(keys.fetch_one(mirror.app.pool()).await.unwrap(), 0);
        let opened = mirror.app.keys.open(profile).await.unwrap();
        assert!(opened.value().is_none(), "{} is told", leaver.username);
        let name = username_hash(&mirror.app.keys, &leaver.username);
        let owner = mirror.app.store.reserved_by(USERNAME, &name).await.unwrap();
        assert_eq!(owner, None, "{} is still somebody", leaver.username);
        mirror
            .login(&leaver.username, &leaver.password)
            .await
            .expect(401);
    }
}
