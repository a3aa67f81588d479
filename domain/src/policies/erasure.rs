//! Erases personal data: what follows from events, and when the records of orders may be erased.

use time::OffsetDateTime;

use crate::ids::{MemberId, OrderId, PaymentId};
use crate::member::{Member, MemberCommand, MemberError, MemberEvent};
use crate::order::{Order, OrderCommand, OrderError, OrderEvent};
use crate::payment::Payment;
use crate::record::{RecordEvent, Resource};
use crate::unit_of_work::UnitOfWork;

/// What has to be erased after an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Erasure {
    /// The personal data of a closed account.
    Account,
    /// The records of a member's orders.
    MemberRecords,
    /// The records of a guest's order.
    GuestRecords,
    /// A contact.
    Contact,
    /// An inquiry.
    Inquiry,
}

/// What has to be erased after an event of a member.
pub fn after_member_event(event: &MemberEvent) -> Option<Erasure> {
    match event {
        MemberEvent::MemberLeft { .. } => Some(Erasure::Account),
        MemberEvent::StatutoryDataErased {} => Some(Erasure::MemberRecords),
        _ => None,
    }
}

/// What has to be erased after an event of an order.
pub fn after_order_event(event: &OrderEvent) -> Option<Erasure> {
    match event {
        OrderEvent::GuestRecordsErased {} => Some(Erasure::GuestRecords),
        _ => None,
    }
}

/// What has to be erased after an event of a record with a key of its own: `erasure`, once it is removed.
pub fn after_record_event<R: Resource>(
    event: &RecordEvent<R>,
    erasure: Erasure,
) -> Option<Erasure> {
    matches!(event, RecordEvent::Removed {}).then_some(erasure)
}

/// Orders and their payments as they were read, including for each order the next payment, which does not exist yet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OrderHistory {
    /// Time of the newest event.
    pub last: Option<OffsetDateTime>,
    /// The versions of the orders.
    pub orders: Vec<(OrderId, u64)>,
    /// The versions of the payments.
    pub payments: Vec<(PaymentId, u64)>,
}

/// Why records are not erased.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ErasureError {
    /// There are newer events than those that were read.
    #[error("an order or a payment has changed")]
    Changed,
    /// The member rejects it.
    #[error(transparent)]
    Member(#[from] MemberError),
    /// The order rejects it.
    #[error(transparent)]
    Order(#[from] OrderError),
}

impl OrderHistory {
    /// Requires that no events were added since it was read.
    fn hold_still(&self, work: &mut UnitOfWork) -> Result<(), ErasureError> {
        let orders = self.orders.iter().fold(true, |same, (id, version)| {
            (work.version::<Order>(id) == *version) & same
        });
        let payments = self.payments.iter().fold(true, |same, (id, version)| {
            (work.version::<Payment>(id) == *version) & same
        });
        match orders && payments {
            true => Ok(()),
            false => Err(ErasureError::Changed),
        }
    }
}

/// Erases the records of a member's orders, if their retention period has ended.
///
/// # Errors
/// [`ErasureError`].
pub fn erase_member_records(
    work: &mut UnitOfWork,
    member: MemberId,
    history: &OrderHistory,
) -> Result<(), ErasureError> {
    work.plan_write::<Member>(member);
    history.hold_still(work)?;
    let last = history.last;
    work.decide::<Member>(member, MemberCommand::EraseStatutoryData { last })?;
    Ok(())
}

/// Erases the records of a guest's order, if their retention period has ended.
///
/// # Errors
/// [`ErasureError`].
pub fn erase_guest_records(
    work: &mut UnitOfWork,
    order: OrderId,
    history: &OrderHistory,
) -> Result<(), ErasureError> {
    history.hold_still(work)?;
    let last = history.last.unwrap_or(work.context().now);
    work.decide::<Order>(order, OrderCommand::EraseGuestRecords { last })?;
    Ok(())
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use time::Duration;
    use uuid::Uuid;

    use super::*;
    use crate::event::{Actor, Context};

    const NOW: OffsetDateTime = OffsetDateTime::UNIX_EPOCH;

    #[test]
    fn records_stay_while_something_happens_to_an_order_or_a_payment() {
        let (member, order) = (MemberId(Uuid::nil()), OrderId(Uuid::nil()));
        let payment = PaymentId(Uuid::nil());
        let gone = Member {
            left: true,
            statutory_until: Some(NOW),
            ..Member::default()
        };
        let context = Context {
            now: NOW + Duration::days(1),
            actor: Actor::System,
        };
        let mut work = UnitOfWork::new(context);
        work.insert(member, gone, 2);
        work.insert(order, Order::default(), 5);
        work.insert(payment, Payment::default(), 0);
        let mut history = OrderHistory {
            last: None,
            orders: vec![(order, 5)],
            payments: vec![(payment, 1)],
        };
        let erased = erase_member_records(&mut work, member, &history);
        assert_eq!(erased, Err(ErasureError::Changed));
        assert!(work.writes().unwrap().is_empty());
        history.payments = vec![(payment, 0)];
        erase_member_records(&mut work, member, &history).unwrap();
        assert_eq!(work.writes().unwrap().len(), 1);
        assert_eq!(work.reads().unwrap().len(), 2, "order and payment");
    }
}
