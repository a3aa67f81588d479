//! Sending the next part.

use std::collections::BTreeSet;

use super::aggregate::{Sending, SendingCommand, SendingError};
use super::events::{SkipReason, SkippedReceiver};
use super::hours::ADVERTISING_CONSENT;
use crate::ids::{MemberId, SendingId};
use crate::member::Member;
use crate::unit_of_work::UnitOfWork;

/// Why a member gets nothing of a sending; none if they get it.
pub fn skip_reason(member: &Member, advertising: bool, switched_off: bool) -> Option<SkipReason> {
    match member {
        Member { profile: None, .. } => Some(SkipReason::AccountClosed),
        _ if advertising && !member.agrees_to(ADVERTISING_CONSENT) => Some(SkipReason::NoConsent),
        _ if switched_off => Some(SkipReason::SwitchedOff),
        _ => None,
    }
}

/// Gives the receivers of the part that begins at a place their turn. `switched_off`: those of them who want no such message.
///
/// # Errors
/// [`SendingError`].
pub fn send_part(
    work: &mut UnitOfWork,
    id: SendingId,
    (from, switched_off): (u32, &BTreeSet<MemberId>),
) -> Result<(), SendingError> {
    work.plan_write::<Sending>(id);
    let sending = work.state::<Sending>(id);
    let part = sending.next_part();
    for member in part {
        work.plan_read::<Member>(member);
    }
    if !work.is_loaded() {
        return Ok(());
    }
    let advertising = sending
        .terms
        .as_ref()
        .is_some_and(|terms| terms.advertising);
    let skipped = part.iter().filter_map(|member| {
        let is_off = switched_off.contains(member);
        let reason = skip_reason(&work.state::<Member>(member), advertising, is_off)?;
        Some(SkippedReceiver {
            member: *member,
            reason,
        })
    });
    let skipped = skipped.collect();
    work.decide::<Sending>(id, SendingCommand::SendPart { from, skipped })?;
    Ok(())
}
