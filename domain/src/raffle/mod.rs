//! Raffles: members enter an event of the shop once, and when it ends the program draws winners in a way that anybody can check.
//!
//! - Opened with its event: a random seed is drawn and sealed, and its SHA-256, the commitment, is published.
//! - Each entry gets the next number and a mark, and is added to a chain of hashes: no entry can be added, changed or left out later.
//! - At the end the seed is opened. Numbers are ranked by a hash of seed, chain and number, and the first are the winners.
//!
//! [`hash`] has the formulas; docs/raffles.md has them for people. A raffle keeps a count and the end of the chain, so that it is as small
//! with 100,000 entries as with one; an entry is a stream of its own, whose id follows from the event and the member.

mod aggregate;
mod entry;
pub mod hash;
mod taking_part;

pub use aggregate::*;
pub use entry::*;
pub use hash::{RaffleHash, RaffleSeed};
pub use taking_part::*;
