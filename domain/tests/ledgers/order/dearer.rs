//! Exchanges for a dearer option: the difference is paid before the replacement is sent, and goes back with the payment that paid it.

use domain::accounting::Account;
use domain::checkout::user_payments::payment_id;
use domain::ids::PaymentId;
use domain::order::{
    Action, ClaimPieces, ExchangeRequest, Fault, Inspection, PurchaseTerms, Replacement,
    ReturnRequest,
};
use domain::payment::{PaymentMethod, PaymentStage, RefundStage};
use domain::user_payment::{UserPaymentState, exchange_fee_id};

use super::super::given::at_noon;
use super::super::shop::{pickup, stock_of};
use super::exchanging::{
    FEE, accept, ask, complete, delivered_shop, fee, handle, inspect, pick_up, reject, send,
};
use super::*;
use domain::Decider;

/// Two units, alone in a parcel of the first seller.
const HELMETS: usize = 1;
const CARD: PaymentMethod = PaymentMethod::Card;

fn won(hundredths: i64) -> Amount {
    Amount::new(hundredths)
}

fn dearer(by: i64) -> Replacement {
    Replacement::Other {
        option: id(0xB1),
        name: "파랑".to_owned(),
        stock: stock_of(JUICE),
        difference: won(by),
    }
}

fn line(shop: &Shop, no: &str) -> PurchaseTerms {
    shop.order(id(1)).purchase_terms(no).unwrap().clone()
}

/// All helmets came back to be exchanged for goods that cost 15.00 more a piece.
fn due(fault: Fault) -> Shop {
    let mut shop = delivered_shop();
    let request = ask(&shop, None, fault, dearer(1_500));
    handle(
        &mut shop,
        [request, accept(), pick_up(), inspect(2, 2, fault)],
    );
    shop
}

fn requested(shop: &Shop) -> (Amount, UserPaymentState) {
    let asked = &shop.user_payments[&exchange_fee_id(id(10))];
    (asked.terms.as_ref().unwrap().amount, asked.state.clone())
}

fn pays(shop: &mut Shop, amount: Amount) -> PaymentId {
    let payment = shop.start_fee(id(1), id(10), CARD).unwrap();
    shop.request_approval(payment, "t", amount).unwrap();
    shop.charge(payment, "t", amount).unwrap();
    payment
}

fn exchanged(fault: Fault, amount: i64) -> (Shop, PaymentId) {
    let mut shop = due(fault);
    let payment = pays(&mut shop, won(amount));
    handle(&mut shop, [send("111111111111"), complete()]);
    (shop, payment)
}

fn balance(shop: &Shop, account: Account) -> i64 {
    assert_eq!(shop.books.faults(), Ok(vec![]));
    shop.books.books().balance(account).hundredths()
}

fn refunds(shop: &Shop, payment: PaymentId) -> Vec<(i64, RefundStage)> {
    let refunds = shop.payments[&payment].refunds.iter();
    refunds
        .map(|made| (made.amount.hundredths(), made.stage))
        .collect()
}

fn returns(shop: &mut Shop, claim: u128, (no, by): (&str, CanceledBy)) {
    let parcels = shop.parcels(id(1));
    let request = ReturnRequest {
        claim: id(claim),
        pieces: ClaimPieces {
            purchase_no: no.to_owned(),
            quantity: Some(1),
        },
        by,
        reason: CancelReason::plain("금이 갔습니다"),
        fault: Fault::Seller,
        pickup: pickup(),
        pictures: vec![],
        parcels: parcels.clone(),
        earned: EarnedPoints::default(),
    };
    shop.request_return(id(1), request).unwrap();
    let acts = [
        OrderCommand::PickUpGoods {
            claim: id(claim),
            invoice: None,
            by: Reader::Staff,
        },
        OrderCommand::InspectGoods {
            claim: id(claim),
            inspection: Inspection {
                arrived: 1,
                resellable: 1,
                fault: Fault::Seller,
            },
            by: Reader::Staff,
        },
    ];
    handle(shop, acts);
    let answer = ClaimAnswer {
        claim: id(claim),
        refund: id(claim + 1),
        by: Reader::Staff,
        parcels,
        earned: EarnedPoints::default(),
    };
    shop.approve_claim(id(1), answer).unwrap();
}

#[test]
fn the_difference_is_paid_with_the_fee_before_the_replacement_is_sent() {
    let mut shop = due(Fault::Buyer);
    let ordered = line(&shop, &no(HELMETS));
    let both = won(3_000).plus(FEE).unwrap();
    assert_eq!(requested(&shop), (both, UserPaymentState::Awaiting));
    let refused = shop.handle(id(1), send("111111111111")).unwrap_err();
    assert_eq!(refused.code(), "fee_due");
    // it could not go back with a bank transfer
    let refused = shop.handle(id(1), fee(both)).unwrap_err();
    assert_eq!(refused.code(), "not_by_transfer");
    let refused = shop.handle(id(1), fee(FEE)).unwrap_err();
    assert_eq!(refused.code(), "amount_mismatch");

    pays(&mut shop, both);
    let owed = balance(&shop, Account::SellerPayable(seller(1)));
    assert_eq!(
        owed,
        -FEE.hundredths(),
        "the difference is not the seller's yet"
    );
    assert_eq!(line(&shop, &no(HELMETS)), ordered, "not before it is sent");
    let held = balance(&shop, Account::Held(id(1)));

    handle(&mut shop, [send("111111111111"), send("222222222222")]);
    let now = line(&shop, &no(HELMETS));
    assert_eq!(now.paid, ordered.paid.plus(won(3_000)).unwrap());
    assert_eq!(now.difference, won(3_000));
    assert_eq!(now.price_each(), won(12_345 + 1_500));
    assert_eq!(balance(&shop, Account::Held(id(1))), held);
    assert_eq!(*shop.order(id(1)).placed_terms().unwrap(), terms());
    handle(&mut shop, [complete()]);
}

#[test]
fn the_seller_gets_the_price_of_the_dearer_goods() {
    let confirm = |shop: &mut Shop| {
        let purchase_nos = vec![no(HELMETS)];
        shop.act(id(1), OrderCommand::Confirm { purchase_nos })
            .unwrap();
        -balance(shop, Account::SellerPayable(seller(1)))
    };
    let plain = confirm(&mut delivered_shop());
    let (mut shop, _) = exchanged(Fault::Seller, 3_000);
    assert_eq!(confirm(&mut shop), plain + 3_000);
}

/// One piece after the other comes back: the payment of the difference gives all of it, the order's payment the rest, and each claim is
/// completed once both refunds are made.
#[test]
fn a_return_gives_back_what_each_payment_took() {
    let (mut shop, payment) = exchanged(Fault::Seller, 3_000);
    let whole = line(&shop, &no(HELMETS));
    returns(&mut shop, 30, (&no(HELMETS), CanceledBy::Buyer));
    let order = shop.order(id(1));
    let part = order.terms().unwrap().purchases.last().unwrap().clone();
    assert_eq!(part.difference, won(1_500));
    let half = order.claim(id(30)).unwrap().refund.clone();
    assert_eq!(half.money, part.paid);
    assert_eq!(refunds(&shop, payment), [(3_000, RefundStage::Requested)]);
    let rest = half.money.hundredths() - 3_000;
    assert_eq!(refunds(&shop, id(2)), [(rest, RefundStage::Requested)]);

    let other = half.others[0].refund;
    shop.refunded(payment, other).unwrap();
    let state = |shop: &Shop, claim| shop.order(id(1)).claim(claim).unwrap().state.clone();
    let first = Some(id(31));
    assert_eq!(state(&shop, id(30)), ClaimState::Approved { refund: first });
    shop.refunded(id(2), id(31)).unwrap();
    assert_eq!(
        state(&shop, id(30)),
        ClaimState::Completed { refund: first }
    );

    returns(&mut shop, 40, (&no(HELMETS), CanceledBy::Buyer));
    assert_eq!(refunds(&shop, payment).len(), 1, "nothing is left on it");
    shop.settle_claim(id(1), id(40)).unwrap();
    let back: i64 = refunds(&shop, id(2)).iter().map(|(amount, _)| amount).sum();
    let fares = shop.order(id(1)).terms().unwrap().fares.clone();
    let fares = fares.iter().filter(|fare| fare.carries(&no(HELMETS)));
    let fares = Amount::total(fares.map(|fare| fare.paid)).unwrap();
    let expected = whole.paid.plus(fares).unwrap().hundredths() - 3_000;
    assert_eq!(back, expected);
    assert_eq!(balance(&shop, Account::Unapplied(id(1))), 0);
}

/// Only the newest payment that paid for a purchase is asked first, so that the pieces that others paid for find theirs.
#[test]
fn a_second_exchange_pays_again_and_each_goes_back_to_its_own() {
    let (mut shop, first) = exchanged(Fault::Seller, 3_000);
    let again = OrderCommand::RequestExchange(Box::new(ExchangeRequest {
        claim: id(20),
        pieces: ClaimPieces {
            purchase_no: no(HELMETS),
            quantity: Some(1),
        },
        replacement: Replacement::Other {
            option: id(0xB2),
            name: "초록".to_owned(),
            stock: stock_of(HELMET),
            difference: won(401),
        },
        by: CanceledBy::Buyer,
        reason: CancelReason::plain("사이즈나 색상이 맞지 않아요"),
        fault: Fault::Seller,
        pickup: pickup(),
        pictures: vec![],
        parcels: shop.parcels(id(1)),
    }));
    let by = Reader::Staff;
    let claim = id(20);
    let acts = [
        again,
        OrderCommand::AcceptExchange { claim, by },
        OrderCommand::PickUpGoods {
            claim,
            invoice: None,
            by,
        },
        OrderCommand::InspectGoods {
            claim,
            inspection: Inspection {
                arrived: 1,
                resellable: 1,
                fault: Fault::Seller,
            },
            by,
        },
    ];
    handle(&mut shop, acts);
    let second = shop.start_fee(id(1), claim, CARD).unwrap();
    assert_eq!(second, payment_id(exchange_fee_id(claim), 1));
    shop.charge(second, "u", won(401)).unwrap();
    let acts = [
        OrderCommand::ShipReplacement {
            claim,
            invoice: domain::order::Invoice {
                courier: "kr.epost".to_owned(),
                invoice_no: "333333333333".to_owned(),
            },
            auto_deliver_days: 7,
            by,
            earned: EarnedPoints::default(),
        },
        OrderCommand::CompleteExchange {
            claim,
            auto_confirm_days: 8,
            by,
        },
    ];
    handle(&mut shop, acts);
    let part = shop.order(id(1)).purchases.last().unwrap().clone();
    assert_eq!(part.other_payments, [first, second]);
    returns(&mut shop, 30, (&part.purchase_no, CanceledBy::Buyer));
    assert_eq!(refunds(&shop, second), [(401, RefundStage::Requested)]);
    assert_eq!(refunds(&shop, first), [(3_000, RefundStage::Requested)]);
    returns(&mut shop, 40, (&no(HELMETS), CanceledBy::Buyer));
    for claim in [30, 40] {
        shop.settle_claim(id(1), id(claim)).unwrap();
    }
    assert_eq!(balance(&shop, Account::Unapplied(id(1))), 0);
    assert_eq!(*shop.order(id(1)).placed_terms().unwrap(), terms());
}

/// Waiving the fee leaves the difference: the open window is given up, and money that arrives through it goes back.
#[test]
fn a_waived_fee_leaves_the_difference() {
    let mut shop = due(Fault::Buyer);
    let both = won(3_000).plus(FEE).unwrap();
    let open = shop.start_fee(id(1), id(10), CARD).unwrap();
    let waive = || OrderCommand::WaiveFee {
        claim: id(10),
        reason: "단골".to_owned(),
        by: Reader::Staff,
    };
    handle(&mut shop, [waive(), waive()]);
    assert_eq!(requested(&shop), (won(3_000), UserPaymentState::Awaiting));
    assert_eq!(shop.payments[&open].stage, PaymentStage::Abandoned);
    let refused = shop.handle(id(1), send("111111111111")).unwrap_err();
    assert_eq!(refused.code(), "fee_due");
    shop.charge(open, "late", both).unwrap();
    let all = both.hundredths();
    assert_eq!(refunds(&shop, open), [(all, RefundStage::Requested)]);
    let paid = pays(&mut shop, won(3_000));
    assert_ne!(paid, open);
    handle(&mut shop, [send("111111111111"), complete()]);
    assert_eq!(balance(&shop, Account::SellerPayable(seller(1))), 0);
}

#[test]
fn a_difference_alone_cannot_be_waived() {
    let mut shop = due(Fault::Seller);
    assert_eq!(requested(&shop).0, won(3_000));
    let waive = OrderCommand::WaiveFee {
        claim: id(10),
        reason: "단골".to_owned(),
        by: Reader::Staff,
    };
    assert_eq!(shop.handle(id(1), waive).unwrap_err().code(), "no_fee");
    // it is not paid, so the exchange may still be refused, and money on its way goes back
    let payment = shop.start_fee(id(1), id(10), CARD).unwrap();
    shop.request_approval(payment, "t", won(3_000)).unwrap();
    handle(&mut shop, [reject()]);
    shop.charge(payment, "t", won(3_000)).unwrap();
    assert_eq!(refunds(&shop, payment), [(3_000, RefundStage::Requested)]);
    assert_eq!(line(&shop, &no(HELMETS)).difference, Amount::ZERO);
    balance(&shop, Account::Bank);
}

#[test]
fn only_what_arrived_is_paid_for() {
    let mut shop = delivered_shop();
    let request = ask(&shop, None, Fault::Seller, dearer(1_500));
    let acts = [request, accept(), pick_up(), inspect(1, 1, Fault::Seller)];
    handle(&mut shop, acts);
    assert_eq!(requested(&shop).0, won(1_500));
    pays(&mut shop, won(1_500));
    handle(&mut shop, [send("111111111111"), complete()]);
    let missing = shop.order(id(1)).terms().unwrap().purchases.last().cloned();
    assert_eq!(missing.unwrap().difference, Amount::ZERO);
}

#[test]
fn a_price_beyond_all_amounts_is_refused() {
    let shop = delivered_shop();
    for by in [i64::MAX, i64::MAX / 2, i64::MAX / 2 - 100] {
        let request = ask(&shop, None, Fault::Buyer, dearer(by));
        let refused = shop.order(id(1)).decide(request, &at_noon()).unwrap_err();
        assert_eq!(refused.code(), "amount_overflow");
    }
}

/// A confirmed purchase is confirmed again at the new price, and all points it earned come back with everything paid for it.
#[test]
fn a_confirmed_purchase_costs_more_and_gives_its_points_back_once() {
    let mut shop = delivered_shop();
    let purchase_nos = vec![no(HELMETS)];
    shop.act(id(1), OrderCommand::Confirm { purchase_nos })
        .unwrap();
    shop.earn(id(1), &no(HELMETS));
    let ordered = line(&shop, &no(HELMETS));
    let granted = ordered.paid.hundredths() / 10;
    let before = balance(&shop, Account::SellerPayable(seller(1)));
    let OrderCommand::RequestExchange(request) = ask(&shop, None, Fault::Seller, dearer(1_500))
    else {
        unreachable!()
    };
    let by = CanceledBy::Staff;
    let request = OrderCommand::RequestExchange(Box::new(ExchangeRequest { by, ..*request }));
    let acts = [request, accept(), pick_up(), inspect(2, 2, Fault::Seller)];
    handle(&mut shop, acts);
    pays(&mut shop, won(3_000));
    handle(&mut shop, [send("111111111111"), complete()]);
    let now = balance(&shop, Account::SellerPayable(seller(1)));
    assert_eq!(now, before - 3_000);
    returns(&mut shop, 30, (&no(HELMETS), by));
    shop.settle_claim(id(1), id(30)).unwrap();
    returns(&mut shop, 40, (&no(HELMETS), by));
    shop.settle_claim(id(1), id(40)).unwrap();
    let order = shop.order(id(1));
    let taken = order.claims.iter().filter_map(|made| made.refund.reclaimed);
    let taken = Amount::total(taken.map(|off| off.sum().unwrap()));
    assert_eq!(taken, Ok(won(granted)));
    assert_eq!(balance(&shop, Account::SellerPayable(seller(1))), 0);
}

/// Sold out after the payment: fee and difference go back with the payment that took them, and the goods as they came.
#[test]
fn a_rejection_after_the_payment_gives_everything_back() {
    let mut shop = due(Fault::Buyer);
    let ordered = line(&shop, &no(HELMETS));
    let both = won(3_000).plus(FEE).unwrap();
    let held = balance(&shop, Account::Held(id(1)));
    let payment = pays(&mut shop, both);
    handle(&mut shop, [reject()]);
    let claim = shop.order(id(1)).claim(id(10)).unwrap().clone();
    assert!(matches!(claim.state, ClaimState::Rejected { .. }));
    assert_eq!(claim.received_fee(), None);
    let all = both.hundredths();
    assert_eq!(refunds(&shop, payment), [(all, RefundStage::Requested)]);
    let state = UserPaymentState::Refunded {
        payment: Some(payment),
    };
    assert_eq!(requested(&shop), (both, state));
    let status = shop.user_payments[&exchange_fee_id(id(10))].status();
    assert_eq!(status.unwrap().code(), "PAY_CANCELED");
    assert_eq!(line(&shop, &no(HELMETS)), ordered);
    for (account, expected) in [
        (Account::SellerPayable(seller(1)), 0),
        (Account::Held(id(1)), held),
        (Account::Unapplied(id(1)), -all),
    ] {
        assert_eq!(balance(&shop, account), expected, "{account}");
    }
    let refund = claim.exchange().unwrap().fee_refund.unwrap();
    shop.refunded(payment, refund).unwrap();
    assert_eq!(balance(&shop, Account::Unapplied(id(1))), 0);
    // Once more changes nothing, and the purchase can be claimed again.
    handle(&mut shop, [reject()]);
    assert_eq!(refunds(&shop, payment), [(all, RefundStage::Completed)]);
    returns(&mut shop, 30, (&no(HELMETS), CanceledBy::Buyer));
    assert_eq!(refunds(&shop, payment).len(), 1);
}

/// Delayed before it is sent, it can still be rejected; once it is sent it cannot, however late it is.
#[test]
fn a_delayed_replacement_is_rejected_only_before_it_is_sent() {
    let delay = || OrderCommand::DelayReplacement {
        claim: id(10),
        reason: "입고 지연".to_owned(),
        by: Reader::Staff,
    };
    let offers = |shop: &Shop| {
        let order = shop.order(id(1));
        let purchase = order.purchase(&no(HELMETS)).unwrap();
        let actions = order.purchase_actions(Reader::Staff, purchase);
        actions.contains(&Action::RejectExchange)
    };
    let mut shop = due(Fault::Seller);
    let payment = pays(&mut shop, won(3_000));
    handle(&mut shop, [delay()]);
    assert!(offers(&shop));
    let mut sent = due(Fault::Seller);
    pays(&mut sent, won(3_000));
    handle(&mut sent, [send("111111111111"), delay()]);
    assert!(!offers(&sent));
    let refused = sent.handle(id(1), reject()).unwrap_err();
    assert_eq!(refused.code(), "claim_closed");

    handle(&mut shop, [reject()]);
    assert_eq!(refunds(&shop, payment), [(3_000, RefundStage::Requested)]);
    assert!(!offers(&shop));
}

/// A fee in the shop's bank account has no payment to go back with: staff send it to the buyer's account, once.
#[test]
fn a_transferred_fee_goes_back_by_transfer() {
    let mut shop = delivered_shop();
    let request = ask(&shop, None, Fault::Buyer, Replacement::Same);
    let acts = [request, accept(), pick_up(), inspect(2, 2, Fault::Buyer)];
    handle(&mut shop, acts);
    handle(&mut shop, [fee(FEE)]);
    let order = shop.order(id(1));
    let purchase = order.purchase(&no(HELMETS)).unwrap();
    let actions = order.purchase_actions(Reader::Staff, purchase);
    assert!(actions.contains(&Action::RejectExchange));
    let account = |number: &str| OrderCommand::GiveFeeAccount {
        claim: id(10),
        account: Sealed::from_parts(id(1), Purpose::Statutory, number.to_owned()),
    };
    let sends = |reference: &str| OrderCommand::TransferFee {
        claim: id(10),
        reference: reference.to_owned(),
    };
    for early in [account("1"), sends("b-1")] {
        let refused = shop.handle(id(1), early).unwrap_err();
        assert_eq!(refused.code(), "no_fee");
    }
    handle(&mut shop, [reject(), reject()]);
    let back = FEE.hundredths();
    let state = UserPaymentState::Refunded { payment: None };
    assert_eq!(requested(&shop), (FEE, state));
    let booked = |shop: &Shop| {
        let seller = balance(shop, Account::SellerPayable(seller(1)));
        let unapplied = balance(shop, Account::Unapplied(id(1)));
        (seller, unapplied, balance(shop, Account::Bank))
    };
    assert_eq!(booked(&shop), (0, -back, back));
    handle(&mut shop, [account("1"), account("2"), account("2")]);
    let claim = shop.order(id(1)).claim(id(10)).unwrap().clone();
    let newest = claim.exchange().unwrap().fee_refund_account.clone();
    assert_eq!(newest.unwrap().sealed, "2");
    let (refund, amount) = claim.fee_to_transfer().unwrap();
    assert_eq!(amount, FEE);
    handle(&mut shop, [sends("b-1"), sends("b-2")]);
    assert_eq!(booked(&shop), (0, 0, 0), "sent once");
    let claim = shop.order(id(1)).claim(id(10)).unwrap().clone();
    let exchange = claim.exchange().unwrap();
    assert_eq!(exchange.fee_refund_reference.as_deref(), Some("b-1"));
    assert_eq!(
        (exchange.fee_refund, claim.fee_to_transfer()),
        (Some(refund), None)
    );
    let refused = shop.handle(id(1), account("3")).unwrap_err();
    assert_eq!(refused.code(), "no_fee");
}
