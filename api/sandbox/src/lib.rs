//! Servers that simulate external services: the payment service, which implements NICE v1 and moves no money, a mail server, which
//! speaks SMTP, and a gateway of texts to phones, which speaks SOLAPI v4; both deliver nothing.
//!
//! It identifies itself as a sandbox on every page and in every answer, stores its state in its own file, and can inject faults. Run it as
//! a separate process: one that dies with the shop proves nothing about lost answers.
//!
//! | module | what |
//! |---|---|
//! | `protocol.rs` | routes the real service has: approve, query, cancel, net cancel, compare an amount |
//! | `pay_page.rs` | the payment window that buyers see, and the return to the shop |
//! | `control.rs` | routes that only the sandbox has (`/sandbox/...`): paying without a browser, faults, clock, list of charges |
//! | `mail/` | the mail server: SMTP, its faults, and the page of received mail |
//! | `sms/` | the gateway of texts: SOLAPI v4, its rules and signatures, and the page of received texts |
//! | `recaptcha.rs` | reCAPTCHA: the script of the widget and `siteverify` |
//! | `service.rs` | shared state behind the routes: one decision at a time, journalled before it is answered |
//! | `state.rs` | charges as a fold of journal entries, and the decisions about the next entry; pure |
//! | `journal.rs`, `service/notices.rs`, `faults.rs` | the file, webhooks, fault injection |
//! | `sign.rs` | signatures, computed independently of the client |
//!
//! Of the client (crate `integrations`) it uses the constants in `payment::protocol` only; a test reads the sources for
//! that.

mod banks;
mod control;
mod faults;
mod journal;
mod mail;
mod mail_faults;
mod pay_page;
mod protocol;
mod recaptcha;
mod refusal;
mod service;
pub mod sign;
mod sms;
mod state;
mod used_signatures;
mod widget_responses;

use std::future::Future;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::http::{HeaderValue, header};
use tokio::net::TcpListener;
use tower_http::set_header::SetResponseHeaderLayer;

use service::Service;
use sign::MerchantSecret;

/// Name of the sandbox, in every answer and on every page.
pub const NAME: &str = "Jangbu payment sandbox";

/// How to run a sandbox.
#[derive(Clone, Debug)]
pub struct Options {
    /// Journal file.
    pub file: PathBuf,
    /// The merchant's id.
    pub client_key: String,
    /// The merchant's secret.
    pub secret: MerchantSecret,
    /// ISO 4217 code of the currency.
    pub currency: String,
    /// Decimals of its smallest unit; amounts are counted in those units.
    pub currency_exponent: u8,
    /// URL that notices are sent to from the start, if any.
    pub notice_url: Option<String>,
    /// The gateway of texts.
    pub sms: SmsOptions,
}

/// The shop's account at the gateway of texts.
#[derive(Clone)]
pub struct SmsOptions {
    /// Its key.
    pub api_key: String,
    /// Its secret.
    pub api_secret: String,
    /// The number it may send from; any if none is set.
    pub sender: Option<String>,
}

impl std::fmt::Debug for SmsOptions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SmsOptions(..)")
    }
}

/// A sandbox with its journal open.
#[derive(Debug)]
pub struct Sandbox(Arc<Service>);

impl Sandbox {
    /// Opens the journal: charges of earlier runs are there from the start, and their pending notices are sent. Call it on
    /// a runtime.
    ///
    /// # Errors
    /// The journal cannot be read, or another sandbox has it open.
    pub fn open(options: Options) -> io::Result<Self> {
        Service::open(options).map(Self)
    }

    /// Takes mail over SMTP on `listener` from now on, as long as the runtime lives.
    pub fn take_mail(&self, listener: TcpListener) {
        tokio::spawn(mail::take(Arc::clone(&self.0), listener));
    }

    /// Serves on `listener` until `shutdown`.
    ///
    /// # Errors
    /// Accepting connections fails.
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
        // Calls that hang because of a fault rule would prevent the server from shutting down.
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

fn router(service: Arc<Service>) -> Router {
    Router::new()
        .merge(protocol::routes())
        .merge(pay_page::routes())
        .merge(control::routes())
        .merge(mail::routes())
        .merge(sms::routes())
        .merge(recaptcha::routes())
        .with_state(service)
        .layer(SetResponseHeaderLayer::overriding(
            header::SERVER,
            HeaderValue::from_static(NAME),
        ))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use std::fs;
    use std::path::Path;

    /// A shared function (signing, conversion) would repeat a fault of the client on this side.
    #[test]
    fn only_constants_are_shared_with_the_client() {
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let shared = ["integrations", "::"].concat();
        let allowed = format!("{shared}payment::protocol::");
        let mut uses = 0;
        for entry in fs::read_dir(sources).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_none_or(|extension| extension != "rs") {
                continue;
            }
            for line in fs::read_to_string(&path).unwrap().lines() {
                if line.contains(&shared) {
                    assert!(line.contains(&allowed), "{}: {line}", path.display());
                    uses += 1;
                }
            }
        }
        assert!(uses > 0, "the constants are shared");
    }
}
