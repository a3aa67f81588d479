//! How events change an order.

use super::aggregate::{Order, OrderPayment};
use super::earned_points::Confirmation;
use super::events::OrderEvent;
use super::purchase::{Invoice, Purchase};
use super::status::{OrderStatus, PurchaseStatus};

impl Order {
    /// Applies `event` to the state.
    pub fn evolve(&mut self, event: OrderEvent) {
        match event {
            OrderEvent::OrderPlaced(terms) => {
                self.purchases = terms.purchases.iter().map(Purchase::placed).collect();
                self.terms = Some(terms);
            }
            OrderEvent::OrderPaid { payment, amount } => {
                self.paid = Some(OrderPayment { payment, amount });
                for purchase in &mut self.purchases {
                    purchase.order_status = OrderStatus::Payment;
                    purchase.purchase_status = PurchaseStatus::Awaiting;
                }
            }
            OrderEvent::DepositAwaited { until, .. } => {
                self.deposit_until = Some(until);
                self.deposit_wait_ended = false;
            }
            OrderEvent::DepositWaitEnded { .. } => self.deposit_wait_ended = true,
            OrderEvent::GuestRecordsErased {} => self.records_erased = true,
            OrderEvent::ReceiverCorrected { receiver } => self.corrected_receiver = Some(receiver),
            OrderEvent::StaffNoteWritten { note } => self.staff_note = note,
            OrderEvent::ReceiverDisclosed { .. } => {}
            OrderEvent::OrderCanceled { by, .. } => {
                self.canceled = Some(by);
                for purchase in &mut self.purchases {
                    purchase.order_status = OrderStatus::Canceled;
                    purchase.purchase_status = PurchaseStatus::Canceled;
                }
            }
            OrderEvent::PurchasePrepared { purchase_no } => {
                self.change(&purchase_no, |purchase| {
                    purchase.order_status = OrderStatus::Confirm;
                });
            }
            OrderEvent::PurchaseShipped {
                purchase_no,
                courier,
                invoice_no,
                deliver_by,
            } => self.change(&purchase_no, |purchase| {
                purchase.order_status = OrderStatus::Shipping;
                purchase.deliver_by = deliver_by;
                purchase.invoice = Some(Invoice {
                    courier,
                    invoice_no,
                });
            }),
            OrderEvent::InvoiceCorrected {
                purchase_no,
                courier,
                invoice_no,
            } => self.change(&purchase_no, |purchase| {
                purchase.invoice = Some(Invoice {
                    courier,
                    invoice_no,
                });
            }),
            OrderEvent::PurchaseDelayed {
                purchase_no,
                reason,
            } => self.change(&purchase_no, |purchase| {
                purchase.order_status = OrderStatus::Delayed;
                purchase.delay_reason = Some(reason);
            }),
            OrderEvent::PurchaseDelivered {
                purchase_no,
                confirm_on,
            } => self.change(&purchase_no, |purchase| {
                purchase.order_status = OrderStatus::Delivered;
                purchase.purchase_status = PurchaseStatus::Schedule;
                purchase.confirm_on = Some(confirm_on);
            }),
            OrderEvent::PurchaseCompleted { purchase_no, .. } => {
                self.earn_fares(&purchase_no);
                let line = self.purchase_terms(&purchase_no);
                let confirmed = line.map(|line| Confirmation {
                    purchase_no: purchase_no.clone(),
                    paid: line.paid,
                });
                self.change(&purchase_no, |purchase| {
                    purchase.purchase_status = PurchaseStatus::Complete;
                    purchase.confirmed = confirmed;
                });
            }
            OrderEvent::PurchaseSplit {
                from,
                purchase_no,
                part,
            } => self.take_split(&from, purchase_no, part),
            event => self.evolve_claim(event),
        }
    }

    pub(super) fn change(&mut self, purchase_no: &str, change: impl FnOnce(&mut Purchase)) {
        if let Some(purchase) = self
            .purchases
            .iter_mut()
            .find(|purchase| purchase.purchase_no == purchase_no)
        {
            change(purchase);
        }
    }
}
