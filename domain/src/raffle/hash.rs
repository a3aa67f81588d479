//! The hashes of a raffle. They are published and in the log, so none of them may change.

use std::fmt;
use std::str::FromStr;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::{Digest, Sha256};
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::personal::seal_label;

/// 32 bytes; written as 64 hexadecimal digits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RaffleHash(pub [u8; 32]);

/// The seed of a raffle: secret until the draw, so it is carried as `Sealed<RaffleSeed>`.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct RaffleSeed(pub RaffleHash);

seal_label! {
    RaffleSeed = "RaffleSeed",
}

impl fmt::Debug for RaffleSeed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RaffleSeed(secret)")
    }
}

impl RaffleSeed {
    /// What is published before the draw: SHA-256 of the 32 bytes of the seed.
    pub fn commitment(&self) -> RaffleHash {
        hashed(&[&self.0.0])
    }
}

impl RaffleHash {
    /// The end of the chain after an entry: SHA-256 of the 32 bytes before, the number as 4 bytes (the highest first), and the 32 bytes of
    /// the mark. The chain begins with the commitment.
    #[must_use]
    pub fn after(self, number: u32, mark: Self) -> Self {
        hashed(&[&self.0, &number.to_be_bytes(), &mark.0])
    }
}

/// The rank of a number is its place by this, the lowest first: SHA-256 of the 32 bytes of the seed, the 32 bytes of the end of the chain,
/// and the number as 4 bytes (the highest first).
pub fn score(seed: RaffleSeed, chain: RaffleHash, number: u32) -> RaffleHash {
    hashed(&[&seed.0.0, &chain.0, &number.to_be_bytes()])
}

/// All numbers in the order in which they win.
pub fn ranking(seed: RaffleSeed, chain: RaffleHash, entries: u32) -> Vec<u32> {
    let numbers = 1..=entries;
    let mut scored: Vec<(RaffleHash, u32)> = numbers
        .map(|number| (score(seed, chain, number), number))
        .collect();
    scored.sort_unstable();
    scored.into_iter().map(|(_, number)| number).collect()
}

fn hashed(parts: &[&[u8]]) -> RaffleHash {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update(part);
    }
    RaffleHash(hash.finalize().into())
}

impl fmt::Display for RaffleHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// The text is not 64 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a hash is written as 64 hexadecimal digits")]
pub struct HashSyntaxError;

impl FromStr for RaffleHash {
    type Err = HashSyntaxError;

    fn from_str(text: &str) -> Result<Self, HashSyntaxError> {
        let digit = |one: u8| char::from(one).to_digit(16);
        let byte = |pair: &[u8]| match pair {
            [high, low] => u8::try_from(digit(*high)? * 16 + digit(*low)?).ok(),
            _ => None,
        };
        let bytes: Option<Vec<u8>> = text.as_bytes().chunks(2).map(byte).collect();
        let bytes = bytes.and_then(|bytes| bytes.try_into().ok());
        bytes.map(Self).ok_or(HashSyntaxError)
    }
}

impl Serialize for RaffleHash {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for RaffleHash {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(D::Error::custom)
    }
}

impl PartialSchema for RaffleHash {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .pattern(Some("^[0-9a-f]{64}$"))
            .into()
    }
}

impl ToSchema for RaffleHash {}
