//! Paying an order: intentions are recorded before the gateway is called, outcomes afterwards.
//!
//! | topic | module |
//! |---|---|
//! | virtual accounts | [`account`] |
//! | finding payments in the log | [`attempts`] |
//! | requesting approval | [`approve`] |
//! | recording responses of the gateway | [`record`] |
//! | resolving unknown outcomes | [`resolve`] |
//! | refunds | [`refund`] |
//! | ownership of transactions | [`transaction`] |
//! | the browser's return address | [`way_back`] |

pub mod account;
pub mod approve;
pub mod attempts;
pub mod record;
pub mod refund;
pub mod resolve;
pub mod transaction;
pub mod way_back;

use domain::Actor;

/// Reservation scope of transaction ids, owned by their payments.
pub(crate) const TRANSACTION: &str = "payment-tid";

/// The gateway as the actor of events.
pub fn service() -> Actor {
    Actor::Service {
        name: "nice".to_owned(),
    }
}
