//! Stock: never below zero, and an order gives back at most what it took.

use domain::stock::StockEvent::{StockCounted, StockGivenBack, StockTaken};
use domain::stock::{Stock, StockAct, StockError, StockEvent};

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

fn take(order: u128, quantity: u32) -> StockAct {
    StockAct::Take {
        order: id(order),
        quantity,
    }
}

fn give_back(order: u128, quantity: u32) -> StockAct {
    StockAct::GiveBack {
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
fn gives_back_what_the_order_took() {
    let past = [counted(5), taken(7, 2), taken(8, 1)];
    stock(past.clone())
        .when(give_back(7, 2))
        .then([StockGivenBack {
            order: id(7),
            quantity: 2,
        }]);
    stock(past.clone())
        .when(give_back(7, 3))
        .then_refuses(StockError::MoreThanTaken { taken: 2 });
    stock(past)
        .when(give_back(9, 1))
        .then_refuses(StockError::MoreThanTaken { taken: 0 });
}

#[test]
fn counting_sets_what_is_available() {
    let count = |product, quantity| StockAct::Count {
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
