//! Bulk grants: points for many members, ordered by staff in one command and carried out in parts by the worker.
//!
//! The list of receivers is in the order, and the grant remembers how far along it has come. A part ([`carry_out`]) is one decision:
//! what its members get and the place the grant reaches are appended together. So nobody gets anything twice or is passed over,
//! however often a part is tried and whoever is killed in between. A grant that is stopped goes along its list once more and takes
//! back what is left.

mod aggregate;
mod carrying_out;
mod events;

pub use aggregate::*;
pub use carrying_out::*;
pub use events::*;
