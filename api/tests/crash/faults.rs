//! Every kind of fault that the audit detects, and its message.

use std::collections::BTreeMap;

use crate::audit::disagreements;
use crate::seen::{Good, Order, ShopSnapshot};
use crate::shopper::{Outcome, Part, Purchase};

/// A fault injected into the snapshot, and the expected messages.
type Fault = (fn(&mut ShopSnapshot), &'static [&'static str]);

const FAULTS: [Fault; 16] = [
    // orders
    (
        |seen| {
            seen.orders.insert("ghost".to_owned(), order("N9", "", 0));
        },
        &["nobody was told of order ghost"],
    ),
    (
        |seen| seen.counted += 1,
        &["4 orders were placed, 3 were acknowledged"],
    ),
    (
        |seen| {
            seen.orders.remove("unpaid");
        },
        &[
            "acknowledged order unpaid is missing",
            "8 pieces of bike are left and ordered, not 10",
        ],
    ),
    (
        |seen| paid(seen).listed = 2,
        &["acknowledged order paid is listed 2 times"],
    ),
    (
        |seen| paid(seen).status = "ORDER_NONPAYMENT".to_owned(),
        &["order paid: it is ORDER_NONPAYMENT, not ORDER_PAYMENT"],
    ),
    // money
    (
        |seen| {
            seen.charges.insert("N1-1".to_owned(), 1_000);
        },
        &[
            "order paid is charged twice: [1000, 1000]",
            "order paid: the sandbox holds 2000, not 1000",
            "the sandbox holds 1000 for attempt N1-1, the shop 0",
        ],
    ),
    (
        |seen| {
            seen.charges.insert("N3-1".to_owned(), 800);
        },
        &[
            "order canceled: the sandbox holds 800, not 0",
            "the sandbox holds 800 for attempt N3-1, the shop 0",
        ],
    ),
    (
        |seen| {
            seen.charges.insert("N77-1".to_owned(), 800);
        },
        &["the sandbox holds 800 for attempt N77-1, the shop 0"],
    ),
    (
        |seen| {
            seen.charges.remove("N1-2");
        },
        &[
            "order paid: the sandbox holds 0, not 1000",
            "the sandbox holds 0 for attempt N1-2, the shop 1000",
        ],
    ),
    // coupons
    (
        |seen| {
            seen.coupons.pop();
        },
        &[r#"coupon c2 is used on None, not Some([""])"#],
    ),
    (
        |seen| seen.coupons.push(seen.coupons[0].clone()),
        &[r#"coupon c1 is used on Some(["paid", "paid"]), not Some(["paid"])"#],
    ),
    (
        |seen| seen.coupons[0].1.clear(),
        &[r#"coupon c1 is used on Some([""]), not Some(["paid"])"#],
    ),
    // points
    (
        |seen| {
            seen.spent.insert("N3".to_owned(), 100);
        },
        &[
            "order canceled: its points are 100, not 0",
            "points left and spent are 100 more than granted, not 0",
        ],
    ),
    (
        |seen| {
            seen.spent.insert("N77".to_owned(), 50);
        },
        &[
            "50 points went into order N77, which is in no list",
            "points left and spent are 50 more than granted, not 0",
        ],
    ),
    // stock
    (
        |seen| {
            seen.stock.insert(good(), 3);
        },
        &["8 pieces of bike are left and ordered, not 10"],
    ),
    (
        |seen| paid(seen).pieces = BTreeMap::from([(good(), 1)]),
        &[
            "order paid: its pieces are 1, not 2",
            "9 pieces of bike are left and ordered, not 10",
        ],
    ),
];

fn good() -> Good {
    Good {
        product: "bike".to_owned(),
        option: None,
    }
}

fn order(number: &str, status: &str, pieces: i64) -> Order {
    Order {
        listed: 1,
        number: number.to_owned(),
        status: status.to_owned(),
        pieces: BTreeMap::from([(good(), pieces)]),
        payments: BTreeMap::new(),
    }
}

/// The paid order.
fn paid(seen: &mut ShopSnapshot) -> &mut Order {
    seen.orders.get_mut("paid").unwrap()
}

/// A shop with one order, and its state after three orders and one rejection.
fn a_story() -> (ShopSnapshot, Vec<Purchase>, ShopSnapshot) {
    let before = ShopSnapshot {
        orders: BTreeMap::from([("seeded".to_owned(), order("N0", "ORDER_PAYMENT", 1))]),
        counted: 1,
        coupons: vec![("c1".to_owned(), String::new())],
        spent: BTreeMap::from([(String::new(), -500), ("N0".to_owned(), 100)]),
        points: 400,
        charges: BTreeMap::from([("N0-1".to_owned(), 900)]),
        stock: BTreeMap::from([(good(), 9)]),
    };
    let bought = |outcome, coupon: Option<&str>, points, drawn: Option<&str>| Purchase {
        outcome,
        good: good(),
        pieces: 2,
        coupon: coupon.map(str::to_owned),
        points,
        drawn: drawn.map(str::to_owned),
        part: None,
    };
    let paid_for = Outcome::Paid {
        order: "paid".to_owned(),
        payable: 1_000,
    };
    let [unpaid, canceled] = ["unpaid", "canceled"].map(str::to_owned);
    let purchases = vec![
        bought(paid_for, Some("c1"), 100, None),
        bought(Outcome::Unpaid { order: unpaid }, None, 0, None),
        bought(
            Outcome::Canceled { order: canceled },
            Some("c2"),
            100,
            Some("c2"),
        ),
        bought(Outcome::SoldOut, None, 0, None),
    ];
    let mut after = before.clone();
    for (id, order) in [
        ("paid", order("N1", "ORDER_PAYMENT", 2)),
        ("unpaid", order("N2", "ORDER_NONPAYMENT", 2)),
        ("canceled", order("N3", "ORDER_CANCELED", 0)),
    ] {
        after.orders.insert(id.to_owned(), order);
    }
    let coupons = [("c1", "paid"), ("c2", "")];
    after.coupons = coupons.map(|(c, o)| (c.to_owned(), o.to_owned())).into();
    after.counted = 4;
    after
        .spent
        .extend([("N1".to_owned(), 100), ("N3".to_owned(), 0)]);
    after.points = 300;
    after.charges.insert("N1-2".to_owned(), 1_000);
    paid(&mut after).payments.insert("N1-2".to_owned(), 1_000);
    after.stock.insert(good(), 5);
    (before, purchases, after)
}

#[test]
fn every_fault_is_named_and_nothing_else() {
    let (before, purchases, after) = a_story();
    let said = disagreements(&before, &after, &purchases);
    assert!(said.is_empty(), "{said:?}");
    for (plant, errors) in FAULTS {
        let mut seen = after.clone();
        plant(&mut seen);
        assert_eq!(disagreements(&before, &seen, &purchases), errors);
    }
}

/// One of two pieces was canceled: 400 of 1,000 and 30 of 100 points have to be refunded.
#[test]
fn a_piece_that_is_canceled_is_refunded_once() {
    let (before, mut purchases, after) = a_story();
    purchases[0].part = Some(Part {
        money: 400,
        points: 30,
    });
    let right = |seen: &mut ShopSnapshot| {
        let order = paid(seen);
        order.listed = 2;
        order.pieces.insert(good(), 1);
        order.payments.insert("N1-2".to_owned(), 600);
        seen.charges.insert("N1-2".to_owned(), 600);
        seen.spent.insert("N1".to_owned(), 70);
        seen.points = 330;
        seen.stock.insert(good(), 6);
    };
    let faults: [Fault; 3] = [
        (|_| {}, &[]),
        (
            |seen| {
                paid(seen).payments.insert("N1-2".to_owned(), 200);
                seen.charges.insert("N1-2".to_owned(), 200);
            },
            &["order paid: the sandbox holds 200, not 600"],
        ),
        (
            |seen| {
                seen.charges.insert("N1-2".to_owned(), 1_000);
            },
            &[
                "order paid: the sandbox holds 1000, not 600",
                "the sandbox holds 1000 for attempt N1-2, the shop 600",
            ],
        ),
    ];
    for (plant, errors) in faults {
        let mut seen = after.clone();
        right(&mut seen);
        plant(&mut seen);
        assert_eq!(disagreements(&before, &seen, &purchases), errors);
    }
}
