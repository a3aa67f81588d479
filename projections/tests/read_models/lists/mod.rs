//! Lists, counts and searches agree with the orders and products.

mod catalogue;
mod claim_days;
pub mod claims;
mod console;
mod mine;
mod refunds;

use domain::ids::OrderId;
use domain::order::{Order, Purchase};
use projections::Page;

use super::rows::read;
use super::shop::Shop;

const ALL: Page = Page {
    skip: 0,
    limit: 100,
};

async fn busy() -> Shop {
    read(13, 400).await
}

fn purchases(shop: &Shop) -> impl Iterator<Item = (OrderId, &Order, &Purchase)> {
    shop.orders
        .iter()
        .flat_map(|(id, order)| order.purchases.iter().map(move |one| (*id, order, one)))
}
