//! Names of members as they are compared, and the keyed hashes they are reserved by.

use event_store::KeyRing;

use crate::reservations::{EMAIL, NICKNAME, USERNAME};

/// A sign-in name as it is compared: case and surrounding spaces make no other name.
pub fn sign_in_name(username: &str) -> String {
    username.trim().to_lowercase()
}

/// The keyed hash of a sign-in name.
pub fn username_hash(keys: &KeyRing, username: &str) -> [u8; 32] {
    keys.lookup_hash(USERNAME, &sign_in_name(username))
}

/// The keyed hash of a nickname, ignoring case and surrounding spaces.
pub fn nickname_hash(keys: &KeyRing, nickname: &str) -> [u8; 32] {
    keys.lookup_hash(NICKNAME, &nickname.trim().to_lowercase())
}

/// An e-mail address as it is compared: case and surrounding spaces make no other address.
pub fn plain_address(address: &str) -> String {
    address.trim().to_lowercase()
}

/// The keyed hash of an e-mail address.
pub fn mail_hash(keys: &KeyRing, address: &str) -> [u8; 32] {
    keys.lookup_hash(EMAIL, &plain_address(address))
}
