//! A shop of a test's own, and somebody to ask it things.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::Instant;

use api::app::{AppBuilder, AppState};
use api::console::records;
use api::router::surrounded;
use api::serve::{Duty, serve};
use api::settings::Settings;
use api::worker::{followers, work};
use application::clock::MovedClock;
use application::executor::CommandContext;
use application::members::register::{NewMember, register};
use axum::Router;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use domain::Actor;
use domain::member::{AccessLevel, MemberType, Profile, Scope};
use event_store::Runner;
use event_store::testing::Database;
use reqwest::header::{AUTHORIZATION, HeaderMap};
use reqwest::{Client, Method, RequestBuilder};
use sandbox::Sandbox;
use search_index::{Embedded, Meilisearch};
use serde_json::{Value, json};
use tempfile::TempDir;
use time::Duration;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use tokio::sync::Mutex;
use tokio_util::sync::{CancellationToken, DropGuard};
use uuid::Uuid;

use crate::background::{Pace, Running};
use crate::contract;

/// A shop: a server on a free port, its worker, its own database and its own payment sandbox.
pub struct TestApp {
    /// For what cannot be asked over HTTP.
    pub app: AppState,
    /// The shop's clock.
    pub clock: Arc<MovedClock>,
    /// Where the shop is.
    pub url: String,
    /// Where its payment sandbox is.
    pub sandbox: String,
    /// Its database.
    pub database: String,
    client: Client,
    folder: TempDir,
    server: Running,
    worker: Mutex<Option<Running>>,
    stop: DropGuard,
}

/// Somebody signed in.
#[derive(Clone, Debug)]
pub struct Account {
    pub id: String,
    pub username: String,
    pub password: String,
    pub token: String,
    pub refresh: String,
}

/// An answer.
#[derive(Debug)]
pub struct Reply {
    pub status: u16,
    pub headers: HeaderMap,
    /// JSON; null if it is none.
    pub body: Value,
    pub text: String,
}

impl Reply {
    /// The code of a refusal.
    pub fn code(&self) -> &str {
        self.body["error"]["code"].as_str().unwrap_or("-")
    }

    /// The field and the code of a refusal's first complaint.
    pub fn complaint(&self) -> (&str, &str) {
        let field = &self.body["error"]["fields"][0];
        (
            field["field"].as_str().unwrap_or("-"),
            field["code"].as_str().unwrap_or("-"),
        )
    }

    /// A header's text.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().unwrap())
    }

    /// The position to wait for.
    pub fn position(&self) -> String {
        self.header("x-position").unwrap().to_owned()
    }

    /// Passes if it has this status.
    #[track_caller]
    pub fn expect(self, status: u16) -> Self {
        assert_eq!(self.status, status, "{}", self.text);
        self
    }
}

/// A request in the making.
pub struct Ask(RequestBuilder);

impl Ask {
    pub fn token(self, token: &str) -> Self {
        Self(self.0.bearer_auth(token))
    }

    pub fn as_(self, account: &Account) -> Self {
        self.token(&account.token)
    }

    pub fn header(self, name: &str, value: &str) -> Self {
        Self(self.0.header(name, value))
    }

    pub fn key(self, key: &str) -> Self {
        self.header("idempotency-key", key)
    }

    pub fn json(self, body: &Value) -> Self {
        Self(self.0.json(body))
    }

    /// A body of any kind.
    pub fn body(self, kind: &str, body: impl Into<reqwest::Body>) -> Self {
        Self(self.0.header("content-type", kind).body(body))
    }

    /// The answer; a read that came too early on a busy machine is asked again, as the web app does.
    pub async fn send(self) -> Reply {
        for _ in 0..20 {
            let reply = Self(self.0.try_clone().unwrap()).once().await;
            if reply.header("x-stale").is_none() {
                return reply;
            }
        }
        self.once().await
    }

    /// The answer, also a stale one.
    pub async fn once(self) -> Reply {
        let asked = self.0.try_clone().unwrap().build().unwrap();
        // A refusal may close the connection before the body is read; the next request on it then has to be sent again.
        let again = self.0.try_clone().unwrap();
        let response = match self.0.send().await {
            Ok(response) => response,
            Err(_) => again.send().await.unwrap(),
        };
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        contract::hold(asked.method(), asked.url().path(), status, &headers);
        let text = response.text().await.unwrap();
        let body = serde_json::from_str(&text).unwrap_or_default();
        Reply {
            status,
            headers,
            body,
            text,
        }
    }
}

/// What a new shop starts from, made once and copied for every test.
struct Model {
    database: Database,
    files: Vec<(PathBuf, Vec<u8>)>,
}

impl Model {
    /// With every table and nothing in them, or with the demonstration.
    fn of(seeded: bool) -> &'static Self {
        static EMPTY: OnceLock<Model> = OnceLock::new();
        static SEEDED: OnceLock<Model> = OnceLock::new();
        let model = if seeded { &SEEDED } else { &EMPTY };
        // on a thread of its own: a test is in the middle of its own runtime
        let make = move || Runtime::new().unwrap().block_on(Self::make(seeded));
        model.get_or_init(|| thread::spawn(make).join().unwrap())
    }

    async fn make(seeded: bool) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let database = Database::create().await;
        let shop = TestApp::on(&[], database.clone(), folder, seeded).await;
        shop.becomes_whole().await;
        drop(shop.stop);
        shop.server.ended().await;
        shop.worker.into_inner().unwrap().ended().await;
        shop.app.store.pool().close().await;
        Self {
            database,
            files: files_in(shop.folder.path()).unwrap(),
        }
    }

    fn folder(&self) -> TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (name, bytes) in &self.files {
            let file = folder.path().join(name);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, bytes).unwrap();
        }
        folder
    }
}

/// What is in a folder and below it, by its path from there; an error if something of it vanishes meanwhile.
pub fn files_in(folder: &Path) -> io::Result<Vec<(PathBuf, Vec<u8>)>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = PathBuf::from(path.file_name().unwrap());
        if path.is_dir() {
            let below = files_in(&path)?.into_iter();
            files.extend(below.map(|(inner, bytes)| (name.join(inner), bytes)));
        } else {
            files.push((name, fs::read(&path)?));
        }
    }
    Ok(files)
}

/// Serves a router at an address of its own; answers where.
pub async fn served(service: Router) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, service).await });
    url
}

/// What `ask` finds, as soon as it finds it: who follows the log comes to an event in their own time.
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
    /// So many are waiting for somebody else's lock.
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

    /// Everything that follows the log has come to its end.
    pub async fn settled(&self) {
        let head = self.app.store.head().await.unwrap();
        until("everything follows the log", async || {
            let states = self.app.store.checkpoints().await.unwrap();
            let all = states.iter().all(|state| state.position >= head);
            all.then_some(())
        })
        .await;
    }

    /// A read model stays where it is until the transaction ends.
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

    /// A shop with these settings, spelled as environment variables.
    pub async fn with(settings: &[(&str, &str)]) -> Self {
        Self::made(settings, false).await
    }

    /// A shop that searches with the server at `MEILISEARCH_URL` (and `MEILISEARCH_KEY`), if there is one, in an index of its own
    /// that goes with [`TestApp::ended`]; otherwise with an index on disk.
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

    /// The demonstration.
    pub async fn seeded() -> Self {
        Self::made(&[], true).await
    }

    async fn made(settings: &[(&str, &str)], seeded: bool) -> Self {
        let model = Model::of(seeded);
        let folder = model.folder();
        Self::on(settings, model.database.copy().await, folder, false).await
    }

    /// A shop on this database and folder, filled with the demonstration before it opens if wanted.
    async fn on(
        settings: &[(&str, &str)],
        database: Database,
        folder: TempDir,
        seeded: bool,
    ) -> Self {
        let place = Place::within(settings, folder).await;
        if seeded {
            let filled = api::seed::seed(&place.settings, database.url(), |_| {}).await;
            assert_eq!(filled.unwrap(), api::seed::Seeded::Filled);
        }
        place.open(database.url()).await
    }

    /// The shop closes; what it leaves: its settings, its database, its data folder.
    pub fn close(self) -> (Settings, String, TempDir) {
        let settings = (*self.app.settings).clone();
        (settings, self.database, self.folder)
    }

    /// The shop ends, and its index on a search server with it.
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

    /// Does this while no policy and no deadline acts: what a command leaves to them stays undone. The read models go on.
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

    /// Waits until this statement counts something for this id.
    pub async fn until_counted(&self, sql: &str, id: &str) {
        until(sql, async || {
            let count = sqlx::query_scalar(sql).bind(id).fetch_one(self.app.pool());
            let count: i64 = count.await.unwrap();
            (count > 0).then_some(())
        })
        .await;
    }

    /// Does this while nobody can write to the log at first: all of it is decided before any of it is written.
    pub async fn undecided<T>(&self, work: impl Future<Output = T>) -> T {
        let mut writing = event_store::begin(self.app.pool()).await.unwrap();
        sqlx::query("LOCK TABLE events IN EXCLUSIVE MODE")
            .execute(&mut *writing)
            .await
            .unwrap();
        let release = async {
            tokio::time::sleep(std::time::Duration::from_millis(500)).await;
            writing.commit().await.unwrap();
        };
        futures::join!(work, release).0
    }

    /// The read models have their tables.
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

    /// Whatever follows the log has its tables, and the console's lists have their indexes: a copy need not make them.
    async fn becomes_whole(&self) {
        let followers = followers(&self.app).len();
        until("everything to copy", async || {
            let known = self.app.store.checkpoints().await.unwrap();
            let shown = known.iter().filter(|checkpoint| checkpoint.active).count();
            (shown == followers && records::index(&self.app).await.unwrap()).then_some(())
        })
        .await;
    }

    /// A request to the shop; to another server if the address is whole.
    pub fn ask(&self, method: Method, path: &str) -> Ask {
        let url = if path.starts_with("http") {
            path.to_owned()
        } else {
            format!("{}{path}", self.url)
        };
        Ask(self.client.request(method, url))
    }

    /// Serves calls of the test's own beside the shop, with everything around them; answers where.
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

    /// Time goes on.
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

    /// Hands a document in, as somebody who is joining.
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

    /// Somebody who has joined, signed in.
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

/// A company's form that passes every rule but for its registration copy.
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

/// Starts a shop's worker.
fn working(app: &AppState, database: &str, stop: CancellationToken) -> Running {
    match Pace::asked() {
        Pace::Slow => Running::held_up(app, database, stop, work),
        Pace::Fast | Pace::Usual => Running::start(app.clone(), stop, work),
    }
}

/// Where a shop will be: its settings and folder, and its payment sandbox, which is there already.
pub struct Place {
    pub settings: Settings,
    folder: TempDir,
    sandbox: String,
    stopping: CancellationToken,
}

impl Place {
    /// One with these settings.
    pub async fn with(settings: &[(&str, &str)]) -> Self {
        Self::within(settings, tempfile::tempdir().unwrap()).await
    }

    async fn within(settings: &[(&str, &str)], folder: TempDir) -> Self {
        let stopping = CancellationToken::new();
        let pay = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let sandbox_url = format!("http://{}", pay.local_addr().unwrap());
        let many = "1000000".to_owned();
        let none = "0".to_owned();
        let mut environment: Vec<(String, String)> = [
            ("JANGBU_DATA_FOLDER", folder.path().display().to_string()),
            ("JANGBU_PAYMENT_BASE_URL", sandbox_url.clone()),
            ("JANGBU_PAYMENT_SCRIPT_URL", format!("{sandbox_url}/v1/js/")),
            ("JANGBU_LIMITS_REQUESTS_PER_SECOND", many.clone()),
            ("JANGBU_LIMITS_BURST", many.clone()),
            ("JANGBU_LIMITS_GUESSES_PER_MINUTE", many.clone()),
            ("JANGBU_LIMITS_CONNECTIONS", many.clone()),
            ("JANGBU_LIMITS_GUESSES_BURST", many),
            ("JANGBU_ORDERS_GUEST_UNPAID_ORDERS", none.clone()),
            ("JANGBU_ORDERS_GUEST_UNPAID_PIECES", none.clone()),
            ("JANGBU_ORDERS_GUEST_ADDRESS_UNPAID_ORDERS", none.clone()),
            ("JANGBU_ORDERS_GUEST_ADDRESS_UNPAID_PIECES", none),
            (
                "JANGBU_WORKER_POLL_MILLISECONDS",
                Pace::asked().poll().to_owned(),
            ),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .into();
        for (name, value) in settings {
            environment.retain(|(known, _)| known != name);
            environment.push(((*name).to_owned(), (*value).to_owned()));
        }
        let settings = Settings::read(None, &environment).unwrap();
        let sandbox = Sandbox::open(settings.sandbox_options()).unwrap();
        tokio::spawn(sandbox.serve(pay, stopping.clone().cancelled_owned()));

        Self {
            settings,
            folder,
            sandbox: sandbox_url,
            stopping,
        }
    }

    /// One that has the secrets of another shop.
    pub async fn like(shop: &TestApp) -> Self {
        let place = Self::with(&[]).await;
        let secrets = "secrets.toml";
        std::fs::copy(
            shop.app.settings.data_folder.join(secrets),
            place.settings.data_folder.join(secrets),
        )
        .unwrap();
        place
    }

    /// The shop opens, on a database that is there.
    pub async fn open(self, database: &str) -> TestApp {
        let Self {
            settings,
            folder,
            sandbox: sandbox_url,
            stopping,
        } = self;
        let clock = Arc::new(MovedClock::default());
        let in_memory =
            settings.search.meilisearch_url.is_none() && !settings.search_folder().exists();
        let mut builder = AppBuilder::new(settings, database);
        if in_memory {
            builder = builder.search(Arc::new(Embedded::in_memory().unwrap()));
        }
        let app = builder
            .clock(clock.clone())
            .connections(12)
            .build()
            .await
            .unwrap();
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let server = async move |app, stop: CancellationToken| {
            let listener = TcpListener::from_std(listener)?;
            serve(app, listener, Duty::Requests, stop.cancelled_owned()).await
        };
        let stop = stopping.child_token();
        let server = match Pace::asked() {
            Pace::Fast => Running::held_up(&app, database, stop, server),
            Pace::Slow | Pace::Usual => Running::start(app.clone(), stop, server),
        };
        let worker = working(&app, database, stopping.child_token());
        let client = Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .build()
            .unwrap();
        let shop = TestApp {
            app,
            clock,
            url,
            sandbox: sandbox_url,
            database: database.to_owned(),
            client,
            folder,
            server,
            worker: Mutex::new(Some(worker)),
            stop: stopping.drop_guard(),
        };
        shop.becomes_ready().await;
        shop
    }
}
