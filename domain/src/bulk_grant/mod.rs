//! Bulk grants: points or a coupon for many members, ordered by staff in one command and carried out in parts by the worker.
//!
//! The order holds the list of receivers, and the grant records how many of them are served. A part ([`carry_out`]) is one decision:
//! the benefits of its receivers and the new place in the list are appended together. So each receiver is served exactly once, even if
//! a part is tried twice or its worker is killed. A stopped grant goes through the served receivers again and takes back what is left.

mod aggregate;
mod carrying_out;
mod events;

pub use aggregate::*;
pub use carrying_out::*;
pub use events::*;
