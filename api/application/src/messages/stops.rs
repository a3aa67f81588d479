//! Addresses that get no mail any more, since a server said that there is no such address.
//!
//! The log has neither an address nor its hash: it says which message bounced, and that staff lifted its stop. A policy keeps the
//! look-up by keyed hash beside it, which the outbox asks before each attempt. A corrected address has another hash, so it is free.

use domain::forms::phone_digits;
use domain::ids::MessageId;
use domain::message::{Channel, Message, MessageCommand};
use projections::state::stopped_addresses::{self, StoppedAddress};

use super::account::mail_hash;
use crate::app::App;
use crate::error::{AppError, AppResult};
use crate::executor::{CommandContext, CommandOutcome};

/// Scope of the keyed hashes of numbers. It is stored with them, so it never changes.
const NUMBER: &str = "stopped-number";

/// The keyed hash of an address of mail, or of a number.
pub fn hash_of(app: &App, channel: Channel, address: &str) -> [u8; 32] {
    match channel {
        Channel::Mail => mail_hash(app, address),
        Channel::Sms | Channel::Talk => app.keys.lookup_hash(NUMBER, &phone_digits(address)),
    }
}

/// Whether mail to an address, or texts to a number, are stopped.
///
/// # Errors
/// Database errors.
pub async fn is_stopped(app: &App, (channel, address): (Channel, &str)) -> AppResult<bool> {
    let hash = hash_of(app, channel, address);
    Ok(stopped_addresses::is_stopped(app.pool(), &hash).await?)
}

/// Stops or frees the address of a message, as an event at `position` says. Does nothing once the receiver was erased.
///
/// # Errors
/// Database errors.
pub async fn set(app: &App, id: MessageId, position: i64, stops: bool) -> AppResult<()> {
    let message = app.store.load::<Message>(&id.to_string()).await?.state;
    let terms = message.terms.ok_or_else(AppError::not_found)?;
    let Some(content) = app.open(&terms.content).await? else {
        return Ok(());
    };
    let stop = StoppedAddress {
        hash: hash_of(app, terms.channel, &content.address).to_vec(),
        message: id,
        subject: terms.content.subject,
        position,
        since: app.clock.now(),
    };
    Ok(stopped_addresses::set(app.pool(), &stop, stops).await?)
}

/// Lifts the stop that a bounced message caused.
///
/// # Errors
/// `not_found`; `not_allowed_now` for a message that stops nothing.
pub async fn release(
    app: &App,
    command: &CommandContext,
    id: MessageId,
    memo: String,
) -> AppResult<CommandOutcome> {
    let release = MessageCommand::ReleaseAddress { memo };
    let done = app
        .executor
        .execute::<Message>(command, id, release)
        .await?;
    // The policy does it too, should this process die here.
    if let Some(position) = done.position {
        set(app, id, position, false).await?;
    }
    Ok(done)
}
