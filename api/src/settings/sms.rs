//! Section `sms`: texts to phones.

use std::fmt;
use std::net::SocketAddr;
use std::time::Duration;

use domain::message::Template;
use integrations::sms::solapi::SolapiConfig;
use sandbox::SmsOptions;

use super::draft::Draft;
use super::{SettingsError, is_local};

/// The default key and secret: the sandbox's.
const SANDBOX_KEY: &str = "sandbox-sms-key-not-real";
const SANDBOX_SECRET: &str = "sandbox-sms-secret-not-real";
/// The number of the demonstration; it belongs to no subscriber.
const SANDBOX_SENDER: &str = "0200000000";
const SANDBOX_REFUSAL: &str = "080-000-0000";
const SANDBOX_TIMEOUT: Duration = Duration::from_secs(30);

/// Texts to phones.
#[derive(Clone)]
pub struct SmsSettings {
    /// The gateway; none if the shop sends no texts.
    pub gateway: Option<SolapiConfig>,
    /// The number at which advertising by text is refused free of charge; none: no such texts are sent.
    pub refusal_number: Option<String>,
    /// The templates about orders that are sent.
    pub templates: Vec<Template>,
    api_key: String,
    api_secret: String,
}

impl fmt::Debug for SmsSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SmsSettings")
            .field("gateway", &self.gateway)
            .field("templates", &self.templates)
            .finish_non_exhaustive()
    }
}

impl SmsSettings {
    /// With the sandbox as gateway, if there is none.
    pub(super) fn with_sandbox(mut self, sandbox: SocketAddr) -> Self {
        let ours = || SolapiConfig {
            base_url: format!("http://{sandbox}"),
            api_key: self.api_key.clone(),
            api_secret: self.api_secret.clone(),
            sender: SANDBOX_SENDER.to_owned(),
            talk_profile: None,
            timeout: SANDBOX_TIMEOUT,
            bypass_proxy: true,
        };
        let gateway = self.gateway.clone().unwrap_or_else(ours);
        self.gateway = Some(gateway);
        let refusal = self.refusal_number.take();
        self.refusal_number = refusal.or_else(|| Some(SANDBOX_REFUSAL.to_owned()));
        self
    }

    /// The account that the sandbox has.
    pub(super) fn sandbox(&self) -> SmsOptions {
        SmsOptions {
            api_key: self.api_key.clone(),
            api_secret: self.api_secret.clone(),
            sender: self.gateway.as_ref().map(|gateway| gateway.sender.clone()),
        }
    }
}

/// The gateway: the configured one, or the sandbox; off without a sender.
pub(super) fn read(draft: &mut Draft, sandbox: SocketAddr) -> Result<SmsSettings, SettingsError> {
    let sender = draft.optional("sms.sender")?;
    let base_url = draft.optional_url("sms.base_url")?;
    let api_key = draft.text("sms.api_key")?;
    let api_secret = draft.text("sms.api_secret")?;
    let talk_profile = draft.optional("sms.talk_profile")?;
    let refusal_number = draft.optional("sms.refusal_number")?;
    let is_free = |number: &String| {
        number.starts_with("080")
            && number
                .chars()
                .all(|letter| letter.is_ascii_digit() || letter == '-')
    };
    if refusal_number
        .as_ref()
        .is_some_and(|number| !is_free(number))
    {
        return Err(draft.bad(
            "sms.refusal_number",
            "must be a free number like 080-123-4567",
        ));
    }
    let timeout = Duration::from_secs(draft.number("sms.timeout_seconds", 1..=120)?);
    let mut templates = Vec::new();
    for (key, template) in [
        ("sms.order_placed", Template::OrderPlacedSms),
        ("sms.deposit_awaited", Template::DepositAwaitedSms),
        ("sms.purchase_shipped", Template::PurchaseShippedSms),
        ("sms.refund_completed", Template::RefundCompletedSms),
    ] {
        if draft.truth(key)? {
            templates.push(template);
        }
    }
    let sender = sender.map(|number| number.replace('-', ""));
    let is_number = |number: &String| {
        (8..=12).contains(&number.len()) && number.bytes().all(|byte| byte.is_ascii_digit())
    };
    if sender.as_ref().is_some_and(|number| !is_number(number)) {
        return Err(draft.bad("sms.sender", "must be a phone number like 02-1234-5678"));
    }
    let is_remote = base_url.as_ref().is_some_and(|url| !is_local(url));
    if sender.is_some() && is_remote {
        for (key, value, ours) in [
            ("sms.api_key", &api_key, SANDBOX_KEY),
            ("sms.api_secret", &api_secret, SANDBOX_SECRET),
        ] {
            if value == ours {
                let why = "is still the sandbox's, but sms.base_url is another machine; set the service's own keys";
                return Err(draft.bad(key, why));
            }
        }
    }
    let base_url = base_url.unwrap_or_else(|| format!("http://{sandbox}"));
    if sender.is_some() && !is_local(&base_url) && !base_url.starts_with("https://") {
        let why = "must be https: numbers and texts would travel in plain text";
        return Err(draft.bad("sms.base_url", why));
    }
    let gateway = sender.map(|sender| SolapiConfig {
        bypass_proxy: is_local(&base_url),
        base_url,
        api_key: api_key.clone(),
        api_secret: api_secret.clone(),
        sender,
        talk_profile,
        timeout,
    });
    Ok(SmsSettings {
        gateway,
        refusal_number,
        templates,
        api_key,
        api_secret,
    })
}
