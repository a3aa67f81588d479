//! GET /api/auth/refreshToken: signs in with username and password.

use application::members::confirm::count_attempt;
use application::members::names::{sign_in_name, username_hash};
use axum::extract::State;
use axum::http::header::AUTHORIZATION;
use axum::http::{HeaderMap, HeaderName};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use domain::ids::MemberId;
use projections::state::account_mail::{self, AccountMail};
use projections::state::credentials::{self, NewToken};
use projections::state::password_tries;
use uuid::Uuid;

use super::device::Device;
use super::{SignedIn, session_of};
use crate::app::AppState;
use crate::http::{ApiResult, AppError, AppResult, Code, Json};
use crate::limits::Client;
use crate::tokens::{REFRESH_LIFE, fresh_token};

/// Scope of the count of wrong passwords for a name, from unknown devices.
const OF_NAME: &str = "password-tries:name";
/// Scope of the count of wrong passwords from a known device.
const OF_DEVICE: &str = "password-tries:device";

/// Sign in.
#[utoipa::path(
    get, path = "/api/auth/refreshToken", tag = "auth", operation_id = "signIn", security(("basic" = [])),
    responses((status = OK, body = SignedIn), (status = UNAUTHORIZED, description = "bad_credentials"), (status = TOO_MANY_REQUESTS, description = "too_many_requests"))
)]
pub(crate) async fn sign_in(
    State(app): State<AppState>,
    client: Client,
    headers: HeaderMap,
) -> ApiResult<([(HeaderName, String); 1], Json<SignedIn>)> {
    let (username, password) =
        basic(&headers).ok_or_else(|| AppError::new(Code::BadCredentials))?;
    let (refresh_token, hash) = fresh_token()?;
    let attempt = SignInAttempt {
        username,
        password,
        client,
        device: Device::of(&headers),
    };
    let SignIn {
        member,
        family,
        device,
    } = begin(&app, attempt, &hash).await?;
    let payload = session_of(&app, member).await?;
    let access_token = app.tokens.access(&payload, family, app.clock.now())?;
    let https = app.settings.server.public_url.starts_with("https://");
    Ok((
        device.cookie(https),
        Json(SignedIn {
            refresh_token,
            access_token,
            payload,
        }),
    ))
}

/// Username and password of a Basic header, in UTF-8.
fn basic(headers: &HeaderMap) -> Option<(String, String)> {
    let (scheme, encoded) = headers.get(AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    if !scheme.eq_ignore_ascii_case("basic") {
        return None;
    }
    let text = String::from_utf8(STANDARD.decode(encoded.trim()).ok()?).ok()?;
    let (username, password) = text.split_once(':')?;
    Some((username.to_owned(), password.to_owned()))
}

/// Credentials and origin of a sign-in.
struct SignInAttempt {
    username: String,
    password: String,
    client: Client,
    device: Device,
}

/// A started sign-in.
struct SignIn {
    member: MemberId,
    /// The family of its refresh tokens.
    family: Uuid,
    device: Device,
}

/// Starts a sign-in with the refresh token of this hash, if the password is right. The attempt is counted before the password is verified,
/// so that parallel guesses are all counted, and no row is locked meanwhile; a password that has just been changed is rejected.
async fn begin(app: &AppState, attempt: SignInAttempt, hash: &[u8; 32]) -> AppResult<SignIn> {
    let SignInAttempt {
        username,
        password,
        client,
        device,
    } = attempt;
    let credentials = credentials::find(app.pool(), &username_hash(&app.keys, &username)).await?;
    let now = app.clock.now();
    let known = match &credentials {
        Some(found) => {
            password_tries::known_device(app.pool(), found.member, &device.hashes(), now).await?
        }
        None => None,
    };
    let counted = match &known {
        Some(device) => count_attempt(app, OF_DEVICE, &hex::encode(device)).await?,
        None => {
            app.limits.guesses.count(client)?;
            count_attempt(app, OF_NAME, &sign_in_name(&username)).await?
        }
    };
    let turn = app.passwords.turn().await?;
    let argon2 = credentials.as_ref().map(|found| found.argon2.as_str());
    let fits = app.passwords.verify(&turn, password, argon2).await?;
    drop(turn);
    let Some(credentials) = credentials.filter(|_| fits) else {
        return Err(AppError::new(Code::BadCredentials));
    };
    let is_known = known.is_some();
    let (device, device_hash) = match known {
        Some(known) => (device, known),
        None => {
            let (token, fresh) = fresh_token()?;
            (device.with(token), fresh)
        }
    };
    let mut tx = event_store::begin(app.pool()).await?;
    if !credentials::still(&mut tx, &credentials).await? {
        return Err(AppError::new(Code::BadCredentials));
    }
    let first = NewToken {
        hash,
        issued_at: now,
        expires_at: now + REFRESH_LIFE,
    };
    let family = credentials::begin_family(&mut tx, credentials.member, first).await?;
    // The first sign-in of all, and the first after a changed password, are no news.
    if !is_known && password_tries::has_devices(&mut tx, credentials.member, now).await? {
        let told = AccountMail::NewDevice {
            member: credentials.member,
        };
        account_mail::request(&mut tx, &told, now).await?;
    }
    password_tries::remember_device(&mut tx, credentials.member, &device_hash, now).await?;
    tx.commit().await?;
    password_tries::forget(app.pool(), &counted).await?;
    Ok(SignIn {
        member: credentials.member,
        family,
        device,
    })
}
