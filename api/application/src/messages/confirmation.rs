//! Confirms a member's e-mail address: by the link of a mail to it, used by the member, so that neither the holder of the mailbox nor that
//! of the account can do it alone (decision 91). A confirmed address is reserved: no other member can confirm it.

use domain::ids::MemberId;
use domain::member::{Member, MemberCommand};
use domain::message::Template;
use domain::unit_of_work::UnitOfWork;
use event_store::{StreamId, TransactionStep};
use projections::state::account_mail;
use sqlx::PgConnection;

use super::account::{hash_of, mail_hash, usable};
use crate::app::App;
use crate::error::{AppError, AppResult, Code};
use crate::executor::{CommandContext, CommandOutcome};
use crate::members::profiles::member_with_profile;
use crate::reservations::EMAIL;

/// Uses a link that confirms the member's address.
///
/// # Errors
/// `link_invalid`, also for an address that is not in the profile any more; `link_used`, `link_expired`; `email_taken` if another member
/// confirmed it, and the link stays valid.
pub async fn confirm_email(
    app: &App,
    command: &CommandContext,
    member: MemberId,
    token: &str,
) -> AppResult<CommandOutcome> {
    let link = EmailLink {
        app,
        member,
        hash: hash_of(token),
    };
    let confirm = |work: &mut UnitOfWork, address: Option<&[u8; 32]>| {
        work.plan_write::<Member>(member);
        let Some(address) = address else {
            return Ok(());
        };
        if !work.state::<Member>(member).email_confirmed {
            work.reserve(EMAIL, *address, member);
        }
        work.decide::<Member>(member, MemberCommand::ConfirmEmail)?;
        Ok(())
    };
    let _held = app.hold().await?;
    let locks = [StreamId::of::<Member>(member)];
    let executor = &app.executor;
    executor
        .commit_with_step(command, &link, locks, confirm)
        .await
}

/// Uses a link in the transaction of the append, with every other one of the member; its output is the hash of the address.
struct EmailLink<'a> {
    app: &'a App,
    member: MemberId,
    hash: [u8; 32],
}

impl TransactionStep<AppError> for EmailLink<'_> {
    type Output = [u8; 32];

    async fn run(&self, connection: &mut PgConnection) -> AppResult<[u8; 32]> {
        let (now, link) = (self.app.clock.now(), (self.member, Template::ConfirmEmail));
        usable(account_mail::link_state(connection, &self.hash, link, now).await?)?;
        let (_, profile) = member_with_profile(self.app, self.member).await?;
        let address = mail_hash(self.app, &profile.email);
        if !account_mail::is_bound_to(connection, &self.hash, &address).await? {
            return Err(AppError::new(Code::LinkInvalid));
        }
        account_mail::use_links(connection, link, now).await?;
        Ok(address)
    }
}
