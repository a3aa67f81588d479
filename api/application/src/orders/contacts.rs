//! Keyed hashes of names and phone numbers, used by guests to find their order and by staff to find any order.

use domain::forms::phone_digits;
use domain::ids::OrderId;
use domain::personal::Party;
use event_store::KeyRing;
use projections::state::order_contacts;

use crate::app::App;

/// Korea's country code, used by some instead of the leading 0.
const KOREA: &str = "+82";

/// Hash of a phone number, ignoring separators.
pub fn phone_hash(keys: &KeyRing, phone: &str) -> [u8; 32] {
    let digits = match phone.trim().strip_prefix(KOREA) {
        Some(rest) => format!("0{}", phone_digits(rest).trim_start_matches('0')),
        None => phone_digits(phone),
    };
    keys.lookup_hash("order-phone", &digits)
}

/// Number of digits at the end of a phone number by which it is found.
const TAIL: usize = 4;

/// Hash of the last four digits of a phone number; none for a shorter text.
fn tail_hash(keys: &KeyRing, phone: &str) -> Option<[u8; 32]> {
    let digits = phone_digits(phone);
    let tail = digits.get(digits.len().checked_sub(TAIL)?..)?;
    Some(keys.lookup_hash("order-phone-tail", tail))
}

/// The hashes of a search text: as a phone, as a name, and as the last four digits of a phone if it is four digits.
pub fn search_hashes(keys: &KeyRing, text: &str) -> Vec<Vec<u8>> {
    let is_tail = text.len() == TAIL && text.bytes().all(|byte| byte.is_ascii_digit());
    let tail = tail_hash(keys, text).filter(|_| is_tail);
    [
        Some(phone_hash(keys, text)),
        Some(name_hash(keys, text)),
        tail,
    ]
    .into_iter()
    .flatten()
    .map(Vec::from)
    .collect()
}

/// Hash of a name, ignoring case and spaces.
pub fn name_hash(keys: &KeyRing, name: &str) -> [u8; 32] {
    let plain: String = name.chars().filter(|char| !char.is_whitespace()).collect();
    keys.lookup_hash("order-name", &plain.to_lowercase())
}

/// A guest's contact hash as stored in the log, hex.
pub fn contact_hash(keys: &KeyRing, phone: &str) -> String {
    hex::encode(phone_hash(keys, phone))
}

/// The hashes of an order's parties for `state::order_contacts`.
pub fn hashes(keys: &KeyRing, parties: &[&Party]) -> Vec<Vec<u8>> {
    let each = |party: &&Party| {
        let whole = [phone_hash(keys, &party.phone), name_hash(keys, &party.name)];
        whole.into_iter().chain(tail_hash(keys, &party.phone))
    };
    parties.iter().flat_map(each).map(Vec::from).collect()
}

/// Stores the contact hashes of an order's parties, by which staff find the order. Best effort; failures are only logged.
pub async fn remember(app: &App, id: OrderId, parties: &[&Party]) {
    let hashes = hashes(&app.keys, parties);
    if let Err(error) = order_contacts::remember(app.pool(), id, &hashes).await {
        tracing::warn!(%error, order = %id, "the order cannot be found by name");
    }
}
