//! The dependencies of the use cases, built once.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use domain::message::Template;
use domain::{SealLabel, Sealed};
use event_store::{KeyRing, Store, WaitOutcome};
use integrations::mail::Mailer;
use integrations::payment::PaymentGateway;
use integrations::payment::units::Currency;
use integrations::sms::SmsGateway;
use projections::products::{CardReader, CardRuleCache};
use search_index::Engine;
use serde::de::DeserializeOwned;
use sqlx::PgPool;
use tokio::sync::{Semaphore, SemaphorePermit};

use crate::blob_store::BlobStore;
use crate::clock::Clock;
use crate::error::{AppError, AppResult};
use crate::executor::CommandExecutor;
use crate::nickname_index::NicknameIndex;
use crate::passwords::Passwords;
use crate::pricing_rules::PricingRuleCache;
use crate::revoked_sign_ins::RevokedSignIns;

/// Maximum number of concurrent commands that hold a connection of the pool while they use others.
const HOLDERS: usize = 4;

/// Maximum wait of a decision for the read models it depends on.
const MAX_WAIT: Duration = Duration::from_secs(5);

/// Dependencies of the use cases.
pub struct App {
    /// The event log.
    pub store: Store,
    /// Seals and opens personal data.
    pub keys: KeyRing,
    /// The shop's clock, the only one that rules use.
    pub clock: Arc<dyn Clock>,
    /// Executes commands.
    pub executor: CommandExecutor,
    /// The search engine.
    pub search: Arc<dyn Engine>,
    /// The payment gateway.
    pub gateway: Arc<dyn PaymentGateway>,
    /// Sends mail.
    pub mailer: Arc<dyn Mailer>,
    /// Sends texts to phones; none if the shop sends none.
    pub sms: Option<Arc<dyn SmsGateway>>,
    /// The records that prices depend on.
    pub pricing_rules: PricingRuleCache,
    /// What the cards of products depend on.
    pub card_rules: CardRuleCache,
    /// Hashes and verifies passwords.
    pub passwords: Passwords,
    /// The sign-ins whose access tokens are refused.
    pub revoked_sign_ins: RevokedSignIns,
    /// The uploaded files on disk.
    pub blobs: BlobStore,
    /// Finds members by nickname.
    pub nickname_index: NicknameIndex,
    /// The settings.
    pub settings: AppSettings,
    holders: Semaphore,
}

/// The settings that use cases depend on.
#[derive(Clone, Debug)]
pub struct AppSettings {
    /// Orders.
    pub orders: OrderSettings,
    /// The currency of all amounts.
    pub currency: Currency,
    /// Address of the shop, without a slash at the end.
    pub public_url: String,
    /// Whether buyers get mail about their orders.
    pub order_mails: bool,
    /// What buyers are told by text about their orders.
    pub order_texts: Vec<Template>,
    /// The number that texts come from; none if the shop sends none.
    pub text_sender: Option<String>,
    /// The free number at which advertising by text is refused; none if the shop sends no such texts.
    pub refusal_number: Option<String>,
    /// Whether new e-mail addresses of members get a link that confirms them.
    pub email_confirmations: bool,
    /// The search index this shop uses, distinct from every other one of the same database.
    pub search_target: String,
    /// The folder of everything the program keeps on disk.
    pub data_folder: PathBuf,
    /// Maximum size of all files of a member, in bytes.
    pub max_uploaded_bytes: i64,
    /// Longest sleep of a follower without a wake-up.
    pub poll: Duration,
}

/// Section `orders` of the settings.
#[derive(Clone, Debug)]
pub struct OrderSettings {
    /// How long an order may stay unpaid.
    pub unpaid_deadline: Duration,
    /// Hours that a virtual account, and the order with it, waits for its deposit.
    pub deposit_hours: u32,
    /// Days after which a delivered purchase counts as confirmed.
    pub auto_confirm_days: u32,
    /// Limit of the unpaid orders of guests with the same phone number.
    pub guest_phone: UnpaidLimit,
    /// Limit of the unpaid orders of guests at the same client address.
    pub guest_address: UnpaidLimit,
}

/// Maximum number of unpaid orders and of the pieces in them; 0 means no limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnpaidLimit {
    /// Orders.
    pub orders: u32,
    /// Pieces of goods.
    pub pieces: u32,
}

impl App {
    /// An application with these dependencies.
    pub fn new(
        store: Store,
        keys: KeyRing,
        clock: Arc<dyn Clock>,
        search: Arc<dyn Engine>,
        gateway: Arc<dyn PaymentGateway>,
        mailer: Arc<dyn Mailer>,
        settings: AppSettings,
    ) -> Self {
        Self {
            nickname_index: NicknameIndex::new(store.pool().clone(), keys.clone()),
            executor: CommandExecutor::new(store.clone(), keys.clone(), Arc::clone(&clock)),
            store,
            keys,
            clock,
            search,
            gateway,
            mailer,
            sms: None,
            card_rules: CardRuleCache::default(),
            pricing_rules: PricingRuleCache::default(),
            passwords: Passwords::default(),
            revoked_sign_ins: RevokedSignIns::default(),
            blobs: BlobStore::of(&settings.data_folder),
            settings,
            holders: Semaphore::new(HOLDERS),
        }
    }

    /// The pool, for reads of read models and working state.
    pub fn pool(&self) -> &PgPool {
        self.store.pool()
    }

    /// Reads cards of products as of now.
    ///
    /// # Errors
    /// Database errors.
    pub async fn cards(&self) -> AppResult<CardReader<'_>> {
        Ok(CardReader {
            pool: self.pool(),
            rules: self.card_rules.current(self.pool()).await?,
            now: self.clock.now(),
        })
    }

    /// Decrypts a sealed value; none if its key is destroyed.
    ///
    /// # Errors
    /// Database errors; a forged seal.
    pub async fn open<T: DeserializeOwned + SealLabel>(
        &self,
        sealed: &Sealed<T>,
    ) -> AppResult<Option<T>> {
        Ok(self.keys.open(sealed).await?.value())
    }

    /// The same application with a gateway of texts.
    #[must_use]
    pub fn with_sms(mut self, sms: Option<Arc<dyn SmsGateway>>) -> Self {
        self.sms = sms;
        self
    }

    /// Waits until these read models contain everything appended so far, for a decision that depends on them.
    ///
    /// # Errors
    /// `unavailable` after five seconds; database errors.
    pub async fn wait_until_current(&self, read_models: &[&str]) -> AppResult<()> {
        let head = self.store.head().await?;
        match self.store.wait_for(read_models, head, MAX_WAIT).await? {
            WaitOutcome::Reached(_) => Ok(()),
            WaitOutcome::Stale(position) => Err(AppError::unavailable(anyhow::anyhow!(
                "{read_models:?} are at {position}, the log at {head}"
            ))),
        }
    }

    /// Waits for the right to hold a connection of the pool while using others. Without it, as many commands as there are
    /// connections would hold one each and wait for another.
    ///
    /// # Errors
    /// Never, unless the program is ending.
    pub async fn hold(&self) -> AppResult<SemaphorePermit<'_>> {
        self.holders.acquire().await.map_err(AppError::internal)
    }
}
