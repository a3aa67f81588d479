//! The settings of a shop: one documented file with defaults, overridable by the owner's file and by the environment.
//!
//! `jangbu.default.toml` lists all settings with explanations; it is compiled in. A test fails for a setting that this module does not
//! read, or that the file does not explain.

mod bounces;
mod draft;
pub mod keys;
mod sms;

use application::app::{OrderSettings, UnpaidLimit};
use std::fmt;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use domain::Amount;
use event_store::PublicKey;

use draft::Draft;
use integrations::mail::smtp::{SmtpConfig, Tls};
use integrations::payment::nice::NiceConfig;
use integrations::payment::sign::SecretKey;
use integrations::payment::units::Currency;
use sandbox::sign::MerchantSecret;

pub use bounces::BounceSecret;
pub use sms::SmsSettings;

/// Every setting with its default and its explanation.
const DEFAULTS: &str = include_str!("../../jangbu.default.toml");

/// Prefix of the sandbox's own keys, which distinguishes them from real ones.
const SANDBOX_CLIENT_KEY: &str = "S2_sandbox-client-key-not-real";
/// The default secret of reCAPTCHA: the sandbox's.
const SANDBOX_RECAPTCHA_SECRET: &str = "sandbox-recaptcha-secret-not-real";

/// All settings, parsed and validated.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Where the shop listens.
    pub server: Server,
    /// The folder of everything the program keeps on disk.
    pub data_folder: PathBuf,
    /// The Postgres to use.
    pub database: Database,
    /// Configured keys; [`Settings::keys`] generates the missing ones.
    pub secrets: Secrets,
    /// The payment gateway.
    pub payment: Payment,
    /// The server that sends mail.
    pub mail: SmtpConfig,
    /// Whether buyers get mail about their orders.
    pub order_mails: bool,
    /// Texts to phones.
    pub sms: SmsSettings,
    /// The secret with which the relay reports mail that it could not deliver; none: it reports none.
    pub bounce_secret: Option<BounceSecret>,
    /// Whether new e-mail addresses of members get a link that confirms them.
    pub email_confirmations: bool,
    /// reCAPTCHA; none if it is off.
    pub recaptcha: Option<Recaptcha>,
    /// The sandbox of outside services.
    pub sandbox: Sandbox,
    /// The search engine.
    pub search: Search,
    /// The background work.
    pub worker: Worker,
    /// Limits per client.
    pub limits: Limits,
    /// The currency of payments at the gateway.
    pub currency: Currency,
    /// Deadlines of orders.
    pub orders: OrderSettings,
    /// Logging.
    pub log: Log,
}

/// Section `server`.
#[derive(Clone, Debug)]
pub struct Server {
    /// The address to listen at.
    pub address: SocketAddr,
    /// Public address of the shop, without a trailing slash.
    pub public_url: String,
    /// Whether the shop's own proxy sets `X-Forwarded-For`.
    pub behind_proxy: bool,
    /// Address of the Prometheus metrics; `None` disables them.
    pub metrics_address: Option<SocketAddr>,
    /// Maximum time for a connection to send the headers of its next request.
    pub header_timeout: Duration,
}

/// Section `database`.
#[derive(Clone, Debug)]
pub struct Database {
    /// A Postgres to use; `None` means the embedded one.
    pub url: Option<String>,
    /// Folder of the embedded Postgres' programs, if configured.
    pub bin_dir: Option<PathBuf>,
    /// Whether the embedded Postgres writes to disk before it acknowledges a commit.
    pub durable: bool,
}

/// Section `secrets`: only configured keys, see [`Settings::keys`].
#[derive(Clone)]
pub struct Secrets {
    given: keys::ConfiguredKeys,
    /// Further trusted public keys of the chain over the log: keys used before.
    pub chain_trusted: Vec<PublicKey>,
}

impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secrets(..)")
    }
}

/// Section `payment`.
#[derive(Clone)]
pub struct Payment {
    /// Base URL of the REST interface, without a trailing slash.
    pub base_url: String,
    /// The script of the payment window.
    pub script_url: String,
    /// The shop's client key at the gateway; public.
    pub client_key: String,
    /// The shop's secret key at the gateway.
    pub secret_key: String,
    /// Connect timeout.
    pub connect_timeout: Duration,
    /// Read timeout.
    pub read_timeout: Duration,
}

impl fmt::Debug for Payment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Payment")
            .field("base_url", &self.base_url)
            .field("client_key", &self.client_key)
            .finish_non_exhaustive()
    }
}

/// Section `sandbox`.
#[derive(Clone, Debug)]
pub struct Sandbox {
    /// The address to listen at.
    pub address: SocketAddr,
    /// The address to take mail at.
    pub smtp_address: SocketAddr,
    /// The file in which it stores charges.
    pub file: PathBuf,
    /// Address of its notices at the start.
    pub notice_url: Option<String>,
}

/// Section `search`.
#[derive(Clone)]
pub struct Search {
    /// A Meilisearch server; `None` means the embedded engine.
    pub meilisearch_url: Option<String>,
    /// Its key.
    pub meilisearch_key: Option<String>,
    /// Name of the index on the server.
    pub meilisearch_index: String,
}

impl fmt::Debug for Search {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Search")
            .field("meilisearch_url", &self.meilisearch_url)
            .finish_non_exhaustive()
    }
}

/// Section `worker`.
#[derive(Clone, Debug)]
pub struct Worker {
    /// Whether `serve` also runs the worker's work.
    pub inside_serve: bool,
    /// Longest sleep without a wake-up.
    pub poll: Duration,
}

/// Section `recaptcha`.
#[derive(Clone)]
pub struct Recaptcha {
    /// The shop's public key.
    pub site_key: String,
    /// The shop's secret at the service.
    pub secret_key: String,
    /// Address of `siteverify`.
    pub verify_url: String,
    /// Script of the widget.
    pub script_url: String,
    /// How long the service may take.
    pub timeout: Duration,
}

impl std::fmt::Debug for Recaptcha {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Recaptcha")
            .field("verify_url", &self.verify_url)
            .finish_non_exhaustive()
    }
}

/// Section `limits`.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Maximum body size of ordinary requests.
    pub body_bytes: usize,
    /// Maximum body size of uploads.
    pub upload_bytes: usize,
    /// Maximum number of open connections of a client address.
    pub connections: usize,
    /// Long-term rate of requests of a client address.
    pub requests_per_second: u32,
    /// Burst size of its requests.
    pub burst: u32,
    /// Rate per minute for requests where secrets could be guessed.
    pub guesses_per_minute: u32,
    /// Burst size of these requests.
    pub guesses_burst: u32,
    /// Rate per hour of what a client address writes to the shop without an account.
    pub submissions_per_hour: u32,
    /// Burst size of these.
    pub submissions_burst: u32,
    /// Uploads of a member per minute.
    pub uploads_per_minute: u32,
    /// Maximum size of all files of a member in bytes.
    pub uploaded_bytes: i64,
}

/// Section `log`.
#[derive(Clone, Debug)]
pub struct Log {
    /// Format of the lines.
    pub format: LogFormat,
    /// Filter of tracing.
    pub level: String,
}

/// Format of log lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogFormat {
    /// For people.
    Text,
    /// For machines.
    Json,
}

/// An invalid setting.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    /// The settings file cannot be read.
    #[error("cannot read the settings file {file}: {why}")]
    Unreadable {
        /// Its path.
        file: String,
        /// Error of the system.
        why: String,
    },
    /// The settings file is not TOML.
    #[error("{file} is not valid TOML: {why}")]
    Syntax {
        /// Its path.
        file: String,
        /// Position and error.
        why: String,
    },
    /// An unknown setting.
    #[error("{origin}: there is no setting `{key}`; jangbu.default.toml lists them all")]
    Unknown {
        /// The file or the environment variable.
        origin: String,
        /// section.key
        key: String,
    },
    /// The value is not valid for the setting.
    #[error("{origin}: `{key}` {why}")]
    Bad {
        /// The file or the environment variable.
        origin: String,
        /// section.key
        key: String,
        /// The expected value.
        why: String,
    },
    /// The generated keys cannot be stored or read.
    #[error("{file}: {why}")]
    Keys {
        /// The secrets file.
        file: String,
        /// Error of the system.
        why: String,
    },
}

impl Settings {
    /// Configuration of the gateway client. A gateway on this machine is not reached through a proxy.
    pub fn nice_config(&self) -> NiceConfig {
        NiceConfig {
            base_url: self.payment.base_url.clone(),
            client_key: self.payment.client_key.clone(),
            secret_key: SecretKey::new(self.payment.secret_key.clone()),
            currency: self.currency,
            connect_timeout: self.payment.connect_timeout,
            read_timeout: self.payment.read_timeout,
            bypass_proxy: is_local(&self.payment.base_url),
        }
    }

    /// Those of a demonstration: the shop sends texts, to the sandbox if no other gateway is configured.
    #[must_use]
    pub fn demonstrating(&self) -> Self {
        let mut settings = self.clone();
        settings.sms = settings.sms.with_sandbox(settings.sandbox.address);
        settings
    }

    /// Options of the payment sandbox.
    pub fn sandbox_options(&self) -> sandbox::Options {
        sandbox::Options {
            file: self.sandbox.file.clone(),
            client_key: self.payment.client_key.clone(),
            secret: MerchantSecret::new(self.payment.secret_key.clone()),
            currency: self.currency.code().to_owned(),
            currency_exponent: self.currency.exponent(),
            notice_url: self.sandbox.notice_url.clone(),
            sms: self.sms.sandbox(),
        }
    }

    /// The settings of this process: from `--config`, else `JANGBU_CONFIG`, else `jangbu.toml` if it exists; overridden by the environment.
    ///
    /// # Errors
    /// The first invalid setting, with its file or variable.
    pub fn of_process(config: Option<PathBuf>) -> Result<Self, SettingsError> {
        let environment = std::env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
            .collect::<Vec<_>>();
        let named = config.or_else(|| {
            let (_, file) = environment
                .iter()
                .find(|(name, _)| name == "JANGBU_CONFIG")?;
            Some(PathBuf::from(file))
        });
        let usual = PathBuf::from("jangbu.toml");
        let file = named.or_else(|| usual.exists().then_some(usual));
        Self::read(file, &environment)
    }

    /// The settings of a file and an environment.
    ///
    /// # Errors
    /// The first invalid setting, with its file or variable.
    pub fn read(
        file: Option<PathBuf>,
        environment: &[(String, String)],
    ) -> Result<Self, SettingsError> {
        let mut draft = Draft::of_defaults(DEFAULTS)?;
        if let Some(file) = file {
            draft.lay_file(&file)?;
        }
        draft.lay_environment(environment)?;
        let settings = Self::from_draft(&mut draft)?;
        draft.finish()?;
        Ok(settings)
    }

    /// The keys; missing ones are generated and stored in `secrets.toml`.
    ///
    /// # Errors
    /// That file cannot be read or written.
    pub fn keys(&self) -> Result<keys::Keys, SettingsError> {
        keys::Keys::of(self.secrets.given, &self.data_folder)
    }

    /// Whether the master key is configured, and so not stored in the data folder.
    pub fn sets_master_key(&self) -> bool {
        self.secrets.given.master_key.is_some()
    }

    /// Folder of the embedded search index.
    pub fn search_folder(&self) -> PathBuf {
        self.data_folder.join("search")
    }

    /// The search index of this shop, distinct from all others of the same database.
    pub fn search_target(&self) -> String {
        match &self.search.meilisearch_url {
            Some(url) => format!("{url} {}", self.search.meilisearch_index),
            None => {
                let folder = self.search_folder();
                let folder = std::path::absolute(&folder).unwrap_or(folder);
                folder.display().to_string()
            }
        }
    }

    fn from_draft(draft: &mut Draft) -> Result<Self, SettingsError> {
        let data_folder = draft.path("data.folder")?;
        let address = draft.parsed("sandbox.address", "an address like 127.0.0.1:4100")?;
        let sandbox = Sandbox {
            address,
            smtp_address: smtp_address(draft, address)?,
            file: data_folder.join(draft.text("sandbox.file")?),
            notice_url: draft.optional_url("sandbox.notice_url")?,
        };
        Ok(Self {
            server: Server {
                address: draft.parsed("server.address", "an address like 127.0.0.1:4000")?,
                public_url: draft.url("server.public_url")?,
                behind_proxy: draft.truth("server.behind_proxy")?,
                metrics_address: draft.optional_address("server.metrics_address")?,
                header_timeout: Duration::from_secs(
                    draft.number("server.header_seconds", 1..=3_600)?,
                ),
            },
            database: Database {
                url: draft.optional("database.url")?,
                bin_dir: draft.optional("database.bin_dir")?.map(PathBuf::from),
                durable: draft.truth("database.durable")?,
            },
            secrets: Secrets {
                given: keys::ConfiguredKeys {
                    master_key: draft.optional_key("secrets.master_key")?,
                    token_key: draft.optional_key("secrets.token_key")?,
                    chain_key: draft.optional_key("secrets.chain_key")?,
                },
                chain_trusted: chain_trusted(draft)?,
            },
            payment: payment(draft, sandbox.address)?,
            mail: mail(draft, sandbox.smtp_address)?,
            order_mails: draft.truth("mail.orders")?,
            bounce_secret: bounces::read(draft)?,
            sms: sms::read(draft, sandbox.address)?,
            email_confirmations: draft.truth("mail.confirmations")?,
            recaptcha: recaptcha(draft, sandbox.address)?,
            search: Search {
                meilisearch_url: draft.optional_url("search.meilisearch_url")?,
                meilisearch_key: draft.optional("search.meilisearch_key")?,
                meilisearch_index: index_name(draft)?,
            },
            worker: Worker {
                inside_serve: draft.truth("worker.inside_serve")?,
                poll: Duration::from_millis(draft.number("worker.poll_milliseconds", 1..=60_000)?),
            },
            limits: Limits {
                body_bytes: draft.number("limits.body_bytes", 1..=u32::MAX.into())?,
                upload_bytes: draft.number("limits.upload_bytes", 1..=u32::MAX.into())?,
                connections: draft.number("limits.connections", 1..=1_000_000)?,
                requests_per_second: draft.number("limits.requests_per_second", 1..=1_000_000)?,
                burst: draft.number("limits.burst", 1..=1_000_000)?,
                guesses_per_minute: draft.number("limits.guesses_per_minute", 1..=1_000_000)?,
                guesses_burst: draft.number("limits.guesses_burst", 1..=1_000_000)?,
                submissions_per_hour: draft.number("limits.submissions_per_hour", 1..=1_000_000)?,
                submissions_burst: draft.number("limits.submissions_burst", 1..=1_000_000)?,
                uploads_per_minute: draft.number("limits.uploads_per_minute", 1..=1_000_000)?,
                uploaded_bytes: draft.number("limits.uploaded_bytes", 0..=i64::MAX)?,
            },
            currency: currency(draft)?,
            orders: OrderSettings {
                unpaid_deadline: Duration::from_secs(
                    60 * draft.number::<u64>("orders.unpaid_deadline_minutes", 1..=525_600)?,
                ),
                deposit_hours: draft.number("orders.deposit_hours", 1..=720)?,
                auto_confirm_days: draft.number("orders.auto_confirm_days", 1..=365)?,
                guest_phone: UnpaidLimit {
                    orders: draft.number("orders.guest_unpaid_orders", 0..=1_000_000)?,
                    pieces: draft.number("orders.guest_unpaid_pieces", 0..=1_000_000)?,
                },
                guest_address: UnpaidLimit {
                    orders: draft.number("orders.guest_address_unpaid_orders", 0..=1_000_000)?,
                    pieces: draft.number("orders.guest_address_unpaid_pieces", 0..=1_000_000)?,
                },
            },
            log: Log {
                format: match draft.text("log.format")?.as_str() {
                    "text" => LogFormat::Text,
                    "json" => LogFormat::Json,
                    _ => return Err(draft.bad("log.format", "must be \"text\" or \"json\"")),
                },
                level: draft.text("log.level")?,
            },
            data_folder,
            sandbox,
        })
    }
}

fn payment(draft: &mut Draft, sandbox: SocketAddr) -> Result<Payment, SettingsError> {
    let base_url = draft.optional_url("payment.base_url")?;
    let client_key = draft.text("payment.client_key")?;
    if client_key == SANDBOX_CLIENT_KEY && base_url.as_ref().is_some_and(|url| !is_local(url)) {
        return Err(draft.bad(
            "payment.client_key",
            "is still the sandbox's, but payment.base_url is another machine; set the service's own keys",
        ));
    }
    Ok(Payment {
        base_url: base_url.unwrap_or_else(|| format!("http://{sandbox}")),
        script_url: draft
            .optional("payment.script_url")?
            .unwrap_or_else(|| format!("http://{sandbox}/v1/js/")),
        client_key,
        secret_key: draft.text("payment.secret_key")?,
        connect_timeout: Duration::from_secs(
            draft.number("payment.connect_timeout_seconds", 1..=600)?,
        ),
        read_timeout: Duration::from_secs(draft.number("payment.read_timeout_seconds", 1..=600)?),
    })
}

/// The mail server: the configured one, or the sandbox.
fn mail(draft: &mut Draft, sandbox: SocketAddr) -> Result<SmtpConfig, SettingsError> {
    let host = draft.optional("mail.host")?;
    let port = draft.number("mail.port", 1..=65_535)?;
    let tls = match draft.text("mail.tls")?.as_str() {
        "none" => Tls::None,
        "starttls" => Tls::StartTls,
        "implicit" => Tls::Implicit,
        _ => {
            let why = "must be \"starttls\", \"implicit\" or \"none\"";
            return Err(draft.bad("mail.tls", why));
        }
    };
    let user = draft.optional("mail.user")?;
    let password = draft.optional("mail.password")?;
    let from = draft.text("mail.from")?;
    let timeout = Duration::from_secs(draft.number("mail.timeout_seconds", 1..=120)?);
    let Some(host) = host else {
        return Ok(SmtpConfig {
            host: sandbox.ip().to_string(),
            port: sandbox.port(),
            tls: Tls::None,
            credentials: None,
            from,
            timeout,
        });
    };
    if tls == Tls::None && !is_local(&host) {
        let why = "must not be \"none\" for another machine: mail and password would travel in plain text";
        return Err(draft.bad("mail.tls", why));
    }
    let credentials = match (user, password) {
        (Some(user), Some(password)) => Some((user, password)),
        (None, None) => None,
        _ => return Err(draft.bad("mail.password", "needs mail.user, and the other way round")),
    };
    Ok(SmtpConfig {
        host,
        port,
        tls,
        credentials,
        from,
        timeout,
    })
}

/// reCAPTCHA: the configured service, or the sandbox; off without a site key.
fn recaptcha(draft: &mut Draft, sandbox: SocketAddr) -> Result<Option<Recaptcha>, SettingsError> {
    let site_key = draft.optional("recaptcha.site_key")?;
    let secret_key = draft.text("recaptcha.secret_key")?;
    let base_url = draft.optional_url("recaptcha.base_url")?;
    let timeout = Duration::from_secs(draft.number("recaptcha.timeout_seconds", 1..=30)?);
    if site_key.is_some()
        && secret_key == SANDBOX_RECAPTCHA_SECRET
        && base_url.as_ref().is_some_and(|url| !is_local(url))
    {
        let why = "is still the sandbox's, but recaptcha.base_url is another machine; set the service's own keys";
        return Err(draft.bad("recaptcha.secret_key", why));
    }
    let base_url = base_url.unwrap_or_else(|| format!("http://{sandbox}/recaptcha"));
    Ok(site_key.map(|site_key| Recaptcha {
        script_url: format!("{base_url}/api.js?render={site_key}"),
        verify_url: format!("{base_url}/api/siteverify"),
        site_key,
        secret_key,
        timeout,
    }))
}

/// The address of the sandbox's mail server: the port after that of its other services, unless configured.
fn smtp_address(draft: &mut Draft, sandbox: SocketAddr) -> Result<SocketAddr, SettingsError> {
    const KEY: &str = "sandbox.smtp_address";
    match draft.optional(KEY)? {
        Some(text) => text
            .parse()
            .map_err(|_| draft.bad(KEY, "must be an address like 127.0.0.1:4101")),
        None => {
            let port = match sandbox.port() {
                0 => 0,
                port => port.saturating_add(1),
            };
            Ok(SocketAddr::new(sandbox.ip(), port))
        }
    }
}

/// A valid index name of Meilisearch.
fn index_name(draft: &mut Draft) -> Result<String, SettingsError> {
    let name = draft.text("search.meilisearch_index")?;
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if (1..=100).contains(&name.len()) && name.chars().all(fits) {
        return Ok(name);
    }
    let why = "must be 1 to 100 letters, digits, hyphens and underscores";
    Err(draft.bad("search.meilisearch_index", why))
}

/// Public keys, separated by commas.
fn chain_trusted(draft: &mut Draft) -> Result<Vec<PublicKey>, SettingsError> {
    const KEY: &str = "secrets.chain_trusted";
    let keys = draft.optional(KEY)?.unwrap_or_default();
    keys.split(',')
        .filter(|key| !key.trim().is_empty())
        .map(|key| {
            key.parse().map_err(|_| {
                draft.bad(KEY, "must be public keys of the chain, with commas between")
            })
        })
        .collect()
}

fn currency(draft: &mut Draft) -> Result<Currency, SettingsError> {
    let code = draft.text("currency.code")?;
    let exponent = draft.number("currency.exponent", 0..=4)?;
    let step = draft.number("currency.step", 1..=1_000_000)?;
    Currency::new(&code, exponent, Amount::new(step))
        .map_err(|error| draft.bad("currency.code", &error.to_string()))
}

/// Whether an address is on this machine.
pub(crate) fn is_local(url: &str) -> bool {
    let host = url.split("://").nth(1).unwrap_or(url);
    host.starts_with("127.") || host.starts_with("localhost") || host.starts_with("[::1]")
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests;
