//! Hash chain: tamper evidence for the log. Detects events changed, removed or inserted afterwards.
//!
//! A sealer groups the settled events into blocks. A block holds a hash of each of its events (so that a changed one can be named),
//! the hash of the previous block, and an Ed25519 signature. Changing the log would require changing all later blocks, which cannot
//! be signed without the key, kept outside the database. Appends are not slowed down by this.
//!
//! | tampering | detected by |
//! |---|---|
//! | an event changed | the hash of that event: [`ChainFault::Changed`] |
//! | an event removed or inserted | the positions of the block: [`ChainFault::Removed`], [`ChainFault::Added`] |
//! | a block changed to match | its hash, the link to the previous block, its signature: [`ChainFault::Forged`] |
//! | blocks removed in between | their numbers: [`ChainFault::Missing`] |
//! | the newest events and blocks cut off, or all blocks rewritten | an external [`ChainCheckpoint`]: [`ChainFault::Departed`] |
//!
//! Therefore a checkpoint (number, position and hash of a block) should be kept outside the database. The program stores the newest
//! one it has seen, and does not extend a chain without it.

mod block;
mod check;
mod key;
mod seal;

pub use block::ChainCheckpoint;
pub use check::{ChainCheck, ChainCheckOptions, ChainFault, ChainProgress, Forgery, check};
pub use key::{ChainKey, PublicKey};
pub use seal::Sealing;

use crate::error::StoreError;

/// Reasons why the chain cannot be read or extended.
#[derive(Debug, thiserror::Error)]
pub enum ChainError {
    /// Reading or writing the log or the chain failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The chain in the database does not contain the newest block seen before: blocks were removed or rewritten, or an older
    /// backup was restored.
    #[error("the chain does not hold the block seen before, {0}")]
    Departed(ChainCheckpoint),
    /// The text is not a public key.
    #[error("a key of the chain is 32 bytes in base64")]
    Key,
    /// The text is not a checkpoint.
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
