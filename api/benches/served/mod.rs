//! A shop that serves HTTP, for benchmarks: on the throw-away server of the tests, or the one of `JANGBU_TEST_DATABASE_URL`, with the
//! embedded search engine.

#[allow(dead_code, reason = "not every benchmark orders something")]
pub mod shoppers;

use std::time::Duration;

use api::app::{AppBuilder, AppState};
use api::serve::{Duty, serve};
use api::settings::Settings;
use demo::Size;
use event_store::testing::Database;
use reqwest::Client;
use sandbox::Sandbox;
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// Any error.
pub type Anything = Box<dyn std::error::Error + Send + Sync>;

/// The shop.
pub struct BenchServer {
    /// The application, for operations without an endpoint.
    pub app: AppState,
    /// Its URL.
    pub url: String,
    /// URL of its payment sandbox.
    #[allow(dead_code, reason = "not every benchmark pays")]
    pub sandbox: String,
    /// An HTTP client.
    pub client: Client,
    stopping: CancellationToken,
    serving: JoinHandle<anyhow::Result<()>>,
    _database: Database,
    _folder: TempDir,
}

impl BenchServer {
    /// Starts an empty shop, and waits until it is ready.
    #[allow(dead_code, reason = "each benchmark starts one of the two")]
    pub async fn start() -> Result<Self, Anything> {
        Self::filled(false).await
    }

    /// Starts the small demonstration, and waits until it is ready.
    #[allow(dead_code, reason = "each benchmark starts one of the two")]
    pub async fn demonstration() -> Result<Self, Anything> {
        Self::filled(true).await
    }

    async fn filled(demonstration: bool) -> Result<Self, Anything> {
        let folder = tempfile::tempdir()?;
        let set = |name: &str, value: String| (name.to_owned(), value);
        let stopping = CancellationToken::new();
        let pay = TcpListener::bind("127.0.0.1:0").await?;
        let sandbox = format!("http://{}", pay.local_addr()?);
        let settings = Settings::read(
            None,
            &[
                set("JANGBU_DATA_FOLDER", folder.path().display().to_string()),
                set("JANGBU_LIMITS_BURST", "1000000".to_owned()),
                set("JANGBU_LIMITS_CONNECTIONS", "1000000".to_owned()),
                set("JANGBU_PAYMENT_BASE_URL", sandbox.clone()),
                set("JANGBU_PAYMENT_SCRIPT_URL", format!("{sandbox}/v1/js/")),
            ],
        )?;
        let service = Sandbox::open(settings.sandbox_options())?;
        tokio::spawn(service.serve(pay, stopping.clone().cancelled_owned()));
        let database = Database::create().await;
        if demonstration {
            let seeded = api::seed::seed(Size::Small, &settings, database.url(), |_| {}).await;
            seeded.map_err(|error| format!("{error:?}"))?;
        }
        let app = AppBuilder::new(settings, database.url()).build().await?;
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let url = format!("http://{}", listener.local_addr()?);
        let serving = tokio::spawn(serve(
            app.clone(),
            listener,
            Duty::RequestsAndWork,
            stopping.clone().cancelled_owned(),
        ));
        let client = Client::new();
        let ready = format!("{url}/ready");
        while !client.get(&ready).send().await?.status().is_success() {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        Ok(Self {
            app,
            url,
            sandbox,
            client,
            stopping,
            serving,
            _database: database,
            _folder: folder,
        })
    }

    /// Stops the shop.
    pub async fn stop(self) -> Result<(), Anything> {
        self.stopping.cancel();
        self.serving.await?.map_err(|error| format!("{error:?}"))?;
        Ok(())
    }
}
