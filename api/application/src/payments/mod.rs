//! Payments of orders and user payments: intentions are recorded before the gateway is called, outcomes afterwards. The decisions are in
//! [`domain::checkout::payments`].
//!
//! | topic | module |
//! |---|---|
//! | finding payments in the log | [`attempts`] |
//! | starting a payment | [`mod@start`] |
//! | requesting approval | [`approve`] |
//! | recording responses of the gateway | [`record`] |
//! | resolving unknown outcomes | [`resolve`] |
//! | virtual accounts | [`account`] |
//! | refunds | [`refund`] |
//! | the account for refunds of virtual accounts, and for refused refunds | [`refund_account`] |
//! | refused refunds that staff send by bank transfer | [`transfer`] |
//! | ownership of transactions | [`transaction`] |

pub mod account;
pub mod approve;
pub mod attempts;
pub mod record;
pub mod refund;
pub mod refund_account;
pub mod resolve;
pub mod start;
pub mod transaction;
pub mod transfer;

use domain::Actor;

/// The gateway as the actor of events.
pub fn service() -> Actor {
    Actor::Service {
        name: "nice".to_owned(),
    }
}
