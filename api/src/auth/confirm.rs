//! Confirming that it is the member who asks, not somebody at a browser they left open: before an e-mail, a phone or a password is
//! changed, and before they leave.

use domain::ids::MemberId;
use projections::state::credentials::{self, Credentials};
use projections::state::password_tries;

use super::count_try;
use crate::app::AppState;
use crate::http::{AppError, AppResult};

/// What wrong confirmations of a member are counted under.
const SCOPE: &str = "password-tries:confirm";

/// How a member shows that it is they.
#[derive(Clone, Debug)]
pub enum Proof {
    /// By their password.
    Password(String),
}

/// It was they; only [`confirm`] says so.
#[derive(Debug)]
pub struct Confirmed(Credentials);

/// Whether it is the member who asks; none: what they showed is not theirs. No row is locked while that is looked at.
///
/// # Errors
/// `too_many_requests` after five wrong ones in a row; `not_found` for somebody without a way in; the database's.
pub(crate) async fn confirm(
    app: &AppState,
    member: MemberId,
    proof: Proof,
) -> AppResult<Option<Confirmed>> {
    let Proof::Password(password) = proof;
    let credentials = credentials::find_of(app.pool(), member)
        .await?
        .ok_or_else(AppError::not_found)?;
    let counted = count_try(app, SCOPE, &member.to_string()).await?;
    let turn = app.passwords.turn().await?;
    let argon2 = Some(credentials.argon2.as_str());
    if !app.passwords.verify(&turn, password, argon2).await? {
        return Ok(None);
    }
    password_tries::forget(app.pool(), &counted).await?;
    Ok(Some(Confirmed(credentials)))
}

impl Confirmed {
    /// Puts a new password in place of the one they showed, and ends every sign-in and every known device, as after a theft. False:
    /// another device has changed it meanwhile.
    ///
    /// # Errors
    /// The database's.
    pub(crate) async fn change_password(self, app: &AppState, password: String) -> AppResult<bool> {
        let turn = app.passwords.turn().await?;
        let argon2 = app.passwords.hash(&turn, password).await?;
        drop(turn);
        let mut tx = event_store::begin(app.pool()).await?;
        let Self(shown) = self;
        if !credentials::still(&mut tx, &shown).await? {
            return Ok(false);
        }
        credentials::change_password(&mut tx, shown.member, &argon2, app.clock.now()).await?;
        tx.commit().await?;
        Ok(true)
    }
}
