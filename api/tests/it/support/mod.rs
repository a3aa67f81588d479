//! A test's own shop, and clients for it.

mod background;
pub mod console;
pub mod dump;
pub mod kinds;
pub mod mail;
mod model;
pub mod payments;
pub mod pictures;
mod place;
mod request;
pub mod reviews;
pub mod shop;
pub mod tables;
pub mod texts;
pub mod window;

use std::fs;
use std::sync::Arc;
use std::time::Instant;

use api::app::AppState;
use api::router::surrounded;
use api::settings::Settings;
use application::clock::MovedClock;
use application::executor::CommandContext;
use application::members::register::{NewMember, register};
use application::policies::followers;
use axum::Router;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use demo::{SeedOutcome, Size};
use domain::Actor;
use domain::member::{AccessLevel, MemberType, Profile, Scope};
use event_store::Runner;
use event_store::testing::Database;
use reqwest::header::AUTHORIZATION;
use reqwest::{Client, Method};
use search_index::Meilisearch;
use serde_json::{Value, json};
use tempfile::TempDir;
use time::Duration;
use tokio::net::TcpListener;
use tokio::sync::Mutex;
use tokio_util::sync::{CancellationToken, DropGuard};
use uuid::Uuid;

use background::Running;
use model::Model;
use place::working;

pub use model::files_in;
pub use place::Place;
pub use request::{Account, Ask, Reply};

/// A shop: a server on a free port, its worker, its own database and its own payment sandbox.
pub struct TestApp {
    /// The application, for operations without an endpoint.
    pub app: AppState,
    /// The shop's clock.
    pub clock: Arc<MovedClock>,
    /// URL of the shop.
    pub url: String,
    /// URL of its payment sandbox.
    pub sandbox: String,
    /// Connection URL of its database.
    pub database: String,
    client: Client,
    folder: TempDir,
    server: Running,
    worker: Mutex<Option<Running>>,
    stop: DropGuard,
}

/// Serves a router at a free port; returns its URL.
pub async fn served(service: Router) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, service).await });
    url
}

/// Repeats `ask` until it returns a value: followers of the log process events with a delay.
pub async fn until<T>(what: &str, mut ask: impl AsyncFnMut() -> Option<T>) -> T {
    for _ in 0..600 {
        if let Some(found) = ask().await {
            return found;
        }
        tokio::time::sleep(std::time::Duration::from_millis(25)).await;
    }
    panic!("never: {what}")
}

impl TestApp {
    /// Waits until this number of transactions wait for a lock.
    pub async fn until_waiting(&self, many: i64) {
        let sql = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";
        until("somebody waits for a lock", async || {
            let waiting: i64 = sqlx::query_scalar(sql)
                .fetch_one(self.app.pool())
                .await
                .unwrap();
            (waiting >= many).then_some(())
        })
        .await;
    }

    /// Waits until all followers have reached the head of the log, what they append themselves included: as long as they get closer to it, however slow the machine is.
    pub async fn settled(&self) {
        let head = async || self.app.store.head().await.unwrap();
        let mut reached = -1;
        while reached < head().await {
            reached = head().await;
            self.followed_to(reached).await;
        }
    }

    /// Waits until all followers have reached a position, as long as they get closer to it.
    async fn followed_to(&self, position: i64) {
        let distance = async || -> i64 {
            let states = self.app.store.checkpoints().await.unwrap();
            let behind = states
                .iter()
                .map(|state| (position - state.position).max(0));
            behind.sum()
        };
        let mut left = distance().await;
        while left > 0 {
            left = until(
                "a follower gets closer to the head of the log",
                async || {
                    let now = distance().await;
                    (now < left).then_some(now)
                },
            )
            .await;
        }
    }

    /// Stops a read model until the transaction ends.
    pub async fn stands_still(&self, model: &str) -> sqlx::Transaction<'static, sqlx::Postgres> {
        let mut transaction = event_store::begin(self.app.pool()).await.unwrap();
        let still = "SELECT FROM projection_checkpoint WHERE name = $1 FOR UPDATE";
        let held = sqlx::query(still).bind(model).execute(&mut *transaction);
        assert!(held.await.unwrap().rows_affected() > 0, "no {model}");
        transaction
    }

    /// A shop with generous limits.
    pub async fn start() -> Self {
        Self::with(&[]).await
    }

    /// A shop with these settings, in the format of environment variables.
    pub async fn with(settings: &[(&str, &str)]) -> Self {
        Self::made(settings, false).await
    }

    /// A shop that searches with the server at `MEILISEARCH_URL` (and `MEILISEARCH_KEY`), if there is one, in an index of its own that is
    /// removed by [`TestApp::ended`]; otherwise with an index on disk.
    pub async fn searched() -> Self {
        let variable = |name| std::env::var(name).ok().filter(|text| !text.is_empty());
        let Some(url) = variable("MEILISEARCH_URL") else {
            let model = Model::of(false);
            let folder = model.folder();
            fs::create_dir(folder.path().join("search")).unwrap();
            return Self::on(&[], model.database.copy().await, folder, false).await;
        };
        let key = variable("MEILISEARCH_KEY").unwrap_or_default();
        let index = format!("test-{}", Uuid::now_v7());
        Self::with(&[
            ("MEILISEARCH_URL", &url),
            ("MEILISEARCH_KEY", &key),
            ("JANGBU_SEARCH_MEILISEARCH_INDEX", &index),
        ])
        .await
    }

    /// A shop with the demonstration.
    pub async fn seeded() -> Self {
        Self::made(&[], true).await
    }

    async fn made(settings: &[(&str, &str)], seeded: bool) -> Self {
        let model = Model::of(seeded);
        let folder = model.folder();
        Self::on(settings, model.database.copy().await, folder, false).await
    }

    /// A shop on this database and folder, optionally filled with the demonstration before it opens.
    async fn on(
        settings: &[(&str, &str)],
        database: Database,
        folder: TempDir,
        seeded: bool,
    ) -> Self {
        let place = Place::within(settings, folder).await;
        if seeded {
            let filled =
                api::seed::seed(Size::Small, &place.settings, database.url(), |_| {}).await;
            assert_eq!(filled.unwrap(), SeedOutcome::Filled);
        }
        place.open(database.url()).await
    }

    /// Closes the shop; returns its settings, its database and its data folder.
    pub fn close(self) -> (Settings, String, TempDir) {
        let settings = (*self.app.settings).clone();
        (settings, self.database, self.folder)
    }

    /// Stops the shop, and removes its index on a search server.
    pub async fn ended(self) {
        drop(self.stop);
        self.server.ended().await;
        self.worker.into_inner().unwrap().ended().await;
        let search = &self.app.settings.search;
        if let Some(url) = &search.meilisearch_url {
            let key = search.meilisearch_key.as_deref();
            let server = Meilisearch::new(url, key, &search.meilisearch_index).unwrap();
            server.delete().await.unwrap();
        }
    }

    /// Runs `work` while no policy and no deadline is executed: follow-ups of a command stay pending. The read models continue.
    pub async fn held_back<T>(&self, work: impl Future<Output = T>) -> T {
        let mut worker = self.worker.lock().await;
        worker.take().unwrap().ended().await;
        let reading = Running::start(
            self.app.clone(),
            CancellationToken::new(),
            async |app, stop| {
                let runner = Runner::new(app.store.clone(), projections::all());
                Ok(runner.run(stop.cancelled_owned()).await?)
            },
        );
        let done = work.await;
        reading.ended().await;
        let stop = CancellationToken::new();
        *worker = Some(working(&self.app, &self.database, stop));
        done
    }

    /// Waits until this statement returns a count above zero for this id.
    pub async fn until_counted(&self, sql: &str, id: &str) {
        until(sql, async || {
            let count = sqlx::query_scalar(sql).bind(id).fetch_one(self.app.pool());
            let count: i64 = count.await.unwrap();
            (count > 0).then_some(())
        })
        .await;
    }

    /// Runs `work` while the log is locked at first, so that all decisions are made before any of them is written. The lock is released
    /// half a second after the first one waits for it, however long it took to get there.
    pub async fn undecided<T>(&self, work: impl Future<Output = T>) -> T {
        let mut writing = event_store::begin(self.app.pool()).await.unwrap();
        sqlx::query("LOCK TABLE events IN EXCLUSIVE MODE")
            .execute(&mut *writing)
            .await
            .unwrap();
        let release = async {
            self.until_waiting(1).await;
            tokio::time::sleep(std::time::Duration::from_millis(500)).await;
            writing.commit().await.unwrap();
        };
        futures::join!(work, release).0
    }

    /// Waits until the read models have their tables.
    async fn becomes_ready(&self) {
        let begun = Instant::now();
        while self.get("/ready").send().await.status != 200 {
            assert!(
                begun.elapsed() < std::time::Duration::from_secs(60),
                "the shop does not become ready"
            );
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    }

    /// Waits until all followers of the log have their tables, and the console's lists their indexes: a copy need not create them.
    async fn becomes_whole(&self) {
        let followers = followers(&self.app.application()).len();
        until("everything to copy", async || {
            let known = self.app.store.checkpoints().await.unwrap();
            let shown = known.iter().filter(|checkpoint| checkpoint.active).count();
            (shown == followers
                && application::resources::create_indexes(&self.app)
                    .await
                    .unwrap())
            .then_some(())
        })
        .await;
    }

    /// A request to the shop; to another server if the address is absolute.
    pub fn ask(&self, method: Method, path: &str) -> Ask {
        let url = if path.starts_with("http") {
            path.to_owned()
        } else {
            format!("{}{path}", self.url)
        };
        Ask(self.client.request(method, url))
    }

    /// Serves routes of the test beside the shop, with the shop's middleware; returns the URL.
    pub async fn beside(&self, calls: Router<AppState>) -> String {
        served(surrounded(calls, self.app.clone())).await
    }

    pub fn get(&self, path: &str) -> Ask {
        self.ask(Method::GET, path)
    }

    pub fn post(&self, path: &str, body: &Value) -> Ask {
        self.ask(Method::POST, path).json(body)
    }

    pub fn put(&self, path: &str, body: &Value) -> Ask {
        self.ask(Method::PUT, path).json(body)
    }

    pub fn delete(&self, path: &str) -> Ask {
        self.ask(Method::DELETE, path)
    }

    /// Advances the clock.
    pub fn advance(&self, by: Duration) {
        self.clock.advance(by);
    }

    /// Signs in.
    pub async fn login(&self, username: &str, password: &str) -> Reply {
        let pair = STANDARD.encode(format!("{username}:{password}"));
        self.get("/api/auth/refreshToken")
            .header(AUTHORIZATION.as_str(), &format!("Basic {pair}"))
            .send()
            .await
    }

    /// Joins and signs in.
    pub async fn sign_up(&self, username: &str) -> Account {
        let form = sign_up_form(username);
        self.post("/api/v1/users", &form).send().await.expect(201);
        self.account(username, form["password"].as_str().unwrap())
            .await
    }

    /// Uploads a registration document before joining.
    pub async fn hand_in(&self, bytes: &[u8]) -> Reply {
        let head = b"--jangbu\r\ncontent-disposition: form-data; name=\"file\"; filename=\"copy.pdf\"\r\n\r\n";
        let body = [head.as_slice(), bytes, b"\r\n--jangbu--\r\n"].concat();
        self.ask(Method::POST, "/api/v1/users/documents")
            .body("multipart/form-data; boundary=jangbu", body)
            .send()
            .await
    }

    /// A seller, signed in.
    pub async fn company(&self, username: &str) -> Account {
        let mut form = company_form(username);
        let handed_in = self.hand_in(b"%PDF-1.7 registration").await.expect(201);
        form["registrationToken"] = handed_in.body["document"]["token"].clone();
        self.post("/api/v1/users", &form).send().await.expect(201);
        self.account(username, form["password"].as_str().unwrap())
            .await
    }

    /// Staff, signed in.
    pub async fn console(&self) -> Account {
        let username = "operator1";
        let password = "operator1!";
        let newcomer = NewMember {
            profile: Profile {
                username: username.to_owned(),
                name: "운영자".to_owned(),
                nickname: "운영자".to_owned(),
                email: "staff@example.com".to_owned(),
                phone: "01000000000".to_owned(),
                ..Profile::default()
            },
            password: password.to_owned(),
            member_type: MemberType::Operator,
            level: AccessLevel::Admin,
            scopes: vec![Scope::Console],
            terms: Vec::new(),
            document: None,
        };
        register(
            &self.app,
            &CommandContext::for_actor("join", Actor::System),
            newcomer,
        )
        .await
        .unwrap();
        self.account(username, password).await
    }

    /// A member, signed in.
    pub async fn account(&self, username: &str, password: &str) -> Account {
        let reply = self.login(username, password).await.expect(200);
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        Account {
            id: text(&reply.body["payload"]["_user"]),
            username: username.to_owned(),
            password: password.to_owned(),
            token: text(&reply.body["accessToken"]),
            refresh: text(&reply.body["refreshToken"]),
        }
    }
}

/// A form that passes every rule.
pub fn sign_up_form(username: &str) -> Value {
    json!({
        "username": username,
        "password": "abcd123!",
        "name": "홍길동",
        "nickname": username,
        "email": format!("{username}@example.com"),
        "phone": "010-1234-5678",
        "_terms": ["age", "service", "privacy"],
    })
}

/// A company's form that passes every rule except for its registration copy.
pub fn company_form(username: &str) -> Value {
    let mut form = sign_up_form(username);
    for (field, value) in [
        ("type", "COMPANY"),
        ("companyName", "장부상회"),
        ("ceoName", "김대표"),
        ("businessRegistration", "123-45-67890"),
        ("licenseCode", "2026-서울-0001"),
    ] {
        form[field] = json!(value);
    }
    form
}

/// Runs this number of futures concurrently.
pub async fn futures_of<F: Future<Output = T>, T>(
    many: usize,
    each: impl Fn(usize) -> F,
) -> Vec<T> {
    futures::future::join_all((0..many).map(each)).await
}
