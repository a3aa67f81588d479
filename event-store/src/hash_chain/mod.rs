//! The chain: a proof that nobody changed, removed or slipped in an event afterwards.
//!
//! A sealer takes the settled events in blocks. A block holds a hash of each of its events (so that a changed one can be
//! named), the hash of the block before, and an Ed25519 signature. Whoever changes the log has to change every block since, and
//! cannot sign one without the key, which is kept outside the database. Nothing of this happens at an append.
//!
//! | what was done to the database | what finds it |
//! |---|---|
//! | a byte of an event changed | the hash of that event: [`ChainFault::Changed`] |
//! | an event removed, or put in later | the positions of the block: [`ChainFault::Removed`], [`ChainFault::Added`] |
//! | a block changed to fit | its hash, the link to the block before, its signature: [`ChainFault::Forged`] |
//! | blocks removed in between | their numbers: [`ChainFault::Missing`] |
//! | the newest events and blocks cut off, or all blocks made anew | a [`Mark`] kept elsewhere: [`ChainFault::Departed`] |
//!
//! So a mark (number, position and hash of a block) belongs outside the database. The program keeps the newest it has seen, and
//! refuses to go on with a chain that does not hold it.

mod block;
mod check;
mod key;
mod seal;

pub use block::ChainCheckpoint;
pub use check::{ChainCheck, ChainCheckOptions, ChainFault, ChainProgress, Forgery, check};
pub use key::{ChainKey, PublicKey};
pub use seal::Sealing;

use crate::error::StoreError;

/// Why the chain could not be read or gone on with.
#[derive(Debug, thiserror::Error)]
pub enum ChainError {
    /// The log or the chain could not be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The chain in the database is another than the one seen before: blocks were removed or made anew, or an older backup was
    /// restored.
    #[error("the chain does not hold the block seen before, {0}")]
    Departed(ChainCheckpoint),
    /// A text that is no key.
    #[error("a key of the chain is 32 bytes in base64")]
    Key,
    /// A text that is no mark.
    #[error("a mark is NUMBER:POSITION:HASH")]
    Mark,
}

impl From<sqlx::Error> for ChainError {
    fn from(error: sqlx::Error) -> Self {
        Self::Store(error.into())
    }
}

impl From<std::num::TryFromIntError> for ChainError {
    fn from(error: std::num::TryFromIntError) -> Self {
        Self::Store(error.into())
    }
}
