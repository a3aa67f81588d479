//! Changes by staff to a placed order: its receiver, and their own note.

use super::aggregate::Order;
use super::claims::ClaimState;
use super::error::OrderError;
use super::events::{DisclosurePurpose, OrderEvent};
use super::status::PurchaseStatus;
use crate::personal::{Party, Sealed};
use crate::shipping::Area;

impl Order {
    /// The current receiver: as last corrected, else as placed. A parcel that was sent before a correction went to the receiver at that
    /// time.
    ///
    /// # Errors
    /// [`OrderError::NotPlaced`].
    pub fn receiver(&self) -> Result<&Sealed<Party>, OrderError> {
        let placed = &self.terms()?.receiver;
        Ok(self.corrected_receiver.as_ref().unwrap_or(placed))
    }

    /// Checks whether the receiver may be corrected: some goods are still to be sent.
    ///
    /// # Errors
    /// [`OrderError::OrderCanceled`], [`OrderError::NothingToSend`].
    pub(super) fn may_correct_receiver(&self) -> Result<(), OrderError> {
        self.terms()?;
        if self.canceled.is_some() {
            return Err(OrderError::OrderCanceled);
        }
        let is_to_be_sent = self.purchases.iter().any(|purchase| {
            let is_final = matches!(
                purchase.purchase_status,
                PurchaseStatus::Complete | PurchaseStatus::Canceled
            );
            !purchase.is_sent() && !is_final && !self.is_being_refunded(&purchase.purchase_no)
        });
        match is_to_be_sent {
            true => Ok(()),
            false => Err(OrderError::NothingToSend),
        }
    }

    /// Whether its cancellation is approved, so that it is not sent even though the refund is not completed.
    fn is_being_refunded(&self, purchase_no: &str) -> bool {
        self.claims.iter().any(|claim| {
            matches!(claim.state, ClaimState::Approved { .. })
                && claim.purchase_nos.iter().any(|no| no == purchase_no)
        })
    }

    pub(super) fn correct_receiver(
        &self,
        receiver: Sealed<Party>,
        area: Area,
    ) -> Result<Vec<OrderEvent>, OrderError> {
        self.may_correct_receiver()?;
        if area != self.terms()?.area {
            return Err(OrderError::OtherArea);
        }
        Ok(match *self.receiver()? == receiver {
            true => vec![],
            false => vec![OrderEvent::ReceiverCorrected { receiver }],
        })
    }

    /// Only what is paid and not given back is sent, so only its receiver is read out.
    pub(super) fn disclose_receiver(
        &self,
        purchase_nos: Vec<String>,
        purpose: DisclosurePurpose,
    ) -> Result<Vec<OrderEvent>, OrderError> {
        self.terms()?;
        if self.records_erased {
            return Err(OrderError::RecordsErased);
        }
        for no in &purchase_nos {
            let purchase = self.known(no)?;
            match purchase.purchase_status {
                PurchaseStatus::Pending => return Err(OrderError::NotPaid),
                PurchaseStatus::Canceled => return Err(OrderError::Final(no.clone())),
                PurchaseStatus::Awaiting | PurchaseStatus::Schedule | PurchaseStatus::Complete => {}
            }
            if self.is_being_refunded(no) {
                return Err(OrderError::ClaimOpen(no.clone()));
            }
        }
        Ok(match purchase_nos.is_empty() {
            true => vec![],
            false => vec![OrderEvent::ReceiverDisclosed {
                purchase_nos,
                purpose,
            }],
        })
    }

    pub(super) fn write_staff_note(
        &self,
        note: Option<Sealed<String>>,
    ) -> Result<Vec<OrderEvent>, OrderError> {
        self.terms()?;
        if self.records_erased && note.is_some() {
            return Err(OrderError::RecordsErased);
        }
        Ok(match self.staff_note == note {
            true => vec![],
            false => vec![OrderEvent::StaffNoteWritten { note }],
        })
    }
}
