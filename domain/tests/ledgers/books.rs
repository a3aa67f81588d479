//! The accounts of one order, entry by entry, and every stored sample balanced to zero.

use std::path::Path;

use domain::accounting::{
    Account, AccountingError, AccountingFault, Bearer, Entry, GeneralLedger, LedgerReplayer,
    MoneyEvent, entries,
};
use domain::event::EventNames;
use domain::ids::OrderId;
use domain::order::{CancelReason, CanceledBy, ConfirmedBy, Order, OrderCommand, OrderEvent};
use domain::order::{CancelRequest, ClaimIds};
use domain::payment::{Payment, PaymentEvent};
use domain::points::PointsEvent;
use domain::{Amount, Decider};
use serde::de::DeserializeOwned;

use super::given::id;
use super::shop::{
    BIKE, Basket, FIRST_COME, FREE_FARE, HELMET, JUICE, JUICE_DAY, Shop, TEN_PERCENT_OFF_BIKES,
    seller,
};

fn order() -> OrderId {
    id(1)
}

fn balance(shop: &Shop, account: Account) -> i64 {
    shop.books.books().balance(account).hundredths()
}

/// A bike and two helmets of one seller, three juices of the other.
fn ordered() -> Shop {
    let mut shop = Shop::open();
    let basket = Basket {
        lines: vec![(BIKE, 1), (HELMET, 2), (JUICE, 3)],
        coupons: vec![TEN_PERCENT_OFF_BIKES, FREE_FARE, FIRST_COME, JUICE_DAY],
        points: 6_000,
        ..Basket::default()
    };
    shop.place(order(), &basket).unwrap();
    shop
}

fn complete(shop: &mut Shop, line: usize) {
    let no = shop.order(order()).purchases[line].purchase_no.clone();
    for act in [
        OrderCommand::Prepare {
            purchase_nos: vec![no.clone()],
        },
        OrderCommand::Ship {
            purchase_no: no.clone(),
            courier: "kr.cjlogistics".to_owned(),
            invoice_no: "123456789012".to_owned(),
            auto_deliver_days: 7,
        },
        OrderCommand::Deliver {
            purchase_no: no.clone(),
            auto_confirm_days: 8,
        },
        OrderCommand::Confirm {
            purchase_nos: vec![no],
        },
    ] {
        shop.act(order(), act).unwrap();
    }
}

#[test]
fn money_moves_from_the_buyer_to_the_sellers() {
    let mut shop = ordered();
    let held = Account::Held(order());
    let granted = 15_000;
    assert_eq!(balance(&shop, held), -6_000, "the points are held");
    assert_eq!(balance(&shop, Account::PointsLiability), 6_000 - granted);

    shop.pay(order(), id(2)).unwrap();
    let terms = shop.order(order()).terms().unwrap().clone();
    let paid = terms.totals.payable.hundredths();
    assert_eq!(balance(&shop, Account::Gateway), paid);
    assert_eq!(balance(&shop, Account::Unapplied(order())), 0);
    assert_eq!(balance(&shop, held), -(paid + 6_000));

    for line in 0..3 {
        complete(&mut shop, line);
    }
    assert_eq!(
        balance(&shop, held),
        0,
        "nothing is held for a finished order"
    );
    let worth = |of: u128| -> i64 {
        let lines = terms
            .purchases
            .iter()
            .filter(|line| line.seller == seller(of))
            .map(|line| line.goods().unwrap().minus(line.product_discount).unwrap());
        let fares = terms
            .fares
            .iter()
            .filter(|fare| fare.seller == seller(of))
            .map(|fare| fare.gross().unwrap());
        Amount::total(lines.chain(fares)).unwrap().hundredths()
    };
    assert_eq!(balance(&shop, Account::SellerPayable(seller(1))), -worth(1));
    assert_eq!(balance(&shop, Account::SellerPayable(seller(2))), -worth(2));

    let borne = |of: Option<u128>| -> i64 {
        let shares = terms.coupons.iter().map(|used| match of {
            Some(of) if used.seller == Some(seller(of)) => used.seller_share,
            Some(_) => Amount::ZERO,
            None => used.amount.minus(used.seller_share).unwrap(),
        });
        Amount::total(shares).unwrap().hundredths()
    };
    let promotion = |bearer| balance(&shop, Account::PromotionExpense(bearer));
    assert_eq!(promotion(Bearer::Seller(seller(1))), borne(Some(1)));
    assert_eq!(promotion(Bearer::Seller(seller(2))), borne(Some(2)));
    let level = terms.totals.level_discount.hundredths();
    assert_eq!(
        promotion(Bearer::Platform),
        borne(None) + level + granted,
        "its coupons, its level discounts and the points it gave"
    );
    assert_eq!(shop.books.faults().unwrap(), vec![]);
}

#[test]
fn a_fare_is_earned_with_the_first_purchase_that_arrives() {
    let mut shop = Shop::open();
    let basket = Basket {
        lines: vec![(HELMET, 1), (super::shop::SET, 1)],
        ..Basket::default()
    };
    shop.place(order(), &basket).unwrap();
    shop.pay(order(), id(2)).unwrap();
    let terms = shop.order(order()).terms().unwrap().clone();
    complete(&mut shop, 0);
    let held = terms.purchases[1].paid.hundredths();
    assert_eq!(balance(&shop, Account::Held(order())), -held);
    let request = CancelRequest::whole(
        ClaimIds {
            claim: id(3),
            refund: id(4),
        },
        vec![terms.purchases[1].purchase_no.clone()],
        CanceledBy::Buyer,
        CancelReason::plain("변심"),
    );
    shop.request_cancel(order(), request).unwrap();
    assert_eq!(balance(&shop, Account::Held(order())), 0);
    assert_eq!(balance(&shop, Account::Unapplied(order())), -held);
    shop.settle_claim(order(), id(3)).unwrap();
    assert_eq!(balance(&shop, Account::Unapplied(order())), 0);
    assert_eq!(shop.books.faults().unwrap(), vec![]);
}

#[test]
fn a_fare_is_earned_once() {
    let mut shop = Shop::open();
    let basket = Basket {
        lines: vec![(HELMET, 1), (super::shop::SET, 1)],
        ..Basket::default()
    };
    shop.place(order(), &basket).unwrap();
    shop.pay(order(), id(2)).unwrap();
    complete(&mut shop, 0);
    complete(&mut shop, 1);
    assert_eq!(shop.books.faults().unwrap(), vec![]);
    let level = shop.order(order()).terms().unwrap().totals.level_discount;
    let paid = shop.order(order()).paid.unwrap().amount;
    assert_eq!(
        balance(&shop, Account::SellerPayable(seller(1))),
        -paid.plus(level).unwrap().hundredths()
    );
}

#[test]
fn money_for_a_canceled_order_goes_back() {
    let mut shop = ordered();
    shop.cancel_unpaid(order(), CanceledBy::Staff).unwrap();
    assert!(shop.pay(order(), id(2)).is_err());
    assert_eq!(balance(&shop, Account::Gateway), 0);
    assert_eq!(balance(&shop, Account::Unapplied(order())), 0);
    assert_eq!(balance(&shop, Account::Held(order())), 0);
    assert_eq!(shop.books.faults().unwrap(), vec![]);
}

#[test]
fn unbalanced_entries_are_not_written() {
    let mut books = GeneralLedger::default();
    let one = Entry {
        account: Account::Gateway,
        amount: Amount::new(1),
    };
    assert_eq!(
        books.post(&[one]),
        Err(AccountingError::Unbalanced(Amount::new(1)))
    );
    assert_eq!(books.balances().count(), 0);
}

#[test]
fn an_account_is_found_by_its_name() {
    let all = [
        Account::Gateway,
        Account::Unapplied(order()),
        Account::Held(order()),
        Account::SellerPayable(seller(1)),
        Account::PromotionExpense(Bearer::Platform),
        Account::PromotionExpense(Bearer::Seller(seller(1))),
        Account::PointsLiability,
    ];
    for account in all {
        assert_eq!(account.to_string().parse(), Ok(account));
    }
    for none in [
        "",
        "gateway:1",
        "held",
        "held:platform",
        "seller-payable:",
        "cash",
        "2603-0001",
    ] {
        assert!(none.parse::<Account>().is_err(), "{none}");
    }
}

/// An inconsistent log is reported by the general ledger.
#[test]
fn faults_are_found() {
    let mut shop = ordered();
    shop.pay(order(), id(2)).unwrap();
    let mut keeper: LedgerReplayer = shop.books.clone();
    let no = shop.order(order()).purchases[0].purchase_no.clone();
    for _ in 0..2 {
        keeper
            .order(
                order(),
                &OrderEvent::PurchaseCompleted {
                    purchase_no: no.clone(),
                    by: ConfirmedBy::Buyer,
                },
            )
            .unwrap();
    }
    assert!(
        matches!(
            keeper.faults().unwrap().as_slice(),
            [AccountingFault::Overdrawn(Account::Held(_), _)]
        ),
        "confirmed twice"
    );
    let mut keeper = shop.books.clone();
    keeper
        .payment(
            id(2),
            &PaymentEvent::RefundCompleted {
                refund: id(9),
                amount: Amount::new(1),
                canceled_tid: "c".to_owned(),
            },
        )
        .unwrap();
    assert!(
        matches!(
            keeper.faults().unwrap().as_slice(),
            [AccountingFault::Overdrawn(Account::Unapplied(_), _)]
        ),
        "refunded without a cancellation"
    );
    let mut keeper = shop.books.clone();
    keeper
        .order(
            order(),
            &OrderEvent::OrderCanceled {
                by: CanceledBy::Staff,
                reason: None,
            },
        )
        .unwrap();
    assert!(
        matches!(
            keeper.faults().unwrap().as_slice(),
            [AccountingFault::StillHeld(..)]
        ),
        "canceled as if it had not been paid"
    );
    let mut keeper = shop.books.clone();
    keeper
        .payment(
            id(2),
            &PaymentEvent::DepositReceived {
                tid: "t".to_owned(),
                amount: Amount::new(500),
            },
        )
        .unwrap();
    assert!(
        matches!(keeper.faults().unwrap().as_slice(), [AccountingFault::Forgotten(_, lost)] if *lost == Amount::new(500)),
        "a deposit nobody gives back"
    );
}

fn sample<E: DeserializeOwned + EventNames>(event_type: &str) -> E {
    let mut names = E::NAMES.iter();
    let (_, version) = names.find(|(name, _)| *name == event_type).unwrap();
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("samples")
        .join(format!("{event_type}.{version}.json"));
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn every_stored_sample_books_to_zero() {
    let sum = |happened: &MoneyEvent<'_>| {
        let booked = entries(happened).unwrap();
        let kind = match happened {
            MoneyEvent::Payment { .. } => "payment",
            MoneyEvent::Order { .. } => "order",
            MoneyEvent::Points { .. } => "points",
        };
        for Entry { account, .. } in &booked {
            assert!(account.kinds().contains(&kind), "{account} by {happened:?}");
            assert_eq!(account.to_string().parse(), Ok(*account));
        }
        Amount::total(booked.into_iter().map(|entry| entry.amount))
    };
    let zero = Ok(Amount::ZERO);
    let mut before = Order::default();
    before.apply_sample("OrderPlaced");
    before.apply_sample("ExchangeRequested");
    for (name, _) in OrderEvent::NAMES {
        let event: OrderEvent = sample(name);
        let happened = MoneyEvent::Order {
            order: order(),
            before: &before,
            event: &event,
        };
        assert_eq!(sum(&happened), zero, "{name}");
    }
    let mut started = Payment::default();
    started.evolve(sample("PaymentStarted"));
    for (name, _) in PaymentEvent::NAMES {
        let event: PaymentEvent = sample(name);
        let happened = MoneyEvent::Payment {
            before: &started,
            event: &event,
        };
        assert_eq!(sum(&happened), zero, "{name}");
    }
    for (name, _) in PointsEvent::NAMES {
        let event: PointsEvent = sample(name);
        assert_eq!(sum(&MoneyEvent::Points { event: &event }), zero, "{name}");
    }
}

trait FromSample: Decider {
    fn apply_sample(&mut self, event_type: &str)
    where
        Self::Event: DeserializeOwned + EventNames,
    {
        self.apply(sample(event_type));
    }
}

impl FromSample for Order {}
