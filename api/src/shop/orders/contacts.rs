//! Keyed hashes of names and phones, by which guests find their order and staff find anybody's.

use domain::forms::phone_digits;
use domain::personal::Party;
use event_store::KeyRing;

/// Of a phone number, whatever stands between its digits.
pub fn phone_hash(keys: &KeyRing, phone: &str) -> [u8; 32] {
    keys.lookup_hash("order-phone", &phone_digits(phone))
}

/// Of a name, whatever its capitals and spaces.
pub fn name_hash(keys: &KeyRing, name: &str) -> [u8; 32] {
    let plain: String = name.chars().filter(|char| !char.is_whitespace()).collect();
    keys.lookup_hash("order-name", &plain.to_lowercase())
}

/// A guest as the log knows them: the hash of their phone, hex.
pub fn contact_hash(keys: &KeyRing, phone: &str) -> String {
    hex::encode(phone_hash(keys, phone))
}

/// What `state::order_contacts` keeps of an order's people.
pub fn hashes(keys: &KeyRing, parties: &[&Party]) -> Vec<Vec<u8>> {
    let both = |party: &&Party| [phone_hash(keys, &party.phone), name_hash(keys, &party.name)];
    parties.iter().flat_map(both).map(Vec::from).collect()
}
