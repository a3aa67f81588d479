//! Confirms that a request comes from the member, and not from another person at a signed-in browser: before an e-mail address, a phone
//! number or a password is changed, and before the account is closed. Wrong passwords are counted.

use domain::ids::MemberId;
use projections::state::account_mail::{self, AccountMail};
use projections::state::credentials::{self, Credentials};
use projections::state::password_tries::{self, Try};

use crate::app::App;
use crate::error::{AppError, AppResult, Code};

/// Scope of the count of wrong confirmations.
const SCOPE: &str = "password-tries:confirm";

/// Proof of identity.
#[derive(Clone, Debug)]
pub enum Proof {
    /// The password.
    Password(String),
}

/// Evidence that the identity was confirmed; only [`confirm`] creates one.
#[derive(Debug)]
pub struct Confirmation(Credentials);

/// Confirms the identity of a member; none if the proof is wrong. No row is locked meanwhile.
///
/// # Errors
/// `too_many_requests` after five wrong proofs in a row; `not_found` without credentials; database errors.
pub async fn confirm(app: &App, member: MemberId, proof: Proof) -> AppResult<Option<Confirmation>> {
    let Proof::Password(password) = proof;
    let credentials = credentials::find_of(app.pool(), member)
        .await?
        .ok_or_else(AppError::not_found)?;
    let counted = count_attempt(app, SCOPE, &member.to_string()).await?;
    let turn = app.passwords.turn().await?;
    let argon2 = Some(credentials.argon2.as_str());
    if !app.passwords.verify(&turn, password, argon2).await? {
        return Ok(None);
    }
    password_tries::forget(app.pool(), &counted).await?;
    Ok(Some(Confirmation(credentials)))
}

impl Confirmation {
    /// Replaces the confirmed password, ends all sessions and removes all known devices, as after a theft; and requests a mail to the member. False if the password was
    /// changed concurrently.
    ///
    /// # Errors
    /// Database errors.
    pub async fn change_password(self, app: &App, password: String) -> AppResult<bool> {
        let turn = app.passwords.turn().await?;
        let argon2 = app.passwords.hash(&turn, password).await?;
        drop(turn);
        let mut tx = event_store::begin(app.pool()).await?;
        let Self(shown) = self;
        if !credentials::still(&mut tx, &shown).await? {
            return Ok(false);
        }
        let now = app.clock.now();
        credentials::change_password(&mut tx, shown.member, &argon2, now).await?;
        let member = shown.member;
        account_mail::request(&mut tx, &AccountMail::PasswordChanged { member }, now).await?;
        tx.commit().await?;
        app.revoked_sign_ins.changed().await;
        Ok(true)
    }
}

/// Counts an attempt to enter a password under the keyed hash of `name` within `scope`, whether or not the name exists. Returns the hash,
/// used to reset the count when the password is right.
///
/// # Errors
/// `too_many_requests`; database errors.
pub async fn count_attempt(app: &App, scope: &str, name: &str) -> AppResult<[u8; 32]> {
    let counted = app.keys.lookup_hash(scope, name);
    let now = app.clock.now();
    match password_tries::count(app.pool(), &counted, now).await? {
        Try::Counted => Ok(counted),
        Try::Closed(until) => {
            let seconds = u64::try_from((until - now).whole_seconds()).unwrap_or_default();
            Err(AppError::new(Code::TooManyRequests).retry_after(seconds + 1))
        }
    }
}
