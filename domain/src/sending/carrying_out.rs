//! Sending the next part.

use std::collections::BTreeMap;

use super::aggregate::{Sending, SendingCommand, SendingError};
use super::events::{SendingChannel, SkipReason, SkippedReceiver};
use super::hours::{ADVERTISING_CONSENT, ADVERTISING_TEXT_CONSENT};
use crate::ids::{MemberId, SendingId};
use crate::member::Member;
use crate::unit_of_work::UnitOfWork;

/// The consent that advertising needs by a way: texts have one of their own.
pub const fn consent_to(channel: SendingChannel) -> &'static str {
    match channel {
        SendingChannel::Alarm | SendingChannel::Mail => ADVERTISING_CONSENT,
        SendingChannel::Sms => ADVERTISING_TEXT_CONSENT,
    }
}

/// Why a member gets nothing of a sending; none if they get it. `refusal`: what else speaks against it.
pub fn skip_reason(
    member: &Member,
    (channel, advertising): (SendingChannel, bool),
    refusal: Option<SkipReason>,
) -> Option<SkipReason> {
    match member {
        Member { profile: None, .. } => Some(SkipReason::AccountClosed),
        _ if advertising && !member.agrees_to(consent_to(channel)) => Some(SkipReason::NoConsent),
        _ => refusal,
    }
}

/// A part of a sending.
#[derive(Clone, Copy, Debug)]
pub struct SendingPart<'a> {
    /// The place it begins at.
    pub from: u32,
    /// Of a crowd: its receivers.
    pub members: &'a [MemberId],
    /// Those of its receivers who are skipped, with the reasons.
    pub refusals: &'a BTreeMap<MemberId, SkipReason>,
}

/// Gives the receivers of a part their turn.
///
/// # Errors
/// [`SendingError`].
pub fn send_part(
    work: &mut UnitOfWork,
    id: SendingId,
    part: SendingPart<'_>,
) -> Result<(), SendingError> {
    let SendingPart {
        from,
        members,
        refusals,
    } = part;
    work.plan_write::<Sending>(id);
    let sending = work.state::<Sending>(id);
    let Some(terms) = &sending.terms else {
        return match work.is_loaded() {
            true => Err(SendingError::NotOrdered),
            false => Ok(()),
        };
    };
    let part = match terms.crowd {
        Some(_) => members,
        None => sending.next_part(),
    };
    for member in part {
        work.plan_read::<Member>(member);
    }
    if !work.is_loaded() {
        return Ok(());
    }
    let way = (terms.channel, terms.advertising);
    let skipped = part.iter().filter_map(|member| {
        let refusal = refusals.get(member).copied();
        let reason = skip_reason(&work.state::<Member>(member), way, refusal)?;
        Some(SkippedReceiver {
            member: *member,
            reason,
        })
    });
    let skipped = skipped.collect();
    let command = SendingCommand::SendPart {
        from,
        members: members.to_vec(),
        skipped,
    };
    work.decide::<Sending>(id, command)?;
    Ok(())
}
