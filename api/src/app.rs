//! The state that handlers use, built once: by `serve`, by `seed` and by the tests.

use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::Context as _;
use application::AppSettings;
use application::alarm_hub::AlarmHub;
use application::clock::{Clock, SystemClock};
use domain::upcasting::UPCASTERS;
use event_store::{KeyRing, MasterKey, Store, StoreOptions, UpcastEvent, Upcasters};
use integrations::mail::smtp::SmtpClient;
use integrations::payment::PaymentGateway;
use integrations::payment::nice::NiceClient;
use integrations::recaptcha::{RecaptchaClient, RecaptchaConfig};
use integrations::sms::SmsGateway;
use integrations::sms::solapi::SolapiClient;
use search_index::{EmbeddedEngine, Engine, Meilisearch};
use tokio::sync::Mutex;
use tokio::time::Instant;

use crate::limits::Limits;
use crate::settings::keys::Keys;
use crate::settings::{Settings, is_local};
use crate::tokens::Tokens;

/// The application; cheap to clone.
#[derive(Clone)]
pub struct AppState(Arc<App>);

/// The parts of the application state.
pub struct App {
    application: Arc<application::App>,
    /// Signs and verifies tokens.
    pub tokens: Tokens,
    /// Rate limits.
    pub limits: Limits,
    /// The check against programs; none if it is off.
    pub recaptcha: Option<RecaptchaClient>,
    /// The open alarm streams.
    pub alarm_hub: AlarmHub,
    /// Whether the database is read-only.
    pub standby: Standby,
    /// Whether the database accepts writes.
    pub writable: Writable,
    /// The settings.
    pub settings: Arc<Settings>,
}

/// Whether the database is a standby, as last seen by this process.
#[derive(Debug, Default)]
pub struct Standby(AtomicBool);

impl Standby {
    /// Whether it is a standby.
    pub fn is(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// How long the result of a write test is cached.
const BELIEVED: Duration = Duration::from_secs(2);

/// Whether the database accepts writes, cached so that frequent callers rarely test it.
#[derive(Debug, Default)]
pub struct Writable(Mutex<Option<(Instant, bool)>>);

impl Writable {
    /// Whether it accepts writes. Concurrent callers wait for the running test.
    pub(crate) async fn of(&self, store: &Store) -> bool {
        let mut found = self.0.lock().await;
        if let Some((at, writable)) = *found
            && at.elapsed() < BELIEVED
        {
            return writable;
        }
        let writable = store.takes_writes().await;
        *found = Some((Instant::now(), writable));
        writable
    }
}

impl App {
    /// The dependencies of use cases, for work that outlives a request.
    pub fn application(&self) -> Arc<application::App> {
        Arc::clone(&self.application)
    }

    /// Returns when the database accepts writes: immediately, or after the standby is promoted. The tables are up to date then.
    ///
    /// # Errors
    /// Database errors, if the tables cannot be migrated.
    pub async fn promoted(&self) -> anyhow::Result<()> {
        if !self.standby.is() {
            return Ok(());
        }
        tracing::info!(
            "the database is a standby: requests that write are refused, and nothing is done in the background"
        );
        // A database that does not answer is queried again.
        while self.store.is_standby().await.unwrap_or(true) {
            tokio::time::sleep(UNTIL_PROMOTED).await;
        }
        migrate(&self.store).await?;
        self.standby.0.store(false, Ordering::Relaxed);
        tracing::info!("the standby was promoted: the shop goes on");
        Ok(())
    }
}

/// Interval between queries whether the database is still a standby.
const UNTIL_PROMOTED: Duration = Duration::from_millis(500);

impl Deref for App {
    type Target = application::App;

    fn deref(&self) -> &application::App {
        &self.application
    }
}

impl Deref for AppState {
    type Target = App;

    fn deref(&self) -> &App {
        &self.0
    }
}

/// Builds the application.
pub struct AppBuilder {
    settings: Settings,
    database: String,
    options: StoreOptions,
    clock: Arc<dyn Clock>,
    search: Option<Arc<dyn Engine>>,
    gateway: Option<Arc<dyn PaymentGateway>>,
}

impl AppBuilder {
    /// A builder with these settings and this database.
    pub fn new(settings: Settings, database: impl Into<String>) -> Self {
        Self {
            settings,
            database: database.into(),
            options: StoreOptions::default(),
            clock: Arc::new(SystemClock),
            search: None,
            gateway: None,
        }
    }

    /// Uses another clock.
    #[must_use]
    pub fn clock(mut self, clock: Arc<dyn Clock>) -> Self {
        self.clock = clock;
        self
    }

    /// Uses another search engine than the configured one.
    #[must_use]
    pub fn search(mut self, search: Arc<dyn Engine>) -> Self {
        self.search = Some(search);
        self
    }

    /// Uses an engine that finds nothing, for a process that never searches.
    ///
    /// # Errors
    /// Not enough memory.
    #[must_use]
    pub fn without_search(self) -> Self {
        match EmbeddedEngine::in_memory() {
            Ok(nothing) => self.search(Arc::new(nothing)),
            Err(_) => self,
        }
    }

    /// Uses another payment gateway than the configured one.
    #[must_use]
    pub fn gateway(mut self, gateway: Arc<dyn PaymentGateway>) -> Self {
        self.gateway = Some(gateway);
        self
    }

    /// Limits the number of connections.
    #[must_use]
    pub fn connections(mut self, most: u32) -> Self {
        self.options.max_connections = most;
        self
    }

    /// Connects and migrates the tables, unless the database is a standby, whose tables are migrated by its primary.
    ///
    /// # Errors
    /// The database, the keys or the search engine are not available.
    pub async fn build(mut self) -> anyhow::Result<AppState> {
        let store = Store::connect(&self.database, self.options.clone())
            .await
            .context("the database")?;
        let store = in_our_words(store).with_snapshots(domain::SCHEMA_FINGERPRINT);
        let standby = store.is_standby().await?;
        if !standby {
            migrate(&store).await?;
        }
        let keys = keys(&store, &self.settings).await?;
        self.search = match self.search {
            Some(search) => Some(search),
            None => Some(engine(&self.settings).await.context("the search index")?),
        };
        self.assemble(store, keys, standby)
    }

    /// Builds it without accessing the database, which is still empty: used to list the followers of its log.
    ///
    /// # Errors
    /// The keys of the shop are not available.
    pub fn over(self, store: Store) -> anyhow::Result<AppState> {
        let master = MasterKey::from_bytes(self.settings.keys()?.master_key);
        let keys = KeyRing::new(store.pool().clone(), master);
        self.without_search().assemble(store, keys, false)
    }

    fn assemble(self, store: Store, keys: KeyRing, standby: bool) -> anyhow::Result<AppState> {
        let Keys { token_key, .. } = self.settings.keys()?;
        let gateway = match self.gateway {
            Some(gateway) => gateway,
            None => Arc::new(NiceClient::new(self.settings.nice_config())?),
        };
        let mailer = Arc::new(SmtpClient::new(self.settings.mail.clone())?);
        let sms = sms(&self.settings)?;
        let search = self.search.context("no search engine")?;
        let settings = AppSettings {
            orders: self.settings.orders.clone(),
            currency: self.settings.currency,
            public_url: self.settings.server.public_url.clone(),
            order_mails: self.settings.order_mails,
            order_texts: self.settings.sms.templates.clone(),
            text_sender: self
                .settings
                .sms
                .gateway
                .as_ref()
                .map(|one| one.sender.clone()),
            refusal_number: self.settings.sms.refusal_number.clone(),
            email_confirmations: self.settings.email_confirmations,
            search_target: self.settings.search_target(),
            data_folder: self.settings.data_folder.clone(),
            max_uploaded_bytes: self.settings.limits.uploaded_bytes,
            poll: self.settings.worker.poll,
        };
        let application =
            application::App::new(store, keys, self.clock, search, gateway, mailer, settings)
                .with_sms(sms);
        Ok(AppState(Arc::new(App {
            application: Arc::new(application),
            tokens: Tokens::new(&token_key),
            limits: Limits::new(&self.settings)?,
            recaptcha: recaptcha(&self.settings)?,
            alarm_hub: AlarmHub::default(),
            standby: Standby(AtomicBool::new(standby)),
            writable: Writable::default(),
            settings: Arc::new(self.settings),
        })))
    }
}

/// The store with this program's upcasters: old events are upcast, and an unknown event is an error, never skipped.
pub fn in_our_words(store: Store) -> Store {
    // Snapshots need not depend on the upcasters' code: `domain::RULES` fingerprints all rules, including these.
    let knowing = Upcasters::new().knowing(domain::registry::knows);
    let upcasters = UPCASTERS.iter().fold(knowing, |known, old| {
        known.with(old.event_type, old.version, |payload| {
            vec![UpcastEvent::new(
                old.event_type,
                old.next,
                old.read(payload),
            )]
        })
    });
    store.with_upcasters(upcasters)
}

/// The key ring of personal data.
///
/// # Errors
/// The master key is not available.
pub(crate) async fn keys(store: &Store, settings: &Settings) -> anyhow::Result<KeyRing> {
    let master = MasterKey::from_bytes(settings.keys()?.master_key);
    KeyRing::load(store.pool().clone(), master)
        .await
        .context("the keys of personal data")
}

/// The configured search engine. A search server need not be running yet; the folder of the embedded engine must not be in use.
///
/// # Errors
/// The folder is not accessible, or in use by another process.
pub(crate) async fn engine(settings: &Settings) -> Result<Arc<dyn Engine>, search_index::Error> {
    let search = &settings.search;
    let engine: Arc<dyn Engine> = match &search.meilisearch_url {
        Some(url) => {
            let key = search.meilisearch_key.as_deref();
            Arc::new(Meilisearch::new(url, key, &search.meilisearch_index)?)
        }
        None => Arc::new(EmbeddedEngine::open(settings.search_folder()).await?),
    };
    Ok(engine)
}

/// Migrates the tables of the log and of the working state; the runner creates those of the read models.
///
/// # Errors
/// Database errors.
pub(crate) async fn migrate(store: &Store) -> anyhow::Result<()> {
    store.migrate().await.context("the tables of the log")?;
    projections::state::migrate(store.pool())
        .await
        .context("the tables of the working state")
}

/// The client of the gateway of texts, if the shop sends any.
fn sms(settings: &Settings) -> anyhow::Result<Option<Arc<dyn SmsGateway>>> {
    let gateway = settings.sms.gateway.clone();
    let client = gateway.map(SolapiClient::new).transpose()?;
    Ok(client.map(|client| -> Arc<dyn SmsGateway> { Arc::new(client) }))
}

/// The client of reCAPTCHA, if a site key is set.
fn recaptcha(settings: &Settings) -> anyhow::Result<Option<RecaptchaClient>> {
    let client = settings.recaptcha.as_ref().map(|set| {
        RecaptchaClient::new(RecaptchaConfig {
            verify_url: set.verify_url.clone(),
            secret: set.secret_key.clone(),
            timeout: set.timeout,
            bypass_proxy: is_local(&set.verify_url),
        })
    });
    Ok(client.transpose()?)
}
