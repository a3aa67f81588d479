//! Writes events to their streams and to the general ledger.

use cqrs_es::{Aggregate, DomainEvent};
use domain::Amount;
use domain::coupon::{Campaign, CampaignEvent, IssuedCoupon, IssuedCouponEvent};
use domain::ids::{CouponId, IssuedCouponId, MemberId, OrderId, PaymentId, StockId, UserPaymentId};
use domain::member::Member;
use domain::order::{Order, OrderEvent};
use domain::payment::{Payment, PaymentEvent};
use domain::points::{Points, PointsEvent};
use domain::stock::{Stock, StockEvent};
use domain::unit_of_work::{StreamRef, UnitOfWork};
use domain::user_payment::UserPayment;
use uuid::Uuid;

use super::Shop;

impl Shop {
    /// One append: every stream or none.
    pub(super) fn write(&mut self, work: &UnitOfWork) {
        let streams: Vec<StreamRef> = work.plan().map(|(stream, _)| stream.clone()).collect();
        for StreamRef { kind, id } in streams {
            let uuid = id.split(':').next().and_then(|id| id.parse::<Uuid>().ok());
            let uuid = uuid.unwrap();
            match kind {
                Order::TYPE => self.write_order(OrderId(uuid), work.events::<Order>(id).to_vec()),
                Stock::TYPE => self.write_stock(StockId(uuid), work.events::<Stock>(id).to_vec()),
                IssuedCoupon::TYPE => self.write_issued(
                    IssuedCouponId(uuid),
                    work.events::<IssuedCoupon>(id).to_vec(),
                ),
                Campaign::TYPE => {
                    self.write_campaign(CouponId(uuid), work.events::<Campaign>(id).to_vec());
                }
                Points::TYPE => {
                    self.write_points(MemberId(uuid), work.events::<Points>(id).to_vec());
                }
                Payment::TYPE => {
                    self.write_payment(PaymentId(uuid), work.events::<Payment>(id).to_vec());
                }
                UserPayment::TYPE => {
                    let id = UserPaymentId(uuid);
                    for event in work.events::<UserPayment>(id) {
                        self.tally.seen.insert(event.event_type());
                        let state = self.user_payments.entry(id).or_default();
                        state.evolve(event.clone());
                    }
                }
                Member::TYPE => assert!(work.events::<Member>(id).is_empty()),
                other => panic!("{other}"),
            }
        }
    }

    pub(super) fn write_order(&mut self, order: OrderId, events: Vec<OrderEvent>) {
        for event in events {
            self.tally.seen.insert(event.event_type());
            self.books.order(order, &event).unwrap();
            if let OrderEvent::OrderPlaced(terms) = &event {
                self.tally.placed.insert(order, (**terms).clone());
            }
            self.orders.entry(order).or_default().evolve(event);
        }
    }

    pub(super) fn write_payment(&mut self, payment: PaymentId, events: Vec<PaymentEvent>) {
        for event in events {
            self.tally.seen.insert(event.event_type());
            self.books.payment(payment, &event).unwrap();
            let of_fee = self
                .payments
                .get(&payment)
                .and_then(|of| of.started.as_ref());
            if of_fee.is_some_and(|of| of.user_payment.is_some())
                && matches!(event, PaymentEvent::RefundRequested { .. })
            {
                self.tally.seen.insert("useless fee".to_owned());
            }
            match &event {
                PaymentEvent::PaymentApproved { amount, .. }
                | PaymentEvent::DepositReceived { amount, .. } => {
                    *self.tally.money.entry(payment).or_default() += amount.hundredths();
                }
                PaymentEvent::RefundCompleted { amount, .. } => {
                    *self.tally.money.entry(payment).or_default() -= amount.hundredths();
                }
                _ => {}
            }
            self.payments.entry(payment).or_default().evolve(event);
        }
    }

    pub(super) fn write_stock(&mut self, stock: StockId, events: Vec<StockEvent>) {
        let pieces = self.tally.pieces.entry(stock).or_default();
        for event in events {
            self.tally.seen.insert(event.event_type());
            match &event {
                StockEvent::StockCounted { quantity, .. } => *pieces = i64::from(*quantity),
                StockEvent::StockTaken { order, quantity } => {
                    *pieces -= i64::from(*quantity);
                    *self.tally.held.entry((stock, *order)).or_default() += i64::from(*quantity);
                }
                StockEvent::StockGivenBack { order, quantity } => {
                    *pieces += i64::from(*quantity);
                    *self.tally.held.entry((stock, *order)).or_default() -= i64::from(*quantity);
                }
                StockEvent::StockWrittenOff { order, quantity } => {
                    *self.tally.held.entry((stock, *order)).or_default() -= i64::from(*quantity);
                }
            }
            self.stock.entry(stock).or_default().evolve(event);
        }
        self.tally.held.retain(|_, pieces| *pieces != 0);
    }

    pub(super) fn write_issued(&mut self, issued: IssuedCouponId, events: Vec<IssuedCouponEvent>) {
        let uses = self.tally.uses.entry(issued).or_default();
        for event in events {
            self.tally.seen.insert(event.event_type());
            match &event {
                IssuedCouponEvent::CouponUsed { .. } => *uses += 1,
                IssuedCouponEvent::CouponReturned { .. } => *uses -= 1,
                IssuedCouponEvent::CouponIssued { .. }
                | IssuedCouponEvent::CouponRoundPassed { .. }
                | IssuedCouponEvent::CouponTaken { .. }
                | IssuedCouponEvent::CouponBroughtBack { .. }
                | IssuedCouponEvent::CouponPeriodChanged { .. } => {}
            }
            self.issued.entry(issued).or_default().evolve(event);
        }
    }

    pub(super) fn write_campaign(&mut self, coupon: CouponId, events: Vec<CampaignEvent>) {
        let counted = self.tally.counted.entry(coupon).or_default();
        for event in events {
            self.tally.seen.insert(event.event_type());
            match &event {
                CampaignEvent::CouponUseCounted { issued, amount, .. } => {
                    let before = counted.insert(*issued, amount.hundredths());
                    assert_eq!(before, None, "counted twice");
                }
                CampaignEvent::CouponUseReturned { issued, amount, .. } => {
                    let before = counted.remove(issued);
                    assert_eq!(before, amount.map(Amount::hundredths), "what it took off");
                }
                CampaignEvent::CampaignLimited { .. } | CampaignEvent::CouponDrawn { .. } => {}
            }
            self.campaigns.entry(coupon).or_default().evolve(event);
        }
    }

    pub(super) fn write_points(&mut self, member: MemberId, events: Vec<PointsEvent>) {
        for event in events {
            self.tally.seen.insert(event.event_type());
            self.books.points(&event).unwrap();
            self.liability.take(&event).unwrap();
            match &event {
                PointsEvent::PointsGranted { lot, amount, .. } => {
                    self.tally.granted.insert(*lot, amount.hundredths());
                }
                PointsEvent::PointsSpent { parts, .. } => {
                    for part in parts {
                        *self.tally.spent.entry(part.lot).or_default() += part.amount.hundredths();
                    }
                }
                PointsEvent::PointsRestored { parts, lost, .. } => {
                    for part in parts.iter().chain(lost) {
                        *self.tally.spent.entry(part.lot).or_default() -= part.amount.hundredths();
                    }
                    if !lost.is_empty() {
                        self.tally.seen.insert("lost points".to_owned());
                    }
                    for part in lost {
                        *self.tally.expired.entry(part.lot).or_default() +=
                            part.amount.hundredths();
                    }
                }
                PointsEvent::PointsRevoked { parts, .. } => {
                    for part in parts {
                        *self.tally.revoked.entry(part.lot).or_default() +=
                            part.amount.hundredths();
                    }
                }
                PointsEvent::PointsExpired { lot, amount } => {
                    *self.tally.expired.entry(*lot).or_default() += amount.hundredths();
                }
                PointsEvent::PointsTaken { lot, amount, .. } => {
                    *self.tally.taken.entry(*lot).or_default() += amount.hundredths();
                }
                PointsEvent::PointsLifeChanged { .. }
                | PointsEvent::PointsExpiryAnnounced { .. } => {}
            }
            self.points.entry(member).or_default().evolve(event);
        }
    }
}
