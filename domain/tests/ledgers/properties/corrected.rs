//! Corrections of a placed order: they move neither stock nor money.

use domain::Sealed;
use domain::order::DisclosurePurpose;
use domain::shipping::Area;

use super::*;

/// A seal different from all previous ones.
fn sealed<T>(number: u128) -> Sealed<T> {
    let key = pickup();
    Sealed::from_parts(key.subject, key.purpose, format!("{number:08}"))
}

impl World {
    /// Another receiver in this area, and another note.
    pub(super) fn corrects(&mut self, order: usize, area: Area) -> Option<()> {
        let order = self.order(order)?;
        let note = Some(sealed(self.fresh()));
        self.shop
            .act(order, OrderCommand::WriteStaffNote { note })
            .ok()?;
        let read_out = OrderCommand::DiscloseReceiver {
            purchase_nos: vec![self.line(order, 0)],
            purpose: DisclosurePurpose::File,
        };
        // Refused before the payment and after a refund.
        let _ = self.shop.act(order, read_out);
        let receiver = sealed(self.fresh());
        let act = OrderCommand::CorrectReceiver { receiver, area };
        self.shop.act(order, act).ok().map(|_| ())
    }
}
