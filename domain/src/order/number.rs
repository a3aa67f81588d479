//! Order numbers: `20261121-7KD2M9QX`, the Seoul day and eight unambiguous characters.

use time::OffsetDateTime;

use crate::business_day;

/// Capitals and digits without 0/O, 1/I/L and U; 30 characters.
const ALPHABET: [char; 30] = [
    '2', '3', '4', '5', '6', '7', '8', '9', 'A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'J', 'K', 'M',
    'N', 'P', 'Q', 'R', 'S', 'T', 'V', 'W', 'X', 'Y', 'Z',
];

/// The number of an order placed at `now`, from eight random bytes given by the caller.
///
/// Eight characters of thirty are 656 thousand million numbers a day; the caller still reserves the number.
pub fn order_no(now: OffsetDateTime, random: [u8; 8]) -> String {
    let day = business_day::day(now);
    let mut number = format!(
        "{:04}{:02}{:02}-",
        day.year(),
        u8::from(day.month()),
        day.day()
    );
    let mut rest = u64::from_be_bytes(random);
    for _ in 0..8 {
        let (next, letter) = (rest / 30, rest % 30);
        rest = next;
        number.extend(
            usize::try_from(letter)
                .ok()
                .and_then(|letter| ALPHABET.get(letter)),
        );
    }
    number
}

/// The purchase number: `orderNo-1`, `orderNo-2`, ...; `place` counts from 1.
pub fn purchase_no(order_no: &str, place: usize) -> String {
    format!("{order_no}-{place}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use time::macros::datetime;

    #[test]
    fn is_the_seoul_day_and_eight_clear_characters() {
        let late_evening_utc = datetime!(2026-11-20 23:30 UTC);
        let number = order_no(late_evening_utc, [0xAB, 1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(number.len(), 17);
        assert!(number.starts_with("20261121-"), "{number}");
        assert!(
            number
                .chars()
                .skip(9)
                .all(|letter| ALPHABET.contains(&letter)),
            "{number}"
        );
        assert_ne!(
            number,
            order_no(late_evening_utc, [0xAB, 1, 2, 3, 4, 5, 6, 8])
        );
    }

    #[test]
    fn purchases_count_from_one() {
        assert_eq!(purchase_no("20261121-7KD2M9QX", 1), "20261121-7KD2M9QX-1");
    }
}
