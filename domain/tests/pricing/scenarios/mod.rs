//! Peer scenarios with our decimals, and each rule of the quote once.

mod amounts;
mod coupons;
mod fares;
mod lines;
mod peers;

use domain::Amount;
use domain::order::{FareTerms, PurchaseTerms};
use domain::pricing::coupon::CouponRefusal;
use domain::pricing::{PricingError, Quote};

fn lines(quote: &Quote, of: fn(&PurchaseTerms) -> Amount) -> Vec<i64> {
    quote
        .purchases
        .iter()
        .map(|purchase| of(purchase).hundredths())
        .collect()
}

fn fares(quote: &Quote, of: fn(&FareTerms) -> Amount) -> Vec<i64> {
    quote
        .fares
        .iter()
        .map(|fare| of(fare).hundredths())
        .collect()
}

fn why(quote: Result<Quote, PricingError>) -> Option<CouponRefusal> {
    quote.err().and_then(|error| error.why())
}
