//! Entering a raffle and drawing its winners: decisions over the raffle, its entries, the event and members.

use std::collections::{BTreeMap, BTreeSet};

use super::hash::{RaffleHash, RaffleSeed, ranking};
use super::{
    Raffle, RaffleCommand, RaffleEntry, RaffleEntryCommand, RaffleEntryError, RaffleError,
    RaffleTicket, raffle_entry_id,
};
use crate::ids::{MemberId, ShopEventId};
use crate::member::Member;
use crate::record::Record;
use crate::storefront::PromotionState;
use crate::storefront::shop_event::ShopEvent;
use crate::unit_of_work::UnitOfWork;

/// Reasons why a member cannot enter, or winners cannot be drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RaffleRefusal {
    /// The raffle refuses it.
    #[error(transparent)]
    Raffle(#[from] RaffleError),
    /// The entry refuses it.
    #[error(transparent)]
    Entry(#[from] RaffleEntryError),
    /// There is no such event, or shoppers do not see it.
    #[error("there is no such event")]
    NoEvent,
    /// The event has not begun.
    #[error("the event has not begun")]
    NotBegun,
    /// The member's account is closed.
    #[error("the member's account is closed")]
    MemberLeft,
    /// It is not known who has a number that may win.
    #[error("it is not known who has number {0}")]
    UnknownNumber(u32),
}

/// Enters a member; returns the number. Who has entered gets the same number again.
///
/// # Errors
/// The event is hidden, has not begun, has no raffle or is over; the member has left.
pub fn enter(
    work: &mut UnitOfWork,
    event: ShopEventId,
    member: MemberId,
    mark: RaffleHash,
) -> Result<u32, RaffleRefusal> {
    let entry = raffle_entry_id(event, member);
    work.plan_write::<Raffle>(event);
    work.plan_write::<RaffleEntry>(entry);
    let before = work.state::<RaffleEntry>(entry);
    let owner = work.state::<Member>(member);
    let record = work.state::<Record<ShopEvent>>(event);
    if !work.is_loaded() {
        return Ok(0);
    }
    if let Some(ticket) = before.entered {
        return Ok(ticket.number);
    }
    let now = work.context().now;
    match record.data() {
        Ok(page) if page.shows => {
            if page.state(now) == PromotionState::Upcoming {
                return Err(RaffleRefusal::NotBegun);
            }
        }
        Ok(_) | Err(_) => return Err(RaffleRefusal::NoEvent),
    }
    if owner.left || !owner.has_joined() {
        return Err(RaffleRefusal::MemberLeft);
    }
    work.decide::<Raffle>(event, RaffleCommand::Count { entry, mark })?;
    let number = work.state::<Raffle>(event).entries;
    let ticket = RaffleTicket {
        raffle: event,
        member,
        number,
        mark,
    };
    work.decide::<RaffleEntry>(entry, RaffleEntryCommand::Enter(ticket))?;
    Ok(number)
}

/// Draws the winners of a raffle that is over, once; `entrants` says who has which number. A member who has left wins nothing, and the
/// next rank follows. Returns how many won.
///
/// # Errors
/// It is not over; the seed is another; who has a number that may win is not among `entrants`.
pub fn draw_winners(
    work: &mut UnitOfWork,
    event: ShopEventId,
    seed: RaffleSeed,
    entrants: &BTreeMap<u32, MemberId>,
) -> Result<u32, RaffleRefusal> {
    work.plan_write::<Raffle>(event);
    let raffle = work.state::<Raffle>(event);
    let terms = match raffle.terms {
        Some(terms) if !raffle.drawn => terms,
        Some(_) => return Ok(0),
        None if work.is_loaded() => return Err(RaffleError::NotOpened.into()),
        None => return Ok(0),
    };
    let mut left = BTreeSet::new();
    let mut winners = Vec::new();
    let mut places = terms.winners;
    for number in ranking(seed, raffle.chain, raffle.entries) {
        if places == 0 {
            break;
        }
        let unknown = RaffleRefusal::UnknownNumber(number);
        let member = *entrants.get(&number).ok_or(unknown)?;
        let entry = raffle_entry_id(event, member);
        work.plan_write::<RaffleEntry>(entry);
        let entered = work.state::<RaffleEntry>(entry).entered;
        let is_known = entered.is_some_and(|ticket| ticket.number == number);
        let owner = work.state::<Member>(member);
        if work.is_loaded() && !is_known {
            return Err(unknown);
        }
        match owner.left {
            true => {
                left.insert(number);
            }
            false => {
                winners.push(entry);
                places -= 1;
            }
        }
    }
    if !work.is_loaded() {
        return Ok(0);
    }
    work.decide::<Raffle>(event, RaffleCommand::Draw { seed, left })?;
    let prize = terms.prize;
    for entry in &winners {
        work.decide::<RaffleEntry>(*entry, RaffleEntryCommand::Win { prize })?;
    }
    Ok(u32::try_from(winners.len()).unwrap_or(u32::MAX))
}
