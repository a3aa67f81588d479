//! The way out of advertising, and back: a link in every mail of advertising withdraws the consent, without signing in.
//!
//! The token is a keyed hash of the member's id, so it is valid as long as the account, is stored nowhere, and only ever withdraws. The
//! event has the date, as the law wants it recorded.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::ids::MemberId;
use domain::member::{Member, MemberCommand};
use domain::sending::{SendingChannel, consent_to};
use domain::{Actor, storefront::AgreedTerm};
use sha2::{Digest, Sha256};

use crate::app::App;
use crate::error::{AppError, AppResult, Code};
use crate::executor::{CommandContext, CommandOutcome};
use crate::terms;

/// Scope of the keyed hash that a token is. Tokens are in mailboxes, so it never changes.
const UNSUBSCRIBE: &str = "unsubscribe";

/// The token with which a member refuses advertising.
pub fn token(app: &App, member: MemberId) -> String {
    URL_SAFE_NO_PAD.encode(app.keys.lookup_hash(UNSUBSCRIBE, &member.to_string()))
}

/// Withdraws the consent to advertising with the token of a mail; doing it again changes nothing.
///
/// # Errors
/// `link_invalid` with another token, and for a closed account.
pub async fn unsubscribe(
    app: &App,
    command: &CommandContext,
    member: MemberId,
    given: &str,
) -> AppResult<CommandOutcome> {
    // Hashes are compared, so that the time tells nothing of the token.
    if Sha256::digest(given) != Sha256::digest(token(app, member)) {
        return Err(AppError::new(Code::LinkInvalid));
    }
    let state = app.store.load::<Member>(&member.to_string()).await?.state;
    if !state.has_joined() {
        return Err(AppError::new(Code::LinkInvalid));
    }
    // A refusal by this link ends advertising texts, too.
    let texts = SendingChannel::Sms;
    if state.agrees_to(consent_to(texts)) {
        set(app, command, (member, texts), false).await?;
    }
    set(app, command, (member, SendingChannel::Mail), false).await
}

/// The context of a withdrawal by the link of a mail: no session is needed, since only the member has the link.
pub fn by_link(member: MemberId) -> CommandContext {
    CommandContext::for_actor("withdraw-consent", Actor::Member { id: member })
}

/// Gives or withdraws the consent to advertising by a way.
///
/// # Errors
/// `not_found`; database errors.
pub async fn set(
    app: &App,
    command: &CommandContext,
    (member, channel): (MemberId, SendingChannel),
    agrees: bool,
) -> AppResult<CommandOutcome> {
    let code = consent_to(channel).to_owned();
    let change = match agrees {
        true => {
            let agreed = terms::agreed(app, std::slice::from_ref(&code)).await?;
            let term = agreed.into_iter().next();
            let term = term.unwrap_or(AgreedTerm { code, version: 0 });
            MemberCommand::GiveConsent { term }
        }
        false => MemberCommand::WithdrawConsent { code },
    };
    app.executor
        .execute::<Member>(command, member, change)
        .await
}
