//! Messages to members and guests.
//!
//! A message is requested once: its id is derived from its cause ([`message_id`]), so a cause that is read again adds nothing. The
//! worker sends it ([`outbox`], to phones [`phone`]); what it says is written by [`templates`] when it is sent. Mail about accounts is in
//! [`account`], addresses are confirmed by [`confirmation`], mail to addresses that do not exist is stopped by [`stops`].

pub mod account;
pub mod confirmation;
pub mod consent;
pub mod outbox;
pub mod phone;
pub mod stops;
pub mod templates;
mod trial;

use domain::Actor;
use domain::ids::{MessageId, derived_id};
use domain::message::{Message, MessageCommand, MessageTerms};

use crate::app::App;
use crate::error::AppResult;
use crate::executor::{CommandContext, CommandOutcome};

pub use trial::{Trial, send_trial};

/// Name of the policy that sends messages.
const OUTBOX: &str = "outbox";

/// The id of the message for a cause (an event or a request) to a receiver. It is in the log, so it may not change.
pub fn message_id(cause: &str, receiver: &str) -> MessageId {
    MessageId(derived_id(&format!("message {cause} {receiver}")))
}

/// The context of the outbox's own commands.
fn by_outbox(name: &'static str) -> CommandContext {
    let actor = Actor::Policy {
        name: OUTBOX.to_owned(),
    };
    CommandContext::for_actor(name, actor)
}

/// Requests a message, unless it was requested before.
///
/// # Errors
/// Database errors.
pub async fn request(
    app: &App,
    command: &CommandContext,
    id: MessageId,
    terms: MessageTerms,
) -> AppResult<CommandOutcome> {
    let request = MessageCommand::Request(Box::new(terms));
    app.executor.execute::<Message>(command, id, request).await
}

/// Has a message sent again that was given up, refused, or whose outcome is unknown.
///
/// # Errors
/// `not_found`; `not_allowed_now` for other messages, and for one whose link is not valid any more.
pub async fn resend(
    app: &App,
    command: &CommandContext,
    id: MessageId,
) -> AppResult<CommandOutcome> {
    let resend = MessageCommand::Resend;
    app.executor.execute::<Message>(command, id, resend).await
}
