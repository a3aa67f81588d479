//! Known devices: a device that has signed in before has a separate count of wrong passwords, so that attempts from other devices cannot
//! lock it out.
//!
//! A device stores one token per account in a cookie that is sent only to the sign-in. The token grants no access; it only selects the
//! counter of an attempt, so a forged cross-site request gains nothing. See docs/decisions/0035.

use axum::http::header::{COOKIE, SET_COOKIE};
use axum::http::{HeaderMap, HeaderName};
use projections::state::password_tries::DEVICE_LIFE;

use crate::tokens::refresh_hash;

/// The cookie's name.
const NAME: &str = "jangbu_device";
/// Maximum number of accounts remembered on a device: the latest sign-ins.
const ACCOUNTS_MOST: usize = 5;
/// Maximum length of a token.
const TOKEN_MOST: usize = 64;

/// The tokens sent by a device, newest first.
#[derive(Clone, Debug, Default)]
pub struct Device(Vec<String>);

impl Device {
    /// Parses the cookie.
    pub fn of(headers: &HeaderMap) -> Self {
        let cookies = headers.get_all(COOKIE).into_iter();
        let value = cookies
            .filter_map(|cookies| cookies.to_str().ok())
            .flat_map(|cookies| cookies.split(';'))
            .find_map(|cookie| cookie.trim().strip_prefix(NAME)?.strip_prefix('='));
        let tokens = value.unwrap_or_default().split('.');
        let fits = |token: &&str| {
            let letter = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
            (1..=TOKEN_MOST).contains(&token.len()) && token.bytes().all(letter)
        };
        Self(
            tokens
                .filter(fits)
                .take(ACCOUNTS_MOST)
                .map(str::to_owned)
                .collect(),
        )
    }

    /// The stored hashes of its tokens.
    pub fn hashes(&self) -> Vec<[u8; 32]> {
        self.0.iter().map(|token| refresh_hash(token)).collect()
    }

    /// Adds a token.
    #[must_use]
    pub fn with(mut self, token: String) -> Self {
        self.0.insert(0, token);
        self.0.truncate(ACCOUNTS_MOST);
        self
    }

    /// The header that sets the cookie.
    pub fn cookie(&self, https: bool) -> [(HeaderName, String); 1] {
        let (tokens, seconds) = (self.0.join("."), DEVICE_LIFE.whole_seconds());
        let secure = if https { "; Secure" } else { "" };
        let cookie = format!(
            "{NAME}={tokens}; Path=/api/auth; Max-Age={seconds}; HttpOnly; SameSite=Strict{secure}"
        );
        [(SET_COOKIE, cookie)]
    }
}
