//! The Jangbu payment sandbox: a process of its own that speaks the payment service's protocol (NICE v1) and moves no
//! money. It says so on every page and in every answer, keeps its own books on disk, and can be told to misbehave.
//!
//! `protocol.rs` is what the real service has too; `window.rs` the payment page people see; `control.rs` what only a
//! sandbox has (`/sandbox/...`): authenticating without a browser, faults, the clock, the list of all charges.

mod book;
mod control;
mod desk;
mod faults;
mod journal;
mod notices;
mod protocol;
mod window;

use std::future::Future;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::http::{HeaderValue, header};
use tokio::net::TcpListener;
use tower_http::set_header::SetResponseHeaderLayer;

use crate::integrations::payment::sign::SecretKey;
use crate::integrations::payment::units::Currency;
use crate::settings::Settings;

use desk::Desk;

/// What it calls itself everywhere.
pub const NAME: &str = "Jangbu payment sandbox";

/// What a sandbox needs to know.
#[derive(Clone, Debug)]
pub struct Options {
    /// The file of its charges.
    pub file: PathBuf,
    /// The shop's name at the service.
    pub client_key: String,
    /// The shop's secret at the service.
    pub secret: SecretKey,
    /// The currency of its amounts.
    pub currency: Currency,
    /// Where notices go from the start, if anywhere.
    pub notice_url: Option<String>,
}

impl Options {
    /// What the settings say.
    pub fn of(settings: &Settings) -> Self {
        Self {
            file: settings.sandbox.file.clone(),
            client_key: settings.payment.client_key.clone(),
            secret: SecretKey::new(settings.payment.secret_key.clone()),
            currency: settings.currency,
            notice_url: settings.sandbox.notice_url.clone(),
        }
    }
}

/// A sandbox with its book open.
#[derive(Debug)]
pub struct Sandbox(Arc<Desk>);

impl Sandbox {
    /// Opens its book: charges of earlier runs are there from the start, and notices they still owe are sent. Call it on
    /// a runtime.
    ///
    /// # Errors
    /// When the file of charges cannot be read or is in use by another sandbox.
    pub fn open(options: Options) -> io::Result<Self> {
        Desk::open(options).map(Self)
    }

    /// Serves at `listener` until `shutdown`.
    ///
    /// # Errors
    /// When listening fails.
    pub async fn serve(
        self,
        listener: TcpListener,
        shutdown: impl Future<Output = ()> + Send + 'static,
    ) -> io::Result<()> {
        let (down, mut is_down) = tokio::sync::watch::channel(false);
        let serving = axum::serve(listener, router(self.0)).with_graceful_shutdown(async move {
            shutdown.await;
            let _ = down.send(true);
        });
        // calls that were told to hang would hold the door open for ever
        let patience = async {
            let _ = is_down.wait_for(|down| *down).await;
            tokio::time::sleep(Duration::from_secs(1)).await;
        };
        tokio::select! {
            result = serving => result,
            () = patience => Ok(()),
        }
    }
}

fn router(desk: Arc<Desk>) -> Router {
    Router::new()
        .merge(protocol::routes())
        .merge(window::routes())
        .merge(control::routes())
        .with_state(desk)
        .layer(SetResponseHeaderLayer::overriding(
            header::SERVER,
            HeaderValue::from_static(NAME),
        ))
}
