//! Mail about accounts: finding an id, finding a password, confirming an address, and telling that a password was changed or a new device
//! signed in.
//!
//! A page that finds an account only stores keyed hashes of what was typed, whether or not there is such an account; the worker looks
//! later. So neither the answer nor its time tells. Tokens of links are derived from the message and the master key, and only their
//! hashes are stored: a message that is sent again has the same link, and no table or backup of the log has it.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::ids::{MemberId, MessageId};
use domain::member::{Member, Profile};
use domain::message::{Channel, MessageCause, MessageContent, MessageTerms, Template};
use event_store::StoredEvent;
use projections::state::account_mail::{self, AccountMail, AccountMailRequest, LinkState};
use projections::state::credentials;
use sha2::{Digest, Sha256};
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use super::{by_outbox, message_id, request};
use crate::app::App;
use crate::error::{AppError, AppResult, Code};
use crate::executor::CommandContext;
use crate::members::confirm::count_attempt;
use crate::members::names::{self, plain_address, sign_in_name, username_hash};
use crate::members::profiles::{PROFILE, member_with_profile};
use crate::reservations::EMAIL;

/// How long a link is valid.
pub const LINK_LIFE: Duration = Duration::minutes(30);
/// How long a link that confirms an address is valid.
pub const CONFIRMATION_LIFE: Duration = Duration::hours(24);
/// Links that confirm an address: how many a member, and an address, gets within their life.
const CONFIRMATIONS_MOST: i64 = 5;
/// Scope of the count of requests for such a link, by member.
const OF_MEMBER: &str = "account-mail:confirm";
/// Scope of the count of requests for an address.
const OF_ADDRESS: &str = "account-mail:address";
/// Scope of the count of requests for a sign-in name.
const OF_NAME: &str = "account-mail:name";
/// Scope of the keyed hash that a link's token is.
const LINK: &str = "account-link";
/// Members with the same address who get a mail.
const MEMBERS_MOST: i64 = 5;
/// Requests answered in a round.
const AT_ONCE: i64 = 50;

/// The keyed hash of an address, ignoring case and surrounding spaces.
pub fn mail_hash(app: &App, address: &str) -> [u8; 32] {
    names::mail_hash(&app.keys, address)
}

/// Requests a mail with a link that shows the sign-in name, to everyone with this address.
///
/// # Errors
/// `too_many_requests`; database errors.
pub async fn find_id(app: &App, address: &str) -> AppResult<()> {
    count_attempt(app, OF_ADDRESS, &plain_address(address)).await?;
    let mail = AccountMail::FindId {
        mail_hash: mail_hash(app, address).to_vec(),
    };
    ask(app, &mail).await
}

/// Requests a mail with a link to set a password, to the member with this sign-in name and address.
///
/// # Errors
/// `too_many_requests`; database errors.
pub async fn find_password(app: &App, username: &str, address: &str) -> AppResult<()> {
    count_attempt(app, OF_ADDRESS, &plain_address(address)).await?;
    count_attempt(app, OF_NAME, &sign_in_name(username)).await?;
    let mail = AccountMail::FindPassword {
        username_hash: username_hash(&app.keys, username).to_vec(),
        mail_hash: mail_hash(app, address).to_vec(),
    };
    ask(app, &mail).await
}

/// Requests a mail with a link that confirms the member's address.
///
/// # Errors
/// `not_found`; `not_allowed_now` for a confirmed address; `too_many_requests`; database errors.
pub async fn request_confirmation(app: &App, member: MemberId) -> AppResult<()> {
    let (state, profile) = member_with_profile(app, member).await?;
    if state.email_confirmed {
        let message = "이미 확인한 이메일입니다.";
        return Err(AppError::new(Code::NotAllowedNow).saying(message));
    }
    count_attempt(app, OF_MEMBER, &member.to_string()).await?;
    let (now, hash) = (app.clock.now(), mail_hash(app, &profile.email));
    let whose = (member, hash.as_slice());
    let most = CONFIRMATIONS_MOST;
    if let Some(until) =
        account_mail::confirmations_until(app.pool(), whose, &[], most, now).await?
    {
        let seconds = u64::try_from((until - now).whole_seconds()).unwrap_or_default();
        let message =
            "확인 메일을 여러 번 보내 드렸습니다. 받은 메일을 확인하거나 내일 다시 시도해 주세요.";
        let refusal = AppError::new(Code::TooManyRequests).saying(message);
        return Err(refusal.retry_after(seconds + 1));
    }
    ask(app, &AccountMail::ConfirmEmail { member }).await
}

async fn ask(app: &App, mail: &AccountMail) -> AppResult<()> {
    let mut connection = app.pool().acquire().await?;
    Ok(account_mail::request(&mut connection, mail, app.clock.now()).await?)
}

/// Writes the mails that were requested; each once, however often a request is read.
///
/// # Errors
/// Database errors.
pub(super) async fn answer_requests(app: &App) -> AppResult<()> {
    for asked in account_mail::requests(app.pool(), AT_ONCE).await? {
        answer(app, &asked).await?;
        account_mail::answered(app.pool(), asked.id).await?;
    }
    Ok(())
}

async fn answer(app: &App, asked: &AccountMailRequest) -> AppResult<()> {
    match &asked.mail {
        AccountMail::FindId { mail_hash } => {
            // The member who confirmed the address, or else all who entered it.
            let members = match holder(app, mail_hash).await? {
                Some(holder) => vec![holder],
                None => account_mail::members_of(app.pool(), mail_hash, MEMBERS_MOST).await?,
            };
            for member in members {
                let of = Some(mail_hash.as_slice());
                write(app, asked, (member, Template::FindId), of).await?;
            }
            Ok(())
        }
        AccountMail::FindPassword {
            username_hash,
            mail_hash,
        } => {
            let Some(hash) = username_hash.first_chunk::<32>() else {
                return Ok(());
            };
            let Some(found) = credentials::find(app.pool(), hash).await? else {
                return Ok(());
            };
            // An address that another member confirmed is the mailbox of that member.
            let holder = holder(app, mail_hash).await?;
            if holder.is_some_and(|holder| holder != found.member) {
                return Ok(());
            }
            let of = Some(mail_hash.as_slice());
            write(app, asked, (found.member, Template::FindPassword), of).await
        }
        AccountMail::PasswordChanged { member } => {
            write(app, asked, (*member, Template::PasswordChanged), None).await
        }
        AccountMail::ConfirmEmail { member } => {
            let (member, state) = (*member, load(app, *member).await?);
            let Some(profile) = profile_in(app, &state).await? else {
                return Ok(());
            };
            if state.email_confirmed {
                return Ok(());
            }
            let mail = MemberMail {
                id: message_id(&asked.id.to_string(), &member.to_string()),
                to: (member, Template::ConfirmEmail),
                at: asked.requested_at,
                event: None,
            };
            send(app, &by_outbox("request-message"), &mail, profile).await
        }
        AccountMail::NewDevice { member } => {
            write(app, asked, (*member, Template::NewDevice), None).await
        }
    }
}

/// Requests the message to a member, whose address must have this hash, if one is given.
async fn write(
    app: &App,
    asked: &AccountMailRequest,
    (member, template): (MemberId, Template),
    hash: Option<&[u8]>,
) -> AppResult<()> {
    let Some(profile) = profile_of(app, member).await? else {
        return Ok(());
    };
    if hash.is_some_and(|hash| hash != mail_hash(app, &profile.email)) {
        return Ok(());
    }
    let mail = MemberMail {
        id: message_id(&asked.id.to_string(), &member.to_string()),
        to: (member, template),
        at: asked.requested_at,
        event: None,
    };
    send(app, &by_outbox("request-message"), &mail, profile).await
}

/// The member who confirmed an address.
async fn holder(app: &App, mail_hash: &[u8]) -> AppResult<Option<MemberId>> {
    let Some(hash) = mail_hash.first_chunk::<32>() else {
        return Ok(None);
    };
    let owner = app.store.reserved_by(EMAIL, hash).await?;
    let owner = owner.map(|owner| owner.parse().map_err(AppError::internal));
    owner.transpose()
}

/// Requests a link that confirms an address which came with an event, unless the member has another one by now, or confirmed it. Reading
/// the event again adds nothing.
///
/// # Errors
/// Database errors.
pub(crate) async fn confirm_new_address(
    app: &App,
    event: &StoredEvent,
    member: MemberId,
    address: &str,
) -> AppResult<()> {
    let state = load(app, member).await?;
    let Some(profile) = profile_in(app, &state).await? else {
        return Ok(());
    };
    if state.email_confirmed || mail_hash(app, &profile.email) != mail_hash(app, address) {
        return Ok(());
    }
    let mail = MemberMail {
        id: message_id(&format!("{} confirm", event.event_id), &member.to_string()),
        to: (member, Template::ConfirmEmail),
        at: event.metadata.occurred_at,
        event: Some(event.event_id),
    };
    let command = by_outbox("request-message").caused_by(event);
    send(app, &command, &mail, profile).await
}

/// A mail to a member about the account.
struct MemberMail {
    id: MessageId,
    to: (MemberId, Template),
    /// When what it is about happened.
    at: OffsetDateTime,
    /// The event that led to it; none if it was asked for.
    event: Option<Uuid>,
}

impl MemberMail {
    /// When its link ends, if it has one.
    fn expires_at(&self) -> Option<OffsetDateTime> {
        match self.to.1 {
            Template::ConfirmEmail => Some(self.at + CONFIRMATION_LIFE),
            template if template.has_link() => Some(self.at + LINK_LIFE),
            _ => None,
        }
    }
}

/// Requests the message of a mail, and stores the hash of its link. Nothing is sent whose link has ended, nor more links that confirm an
/// address than its receiver may get.
async fn send(
    app: &App,
    command: &CommandContext,
    mail: &MemberMail,
    profile: Profile,
) -> AppResult<()> {
    let (id, (member, template), expires_at) = (mail.id, mail.to, mail.expires_at());
    let now = app.clock.now();
    if let Some(expires_at) = expires_at {
        if expires_at <= now {
            return Ok(());
        }
        let (hash, address) = (hash_of(&token(app, id)), mail_hash(app, &profile.email));
        let bound = (template == Template::ConfirmEmail).then_some(address.as_slice());
        if let Some(address) = bound {
            let (pool, whose) = (app.pool(), (member, address));
            let most = CONFIRMATIONS_MOST;
            let until = account_mail::confirmations_until(pool, whose, &hash, most, now).await?;
            if until.is_some() {
                return Ok(());
            }
        }
        account_mail::keep_link(app.pool(), &hash, mail.to, bound, expires_at).await?;
    }
    let content = MessageContent {
        name: profile.name,
        address: profile.email,
        variables: [("at".to_owned(), korean_time(mail.at))].into(),
    };
    let terms = MessageTerms {
        channel: Channel::Mail,
        template,
        cause: MessageCause {
            kind: "member".to_owned(),
            id: member.0,
            event: mail.event,
        },
        content: app.keys.seal(member.0, PROFILE, &content).await?,
        expires_at,
    };
    request(app, command, id, terms).await?;
    Ok(())
}

async fn load(app: &App, member: MemberId) -> AppResult<Member> {
    Ok(app.store.load::<Member>(&member.to_string()).await?.state)
}

/// The profile of an open account.
pub(super) async fn profile_of(app: &App, member: MemberId) -> AppResult<Option<Profile>> {
    profile_in(app, &load(app, member).await?).await
}

/// As [`profile_of`].
async fn profile_in(app: &App, state: &Member) -> AppResult<Option<Profile>> {
    match &state.profile {
        Some(sealed) => app.open(sealed).await,
        None => Ok(None),
    }
}

/// The moment as people in Korea write it.
pub(crate) fn korean_time(at: OffsetDateTime) -> String {
    let at = at.to_offset(domain::business_day::OFFSET);
    format!(
        "{}년 {}월 {}일 {:02}:{:02}",
        at.year(),
        u8::from(at.month()),
        at.day(),
        at.hour(),
        at.minute()
    )
}

/// The token of a message's link.
fn token(app: &App, message: MessageId) -> String {
    URL_SAFE_NO_PAD.encode(app.keys.lookup_hash(LINK, &message.to_string()))
}

/// The stored hash of a link's token.
pub(super) fn hash_of(token: &str) -> [u8; 32] {
    Sha256::digest(token).into()
}

/// The address of a message's link, if it has one. The token is behind a hash sign, so browsers send it to no server and no log has it.
pub(super) fn link(app: &App, message: MessageId, terms: &MessageTerms) -> Option<String> {
    let page = match terms.template {
        Template::FindId => "login/find-id",
        Template::FindPassword => "login/find-password",
        Template::ConfirmEmail => "center/confirm-email",
        _ => return None,
    };
    let (url, member) = (&app.settings.public_url, terms.cause.id);
    let token = token(app, message);
    Some(format!("{url}/{page}/{member}#{token}"))
}

/// The error of a link that cannot be used.
pub(super) fn usable(state: LinkState) -> AppResult<()> {
    match state {
        LinkState::Valid => Ok(()),
        LinkState::Used => Err(AppError::new(Code::LinkUsed)),
        LinkState::Expired => Err(AppError::new(Code::LinkExpired)),
        LinkState::Unknown => Err(AppError::new(Code::LinkInvalid)),
    }
}

/// Uses a link that shows the sign-in name; returns the name.
///
/// # Errors
/// `link_invalid`, `link_used`, `link_expired`; database errors.
pub async fn show_id(app: &App, member: MemberId, token: &str) -> AppResult<String> {
    let (now, link) = (app.clock.now(), (member, Template::FindId));
    let mut tx = event_store::begin(app.pool()).await?;
    usable(account_mail::link_state(&mut tx, &hash_of(token), link, now).await?)?;
    account_mail::use_links(&mut tx, link, now).await?;
    tx.commit().await?;
    let profile = profile_of(app, member).await?;
    let profile = profile.ok_or_else(|| AppError::new(Code::LinkInvalid))?;
    Ok(profile.username)
}

/// Uses a link to set a password: it ends every session and every known device, and the member gets a mail about it.
///
/// # Errors
/// `link_invalid`, `link_used`, `link_expired`; database errors.
pub async fn set_password(
    app: &App,
    member: MemberId,
    token: &str,
    password: String,
) -> AppResult<()> {
    let (hash, link) = (hash_of(token), (member, Template::FindPassword));
    // Before the password is hashed, which takes long; the link is checked again when it is used.
    let mut connection = app.pool().acquire().await?;
    let state = account_mail::link_state(&mut connection, &hash, link, app.clock.now()).await?;
    drop(connection);
    usable(state)?;
    let turn = app.passwords.turn().await?;
    let argon2 = app.passwords.hash(&turn, password).await?;
    drop(turn);
    let now = app.clock.now();
    let mut tx = event_store::begin(app.pool()).await?;
    usable(account_mail::link_state(&mut tx, &hash, link, now).await?)?;
    account_mail::use_links(&mut tx, link, now).await?;
    credentials::change_password(&mut tx, member, &argon2, now).await?;
    let told = AccountMail::PasswordChanged { member };
    account_mail::request(&mut tx, &told, now).await?;
    tx.commit().await?;
    app.revoked_sign_ins.changed().await;
    Ok(())
}
