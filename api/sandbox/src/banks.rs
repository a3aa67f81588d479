//! The banks that issue virtual accounts.

use domain::forms::BANKS;

/// Banks that issue virtual accounts; refunds go to any bank.
const ISSUERS: &[&str] = &[
    "003", "004", "011", "020", "023", "031", "032", "034", "071", "081", "088", "089",
];

/// The issuing banks with their names.
pub(crate) fn issuing_banks() -> impl Iterator<Item = (&'static str, &'static str)> {
    BANKS
        .iter()
        .copied()
        .filter(|(code, _)| ISSUERS.contains(code))
}

/// The chosen bank, else the default.
fn bank_of(code: &str) -> (&'static str, &'static str) {
    let chosen = issuing_banks().find(|(known, _)| *known == code);
    chosen.unwrap_or(("088", "신한은행"))
}

pub(crate) fn bank_code(code: &str) -> &'static str {
    bank_of(code).0
}

pub(crate) fn bank_name(code: &str) -> &'static str {
    bank_of(code).1
}
