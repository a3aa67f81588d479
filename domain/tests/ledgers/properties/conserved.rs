//! Invariants: stock, points, coupons and money are conserved by any sequence of actions.

use domain::accounting::Account;
use domain::ids::{PaymentId, RefundId, derived_id};
use domain::order::{Exchange, RefundTerms};
use domain::payment::PaymentStage;
use domain::user_payment::UserPaymentState;

use super::*;

/// The parts of a purchase add up to what was placed, in every amount, and each equals what its discounts leave.
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
            let goods = goods.plus(line.difference).unwrap();
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

pub(super) fn conserved(shop: &Shop) {
    parts_add_up(shop);
    stock_is_conserved(shop);
    points_are_conserved(shop);
    liability_is_what_members_have(shop);
    coupons_are_conserved(shop);
    money_is_conserved(shop);
    sellers_get_what_their_goods_cost(shop);
    differences_are_given_once(shop);
    each_payment_gives_back_what_it_took(shop);
    fees_are_asked_for(shop);
}

/// Purchases that are neither canceled nor being canceled.
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
        // replacements that wait for the goods
        let waits = |claim: &&Claim| {
            claim.kind() == ClaimKind::Exchange
                && claim.state == ClaimState::Accepted
                && claim.exchange().is_some_and(|its| its.invoice.is_none())
        };
        for exchange in order
            .claims
            .iter()
            .filter(waits)
            .filter_map(Claim::exchange)
        {
            for taken in &exchange.replacement.stock {
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
            let (granted, spent, expired, revoked, taken) = (
                of(&shop.tally.granted, *id),
                of(&shop.tally.spent, *id),
                of(&shop.tally.expired, *id),
                of(&shop.tally.revoked, *id),
                of(&shop.tally.taken, *id),
            );
            assert!(spent >= 0 && lot.left >= Amount::ZERO, "lot {id}");
            let left = granted - spent - expired - revoked - taken;
            assert_eq!(lot.left.hundredths(), left, "lot {id}");
            assert_eq!(lot.expired.hundredths(), expired, "lot {id}");
            assert_eq!(lot.taken.hundredths(), taken, "lot {id}");
            let revived = !lot.expired.is_zero() && lot.is_live(shop.time());
            assert!(!revived, "lot {id} expired and can be used again");
            let held = points.spent.values().filter_map(|lots| lots.get(id));
            let held = Amount::total(held.copied()).unwrap();
            assert_eq!(held.hundredths(), spent, "lot {id}: what orders hold");
        }
    }
}

/// What the shop owes is what its members have.
fn liability_is_what_members_have(shop: &Shop) {
    let now = shop.time();
    let owed = shop.liability.at(now).unwrap();
    let all = |tally: &BTreeMap<_, i64>| tally.values().sum::<i64>();
    let left = shop
        .points
        .values()
        .map(|points| points.remain(now).unwrap());
    assert_eq!(owed.left, Amount::total(left).unwrap());
    assert_eq!(owed.granted.hundredths(), all(&shop.tally.granted));
    assert_eq!(owed.spent.hundredths(), all(&shop.tally.spent));
    let gone = [owed.spent, owed.expired, owed.taken, owed.left];
    assert_eq!(owed.granted, Amount::total(gone).unwrap());
    assert_eq!(Amount::total(owed.by_month.into_values()), Ok(owed.left));
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
        assert!(!coupon.taken || on.is_empty(), "{issued} is used and taken");
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
        assert_eq!(*coupon, coupon_id(FIRST_COME));
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
    // with every order finished and every approved refund made, the buyers' money is with the sellers or refunded
    for (id, order) in &shop.orders {
        let refunded = order
            .claims
            .iter()
            .filter(|claim| {
                claim.exchange().is_some() || matches!(claim.state, ClaimState::Completed { .. })
            })
            .map(|claim| claim.refund.money);
        let refunded = Amount::total(refunded).unwrap();
        let paid = order.paid.map(|paid| paid.amount).unwrap_or_default();
        let paid = paid.plus(differences_taken(order)).unwrap();
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
            let reclaimed = order
                .claims
                .iter()
                .filter_map(|claim| claim.refund.reclaimed);
            let reclaimed = Amount::total(reclaimed.map(|off| off.money)).unwrap();
            let explained = Amount::total([refunded, fees, fares, reclaimed]).unwrap();
            assert_eq!(explained, paid, "{id}: everything was given back");
            let points = order.claims.iter().flat_map(|claim| &claim.refund.points);
            let points = Amount::total(points.map(|part| part.amount)).unwrap();
            let kept = terms_of(order).fares.iter().enumerate();
            let kept = kept.filter(|(place, _)| is_earned(place));
            let kept = Amount::total(kept.map(|(_, fare)| fare.points)).unwrap();
            let used = terms_of(order).totals.points;
            assert_eq!(points.plus(kept), Ok(used), "{id}: every point came back");
        }
    }
}

/// A fee is requested as long as the exchange needs it; both streams record the same payment, and that payment was charged once.
fn fees_are_asked_for(shop: &Shop) {
    let mut expected = BTreeMap::new();
    for order in shop.orders.values() {
        for claim in order
            .claims
            .iter()
            .filter(|claim| claim.exchange().is_some())
        {
            let is_back = claim.collection.as_ref().unwrap().inspection.is_some();
            let price = claim.exchange_price();
            let waived = claim.exchange().unwrap().fee_waived && price.is_zero();
            let fee = match waived {
                true => claim.collection.as_ref().unwrap().return_fare,
                false => claim.exchange_fee().plus(price).unwrap(),
            };
            let has_fee = is_back && !fee.is_zero();
            let state = match claim.exchange().unwrap().fee_received {
                _ if !has_fee => continue,
                Some(_) if claim.exchange().unwrap().fee_refund.is_some() => {
                    UserPaymentState::Refunded {
                        payment: claim.exchange().unwrap().fee_payment,
                    }
                }
                Some(_) => UserPaymentState::Completed {
                    payment: claim.exchange().unwrap().fee_payment,
                },
                None if waived => UserPaymentState::Canceled {
                    reason: "교환 배송비 면제".to_owned(),
                },
                None if claim.is_open() => UserPaymentState::Awaiting,
                None => UserPaymentState::Canceled {
                    reason: "교환 거절".to_owned(),
                },
            };
            expected.insert(exchange_fee_id(claim.id), (fee, state));
        }
    }
    let asked = shop.user_payments.iter().map(|(id, asked)| {
        let terms = asked.terms.as_ref().unwrap();
        (*id, (terms.amount, asked.state.clone()))
    });
    assert_eq!(asked.collect::<BTreeMap<_, _>>(), expected);
    for (id, payment) in &shop.payments {
        let of = payment
            .started
            .as_ref()
            .and_then(|terms| terms.user_payment.as_ref());
        let Some(of) = of.filter(|_| payment.stage == PaymentStage::Approved) else {
            continue;
        };
        let (fee, state) = &expected[&of.id];
        let pays = *state == UserPaymentState::Completed { payment: Some(*id) };
        let back = given_with(shop, *id);
        let kept = payment.refundable().unwrap().plus(back).unwrap();
        assert_eq!(kept, if pays { *fee } else { Amount::ZERO }, "{id}");
    }
}

/// What the shop owes each seller: the current price of confirmed goods, the fares they earned, and the fees buyers paid.
fn sellers_get_what_their_goods_cost(shop: &Shop) {
    let mut owed: BTreeMap<_, i64> = BTreeMap::new();
    for order in shop.orders.values() {
        for purchase in kept(order).filter(|one| one.confirmed.is_some()) {
            let line = order.purchase_terms(&purchase.purchase_no).unwrap();
            let ordered = line.unit_price.hundredths() * i64::from(line.quantity);
            let cheaper = line.difference.hundredths() - line.product_discount.hundredths();
            *owed.entry(line.seller).or_default() += ordered + cheaper;
        }
        let fare = |place: u32| &terms_of(order).fares[usize::try_from(place).unwrap()];
        for (place, _) in order
            .fares
            .iter()
            .filter(|(_, outcome)| **outcome == FareOutcome::Earned)
        {
            let fare = fare(*place);
            *owed.entry(fare.seller).or_default() += fare.gross().unwrap().hundredths();
        }
        for claim in &order.claims {
            for fee in claim.refund.fees.iter().filter(|_| claim.is_granted()) {
                let seller = fare(fee.fare).seller;
                *owed.entry(seller).or_default() += fee.amount.hundredths();
            }
            let kept = claim.exchange().filter(|its| its.fee_refund.is_none());
            if let Some(fee) = kept.and_then(|its| its.fee_received) {
                let seller = order.purchase(&claim.purchase_nos[0]).unwrap().seller;
                *owed.entry(seller).or_default() += fee.hundredths();
            }
        }
    }
    for (account, balance) in shop.books.books().balances() {
        if let Account::SellerPayable(seller) = account {
            let expected = owed.remove(&seller).unwrap_or_default();
            assert_eq!(balance.hundredths(), -expected, "{seller}");
        }
    }
    owed.retain(|_, amount| *amount != 0);
    assert_eq!(owed, BTreeMap::new());
}

/// An exchange gives its difference back once its replacement is sent, at most what it was frozen as, through one refund.
fn differences_are_given_once(shop: &Shop) {
    for (id, order) in &shop.orders {
        for claim in order
            .claims
            .iter()
            .filter(|claim| claim.exchange().is_some())
        {
            let exchange = claim.exchange().unwrap();
            let given = claim.difference_given().unwrap();
            let (money, sum) = (claim.refund.money, given.sum().unwrap());
            let is_sent = exchange.invoice.is_some();
            assert!(is_sent || claim.refund == RefundTerms::default(), "{id}");
            let pieces = claim.collection.as_ref().unwrap().inspection;
            let pieces = pieces.map_or(0, |found| found.arrived);
            let most = exchange.difference.min(Amount::ZERO).times(pieces).unwrap();
            assert!(sum <= most.negated().unwrap(), "{id}: {given:?} of {most}");
            let payment = order.paid.and_then(|paid| paid.payment);
            let of_it = RefundId(derived_id(&format!("difference {}", claim.id)));
            let refunds = claim.refunds(Some(of_it), payment);
            let refunds = refunds
                .filter_map(|(payment, id)| shop.payments[&payment].refund(id).ok())
                .map(|refund| refund.amount);
            let refunded = Amount::total(refunds).unwrap();
            assert_eq!(refunded, money, "{id}");
        }
    }
}

/// The differences that dearer replacements cost, once they are sent.
fn differences_taken(order: &Order) -> Amount {
    Amount::total(order.claims.iter().map(Claim::price_taken)).unwrap()
}

/// What claims give back with a payment of a difference.
fn given_with(shop: &Shop, payment: PaymentId) -> Amount {
    let claims = shop.orders.values().flat_map(|order| &order.claims);
    let others = claims.flat_map(|claim| &claim.refund.others);
    let its = others.filter(|other| other.payment == payment);
    Amount::total(its.map(|other| other.amount)).unwrap()
}

/// Every refund of a claim is on the payment that took the money: no payment gives back more than it took, one of a difference no more than
/// the difference, and where everything is given back, all of it.
fn each_payment_gives_back_what_it_took(shop: &Shop) {
    for order in shop.orders.values() {
        for claim in &order.claims {
            let others = Amount::total(claim.refund.others.iter().map(|other| other.amount));
            assert!(others.unwrap() <= claim.refund.money, "{claim:?}");
            for other in &claim.refund.others {
                let refund = shop.payments[&other.payment].refund(other.refund);
                assert_eq!(refund.map(|made| made.amount), Ok(other.amount));
            }
        }
        let exchanges = order.claims.iter().filter_map(Claim::exchange);
        let by_card = |its: &&Exchange| its.fee_refund.is_some() && its.fee_payment.is_some();
        for exchange in exchanges.filter(by_card) {
            let payment = &shop.payments[&exchange.fee_payment.unwrap()];
            let back = payment.refund(exchange.fee_refund.unwrap()).unwrap();
            let received = exchange.fee_received.unwrap();
            let received = received.plus(exchange.price_received).unwrap();
            assert_eq!(back.amount, received, "{exchange:?}");
            assert!(exchange.invoice.is_none(), "{exchange:?}");
            assert_eq!(payment.refundable(), Ok(Amount::ZERO), "{exchange:?}");
        }
        let exchanges = order.claims.iter().filter_map(Claim::exchange);
        for exchange in exchanges.filter(|its| !its.price_received.is_zero()) {
            let back = given_with(shop, exchange.fee_payment.unwrap());
            assert!(back <= exchange.price_received, "{exchange:?}");
        }
        let has_fees = order
            .claims
            .iter()
            .any(|claim| !claim.refund.fees.is_empty() || claim.refund.reclaimed.is_some());
        if kept(order).count() == 0 && order.paid.is_some() && order.is_done() && !has_fees {
            for exchange in order
                .claims
                .iter()
                .filter(|claim| !claim.price_taken().is_zero())
            {
                let exchange = exchange.exchange().unwrap();
                let back = given_with(shop, exchange.fee_payment.unwrap());
                assert_eq!(back, exchange.price_received, "{exchange:?}");
            }
        }
    }
}
