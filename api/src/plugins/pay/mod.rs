//! Paying an order: intentions recorded before the service is asked, outcomes after.
//!
//! | a line about | belongs in |
//! |---|---|
//! | the account of a payment by deposit | [`account`] |
//! | finding attempts in the log | [`attempts`] |
//! | asking the service to charge | [`approve`] |
//! | writing down what the service says | [`record`] |
//! | finding out what nobody knows | [`resolve`] |
//! | sending money back | [`refund`] |
//! | whose a transaction is | [`transaction`] |
//! | where the browser comes back to | [`way_back`] |

pub mod account;
pub mod approve;
pub mod attempts;
pub mod record;
pub mod refund;
pub mod resolve;
pub mod transaction;
pub mod way_back;

use domain::Actor;

/// The scope transactions are reserved in, by the payments they belong to.
pub(crate) const TRANSACTION: &str = "payment-tid";

/// The service as the cause of events.
pub fn service() -> Actor {
    Actor::Service {
        name: "nice".to_owned(),
    }
}
