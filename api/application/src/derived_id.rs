//! Ids derived from keys, so that a repeated decision writes to the same stream.

use sha2::{Digest, Sha256};
use uuid::{Builder, Uuid};

/// The id that belongs to `key`: a UUIDv8 of the first 16 bytes of its SHA-256. These ids are in the log, so neither the hash nor
/// the keys callers build may change.
pub fn derived_id(key: &str) -> Uuid {
    let digest = Sha256::digest(key);
    let bytes = digest.first_chunk::<16>().copied().unwrap_or_default();
    Builder::from_custom_bytes(bytes).into_uuid()
}
