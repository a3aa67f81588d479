//! Stock: never below zero, and orders return at most what they took. That each order returns its own is tested in `placing` and
//! `properties`.

use domain::stock::StockEvent::{StockCounted, StockGivenBack, StockTaken};
use domain::stock::{Stock, StockCommand, StockError, StockEvent};

use super::given::{Given, given, id};

fn counted(quantity: u32) -> StockEvent {
    StockCounted {
        product: id(1),
        quantity,
    }
}

fn taken(order: u128, quantity: u32) -> StockEvent {
    StockTaken {
        order: id(order),
        quantity,
    }
}

fn take(order: u128, quantity: u32) -> StockCommand {
    StockCommand::Take {
        order: id(order),
        quantity,
    }
}

fn give_back(order: u128, quantity: u32) -> StockCommand {
    StockCommand::GiveBack {
        order: id(order),
        quantity,
    }
}

fn stock(events: impl IntoIterator<Item = StockEvent>) -> Given<Stock> {
    given(events)
}

#[test]
fn takes_what_is_there() {
    stock([counted(3)]).when(take(7, 3)).then([taken(7, 3)]);
    stock([counted(3), taken(7, 2)])
        .when(take(8, 2))
        .then_refuses(StockError::SoldOut { available: 1 });
    stock([])
        .when(take(7, 1))
        .then_refuses(StockError::SoldOut { available: 0 });
    stock([counted(3)])
        .when(take(7, 0))
        .then_refuses(StockError::NoPieces);
}

#[test]
fn gives_back_what_orders_took() {
    let past = [counted(5), taken(7, 2), taken(8, 1)];
    stock(past.clone())
        .when(give_back(7, 2))
        .then([StockGivenBack {
            order: id(7),
            quantity: 2,
        }]);
    stock(past.clone())
        .when(give_back(7, 4))
        .then_refuses(StockError::MoreThanTaken { taken: 3 });
    let all_back = StockGivenBack {
        order: id(7),
        quantity: 3,
    };
    stock(past.into_iter().chain([all_back]))
        .when(give_back(8, 1))
        .then_refuses(StockError::MoreThanTaken { taken: 0 });
}

#[test]
fn a_pile_is_as_small_after_many_orders_as_after_one() {
    let mut stock = Stock::default();
    stock.evolve(counted(1_000_000));
    let mut size = |orders: std::ops::Range<u128>| {
        orders.for_each(|order| stock.evolve(taken(order, 1)));
        serde_json::to_string(&stock).unwrap().len()
    };
    let after_one = size(0..1);
    // larger quantities have more digits
    assert!(size(1..10_000) <= after_one + 10, "it remembers its orders");
}

#[test]
fn counting_sets_what_is_available() {
    let count = |product, quantity| StockCommand::Count {
        product: id(product),
        quantity,
    };
    stock([counted(5), taken(7, 2)])
        .when(count(1, 10))
        .then([counted(10)]);
    stock([counted(5)]).when(count(1, 5)).then_nothing();
    stock([counted(5)])
        .when(count(2, 5))
        .then_refuses(StockError::OtherProduct);
}
