//! Fees of exchanges, paid through the gateway or into the bank account.

use domain::accounting::Account;
use domain::checkout::user_payments::payment_id;
use domain::ids::RefundId;
use domain::order::{Action, Fault, Replacement};
use domain::payment::{PaymentMethod, PaymentStage, RefundStage};
use domain::user_payment::{
    UserPayment, UserPaymentPurpose, UserPaymentState, UserPaymentStatus, exchange_fee_id,
};

use super::exchanging::*;
use super::*;

const CARD: PaymentMethod = PaymentMethod::Card;

fn asked(shop: &Shop) -> Option<UserPayment> {
    shop.user_payments
        .get(&exchange_fee_id(id(10)))
        .filter(|asked| asked.terms.is_some())
        .cloned()
}

fn status(shop: &Shop) -> Option<UserPaymentStatus> {
    asked(shop).and_then(|asked| asked.status())
}

/// The exchange of two helmets that came back; the buyer is at fault.
fn fee_due() -> Shop {
    let mut shop = delivered_shop();
    let request = ask(&shop, None, Fault::Seller, Replacement::Same);
    handle(&mut shop, [request, accept(), pick_up()]);
    assert_eq!(
        asked(&shop),
        None,
        "nothing is asked for before the inspection"
    );
    handle(&mut shop, [inspect(2, 2, Fault::Buyer)]);
    shop
}

/// The balance of unused money, and what the first seller is owed for fees.
fn books(shop: &Shop) -> (Amount, Amount, Amount) {
    assert_eq!(shop.books.faults().unwrap(), vec![]);
    let balance = |account| shop.books.books().balance(account);
    (
        balance(Account::Unapplied(id(1))),
        balance(Account::Bank),
        balance(Account::SellerPayable(seller(1))),
    )
}

#[test]
fn a_fee_is_asked_for_once_it_is_due_and_paid_once_by_card() {
    let mut shop = fee_due();
    let terms = asked(&shop).unwrap().terms.unwrap();
    assert_eq!(terms.number, "20261121-00000001-F1");
    assert_eq!(terms.amount, FEE);
    let UserPaymentPurpose::ExchangeFee {
        order,
        purchase_no,
        claim,
        ..
    } = terms.purpose;
    assert_eq!((order, claim), (id(1), id(10)));
    assert_eq!(purchase_no, "20261121-00000001-2");
    let payment = shop.start_fee(id(1), id(10), CARD).unwrap();
    assert_eq!(payment, payment_id(exchange_fee_id(id(10)), 1));
    let started = shop.payments[&payment].started.clone().unwrap();
    assert_eq!(started.gateway_order_id(), "20261121-00000001-F1-1");
    assert_eq!(
        shop.start_fee(id(1), id(10), CARD),
        Ok(payment),
        "an open window is reused"
    );
    shop.request_approval(payment, "t", FEE).unwrap();
    let again = shop.request_approval(payment, "t", FEE).unwrap_err();
    assert_eq!(again.code(), "approval_pending");
    assert_eq!(
        shop.start_fee(id(1), id(10), CARD).unwrap_err(),
        domain::checkout::payments::StartError::ApprovalPending
    );
    assert_eq!(shop.charge(payment, "t", FEE), Ok(true));
    assert_eq!(shop.charge(payment, "t", FEE), Ok(false), "told twice");
    assert_eq!(status(&shop), Some(UserPaymentStatus::Completed));
    let paid = shop.order(id(1)).claims[0].received_fee();
    assert_eq!(paid, Some((FEE, Some(payment))));
    let zero = Amount::ZERO;
    assert_eq!(books(&shop), (zero, zero, FEE.negated().unwrap()));
    assert_eq!(
        shop.books.books().balance(Account::Gateway),
        super::terms().totals.payable.plus(FEE).unwrap()
    );
    handle(&mut shop, [send("111111111111"), complete()]);
}

#[test]
fn a_fee_paid_twice_goes_back_once() {
    let mut shop = fee_due();
    let first = shop.start_fee(id(1), id(10), CARD).unwrap();
    let second = shop.start_fee(id(1), id(10), PaymentMethod::Bank).unwrap();
    assert_ne!(first, second);
    assert_eq!(shop.payments[&first].stage, PaymentStage::Abandoned);
    // the first window was still open elsewhere, and both are charged
    shop.charge(second, "b", FEE).unwrap();
    shop.charge(first, "a", FEE).unwrap();
    let refund = RefundId(first.0);
    let made = *shop.payments[&first].refund(refund).unwrap();
    assert_eq!((made.amount, made.stage), (FEE, RefundStage::Requested));
    assert_eq!(shop.payments[&second].refunds, vec![]);
    let paid = shop.order(id(1)).claims[0].received_fee();
    assert_eq!(paid, Some((FEE, Some(second))));
    shop.refunded(first, refund).unwrap();
    let zero = Amount::ZERO;
    assert_eq!(books(&shop), (zero, zero, FEE.negated().unwrap()));
}

#[test]
fn a_transfer_and_a_card_pay_it_once() {
    let mut shop = fee_due();
    let payment = shop.start_fee(id(1), id(10), CARD).unwrap();
    handle(&mut shop, [fee(FEE)]);
    assert_eq!(
        asked(&shop).unwrap().state,
        UserPaymentState::Completed { payment: None }
    );
    let refused = shop.request_approval(payment, "t", FEE).unwrap_err();
    assert_eq!(refused.code(), "already_paid");
    let refused = shop.start_fee(id(1), id(10), CARD).unwrap_err();
    assert_eq!(refused, OrderError::AlreadyPaid.into());
    // charged nevertheless
    shop.charge(payment, "t", FEE).unwrap();
    assert_eq!(shop.payments[&payment].refundable(), Ok(Amount::ZERO));
    assert_eq!(books(&shop).1, FEE, "the transfer stays");
    // staff cannot record a transfer for a fee that was paid by card: that money would have no owner
    let mut shop = fee_due();
    let payment = shop.start_fee(id(1), id(10), CARD).unwrap();
    shop.charge(payment, "t", FEE).unwrap();
    let refused = shop.handle(id(1), fee(FEE)).unwrap_err();
    assert_eq!(refused.code(), "already_paid");
}

#[test]
fn the_end_of_the_exchange_cancels_it_and_late_money_goes_back() {
    let mut shop = fee_due();
    let payment = shop.start_fee(id(1), id(10), CARD).unwrap();
    handle(&mut shop, [reject()]);
    let reason = "교환 거절".to_owned();
    let state = UserPaymentState::Canceled { reason };
    assert_eq!(asked(&shop).unwrap().state, state);
    let refused = shop.request_approval(payment, "t", FEE).unwrap_err();
    assert_eq!(refused.code(), "claim_closed");
    let refused = shop.start_fee(id(1), id(10), CARD).unwrap_err();
    assert_eq!(refused, OrderError::ClaimClosed.into());
    shop.charge(payment, "t", FEE).unwrap();
    assert_eq!(shop.payments[&payment].refundable(), Ok(Amount::ZERO));
    assert_eq!(status(&shop), Some(UserPaymentStatus::Canceled));
    shop.refunded(payment, RefundId(payment.0)).unwrap();
    assert_eq!(books(&shop), (Amount::ZERO, Amount::ZERO, Amount::ZERO));
    // a fee that was paid in time goes back with the rejection
    let mut shop = fee_due();
    let payment = shop.start_fee(id(1), id(10), CARD).unwrap();
    shop.charge(payment, "t", FEE).unwrap();
    handle(&mut shop, [reject()]);
    assert_eq!(shop.payments[&payment].refundable(), Ok(Amount::ZERO));
    assert_eq!(status(&shop), Some(UserPaymentStatus::Canceled));
    let refund = shop.payments[&payment].refunds[0].id;
    shop.refunded(payment, refund).unwrap();
    assert_eq!(books(&shop), (Amount::ZERO, Amount::ZERO, Amount::ZERO));
}

#[test]
fn nothing_is_asked_for_before_the_inspection_of_the_seller_or_of_another_order() {
    let mut shop = delivered_shop();
    let request = ask(&shop, None, Fault::Buyer, Replacement::Same);
    handle(&mut shop, [request, accept()]);
    let refuses = |shop: &mut Shop, order: u128, claim: u128, code: &str| {
        let refused = shop.start_fee(id(order), id(claim), CARD).unwrap_err();
        let domain::checkout::payments::StartError::Order(refused) = refused else {
            panic!("{refused}");
        };
        assert_eq!(refused.code(), code);
    };
    refuses(&mut shop, 1, 10, "wrong_collection");
    handle(&mut shop, [withdraw()]);
    assert_eq!(asked(&shop), None);
    refuses(&mut shop, 1, 10, "claim_closed");
    let mut shop = delivered_shop();
    let request = ask(&shop, None, Fault::Buyer, Replacement::Same);
    let acts = [request, accept(), pick_up(), inspect(2, 2, Fault::Seller)];
    handle(&mut shop, acts);
    assert_eq!(asked(&shop), None, "the seller bears it");
    refuses(&mut shop, 1, 10, "no_fee");
    refuses(&mut shop, 1, 11, "claim_not_found");
    let mut shop = fee_due();
    shop.place_terms(id(5), super::terms()).unwrap_err();
    let basket = Basket {
        lines: vec![(BIKE, 1)],
        buyer: 1,
        ..Basket::default()
    };
    shop.place(id(5), &basket).unwrap();
    refuses(&mut shop, 5, 10, "claim_not_found");
}

#[test]
fn another_amount_or_a_deposit_days_later_does_not_pay_it() {
    let mut shop = fee_due();
    for method in [PaymentMethod::Vbank, PaymentMethod::Free] {
        assert_eq!(
            shop.start_fee(id(1), id(10), method),
            Err(domain::checkout::payments::StartError::NotAtOnce)
        );
    }
    let payment = shop.start_fee(id(1), id(10), CARD).unwrap();
    let other = Amount::new(1);
    let refused = shop.request_approval(payment, "t", other).unwrap_err();
    assert_eq!(refused.code(), "amount_mismatch");
    let refused = shop.charge(payment, "t", other).unwrap_err();
    assert_eq!(refused.code(), "amount_mismatch");
    assert_eq!(status(&shop), Some(UserPaymentStatus::Awaiting));
}

#[test]
fn payments_of_the_order_and_of_the_fee_do_not_see_each_other() {
    let mut shop = fee_due();
    let payment = shop.start_fee(id(1), id(10), CARD).unwrap();
    shop.charge(payment, "t", FEE).unwrap();
    let order = shop.order(id(1));
    assert_eq!(order.paid.and_then(|paid| paid.payment), Some(id(2)));
    let attempts = shop.attempts(id(1));
    assert!(!attempts.contains(&payment));
    assert!(shop.all_attempts(id(1)).contains(&payment));
    let purchase = order.purchase(&no(1)).unwrap();
    let staff = order.purchase_actions(Reader::Staff, purchase);
    assert!(!staff.contains(&Action::ReceiveFee));
    assert!(staff.contains(&Action::ShipReplacement));
}

#[test]
fn the_thirty_first_payment_of_a_fee_is_refused_and_an_open_window_is_not_another() {
    let mut shop = fee_due();
    let methods = [CARD, PaymentMethod::Cellphone].into_iter().cycle();
    let mut last = None;
    for (attempt, method) in (1..=30).zip(methods) {
        let payment = shop.start_fee(id(1), id(10), method);
        assert_eq!(payment, Ok(payment_id(exchange_fee_id(id(10)), attempt)));
        last = Some((method, payment));
    }
    let (method, payment) = last.unwrap();
    assert_eq!(shop.start_fee(id(1), id(10), method), payment);
    let refused = shop.start_fee(id(1), id(10), CARD);
    assert_eq!(
        refused,
        Err(domain::checkout::payments::StartError::TooMany)
    );
    assert_eq!(
        shop.start_fee(id(1), id(10), method),
        payment,
        "the refusal gave nothing up"
    );
}

fn waive(reason: &str, by: Reader) -> OrderCommand {
    OrderCommand::WaiveFee {
        claim: id(10),
        reason: reason.to_owned(),
        by,
    }
}

#[test]
fn a_waived_fee_is_not_asked_for_any_more_and_its_late_money_goes_back() {
    let mut shop = fee_due();
    let payment = shop.start_fee(id(1), id(10), CARD).unwrap();
    let refused = shop.handle(id(1), waive(" ", Reader::Staff)).unwrap_err();
    assert_eq!(refused.code(), "reason_required");
    let other = waive("단골", Reader::Seller(seller(2)));
    shop.handle(id(1), other).unwrap_err();
    assert_eq!(status(&shop), Some(UserPaymentStatus::Awaiting));
    handle(&mut shop, [waive("단골", Reader::Seller(seller(1)))]);
    let reason = "교환 배송비 면제".to_owned();
    let state = UserPaymentState::Canceled { reason };
    assert_eq!(asked(&shop).unwrap().state, state);
    assert_eq!(shop.act(id(1), waive("다시", Reader::Staff)), Ok(0), "once");
    let refused = shop.handle(id(1), fee(FEE)).unwrap_err();
    assert_eq!(refused.code(), "amount_mismatch");
    // a window that was open elsewhere
    shop.charge(payment, "t", FEE).unwrap();
    assert_eq!(shop.payments[&payment].refundable(), Ok(Amount::ZERO));
    shop.refunded(payment, RefundId(payment.0)).unwrap();
    assert_eq!(books(&shop), (Amount::ZERO, Amount::ZERO, Amount::ZERO));
    handle(&mut shop, [send("111111111111"), complete()]);
}

#[test]
fn only_a_fee_that_is_due_is_waived() {
    let mut shop = fee_due();
    handle(&mut shop, [fee(FEE)]);
    let refused = shop
        .handle(id(1), waive("단골", Reader::Staff))
        .unwrap_err();
    assert_eq!(refused.code(), "already_paid");
    let mut shop = fee_due();
    handle(&mut shop, [reject()]);
    let refused = shop
        .handle(id(1), waive("단골", Reader::Staff))
        .unwrap_err();
    assert_eq!(refused.code(), "claim_closed");
    let mut shop = delivered_shop();
    let request = ask(&shop, None, Fault::Buyer, Replacement::Same);
    handle(&mut shop, [request, accept()]);
    let refused = shop
        .handle(id(1), waive("단골", Reader::Staff))
        .unwrap_err();
    assert_eq!(refused.code(), "wrong_collection");
}
