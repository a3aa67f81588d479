//! The settings of a shop: one documented file, overridable by a file of one's own and by the environment.
//!
//! `jangbu.default.toml` is the list of what can be set, with the explanations; it is compiled in. A setting this
//! module does not read, or a setting the file does not explain, fails a test.

mod draft;
pub mod keys;

use application::app::{OrderSettings, UnpaidLimit};
use std::fmt;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use domain::Amount;
use event_store::PublicKey;

use draft::Draft;
use integrations::payment::nice::NiceConfig;
use integrations::payment::sign::SecretKey;
use integrations::payment::units::Currency;
use sandbox::sign::MerchantSecret;

/// Every setting with its default and its explanation.
const DEFAULTS: &str = include_str!("../../jangbu.default.toml");

/// The sandbox's own keys start with this, so that they can be told from real ones.
const SANDBOX_CLIENT_KEY: &str = "S2_sandbox-client-key-not-real";

/// All settings, read and checked.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Where the shop listens.
    pub server: Server,
    /// The folder of everything the program keeps on disk.
    pub data_folder: PathBuf,
    /// Which Postgres.
    pub database: Database,
    /// Keys that were set; [`Settings::keys`] makes the missing ones.
    pub secrets: Secrets,
    /// The payment service.
    pub payment: Payment,
    /// The sandbox that imitates it.
    pub sandbox: Sandbox,
    /// The search engine.
    pub search: Search,
    /// The background work.
    pub worker: Worker,
    /// What one client may ask for.
    pub limits: Limits,
    /// The currency the payment service is paid in.
    pub currency: Currency,
    /// Deadlines of orders.
    pub orders: OrderSettings,
    /// The log lines.
    pub log: Log,
}

/// Section `server`.
#[derive(Clone, Debug)]
pub struct Server {
    /// The address to listen at.
    pub address: SocketAddr,
    /// The address others reach the shop at, without a slash at the end.
    pub public_url: String,
    /// Whether a proxy of ours writes `X-Forwarded-For`.
    pub behind_proxy: bool,
    /// Where numbers for Prometheus are shown; `None`: nowhere.
    pub metrics_address: Option<SocketAddr>,
    /// How long a connection may take to send the headers of its next request.
    pub header_timeout: Duration,
}

/// Section `database`.
#[derive(Clone, Debug)]
pub struct Database {
    /// A Postgres to use; `None` means the embedded one.
    pub url: Option<String>,
    /// Where the embedded one's programs are, if told.
    pub bin_dir: Option<PathBuf>,
    /// Whether the embedded one writes to disk before it acknowledges.
    pub durable: bool,
}

/// Section `secrets`: only what was set, see [`Settings::keys`].
#[derive(Clone)]
pub struct Secrets {
    given: keys::ConfiguredKeys,
    /// Whose signatures on the chain over the log count besides our own: keys used before.
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
    /// Address of the REST interface, without a slash at the end.
    pub base_url: String,
    /// The script of the payment window.
    pub script_url: String,
    /// The shop's name at the service; public.
    pub client_key: String,
    /// The shop's secret at the service.
    pub secret_key: String,
    /// How long to wait for a connection.
    pub connect_timeout: Duration,
    /// How long to wait for an answer.
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
    /// The file of its charges.
    pub file: PathBuf,
    /// Where it sends notices at its start.
    pub notice_url: Option<String>,
}

/// Section `search`.
#[derive(Clone)]
pub struct Search {
    /// A Meilisearch server; `None` means the engine inside the program.
    pub meilisearch_url: Option<String>,
    /// Its key.
    pub meilisearch_key: Option<String>,
    /// The name of the index there.
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
    /// Whether `serve` does the worker's work too.
    pub inside_serve: bool,
    /// The longest sleep when nothing wakes it.
    pub poll: Duration,
}

/// Section `limits`.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Largest body of an ordinary request.
    pub body_bytes: usize,
    /// Largest body of an upload.
    pub upload_bytes: usize,
    /// Connections a client address may have open at a time.
    pub connections: usize,
    /// Requests a client address may send per second in the long run.
    pub requests_per_second: u32,
    /// Requests it may send at once.
    pub burst: u32,
    /// The same per minute where somebody could guess.
    pub guesses_per_minute: u32,
    /// Guesses at once.
    pub guesses_burst: u32,
    /// Files a member may give per minute.
    pub uploads_per_minute: u32,
    /// Bytes of files a member may have with the shop.
    pub uploaded_bytes: i64,
}

/// Section `log`.
#[derive(Clone, Debug)]
pub struct Log {
    /// For whom the lines are.
    pub format: LogFormat,
    /// tracing's filter.
    pub level: String,
}

/// How log lines look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogFormat {
    /// For people.
    Text,
    /// For machines.
    Json,
}

/// A setting that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    /// The settings file cannot be read.
    #[error("cannot read the settings file {file}: {why}")]
    Unreadable {
        /// Its path.
        file: String,
        /// What the system said.
        why: String,
    },
    /// The settings file is not TOML.
    #[error("{file} is not valid TOML: {why}")]
    Syntax {
        /// Its path.
        file: String,
        /// Where and what.
        why: String,
    },
    /// There is no such setting.
    #[error("{origin}: there is no setting `{key}`; jangbu.default.toml lists them all")]
    Unknown {
        /// The file or the environment variable.
        origin: String,
        /// section.key
        key: String,
    },
    /// The value does not fit the setting.
    #[error("{origin}: `{key}` {why}")]
    Bad {
        /// The file or the environment variable.
        origin: String,
        /// section.key
        key: String,
        /// What it should be.
        why: String,
    },
    /// The generated keys cannot be kept or read.
    #[error("{file}: {why}")]
    Keys {
        /// The file of secrets.
        file: String,
        /// What the system said.
        why: String,
    },
}

impl Settings {
    /// How the payment client reaches its service. A service on this machine is not reached through a proxy.
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

    /// How to run the sandbox that imitates the payment service.
    pub fn sandbox_options(&self) -> sandbox::Options {
        sandbox::Options {
            file: self.sandbox.file.clone(),
            client_key: self.payment.client_key.clone(),
            secret: MerchantSecret::new(self.payment.secret_key.clone()),
            currency: self.currency.code().to_owned(),
            currency_exponent: self.currency.exponent(),
            notice_url: self.sandbox.notice_url.clone(),
        }
    }

    /// The settings of this process: `--config`, else `JANGBU_CONFIG`, else `jangbu.toml` if there is one; then the environment.
    ///
    /// # Errors
    /// The first setting that cannot be used, with the file or variable it came from.
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
    /// The first setting that cannot be used, with the file or variable it came from.
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

    /// The keys, made and kept in `secrets.toml` where they were not set.
    ///
    /// # Errors
    /// When that file cannot be read or written.
    pub fn keys(&self) -> Result<keys::Keys, SettingsError> {
        keys::Keys::of(self.secrets.given, &self.data_folder)
    }

    /// Whether the master key was set, and is not kept in the data folder.
    pub fn sets_master_key(&self) -> bool {
        self.secrets.given.master_key.is_some()
    }

    /// Where the search engine inside the program keeps its index.
    pub fn search_folder(&self) -> PathBuf {
        self.data_folder.join("search")
    }

    /// Which search index this shop uses, told from every other one of the same database.
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
        let sandbox = Sandbox {
            address: draft.parsed("sandbox.address", "an address like 127.0.0.1:4100")?,
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

/// A name as Meilisearch takes one.
fn index_name(draft: &mut Draft) -> Result<String, SettingsError> {
    let name = draft.text("search.meilisearch_index")?;
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if (1..=100).contains(&name.len()) && name.chars().all(fits) {
        return Ok(name);
    }
    let why = "must be 1 to 100 letters, digits, hyphens and underscores";
    Err(draft.bad("search.meilisearch_index", why))
}

/// Public keys, with commas between them.
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
