//! Every state of a purchase (order, claim, purchase, collection) times every command times every reader, generated from the program.
//!
//! - What changes, and only that, is in docs/spec/transitions.tsv, for each of the four machines.
//! - What is refused has a stable code, in tests/fixtures/matrix.tsv (`UPDATE_STATES=1` writes it).
//! - `nextActions` offers each reader what is accepted, and nothing else.

mod commands;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::{Path, PathBuf};

use domain::order::{
    Action, CancelReason, CanceledBy, Claim, Order, OrderCommand, OrderEvent, Purchase, Reader,
    RefundTerms,
};
use domain::{Context, Decider};

use self::commands::{Cell, Rules, cells};
use super::given::{at_noon, id};
use super::shop::{Basket, HELMET, JUICE, Shop, pickup};

/// The purchase that the commands are about.
const NO: &str = "20261121-00000001-1";
const MACHINES: [&str; 4] = ["order", "claim", "purchase", "collection"];
/// A purchase whose return or exchange was rejected was sent, so it cannot be canceled any more: the row's own condition never holds.
const NEVER: [(&str, &str); 2] = [
    ("RETURN_REJECTED", "CANCEL_REQUESTED"),
    ("EXCHANGE_REJECTED", "CANCEL_REQUESTED"),
];

/// A machine, and the states of a transition.
type Transition = (&'static str, String, String);

/// The open claim on the purchase, else the newest one.
fn subject(order: &Order) -> Option<&Claim> {
    let newest = order.claims.iter().rev();
    let mut its = newest.filter(|claim| claim.purchase_nos.iter().any(|no| no == NO));
    order.open_claim(NO).or_else(|| its.next())
}

/// The statuses of a purchase, by machine.
fn statuses(purchase: Option<&Purchase>) -> [String; 4] {
    let none = || "(none)".to_owned();
    purchase.map_or_else(
        || [none(), none(), none(), none()],
        |one| {
            [
                one.order_status.code(),
                one.claim_status.code(),
                one.purchase_status.code(),
                one.collection_status.code(),
            ]
            .map(str::to_owned)
        },
    )
}

/// The state of the purchase and its claim: its statuses, and what else decides.
fn state(order: &Order) -> String {
    let purchase = order.purchase(NO);
    let mut words = statuses(purchase).to_vec();
    let mut says = |holds: bool, word: &str| {
        if holds {
            words.push(word.to_owned());
        }
    };
    says(purchase.is_some_and(|one| one.invoice.is_some()), "sent");
    says(
        purchase.is_some_and(|one| one.confirmed.is_some()),
        "was-confirmed",
    );
    says(order.canceled.is_some(), "order-canceled");
    if let Some(claim) = subject(order) {
        words.push(format!("{:?}-{}", claim.kind(), stage(claim)));
        let mut says = |holds: bool, word: &str| {
            if holds {
                words.push(word.to_owned());
            }
        };
        says(order.is_of_several_sellers(claim), "several-sellers");
        let goods = claim.collection.as_ref();
        says(
            goods.is_some_and(|goods| goods.inspection.is_some()),
            "inspected",
        );
        says(
            goods.is_some_and(|goods| goods.invoice.is_some()),
            "parcel-back",
        );
        says(
            goods.is_some_and(|goods| goods.sent_back.is_some()),
            "sent-back",
        );
        says(!claim.exchange_fee().is_zero(), "fee");
        says(!claim.exchange_price().is_zero(), "price");
        if let Some(exchange) = claim.exchange() {
            says(exchange.invoice.is_some(), "replaced");
            says(exchange.fee_waived, "waived");
            says(exchange.fee_received.is_some(), "paid");
            says(exchange.fee_payment.is_some(), "by-card");
            says(exchange.fee_refund.is_some(), "refunded");
            says(exchange.fee_refund_account.is_some(), "account");
            says(exchange.fee_refund_reference.is_some(), "transferred");
        }
    }
    words.join(" ")
}

/// The state of a claim without what it holds.
fn stage(claim: &Claim) -> String {
    let all = format!("{:?}", claim.state);
    let name = all.split([' ', '{']).next();
    name.unwrap_or_default().to_owned()
}

/// Applies events one by one; returns the transitions of all purchases.
fn applied(order: &mut Order, events: Vec<OrderEvent>) -> BTreeSet<Transition> {
    let mut made = BTreeSet::new();
    for event in events {
        let before = order.clone();
        order.evolve(event);
        for purchase in &order.purchases {
            let origin = purchase.split_from.as_deref();
            let known = before.purchase(&purchase.purchase_no);
            let known = known.or_else(|| origin.and_then(|no| before.purchase(no)));
            let changes = statuses(known).into_iter().zip(statuses(Some(purchase)));
            for (machine, (from, to)) in MACHINES.into_iter().zip(changes) {
                if from != to {
                    made.insert((machine, from, to));
                }
            }
        }
    }
    made
}

/// The outcome of a command in a state: nothing, the states it leads to, or the code of the refusal.
type Outcomes = BTreeMap<(&'static str, &'static str), BTreeMap<String, BTreeSet<usize>>>;

#[derive(Default)]
struct Matrix {
    /// The states in the order in which they were found.
    states: Vec<String>,
    outcomes: Outcomes,
    made: BTreeSet<Transition>,
}

impl Matrix {
    /// Tries every command in every state that can be reached from these orders.
    fn of(starts: Vec<Order>, rules: &Rules) -> Self {
        let mut matrix = Self::default();
        let mut waiting: VecDeque<Order> = VecDeque::new();
        for start in starts {
            matrix.states.push(state(&start));
            waiting.push_back(start);
        }
        let mut place = 0;
        while let Some(order) = waiting.pop_front() {
            check_order(&order, rules);
            for cell in cells(&order, subject(&order), rules) {
                let context = Context {
                    now: cell.now,
                    ..at_noon()
                };
                let decided = order.decide(cell.command.clone(), &context);
                check_offer(
                    &order,
                    &cell,
                    decided.as_ref().is_ok_and(|all| !all.is_empty()),
                );
                let outcome = match decided {
                    Ok(events) if events.is_empty() => "nothing".to_owned(),
                    Ok(events) => {
                        let mut after = order.clone();
                        matrix.made.extend(applied(&mut after, events));
                        let found = state(&after);
                        if !matrix.states.contains(&found) {
                            matrix.states.push(found);
                            waiting.push_back(after);
                        }
                        "accepted".to_owned()
                    }
                    Err(refusal) => refusal.code().to_owned(),
                };
                let of = matrix.outcomes.entry((cell.name, cell.actor)).or_default();
                of.entry(outcome).or_default().insert(place);
            }
            place += 1;
        }
        matrix
    }

    /// As text: the states, then a line for each command, actor and outcome.
    fn text(&self) -> String {
        let mut text = String::from("# Generated by the test `matrix`; see there.\n");
        for (place, state) in self.states.iter().enumerate() {
            text.push_str(&format!("state\t{place}\t{state}\n"));
        }
        for ((command, actor), outcomes) in &self.outcomes {
            for (outcome, states) in outcomes {
                let states: Vec<String> = states.iter().map(usize::to_string).collect();
                let states = states.join(",");
                text.push_str(&format!("{command}\t{actor}\t{outcome}\t{states}\n"));
            }
        }
        text
    }
}

/// What is offered on the order as a whole: to pay it, and to correct its receiver.
fn check_order(order: &Order, rules: &Rules) {
    let offers = |reader, action| order.next_actions(reader).contains(&action);
    let pays = order.terms.is_some() && order.paid.is_none() && order.canceled.is_none();
    assert_eq!(offers(Reader::Buyer, Action::Pay), pays, "{}", state(order));
    let receiver = OrderCommand::CorrectReceiver {
        receiver: pickup(),
        area: rules.terms.area,
    };
    let corrects = order.decide(receiver, &at_noon()).is_ok();
    assert_eq!(
        offers(Reader::Staff, Action::CorrectReceiver),
        corrects,
        "{}",
        state(order)
    );
    assert!(!offers(Reader::Buyer, Action::CorrectReceiver));
}

/// A reader is offered what is accepted, and nothing else.
fn check_offer(order: &Order, cell: &Cell, works: bool) {
    let Some(purchase) = order.purchase(NO) else {
        return;
    };
    for reader in &cell.readers {
        let offered = order.purchase_actions(*reader, purchase);
        let is_offered = cell.actions.iter().any(|action| offered.contains(action));
        let what = || format!("{} by {reader:?} at {}", cell.name, state(order));
        assert_eq!(is_offered, works, "{}", what());
    }
    for reader in &cell.never {
        let offered = order.purchase_actions(*reader, purchase);
        let is_offered = cell.actions.iter().any(|action| offered.contains(action));
        assert!(
            !is_offered,
            "{} by {reader:?} at {}",
            cell.name,
            state(order)
        );
    }
}

/// The transitions of docs/spec/transitions.tsv that can happen.
fn specified() -> BTreeSet<Transition> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/spec/transitions.tsv");
    let table = std::fs::read_to_string(path).unwrap();
    let rows = table.lines().skip(1).filter_map(|row| {
        let [machine, from, _, to, _] = row.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{row}: five columns")
        };
        let machine = MACHINES.into_iter().find(|known| *known == machine)?;
        let is_never = NEVER.contains(&(from, to));
        (!is_never).then(|| (machine, from.to_owned(), to.to_owned()))
    });
    rows.collect()
}

/// A shop with one order of these goods.
fn shop_with(lines: &[(usize, u32)]) -> Shop {
    let mut shop = Shop::open();
    let basket = Basket {
        lines: lines.to_vec(),
        ..Basket::default()
    };
    shop.place(id(1), &basket).unwrap();
    shop
}

/// An order that is not placed yet, and one with an older claim on goods of two sellers, which only staff answer.
fn starts() -> Vec<Order> {
    let mut of_two = Order::default();
    let shop = shop_with(&[(HELMET, 1), (JUICE, 1)]);
    let terms = shop.order(id(1)).terms().unwrap().clone();
    let nos: Vec<String> = terms
        .purchases
        .iter()
        .map(|one| one.purchase_no.clone())
        .collect();
    let paid = OrderEvent::OrderPaid {
        payment: Some(id(2)),
        amount: terms.totals.payable,
    };
    let mut events = vec![OrderEvent::OrderPlaced(Box::new(terms)), paid];
    let prepared = |no: &String| OrderEvent::PurchasePrepared {
        purchase_no: no.clone(),
    };
    events.extend(nos.iter().map(prepared));
    events.push(OrderEvent::CancelRequested {
        claim: id(0xC0),
        purchase_nos: nos,
        by: CanceledBy::Buyer,
        reason: CancelReason::plain("사유"),
        refund: RefundTerms::default(),
    });
    for event in events {
        of_two.evolve(event);
    }
    vec![Order::default(), of_two]
}

fn fixture() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/matrix.tsv")
}

#[test]
fn every_command_in_every_state_by_every_reader() {
    let shop = shop_with(&[(HELMET, 3)]);
    let rules = Rules {
        terms: shop.order(id(1)).terms().unwrap().clone(),
        parcels: shop.parcels(id(1)),
    };
    let matrix = Matrix::of(starts(), &rules);
    let specified = specified();
    let unspecified: Vec<_> = matrix.made.difference(&specified).collect();
    assert_eq!(
        unspecified,
        Vec::<&Transition>::new(),
        "made, but not specified"
    );
    let unmade: Vec<_> = specified.difference(&matrix.made).collect();
    assert_eq!(unmade, Vec::<&Transition>::new(), "specified, but not made");
    let text = matrix.text();
    if std::env::var_os("UPDATE_STATES").is_some() {
        std::fs::write(fixture(), &text).unwrap();
    }
    let expected = std::fs::read_to_string(fixture()).unwrap();
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<BTreeSet<_>>();
    let (found, expected) = (lines(&text), lines(&expected));
    let news: Vec<_> = found.difference(&expected).take(5).collect();
    assert_eq!(
        news,
        Vec::<&String>::new(),
        "UPDATE_STATES=1 if it is meant"
    );
    assert_eq!(found, expected);
}
