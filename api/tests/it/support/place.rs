//! Settings and folder of a shop, without its server.

use std::sync::Arc;

use api::app::{AppBuilder, AppState};
use api::serve::{Duty, serve};
use api::settings::Settings;
use api::worker::work;
use application::clock::MovedClock;
use reqwest::Client;
use sandbox::Sandbox;
use search_index::EmbeddedEngine;
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::sync::Mutex;
use tokio_util::sync::CancellationToken;

use crate::support::TestApp;
use crate::support::background::{Pace, Running};

/// Starts a shop's worker.
pub(super) fn working(app: &AppState, database: &str, stop: CancellationToken) -> Running {
    match Pace::asked() {
        Pace::Slow => Running::held_up(app, database, stop, work),
        Pace::Fast | Pace::Usual => Running::start(app.clone(), stop, work),
    }
}

/// Settings and folder of a future shop, and its payment sandbox, which is running already.
pub struct Place {
    pub settings: Settings,
    folder: TempDir,
    sandbox: String,
    stopping: CancellationToken,
}

impl Place {
    /// With these settings.
    pub async fn with(settings: &[(&str, &str)]) -> Self {
        Self::within(settings, tempfile::tempdir().unwrap()).await
    }

    pub(super) async fn within(settings: &[(&str, &str)], folder: TempDir) -> Self {
        let stopping = CancellationToken::new();
        let pay = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let sandbox_url = format!("http://{}", pay.local_addr().unwrap());
        let mail = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let many = "1000000".to_owned();
        let none = "0".to_owned();
        let mut environment: Vec<(String, String)> = [
            ("JANGBU_DATA_FOLDER", folder.path().display().to_string()),
            ("JANGBU_PAYMENT_BASE_URL", sandbox_url.clone()),
            (
                "JANGBU_SANDBOX_SMTP_ADDRESS",
                mail.local_addr().unwrap().to_string(),
            ),
            // Messages are events that follow on their own: most tests count what requests write.
            ("JANGBU_MAIL_ORDERS", "false".to_owned()),
            ("JANGBU_MAIL_CONFIRMATIONS", "false".to_owned()),
            ("JANGBU_PAYMENT_SCRIPT_URL", format!("{sandbox_url}/v1/js/")),
            ("JANGBU_SMS_BASE_URL", sandbox_url.clone()),
            (
                "JANGBU_RECAPTCHA_BASE_URL",
                format!("{sandbox_url}/recaptcha"),
            ),
            ("JANGBU_LIMITS_REQUESTS_PER_SECOND", many.clone()),
            ("JANGBU_LIMITS_BURST", many.clone()),
            ("JANGBU_LIMITS_GUESSES_PER_MINUTE", many.clone()),
            ("JANGBU_LIMITS_CONNECTIONS", many.clone()),
            ("JANGBU_LIMITS_SUBMISSIONS_BURST", many.clone()),
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
        sandbox.take_mail(mail);
        tokio::spawn(sandbox.serve(pay, stopping.clone().cancelled_owned()));

        Self {
            settings,
            folder,
            sandbox: sandbox_url,
            stopping,
        }
    }

    /// With the secrets of another shop.
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

    /// Opens the shop, on an existing database.
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
            builder = builder.search(Arc::new(EmbeddedEngine::in_memory().unwrap()));
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
