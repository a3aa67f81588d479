//! Any sequence of things people may do, in any order: stock, coupons, points and money are conserved.

use std::collections::{BTreeMap, BTreeSet};

use domain::coupon::IssuedCouponEvent;
use domain::event::EventNames;
use domain::ids::{ClaimId, OrderId, PaymentId, StockId};
use domain::order::{
    Action, CancelReason, CancelRequest, CanceledBy, ClaimAnswer, ClaimIds, ClaimKind, ClaimPieces,
    ClaimState, FareOutcome, Fault, Inspection, Invoice, Order, OrderCommand, OrderEvent,
    OrderTerms, ParcelRules, Purchase, PurchaseStatus, Reader, ReturnRequest,
};
use domain::points::{PointsCommand, PointsEvent};
use domain::shipping::Area;
use domain::stock::StockEvent;
use domain::{Amount, Decider};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use time::Duration;

use super::given::id;
use super::shop::{Basket, COUPONS, PRODUCTS, Shop, buyer, coupon_id, pickup};

/// Something somebody does. Orders, lines and claims are named by place and wrap around.
#[derive(Clone, Debug)]
enum Deed {
    Place(Basket),
    Pay(usize),
    CancelUnpaid(usize, CanceledBy),
    Prepare(usize, usize),
    Ship(usize, usize),
    Delay(usize, usize),
    Deliver(usize, usize),
    Confirm(usize, usize),
    ConfirmByDate(usize, usize),
    /// Everything from preparing to confirming.
    Finish(usize, usize),
    RequestCancel(usize, u8, CanceledBy),
    CancelPieces(usize, usize, u32, CanceledBy),
    RequestReturn(usize, usize, u32, Fault),
    /// Everything from preparing to the request of a return.
    ShipAndReturn(usize, usize, u32, Fault),
    Withdraw(usize, usize),
    PickUp(usize, usize),
    Inspect(usize, usize, (u32, u32), Fault),
    /// Everything from the pickup to the approval of a return.
    TakeBack(usize, usize, (u32, u32), Fault),
    Approve(usize, usize),
    Reject(usize, usize),
    SettleClaim(usize, usize),
    Grant(usize, i64, i64),
    Expire(usize),
    Count(usize, u32),
    Limit(u32),
    Wait(i64),
}

fn basket() -> impl Strategy<Value = Basket> {
    (
        0..2_usize,
        proptest::collection::vec((0..PRODUCTS, 1..4_u32), 1..4),
        proptest::sample::subsequence((0..COUPONS).collect::<Vec<_>>(), 0..=COUPONS),
        prop_oneof![Just(0), 0..3_000_i64, Just(1_000_000)],
        select(vec![Area::None, Area::Island, Area::Jeju]),
    )
        .prop_map(|(buyer, lines, coupons, points, area)| Basket {
            buyer,
            lines,
            coupons,
            points,
            area,
        })
}

fn fault() -> impl Strategy<Value = Fault> {
    select(Fault::ALL)
}

/// Pieces that arrived, and that can be sold again.
fn pieces() -> impl Strategy<Value = (u32, u32)> {
    (0..4_u32, 0..4_u32)
}

fn deed() -> impl Strategy<Value = Deed> {
    let order = 0..5_usize;
    let line = 0..3_usize;
    let who = select(vec![
        CanceledBy::Buyer,
        CanceledBy::Staff,
        CanceledBy::Deadline,
    ]);
    prop_oneof![
        4 => basket().prop_map(Deed::Place),
        6 => order.clone().prop_map(Deed::Pay),
        1 => (order.clone(), who.clone()).prop_map(|(order, by)| Deed::CancelUnpaid(order, by)),
        6 => (order.clone(), line.clone()).prop_map(|(order, line)| Deed::Prepare(order, line)),
        3 => (order.clone(), line.clone()).prop_map(|(order, line)| Deed::Ship(order, line)),
        4 => (order.clone(), line.clone()).prop_map(|(order, line)| Deed::Delay(order, line)),
        3 => (order.clone(), line.clone()).prop_map(|(order, line)| Deed::Deliver(order, line)),
        3 => (order.clone(), line.clone()).prop_map(|(order, line)| Deed::Confirm(order, line)),
        1 => (order.clone(), line.clone()).prop_map(|(order, line)| Deed::ConfirmByDate(order, line)),
        6 => (order.clone(), line.clone()).prop_map(|(order, line)| Deed::Finish(order, line)),
        4 => (order.clone(), 1..8_u8, who.clone()).prop_map(|(order, lines, by)| Deed::RequestCancel(order, lines, by)),
        4 => (order.clone(), line.clone(), 0..4_u32, who).prop_map(|(order, line, pieces, by)| Deed::CancelPieces(order, line, pieces, by)),
        2 => (order.clone(), line.clone(), 0..4_u32, fault()).prop_map(|(order, line, pieces, fault)| Deed::RequestReturn(order, line, pieces, fault)),
        6 => (order.clone(), line.clone(), 0..4_u32, fault()).prop_map(|(order, line, pieces, fault)| Deed::ShipAndReturn(order, line, pieces, fault)),
        1 => (order.clone(), line.clone()).prop_map(|(order, claim)| Deed::Withdraw(order, claim)),
        2 => (order.clone(), line.clone()).prop_map(|(order, claim)| Deed::PickUp(order, claim)),
        2 => (order.clone(), line.clone(), pieces(), fault()).prop_map(|(order, claim, found, fault)| Deed::Inspect(order, claim, found, fault)),
        5 => (order.clone(), line.clone(), pieces(), fault()).prop_map(|(order, claim, found, fault)| Deed::TakeBack(order, claim, found, fault)),
        2 => (order.clone(), line.clone()).prop_map(|(order, claim)| Deed::Approve(order, claim)),
        3 => (order.clone(), line.clone()).prop_map(|(order, claim)| Deed::Reject(order, claim)),
        3 => (order, line).prop_map(|(order, claim)| Deed::SettleClaim(order, claim)),
        1 => (0..2_usize, 1..2_000_i64, 1..5_i64).prop_map(|(buyer, amount, days)| Deed::Grant(buyer, amount, days)),
        1 => (0..8_usize).prop_map(Deed::Expire),
        1 => (0..PRODUCTS, 0..8_u32).prop_map(|(product, quantity)| Deed::Count(product, quantity)),
        1 => (0..3_u32).prop_map(Deed::Limit),
        2 => (1..200_i64).prop_map(Deed::Wait),
    ]
}

/// A shop with what the deeds need to name things.
struct World {
    shop: Shop,
    placed: Vec<OrderId>,
    ids: u128,
}

impl World {
    fn open() -> Self {
        Self {
            shop: Shop::open(),
            placed: vec![],
            ids: 0x10_0000,
        }
    }

    fn fresh(&mut self) -> u128 {
        self.ids += 1;
        self.ids
    }

    fn order(&self, place: usize) -> Option<OrderId> {
        (!self.placed.is_empty())
            .then(|| self.placed.get(place % self.placed.len()).copied())
            .flatten()
    }

    fn line(&self, order: OrderId, place: usize) -> String {
        let state = self.shop.order(order);
        let count = state.purchases.len();
        state
            .purchases
            .get(place % count)
            .unwrap()
            .purchase_no
            .clone()
    }

    fn claim(&self, order: OrderId, place: usize) -> ClaimId {
        let state = self.shop.order(order);
        let count = state.claims.len().max(1);
        state
            .claims
            .get(place % count)
            .map_or(id(0xDEAD), |claim| claim.id)
    }

    /// Does it, or is refused; a refusal leaves everything as it was.
    fn does(&mut self, deed: Deed) {
        let before = self.shop.clone();
        if self.tries(deed).is_none() {
            assert_eq!(
                self.shop.books.books(),
                before.books.books(),
                "a refusal moved money"
            );
        }
    }

    fn tries(&mut self, deed: Deed) -> Option<()> {
        match deed {
            Deed::Place(basket) => {
                let order = id(self.fresh());
                let terms = self.shop.terms(&basket, order).ok()?;
                self.shop.place_terms(order, terms).ok()?;
                self.placed.push(order);
                Some(())
            }
            Deed::Pay(order) => {
                let (order, payment) = (self.order(order)?, id::<PaymentId>(self.fresh()));
                // paying twice or too late moves money in and out again: not a refusal
                let _ = self.shop.pay(order, payment);
                Some(())
            }
            Deed::CancelUnpaid(order, by) => {
                let order = self.order(order)?;
                self.shop.cancel_unpaid(order, by).ok()
            }
            Deed::Prepare(order, line) => {
                self.acts(order, line, |purchase_no| OrderCommand::Prepare {
                    purchase_nos: vec![purchase_no],
                })
            }
            Deed::Ship(order, line) => {
                let invoice_no = format!("1234-5678-{}", self.fresh());
                self.acts(order, line, |purchase_no| OrderCommand::Ship {
                    purchase_no,
                    courier: "kr.cjlogistics".to_owned(),
                    invoice_no,
                    auto_deliver_days: 3,
                })
            }
            Deed::Delay(order, line) => self.acts(order, line, |purchase_no| OrderCommand::Delay {
                purchase_no,
                reason: "입고 지연".to_owned(),
            }),
            Deed::Deliver(order, line) => {
                self.acts(order, line, |purchase_no| OrderCommand::Deliver {
                    purchase_no,
                    auto_confirm_days: 2,
                })
            }
            Deed::Confirm(order, line) => {
                self.acts(order, line, |purchase_no| OrderCommand::Confirm {
                    purchase_nos: vec![purchase_no],
                })
            }
            Deed::ConfirmByDate(order, line) => self.acts(order, line, |purchase_no| {
                OrderCommand::ConfirmByDate { purchase_no }
            }),
            Deed::Finish(order, line) => {
                for deed in [
                    Deed::Prepare(order, line),
                    Deed::Ship(order, line),
                    Deed::Deliver(order, line),
                ] {
                    self.tries(deed);
                }
                self.tries(Deed::Confirm(order, line))
            }
            Deed::RequestCancel(order, lines, by) => {
                let order = self.order(order)?;
                let purchase_nos = self
                    .shop
                    .order(order)
                    .purchases
                    .iter()
                    .enumerate()
                    .filter(|(place, _)| lines & (1 << place) != 0)
                    .map(|(_, purchase)| purchase.purchase_no.clone())
                    .collect::<Vec<_>>();
                let ids = ClaimIds {
                    claim: id(self.fresh()),
                    refund: id(self.fresh()),
                };
                let reason = CancelReason::plain("마음이 바뀌었습니다");
                let request = CancelRequest {
                    parcels: self.shop.parcels(order),
                    ..CancelRequest::whole(ids, purchase_nos, by, reason)
                };
                self.shop.request_cancel(order, request).ok()
            }
            Deed::CancelPieces(order, line, quantity, by) => {
                let order = self.order(order)?;
                let ids = ClaimIds {
                    claim: id(self.fresh()),
                    refund: id(self.fresh()),
                };
                let request = CancelRequest {
                    ids,
                    pieces: vec![ClaimPieces {
                        purchase_no: self.line(order, line),
                        quantity: Some(quantity),
                    }],
                    by,
                    reason: CancelReason::plain("수량을 잘못 골랐습니다"),
                    parcels: self.shop.parcels(order),
                };
                self.shop.request_cancel(order, request).ok()
            }
            Deed::RequestReturn(order, line, quantity, fault) => {
                let order = self.order(order)?;
                let purchase_no = self.line(order, line);
                let claim = id(self.fresh());
                // the pieces an inspection misses have the next id
                self.fresh();
                self.shop
                    .request_return(
                        order,
                        ReturnRequest {
                            claim,
                            pieces: ClaimPieces {
                                purchase_no,
                                quantity: Some(quantity),
                            },
                            by: CanceledBy::Buyer,
                            reason: CancelReason::plain("마음이 바뀌었습니다"),
                            fault,
                            pickup: pickup(),
                            parcels: self.shop.parcels(order),
                        },
                    )
                    .ok()
            }
            Deed::ShipAndReturn(order, line, quantity, fault) => self.tries_all([
                Deed::Pay(order),
                Deed::Prepare(order, line),
                Deed::Ship(order, line),
                Deed::Deliver(order, line),
                Deed::RequestReturn(order, line, quantity, fault),
            ]),
            Deed::Withdraw(order, claim) => {
                let order = self.order(order)?;
                let claim = self.claim(order, claim);
                let act = OrderCommand::WithdrawClaim { claim };
                self.shop.act(order, act).ok().map(|_| ())
            }
            Deed::PickUp(order, claim) => {
                let order = self.order(order)?;
                let act = OrderCommand::PickUpGoods {
                    claim: self.claim(order, claim),
                    invoice: None,
                    by: Reader::Staff,
                };
                self.shop.act(order, act).ok().map(|_| ())
            }
            Deed::Inspect(order, claim, (arrived, resellable), fault) => {
                let order = self.order(order)?;
                let act = OrderCommand::InspectGoods {
                    claim: self.claim(order, claim),
                    inspection: Inspection {
                        arrived,
                        resellable,
                        fault,
                    },
                    by: Reader::Staff,
                };
                self.shop.act(order, act).ok().map(|_| ())
            }
            Deed::TakeBack(order, claim, found, fault) => self.tries_all([
                Deed::PickUp(order, claim),
                Deed::Inspect(order, claim, found, fault),
                Deed::Approve(order, claim),
            ]),
            Deed::Approve(order, claim) => {
                let order = self.order(order)?;
                let answer = ClaimAnswer {
                    claim: self.claim(order, claim),
                    refund: id(self.fresh()),
                    by: Reader::Staff,
                    parcels: self.shop.parcels(order),
                };
                self.shop.approve_claim(order, answer).ok()
            }
            Deed::Reject(order, claim) => {
                let order = self.order(order)?;
                let claim = self.claim(order, claim);
                let reason = "이미 발송했습니다".to_owned();
                let by = Reader::Staff;
                self.shop
                    .act(
                        order,
                        OrderCommand::RejectClaim {
                            claim,
                            reason,
                            invoice: Some(Invoice {
                                courier: "kr.epost".to_owned(),
                                invoice_no: "9999-9999-9999".to_owned(),
                            }),
                            by,
                        },
                    )
                    .ok()
                    .map(|_| ())
            }
            Deed::SettleClaim(order, claim) => {
                let order = self.order(order)?;
                let claim = self.claim(order, claim);
                self.shop.settle_claim(order, claim).ok()
            }
            Deed::Grant(buyer, amount, days) => self.shop.grant(buyer, amount, days).ok(),
            Deed::Expire(place) => {
                let lot = *self.shop.tally.granted.keys().nth(place)?;
                (0..2)
                    .filter(|number| {
                        let act = PointsCommand::Expire { lot };
                        self.shop.act_points(buyer(*number), act).is_ok()
                    })
                    .map(|_| ())
                    .next()
            }
            Deed::Count(product, quantity) => self.shop.count(product, quantity).ok(),
            Deed::Limit(uses) => {
                self.shop.limit(Some(uses));
                Some(())
            }
            Deed::Wait(hours) => {
                self.shop.now += Duration::hours(hours);
                Some(())
            }
        }
    }

    /// Does each that is not refused; none if all are.
    fn tries_all<const N: usize>(&mut self, deeds: [Deed; N]) -> Option<()> {
        let done = deeds.map(|deed| self.tries(deed));
        done.into_iter().flatten().next()
    }

    fn acts(
        &mut self,
        order: usize,
        line: usize,
        act: impl FnOnce(String) -> OrderCommand,
    ) -> Option<()> {
        let order = self.order(order)?;
        let purchase_no = self.line(order, line);
        self.shop.act(order, act(purchase_no)).ok().map(|_| ())
    }
}

/// The parts of a purchase add up to what was placed, in every amount, and each of them is what its discounts leave of it.
fn parts_add_up(shop: &Shop) {
    for (id, order) in &shop.orders {
        let placed = order.placed_terms().unwrap();
        assert_eq!(Some(&*placed), shop.tally.placed.get(id), "{id}");
        assert_eq!(terms_of(order).purchases.len(), order.purchases.len());
        for line in &terms_of(order).purchases {
            let parts = [
                line.product_discount,
                line.level_discount,
                line.product_coupon,
                line.total_coupon,
                line.points,
                line.paid,
            ];
            assert!(parts.iter().all(|part| !part.is_negative()), "{line:?}");
            let goods = line.unit_price.times(line.quantity).unwrap();
            assert_eq!(goods, Amount::total(parts).unwrap(), "{line:?}");
            let borne = order.borne_by_seller_of_line(line).unwrap();
            let coupons = line.product_coupon.plus(line.total_coupon).unwrap();
            assert!(!borne.is_negative() && borne <= coupons, "{line:?}");
        }
        for line in &placed.purchases {
            let of_it = terms_of(order)
                .purchases
                .iter()
                .filter(|part| order.placed_no(&part.purchase_no) == line.purchase_no);
            let borne = of_it.map(|part| order.borne_by_seller_of_line(part).unwrap());
            let whole = placed.borne_by_seller_of_line(line).unwrap();
            assert_eq!(Amount::total(borne).unwrap(), whole, "{line:?}");
        }
    }
}

fn conserved(shop: &Shop) {
    parts_add_up(shop);
    stock_is_conserved(shop);
    points_are_conserved(shop);
    coupons_are_conserved(shop);
    money_is_conserved(shop);
}

/// What is not canceled for good or on its way to it.
fn kept(order: &Order) -> impl Iterator<Item = &Purchase> {
    let gone: BTreeSet<&String> = order
        .claims
        .iter()
        .filter(|claim| claim.is_granted())
        .flat_map(|claim| &claim.purchase_nos)
        .collect();
    order.purchases.iter().filter(move |purchase| {
        purchase.purchase_status != PurchaseStatus::Canceled
            && !gone.contains(&purchase.purchase_no)
    })
}

fn terms_of(order: &Order) -> &OrderTerms {
    order.terms().unwrap()
}

fn stock_is_conserved(shop: &Shop) {
    for (stock, pieces) in &shop.tally.pieces {
        assert!(*pieces >= 0, "{stock} is at {pieces}");
        let ledger = shop.stock.get(stock).unwrap();
        assert_eq!(i64::from(ledger.available), *pieces, "{stock}");
    }
    let mut wanted: BTreeMap<(StockId, OrderId), i64> = BTreeMap::new();
    for (id, order) in &shop.orders {
        for purchase in kept(order) {
            let line = order.purchase_terms(&purchase.purchase_no).unwrap();
            for taken in &line.stock {
                *wanted.entry((taken.stock, *id)).or_default() += i64::from(taken.quantity);
            }
        }
    }
    let held = &shop.tally.held;
    assert_eq!(*held, wanted, "orders hold what they need, no more");
    for (stock, ledger) in &shop.stock {
        let of_orders = held.iter().filter(|((held, _), _)| held == stock);
        let of_orders: i64 = of_orders.map(|(_, pieces)| pieces).sum();
        assert_eq!(i64::try_from(ledger.taken), Ok(of_orders), "{stock}");
    }
}

fn points_are_conserved(shop: &Shop) {
    let of = |tally: &BTreeMap<_, i64>, lot| tally.get(&lot).copied().unwrap_or(0);
    for points in shop.points.values() {
        for (id, lot) in &points.lots {
            let (granted, spent, expired) = (
                of(&shop.tally.granted, *id),
                of(&shop.tally.spent, *id),
                of(&shop.tally.expired, *id),
            );
            assert!(spent >= 0 && lot.left >= Amount::ZERO, "lot {id}");
            assert_eq!(lot.left.hundredths(), granted - spent - expired, "lot {id}");
            assert_eq!(lot.expired.hundredths(), expired, "lot {id}");
            let held = points.spent.values().filter_map(|lots| lots.get(id));
            let held = Amount::total(held.copied()).unwrap();
            assert_eq!(held.hundredths(), spent, "lot {id}: what orders hold");
        }
    }
}

fn coupons_are_conserved(shop: &Shop) {
    let mut used: BTreeMap<_, BTreeSet<OrderId>> = BTreeMap::new();
    for (id, order) in &shop.orders {
        if order.canceled.is_some() {
            continue;
        }
        let returned: BTreeSet<_> = order
            .claims
            .iter()
            .filter(|claim| claim.is_granted())
            .flat_map(|claim| &claim.refund.coupons)
            .collect();
        for coupon in &terms_of(order).coupons {
            if !returned.contains(&coupon.issued) {
                used.entry(coupon.issued).or_default().insert(*id);
            }
        }
    }
    for (issued, coupon) in &shop.issued {
        let on: Vec<OrderId> = used.get(issued).into_iter().flatten().copied().collect();
        assert!(on.len() <= 1, "a coupon is used twice");
        assert_eq!(coupon.used_on, on.first().copied(), "{issued}");
        let uses = shop.tally.uses.get(issued).copied().unwrap_or(0);
        assert_eq!(uses, i64::try_from(on.len()).unwrap(), "{issued}");
    }
    for (coupon, campaign) in &shop.campaigns {
        let in_use = shop
            .issued
            .values()
            .filter(|issued| issued.used_on.is_some())
            .filter(|issued| {
                issued
                    .held
                    .as_ref()
                    .is_some_and(|held| held.coupon == *coupon)
            })
            .count();
        assert_eq!(*coupon, coupon_id(super::shop::FIRST_COME));
        assert_eq!(
            campaign.used,
            u64::try_from(in_use).unwrap(),
            "counted uses"
        );
        let counted = shop.tally.counted.get(coupon);
        let counted = counted.map(|of| of.values().copied().collect::<Vec<_>>());
        let counted = counted.unwrap_or_default();
        assert_eq!(counted.len(), in_use, "who holds the counted uses");
        let taken_off: i64 = counted.iter().sum();
        assert_eq!(campaign.taken_off, Amount::new(taken_off));
    }
}

fn money_is_conserved(shop: &Shop) {
    assert_eq!(shop.books.faults().unwrap(), vec![]);
    assert_eq!(shop.books.books().sum(), Ok(Amount::ZERO));
    for (payment, left) in &shop.tally.money {
        assert!(*left >= 0, "{payment}: more came back than went out");
    }
    // with every order done and every approved refund made, the buyers' money is the sellers' or back
    for (id, order) in &shop.orders {
        let refunded = order
            .claims
            .iter()
            .filter(|claim| matches!(claim.state, ClaimState::Completed { .. }))
            .map(|claim| claim.refund.money);
        let refunded = Amount::total(refunded).unwrap();
        let paid = order.paid.map(|paid| paid.amount).unwrap_or_default();
        assert!(refunded <= paid, "{id}: {refunded} back of {paid}");
        if kept(order).count() == 0 && order.paid.is_some() && order.is_done() {
            let fees = order.claims.iter().flat_map(|claim| &claim.refund.fees);
            let fees = Amount::total(fees.map(|fee| fee.amount)).unwrap();
            let is_earned = |place: &usize| {
                let place = u32::try_from(*place).unwrap();
                order.fares.get(&place) == Some(&FareOutcome::Earned)
            };
            let fares = terms_of(order).fares.iter().enumerate();
            let fares = fares.filter(|(place, _)| is_earned(place));
            let fares = Amount::total(fares.map(|(_, fare)| fare.paid)).unwrap();
            let explained = Amount::total([refunded, fees, fares]).unwrap();
            assert_eq!(explained, paid, "{id}: everything was given back");
        }
    }
}

/// What `nextActions` promises works, and what works is promised.
fn actions_tell_the_truth(shop: &Shop) {
    let context = shop.context();
    for order in shop.orders.values() {
        for purchase in &order.purchases {
            let no = purchase.purchase_no.clone();
            let staff = order.purchase_actions(Reader::Staff, purchase);
            let works = |act: OrderCommand| {
                order
                    .decide(act, &context)
                    .is_ok_and(|events| !events.is_empty())
            };
            let cancel = |by| {
                OrderCommand::RequestCancel(Box::new(CancelRequest::whole(
                    ClaimIds {
                        claim: id(0xFFFF),
                        refund: id(0xFFFE),
                    },
                    vec![no.clone()],
                    by,
                    CancelReason::plain("사유"),
                )))
            };
            let ships = works(OrderCommand::Ship {
                purchase_no: no.clone(),
                courier: "kr.epost".to_owned(),
                invoice_no: "9999999999999".to_owned(),
                auto_deliver_days: 7,
            });
            for (action, works) in [
                (
                    Action::Prepare,
                    works(OrderCommand::Prepare {
                        purchase_nos: vec![no.clone()],
                    }),
                ),
                (
                    Action::Delay,
                    works(OrderCommand::Delay {
                        purchase_no: no.clone(),
                        reason: "다른 사유".to_owned(),
                    }),
                ),
                (
                    Action::Deliver,
                    works(OrderCommand::Deliver {
                        purchase_no: no.clone(),
                        auto_confirm_days: 8,
                    }),
                ),
                (Action::Cancel, works(cancel(CanceledBy::Staff))),
            ] {
                assert_eq!(staff.contains(&action), works, "{action:?} of {purchase:?}");
            }
            assert_eq!(
                staff.contains(&Action::Ship) || staff.contains(&Action::CorrectInvoice),
                ships
            );
            let buyer = order.purchase_actions(Reader::Buyer, purchase);
            assert_eq!(
                buyer.contains(&Action::Confirm),
                works(OrderCommand::Confirm {
                    purchase_nos: vec![no.clone()]
                })
            );
            assert_eq!(
                buyer.contains(&Action::Cancel) || buyer.contains(&Action::RequestCancel),
                works(cancel(CanceledBy::Buyer))
            );
            let claim = order.claims.iter().find(|claim| {
                claim.purchase_nos.contains(&no) && claim.state == ClaimState::Requested
            });
            let is = |kind| claim.is_some_and(|claim| claim.kind() == kind);
            assert_eq!(
                staff.contains(&Action::ApproveCancel),
                is(ClaimKind::Cancel)
            );
            assert_eq!(staff.contains(&Action::RejectReturn), is(ClaimKind::Return));
            assert_eq!(
                buyer.contains(&Action::WithdrawClaim),
                claim.is_some_and(|claim| works(OrderCommand::WithdrawClaim { claim: claim.id }))
            );
            assert_eq!(
                buyer.contains(&Action::RequestReturn),
                works(OrderCommand::RequestReturn(Box::new(ReturnRequest {
                    claim: id(0xFFFF),
                    pieces: ClaimPieces::all(no.clone()),
                    by: CanceledBy::Buyer,
                    reason: CancelReason::plain("사유"),
                    fault: Fault::Seller,
                    pickup: pickup(),
                    parcels: ParcelRules::default(),
                })))
            );
            // a seller has all of that, but for claims on goods of others too
            let is_mixed = claim.is_some_and(|claim| {
                let mut lines = order.purchases.iter();
                lines.any(|line| {
                    claim.purchase_nos.contains(&line.purchase_no) && line.seller != purchase.seller
                })
            });
            let own = order.purchase_actions(Reader::Seller(purchase.seller), purchase);
            let answers = [
                Action::ApproveCancel,
                Action::RejectCancel,
                Action::PickUpGoods,
                Action::InspectGoods,
                Action::ApproveReturn,
                Action::RejectReturn,
            ];
            let all_but = |action: &&Action| !is_mixed || !answers.contains(action);
            let expected: Vec<Action> = staff.iter().filter(all_but).copied().collect();
            assert_eq!(own, expected);
            if let Some(claim) = claim {
                let by = Reader::Seller(purchase.seller);
                let reason = "사유".to_owned();
                let (claim, refund) = (claim.id, id(0xFFFE));
                let offers = |actions: &[Action]| actions.iter().any(|one| own.contains(one));
                let invoice = || {
                    Some(Invoice {
                        courier: "kr.epost".to_owned(),
                        invoice_no: "8888888888888".to_owned(),
                    })
                };
                let parcels = ParcelRules::default();
                let pieces = order.purchase_terms(&no).unwrap().quantity;
                for (actions, act) in [
                    (
                        [Action::ApproveCancel, Action::ApproveReturn].as_slice(),
                        OrderCommand::ApproveClaim(Box::new(ClaimAnswer {
                            claim,
                            refund,
                            by,
                            parcels,
                        })),
                    ),
                    (
                        &[Action::RejectCancel, Action::RejectReturn],
                        OrderCommand::RejectClaim {
                            claim,
                            reason,
                            invoice: invoice(),
                            by,
                        },
                    ),
                    (
                        &[Action::PickUpGoods],
                        OrderCommand::PickUpGoods {
                            claim,
                            invoice: invoice(),
                            by,
                        },
                    ),
                    (
                        &[Action::InspectGoods],
                        OrderCommand::InspectGoods {
                            claim,
                            inspection: Inspection {
                                arrived: pieces,
                                resellable: 0,
                                fault: Fault::Buyer,
                            },
                            by,
                        },
                    ),
                ] {
                    assert_eq!(works(act), offers(actions), "{actions:?} of {purchase:?}");
                }
            }
            assert!(
                order
                    .purchase_actions(Reader::Seller(id(0x5E)), purchase)
                    .is_empty()
            );
        }
        assert_eq!(
            order.next_actions(Reader::Buyer).contains(&Action::Pay),
            order.paid.is_none() && order.canceled.is_none()
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 192, max_shrink_iters: 4_000, ..ProptestConfig::default() })]

    #[test]
    fn whatever_people_do_everything_is_conserved(deeds in proptest::collection::vec(deed(), 1..70)) {
        let mut world = World::open();
        for deed in deeds {
            world.does(deed);
            conserved(&world.shop);
        }
        actions_tell_the_truth(&world.shop);
    }
}

/// The property above is worth something only if its deeds get far: every event of orders, stock, points and coupon uses happens.
#[test]
fn the_deeds_reach_every_event() {
    let mut runner = TestRunner::deterministic();
    let mut seen = BTreeSet::new();
    for _ in 0..300 {
        let deeds = proptest::collection::vec(deed(), 69)
            .new_tree(&mut runner)
            .unwrap()
            .current();
        let mut world = World::open();
        for deed in deeds {
            world.does(deed);
        }
        seen.extend(world.shop.tally.seen);
    }
    let names = [
        OrderEvent::NAMES,
        StockEvent::NAMES,
        PointsEvent::NAMES,
        IssuedCouponEvent::NAMES,
    ]
    .concat();
    let missing: Vec<&str> = names
        .into_iter()
        .map(|(name, _)| name)
        // nobody in this world is a guest, and it lasts no five years
        .filter(|name| !seen.contains(*name) && *name != "GuestRecordsErased")
        .collect();
    assert!(missing.is_empty(), "{missing:?} never happened");
    assert!(
        seen.contains("lost points"),
        "no lot was too old to restore"
    );
}
