//! Passes of the check against programs: a keyed hash of the client address and the end, so nothing is stored.

use std::net::IpAddr;

use application::{AppError, AppResult};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use time::{Duration, OffsetDateTime};

use crate::app::AppState;
use crate::limits::Client;

/// How long a pass is valid: long enough to fill in a form.
pub(crate) const PASS_LIFE: Duration = Duration::minutes(30);
/// Prompt of a missing pass or verdict.
pub(crate) const MESSAGE: &str =
    "자동 입력이 아닌지 확인하지 못했습니다. 잠시 뒤 다시 보내 주세요.";
/// Scope of the keyed hash that a pass is.
const PASS: &str = "recaptcha-pass";

/// A pass.
pub(crate) fn pass(app: &AppState, address: IpAddr, until: OffsetDateTime) -> String {
    let until = until.unix_timestamp();
    let mac = app.keys.lookup_hash(PASS, &format!("{address} {until}"));
    format!("{until}.{}", URL_SAFE_NO_PAD.encode(mac))
}

/// Requires a valid pass of this client, if the check is on.
///
/// # Errors
/// `invalid` with the field `recaptcha`.
pub(crate) fn require_pass(app: &AppState, from: Client, given: &str) -> AppResult<()> {
    if app.recaptcha.is_none() {
        return Ok(());
    }
    let refusal = || AppError::invalid_field("recaptcha", "required", MESSAGE);
    let (until, _) = given.split_once('.').ok_or_else(refusal)?;
    let until: i64 = until.parse().map_err(|_| refusal())?;
    let until = OffsetDateTime::from_unix_timestamp(until).map_err(|_| refusal())?;
    let expected = pass(app, from.address(), until);
    // Both are of our own making: a comparison that takes longer tells nothing that helps to guess 32 bytes of a keyed hash.
    if until <= app.clock.now() || expected != given {
        return Err(refusal());
    }
    Ok(())
}
