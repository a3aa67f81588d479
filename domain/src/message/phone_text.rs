//! Texts as phones take them: counted in bytes of CP949, the extended EUC-KR of Korean carriers.

use encoding_rs::EUC_KR;
use serde::Serialize;
use utoipa::ToSchema;

use crate::forms::phone_digits;

/// Maximum length of an SMS, in bytes.
pub const SHORT_MOST: usize = 90;
/// Maximum length of an LMS, in bytes.
pub const LONG_MOST: usize = 2_000;
/// Maximum length of the subject of an LMS, in bytes.
pub const SUBJECT_BYTES_MOST: usize = 40;
/// What a letter becomes that carriers cannot show.
const STRANGE: char = '?';

/// How a text travels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum SmsKind {
    /// Short.
    Sms,
    /// Long, with a subject.
    Lms,
}

impl SmsKind {
    /// That of an encodable text.
    pub fn of(text: &str) -> Self {
        match bytes(text) <= SHORT_MOST {
            true => Self::Sms,
            false => Self::Lms,
        }
    }
}

/// Length of a text in bytes of CP949; a letter that it does not have counts as two.
pub fn bytes(text: &str) -> usize {
    let length = |letter: char| if letter.is_ascii() { 1 } else { 2 };
    text.chars().map(length).sum()
}

/// Whether carriers can show a letter.
pub fn is_encodable(letter: char) -> bool {
    if letter.is_ascii() {
        return !letter.is_ascii_control();
    }
    let mut buffer = [0; 4];
    let (_, _, failed) = EUC_KR.encode(letter.encode_utf8(&mut buffer));
    !failed
}

/// The text with only letters that carriers can show: decomposed Hangul is composed, spaces and dashes of other kinds become plain ones,
/// invisible letters go, and any other becomes a question mark. Line breaks stay.
pub fn encodable(text: &str) -> String {
    composed(text)
        .chars()
        .filter_map(|letter| match letter {
            '\n' => Some(letter),
            '\u{200B}'..='\u{200F}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{20E3}' => None,
            letter if is_encodable(letter) => Some(letter),
            letter if letter.is_control() => None,
            letter if letter.is_whitespace() => Some(' '),
            '\u{2010}'..='\u{2015}' | '\u{2212}' => Some('-'),
            '\u{2022}' => Some('·'),
            _ => Some(STRANGE),
        })
        .collect()
}

/// The start of an encodable text that fits.
pub fn cut(text: &str, most: usize) -> String {
    if bytes(text) <= most {
        return text.to_owned();
    }
    let mut left = most.saturating_sub(bytes("…"));
    let fits = |letter: &char| match left.checked_sub(bytes(letter.encode_utf8(&mut [0; 4]))) {
        Some(rest) => {
            left = rest;
            true
        }
        None => false,
    };
    let mut start: String = text.chars().take_while(fits).collect();
    start.push('…');
    start
}

/// The digits of a mobile number in Korea; none of another number.
pub fn mobile_number(text: &str) -> Option<String> {
    let digits = phone_digits(text);
    let is_mobile = matches!(
        digits.get(..3),
        Some("010" | "011" | "016" | "017" | "018" | "019")
    );
    (is_mobile && (10..=11).contains(&digits.len())).then_some(digits)
}

/// Hangul of separate letters (some systems write names of files so) as syllables.
fn composed(text: &str) -> String {
    const SYLLABLES: u32 = 0xAC00;
    let mut out: Vec<char> = Vec::new();
    for letter in text.chars() {
        let last = out.last().map_or(0, |last| u32::from(*last));
        let code = u32::from(letter);
        let joined = match (last, code) {
            (0x1100..=0x1112, 0x1161..=0x1175) => {
                Some(SYLLABLES + ((last - 0x1100) * 21 + (code - 0x1161)) * 28)
            }
            (SYLLABLES..=0xD7A3, 0x11A8..=0x11C2) if (last - SYLLABLES).is_multiple_of(28) => {
                Some(last + (code - 0x11A7))
            }
            _ => None,
        };
        match joined.and_then(char::from_u32) {
            Some(syllable) => {
                out.pop();
                out.push(syllable);
            }
            None => out.push(letter),
        }
    }
    out.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_those_of_the_carriers_character_set() {
        for (text, expected) in [("", 0), ("abc 123\n", 8), ("주문", 4), ("뷁…A", 5)] {
            assert_eq!(bytes(text), expected, "{text}");
            let (encoded, _, failed) = EUC_KR.encode(text);
            assert_eq!((encoded.len(), failed), (expected, false), "{text}");
        }
        assert_eq!(SmsKind::of(&"가".repeat(45)), SmsKind::Sms);
        assert_eq!(SmsKind::of(&format!("{}a", "가".repeat(45))), SmsKind::Lms);
    }

    #[test]
    fn what_phones_cannot_show_is_replaced() {
        for (text, expected) in [
            ("사과 3kg", "사과 3kg"),
            ("🍎 사과", "? 사과"),
            ("a\u{A0}b\u{2013}c\u{2022}", "a b-c·"),
            ("\u{1112}\u{1161}\u{11AB}\u{1100}\u{1173}\u{11AF}", "한글"),
            ("줄\n둘\r\u{0}", "줄\n둘"),
            ("❤\u{FE0F}x\u{200D}", "?x"),
        ] {
            let plain = encodable(text);
            assert_eq!(plain, expected, "{text:?}");
            assert!(!EUC_KR.encode(&plain).2, "{text:?}");
        }
    }

    #[test]
    fn a_long_text_is_cut_at_a_letter() {
        assert_eq!(cut("가나다", 6), "가나다");
        assert_eq!(cut("가나다라", 7), "가나…");
        assert_eq!(cut("가나다라", 6), "가나…");
        let long = "가나다a".repeat(500);
        assert!(bytes(&cut(&long, LONG_MOST)) <= LONG_MOST);
    }

    #[test]
    fn only_mobile_numbers_take_texts() {
        assert_eq!(
            mobile_number("010-1234-5678").as_deref(),
            Some("01012345678")
        );
        assert_eq!(mobile_number("011 234 5678").as_deref(), Some("0112345678"));
        for other in [
            "02-123-4567",
            "0101234",
            "",
            "+82 10 1234 5678",
            "031-1234-5678",
        ] {
            assert_eq!(mobile_number(other), None, "{other}");
        }
    }
}
